//! The last line of a prompt, which says what to write now: the format of answers may stand thousands of tokens before
//! it, and models go on with what stands last.

use super::line::{LineNotation, Speech, Style};
use crate::domain::{Brief, MoveKind};
use crate::ports::model::{ChatRole, Prompt};
use crate::text::joined_by;

/// Ends of prompts that already open the line that is wanted.
const OPENED: [&str; 2] = ["> think:", ">"];

/// Adds the cue of a brief that wants moves with labels: a line of words in a chat, and for a model that goes on with a
/// text the sign of what was done.
pub(super) fn add(prompt: &mut Prompt, brief: &Brief, notation: LineNotation) {
    match prompt {
        Prompt::Chat(messages) => {
            let Some(last) = messages.last_mut().filter(|last| last.role == ChatRole::User) else { return };
            let text = last.content.trim_end();
            let text = OPENED.into_iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text).trim_end();
            last.content = format!("{text}\n\n{}", words(brief, notation));
        }
        Prompt::Text(text) if notation.style == Style::Papers => {
            if !OPENED.into_iter().any(|end| text.trim_end().ends_with(end)) {
                text.truncate(text.trim_end().len());
                text.push_str("\n>");
            }
        }
        Prompt::Text(text) if OPENED.into_iter().any(|end| text.trim_end().ends_with(end)) => {}
        Prompt::Text(text) => {
            text.truncate(text.trim_end().len());
            text.push_str(&format!("\n\n{}\n", words(brief, notation)));
        }
    }
}

fn words(brief: &Brief, notation: LineNotation) -> String {
    let labels = LineNotation { style: Style::Labels, ..notation };
    // Nobody thinks twice in the papers' transcripts, and small models think the same for ever.
    let has_thought = brief.notice.as_deref() == Some(Brief::ACKNOWLEDGED);
    let is_wanted = |kind: &MoveKind| match kind {
        MoveKind::Finish => brief.several,
        MoveKind::Think => !has_thought || brief.open.iter().count() == 1,
        _ => true,
    };
    let kinds = brief.open.iter().filter(is_wanted);
    let label = |kind| match (kind, notation.speech) {
        (MoveKind::Act, Speech::Ask) => "`>` and a command".to_owned(),
        (kind, Speech::Ask) => format!("`> {}`", labels.label(kind).trim_end().to_lowercase()),
        (kind, Speech::Speak) => format!("`{}`", labels.label(kind).trim_end()),
    };
    let kinds: Vec<String> = kinds.map(label).collect();
    let lines = if brief.several { "Now write your moves, each on a line" } else { "Now write one line" };
    match kinds.split_last() {
        Some((last, before)) if !before.is_empty() => {
            format!("{lines} that begins with {} or {last}.", joined_by(", ", before))
        }
        Some((last, _)) => format!("{lines} that begins with {last}."),
        None => format!("{lines}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::MoveKinds;
    use crate::ports::model::ChatMessage;

    #[test]
    fn chats_end_with_words_and_texts_with_the_sign_of_a_move() {
        let brief =
            Brief { open: MoveKinds::of(&[MoveKind::Think, MoveKind::Act, MoveKind::Finish]), ..Brief::default() };
        let of = |prompt: Prompt, speech| {
            let mut prompt = prompt;
            add(&mut prompt, &brief, LineNotation { speech, ..LineNotation::default() });
            match prompt {
                Prompt::Chat(messages) => messages[0].content.clone(),
                Prompt::Text(text) => text,
            }
        };
        let chat = |text: &str| Prompt::Chat(vec![ChatMessage::new(ChatRole::User, text)]);
        assert_eq!(
            of(chat("On it."), Speech::Speak),
            "On it.\n\nNow write one line that begins with `Think:` or `Act:`."
        );
        let asked = "On it.\n\nNow write one line that begins with `> think:` or `>` and a command.";
        assert_eq!(of(chat("On it.\n>"), Speech::Ask), asked);
        let thought = Brief { notice: Some(Brief::ACKNOWLEDGED.into()), ..brief.clone() };
        assert_eq!(words(&thought, LineNotation::default()), "Now write one line that begins with `Act:`.");
        assert_eq!(of(Prompt::Text("On it.\n".to_owned()), Speech::Speak), "On it.\n>");
        assert_eq!(of(Prompt::Text("On it.\n>".to_owned()), Speech::Ask), "On it.\n>");
        let mut labelled = Prompt::Text("On it.".to_owned());
        add(&mut labelled, &brief, LineNotation { style: Style::Labels, ..LineNotation::default() });
        assert_eq!(
            labelled,
            Prompt::Text("On it.\n\nNow write one line that begins with `Think:` or `Act:`.\n".to_owned())
        );
    }
}
