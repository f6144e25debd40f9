//! The parts that the analyses have, any of which can be asked for by itself.

use std::any::Any;
use std::fmt::Debug;

use super::Tagger;
use crate::ports::EpisodeLog;

/// A collection over the episodes of a row for a part that a world brings. A type stands for one part,
/// so it should belong to who brings it.
pub trait Tally: Any + Debug + Send + Sync {
    /// Takes an episode that counts, of whatever world, with the labels that somebody gave in it.
    fn add(&mut self, log: &EpisodeLog<'_>, tagger: &Tagger);
}

/// A part that a world brings. No two parts have the same name.
#[derive(Clone, Copy, Debug)]
pub struct OwnPart {
    /// Its word on the command line.
    pub name: &'static str,
    /// The collection of a row without episodes.
    pub tally: fn() -> Box<dyn Tally>,
}

impl OwnPart {
    /// The part of this name, with collections of a type.
    pub const fn of<T: Tally + Default>(name: &'static str) -> Self {
        Self { name, tally: || Box::<T>::default() }
    }
}

/// A part of the analyses.
#[derive(Clone, Copy, Debug)]
pub enum AnalysisPart {
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
    /// Faults of simulated users, and the score without those episodes.
    Simulator,
    /// Where the variance of success comes from.
    Variance,
    /// A part that a world brings.
    Own(OwnPart),
    /// Calls, tokens and cost of models by seat (TPE Table 8).
    Costs,
}

impl AnalysisPart {
    /// Parts that are about any world.
    pub const SHARED: [Self; 10] = [
        Self::Actions,
        Self::Invalid,
        Self::Categories,
        Self::Acts,
        Self::Turns,
        Self::Questions,
        Self::Saved,
        Self::Simulator,
        Self::Variance,
        Self::Costs,
    ];

    /// All of them with those of worlds, in the order in which they are shown: costs come last.
    pub fn all(of_worlds: impl IntoIterator<Item = OwnPart>) -> Vec<Self> {
        let mut all = Self::SHARED.to_vec();
        let last = all.len() - 1;
        all.splice(last..last, of_worlds.into_iter().map(Self::Own));
        all
    }

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
            Self::Simulator => "simulator",
            Self::Variance => "variance",
            Self::Own(part) => part.name,
            Self::Costs => "costs",
        }
    }
}

impl PartialEq for AnalysisPart {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}
