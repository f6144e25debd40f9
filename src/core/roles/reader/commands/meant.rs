//! The command that somebody means by a text: articles, quotation marks, brackets of another kind and announcements
//! are put right as far as the world's grammar leaves one sense.

use super::{Commands, Form};
use crate::text::is_picture;

/// A command that a text means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meant {
    /// The command as the world writes it.
    pub command: String,
    /// Other commands followed, which are left out.
    pub more: bool,
}

/// Words of sentences, of which no name of a thing is made.
const SENTENCE: &[&str] = &[
    "all", "every", "each", "any", "nearest", "next", "other", "first", "the", "a", "an", "and", "or", "then", "to",
    "from", "with", "in", "on", "into", "onto", "in/on", "it", "my", "is",
];

/// Words before a thing that may be left out.
const ARTICLES: &[&str] = &["the", "a", "an"];

/// Words between two parts: where a grammar has one of them at a place, another means the same.
const BETWEEN: &[&str] = &["in", "on", "into", "onto", "in/on", "to", "at"];

/// Texts that forms have in the place of what has to be put in.
const PLACEHOLDERS: &[&str] = &["...", "\u{2026}", "text", "number", "keywords", "query", "input"];

/// Announcements of a command.
const ANNOUNCED: &[&str] = &[
    "i will now ",
    "i will ",
    "i'll now ",
    "i'll ",
    "i\u{2019}ll ",
    "let me ",
    "let's ",
    "i am going to ",
    "i'm going to ",
    "my next action is to ",
    "my next action is ",
    "the next action is to ",
    "the next action is ",
    "the next step is to ",
    "my next step is to ",
    "next action: ",
];

/// Words that may stand before an announcement.
const FIRST: &[&str] =
    &["sure, ", "sure! ", "next, ", "next ", "now, ", "now ", "first, ", "first ", "then ", "so ", "okay, ", "ok, "];

/// The most bytes of a text that may be a command: each mark within it is tried as its end.
const LONGEST: usize = 2048;

/// Marks between one command and the next.
const FOLLOWED: &[&str] = &[", and then ", " and then ", ", then ", "; then ", " then ", ", and ", " and ", "; ", ", "];

impl Commands {
    /// The command that a text means; none if it means none, or one of several.
    pub fn meant(&self, text: &str) -> Option<Meant> {
        if text.len() > 2 * LONGEST {
            return None;
        }
        let text = text.replace('\u{ff08}', " (").replace('\u{ff09}', ")");
        let text = bare(&text);
        if text.is_empty() || text.len() > LONGEST || text.contains(['\n', '\r']) {
            return None;
        }
        let remark = text
            .rsplit_once(" (")
            .filter(|(_, remark)| remark.ends_with(')'))
            .or_else(|| text.rsplit_once(" # "))
            .or_else(|| text.rsplit_once("  #"));
        let without = remark.and_then(|(text, _)| self.one(bare(text)));
        if let Some(command) = self.one(text).or(without) {
            return Some(Meant { command, more: false });
        }
        if self.is_choice(text) {
            return None;
        }
        let parts = FOLLOWED.iter().flat_map(|mark| text.match_indices(mark).map(|(place, mark)| (place, mark.len())));
        let mut ends: Vec<(usize, usize)> = parts.collect();
        ends.sort_unstable();
        ends.into_iter().find_map(|(place, length)| {
            let command = self.one(bare(&text[..place]))?;
            self.begins(&text[place + length..]).then_some(Meant { command, more: true })
        })
    }

    /// Whether a text leaves it open which of its commands is meant: `open desk 1 or open desk 2`.
    pub fn is_choice(&self, text: &str) -> bool {
        let text = text.get(..text.floor_char_boundary(LONGEST)).unwrap_or(text);
        let mut marks = [" or ", " / "].into_iter().flat_map(|mark| text.match_indices(mark));
        marks.any(|(place, mark)| self.begins(&text[place + mark.len()..]))
    }

    /// The command that is announced by a sentence, such as `I will go to desk 1.`
    pub fn announced(&self, text: &str) -> Option<Meant> {
        let mut rest = bare(text);
        let lower = rest.to_lowercase();
        if lower.len() != rest.len() {
            return None;
        }
        let mut small = lower.as_str();
        let mut cut = |words: &[&str]| {
            let found = words.iter().find(|word| small.starts_with(**word))?;
            (small, rest) = (small.get(found.len()..)?, rest.get(found.len()..)?);
            Some(())
        };
        cut(FIRST);
        cut(ANNOUNCED)?;
        let rest = rest.strip_suffix(" now").unwrap_or(rest);
        self.meant(rest).filter(|meant| !meant.more)
    }

