//! Playing episodes into the folder of a run, and saying what came of them: what every command does
//! that plays.

use std::fs::OpenOptions;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use clap::Args;

use super::progress::Progress;
use super::{diagnostics, output, report, runs, signals};
use crate::config::Plan;
use crate::domain::{CellName, EpisodeId};
use crate::evaluation::{EpisodeResult, Standing, Summary};
use crate::log::{LogWriter, RunLog, RunRecord, TRACE, read_timings};
use crate::registry::Registry;
use crate::reports;
use crate::runtime::{Launch, Launched, Past};
use crate::text::visible;
use crate::users::human;

/// How the command tells of what it plays.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct PlayArguments {
    /// Print the results as one JSON object on standard output
    #[arg(long)]
    pub(crate) json: bool,
    /// Write no report.md and report.html into the run's folder
    #[arg(long)]
    pub(crate) no_report: bool,
    /// Print nothing while the run goes on
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// What is played, and where it is written.
pub(crate) struct Playing {
    /// The plan.
    pub(crate) plan: Arc<Plan>,
    /// The run's log.
    pub(crate) writer: LogWriter,
    /// What need not be played, or not from the beginning.
    pub(crate) past: Past,
    /// The results of the episodes that an earlier process closed. They are told with the others.
    pub(crate) earlier: Vec<EpisodeResult>,
}

impl Playing {
    /// A run that begins.
    pub(crate) fn new(plan: Plan, writer: LogWriter) -> Self {
        Self {
            plan: Arc::new(plan),
            writer,
            past: Past::default(),
            earlier: Vec::new(),
        }
    }

    /// Plays everything, with progress on standard error; prints the results, writes the reports
    /// and decides on the exit code.
    pub(crate) fn play(self, arguments: &PlayArguments, verbose: u8) -> anyhow::Result<ExitCode> {
        let Self {
            plan,
            writer,
            past,
            earlier,
        } = self;
        let folder = writer.folder().to_owned();
        let trace = folder.join(TRACE);
        let trace = OpenOptions::new().append(true).create(true).open(trace);
        diagnostics::start(verbose, trace.ok());
        diagnostics::trace_panics();
        let mut launch = Launch::new(Arc::clone(&plan), &writer, Registry::standard().measured());
        launch.past = past;
        let (episodes, shown) = (launch.planned(), folder.display().to_string());
        tracing::info!(run = %visible(&shown), episodes, "run begins");
        let stop = launch.stop.clone();
        signals::listen(stop.clone(), writer.handle());
        let terminal = std::io::stderr().is_terminal();
        // A bar would be drawn over the question that somebody is about to answer.
        let silent = arguments.quiet || asks_a_person(&plan);
        let mut progress = Progress::new(episodes, terminal, silent, !arguments.quiet);
        let launched = launch.run(&mut progress);
        progress.finish();
        let written = writer.close();
        let launched = launched?;
        let (episodes, events) = (launched.results.len(), launched.events);
        tracing::info!(episodes, events, "run ends");
        let mut all = earlier;
        // A run may have very many results: they are copied only where there are others.
        let results: &[EpisodeResult] = if all.is_empty() {
            &launched.results
        } else {
            all.extend(launched.results.iter().cloned());
            &all
        };
        let told = Told {
            plan: &plan,
            folder: &folder,
            launched: &launched,
            results,
            stopped: stop.is_cancelled(),
        };
        let code = told.tell(arguments)?;
        written
            .with_context(|| format!("the log of the run is incomplete: `{}`", folder.display()))?;
        runs::write_index(&folder);
        if !arguments.no_report {
            write_report(arguments, &folder, results)?;
        }
        Ok(code)
    }
}

/// Whether somebody at the terminal takes part.
fn asks_a_person(plan: &Plan) -> bool {
    let mut users = plan.cells.iter().flat_map(|cell| &cell.users);
    users.any(|user| user.kind == human::NAME)
}

