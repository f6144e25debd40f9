//! Moves that a role can make when it has its turn (ReSpAct section 3: the action space extended by
//! thought and speech; TPE's plan; the verdict of CEP's Clarifier).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Action;
use super::action::is_false;

/// One move of a role.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Move {
    /// Reasons; the world does not change and the user hears nothing.
    Think {
        /// The thought.
        text: String,
    },
    /// Lays out steps to be performed or handed to another role.
    Plan {
        /// The steps in order.
        steps: Vec<PlanStep>,
    },
    /// Acts on the environment.
    Act {
        /// The action.
        action: Action,
    },
    /// Says something to the user.
    Speak {
        /// The words.
        text: String,
        /// The dialogue act that the speaker declares (ReSpAct Table 20).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        act: Option<DialogueAct>,
    },
    /// Decides whether the request must be clarified first.
    Judge {
        /// The verdict.
        clarify: bool,
        /// Why, in the judge's own words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    /// Writes a lesson for later turns or trials.
    Learn {
        /// The lesson.
        lesson: String,
    },
    /// Ends the task with an answer, which may be empty, a text or structured (a plan as JSON).
    Finish {
        /// The answer.
        answer: Box<Value>,
    },
}

impl Move {
    /// A thought.
    pub fn think(text: impl Into<String>) -> Self {
        Self::Think { text: text.into() }
    }

    /// An action given by its text.
    pub fn act(text: impl Into<String>) -> Self {
        Self::Act { action: Action::text(text) }
    }

    /// Something said without a declared dialogue act.
    pub fn speak(text: impl Into<String>) -> Self {
        Self::Speak { text: text.into(), act: None }
    }

    /// The sort of move.
    pub fn kind(&self) -> MoveKind {
        match self {
            Self::Think { .. } => MoveKind::Think,
            Self::Plan { .. } => MoveKind::Plan,
            Self::Act { .. } => MoveKind::Act,
            Self::Speak { .. } => MoveKind::Speak,
            Self::Judge { .. } => MoveKind::Judge,
            Self::Learn { .. } => MoveKind::Learn,
            Self::Finish { .. } => MoveKind::Finish,
        }
    }

    /// Bytes of text in the move, for bounding what a role may answer.
    pub fn text_bytes(&self) -> usize {
        match self {
            Self::Think { text } | Self::Speak { text, .. } => text.len(),
            Self::Learn { lesson } => lesson.len(),
            Self::Act { action } => action_bytes(action),
            Self::Plan { steps } => {
                let bytes = |step: &PlanStep| step.description.len() + action_bytes(&step.action);
                steps.iter().map(bytes).sum()
            }
            Self::Judge { reason, .. } => reason.as_ref().map_or(0, String::len),
            Self::Finish { answer } => value_bytes(answer),
        }
    }
}

fn action_bytes(action: &Action) -> usize {
    let arguments = |call: &super::Call| call.tool.len() + value_bytes(&call.arguments);
    action.text.len() + action.call.as_deref().map_or(0, arguments)
}

fn value_bytes(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 8,
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(value_bytes).sum(),
        Value::Object(fields) => {
            let bytes = |(name, field): (&String, &Value)| name.len() + value_bytes(field);
            fields.iter().map(bytes).sum()
        }
    }
}

/// The sorts of move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum MoveKind {
    /// [`Move::Think`]
    Think,
    /// [`Move::Plan`]
    Plan,
    /// [`Move::Act`]
    Act,
    /// [`Move::Speak`]
    Speak,
    /// [`Move::Judge`]
    Judge,
    /// [`Move::Learn`]
    Learn,
    /// [`Move::Finish`]
    Finish,
}

names! { MoveKind, as_str:
    Think => "think", Plan => "plan", Act => "act", Speak => "speak", Judge => "judge",
    Learn => "learn", Finish => "finish",
}

