//! The arguments of `rolecall export`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::cli::show::ChoiceArguments;

/// The arguments of `export`.
#[derive(Args, Debug)]
#[command(mut_arg("broken", |option| option.hide(true)))]
pub(crate) struct ExportArguments {
    /// The runs: their folders, or names below `logs`
    #[arg(required = true, value_name = "RUN")]
    pub(super) runs: Vec<PathBuf>,
    /// Folder that is made and that all is written to
    #[arg(long, value_name = "DIR")]
    pub(super) out: PathBuf,
    /// Who is to read it
    #[arg(long, value_enum)]
    pub(super) format: ExportFormat,
    /// These episodes, as cell:task:repeat, or just the task if that is enough; may be given several times
    #[arg(long, value_name = "EPISODE")]
    pub(super) episode: Vec<String>,
    /// Give a value of a run's config again that may be a secret, so that `run.toml` does not have it; may be
    /// given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(super) sets: Vec<String>,
    #[command(flatten)]
    pub(super) rows: RowArguments,
    #[command(flatten)]
    pub(super) choice: ChoiceArguments,
}

/// Which rows, of which turns.
#[derive(Args, Debug)]
#[command(next_help_heading = "Which rows")]
pub(super) struct RowArguments {
    /// Only this seat: a role such as executor, or user; may be given several times [default: all roles]
    #[arg(long, value_name = "SEAT")]
    pub(super) seat: Vec<String>,
    /// Train only turns that this model answered; may be given several times
    #[arg(long, value_name = "MODEL")]
    pub(super) model: Vec<String>,
    /// Only episodes whose task was solved
    #[arg(long, conflicts_with = "failed")]
    pub(super) success: bool,
    /// Only episodes with this reward or more
    #[arg(long, value_name = "REWARD", allow_negative_numbers = true)]
    pub(super) min_reward: Option<f64>,
    /// Of each task in each cell only the N episodes with the highest rewards
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) best_of: Option<u32>,
}

/// Who reads what is exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ExportFormat {
    /// rolecall's own rows, one for each seat of each episode
    Rows,
}
