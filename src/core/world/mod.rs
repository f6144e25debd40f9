//! A world's parts: its entry in the registry, with the tools of its data sets. Imports the ports
//! and what worlds share.

mod data;
pub mod underspecified;
mod unfinished;

pub use data::{Answers, DataTool, Desk, Inquiry, Rehearsal};
pub use unfinished::{Listing, Unfinished};

use crate::evaluation::labels::JudgeQuestion;
use crate::ports::{EnvironmentEntry, Format, Metric, MetricEntry, RoleEntry, StrategyEntry, UserEntry};
use crate::reports::analyses::AnalysisEntry;

/// Everything of a world; one line of the registry.
pub struct WorldEntry {
    /// Its environments; nearly always one.
    pub environments: &'static [EnvironmentEntry],
    /// Roles by rules.
    pub roles: &'static [RoleEntry],
    /// Users by rules.
    pub users: &'static [UserEntry],
    /// Strategies that only this world can be played with.
    pub strategies: &'static [StrategyEntry],
    /// Answer formats of its methods.
    pub formats: &'static [&'static dyn Format],
    /// The metrics of its episodes.
    pub metrics: &'static [MetricEntry],
    /// Its parts of `rolecall analyse`.
    pub analyses: &'static [AnalysisEntry],
    /// The tools of `rolecall data` for its data sets.
    pub data: &'static [DataTool],
    /// First versions of implementations for it that show more than those for any world do.
    pub starters: &'static [Starter],
    /// The questions that judges may be asked of its episodes (`rate judge`).
    pub questions: &'static [JudgeQuestion],
}

/// The texts that `rolecall new KIND NAME --environment WORLD` writes. In them `{{name}}`, `{{module}}` and
/// `{{Type}}` stand for the name, as configs, files and types have it, and `{{world}}` for the world.
#[derive(Clone, Copy)]
pub struct Starter {
    /// The kind of implementation: `role`, `user`.
    pub kind: &'static str,
    /// Its line in the tables.
    pub summary: &'static str,
    /// The file.
    pub code: &'static str,
    /// A config that plays it.
    pub config: &'static str,
    /// The answers of a scripted role of the config.
    pub script: Option<&'static str>,
}

impl WorldEntry {
    /// An entry without anything, for `..WorldEntry::EMPTY`.
    pub const EMPTY: Self = Self {
        environments: &[],
        roles: &[],
        users: &[],
        strategies: &[],
        formats: &[],
        metrics: &[],
        analyses: &[],
        data: &[],
        starters: &[],
        questions: &[],
    };
}

/// A line of the table of metrics, of one for any environment.
pub const fn metric(summary: &'static str, metric: &'static dyn Metric) -> MetricEntry {
    MetricEntry { summary, metric, environments: &[] }
}
