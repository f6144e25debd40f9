//! Parts that all episodes of a run share: the persona's prompt, the model, and how it is asked.

use std::sync::{Arc, Once};

use serde::Deserialize;

use super::choose::Rule;
use super::schema::{Bounds, Form};
use super::structure::Structures;
use crate::domain::{Brief, ToolChoice};
use crate::ports::{ModelClient, World};
use crate::prompts::Prompter;
use crate::text::template::Template;

/// The way in which a move is chosen.
#[derive(Clone, Copy, Debug)]
pub(super) enum Choosing {
    /// One answer is generated.
    Generate,
    /// Several are, and a rule takes one.
    Sample {
        /// Their number.
        samples: u32,
        /// The rule.
        rule: Rule,
    },
    /// The likeliest of the actions that are possible.
    Score(Scored),
}

impl Choosing {
    /// The number of answers that are drawn where nothing is scored, and the rule by which one is taken.
    pub(super) fn drawing(self) -> (u32, Rule) {
        match self {
            Self::Sample { samples, rule } => (samples, rule),
            Self::Generate | Self::Score(_) => (1, Rule::First),
        }
    }
}

/// How actions are scored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scored {
    /// Log-probabilities are divided by the number of tokens.
    pub(super) normalise: bool,
    /// Part of a command that is scored.
    pub(super) candidates: Candidates,
}

/// Part of a command that is scored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Candidates {
    /// The command and the end of its line.
    #[default]
    Lines,
    /// The command alone, as equation 4 of ABA is written.
    Commands,
}

impl Candidates {
    /// The text after a command.
    pub(super) fn end(self) -> &'static str {
        match self {
            Self::Lines => "\n",
            Self::Commands => "",
        }
    }
}

/// Parts that all episodes of a run share.
pub(super) struct Shared {
    pub(super) prompter: Prompter,
    pub(super) model: Arc<dyn ModelClient>,
    pub(super) form: Form,
    pub(super) choosing: Choosing,
    /// The words after an answer that could not be read.
    pub(super) correction: Template,
    /// The most corrections in a turn.
    pub(super) retries: usize,
    /// Self-queries are answered by what the role has seen and was told, not by its model.
    pub(super) recalls: bool,
    /// Giving up is offered in structured answers wherever it is open.
    pub(super) finishes: bool,
    pub(super) bounds: Bounds,
    pub(super) structures: Structures,
    /// Somebody was told that log-probabilities do not come.
    pub(super) told_of_logprobs: Once,
    /// Answers are read as models write them, not as versions up to 0.2 did.
    pub(super) natural: bool,
    /// A thought and the move after it in one answer are both made.
    pub(super) thinks_first: bool,
    /// The world that the role plays in.
    pub(super) world: World,
}

impl Shared {
    /// The form of the answer to a brief: text where no tool may be called.
    pub(super) fn form_of(&self, brief: &Brief) -> Form {
        match brief.tool_choice.as_deref() {
            Some(ToolChoice::None) if self.form == Form::Tools => Form::Text,
            _ => self.form,
        }
    }
}