/// What there is to be told when everything is over.
struct Told<'a> {
    plan: &'a Plan,
    folder: &'a Path,
    launched: &'a Launched,
    /// All results of the run.
    results: &'a [EpisodeResult],
    stopped: bool,
}

impl Told<'_> {
    /// Prints the result and decides on the exit code.
    fn tell(&self, arguments: &PlayArguments) -> anyhow::Result<ExitCode> {
        let cells: Vec<CellName> = self
            .plan
            .cells
            .iter()
            .map(|cell| cell.name.clone())
            .collect();
        let mut summary = Summary::of(self.results, &cells);
        if self.plan.models.iter().next().is_some() {
            let currency = RunRecord::read(self.folder)?.currency;
            let timings = read_timings(self.folder);
            summary.models.explain(currency, &timings, &cells);
        }
        let place = self.folder.display().to_string();
        if arguments.json {
            output::emit(&format!("{}\n", reports::json::object(&place, &summary)))?;
        } else {
            output::emit(&reports::summary(&summary, &output::layout()))?;
            let shown = visible(&place);
            output::emit(&why_broken(self.results, &cells, &shown))?;
            output::emit(&format!(
                "\nlog: {shown} (look into it: rolecall show {shown})\n"
            ))?;
        }
        for (model, why) in &self.launched.lost {
            output::note(&format!(
                "the run ends early because of the model `{model}`: {why}"
            ));
        }
        if self.stopped {
            output::note(&format!(
                "the run was stopped: {} of {} episodes were begun",
                self.launched.results.len(),
                self.launched.planned
            ));
        }
        let open = |result: &&EpisodeResult| result.standing() == Standing::Unfinished;
        let left = self.launched.planned - self.launched.results.len();
        if left > 0 || self.launched.results.iter().any(|result| open(&result)) {
            output::note(&format!(
                "go on with it: rolecall resume {}",
                visible(&place)
            ));
        }
        let apart = summary.total.episodes - summary.total.counted;
        Ok(ExitCode::from(u8::from(
            apart > 0 || left > 0 || self.stopped,
        )))
    }
}

/// Writes the reports of what was played. Last of all: nothing is lost if it fails.
fn write_report(
    arguments: &PlayArguments,
    folder: &Path,
    results: &[EpisodeResult],
) -> anyhow::Result<()> {
    let page = RunLog::open(folder)
        .map_err(anyhow::Error::from)
        .and_then(|run| report::write(&run, results));
    let page = page.context(
        "the results are in the log; `rolecall report RUN --write` writes their report again",
    )?;
    if arguments.json {
        return Ok(());
    }
    output::emit(&format!("report: {}\n", visible(&page.to_string_lossy())))
}

/// How to find out why episodes broke; nothing if none did.
fn why_broken(results: &[EpisodeResult], cells: &[CellName], place: &str) -> String {
    let broken = results
        .iter()
        .filter(|result| result.standing() == Standing::Broken);
    let order = |id: &EpisodeId| (cells.iter().position(|cell| *cell == id.cell), id.clone());
    let first = broken
        .map(|result| &result.episode)
        .min_by_key(|id| order(id));
    first.map_or_else(String::new, |id| {
        format!("why the first of them broke: rolecall show {place} {id}\n")
    })
}

/// The folder of a new run: `<logs>/<name>`, or, unless the name was asked for on the command
/// line, `<logs>/<name>-2` and so on if that exists.
pub(crate) fn new_folder(plan: &Plan, named: bool) -> anyhow::Result<PathBuf> {
    let first = plan.run.logs.join(&plan.name);
    if named {
        return Ok(first);
    }
    let further = (2..100_000).map(|number| plan.run.logs.join(format!("{}-{number}", plan.name)));
    std::iter::once(first)
        .chain(further)
        .find(|folder| !folder.exists())
        .with_context(|| format!("`{}` is full of runs of this name", plan.run.logs.display()))
}
