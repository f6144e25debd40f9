//! `rolecall export`: runs as trainers and other programs read them.

mod logs;
mod rows;

use std::collections::BTreeMap;
use std::fs;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use rustc_hash::FxHashSet;

use crate::choice::{self, ChoiceArguments};
use crate::progress::{bar, prepare};
use crate::reload_plan::{ReloadedPlan, reload_plan};
use crate::replay::print_changes;
use crate::{diagnostics, output, runs};
use rolecall_core::domain::{EpisodeId, Seat};
use rolecall_core::evaluation::{EpisodeResult, Standing};
use rolecall_core::log::{RunLog, RunRecord};
use rolecall_core::text::visible;
use rolecall_core::world::Unfinished;
use rolecall_doors::export::{Marking, PlayedRun, Rendering, RowFormat};
use rolecall_run::config::Absent;
use rolecall_run::registry::Registry;

/// A run with the episodes of it that are exported.
struct Source {
    run: PlayedRun,
    chosen: Chosen,
}

/// Writes what is asked for beside its place, and moves it there when all is written.
pub(crate) fn execute(arguments: &ExportArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    diagnostics::trace_panics();
    check(arguments)?;
    logs::check(arguments)?;
    let (files, runs): (Vec<_>, Vec<_>) = arguments.runs.iter().partition(|path| path.is_file());
    let sources: Vec<Source> =
        runs.into_iter().map(|run| open(run, arguments, registry)).collect::<anyhow::Result<_>>()?;
    let episodes = sources.iter().map(|source| source.chosen.results.len());
    let progress = bar(episodes.sum(), "episodes exported", false);
    let export = Export { arguments, sources: &sources, progress: &progress, registry };
    let Some(out) = &arguments.out else {
        return export.send();
    };
    let written = Unfinished::file(out, |folder| {
        fs::create_dir(folder)?;
        match arguments.format.is_log() {
            true => export.logs(folder),
            false => export.rows(&files, folder),
        }
    });
    progress.finish_and_clear();
    output::succeed(&format!("{} in {}\n", written?, output::shown(out)))
}

/// An export under way.
struct Export<'a> {
    arguments: &'a ExportArguments,
    sources: &'a [Source],
    progress: &'a ProgressBar,
    registry: &'a Registry,
}

/// Refuses what does not go together.
fn check(arguments: &ExportArguments) -> anyhow::Result<()> {
    let (shape, format) = (&arguments.shape, arguments.format.name());
    let words = ["rows", "trl", "llama-factory", "openai"];
    if shape.pairs && !words.contains(&format.as_str()) {
        bail!("there are no pairs for `{format}`: choose --format trl, llama-factory, openai or rows");
    }
    if shape.pairs && arguments.runs.len() < 2 {
        bail!("--pairs needs a run and one or more that branched off it (`rolecall branch`)");
    }
    if (shape.whole || shape.label) && !words[1..3].contains(&format.as_str()) {
        bail!("--whole and --label are for --format trl and llama-factory");
    }
    Ok(())
}

fn open(folder: &Path, arguments: &ExportArguments, registry: &Registry) -> anyhow::Result<Source> {
    let log = runs::open(folder)?;
    let chosen = Chosen::of(arguments, &log, registry)?;
    let ReloadedPlan { resolved, changes } = reload_plan(log.folder(), &arguments.sets, &[], Absent::Taken, registry)?;
    print_changes(&changes);
    prepare(&resolved.plan, false)?;
    let metrics = if arguments.format.is_log() { registry.measured() } else { Vec::new() };
    Ok(Source { run: PlayedRun::new(log, resolved.plan, metrics), chosen })
}

