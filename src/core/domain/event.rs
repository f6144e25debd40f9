//! The protocol: every message of an episode, and the events that record them.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::action::is_false;
use super::{
    Action, CellName, Counts, DialogueAct, Ending, Fault, Few, Fork, Limit, ModelCall, Move, MoveKinds, Notation,
    Observation, Outcome, PrivateInfo, PublicTask, Repair, RoleName, Score, Seat, Seed, ToolChoice, Utterance,
};

/// The number of the log's format, which `run.toml` and every line of a log carry. Readers for
/// older numbers stay.
pub const SCHEMA: u32 = 1;

/// One message, as it was sent. There is no clock and no random id in it: equal episodes are
/// equal byte for byte.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Position in the episode, from 0, without gaps.
    pub seq: u32,
    /// The event that brought this one about; always an earlier one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<u32>,
    /// Who sent it.
    pub from: Seat,
    /// Who received it.
    pub to: Seat,
    /// The message.
    pub message: Message,
}

impl Event {
    /// Events of messages that the conductor sends itself, for tests of what reads messages alone.
    pub fn numbered(messages: impl IntoIterator<Item = Message>) -> Vec<Self> {
        let event = |(seq, message)| Self { seq, cause: None, from: Seat::Conductor, to: Seat::Conductor, message };
        (0..).zip(messages).map(event).collect()
    }
}

/// Every message there is. Closed: code that handles messages names them all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// The episode opens: the public task and the cast.
    Opened(Box<Opened>),
    /// A private part of the task is handed to the only seat that may see it.
    Entrusted(Box<PrivateInfo>),
    /// A trial or round begins: the environment is to be set up, or kept as it is.
    Begun(Begun),
    /// A role is asked for its move.
    Brief(Brief),
    /// A role moved.
    Moved(Move),
    /// An answer had to be mended before it could be read.
    Repaired(Repair),
    /// The environment is to perform an action.
    Perform(Action),
    /// The environment answers.
    Observed(Observation),
    /// The user is told something.
    Told(Utterance),
    /// The user replies.
    Replied(Utterance),
    /// A participant called a model.
    ModelCalled(Box<ModelCall>),
    /// The environment is asked to score the trial or round.
    Assess,
    /// The score of a trial or round.
    Scored(Box<Scored>),
    /// A participant failed.
    Fault(Fault),
    /// The episode is over.
    Closed(Outcome),
}

impl Message {
    /// The word that filters and tables use for this kind of message.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Opened(_) => "opened",
            Self::Entrusted(_) => "entrusted",
            Self::Begun(_) => "begun",
            Self::Brief(_) => "brief",
            Self::Moved(_) => "moved",
            Self::Repaired(_) => "repaired",
            Self::Perform(_) => "perform",
            Self::Observed(_) => "observed",
            Self::Told(_) => "told",
            Self::Replied(_) => "replied",
            Self::ModelCalled(_) => "model_called",
            Self::Assess => "assess",
            Self::Scored(_) => "scored",
            Self::Fault(_) => "fault",
            Self::Closed(_) => "closed",
        }
    }

    /// Whether an agent tells the user something other than the response that the task asks for, such as a
    /// question. `limits.questions` bounds these.
    pub fn is_question(&self) -> bool {
        matches!(self, Self::Told(said) if !said.response && !said.given)
    }

    /// Whether its content came from outside, or from a clock: playing the episode once more may give
    /// something else. Everything else follows from the config, the seed and these messages.
    pub fn is_from_outside(&self) -> bool {
        let by_clock = |ending: &Ending| match ending {
            Ending::OutOf { limit } => *limit == Limit::Time,
            other => other.is_broken(),
        };
        match self {
            Self::ModelCalled(_) | Self::Fault(_) => true,
            Self::Opened(opened) => opened.served.is_some(),
            Self::Scored(scored) => by_clock(&scored.ending),
            Self::Closed(outcome) => by_clock(&outcome.ending),
            Self::Entrusted(_) | Self::Begun(_) | Self::Brief(_) | Self::Moved(_) => false,
            Self::Repaired(_) | Self::Perform(_) | Self::Observed(_) => false,
            Self::Told(_) | Self::Replied(_) | Self::Assess => false,
        }
    }

    /// Adds this message to what is counted in an episode. Every move of a role is a step, as in
    /// ReAct's and ReSpAct's programs; an invalid action is one that the environment refused.
    pub fn add_to(&self, counts: &mut Counts) {
        match self {
            Self::Moved(_) => counts.steps += 1,
            Self::Told(_) => counts.questions += u32::from(self.is_question()),
            Self::Perform(_) => counts.actions += 1,
            Self::Observed(observation) => counts.invalid += u32::from(observation.invalid),
            Self::Fault(_) => counts.faults += 1,
            Self::ModelCalled(call) => {
                counts.model_calls += 1;
                // A log that somebody else wrote may hold any number.
                counts.tokens = counts.tokens.saturating_add(call.reply.usage.total());
            }
            Self::Opened(_) | Self::Entrusted(_) | Self::Begun(_) | Self::Brief(_) => {}
            Self::Repaired(_) | Self::Replied(_) => {}
            Self::Assess | Self::Scored(_) | Self::Closed(_) => {}
        }
    }
}

