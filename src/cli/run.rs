//! `rolecall run`: plays the episodes of a config and prints what came of it.

use std::fs::File;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;

use super::arguments::RunArguments;
use super::progress::Progress;
use super::{diagnostics, output, report, signals};
use crate::config::{Plan, load};
use crate::domain::{CellName, EpisodeId};
use crate::evaluation::{EpisodeResult, Standing, Summary};
use crate::log::{LogWriter, RunLog, RunRecord, TRACE, read_timings};
use crate::registry::Registry;
use crate::reports;
use crate::runtime::{Launch, Launched};
use crate::text::{counted, visible};
use crate::users::human;

/// Plays the config.
pub(crate) fn execute(arguments: &RunArguments, verbose: u8) -> anyhow::Result<ExitCode> {
    let resolved = load(&arguments.request()?, Registry::standard())?;
    if !resolved.notes.is_empty() && !arguments.quiet {
        let parts = counted(resolved.notes.len() as u64, "part", "parts");
        output::note(&format!(
            "{parts} of the config left out (`rolecall check` with the same options says which)"
        ));
    }
    let plan = Arc::new(resolved.plan);
    let folder = run_folder(&plan, arguments.name.is_some())?;
    let writer = LogWriter::create(&folder, &plan.record)?;
    diagnostics::start(verbose, File::create(folder.join(TRACE)).ok());
    diagnostics::trace_panics();
    let (episodes, shown) = (plan.episodes(), folder.display());
    tracing::info!(run = %visible(&shown.to_string()), episodes, "run begins");
    let launch = Launch::new(Arc::clone(&plan), &writer, Registry::standard().measured());
    let stop = launch.stop.clone();
    signals::listen(stop.clone(), writer.handle());
    let terminal = std::io::stderr().is_terminal();
    // A bar would be drawn over the question that somebody is about to answer.
    let silent = arguments.quiet || asks_a_person(&plan);
    let mut progress = Progress::new(plan.episodes(), terminal, silent, !arguments.quiet);
    let launched = launch.run(&mut progress);
    progress.finish();
    let written = writer.close();
    let launched = launched?;
    let (episodes, events) = (launched.results.len(), launched.events);
    tracing::info!(episodes, events, "run ends");
    let code = finish(arguments, &plan, &folder, &launched, stop.is_cancelled())?;
    written.with_context(|| format!("the log of the run is incomplete: `{}`", folder.display()))?;
    if !arguments.no_report {
        write_report(arguments, &folder, &launched)?;
    }
    Ok(code)
}

/// Whether somebody at the terminal takes part.
fn asks_a_person(plan: &Plan) -> bool {
    let mut users = plan.cells.iter().flat_map(|cell| &cell.users);
    users.any(|user| user.kind == human::NAME)
}

/// Prints the result and decides on the exit code.
fn finish(
    arguments: &RunArguments,
    plan: &Plan,
    folder: &Path,
    launched: &Launched,
    stopped: bool,
) -> anyhow::Result<ExitCode> {
    let cells: Vec<CellName> = plan.cells.iter().map(|cell| cell.name.clone()).collect();
    let mut summary = Summary::of(&launched.results, &cells);
    if plan.models.iter().next().is_some() {
        let currency = RunRecord::read(folder)?.currency;
        summary
            .models
            .explain(currency, &read_timings(folder), &cells);
    }
    let place = folder.display().to_string();
    if arguments.json {
        output::emit(&format!("{}\n", reports::json::object(&place, &summary)))?;
    } else {
        output::emit(&reports::summary(&summary, &output::layout()))?;
        let shown = visible(&place);
        output::emit(&why_broken(&launched.results, &cells, &shown))?;
        output::emit(&format!(
            "\nlog: {shown} (look into it: rolecall show {shown})\n"
        ))?;
    }
    for (model, why) in &launched.lost {
        output::note(&format!(
            "the run ends early because of the model `{model}`: {why}"
        ));
    }
    if stopped {
        output::note(&format!(
            "the run was stopped: {} of {} episodes were begun",
            launched.results.len(),
            launched.planned
        ));
    }
    let apart = summary.total.episodes - summary.total.counted;
    Ok(ExitCode::from(u8::from(apart > 0 || stopped)))
}

/// Writes the reports of what was played. Last of all: nothing is lost if it fails.
fn write_report(
    arguments: &RunArguments,
    folder: &Path,
    launched: &Launched,
) -> anyhow::Result<()> {
    let page = RunLog::open(folder)
        .map_err(anyhow::Error::from)
        .and_then(|run| report::write(&run, &launched.results));
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
fn run_folder(plan: &Plan, named: bool) -> anyhow::Result<PathBuf> {
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
