//! Names of raters, and of what they label.

use super::RatingError;
use crate::registry::Registry;
use rolecall_core::evaluation::labels::What;
use rolecall_core::text::joined;

/// The name under which the rules are a rater.
pub const RULES: &str = "rules";

/// Checks a rater's name: it becomes part of a file's.
///
/// # Errors
/// What is wrong with it.
pub fn rater(text: &str) -> Result<String, String> {
    let letter = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || "-_".contains(letter);
    let good =
        text.starts_with(|first: char| first.is_ascii_lowercase()) && text.len() <= 60 && text.chars().all(letter);
    match text {
        RULES => Err("the rules have this name".to_owned()),
        name if good => Ok(name.to_owned()),
        _ => Err("write small letters, digits, `-` and `_`, beginning with a letter".to_owned()),
    }
}

/// The set of labels of a name, among them the questions of the registry's worlds.
///
/// # Errors
/// When there is none of that name; says which there are.
pub fn what(text: &str, registry: &Registry) -> Result<What, String> {
    let questions = &registry.questions;
    What::among(text, questions).map_err(|error| {
        let all = questions.iter().map(|question| What::Question { question });
        let names = all.flat_map(|all| [vec![all.clone()], all.parts()].concat());
        match joined(names.map(|what| format!("`{what}`"))) {
            none if none.is_empty() => error.to_string(),
            names => format!("{error}; or a question of a world: {names}"),
        }
    })
}

/// The names of the labels to choose from.
pub fn label_names(what: &What) -> Vec<String> {
    what.labels().into_iter().map(|label| label.name).collect()
}

/// Refuses a whole question, where one field of it must be named.
///
/// # Errors
/// When it is one, or is answered by any text.
pub fn one_field(what: &What) -> Result<(), RatingError> {
    if let What::Question { .. } = what {
        let parts = joined(what.parts().iter().map(|part| format!("`{part}`")));
        let problem = format!("`{what}` has fields; write one of {parts}");
        return Err(RatingError::Unusable(problem));
    }
    if what.is_text() {
        let problem = format!(
            "`{what}` is answered by any text: it is asked of judges and on pages, and nothing else is done with it here"
        );
        return Err(RatingError::Unusable(problem));
    }
    Ok(())
}
