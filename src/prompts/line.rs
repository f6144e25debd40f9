//! How a move, an observation or a reply is written as a line of running text.

use std::borrow::Cow;
use std::fmt::Write;

use serde::Deserialize;

use crate::domain::{DialogueAct, Move, MoveKind, PlanStep};

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
            None => answer.to_string(),
        },
    }
}

/// One step a line, numbered, below the label.
fn plan(steps: &[PlanStep]) -> String {
    let mut text = String::new();
    for (index, step) in steps.iter().enumerate() {
        // Writing to a text cannot fail.
        let _ = write!(text, "\n{}. ", index + 1);
        if let Some(variable) = &step.variable {
            let _ = write!(text, "{} = ", one_line(variable));
        }
        text.push_str(&one_line(&step.action.text));
    }
    text
}

/// The text as one line: line breaks and the blanks around them are one blank. What somebody says
/// cannot look like a line of somebody else.
pub fn one_line(text: &str) -> Cow<'_, str> {
    let breaks = |letter: char| letter == '\n' || letter == '\r';
    let trimmed = text.trim();
    if !trimmed.contains(breaks) {
        return trimmed.into();
    }
    let lines = trimmed.split(breaks).map(str::trim);
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    lines.join(" ").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_lines_in_either_style() {
        let ask = LineNotation {
            style: Style::Labels,
            speech: Speech::Ask,
        };
        let papers = LineNotation::default();
        assert_eq!(papers.line(&Move::think("a\n\n b")), "> think: a b");
        assert_eq!(papers.line(&Move::act("look")), "> look");
        assert_eq!(ask.line(&Move::speak("where?")), "Ask: where?");
        let plan = Move::Plan {
            steps: ["look", "go to desk 1"].map(PlanStep::of).into(),
        };
        assert_eq!(ask.line(&plan), "Plan: \n1. look\n2. go to desk 1");
    }
}
