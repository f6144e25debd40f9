//! The wording and rules of games, where the data releases differ; and the rules that all share.
//!
//! The dynamics and texts that this crate plays are stated once, in `generate/domain.pddl` and
//! `generate/grammar.twl2`. The official data have two pairs of them; a game whose texts are one of these three
//! pairs, but for white space and the task sentence, is known by their digest.

use serde::Deserialize;

use super::Defect;

/// The domain text of games that this crate writes itself, in the new style.
pub(crate) const DOMAIN: &str = include_str!("generate/domain.pddl");

/// The grammar text of games that this crate writes itself, in the new style; its `task` rule holds
/// [`TASK_MARK`] where the sentence belongs.
pub(crate) const GRAMMAR: &str = include_str!("generate/grammar.twl2");

/// Stands for the task sentence in [`GRAMMAR`].
pub(crate) const TASK_MARK: &str = "UNKNOWN GOAL";

/// The wording of a data release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Style {
    /// `move O to R`, answered `You move the O to the R.`; `You arrive at R.`, the receptacle gone to.
    New,
    /// `put O in/on R`, answered `You put the O in/on the R.`; `You arrive at loc N.`, the location of
    /// the receptacle.
    Old,
}

impl Style {
    /// The verb of putting down, and what stands between the object and the receptacle.
    pub(crate) const fn put(self) -> (&'static str, &'static str) {
        match self {
            Self::New => ("move", " to "),
            Self::Old => ("put", " in/on "),
        }
    }
}

/// How a game speaks and plays, where the data releases differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialect {
    /// The wording of putting down and of arrivals.
    pub style: Style,
    /// The answer to `help`; none when the game has no such command.
    pub help: Option<Box<str>>,
}

/// The rules that the games of a run are read by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rules {
    /// The rules that the texts of each game are known to state.
    #[default]
    Recognise,
    /// The rules of the new style, whatever the game's texts say.
    NewStyle,
    /// The rules of the old style, whatever the game's texts say.
    OldStyle,
}

impl Rules {
    /// Words of configs, the default first.
    pub const WORDS: &'static [&'static str] = &["recognise", "new-style", "old-style"];
}

/// Digests of the known pairs of domain and grammar: of the official releases in the new and the old style, and ours.
#[rustfmt::skip]
const KNOWN: [(&str, Style); 3] = [
    ("8e9c86646a58448c8a3452f44180130425037df7883f4c4dcb1b37ffe44e17db", Style::New),
    ("81013e72cccc6f51d319586a23b850b48a1a430371214a097a9b19b67cff5e53", Style::Old),
    ("82eff1c61cb32d80dee2a1f381f63eb461ca192c3ba1ec290b0491ca8c48c253", Style::New),
];

impl Dialect {
    /// Whether this is the old style of game files: `put`, arrivals at locations, no help.
    pub fn is_old_style(&self) -> bool {
        self.style == Style::Old && self.help.is_none()
    }

    /// The dialect of a game by its domain and its grammar, and its whole task text.
    pub(crate) fn of(domain: &str, grammar: &str, rules: Rules) -> Result<(Self, String), Defect> {
        let (before, task, after) = split_at_task(grammar).unwrap_or((grammar, String::new(), ""));
        let style = match rules {
            Rules::NewStyle => Style::New,
            Rules::OldStyle => Style::Old,
            Rules::Recognise => {
                let digest = digest([domain, before, after]);
                KNOWN.iter().find(|(known, _)| *known == digest).ok_or(Defect::Rules { digest })?.1
            }
        };
        if task.is_empty() {
            return Err(Defect::Syntax {
                part: "grammar",
                line: 1,
                reason: "expected a rule `\"task\": [{\"rhs\": \"Your task is to: …\"}]`".to_owned(),
            });
        }
        let help = help_of(grammar).filter(|_| style == Style::New);
        Ok((Self { style, help }, task))
    }
}

/// The grammar before and after the text of its rule `task`, and that text.
fn split_at_task(grammar: &str) -> Option<(&str, String, &str)> {
    let rule = grammar.find("\"task\"")?;
    let key = rule + grammar.get(rule..)?.find("\"rhs\"")? + "\"rhs\"".len();
    let start = key + grammar.get(key..)?.find('"')?;
    let rest = grammar.get(start..)?;
    let mut texts = serde_json::Deserializer::from_str(rest).into_iter::<String>();
    let task = texts.next()?.ok()?;
    Some((grammar.get(..start)?, task, rest.get(texts.byte_offset()..)?))
}

/// A digest of texts that does not depend on white space.
fn digest(texts: [&str; 3]) -> String {
    let mut plain = String::with_capacity(texts.iter().map(|text| text.len()).sum());
    for text in texts {
        for word in text.split_ascii_whitespace() {
            plain.push_str(word);
            plain.push(' ');
        }
        plain.push('\n');
    }
    blake3::hash(plain.as_bytes()).to_hex().to_string()
}

/// The answer to `help`; none if the grammar has no such command.
fn help_of(grammar: &str) -> Option<Box<str>> {
    let (_, action) = grammar.split_once("action help")?;
    let (_, feedback) = action.split_once("feedback")?;
    Some(feedback.split('"').nth(1)?.trim_start().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_texts_are_known_whatever_the_task() {
        let grammar = GRAMMAR.replace(TASK_MARK, "look at \\\"mug\\\" under the {desklamp}");
        let spaced = grammar.replace('\n', "\r\n \t");
        let (dialect, task) = Dialect::of(DOMAIN, &grammar, Rules::Recognise).unwrap();
        assert_eq!(task, "Your task is to: look at \"mug\" under the {desklamp}.");
        assert!(!dialect.is_old_style());
        assert!(dialect.help.as_deref().unwrap().starts_with("What you can do here:\n"));
        let again = Dialect::of(DOMAIN, &spaced, Rules::Recognise).unwrap();
        assert_eq!(again.1, task);
        for cut in (0..grammar.trim_end().len()).step_by(97) {
            let cut = grammar.get(..cut).unwrap_or_default();
            assert!(Dialect::of(DOMAIN, cut, Rules::Recognise).is_err());
        }
        assert!(Dialect::of(DOMAIN, "", Rules::OldStyle).is_err());
    }
}