    /// The command of a verb and of what it takes, in the order of its form, such as `take`, `mug 1`, `desk 1`.
    pub fn called(&self, verb: &str, parts: &[&str]) -> Option<String> {
        let verb = verb.replace('_', " ").to_lowercase();
        let fits = |form: &&Form| form.verb().to_lowercase() == verb && form.holes.len() == parts.len();
        let mut found = self.forms.iter().filter(fits).filter_map(|form| form.filled(parts));
        found.next().filter(|_| found.next().is_none())
    }

    /// Whether a text is a call as all of the forms are, with a name of its own: the world says what it thinks of it.
    pub fn is_call(&self, text: &str) -> bool {
        let are_calls = self.forms.iter().all(|form| form.start.ends_with('(') || form.start.ends_with(')'));
        let name = text.trim().strip_suffix(')').and_then(|text| text.split_once('('));
        are_calls && name.is_some_and(|(name, _)| !name.is_empty() && name.chars().all(char::is_alphanumeric))
    }

    /// The forms, as they are told to whoever wrote none of them.
    pub fn shown(&self) -> String {
        const MOST: usize = 16;
        let forms = self.forms.iter().take(MOST).map(|form| {
            let holes = form.holes.iter().map(|(_, after)| format!("...{after}"));
            format!("`{}{}`", form.start, holes.collect::<String>())
        });
        forms.collect::<Vec<_>>().join(", ")
    }

    /// The only command that all of the text is.
    fn one(&self, text: &str) -> Option<String> {
        let replaced = self.verbs.iter().find_map(|(verb, native)| {
            let rest = text.get(verb.len()..).filter(|_| starts_with_words(text, verb))?;
            self.exactly(&format!("{native}{rest}"))
        });
        replaced.or_else(|| self.exactly(text))
    }

    fn exactly(&self, text: &str) -> Option<String> {
        let lower = text.to_lowercase();
        if let Some(listed) =
            self.admissible.iter().flat_map(|list| list.iter()).find(|listed| listed.to_lowercase() == lower)
        {
            return Some(listed.clone());
        }
        let called = || {
            let (verb, inside) = text
                .strip_suffix([')', ']'])?
                .split_once(['(', '['])
                .filter(|(_, inside)| !inside.contains(['(', '[']))?;
            let parts = inside.split(',').map(|thing| value(unquoted(thing)));
            self.called(verb.trim(), &parts.filter(|thing| !thing.is_empty()).collect::<Vec<_>>())
        };
        let mut found: Vec<String> = self.forms.iter().filter_map(|form| form.meant(text, self)).collect();
        found.dedup();
        match found.len() {
            0 => called(),
            1 => found.pop(),
            _ => None,
        }
    }

    /// Takes over words that people write for verbs of the world, each with the world's own.
    #[must_use]
    pub fn with_verbs(mut self, verbs: &'static [(&'static str, &'static str)]) -> Self {
        self.verbs = verbs;
        self
    }

    /// Whether a text begins as a command does: after this, it is no part of the command before it.
    fn begins(&self, text: &str) -> bool {
        let lower = bare(text).to_lowercase();
        let is_verb = |verb: &str| !verb.is_empty() && starts_with_words(&lower, verb);
        self.forms.iter().any(|form| is_verb(form.verb())) || self.verbs.iter().any(|(verb, _)| is_verb(verb))
    }
}

impl Form {
    /// The words before what has to be put in.
    fn verb(&self) -> &str {
        self.start.trim_end_matches(|letter: char| !letter.is_alphanumeric())
    }

    /// Whether a bracket stands around what has to be put in: `search[...]`.
    fn is_call(&self) -> bool {
        !self.holes.is_empty() && self.start.ends_with(['[', '('])
    }

    fn filled(&self, parts: &[&str]) -> Option<String> {
        let mut command = self.start.to_string();
        for ((free, after), thing) in self.holes.iter().zip(parts) {
            let is_wrong = if *free { is_placeholder(thing) } else { !is_name(thing) };
            if is_wrong {
                return None;
            }
            command.push_str(thing);
            command.push_str(after);
        }
        Some(command)
    }

