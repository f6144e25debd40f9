//! The arguments of `rolecall export`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::choice::ChoiceArguments;
use rolecall_doors::export::{Rendering, RowFormat};

/// The arguments of `export`.
#[derive(Args, Debug)]
#[command(mut_arg("broken", |option| option.hide(true)))]
pub(crate) struct ExportArguments {
    /// The runs: their folders, or names below `logs`; or files that `rolecall data trajectories` wrote.
    /// With --pairs, a run and those that branched off it
    #[arg(required = true, value_name = "RUN")]
    pub(super) runs: Vec<PathBuf>,
    /// Folder that is made and that all is written to
    #[arg(long, value_name = "DIR", required_unless_present = "endpoint")]
    pub(super) out: Option<PathBuf>,
    /// Who is to read it
    #[arg(long, value_enum)]
    pub(super) format: ExportFormat,
    /// Give a value of a run's config again that may be a secret, so that `run.toml` does not have it; may be
    /// given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(super) sets: Vec<String>,
    #[command(flatten)]
    pub(super) rows: RowArguments,
    #[command(flatten)]
    pub(super) shape: ShapeArguments,
    #[command(flatten)]
    pub(super) logs: LogArguments,
    /// These episodes, as cell:task:repeat, or just the task if that is enough; may be given several times
    #[arg(long, value_name = "EPISODE", help_heading = "Which episodes")]
    pub(super) episode: Vec<String>,
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
    /// Each row once, of rows that are the same
    #[arg(long)]
    pub(super) dedupe: bool,
    /// The share of the tasks whose rows go to the split `test`, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    pub(super) test_share: f64,
}

/// How rows are written.
#[derive(Args, Debug)]
#[command(next_help_heading = "How rows are written")]
pub(super) struct ShapeArguments {
    /// Pairs of answers to the same prompt, of which one came to more: of a run and its branches
    #[arg(long)]
    pub(super) pairs: bool,
    /// Whole conversations (trl, llama-factory), and not one row for each answer that is trained
    #[arg(long, conflicts_with = "pairs")]
    pub(super) whole: bool,
    /// Say in each row whether the task was solved (trl, llama-factory), for KTO
    #[arg(long, conflicts_with = "pairs")]
    pub(super) label: bool,
    /// How the arguments of calls of tools are written; only trl takes objects
    #[arg(long, value_name = "HOW", value_enum, default_value_t)]
    pub(super) arguments: CallArguments,
}

/// How the arguments of calls are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum CallArguments {
    /// As objects, where the format takes them
    #[default]
    Object,
    /// As texts that hold JSON
    String,
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
    /// TRL: a prompt and what is trained of it
    Trl,
    /// axolotl: conversations with a mark on each message
    Axolotl,
    /// LLaMA-Factory: conversations whose speakers alternate
    LlamaFactory,
    /// Together, Fireworks and others: OpenAI's lines with weights
    Openai,
    /// verifiers and prime-rl: traces, with tokens where the server gave them
    Verifiers,
    /// Harbor: trajectories (ATIF)
    Atif,
    /// Inspect: logs that `inspect view` opens, one for each cell
    Inspect,
    /// OpenTelemetry: traces by its conventions for generative AI
    Otlp,
}

impl ExportFormat {
    /// The format of rows; none of what is no row.
    pub(super) fn rows(self) -> Option<RowFormat> {
        match self {
            Self::Rows => Some(RowFormat::Rows),
            Self::Trl => Some(RowFormat::Trl),
            Self::Axolotl => Some(RowFormat::Axolotl),
            Self::LlamaFactory => Some(RowFormat::LlamaFactory),
            Self::Openai => Some(RowFormat::Openai),
            Self::Verifiers => Some(RowFormat::Verifiers),
            Self::Atif | Self::Inspect | Self::Otlp => None,
        }
    }

    /// Whether it is for looking at runs, also at what broke in them.
    pub(super) fn is_log(self) -> bool {
        matches!(self, Self::Inspect | Self::Otlp)
    }

    /// The word for it.
    pub(super) fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

impl ShapeArguments {
    /// Rows of this format in this shape.
    pub(super) fn rendering(&self, format: RowFormat) -> Rendering {
        Rendering { format, whole: self.whole, texts: self.arguments == CallArguments::String, labelled: self.label }
    }
}

fn share(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or_else(|| "not a number from 0 to 1".to_owned())
}
