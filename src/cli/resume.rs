//! `rolecall resume`: goes on with a run that was interrupted, in any way.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use rustc_hash::{FxHashMap, FxHashSet};
use toml::{Table, Value};

use crate::branch::forked;
use crate::config_arguments::{refuse_absent, setting};
use crate::playing::{PlayArguments, Playing};
use crate::queue::Queued;
use crate::reload_plan::{ReloadedPlan, reload_plan};
use crate::serve::beside::{ANYWHERE, Beside};
use crate::{output, progress, runs};
use rolecall_core::domain::EpisodeId;
use rolecall_core::evaluation::{
    EpisodeResult, ResultFiles, Seal, Standing, Stored, StoredResult, difference, measure,
};
use rolecall_core::log::{RESULTS, RunFolder, RunLog};
use rolecall_core::maps::ordered;
use rolecall_core::text::{counted, shell_path, visible};
use rolecall_run::config::{Absent, Change, Plan, Resolved};
use rolecall_run::registry::Registry;
use rolecall_run::runtime::{Replay, ResumeState, open_files, replay_run};

/// The arguments of `resume`.
#[derive(Args, Debug)]
pub(crate) struct ResumeArguments {
    /// The run's folder, or its name below `logs`
    run: PathBuf,
    /// Go on although the config, a prompt or the data changed; run.toml notes what did
    #[arg(long)]
    accept_changes: bool,
    /// Change one key of the config; may be given several times (needs --accept-changes if it can
    /// change a result)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// The model of a role, or of the user, in every cell (needs --accept-changes)
    #[arg(long = "model", value_name = "ROLE=NAME")]
    models: Vec<String>,
    /// Episodes that are alive at the same time
    #[arg(long, value_name = "N")]
    concurrency: Option<i64>,
    /// Threads that run actors
    #[arg(long, value_name = "N")]
    arbiters: Option<i64>,
    /// Serve pages on which the run can be watched, and people take their seats, as with `run`
    #[arg(long, value_name = "HOST:PORT", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = ANYWHERE)]
    serve: Option<String>,
    #[command(flatten)]
    play: PlayArguments,
}

impl ResumeArguments {
    /// The settings that are laid over those that the run was started with.
    fn settings(&self) -> Vec<String> {
        let mut settings = self.sets.clone();
        settings.extend(self.concurrency.map(|number| setting("run.concurrency", number)));
        settings.extend(self.arbiters.map(|number| setting("run.arbiters", number)));
        settings
    }
}

/// Changes that are listed at most when a run is refused for them.
const MOST_LISTED: usize = 10;

/// Puts the folder right, goes through what was begun again, and plays the rest.
pub(crate) fn execute(arguments: &ResumeArguments, verbose: u8, registry: &Registry) -> anyhow::Result<ExitCode> {
    let name = runs::folder(&arguments.run)?;
    let folder = RunFolder::lock(&name)?;
    let ReloadedPlan { resolved, changes } =
        reload_plan(&name, &arguments.settings(), &arguments.models, Absent::Refused, registry)?;
    refuse_absent(&resolved, arguments.serve.is_some())?;
    if let Some(refusal) = refusal(&changes).filter(|_| !arguments.accept_changes) {
        bail!(refusal);
    }
    let playing = prepare(folder, &resolved, &changes, arguments.play.quiet, registry)?;
    Beside::play(arguments.serve.as_deref(), playing, &resolved.record, &arguments.play, verbose)
}

/// Locks a run and reloads its plan, with further settings; fails if more than its version changed.
pub(crate) fn reopen(
    folder: &Path,
    settings: &[String],
    registry: &Registry,
) -> anyhow::Result<(RunFolder, ReloadedPlan)> {
    let locked = RunFolder::lock(folder)?;
    let reloaded = reload_plan(folder, settings, &[], Absent::Refused, registry)?;
    if let Some(refusal) = refusal(&reloaded.changes) {
        bail!("{refusal}\nhere: rolecall resume {} --accept-changes", shell_path(folder));
    }
    Ok((locked, reloaded))
}