    fn meant(&self, text: &str, commands: &Commands) -> Option<String> {
        if self.is_call() { self.in_brackets(text, commands) } else { self.in_words(text) }
    }

    /// `search[red lamp]`, `Search: red lamp`, `search("red lamp")`.
    fn in_brackets(&self, text: &str, commands: &Commands) -> Option<String> {
        let [(free, close)] = &*self.holes else {
            return self.fits(text).then(|| text.to_owned());
        };
        let (verb, rest) = text.split_at_checked(self.verb().len())?;
        if !verb.eq_ignore_ascii_case(self.verb()) {
            return None;
        }
        let after = rest.trim_start();
        let unlabelled = after.strip_prefix(':').map_or(after, str::trim_start);
        let rest = if unlabelled.starts_with(['[', '(', '{']) { unlabelled } else { after };
        // `[[wine red]]` is a button as pages show it, `[x](address)` a link.
        let button = rest.strip_prefix('[').filter(|inner| inner.starts_with('[') && inner.ends_with("]]"));
        let shown = button.map_or(rest, |inner| &inner[..inner.len() - 1]);
        let rest = shown.split_once("](http").map_or(shown, |(before, _)| &shown[..before.len() + 1]);
        let inside = match rest.strip_prefix(['[', '(', '{']) {
            Some(inside) => {
                let close = match rest.as_bytes().first() {
                    Some(b'[') => ']',
                    Some(b'(') => ')',
                    _ => '}',
                };
                inside.strip_suffix(close)?
            }
            None if *free && text.len() > verb.len() => rest.strip_prefix(':').unwrap_or(rest),
            None => return None,
        };
        // A bracket that ends within it begins another command.
        let goes_on = |place: usize| {
            let mut after = inside[place..].trim_start_matches([']', ')', ',', ';', ' ', '/']);
            for word in ["and ", "or ", "then "] {
                after = after.strip_prefix(word).unwrap_or(after);
            }
            commands.begins(after)
        };
        if inside.match_indices(']').any(|(place, _)| goes_on(place)) {
            return None;
        }
        let inside = if self.has_input { inside.trim() } else { value(unquoted(inside)) };
        self.filled(&[inside]).filter(|command| close.len() == 1 && self.fits(command))
    }

    /// `go to the desk 1`, `Go to: desk 1`.
    fn in_words(&self, text: &str) -> Option<String> {
        // What is in braces is put in there, and not the name of a part of a form.
        let is_form = |inside: &str| !inside.contains(|letter: char| letter.is_ascii_digit());
        if !self.has_input && text.split('{').skip(1).any(|rest| is_form(rest.split('}').next().unwrap_or_default())) {
            return None;
        }
        if self.fits(text) && !self.holes.is_empty() && self.holes.iter().any(|(free, _)| *free) {
            return Some(text.to_owned());
        }
        // `desk_1`, `desk #1`, `desk1` and `{desk 1}` are the same name.
        let mut plain = String::with_capacity(text.len() + 4);
        for letter in text.chars() {
            let apart = letter.is_ascii_digit() && plain.ends_with(|before: char| before.is_ascii_alphabetic());
            plain.extend(apart.then_some(' '));
            match letter {
                '_' => plain.push(' '),
                '#' | '[' | ']' | '{' | '}' => {}
                other => plain.push(other),
            }
        }
        let text = plain;
        let mut words = text.split_whitespace().filter(|word| !ARTICLES.contains(&&*word.to_lowercase()));
        for wanted in self.start.split_whitespace() {
            let word = words.next()?;
            (word.trim_end_matches(':').eq_ignore_ascii_case(wanted)).then_some(())?;
        }
        let mut parts: Vec<String> = Vec::new();
        let mut words = words.peekable();
        for (_, after) in &self.holes {
            let end = after.trim();
            let mut thing = Vec::new();
            while let Some(word) = words.next_if(|word| end.is_empty() || !is_between(word, end)) {
                thing.push(word.to_lowercase());
            }
            parts.push(thing.join(" "));
            if !end.is_empty() {
                words.next()?;
            }
        }
        if words.next().is_some() {
            return None;
        }
        self.filled(&parts.iter().map(String::as_str).collect::<Vec<_>>())
    }
}

