//! Queries to sources.

use super::clean::trimmed;
use super::variable::Variable;

/// Whether an input means the dialogue itself, which is part of every query anyway.
pub(super) fn is_context(input: &str) -> bool {
    let input = trimmed(input);
    let names = ["", "context", "dialogue", "dialogue context"];
    names.iter().any(|name| input.eq_ignore_ascii_case(name))
}

/// The input of a step with each variable replaced by the text that it is bound to; one that is not bound
/// stays. An input that means the dialogue becomes nothing.
pub fn resolve_input<'a>(
    input: &str,
    variable: Variable,
    bound: impl Fn(&str) -> Option<&'a str>,
) -> String {
    if is_context(input) {
        return String::new();
    }
    let mut resolved = String::with_capacity(input.len());
    let mut done = 0;
    for reference in variable.references(input) {
        let Some(text) = bound(&reference.name) else {
            continue;
        };
        resolved.push_str(input.get(done..reference.from).unwrap_or_default());
        resolved.push_str(text);
        done = reference.to;
    }
    resolved.push_str(input.get(done..).unwrap_or_default());
    trimmed(&resolved).to_owned()
}

/// The query: the resolved input, the utterances of the dialogue without who says them, and the thought
/// (where a method has one), with blanks between; empty parts are left out.
pub fn compose_query<T: AsRef<str>>(resolved: &str, utterances: &[T], thought: &str) -> String {
    let utterances = utterances.iter().map(AsRef::as_ref);
    let parts = std::iter::once(resolved).chain(utterances).chain([thought]);
    let parts: Vec<&str> = parts.map(trimmed).filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_replaced_once_and_the_dialogue_is_nothing() {
        let bound = |name: &str| match name {
            "So1" => Some("the tower So2"),
            "So2" => Some("the bridge"),
            _ => None,
        };
        let resolve = |input| resolve_input(input, Variable::So, bound);
        assert_eq!(
            resolve("height of #So1, not So2"),
            "height of the tower So2, not the bridge"
        );
        assert_eq!(resolve("#so01"), "the tower So2");
        assert_eq!(resolve("So3 and Sofa"), "So3 and Sofa");
        for input in ["", " Context ", "dialogue", "Dialogue context"] {
            assert_eq!(resolve(input), "");
        }
    }

    #[test]
    fn empty_parts_of_a_query_are_left_out() {
        assert_eq!(compose_query("", &["a?", "", "b."], ""), "a? b.");
        assert_eq!(compose_query("x", &["a"], " think "), "x a think");
        assert_eq!(compose_query("", &[""; 0], ""), "");
    }
}
