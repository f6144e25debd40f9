//! `rolecall merge`: makes one run of what was played in several places.

use std::collections::BTreeMap;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use rustc_hash::FxHashSet;
use toml::Table;

use super::beginning::here;
use super::config_arguments::working;
use super::playing::PlayArguments;
use super::progress::{bar, watched};
use super::resume::{first_of, results};
use super::{output, report, runs};
use rolecall_core::domain::SCHEMA;
use rolecall_core::evaluation::recorded_or_measured;
use rolecall_core::files;
use rolecall_core::log::{
    Batch, LogSettings, LogWriter, RUN, RunFolder, RunLog, RunRecord, WorkerRecord, episodes_of_workers, is_free,
    with_workers,
};
use rolecall_core::reports;
use rolecall_core::text::{counted, shell_path, visible};
use rolecall_doors::machines::merge::{Merged, Merger, RunPart, merge};
use rolecall_run::config::{changes, merged_record};
use rolecall_run::registry::Registry;

/// The arguments of `merge`.
#[derive(Args, Debug)]
pub(crate) struct MergeArguments {
    /// The run that all becomes part of: its folder, or a name below `logs`; made if it is not there
    run: PathBuf,
    /// Folders of runs: shards, spools of workers, copies; in any order, and some may be missing
    #[arg(required = true, value_name = "PART")]
    parts: Vec<PathBuf>,
    #[command(flatten)]
    play: PlayArguments,
}

/// A part with its record.
struct Part {
    folder: PathBuf,
    record: RunRecord,
    table: Table,
}

/// Merges the parts and prints the results of the run.
pub(crate) fn execute(arguments: &MergeArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    let folder = merged_folder(&arguments.run);
    let parts = parts(&arguments.parts, &folder)?;
    let begun = !is_free(&folder);
    let there = begun.then(|| Part::read(folder.clone())).transpose()?;
    let first = there.as_ref().or(parts.first()).context("nothing was played in any part")?;
    parts.iter().try_for_each(|part| check_same(first, part, registry))?;
    let writer = match begun {
        true => take_up(&folder, &first.table, registry)?,
        false => begin(&folder, first)?,
    };
    let mut merger = Merger::new(&writer, &RunLog::open(&folder)?)?;
    let progress = bar(0, "episodes merged", arguments.play.quiet);
    let merged = output::runtime()?.block_on(async {
        let of = |part: &Part| RunPart { folder: part.folder.clone(), worker: part.record.name.clone() };
        let of: Vec<RunPart> = parts.iter().map(of).collect();
        let mut watch = |seen, all| {
            progress.set_length(all);
            progress.set_position(seen);
        };
        let merged = merge(&mut merger, &of, &registry.measured(), &mut watch).await;
        writer.handle().append_durably(Batch::default()).await?;
        anyhow::Ok(merged?)
    });
    progress.finish_and_clear();
    name_workers(&folder, there.iter().chain(&parts))?;
    let closed = merger.closed() as u64;
    writer.close()?;
    let merged = merged?;
    if !arguments.play.quiet {
        output::remark(&summed_up(&merged, parts.len()));
    }
    finish(&folder, closed, &arguments.play, registry)
}

/// The folder of the run that is merged into.
fn merged_folder(run: &Path) -> PathBuf {
    runs::folder(run).unwrap_or_else(|_| match run.components().count() {
        1 => Path::new(runs::LOGS).join(run),
        _ => run.to_owned(),
    })
}

/// The parts in the order of their paths, each once, without the run itself.
fn parts(paths: &[PathBuf], run: &Path) -> anyhow::Result<Vec<Part>> {
    let mut folders = Vec::new();
    for path in paths {
        let folder = runs::folder(path)?;
        if RunRecord::is_unbegun(&folder) {
            output::remark(&format!("nothing was played in `{}`", output::shown(&folder)));
            continue;
        }
        folders.push(folder);
    }
    folders.sort();
    let mut seen = FxHashSet::from_iter([runs::whole(run)]);
    folders.retain(|folder| seen.insert(runs::whole(folder)));
    folders.into_iter().map(Part::read).collect()
}

impl Part {
    fn read(folder: PathBuf) -> anyhow::Result<Self> {
        let record = RunRecord::read(&folder)?;
        let table: Table = runs::record_text(&folder)?.parse()?;
        if table.contains_key("serve") {
            bail!(
                "`{}` was played with clients: its episodes have the names of others', so that it cannot be merged",
                output::shown(&folder)
            );
        }
        Ok(Self { folder, record, table })
    }
}

/// Checks that a part is of the same run as the first one.
fn check_same(first: &Part, part: &Part, registry: &Registry) -> anyhow::Result<()> {
    let mut found = changes(&first.table, &part.table, registry);
    found.retain(|change| !change.key.starts_with("workers"));
    let mut different = first_of(&found);
    if first.table.get("parent") != part.table.get("parent") {
        different.push("  they branched off from other runs, or at other points".to_owned());
    }
    if different.is_empty() {
        return Ok(());
    }
    bail!(
        "`{}` is not of the same run as `{}`:\n{}\nmerge what was played with the same config, seed, data and version",
        output::shown(&part.folder),
        output::shown(&first.folder),
        different.join("\n")
    )
}