/// The rest of a run, with the plan that it has now and the changes that make it differ from the one that
/// was begun. Puts the folder right.
pub(crate) fn prepare(
    mut folder: RunFolder,
    resolved: &Resolved,
    changes: &[Change],
    quiet: bool,
    registry: &Registry,
) -> anyhow::Result<Playing> {
    let changed = !changes.is_empty();
    let plan = resolved.plan.clone();
    let queued = Queued::of(resolved, false)?;
    let name = folder.path().to_owned();
    check_shard(&name, &plan)?;
    if queued.is_none() {
        open_files::prepare(&plan)?;
        progress::prepare(&plan, quiet)?;
    }
    for repair in folder.repair()? {
        output::remark(&format!("repaired: {}", visible(&repair.to_string())));
    }
    let log = RunLog::open(&name)?;
    check_acceptable(&plan, &log, changes)?;
    check_digests(&plan, &log)?;
    check_forms(&log)?;
    // What was begun before a change was accepted does not come out the same by itself.
    let mixed = changed || !log.record().changes.is_empty();
    let resume_state = forked(ResumeState::of(&plan, &log, mixed)?, &log, &plan, registry)?;
    if let Some(repair) = folder.check_closed(&log)? {
        output::remark(&format!("repaired: {}", visible(&repair.to_string())));
    }
    if resume_state.left(plan.planned()) > 0 && queued.is_none() {
        plan.check_keys()?;
        tell_earlier(&plan, &log)?;
    }
    let earlier = results(&log, |id| resume_state.is_closed(id), &folder, registry)?;
    if changed {
        check_tasks(&plan, &earlier)?;
        folder.replace_record(&with_changes(&folder, &plan, changes, &resume_state)?)?;
    }
    if !quiet {
        output::remark(&standing(&plan, &resume_state));
    }
    drop(log);
    let writer = folder.writer(&plan.run.log)?;
    Ok(Playing { resume_state, earlier, queued, ..Playing::new(plan, writer, registry) })
}

/// Tells models what earlier processes had from them: a limit on what is spent is one of the run, and a
/// server that was there is waited for.
fn tell_earlier(plan: &Plan, log: &RunLog) -> anyhow::Result<()> {
    if plan.models.iter().next().is_none() {
        return Ok(());
    }
    let earlier = log.earlier_calls(&plan.model_settings)?;
    for model in plan.models.iter() {
        if let Some(calls) = earlier.get(model.name()) {
            model.earlier(calls);
        }
    }
    Ok(())
}

/// The numbers of episodes that are played, open and not begun.
fn standing(plan: &Plan, resume_state: &ResumeState) -> String {
    let (closed, open) = (resume_state.closed(), resume_state.open());
    let left = resume_state.left(plan.planned());
    format!(
        "{}: {closed} played, {open} to go on with, {} to begin",
        counted((left + closed) as u64, "episode", "episodes"),
        left.saturating_sub(open)
    )
}

/// The reason for which a run that differs is not gone on with; none if nothing but the version differs, which
/// `run.toml` notes without being asked.
fn refusal(changes: &[Change]) -> Option<String> {
    if changes.iter().all(Change::is_version) {
        return None;
    }
    Some(format!(
        "the run is not the one that was begun:\n{}\nundo the changes, or go on with \
         `--accept-changes`: the episodes that are played stay as they are, and `run.toml` notes what \
         changed",
        first_of(changes).join("\n")
    ))
}

/// The first of the items, a line each, and how many more there are.
pub(crate) fn first_of<T: ToString>(items: &[T]) -> Vec<String> {
    let first = items.iter().take(MOST_LISTED).map(|item| format!("  {}", visible(&item.to_string())));
    let more = items.len().saturating_sub(MOST_LISTED);
    first.chain((more > 0).then(|| format!("  and {more} more"))).collect()
}

