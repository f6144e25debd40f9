//! The parts that the analyses have, any of which can be asked for by itself.

/// A part of the analyses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Shares of action types (ReSpAct Figure 5).
    Actions,
    /// Refused actions per game (Figure 9).
    Invalid,
    /// Categories of what was said (Table 5, Figures 6 and 7).
    Categories,
    /// Dialogue acts of what was said (Figure 10).
    Acts,
    /// Turns of conversations in solved episodes (Table 11).
    Turns,
    /// Questions, and what became of the answers.
    Questions,
    /// Steps that questions saved.
    Saved,
    /// Responses beside their references (TPE Tables 1 and 2).
    Responses,
    /// Strategies that were planned, and those that people used (TPE Figures 4 and 6).
    Strategies,
    /// Whether what was retrieved is right (TPE Table 11).
    Retrieval,
    /// Calls, tokens and cost of models by seat (TPE Table 8).
    Costs,
}

impl Part {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 11] = [
        Self::Actions,
        Self::Invalid,
        Self::Categories,
        Self::Acts,
        Self::Turns,
        Self::Questions,
        Self::Saved,
        Self::Responses,
        Self::Strategies,
        Self::Retrieval,
        Self::Costs,
    ];

    /// Its word on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Actions => "actions",
            Self::Invalid => "invalid",
            Self::Categories => "categories",
            Self::Acts => "acts",
            Self::Turns => "turns",
            Self::Questions => "questions",
            Self::Saved => "saved",
            Self::Responses => "responses",
            Self::Strategies => "strategies",
            Self::Retrieval => "retrieval",
            Self::Costs => "costs",
        }
    }
}