/// Puts a run right that parts are to be added to.
fn take_up(folder: &Path, table: &Table, registry: &Registry) -> anyhow::Result<LogWriter> {
    if let Some(shard) = table.get("run").and_then(|run| run.get("shard")?.as_str()) {
        bail!("`{}` is itself shard {} of a run: merge into another folder", output::shown(folder), visible(shard));
    }
    let mut locked = RunFolder::lock(folder)?;
    for repair in locked.repair()? {
        output::remark(&format!("repaired: {}", visible(&repair.to_string())));
    }
    let log = RunLog::open(folder)?;
    if let Some(repair) = locked.check_closed(&log)? {
        output::remark(&format!("repaired: {}", visible(&repair.to_string())));
    }
    let mut closed = std::collections::BTreeSet::new();
    for id in log.ids() {
        if log.is_closed(id)? {
            closed.insert(id.clone());
        }
    }
    results(&log, |id| closed.contains(id), &locked, registry)?;
    Ok(locked.writer(&settings(table))?)
}

/// Makes the folder of a run that a part belongs to.
fn begin(folder: &Path, part: &Part) -> anyhow::Result<LogWriter> {
    let record = merged_record(&part.table, &part.folder, &here(folder)?, &working()?)
        .map_err(|problem| anyhow!("`{}` cannot be merged: {problem}", output::shown(&part.folder)))?;
    let schema = record.parse::<Table>()?.get("schema").and_then(toml::Value::as_integer);
    let settings = LogSettings { many: schema > Some(i64::from(SCHEMA)), ..settings(&part.table) };
    Ok(LogWriter::create(folder, &record, &settings)?)
}

/// The way in which the files of a run are written, by its record.
fn settings(table: &Table) -> LogSettings {
    let usual = LogSettings::default();
    let size = table.get("run").and_then(|run| run.get("segment_mb")?.as_integer());
    let size = size.and_then(|size| u64::try_from(size).ok()).filter(|size| *size > 0);
    LogSettings {
        segment_bytes: size.map_or(usual.segment_bytes, |size| size.saturating_mul(1 << 20)),
        private: table.contains_key("models") || table.contains_key("parent"),
        ..usual
    }
}

/// Writes down who played the episodes. The writer has the lock.
fn name_workers<'a>(folder: &Path, parts: impl Iterator<Item = &'a Part>) -> anyhow::Result<()> {
    let mut known: BTreeMap<String, WorkerRecord> = BTreeMap::new();
    for part in parts {
        for worker in &part.record.workers {
            known.entry(worker.name.clone()).or_insert_with(|| worker.clone());
        }
        let name = &part.record.name;
        known.entry(name.clone()).or_insert_with(|| WorkerRecord {
            name: name.clone(),
            version: part.record.version.clone().unwrap_or_default(),
            ..WorkerRecord::default()
        });
    }
    let counts = episodes_of_workers(folder);
    let workers: Vec<WorkerRecord> = known
        .into_values()
        .map(|worker| WorkerRecord { episodes: counts.get(&worker.name).copied().unwrap_or_default(), ..worker })
        .filter(|worker| worker.episodes > 0 || worker.lost || worker.late > 0)
        .collect();
    let path = folder.join(RUN);
    let text = with_workers(&runs::record_text(folder)?, &workers)
        .map_err(|problem| anyhow!("`{}`: {problem}", path.display()))?;
    files::replace(&path, text.as_bytes()).with_context(|| format!("`{}` cannot be changed", path.display()))
}

fn summed_up(merged: &Merged, parts: usize) -> String {
    let mut text = format!(
        "merged {}: {} added",
        counted(parts as u64, "part", "parts"),
        counted(merged.added, "episode", "episodes")
    );
    if merged.equal > 0 {
        text += &format!(", {} there already", merged.equal);
    }
    if merged.other > 0 {
        text += &format!(
            ", {} left out that the run has with other answers from outside",
            counted(merged.other, "version", "versions")
        );
    }
    text
}

/// Prints the results of the run, writes its report, and says how to go on if episodes are missing.
fn finish(folder: &Path, closed: u64, play: &PlayArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    let run = watched(RunLog::open(folder)?);
    // It only helps.
    let _ = run.write_index();
    let results = recorded_or_measured(&run, &registry.measured())?;
    let cells = &run.record().cells;
    let mut summary = report::summary(&results, cells, None, registry);
    summary.models.explain(run.record().currency.clone(), &run.timings(), cells);
    let pasted = shell_path(folder);
    if play.json {
        output::emit_json(reports::json::object(&folder.display().to_string(), &summary))?;
    } else {
        let log = format!("\nlog: {} (look into it: rolecall show {pasted})\n", output::shown(folder));
        output::emit(&(reports::summary(&summary, &output::layout()) + &log))?;
    }
    let planned = run.record().episodes.unwrap_or(closed);
    let missing = planned.saturating_sub(closed);
    if missing > 0 {
        output::remark(&format!(
            "{} of {planned} are missing: merge more parts into it, or play them here: rolecall resume {pasted}",
            counted(missing, "episode", "episodes")
        ));
    }
    if !play.no_report {
        let page = report::write(&run, &results, registry)?;
        if !play.json {
            output::emit(&format!("report: {}\n", output::shown(&page)))?;
        }
    }
    output::exit_code(summary.total.episodes > summary.total.counted || missing > 0)
}