impl Source {
    /// The turns of the run that are trained. A seat that it does not have is an error that names those it has.
    fn marking(&self, arguments: &ExportArguments) -> anyhow::Result<Marking> {
        let RunRecord { seats, .. } = self.run.log().record();
        let known: Vec<&str> = seats.iter().map(Seat::as_str).collect();
        let seat =
            |name: &String| {
                seats.iter().find(|seat| seat.as_str() == name).cloned().with_context(|| {
                    format!("this run has no seat `{}`{}", visible(name), output::instead(name, &known))
                })
            };
        let seats = arguments.rows.seat.iter().map(seat).collect::<anyhow::Result<_>>()?;
        Ok(Marking { seats, models: arguments.rows.model.clone() })
    }

    fn name(&self) -> &str {
        &self.run.log().record().name
    }
}

/// The arguments of `export`.
#[derive(Args, Debug)]
#[command(mut_arg("broken", |option| option.hide(true)))]
pub(crate) struct ExportArguments {
    /// The runs: their folders, or names below `logs`; or files that `rolecall data trajectories` wrote.
    /// With --pairs, a run and those that branched off it
    #[arg(required = true, value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// Folder that is made and that all is written to
    #[arg(long, value_name = "DIR", required_unless_present = "endpoint")]
    out: Option<PathBuf>,
    /// Who is to read it
    #[arg(long, value_enum)]
    format: ExportFormat,
    /// Give a value of a run's config again that may be a secret, so that `run.toml` does not have it; may be
    /// given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    #[command(flatten)]
    rows: RowArguments,
    #[command(flatten)]
    shape: ShapeArguments,
    #[command(flatten)]
    logs: LogArguments,
    /// These episodes, as cell:task:repeat, or just the task if that is enough; may be given several times
    #[arg(long, value_name = "EPISODE", help_heading = "Which episodes")]
    episode: Vec<String>,
    #[command(flatten)]
    choice: ChoiceArguments,
}

/// Which rows, of which turns.
#[derive(Args, Debug)]
#[command(next_help_heading = "Which rows")]
struct RowArguments {
    /// Only this seat: a role such as executor, or user; may be given several times [default: all roles]
    #[arg(long, value_name = "SEAT")]
    seat: Vec<String>,
    /// Train only turns that this model answered; may be given several times
    #[arg(long, value_name = "MODEL")]
    model: Vec<String>,
    /// Only episodes whose task was solved
    #[arg(long, conflicts_with = "failed")]
    success: bool,
    /// Only episodes with this reward or more
    #[arg(long, value_name = "REWARD", allow_negative_numbers = true)]
    min_reward: Option<f64>,
    /// Of each task in each cell only the N episodes with the highest rewards
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    best_of: Option<u32>,
    /// Each row once, of rows that are the same
    #[arg(long)]
    dedupe: bool,
    /// The share of the tasks whose rows go to the split `test`, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    test_share: f64,
}

/// How rows are written.
#[derive(Args, Debug)]
#[command(next_help_heading = "How rows are written")]
struct ShapeArguments {
    /// Pairs of answers to the same prompt, of which one came to more: of a run and its branches
    #[arg(long)]
    pairs: bool,
    /// Whole conversations (trl, llama-factory), and not one row for each answer that is trained
    #[arg(long, conflicts_with = "pairs")]
    whole: bool,
    /// Say in each row whether the task was solved (trl, llama-factory), for KTO
    #[arg(long, conflicts_with = "pairs")]
    label: bool,
    /// How the arguments of calls of tools are written; only trl takes objects
    #[arg(long, value_name = "HOW", value_enum, default_value_t)]
    arguments: CallArguments,
}

/// How the arguments of calls are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum CallArguments {
    /// As objects, where the format takes them
    #[default]
    Object,
    /// As texts that hold JSON
    String,
}

/// How logs and traces are written.
#[derive(Args, Debug)]
#[command(next_help_heading = "Logs and traces")]
struct LogArguments {
    /// With `inspect`, one JSON file for each log; with `otlp`, JSON for the collector, too
    #[arg(long)]
    json: bool,
    /// With `otlp`: the collector that traces are sent to, such as http://localhost:4318; without URL the one
    /// that OTEL_EXPORTER_OTLP_ENDPOINT names
    #[arg(long, value_name = "URL", num_args = 0..=1, default_missing_value = "", conflicts_with = "out")]
    endpoint: Option<String>,
    /// With `otlp`: also what was said, but not what seats said and read that know what nobody else may
    #[arg(long)]
    content: bool,
}

