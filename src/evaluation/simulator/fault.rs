//! The kinds of what a simulated user should not do.

/// What a user should not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserFault {
    /// It left without what it came for: unsatisfied, the task not solved, and, where the world knows its facts, some
    /// of them unsaid.
    LeftEarly,
    /// It said what is not so by the facts that it holds; or yes and no to the same question, with no action between.
    Contradicted,
    /// It spoke as the agent: offered help, or wrote in the form of the agent's moves.
    ActedAsAgent,
    /// It said what it was asked to keep to itself.
    Leaked,
    /// It said a fact that its question does not ask for, and that it had not said before.
    Unasked,
    /// The question asks for facts, and it said others only.
    Beside,
    /// It said more new facts than were asked for, or laid out steps that nobody asked for.
    Overhelped,
    /// It said to a question what it had said to another one in the same words, three or more.
    Repeated,
}

impl UserFault {
    /// All of them, in the order of tables.
    pub const ALL: [Self; 8] = [
        Self::LeftEarly,
        Self::Contradicted,
        Self::ActedAsAgent,
        Self::Leaked,
        Self::Unasked,
        Self::Beside,
        Self::Overhelped,
        Self::Repeated,
    ];

    /// Its word in values for programs, and in questions to judges.
    pub const fn key(self) -> &'static str {
        match self {
            Self::LeftEarly => "left_early",
            Self::Contradicted => "contradicted",
            Self::ActedAsAgent => "acted_as_agent",
            Self::Leaked => "leaked",
            Self::Unasked => "unasked",
            Self::Beside => "beside",
            Self::Overhelped => "overhelped",
            Self::Repeated => "repeated",
        }
    }

    /// Its words in tables.
    pub const fn label(self) -> &'static str {
        match self {
            Self::LeftEarly => "left early",
            Self::Contradicted => "contradicted",
            Self::ActedAsAgent => "acted as agent",
            Self::Leaked => "leaked",
            Self::Unasked => "told unasked",
            Self::Beside => "not what was asked",
            Self::Overhelped => "over-helpful",
            Self::Repeated => "repeated",
        }
    }

    /// Whether an episode in which it happened says little about the agent.
    pub const fn spoils(self) -> bool {
        matches!(self, Self::LeftEarly | Self::Contradicted | Self::ActedAsAgent | Self::Leaked)
    }
}
