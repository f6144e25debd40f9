//! `rolecall reproduce`: plays the config of a paper's table, and sets our figures beside the
//! published ones.

mod arguments;
mod differences;
mod figures;
mod orders;
mod samples;
mod seats;
mod tables;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};

pub(crate) use self::arguments::ReproduceArguments;
use self::figures::Known;
use self::orders::orders;
use self::samples::Samples;

use super::beginning::begin;
use super::bert_score::BertScore;
use super::model_client::{client_of, model_client};
use super::playing::Playing;
use super::reload_plan::reload_plan;
use super::resume::{prepare, refusal};
use super::{output, progress, runs};
use rolecall_core::evaluation::{EpisodeResult, Standing, in_order};
use rolecall_core::files;
use rolecall_core::log::{RunFolder, RunLog, RunRecord};
use rolecall_core::reports::{ReproducedRow, Reproduction, html};
use rolecall_core::text::shell_path;
use rolecall_run::config::{Absent, PaperTable, Resolved, load};
use rolecall_run::registry::Registry;
use rolecall_run::runtime::open_files;

/// The table as Markdown, in the folder of its run.
const MARKDOWN: &str = "reproduction.md";
/// The table as a page.
const PAGE: &str = "reproduction.html";
/// The command that goes on with a run that was stopped.
const GO_ON: &str = "rolecall reproduce --run";

/// Plays what is to be played, and prints the table.
pub(crate) fn execute(arguments: &ReproduceArguments, verbose: u8, registry: &Registry) -> anyhow::Result<ExitCode> {
    match (&arguments.run, &arguments.name_or_config) {
        (Some(run), _) => of_run(run, arguments, verbose, registry),
        (None, Some(name)) => {
            let config = tables::find(name, &std::env::current_dir()?)?;
            play_anew(&config, arguments, verbose, registry)
        }
        (None, None) => output::succeed(&tables::list(&std::env::current_dir()?)),
    }
}

/// Plays the config in a run of its own.
fn play_anew(
    config: &Path,
    arguments: &ReproduceArguments,
    verbose: u8,
    registry: &Registry,
) -> anyhow::Result<ExitCode> {
    let mut resolved = load(&arguments.request(config)?, registry.clone())?;
    let table = table_of(&mut resolved, config, registry)?;
    // Before anything is played for a column that nobody could fill.
    bert_score(&resolved, arguments, registry)?;
    resolved.pin()?;
    resolved.plan.check_keys()?;
    open_files::prepare(&resolved.plan)?;
    progress::prepare(&resolved.plan, arguments.quiet)?;
    let writer = begin(&mut resolved, arguments.name.is_some())?;
    let playing = Playing::new(resolved.plan.clone(), writer, registry);
    play(playing, &table, &resolved, arguments, verbose, registry)
}

/// Prints the table of a run that there is. One that is unfinished is gone on with first.
fn of_run(run: &Path, arguments: &ReproduceArguments, verbose: u8, registry: &Registry) -> anyhow::Result<ExitCode> {
    if !arguments.with.is_empty() && arguments.embeddings.is_none() {
        bail!("`--with` changes nothing of a run that there is; with --embeddings it describes the model");
    }
    let name = runs::folder(run)?;
    let record = RunRecord::read(&name)?;
    if let Some(results) = runs::whole_results(&name, &record) {
        let mut resolved = reload_plan(&name, &arguments.settings(), &[], Absent::Refused, registry)?.resolved;
        let table = table_of(&mut resolved, run, registry)?;
        return tell(&name, &results, &table, &resolved, arguments, registry);
    }
    let folder = RunFolder::lock(&name)?;
    let reloaded = reload_plan(&name, &arguments.settings(), &[], Absent::Refused, registry)?;
    if let Some(refusal) = refusal(&reloaded.changes) {
        let run = shell_path(&name);
        bail!("{refusal}\nhere: rolecall resume {run} --accept-changes");
    }
    let mut resolved = reloaded.resolved;
    let table = table_of(&mut resolved, run, registry)?;
    let playing = prepare(folder, &resolved, &reloaded.changes, arguments.quiet, registry)?;
    play(playing, &table, &resolved, arguments, verbose, registry)
}