/// Who reads what is exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
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
    fn rows(self) -> Option<RowFormat> {
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
    fn is_log(self) -> bool {
        matches!(self, Self::Inspect | Self::Otlp)
    }

    /// The word for it.
    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

impl ShapeArguments {
    /// Rows of this format in this shape.
    fn rendering(&self, format: RowFormat) -> Rendering {
        Rendering { format, whole: self.whole, texts: self.arguments == CallArguments::String, labelled: self.label }
    }
}

fn share(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or_else(|| "not a number from 0 to 1".to_owned())
}

/// The episodes of a run that are asked for, and those that are left out, by reason.
#[derive(Debug, Default)]
struct Chosen {
    results: Vec<EpisodeResult>,
    /// Episodes that say something of the agents, those included that are left out.
    counted: usize,
    /// Number of these that were solved.
    solved: usize,
    refused: BTreeMap<&'static str, u64>,
}

impl Chosen {
    fn of(arguments: &ExportArguments, run: &RunLog, registry: &Registry) -> anyhow::Result<Self> {
        let mut results = runs::results_of(run, registry)?;
        if arguments.episode.is_empty() {
            results = arguments.choice.apply(results, run.record())?;
        } else {
            let ids = choice::chosen(run, &arguments.episode, &arguments.choice, registry)?;
            results.retain(|result| ids.contains(&result.episode));
        }
        let mut chosen = Self::default();
        for result in results {
            let counts = result.standing() == Standing::Counted;
            chosen.counted += usize::from(counts);
            chosen.solved += usize::from(counts && result.success);
            match refusal(arguments, &result) {
                Some(reason) => chosen.refuse(reason, 1),
                None => chosen.results.push(result),
            }
        }
        if let Some(most) = arguments.rows.best_of {
            let before = chosen.results.len();
            chosen.keep_best(most as usize);
            chosen.refuse("not among the best", (before - chosen.results.len()) as u64);
        }
        Ok(chosen)
    }

    fn ids(&self) -> Vec<EpisodeId> {
        self.results.iter().map(|result| result.episode.clone()).collect()
    }

    fn refuse(&mut self, reason: &'static str, count: u64) {
        if count > 0 {
            *self.refused.entry(reason).or_default() += count;
        }
    }

    /// Keeps the best episodes of each task in each cell, of equal ones the earlier; their order stays.
    fn keep_best(&mut self, most: usize) {
        let mut ranked: BTreeMap<_, Vec<&EpisodeResult>> = BTreeMap::new();
        for result in &self.results {
            let task = (result.episode.cell.clone(), result.task.clone());
            ranked.entry(task).or_default().push(result);
        }
        let best = ranked.into_values().flat_map(|mut results| {
            results.sort_by(|one, other| other.reward.total_cmp(&one.reward));
            results.into_iter().take(most).map(|result| result.episode.clone())
        });
        let best: FxHashSet<EpisodeId> = best.collect();
        self.results.retain(|result| best.contains(&result.episode));
    }
}

/// Why an episode is left out, if it is.
fn refusal(arguments: &ExportArguments, result: &EpisodeResult) -> Option<&'static str> {
    match result.standing() {
        Standing::Broken | Standing::Cancelled if arguments.format.is_log() => {}
        Standing::Broken => return Some("broken"),
        Standing::Cancelled | Standing::Unfinished => return Some("not over"),
        Standing::Counted => {}
    }
    if arguments.rows.success && !result.success {
        return Some("not solved");
    }
    arguments.rows.min_reward.is_some_and(|least| result.reward < least).then_some("reward too low")
}