/// Refuses changes that leave what is played in a run that it is not of.
fn check_acceptable(plan: &Plan, log: &RunLog, changes: &[Change]) -> anyhow::Result<()> {
    let begun = log.ids().len();
    let seed = changes.iter().find(|change| change.key == "seed");
    if let Some(change) = seed.filter(|_| begun > 0) {
        bail!(
            "{}: another seed cannot be accepted, for the episodes that were begun are those of the \
             old one; give it back, and play with the other seed in a run of its own (`rolecall run \
             CONFIG --seed N --name NAME`)",
            visible(&change.to_string())
        );
    }
    let foreign: Vec<&EpisodeId> = log.ids().filter(|id| !plan.plays(id)).collect();
    if let Some(first) = foreign.first().filter(|_| !changes.is_empty()) {
        bail!(
            "the config plays fewer tasks, repeats or cells than were begun: the log has {} that it \
             does not play, `{first}` the first; fewer cannot be accepted, more can: give those back \
             that were begun, or play fewer in a run of its own (`rolecall run CONFIG --limit N --name \
             NAME`)",
            counted(foreign.len() as u64, "episode", "episodes")
        );
    }
    Ok(())
}

/// Compares the lines of closed episodes with what they came to when they were written.
fn check_digests(plan: &Plan, log: &RunLog) -> anyhow::Result<()> {
    for id in log.ids() {
        let recorded = log.recorded_digest(id);
        // The end of an episode may be lost although it was noted; what is open is played again.
        if recorded.is_none() || log.digest(id) == recorded || !log.is_closed(id)? {
            continue;
        }
        let mut problem = format!("the log was changed: episode `{id}` is not as it was written");
        let again = replay_run(plan, log, std::slice::from_ref(id), Replay::Models, &|_| ());
        for difference in again.into_iter().filter_map(|again| again.result.err()) {
            for line in difference.to_string().lines() {
                problem.push_str(&format!("\n{}", visible(line)));
            }
        }
        bail!("{problem}\n`rolecall logs verify` checks all episodes; restore the log to go on");
    }
    Ok(())
}

/// Checks that lines stand in the order of their events, and those of open episodes are as this program
/// writes them: when such an episode closes, they are part of its digest.
fn check_forms(log: &RunLog) -> anyhow::Result<()> {
    for id in log.ids() {
        log.check_order(id)?;
        if !log.is_closed(id)? {
            log.episode_as_written(id)?;
        }
    }
    Ok(())
}

/// Refuses changes that give episodes that are played other tasks: results would be under their names
/// that are not theirs.
fn check_tasks(plan: &Plan, results: &[EpisodeResult]) -> anyhow::Result<()> {
    let mut seen = FxHashSet::default();
    // A task that could not be opened has no name.
    for result in results.iter().filter(|result| result.standing() != Standing::Broken) {
        let id = &result.episode;
        let cell = plan.cells.iter().find(|cell| cell.name == id.cell);
        let index = cell.and_then(|cell| Some((cell, plan.index_of(cell, id.task)?)));
        let Some((cell, index)) = index.filter(|_| seen.insert((&id.cell, id.task))) else {
            continue;
        };
        if let Ok(open) = cell.tasks.open(index)
            && open.task.public.id != result.task
        {
            bail!(
                "the changes give episode `{id}` the task `{}`, but it was played with `{}`; other \
                 tasks need a run of their own",
                visible(&open.task.public.id),
                visible(&result.task)
            );
        }
    }
    Ok(())
}

