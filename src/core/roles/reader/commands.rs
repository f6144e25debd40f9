//! Tells a command from a sentence.

mod meant;

use std::sync::Arc;

/// The most words that stand for one thing in a command.
const WORDS: usize = 4;

/// The placeholder that takes any text, up to what closes it.
pub const TEXT: &str = "text";

/// The placeholder that takes the same with quotation marks: JSON, or literals of a program.
pub const INPUT: &str = "input";

/// The commands that an environment understands, as far as they are known.
#[derive(Clone, Debug, Default)]
pub struct Commands {
    forms: Vec<Form>,
    /// The commands that are possible now, if they are listed.
    admissible: Option<Arc<[String]>>,
    /// Words that people write for verbs.
    verbs: &'static [(&'static str, &'static str)],
}

/// A form, cut at its placeholders: `take `, ` from `, and an empty end.
#[derive(Clone, Debug)]
struct Form {
    start: Box<str>,
    /// Whether each placeholder takes any text or one thing, and what follows it.
    holes: Vec<(bool, Box<str>)>,
    /// A placeholder takes literals, whose quotation marks belong to them.
    has_input: bool,
}

impl Commands {
    /// Commands of these forms, such as `take {object} from {receptacle}` and `search[{text}]`.
    pub fn new<'a>(forms: impl IntoIterator<Item = &'a str>) -> Self {
        let forms = forms.into_iter().map(Form::cut);
        Self { forms: forms.collect(), admissible: None, verbs: &[] }
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
        self.lists(text) || self.forms.iter().any(|form| form.fits(text))
    }

    /// Whether the text is a command or begins as only one can, such as with `question[`: such a verb is
    /// the world's, whatever else the word may mean.
    pub fn owns(&self, text: &str) -> bool {
        let mut forms = self.forms.iter();
        self.has(text) || forms.any(|form| form.after_start(text).is_some())
    }

    /// Whether a command that takes any text begins near the beginning of the line.
    pub fn begins_text(&self, line: &str) -> bool {
        const NEAR: usize = 64;
        let near = line.get(..line.floor_char_boundary(NEAR));
        let has_text = |form: &&Form| form.holes.iter().any(|(free, _)| *free);
        self.forms.iter().filter(has_text).any(|form| near.is_some_and(|near| near.contains(&*form.start)))
    }

    /// The command that the text is but for capitals in its verb, a bracket at its end that is missing, and
    /// what follows that one.
    pub fn closed(&self, text: &str) -> Option<String> {
        self.forms.iter().find_map(|form| {
            let rest = form.after_start(text)?;
            let (_, close) = form.holes.last()?;
            let inside = rest.rsplit_once(&**close);
            let inside = inside.map_or(rest, |(inside, _)| inside);
            let command = format!("{}{inside}{close}", form.start);
            form.fits(&command).then_some(command)
        })
    }

    /// Whether a command may be the beginning of another one if what was written ends too early: nothing
    /// closes its text, or nothing was written that does.
    pub fn may_go_on(&self, command: &str, written: &str) -> bool {
        let goes_on = |form: &Form| match form.holes.last() {
            Some((true, close)) => close.is_empty() || !written.contains(command),
            _ => false,
        };
        let mut fitting = self.forms.iter().filter(|form| form.fits(command));
        !self.lists(command) && fitting.any(goes_on)
    }

    fn lists(&self, text: &str) -> bool {
        self.admissible.iter().flat_map(|list| list.iter()).any(|command| command == text)
    }
}

impl Form {
    fn cut(form: &str) -> Self {
        let (start, mut rest) = form.trim().split_once('{').unwrap_or((form.trim(), ""));
        let mut holes = Vec::new();
        while let Some((name, after)) = rest.split_once('}') {
            let (after, next) = after.split_once('{').unwrap_or((after, ""));
            // Without a verb before it, any text at all would be a command.
            let free = [TEXT, INPUT].contains(&name) && !start.is_empty();
            holes.push((free, after.into()));
            rest = next;
        }
        let start = start.into();
        Self { start, holes, has_input: form.contains("{input}") }
    }

    fn fits(&self, text: &str) -> bool {
        let rest = text.strip_prefix(&*self.start);
        rest.is_some_and(|rest| fill(&self.holes, rest))
    }

    /// The text after the beginning of the form, in any case, where that is more than words: `search[`.
    fn after_start<'a>(&self, text: &'a str) -> Option<&'a str> {
        let mark = |letter: char| !letter.is_alphanumeric() && letter != ' ';
        let (start, rest) = text.split_at_checked(self.start.len())?;
        let opens = !self.holes.is_empty() && self.start.ends_with(mark);
        (opens && start.eq_ignore_ascii_case(&self.start)).then_some(rest)
    }
}

/// Whether the text is what the placeholders take, with what stands between them.
fn fill(holes: &[(bool, Box<str>)], text: &str) -> bool {
    let Some(((free, after), others)) = holes.split_first() else {
        return text.is_empty();
    };
    let takes = |part: &str| if *free { !part.contains(['\n', '\r']) } else { is_thing(part) };
    if others.is_empty() {
        return text.strip_suffix(&**after).is_some_and(takes);
    }
    let last = text.rsplit_once(&**after).filter(|_| *free);
    text.split_once(&**after).into_iter().chain(last).any(|(part, rest)| takes(part) && fill(others, rest))
}

/// Whether the text can stand for one thing: some words without marks.
fn is_thing(text: &str) -> bool {
    let words = text.split(' ');
    let allowed = |letter: char| letter.is_alphanumeric() || "-_'".contains(letter);
    let mut count = 0;
    for word in words {
        if word.is_empty() || !word.chars().all(allowed) {
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
        let forms = ["go to {r}", "take {o} from {r}", "look", "search[{text}]", "query {input}"];
        let commands = Commands::new(forms);
        let is = ["go to desk 1", "take mug 1 from coffee table 2", "look", "search[red]", r#"query {"area": "any"}"#];
        assert!(is.into_iter().all(|text| commands.has(text)));
        let not = ["look around", "go to ", "go to desk 1, then open it", "take mug 1", "Look", ""];
        for text in not {
            assert!(!commands.has(text), "{text}");
        }
    }
}
