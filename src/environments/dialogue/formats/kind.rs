//! The answer formats of the methods of dialogue, by name.

use crate::domain::{InvalidName, MoveKind, MoveKinds, Notation};

/// An answer format, named by its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DialogueFormat {
    /// A thought: status and blueprint in free text (TPE section 3.1).
    Thought,
    /// The user's state, after `Status:` (Cue-CoT).
    Status,
    /// `Plan: ...` and `#So1 = SOURCE[input]` for each source (TPE section 3.2, Table 20).
    SourcePlan,
    /// `Plan: ...` and `#E1 = SOURCE[input]` for each source (ReWOO; TPE Table 18).
    RewooPlan,
    /// `Plan: <strategy>` and `Do: <words>` in turn (TPE Table 21).
    PlanDo,
    /// `Thought:` and `Action: SOURCE[input]` or `Finish[words]` (ReAct; TPE Table 16).
    ReactSource,
    /// `Thought:`, `Action: <strategy>` and `Observation: <words>` (ReAct; TPE Table 17).
    ReactStrategy,
    /// A list of modules (Chameleon; TPE Table 13).
    Modules,
    /// A list of strategies (Chameleon; TPE Table 14).
    Strategies,
    /// The words of one strategy, perhaps after its name (Chameleon; TPE Table 15).
    SubResponse,
    /// `Thought: ...` and `Response: ...`: reasoning, then the final words (CoT; TPE section 4.2).
    ReasonedResponse,
    /// The final words, perhaps after a label.
    Response,
}

names! { DialogueFormat, as_str:
    Thought => "thought", Status => "status", SourcePlan => "source-plan",
    RewooPlan => "rewoo-plan", PlanDo => "plan-do", ReactSource => "react-source",
    ReactStrategy => "react-strategy", Modules => "modules", Strategies => "strategies",
    SubResponse => "sub-response", ReasonedResponse => "reasoned-response", Response => "response",
}

impl DialogueFormat {
    /// The kinds of moves that it is about. `finish` is left out where it is not how the format answers: there
    /// it only says that nothing could be read. What is spoken declares its strategy, so that no plan has to
    /// stand beside it.
    pub fn answers(self) -> MoveKinds {
        use MoveKind::{Act, Finish, Plan, Speak, Think};
        MoveKinds::of(match self {
            Self::Thought | Self::Status => &[Think],
            Self::SourcePlan | Self::RewooPlan | Self::Modules | Self::Strategies => &[Plan],
            Self::PlanDo => &[Think, Speak],
            Self::ReactSource => &[Think, Act, Finish],
            Self::ReactStrategy => &[Think, Speak, Finish],
            Self::SubResponse => &[Speak],
            Self::ReasonedResponse => &[Think, Finish],
            Self::Response => &[Finish],
        })
    }

    /// Whether one answer holds the words of several strategies.
    pub fn speaks_by_many(self) -> bool {
        matches!(self, Self::PlanDo | Self::ReactStrategy)
    }

    /// The name as briefs carry it.
    ///
    /// # Errors
    /// Only when a process has seen more names than it can keep.
    pub fn notation(self) -> Result<Notation, InvalidName> {
        Notation::new(self.as_str())
    }

    /// The format that a brief names.
    pub fn of(notation: Notation) -> Option<Self> {
        Self::named(notation.as_str())
    }
}
