//! `rolecall export`: runs as trainers and other programs read them.

mod arguments;
mod chosen;
mod logs;

use std::fs::{self, File};
use std::io::{BufWriter, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;

pub(crate) use self::arguments::ExportArguments;
use self::arguments::ExportFormat;
use self::chosen::Chosen;
use super::progress::{bar, prepare};
use super::reload_plan::{ReloadedPlan, reload_plan};
use super::replay::print_changes;
use super::{diagnostics, output, runs};
use crate::config::Absent;
use crate::domain::Seat;
use crate::export::{Marking, PlayedRun, RowMaker};
use crate::log::RunRecord;
use crate::registry::Registry;
use crate::text::{counted, visible};
use crate::world::Unfinished;

/// A run with the episodes of it that are exported.
struct Source {
    run: PlayedRun,
    chosen: Chosen,
}

/// Writes what is asked for beside its place, and moves it there when all is written.
pub(crate) fn execute(arguments: &ExportArguments) -> anyhow::Result<ExitCode> {
    diagnostics::trace_panics();
    logs::check(arguments)?;
    let sources = arguments.runs.iter().map(|run| open(run, arguments));
    let sources: Vec<Source> = sources.collect::<anyhow::Result<_>>()?;
    let episodes = sources
        .iter()
        .map(|source| source.chosen.results.len())
        .sum();
    let progress = bar(
        episodes,
        "episodes exported",
        std::io::stderr().is_terminal(),
    );
    if arguments.logs.endpoint.is_some() {
        return logs::send(&sources, arguments, episodes as u64, &progress);
    }
    let written = Unfinished::file(&arguments.out, |folder| {
        fs::create_dir(folder)?;
        match arguments.format {
            ExportFormat::Rows => rows(&sources, arguments, folder, &|| progress.inc(1)),
            ExportFormat::Inspect => {
                logs::inspect(&sources, arguments, folder, &|| progress.inc(1))
            }
            ExportFormat::Otlp => logs::traces(&sources, arguments, folder, &|| progress.inc(1)),
        }
    });
    progress.finish_and_clear();
    let rows = written?;
    output::succeed(&format!(
        "{} of {} in {}\n",
        arguments.format.counted(rows),
        counted(episodes as u64, "episode", "episodes"),
        output::shown(&arguments.out)
    ))
}

fn open(folder: &Path, arguments: &ExportArguments) -> anyhow::Result<Source> {
    let log = runs::open(folder)?;
    let chosen = Chosen::of(arguments, &log)?;
    let ReloadedPlan { resolved, changes } =
        reload_plan(log.folder(), &arguments.sets, &[], Absent::Taken)?;
    print_changes(&changes);
    prepare(&resolved.plan, false)?;
    let run = PlayedRun::new(log, resolved.plan, Registry::standard().measured());
    Ok(Source { run, chosen })
}

/// What is trained of a run. A seat that it does not have is an error that names those it has.
fn marking(arguments: &ExportArguments, record: &RunRecord) -> anyhow::Result<Marking> {
    let known: Vec<&str> = record.seats.iter().map(Seat::as_str).collect();
    let seat = |name: &String| {
        let found = record.seats.iter().find(|seat| seat.as_str() == name);
        found.cloned().with_context(|| {
            let instead = output::instead(name, &known);
            format!("this run has no seat `{}`{instead}", visible(name))
        })
    };
    let seats = arguments.rows.seat.iter().map(seat);
    Ok(Marking {
        seats: seats.collect::<anyhow::Result<_>>()?,
        models: arguments.rows.model.clone(),
    })
}

fn rows(
    sources: &[Source],
    arguments: &ExportArguments,
    folder: &Path,
    done: &dyn Fn(),
) -> anyhow::Result<u64> {
    let mut file = BufWriter::new(File::create_new(folder.join("rows.jsonl"))?);
    let mut count = 0;
    for Source { run, chosen } in sources {
        let maker = RowMaker::new(run, marking(arguments, run.log().record())?)?;
        let work = |episode| -> anyhow::Result<_> { Ok(maker.rows(&episode)?) };
        run.over_episodes(&chosen.ids(), work, |made| {
            for row in &made.rows {
                serde_json::to_writer(&mut file, row)?;
                file.write_all(b"\n")?;
                count += 1;
            }
            done();
            Ok(())
        })?;
    }
    file.flush()?;
    Ok(count)
}
