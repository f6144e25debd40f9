//! Answer formats: how a method wants its answers written where moves with labels are not what it
//! has, and how they are read.

use std::collections::BTreeMap;

use crate::domain::{Answer, DialogueAct, Move, MoveKinds, PublicTask, Repair};

/// An answer format, named in a brief ([`Notation`](crate::domain::Notation)).
pub trait Format: Send + Sync {
    /// Its name, as briefs, logs and prompts write it.
    fn name(&self) -> &'static str;

    /// Where a text of this format ends at the latest: what comes then is not the model's to write.
    fn stops(&self) -> &'static [&'static str] {
        &[]
    }

    /// Whether no text at all is an answer; otherwise it is asked for again.
    fn takes_nothing(&self) -> bool {
        false
    }

    /// The kinds of moves that a schema offers, of those that are open.
    fn offered(&self, open: MoveKinds) -> MoveKinds;

    /// The commands that a schema offers, word by word; none: those of the world's forms.
    fn commands(&self, _asked: &Asked<'_>) -> Option<Vec<String>> {
        None
    }

    /// Whether a schema offers commands of this form, or calls of the world's tool of this name.
    fn offers(&self, _form: &str) -> bool {
        true
    }

    /// The moves of running text.
    ///
    /// # Errors
    /// When the text is not of the format: the message says what is wrong and what to write.
    fn read(&self, text: &str, asked: &Asked<'_>, mended: &mut Mended) -> Result<Vec<Move>, Unreadable>;

    /// The moves of the format, made of moves that were read from a structured answer.
    ///
    /// # Errors
    /// When the move is missing that the format is about, or is not as it has to be.
    fn of_moves(&self, moves: &[Move], asked: &Asked<'_>, mended: &mut Mended) -> Result<Vec<Move>, Unreadable>;
}

/// The subject of an answer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked<'a> {
    /// The task.
    pub task: Option<&'a PublicTask>,
    /// The dialogue acts that may be spoken.
    pub acts: &'a [DialogueAct],
    /// Texts that models write without being asked for them are understood; one without any reading is none.
    pub natural: bool,
}

/// Why a text holds no move that can be used. The texts are told to whoever wrote it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unreadable {
    /// There is no text.
    #[error("the answer is empty")]
    Empty,
    /// It repeats what the world showed last.
    #[error("the answer repeats what was shown; write what you do or say next")]
    Echo,
    /// It ends at the limit of tokens, before any move.
    #[error("the answer was cut at the limit of tokens (`max_tokens`){}", if *.thinking { ", while it was thinking" } else { "" })]
    Cut {
        /// All of it is hidden thinking.
        thinking: bool,
    },
    /// No move was found.
    #[error("no move was found in `{0}`")]
    NoMove(String),
    /// A move is there, but what it needs is not.
    #[error("the move `{kind}` {problem}")]
    Incomplete {
        /// The kind of move.
        kind: &'static str,
        /// The part that is missing.
        problem: String,
    },
    /// Only moves that are not open now.
    #[error("a move of the kind `{found}` is not open now; open are: {open}")]
    NotOpen {
        /// The kind of the first move.
        found: &'static str,
        /// The kinds that are open.
        open: String,
    },
    /// Something is spoken without one of the dialogue acts that it has to declare.
    #[error(
        "what is spoken declares no dialogue act; it has to declare one of these (in running text \
         before it, as in `<{}>: ...`): {}",
        .0.first().map_or("", |act| act.as_str()),
        listed(.0)
    )]
    Undeclared(Vec<DialogueAct>),
    /// Tools are called although none was offered, and the text holds no move.
    #[error("there is a call of {0} in place of a move; no tool is offered, so write the answer as text")]
    UnaskedCall(String),
    /// Something is to be done that is none of the world's commands.
    #[error("`{found}` is no command, or more than one; commands are: {forms}")]
    Command {
        /// The text.
        found: String,
        /// The forms of commands.
        forms: String,
    },
    /// The text is not of the format that is asked for.
    #[error("{0}")]
    Format(String),
    /// A call of a tool that the world does not have, or not with these arguments.
    #[error("the call cannot be used: {0}")]
    Call(String),
    /// The JSON makes no sense.
    #[error("the JSON cannot be used: {0}")]
    Json(String),
}

fn listed(acts: &[DialogueAct]) -> String {
    let names: Vec<&str> = acts.iter().map(DialogueAct::as_str).collect();
    names.join(", ")
}

/// Repairs that were made while an answer was read, each kind once, in the order of their names.
#[derive(Clone, Debug, Default)]
pub struct Mended(BTreeMap<&'static str, &'static str>);

impl Unreadable {
    /// A short stable word for it.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Echo => Self::ECHO,
            Self::Cut { .. } => "cut",
            Self::NoMove(_) => "no_move",
            Self::Incomplete { .. } => "incomplete",
            Self::NotOpen { .. } => "not_open",
            Self::Undeclared(_) => "undeclared",
            Self::UnaskedCall(_) | Self::Call(_) => "call",
            Self::Command { .. } => "no_command",
            Self::Format(_) => "format",
            Self::Json(_) => "json",
        }
    }

    /// The word for an answer that repeats what was shown.
    pub const ECHO: &str = "echo";

    /// The problem for those who wrote the config, with what they can do about it in the table of this model.
    pub fn with_remedy(&self, model: &str) -> String {
        match self {
            Self::Cut { .. } => format!("{self}; raise `models.{model}.sampling.max_tokens`"),
            Self::UnaskedCall(_) => {
                format!("{self}; write `moves = \"tools\"` into the role's table to let its model call tools")
            }
            _ => self.to_string(),
        }
    }
}

impl Mended {
    /// Notes a mend by a short stable name and what was done.
    pub fn insert(&mut self, code: &'static str, description: &'static str) {
        self.0.insert(code, description);
    }

    /// The mends as events record them.
    pub fn into_repairs(self) -> Vec<Repair> {
        let mends = self.0.into_iter();
        mends.map(|(code, note)| Repair::new(code, note)).collect()
    }

    /// The answer of these moves, with what was mended.
    pub fn answer(self, moves: Vec<Move>) -> Answer {
        Answer { moves, repaired: self.into_repairs() }
    }
}