/// A set of move kinds: the moves that a strategy leaves open in a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Vec<MoveKind>", into = "Vec<MoveKind>")]
pub struct MoveKinds(u8);

impl MoveKinds {
    /// The set of the given kinds.
    pub const fn of(kinds: &[MoveKind]) -> Self {
        let mut bits = 0;
        let mut index = 0;
        while index < kinds.len() {
            bits |= 1 << kinds[index] as u8;
            index += 1;
        }
        Self(bits)
    }

    /// Whether the kind is in the set.
    pub fn contains(self, kind: MoveKind) -> bool {
        self.0 & (1 << kind as u8) != 0
    }

    /// The set without the kind.
    #[must_use]
    pub fn without(self, kind: MoveKind) -> Self {
        Self(self.0 & !(1 << kind as u8))
    }

    /// The kinds in the set, in listing order.
    pub fn iter(self) -> impl Iterator<Item = MoveKind> {
        MoveKind::ALL.into_iter().filter(move |kind| self.contains(*kind))
    }
}

impl From<Vec<MoveKind>> for MoveKinds {
    fn from(kinds: Vec<MoveKind>) -> Self {
        Self::of(&kinds)
    }
}

impl From<MoveKinds> for Vec<MoveKind> {
    fn from(kinds: MoveKinds) -> Self {
        kinds.iter().collect()
    }
}

/// One step of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlanStep {
    /// Why or what, in the planner's words; may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The variable that later steps may use for this step's result (`So1`, `E1`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variable: Option<String>,
    /// The action.
    pub action: Action,
}

impl PlanStep {
    /// A step that is nothing but an action given by its text.
    pub fn of(text: impl Into<String>) -> Self {
        Self { description: String::new(), variable: None, action: Action::text(text) }
    }
}

/// A role's answer in one turn. One completion may hold several moves; the strategy takes the
/// first or all of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The moves in order; at least one in a usable answer.
    pub moves: Vec<Move>,
    /// The repairs that were needed to read the answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repaired: Vec<Repair>,
}

impl Answer {
    /// Keeps so many moves and notes how many further ones are left out.
    pub fn keep(&mut self, most: usize) {
        let extra = self.moves.len().saturating_sub(most);
        if extra > 0 {
            self.moves.truncate(most);
            let note = format!("{extra} further moves were left out: one move a turn is taken");
            self.repaired.push(Repair::new("extra_moves", &note));
        }
    }

    /// Number of moves that make one turn: thoughts and an utterance that asks nothing, and the move after them. Only
    /// the first where another of these is not open.
    pub fn one_turn(&self, open: MoveKinds) -> usize {
        let thoughts = self.moves.iter().take_while(|made| made.kind() == MoveKind::Think).count();
        let all = match self.moves.get(thoughts..) {
            Some([Move::Speak { text, .. }, Move::Act { .. }, ..]) if !text.trim_end().ends_with('?') => thoughts + 2,
            Some([_, ..]) => thoughts + 1,
            _ => 1,
        };
        let is_open = self.moves.iter().take(all).all(|made| open.contains(made.kind()));
        if is_open { all } else { 1 }
    }
}

impl From<Vec<Move>> for Answer {
    fn from(moves: Vec<Move>) -> Self {
        let repaired = Vec::new();
        Self { moves, repaired }
    }
}

impl From<Move> for Answer {
    fn from(only: Move) -> Self {
        vec![only].into()
    }
}

/// A mend made while reading an answer, such as a bracket that was never closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repair {
    /// A short stable name, such as `unclosed_bracket`.
    pub code: String,
    /// The repair, in words.
    pub note: String,
}

impl Repair {
    /// The code of what stands in place of an answer that could not be read to the last.
    pub const UNREADABLE: &str = "unreadable";
    /// The code of what was left out of a prompt, of which its answer knows nothing.
    pub const LEFT_OUT: &str = "left_out";

