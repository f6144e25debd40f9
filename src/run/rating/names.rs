//! Names of raters and of what they label, and the questions to them.

use super::RatingError;
use crate::registry::Registry;
use rolecall_core::evaluation::labels::{ItemKind, What};
use rolecall_core::text::{joined, visible};

/// The name under which the rules are a rater.
pub const RULES: &str = "rules";

/// Checks a rater's name: it becomes part of a file's.
///
/// # Errors
/// The problem with it.
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
        return Err(RatingError::Unusable(format!("`{what}` has fields; write one of {parts}")));
    }
    if what.is_text() {
        let problem = format!(
            "`{what}` is answered by any text: it is asked of judges and on pages, and nothing else is done with it here"
        );
        return Err(RatingError::Unusable(problem));
    }
    Ok(())
}

/// The word for an item.
pub fn noun(kind: ItemKind) -> &'static str {
    match kind {
        ItemKind::Dialogues => "dialogue",
        ItemKind::Utterances => "utterance",
        ItemKind::Responses => "response",
    }
}

/// The question about each item: somebody's own words, or the usual ones.
pub fn question(what: &What, words: Option<&str>, kind: ItemKind) -> String {
    if let Some(words) = words {
        return visible(words).into_owned();
    }
    match what {
        What::Categories => "What is the utterance for? Choose its category.".to_owned(),
        What::Acts => "Which dialogue act does the utterance perform?".to_owned(),
        What::Scale { aspect, .. } => {
            let aspect = aspect.as_deref().unwrap_or("quality").replace('_', " ");
            format!("How do you rate the {aspect} of the {}?", noun(kind))
        }
        What::Question { question } => question.text.to_owned(),
        What::Field { question, field } => format!("{} {}", question.text, field.criteria),
        What::Pair { scale } => match &**scale {
            What::Field { field, .. } => format!("Which of the two {}s is better? {}", noun(kind), field.criteria),
            What::Scale { aspect: Some(aspect), .. } => {
                let aspect = aspect.replace('_', " ");
                format!("Which of the two {}s is better in {aspect}?", noun(kind))
            }
            _ => format!("Which of the two {}s is better?", noun(kind)),
        },
    }
}