fn table_of(resolved: &mut Resolved, what: &Path, registry: &Registry) -> anyhow::Result<PaperTable> {
    let table = resolved.table.take().ok_or_else(|| {
        anyhow!(
            "the config of `{}` has no `[table]`, which says what is published and which cells \
             stand for it (docs/configs.md)",
            what.display()
        )
    })?;
    samples::check(&table, registry)?;
    Ok(table)
}

fn play(
    playing: Playing,
    table: &PaperTable,
    resolved: &Resolved,
    arguments: &ReproduceArguments,
    verbose: u8,
    registry: &Registry,
) -> anyhow::Result<ExitCode> {
    let over = playing.through(arguments.quiet, verbose)?;
    let stopped = over.note_what_is_left(GO_ON);
    let folder = over.folder.clone();
    let results = over.results().to_vec();
    over.finish(!stopped)?;
    if stopped {
        return Ok(ExitCode::FAILURE);
    }
    tell(&folder, &results, table, resolved, arguments, registry)
}

/// The model that compares responses with their references, if one is given: of the run's own config, or, of
/// a run that there is, of the last config that is given.
fn bert_score(
    resolved: &Resolved,
    arguments: &ReproduceArguments,
    registry: &Registry,
) -> anyhow::Result<Option<BertScore>> {
    let Some(name) = &arguments.embeddings else {
        return Ok(None);
    };
    let model = match arguments.with.last().filter(|_| arguments.run.is_some()) {
        Some(config) => model_client(config, &[], name, registry),
        None => client_of(resolved, name),
    };
    Ok(Some(BertScore::by(model?, arguments.layer, registry)))
}

/// Fills a table in, from results in canonical order, and with the cells that are played by rules alone.
/// The seats stay open.
fn reproduction(
    run: &str,
    table: &PaperTable,
    results: &[&EpisodeResult],
    samples: &Samples,
    by_rules: &BTreeSet<&str>,
) -> Reproduction {
    let known = Known { table, results, samples, by_rules };
    let rows: Vec<ReproducedRow> = table.rows.iter().map(|row| known.filled(row)).collect();
    let columns = table.columns.iter();
    Reproduction {
        run: run.to_owned(),
        title: table.title.clone(),
        paper: table.paper.clone(),
        columns: columns.map(|column| column.name.clone()).collect(),
        orders: orders(&known, &rows),
        notes: known.notes(&rows),
        rows,
        seats: Vec::new(),
    }
}

/// Prints the table and writes it into the run's folder.
fn tell(
    folder: &Path,
    results: &[EpisodeResult],
    table: &PaperTable,
    resolved: &Resolved,
    arguments: &ReproduceArguments,
    registry: &Registry,
) -> anyhow::Result<ExitCode> {
    let run = RunLog::open(folder)?;
    let ordered = in_order(results, &run.record().cells);
    let samples = Samples::read(&run, table, bert_score(resolved, arguments, registry)?, registry)?;
    let by_rules = seats::by_rules(&resolved.record);
    let found = Reproduction {
        seats: seats::seats(&resolved.record),
        ..reproduction(&run.record().name, table, &ordered, &samples, &by_rules)
    };
    let page = html::reproduction(&found);
    for (file, text) in [(MARKDOWN, found.markdown()), (PAGE, page)] {
        let path = folder.join(file);
        files::replace(&path, text.as_bytes())
            .with_context(|| format!("the table `{}` cannot be written", path.display()))?;
    }
    if arguments.json {
        output::emit_json(&format!("{}\n", found.json()))?;
    } else if arguments.markdown {
        output::emit(&found.markdown())?;
    } else {
        let (run, pasted) = (output::shown(folder), shell_path(folder));
        output::emit(&found.text(&output::layout()))?;
        output::emit(&format!("\nlog: {run} (look into it: rolecall report {pasted})\ntable: {run}/{PAGE}\n"))?;
    }
    let apart = ordered.iter().any(|result| result.standing() != Standing::Counted);
    Ok(ExitCode::from(u8::from(apart)))
}
