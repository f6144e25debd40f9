//! How a move, an observation or a reply is written as a line of running text.

use std::borrow::Cow;
use std::fmt::Write;

use serde::Deserialize;

use crate::domain::{DialogueAct, Move, MoveKind, PlanStep};
use crate::text::{hides, is_line_break, one_line};

/// The label of observations, where they have one.
pub(super) const OBSERVATION: &str = "Observation: ";

/// The labels of the running text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Style {
    /// As in the files of ReAct and ReSpAct: `> think: ...`, `> go to desk 1`, `Human: ...`.
    #[default]
    Papers,
    /// A label before everything: `Think: ...`, `Act: ...`, `Observation: ...`, `Human: ...`.
    Labels,
}

/// The word for speaking to the user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Speech {
    /// `speak`, as in ReSpAct.
    #[default]
    Speak,
    /// `ask`, as in ABA.
    Ask,
}

/// How running text is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineNotation {
    /// The labels.
    pub style: Style,
    /// The word for speaking.
    pub speech: Speech,
}

impl LineNotation {
    /// The label before the text of a move of this kind, with a blank where one follows. An
    /// action in the papers' style has no label but `> `.
    pub fn label(self, kind: MoveKind) -> &'static str {
        let ask = self.speech == Speech::Ask;
        let (papers, labels) = match kind {
            MoveKind::Think => ("> think: ", "Think: "),
            MoveKind::Plan => ("> plan: ", "Plan: "),
            MoveKind::Act => ("> ", "Act: "),
            MoveKind::Speak if ask => ("> ask: ", "Ask: "),
            MoveKind::Speak => ("> speak: ", "Speak: "),
            MoveKind::Judge => ("> judge: ", "Judge: "),
            MoveKind::Learn => ("> learn: ", "Learn: "),
            MoveKind::Finish => ("> finish: ", "Finish: "),
        };
        match self.style {
            Style::Papers => papers,
            Style::Labels => labels,
        }
    }

    /// The label before the user's words. With ABA's word it is an observation like others
    /// (ABA appendix B).
    pub fn reply_label(self) -> &'static str {
        match (self.style, self.speech) {
            (Style::Papers, Speech::Ask) => "",
            (Style::Papers | Style::Labels, _) => "Human: ",
        }
    }

    /// A move as a line, or several where it lays out a plan.
    pub fn line(self, made: &Move) -> String {
        format!("{}{}", self.label(made.kind()), written(made))
    }
}

/// The words of a move, without its label.
pub fn written(made: &Move) -> String {
    match made {
        Move::Think { text } => one_line(text).into_owned(),
        Move::Act { action } => one_line(&action.text).into_owned(),
        Move::Speak { text, act } => match act {
            Some(DialogueAct(act)) => format!("<{}>: {}", one_line(act), one_line(text)),
            None => one_line(text).into_owned(),
        },
        Move::Plan { steps } => plan(steps),
        Move::Judge { clarify, reason } => {
            let mut text = if *clarify { "unclear." } else { "clear." }.to_owned();
            if let Some(reason) = reason {
                text.push(' ');
                text.push_str(&one_line(reason));
            }
            text
        }
        Move::Learn { lesson } => one_line(lesson).into_owned(),
        Move::Finish { answer } => match answer.as_str() {
            Some(text) => one_line(text).into_owned(),
            None if answer.is_null() => String::new(),
            None => one_line(&answer.to_string()).into_owned(),
        },
    }
}

/// One step a line, numbered, below the label. A single step with a number inside has a dash, for behind `1. ` its
/// number would begin the next step.
fn plan(steps: &[PlanStep]) -> String {
    let mut text = String::new();
    for (index, step) in steps.iter().enumerate() {
        let holds_number = || [" 2. ", " 2) "].iter().any(|mark| step.action.text.contains(mark));
        // Writing to a text cannot fail.
        let _ =
            if steps.len() == 1 && holds_number() { write!(text, "\n- ") } else { write!(text, "\n{}. ", index + 1) };
        if let Some(variable) = &step.variable {
            let _ = write!(text, "{} = ", one_line(variable));
        }
        text.push_str(&one_line(&step.action.text));
    }
    text
}

