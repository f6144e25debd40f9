//! Reasoning that a model writes before its answer.

/// The answer after a block of reasoning (`<think>...</think>`), or the whole text if there is none.
pub fn after_reasoning(text: &str) -> &str {
    text.rsplit_once("</think>").map_or(text, |(_, after)| after)
}