/// The results of the closed episodes: those that were written as these events give them, and for the
/// others what the events say. Puts `results.jsonl` right if it does not hold just these.
pub(crate) fn results(
    log: &RunLog,
    is_closed: impl Fn(&EpisodeId) -> bool,
    folder: &RunFolder,
    registry: &Registry,
) -> anyhow::Result<Vec<EpisodeResult>> {
    let metrics = registry.measured();
    let stored = Stored::read(folder.path(), log.record());
    let readable = stored.is_some();
    let (stored, files) = stored.map_or_else(Default::default, |stored| (stored.results, stored.files));
    let mut written: FxHashMap<EpisodeId, StoredResult> =
        stored.into_iter().map(|stored| (stored.result.episode.clone(), stored)).collect();
    let (mut results, mut missing, mut doubtful) = (Vec::new(), Vec::new(), FxHashMap::default());
    for id in log.ids().filter(|id| is_closed(id)) {
        match written.remove(id) {
            Some(stored) if Some(&stored.seal) == log.digest(id).map(Seal::Whole).as_ref() => {
                results.push(stored.result);
            }
            stored => {
                missing.push(id);
                doubtful.extend(stored.map(|stored| (id, stored)));
            }
        }
    }
    let mut replaced = Vec::new();
    for episode in log.episodes_of(missing.iter().copied())? {
        let episode = episode?;
        let computed = measure(&episode.log(), &metrics);
        if let Some(StoredResult { line, result, .. }) = doubtful.get(&episode.id)
            && let Some(what) = difference(result, &computed)
        {
            replaced.push(format!("{}, the result of `{}`: {what}", line_of(&files, *line), episode.id));
        }
        results.push(computed);
    }
    if readable && missing.is_empty() && written.is_empty() {
        return Ok(results);
    }
    folder.replace_results(&sealed(log, &results))?;
    let count = |results: usize| counted(results as u64, "result", "results");
    let mut repaired = format!("repaired: `results.jsonl`: {} computed from the events", count(missing.len()));
    if !written.is_empty() {
        repaired += &format!(", {} of episodes that are not closed left out", count(written.len()));
    }
    output::remark(&repaired);
    for line in first_of(&replaced) {
        output::remark(&line);
    }
    Ok(results)
}

/// A line of results, with its file where that is not `results.jsonl`.
fn line_of(files: &ResultFiles, line: u64) -> String {
    let (file, line) = files.locate(line);
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    match &*name {
        RESULTS => format!("line {line}"),
        segment => format!("`{segment}` line {line}"),
    }
}

/// The lines of `results.jsonl`.
fn sealed(log: &RunLog, results: &[EpisodeResult]) -> Vec<u8> {
    let mut lines = Vec::new();
    for result in results {
        match log.digest(&result.episode) {
            Some(events) => result.encode_sealed(events, &mut lines),
            None => result.encode(&mut lines),
        }
    }
    lines
}

/// The record of the changed run, which says what changed and when.
fn with_changes(
    folder: &RunFolder,
    plan: &Plan,
    changes: &[Change],
    resume_state: &ResumeState,
) -> anyhow::Result<String> {
    let was: Table = runs::record_text(folder.path())?.parse()?;
    let mut is: Table = plan.record.parse()?;
    let mut all = match was.get("changes") {
        Some(Value::Array(earlier)) => earlier.clone(),
        _ => Vec::new(),
    };
    let entry = [
        ("episodes_closed", Value::from(resume_state.closed() as i64)),
        ("episodes_open", Value::from(resume_state.open() as i64)),
        ("what", changes.iter().map(ToString::to_string).collect::<Vec<_>>().into()),
    ];
    all.push(Value::Table(ordered(entry.map(|(key, value)| (key.to_owned(), value)))));
    is.insert("changes".into(), Value::Array(all));
    // Results that were compressed stay so.
    let schema = |table: &Table| table.get("schema").and_then(Value::as_integer);
    if schema(&was) > schema(&is) {
        is.extend(was.get("schema").map(|kept| ("schema".to_owned(), kept.clone())));
    }
    for key in ["parent", "name", "workers"] {
        if let Some(kept) = was.get(key) {
            is.insert(key.into(), kept.clone());
        }
    }
    Ok(toml::to_string(&is)?)
}

/// Refuses another share of the episodes: what is in the log would not be of it.
fn check_shard(folder: &Path, plan: &Plan) -> anyhow::Result<()> {
    let was: Table = runs::record_text(folder)?.parse()?;
    let was = was.get("run").and_then(|run| run.get("shard")?.as_str());
    let is = plan.run.shard.map(|shard| shard.to_string());
    if was == is.as_deref() {
        return Ok(());
    }
    let named = |shard: Option<&str>| shard.map_or("all episodes".to_owned(), |shard| format!("shard {shard}"));
    bail!(
        "the run plays {}, but is to play {}: give the shard back that it has, or play the other in a run of its \
         own and merge both (`rolecall merge RUN PART...`)",
        visible(&named(was)),
        named(is.as_deref())
    )
}
