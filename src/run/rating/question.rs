//! What raters are asked.

use rolecall_core::evaluation::labels::{ItemKind, What};
use rolecall_core::text::visible;

/// The word for an item.
pub fn noun(kind: ItemKind) -> &'static str {
    match kind {
        ItemKind::Dialogues => "dialogue",
        ItemKind::Utterances => "utterance",
        ItemKind::Responses => "response",
    }
}

/// The question about each item: somebody's own words, or the usual ones.
pub fn question(what: &What, own: Option<&str>, kind: ItemKind) -> String {
    if let Some(own) = own {
        return visible(own).into_owned();
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
            What::Field { field, .. } => {
                format!("Which of the two {}s is better? {}", noun(kind), field.criteria)
            }
            What::Scale { aspect: Some(aspect), .. } => {
                let aspect = aspect.replace('_', " ");
                format!("Which of the two {}s is better in {aspect}?", noun(kind))
            }
            _ => format!("Which of the two {}s is better?", noun(kind)),
        },
    }
}