    /// A mend with its stable name.
    pub fn new(code: &str, description: &str) -> Self {
        let [code, note] = [code, description].map(str::to_owned);
        Self { code, note }
    }
}

/// Something said, by a role to the user or by the user in reply.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Utterance {
    /// The words.
    pub text: String,
    /// The declared dialogue act.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub act: Option<DialogueAct>,
    /// The speaker ends the conversation with these words.
    #[serde(default, skip_serializing_if = "is_false")]
    pub leaving: bool,
    /// The user leaves with what it came for: its answer was confirmed, its questions answered, its concern met.
    #[serde(default, skip_serializing_if = "is_false")]
    pub satisfied: bool,
    /// The user is told the response to a dialogue that is the task itself: this is no question, and not
    /// counted as one.
    #[serde(default, skip_serializing_if = "is_false")]
    pub response: bool,
    /// A study had it said ([`Given`](super::Given)): no role asked, and no user was asked.
    #[serde(default, skip_serializing_if = "is_false")]
    pub given: bool,
    /// It was longer than its user may speak, and was cut.
    #[serde(default, skip_serializing_if = "is_false")]
    pub cut: bool,
}

impl Utterance {
    /// An utterance that is nothing but its words.
    pub fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Last words; `satisfied` says that the user has what it came for.
    pub fn leaving(text: impl Into<String>, satisfied: bool) -> Self {
        Self { leaving: true, satisfied, ..Self::text(text) }
    }

    /// Words that a study has said.
    pub fn given(text: impl Into<String>) -> Self {
        Self { given: true, ..Self::text(text) }
    }

    /// A response to the dialogue that is the task.
    pub fn response(text: impl Into<String>) -> Self {
        Self { response: true, ..Self::text(text) }
    }
}

/// The purpose of an utterance, as its speaker declares it or as somebody labels it afterwards.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DialogueAct(pub String);

impl DialogueAct {
    /// The acts of the schema-guided agent (ReSpAct section 5.3 and Table 20, which takes them from
    /// TEACh, Gella et al. 2022), with what each is for.
    pub const SCHEMA: [(&'static str, &'static str); 10] = [
        ("ReqForInstruction", "ask what to do next"),
        ("RequestOtherInfo", "ask for a detail of the task"),
        ("InfoObjectLocAndOD", "say where an object is or what state it is in"),
        ("ReqForObjLocAndOD", "ask where an object is or what state it is in"),
        ("InformationOther", "say anything else that matters"),
        ("AlternateQuestions", "let the user choose between options"),
        ("Affirm", "agree or confirm"),
        ("Deny", "disagree or refuse"),
        ("OtherInterfaceComment", "remark on the house and its commands"),
        ("NotifyFailure", "say that something did not work"),
    ];

    /// All acts of the schema, in its order.
    pub fn schema() -> Vec<Self> {
        Self::SCHEMA.iter().map(|(name, _)| Self((*name).to_owned())).collect()
    }

    /// Its name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

shown_as!(DialogueAct, as_str);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_kinds_hold_what_was_put_in() {
        let open = MoveKinds::of(&[MoveKind::Act, MoveKind::Speak]);
        assert!(open.contains(MoveKind::Speak) && !open.contains(MoveKind::Think));
        assert!(!open.without(MoveKind::Speak).contains(MoveKind::Speak));
        assert_eq!(serde_json::to_string(&open).unwrap(), r#"["act","speak"]"#);
        assert_eq!(serde_json::from_str::<MoveKinds>(r#"["speak","act"]"#).unwrap(), open);
    }

    #[test]
    fn moves_are_tagged_by_kind() {
        let text = serde_json::to_string(&Move::act("look")).unwrap();
        assert_eq!(text, r#"{"kind":"act","action":{"text":"look"}}"#);
        for kind in MoveKind::ALL {
            let word = serde_json::to_string(&kind).unwrap();
            assert_eq!(word, format!("\"{}\"", kind.as_str()));
        }
    }
}
