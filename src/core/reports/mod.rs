//! Results for people and for programs: tables, transcripts, Markdown, a page, JSON.
//!
//! Everything here renders to a text and prints nothing. Whatever models, users or data sets
//! wrote is escaped for where it goes. Imports the domain, text, the log and the
//! evaluation.

pub mod agreement;
pub mod analyses;
pub mod comparison_json;
pub mod comparison_report;
mod comparison_warnings;
mod comparisons;
mod decisions;
mod entries;
mod episodes;
mod figures;
pub mod html;
pub mod json;
mod live;
pub mod markdown;
mod models;
mod overview;
mod picks;
mod report;
mod reproduction;
mod selection;
mod setup;
mod spreads;
pub mod studies;
mod style;
mod table;
mod tables;
mod transcript;

pub use analyses::simulator::simulated;
pub use comparison_report::{ComparisonReport, ComparisonRow};
pub use comparison_warnings::{ChosenByOutcome, Remedy};
use entries::staged;
pub use entries::{TranscriptEntry, entries, is_private};
pub use episodes::{EpisodeLines, EpisodeList};
pub use figures::{NONE, headline, percent};
pub use live::LiveTranscript;
pub use models::{models, servers};
pub use overview::{FoundRun, RunOverview, RunState, Tally, newest};
pub use picks::{Pick, Picks, Timed};
pub use report::{Report, ReportedUser, facts, notes};
pub use reproduction::{
    Held, OrderDifference, OurFigure, ReproducedFigure, ReproducedOrder, ReproducedRow, Reproduction,
};
pub use selection::{EventKind, KINDS, Selection};
pub use setup::Casts;
pub use style::{Layout, Paint, Style};
pub use table::{Align, Table, aligned};
pub use tables::{
    answers, by_cell, by_groups, by_measure, by_task_type, endings, faults, figures, intervals, metrics, passes,
    repairs, summary,
};
pub use transcript::ending;
pub use transcript::{TranscriptOptions, staged_transcript, transcript, transcript_of};
