//! `rolecall export`: runs as trainers and other programs read them.

mod arguments;
mod chosen;
mod logs;
mod rows;

use std::fs;
use std::io::IsTerminal;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use indicatif::ProgressBar;

pub(crate) use self::arguments::ExportArguments;
use self::chosen::Chosen;
use super::progress::{bar, prepare};
use super::reload_plan::{ReloadedPlan, reload_plan};
use super::replay::print_changes;
use super::{diagnostics, output, runs};
use rolecall_core::domain::Seat;
use rolecall_core::evaluation::EpisodeResult;
use rolecall_core::log::RunRecord;
use rolecall_core::text::visible;
use rolecall_core::world::Unfinished;
use rolecall_doors::export::{Marking, PlayedRun};
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
    let sources = runs.into_iter().map(|run| open(run, arguments, registry));
    let sources: Vec<Source> = sources.collect::<anyhow::Result<_>>()?;
    let episodes = sources.iter().map(|source| source.chosen.results.len());
    let terminal = std::io::stderr().is_terminal();
    let progress = bar(episodes.sum(), "episodes exported", terminal);
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
    let place = output::shown(out);
    output::succeed(&format!("{} in {place}\n", written?))
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
    let metrics = match arguments.format.is_log() {
        true => registry.measured(),
        false => Vec::new(),
    };
    let run = PlayedRun::new(log, resolved.plan, metrics);
    Ok(Source { run, chosen })
}

impl Source {
    /// What is trained of the run. A seat that it does not have is an error that names those it has.
    fn marking(&self, arguments: &ExportArguments) -> anyhow::Result<Marking> {
        let RunRecord { seats, .. } = self.run.log().record();
        let known: Vec<&str> = seats.iter().map(Seat::as_str).collect();
        let seat = |name: &String| {
            seats.iter().find(|seat| seat.as_str() == name).cloned().with_context(|| {
                let instead = output::instead(name, &known);
                format!("this run has no seat `{}`{instead}", visible(name))
            })
        };
        let seats = arguments.rows.seat.iter().map(seat);
        Ok(Marking { seats: seats.collect::<anyhow::Result<_>>()?, models: arguments.rows.model.clone() })
    }

    fn name(&self) -> &str {
        &self.run.log().record().name
    }

    fn results(&self) -> &[EpisodeResult] {
        &self.chosen.results
    }
}
