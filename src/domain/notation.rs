//! Notations in which roles write their answers, where moves with labels are not what a method has.

use serde::{Deserialize, Serialize};

/// A notation of running text, named by what is written in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Notation {
    /// A thought: status and blueprint in free text (TPE section 3.1).
    Thought,
    /// What the user's state is, after `Status:` (Cue-CoT).
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
    /// What one strategy says, perhaps after its name (Chameleon; TPE Table 15).
    SubResponse,
    /// The final words, perhaps after a label.
    Response,
}

impl Notation {
    /// Every notation, in the order in which they are listed.
    pub const ALL: [Self; 11] = [
        Self::Thought,
        Self::Status,
        Self::SourcePlan,
        Self::RewooPlan,
        Self::PlanDo,
        Self::ReactSource,
        Self::ReactStrategy,
        Self::Modules,
        Self::Strategies,
        Self::SubResponse,
        Self::Response,
    ];

    /// The word that logs and prompts use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Thought => "thought",
            Self::Status => "status",
            Self::SourcePlan => "source-plan",
            Self::RewooPlan => "rewoo-plan",
            Self::PlanDo => "plan-do",
            Self::ReactSource => "react-source",
            Self::ReactStrategy => "react-strategy",
            Self::Modules => "modules",
            Self::Strategies => "strategies",
            Self::SubResponse => "sub-response",
            Self::Response => "response",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notations_are_written_as_they_are_named() {
        for notation in Notation::ALL {
            let word = serde_json::to_string(&notation).unwrap();
            assert_eq!(word, format!("\"{}\"", notation.as_str()));
        }
    }
}
