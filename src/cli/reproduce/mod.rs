//! `rolecall reproduce`: plays the config of a paper's table, and sets our figures beside the
//! published ones.

mod figures;
mod orders;
mod samples;
mod seats;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{anyhow, bail};
use clap::Args;

use self::figures::Known;
use self::orders::orders;
use self::samples::Samples;
use crate::beginning::begin;
use crate::bert_score::BertScore;
use crate::config_arguments::{flag, request_for, setting};
use crate::configs::{list_paper_tables, paper_table};
use crate::model_client::{client_of, model_client};
use crate::playing::Playing;
use crate::reload_plan::{ReloadedPlan, reload_plan};
use crate::resume::{prepare, reopen};
use crate::{output, progress, runs};
use rolecall_core::evaluation::{EpisodeResult, Standing, in_order};
use rolecall_core::log::{RunLog, RunRecord};
use rolecall_core::reports::{ReproducedRow, Reproduction, html};
use rolecall_core::text::shell_path;
use rolecall_run::config::{Absent, PaperTable, Request, Resolved, load};
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
            let config = paper_table(name, &std::env::current_dir()?)?;
            play_anew(&config, arguments, verbose, registry)
        }
        (None, None) => output::succeed(&list_paper_tables(&std::env::current_dir()?)),
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
    let (folder, ReloadedPlan { mut resolved, changes }) = reopen(&name, &arguments.settings(), registry)?;
    let table = table_of(&mut resolved, run, registry)?;
    let playing = prepare(folder, &resolved, &changes, arguments.quiet, registry)?;
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
    Reproduction {
        run: run.to_owned(),
        title: table.title.clone(),
        paper: table.paper.clone(),
        columns: table.columns.iter().map(|column| column.name.clone()).collect(),
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
    output::save("the table ", &folder.join(MARKDOWN), found.markdown())?;
    output::save("the table ", &folder.join(PAGE), html::reproduction(&found))?;
    if arguments.json {
        output::emit_json(found.json())?;
    } else if arguments.markdown {
        output::emit(&found.markdown())?;
    } else {
        let (run, pasted) = (output::shown(folder), shell_path(folder));
        output::emit(&found.text(&output::layout()))?;
        output::emit(&format!("\nlog: {run} (look into it: rolecall report {pasted})\ntable: {run}/{PAGE}\n"))?;
    }
    output::exit_code(ordered.iter().any(|result| result.standing() != Standing::Counted))
}

/// The arguments of `reproduce`.
#[derive(Args, Debug)]
pub(crate) struct ReproduceArguments {
    /// The table, for instance respact-table1, or a config with a [table]; without it, the tables
    /// are listed
    #[arg(value_name = "NAME|CONFIG")]
    name_or_config: Option<PathBuf>,
    /// Print the table of a run that there is; one that is unfinished is gone on with first
    #[arg(long, value_name = "RUN", conflicts_with = "name_or_config")]
    #[arg(conflicts_with_all = ["sets", "models", "name", "logs", "limit", "seed"])]
    run: Option<PathBuf>,
    /// Lay another config file over it, for instance one of configs/models; may be given several
    /// times
    #[arg(long, value_name = "FILE")]
    with: Vec<PathBuf>,
    /// Change one key of the config; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// The model of a role, or of the user, in every cell; may be given several times
    #[arg(long = "model", value_name = "ROLE=NAME")]
    models: Vec<String>,
    /// Name of the run; its log goes to a folder of this name
    #[arg(long)]
    name: Option<String>,
    /// Folder under which the run's folder is made
    #[arg(long, value_name = "DIR")]
    logs: Option<String>,
    /// Play only the first N tasks of each cell
    #[arg(long, value_name = "N")]
    limit: Option<i64>,
    /// The seed from which all others are derived
    #[arg(long, value_name = "N")]
    seed: Option<i64>,
    /// Episodes that are alive at the same time
    #[arg(long, value_name = "N")]
    concurrency: Option<i64>,
    /// Fill columns of BERTScore by the vectors of this model of the config; with --run, of a config that is
    /// given with --with
    #[arg(long, value_name = "MODEL")]
    embeddings: Option<String>,
    /// The layer that the vectors are of: BERTScore is rescaled if a baseline of model, layer and
    /// language is known
    #[arg(long, value_name = "N", requires = "embeddings")]
    layer: Option<usize>,
    /// Print the table as one JSON object
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print the table as Markdown
    #[arg(long)]
    markdown: bool,
    /// Print nothing while the run goes on
    #[arg(long, short)]
    quiet: bool,
}

impl ReproduceArguments {
    /// The request to resolve the config with these options.
    fn request(&self, config: &Path) -> anyhow::Result<Request> {
        let flags = [
            flag("--name", "name", self.name.as_deref()),
            flag("--logs", "run.logs", self.logs.as_deref()),
            flag("--concurrency", "run.concurrency", self.concurrency),
            flag("--limit", "tasks.limit", self.limit),
            flag("--seed", "seed", self.seed),
        ];
        Ok(Request {
            with: self.with.clone(),
            sets: self.sets.clone(),
            models: self.models.clone(),
            flags: flags.into_iter().flatten().collect(),
            ..request_for(config)?
        })
    }

    /// The settings with which a run is gone on with.
    fn settings(&self) -> Vec<String> {
        self.concurrency.map(|number| setting("run.concurrency", number)).into_iter().collect()
    }
}
