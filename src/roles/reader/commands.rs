//! Tells a command from a sentence.

use std::sync::Arc;

/// The most words that stand for one thing in a command.
const WORDS: usize = 4;

/// The commands that an environment understands, as far as they are known.
#[derive(Clone, Debug, Default)]
pub struct Commands {
    /// The forms, cut at their placeholders: `take `, ` from `, and an empty end.
    forms: Vec<Vec<Box<str>>>,
    /// The commands that are possible now, if they are listed.
    admissible: Option<Arc<[String]>>,
}

impl Commands {
    /// Commands of these forms, such as `take {object} from {receptacle}`.
    pub fn new<'a>(forms: impl IntoIterator<Item = &'a str>) -> Self {
        let forms = forms.into_iter().map(cut);
        Self {
            forms: forms.collect(),
            admissible: None,
        }
    }

    /// Takes over the commands that are possible now.
    pub fn set_admissible(&mut self, admissible: Option<Arc<[String]>>) {
        self.admissible = admissible;
    }

    /// Whether anything is known.
    pub fn is_empty(&self) -> bool {
        self.forms.is_empty() && self.admissible.is_none()
    }

    /// Whether the text is a command, letter by letter.
    pub fn has(&self, text: &str) -> bool {
        let listed = self.admissible.iter().flat_map(|list| list.iter());
        let is_listed = listed.into_iter().any(|command| command == text);
        is_listed || self.forms.iter().any(|form| fits(form, text))
    }
}

/// Cuts a form at its placeholders.
fn cut(form: &str) -> Vec<Box<str>> {
    let mut pieces = Vec::new();
    let mut rest = form.trim();
    while let Some((before, after)) = rest.split_once('{') {
        pieces.push(before.into());
        rest = after.split_once('}').map_or("", |(_, rest)| rest);
    }
    pieces.push(rest.into());
    pieces
}

fn fits(form: &[Box<str>], text: &str) -> bool {
    let Some((first, others)) = form.split_first() else {
        return false;
    };
    let Some(mut rest) = text.strip_prefix(&**first) else {
        return false;
    };
    for (index, piece) in others.iter().enumerate() {
        let is_last = index + 1 == others.len();
        let (thing, after) = match (is_last, piece.is_empty()) {
            (true, true) => (rest, ""),
            (true, false) => match rest.strip_suffix(&**piece) {
                Some(thing) => (thing, ""),
                None => return false,
            },
            (false, _) => match rest.split_once(&**piece) {
                Some(split) => split,
                None => return false,
            },
        };
        if !is_thing(thing) {
            return false;
        }
        rest = after;
    }
    rest.is_empty()
}

/// Whether the text can stand for one thing: some words without marks.
fn is_thing(text: &str) -> bool {
    let words = text.split(' ');
    let plain = |letter: char| letter.is_alphanumeric() || "-_'".contains(letter);
    let mut count = 0;
    for word in words {
        if word.is_empty() || !word.chars().all(plain) {
            return false;
        }
        count += 1;
    }
    count <= WORDS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_from_sentences() {
        let forms = ["go to {r}", "take {o} from {r}", "look", "search[{text}]"];
        let commands = Commands::new(forms);
        let is = [
            "go to desk 1",
            "take mug 1 from coffee table 2",
            "look",
            "search[red]",
        ];
        assert!(is.into_iter().all(|text| commands.has(text)));
        let not = [
            "look around",
            "go to ",
            "go to desk 1, then open it",
            "take mug 1",
            "Look",
            "",
        ];
        for text in not {
            assert!(!commands.has(text), "{text}");
        }
    }
}
