//! Names of raters, and of what they label.

use anyhow::bail;

use crate::evaluation::labels::What;
use crate::registry::Registry;
use crate::text::joined;

/// The name under which the rules are a rater.
pub(super) const RULES: &str = "rules";

/// Checks a rater's name: it becomes part of a file's.
pub(super) fn rater(text: &str) -> Result<String, String> {
    let letter = |letter: char| {
        letter.is_ascii_lowercase() || letter.is_ascii_digit() || "-_".contains(letter)
    };
    let good = text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.len() <= 60
        && text.chars().all(letter);
    match text {
        RULES => Err("the rules have this name".to_owned()),
        name if good => Ok(name.to_owned()),
        _ => Err("write small letters, digits, `-` and `_`, beginning with a letter".to_owned()),
    }
}

/// The set of labels of a name, among them the questions of the worlds.
pub(super) fn what(text: &str) -> Result<What, String> {
    let questions = Registry::standard().questions;
    What::among(text, &questions).map_err(|error| {
        let all = questions.iter().map(|question| What::Question { question });
        let names = all.flat_map(|all| [vec![all.clone()], all.parts()].concat());
        match joined(names.map(|what| format!("`{what}`"))) {
            none if none.is_empty() => error.to_string(),
            names => format!("{error}; or a question of a world: {names}"),
        }
    })
}

/// The names of the labels to choose from.
pub(super) fn label_names(what: &What) -> Vec<String> {
    let labels = what.labels().into_iter();
    labels.map(|label| label.name).collect()
}

/// Refuses a whole question, where one field of it must be named.
pub(super) fn one_field(what: &What) -> anyhow::Result<()> {
    if let What::Question { .. } = what {
        let parts = joined(what.parts().iter().map(|part| format!("`{part}`")));
        bail!("`{what}` has fields; write one of {parts}");
    }
    if what.is_text() {
        bail!(
            "`{what}` is answered by any text: it is asked of judges, and nothing else is done with it here"
        );
    }
    Ok(())
}
