//! The words to a model whose answer cannot be used.

use crate::ports::model::{ChatMessage, ChatRole, Prompt};
use crate::text::one_line;

/// The prompt with the answers that could not be read and what was said to them.
///
/// A text goes on where it ended: after `>`, or in a notation after the label of its last line.
pub fn corrected(prompt: Prompt, corrections: &[(String, String)], notation: bool) -> Prompt {
    match prompt {
        Prompt::Chat(mut messages) => {
            for (text, said) in corrections {
                messages.push(ChatMessage::new(ChatRole::Assistant, text.clone()));
                messages.push(ChatMessage::new(ChatRole::User, said.clone()));
            }
            Prompt::Chat(messages)
        }
        Prompt::Text(mut prompt) => {
            let last = prompt.lines().next_back().unwrap_or_default();
            let end = match last {
                label if notation && label.ends_with(':') => format!("\n{label}"),
                _ if prompt.ends_with('>') => "\n>".to_owned(),
                _ => "\n".to_owned(),
            };
            for (text, said) in corrections {
                prompt.push_str(&format!(" {}\n{said}{end}", one_line(text)));
            }
            Prompt::Text(prompt)
        }
    }
}