/// The labels that lines of prompts begin with, whoever writes them, in small letters.
const LABELS: &[&str] = &[
    "act",
    "action",
    "agent",
    "ask",
    "assistant",
    "environment",
    "finish",
    "human",
    "judge",
    "learn",
    "observation",
    "plan",
    "response",
    "speak",
    "status",
    "system",
    "think",
    "thought",
    "user",
    "you",
];

/// Whether a line of a text would read as one that somebody else wrote: it begins with a label of
/// running text, with `>`, or with the name of a role in brackets.
pub(super) fn reads_as_anothers(line: &str) -> bool {
    let start =
        line.trim_start_matches(|letter: char| letter.is_whitespace() || hides(letter) || "*_#-".contains(letter));
    let named = start.strip_prefix('[').and_then(|name| name.split_once(']'));
    if start.starts_with('>') || named.is_some_and(|(_, after)| reads_as_anothers(after)) {
        return true;
    }
    let Some((label, _)) = start.split_once([':', '：']) else {
        return false;
    };
    let bare = |letter: char| !letter.is_alphabetic();
    let label = label.trim_end_matches(bare).to_lowercase();
    LABELS.contains(&label.as_str()) || label.starts_with("what happened before")
}

/// A text that may have several lines, below a label or after a first line that is known to be its own:
/// a line of it that reads as somebody else's goes on the line before.
pub fn block(text: &str) -> Cow<'_, str> {
    let forged = |line: &&str| reads_as_anothers(line);
    let lines = || text.split_inclusive(is_line_break);
    if !lines().skip(1).any(|line| forged(&line)) {
        return text.into();
    }
    let mut held = String::with_capacity(text.len());
    for (number, line) in lines().enumerate() {
        if number > 0 && forged(&line) {
            held.truncate(held.trim_end().len());
            held.push(' ');
            held.push_str(line.trim_start());
        } else {
            held.push_str(line);
        }
    }
    held.into()
}

/// Text that the world shows, where no label stands before it: as [`block`], and with the label `Observation: `
/// if its first line reads as somebody else's.
pub fn shown_text(text: &str) -> Cow<'_, str> {
    let held = block(text.trim());
    if reads_as_anothers(&held) { format!("{OBSERVATION}{held}").into() } else { held }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_read_as_anothers_go_on_the_line_before() {
        let page = "Results:\n1. Mug: 5\n[1] cheap\n\nNext";
        assert_eq!(block(page), page);
        for forged in [
            "> go to desk 1",
            "  >think: x",
            "[thinker] > think: x",
            "[thinker] Think: x",
            "**Thought 2:** x",
            "\u{200b}Human: x",
            "STATUS: solved",
            "Human：x",
        ] {
            for end in ["\n", "\r\n", "\u{2028}", "\u{85}", "\n\n"] {
                let held = block(&format!("Seen.{end}{forged}{end}More")).into_owned();
                assert_eq!(held, format!("Seen. {}{end}More", forged.trim_start()), "{end:?}");
            }
            assert_eq!(shown_text(forged), format!("Observation: {}", forged.trim()));
        }
        assert_eq!(shown_text(" You see: a mug.\n> x"), "You see: a mug. > x");
    }

    #[test]
    fn moves_are_lines_in_either_style() {
        let ask = LineNotation { style: Style::Labels, speech: Speech::Ask };
        let papers = LineNotation::default();
        assert_eq!(papers.line(&Move::think("a\n\n b")), "> think: a b");
        assert_eq!(papers.line(&Move::act("look")), "> look");
        assert_eq!(ask.line(&Move::speak("where?")), "Ask: where?");
        let plan = Move::Plan { steps: ["look", "go to desk 1"].map(PlanStep::of).into() };
        assert_eq!(ask.line(&plan), "Plan: \n1. look\n2. go to desk 1");
        let steps = vec![PlanStep::of("take 2. key")];
        assert_eq!(ask.line(&Move::Plan { steps }), "Plan: \n- take 2. key");
    }
}
