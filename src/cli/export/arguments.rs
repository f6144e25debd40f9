//! The arguments of `rolecall export`.

use std::path::PathBuf;

use clap::builder::ArgPredicate;
use clap::{Args, ValueEnum};

use crate::cli::show::ChoiceArguments;
use crate::text::counted;

/// The arguments of `export`.
#[derive(Args, Debug)]
#[command(mut_arg("broken", |option| option.hide(true)))]
pub(crate) struct ExportArguments {
    /// The runs: their folders, or names below `logs`
    #[arg(required = true, value_name = "RUN")]
    pub(super) runs: Vec<PathBuf>,
    /// Folder that is made and that all is written to
    #[arg(
        long,
        value_name = "DIR",
        required = false,
        required_unless_present = "endpoint",
        default_value_if("endpoint", ArgPredicate::IsPresent, ""),
        hide_default_value = true
    )]
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
    pub(super) logs: LogArguments,
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

/// How logs and traces are written.
#[derive(Args, Debug)]
#[command(next_help_heading = "Logs and traces")]
pub(super) struct LogArguments {
    /// With `inspect`, one JSON file for each log; with `otlp`, JSON for the collector, too
    #[arg(long)]
    pub(super) json: bool,
    /// With `otlp`: the collector that traces are sent to, such as http://localhost:4318; without URL the one
    /// that OTEL_EXPORTER_OTLP_ENDPOINT names
    #[arg(long, value_name = "URL", num_args = 0..=1, default_missing_value = "", conflicts_with = "out")]
    pub(super) endpoint: Option<String>,
    /// With `otlp`: also what was said, but not what seats said and read that know what nobody else may
    #[arg(long)]
    pub(super) content: bool,
}

/// Who reads what is exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ExportFormat {
    /// rolecall's own rows, one for each seat of each episode
    Rows,
    /// logs for `inspect view` and the package inspect_ai, one for each cell
    Inspect,
    /// traces by OpenTelemetry's conventions for generative AI
    Otlp,
}

impl ExportFormat {
    /// Whether it is for looking at runs, also at what broke in them.
    pub(super) fn is_log(self) -> bool {
        matches!(self, Self::Inspect | Self::Otlp)
    }

    /// So many of what is written.
    pub(super) fn counted(self, number: u64) -> String {
        match self {
            Self::Rows => counted(number, "row", "rows"),
            Self::Inspect => counted(number, "log", "logs"),
            Self::Otlp => counted(number, "span", "spans"),
        }
    }
}