/// The start of an episode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Opened {
    /// The task, as everybody may see it.
    pub task: Arc<PublicTask>,
    /// The cell that plays it.
    pub cell: CellName,
    /// Name of the strategy.
    pub strategy: String,
    /// The roles that take part.
    pub roles: Vec<RoleName>,
    /// The kind of user, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// Which episode this one goes on from, if another cast played its beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fork: Option<Box<Fork>>,
    /// Request of the client who plays a seat of it (`rolecall serve`); none in other runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub served: Option<Box<Served>>,
}

/// Request with which a client began an episode. The episode is a function of it as well, so that
/// a replay takes it from the log.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Served {
    /// The seed of the episode, in place of the run's: equal ones give equal worlds and users, however often
    /// the task was played before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<Seed>,
    /// The kind of user, in place of one that is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<String>,
    /// The name that the client gave the episode.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// The start of a trial or round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Begun {
    /// Trial, from 0 (Reflexion).
    pub trial: u32,
    /// Round within the trial, from 0 (multi-round tasks).
    pub round: u32,
    /// The world goes on as the last round left it.
    pub keep_world: bool,
    /// The environment's seed for this trial and round.
    pub seed: Seed,
}

/// The brief of a role that is asked for a move.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Brief {
    /// The moves that are open. Another move is a fault.
    pub open: MoveKinds,
    /// The role may answer with several moves at once; otherwise one is made, with the thoughts before it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub several: bool,
    /// The dialogue acts of which everything that is spoken must declare one; none: speech is free
    /// (ReSpAct section 5.3).
    #[serde(default, skip_serializing_if = "Few::is_empty")]
    pub acts: Few<DialogueAct>,
    /// The notation of an answer in running text; none: moves with labels (`docs/prompts.md`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notation: Option<Notation>,
    /// Which tools are called, where answers are calls of tools; none: one has to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<Box<ToolChoice>>,
    /// Calls of tools that do not exist, or whose arguments do not fit, are actions as they are written: the
    /// world answers them. Otherwise the role is told what is wrong and asked again.
    #[serde(default, skip_serializing_if = "is_false")]
    pub calls_as_written: bool,
    /// A word about the role's last move: `OK.` after a thought, or why it could not be used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notice: Option<Box<str>>,
    /// Named texts that belong into the prompt: lessons, retrieved knowledge, another's thought.
    #[serde(default, skip_serializing_if = "Few::is_empty")]
    pub sections: Few<Section>,
    /// Steps that are left in this trial, this one included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps_left: Option<u32>,
    /// Questions that are left in this episode. None where there is a [notation](Self::notation): what is
    /// spoken there is part of a response, and no question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub questions_left: Option<u32>,
}

impl Brief {
    /// The notice after a thought (ReAct's convention).
    pub const ACKNOWLEDGED: &str = "OK.";
}

/// A named text of a brief.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// Its name in one word, such as `lessons`.
    pub name: String,
    /// The text.
    pub text: String,
}

/// The score of a trial or round, with its ending.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scored {
    /// Which trial.
    pub trial: u32,
    /// Which round.
    pub round: u32,
    /// The reason why it ended.
    pub ending: Ending,
    /// The environment's score.
    pub score: Score,
}

/// How readers are shown an episode. Texts are as they were written, not yet escaped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scene {
    /// The heading of the panel at the side.
    pub title: String,
    /// Facts of the panel: names, each with its text.
    pub facts: Vec<(String, String)>,
    /// Lines in place of events, by their numbers; the others are shown as they are.
    pub lines: BTreeMap<u32, SceneLine>,
}

/// Line that readers are shown in place of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SceneLine {
    /// Nothing: another event shows it.
    Hidden,
    /// This, in place of what it holds.
    Short(String),
    /// This, as words that are said.
    Said(String),
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::domain::{ModelReply, Usage};

    #[test]
    fn no_number_of_tokens_is_too_large_to_be_counted() {
        let usage = Usage { prompt: u64::MAX, completion: 1, ..Usage::default() };
        let called = Message::ModelCalled(Box::new(ModelCall {
            turn: 0,
            attempt: 0,
            call: 0,
            again: 0,
            unread: None,
            model: "m".to_owned(),
            request: String::new(),
            reply: ModelReply { usage, ..ModelReply::default() },
            cost: None,
            remembered: false,
        }));
        let mut counts = Counts::default();
        for _ in 0..2 {
            called.add_to(&mut counts);
        }
        assert_eq!((counts.model_calls, counts.tokens), (2, u64::MAX));
    }

    #[test]
    fn every_message_names_itself_as_the_log_does() {
        let messages = [
            Message::Assess,
            Message::Moved(Move::think("x")),
            Message::Perform(Action::text("look")),
            Message::Replied(Utterance::text("yes")),
        ];
        for message in messages {
            let value = serde_json::to_value(&message).unwrap();
            let word = match &value {
                Value::String(word) => word.clone(),
                Value::Object(fields) => fields.keys().next().unwrap().clone(),
                other => panic!("{other}"),
            };
            assert_eq!(word, message.kind());
            assert_eq!(serde_json::from_value::<Message>(value).unwrap(), message);
        }
    }
}