/// Whether a text begins with these words, in any case.
fn starts_with_words(text: &str, words: &str) -> bool {
    let start = text.split_at_checked(words.len());
    start.is_some_and(|(start, rest)| start.eq_ignore_ascii_case(words) && !rest.starts_with(char::is_alphanumeric))
}

/// Whether a word stands between two parts as another one does.
fn is_between(word: &str, wanted: &str) -> bool {
    let word = word.to_lowercase();
    word == wanted || BETWEEN.contains(&wanted) && BETWEEN.contains(&&*word)
}

fn is_name(text: &str) -> bool {
    super::is_thing(text) && !text.split(' ').any(|word| SENTENCE.contains(&word))
}

fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    let around = text.starts_with(['<', '{', '[']) && text.ends_with(['>', '}', ']']);
    text.is_empty() || around || PLACEHOLDERS.contains(&text)
}

/// The value of `name=value`, or the text itself.
fn value(text: &str) -> &str {
    let named = text.split_once('=').filter(|(name, _)| {
        let is_letter = |letter: char| letter.is_ascii_lowercase() || letter == '_';
        !name.trim().is_empty() && name.trim().chars().all(is_letter)
    });
    named.map_or(text, |(_, value)| unquoted(value))
}

/// Marks around a text.
const PAIRS: &[(&str, &str)] = &[
    ("**", "**"),
    ("`", "`"),
    ("\"", "\""),
    ("'", "'"),
    ("\u{201c}", "\u{201d}"),
    ("\u{2018}", "\u{2019}"),
    ("*", "*"),
    ("\\boxed{", "}"),
];

/// A text without the marks around it.
fn unquoted(text: &str) -> &str {
    PAIRS.iter().fold(text.trim(), |text, (open, close)| {
        let inner = text.strip_prefix(open).and_then(|text| text.strip_suffix(close));
        inner.filter(|inner| !inner.contains(open)).unwrap_or(text).trim()
    })
}

/// A text without the marks around it and the full stop behind it.
fn bare(text: &str) -> &str {
    let mut text = text.trim();
    loop {
        let before = text.len();
        text = unquoted(text);
        text = text.trim_end_matches(is_picture).trim_end();
        if !text.ends_with("..") {
            text = text.strip_suffix(['.', '!']).unwrap_or(text).trim_end();
        }
        text = text.trim_matches('>').trim();
        if text.len() == before {
            return text;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commands() -> Commands {
        let household = ["go to {r}", "take {o} from {r}", "move {o} to {r}", "open {r}", "use {o}", "look"];
        Commands::new(household.into_iter().chain(["search[{text}]", "click[{text}]"]))
    }

    #[test]
    fn one_command_is_meant_or_none() {
        let meant = |text: &str| commands().meant(text).map(|meant| meant.command);
        for (text, command) in [
            ("go to the desk 1.", "go to desk 1"),
            ("**Go to: desk 1**", "go to desk 1"),
            ("go_to(desk 1)", "go to desk 1"),
            ("take(\"mug 1\", 'desk 1')", "take mug 1 from desk 1"),
            ("move the mug 1 in the desk 1", "move mug 1 to desk 1"),
            ("Search: red lamp", "search[red lamp]"),
            ("search(query=\"red lamp\")", "search[red lamp]"),
            ("click[\"Buy Now\"]", "click[Buy Now]"),
            ("click Buy Now", "click[Buy Now]"),
            ("go to desk 1, then open it", "go to desk 1"),
            ("search[a, b], click[c]", "search[a, b]"),
            ("look", "look"),
        ] {
            assert_eq!(meant(text).as_deref(), Some(command), "{text}");
        }
        for text in [
            "go to",
            "take mug 1",
            "go to desk 1 or open desk 2",
            "search[...]",
            "click[",
            "look around",
            "go to {r}",
            "click[a] or click[b]",
            "either go to desk 1 or look",
            "",
            "go to desk 1\nlook",
        ] {
            assert_eq!(meant(text), None, "{text}");
        }
    }

    #[test]
    fn announcements_are_whole_sentences() {
        let announced = |text: &str| commands().announced(text).map(|meant| meant.command);
        assert_eq!(announced("Next, I'll take the mug 1 from desk 1.").as_deref(), Some("take mug 1 from desk 1"));
        for text in ["I will look around.", "I should go to desk 1.", "I will go to desk 1 or look"] {
            assert_eq!(announced(text), None, "{text}");
        }
    }
}
