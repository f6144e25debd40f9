//! `rolecall branch`: copies episodes up to a turn and lets another cast finish them.

mod arguments;
mod at;
mod parent;
mod untouched;

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::bail;

pub(crate) use self::arguments::BranchArguments;
use self::arguments::Which;
pub(crate) use self::parent::{folder_of, forked};

use super::beginning::begin;
use super::config_arguments::refuse_absent;
use super::playing::Playing;
use super::progress::prepare;
use super::reload_plan::{ReloadedPlan, reload_plan};
use super::{episodes, output, runs};
use crate::config::{Absent, ParentRecord, Record};
use crate::domain::{EpisodeId, Steering};
use crate::log::RunLog;
use crate::maps::ordered;
use crate::runtime::{ResumeState, misfit};
use crate::text::{counted, joined, shell_path, visible};

/// The most reasons for leaving out an episode that are printed.
const MOST_REASONS: usize = 3;

/// How episodes were chosen that were named one by one, in `run.toml`.
pub(crate) const NAMED: &str = "named";

/// Makes a new run of the episodes and plays it.
pub(crate) fn execute(arguments: &BranchArguments, verbose: u8) -> anyhow::Result<ExitCode> {
    let (playing, _, compared) = begin_branch(arguments, false)?;
    let code = playing.play(&arguments.play, verbose)?;
    if !arguments.play.json {
        output::emit(&compared)?;
    }
    Ok(code)
}

/// Makes the new run: it, its record, and how to compare it with its parent. People may sit in a browser if pages
/// are `served`.
pub(crate) fn begin_branch(
    arguments: &BranchArguments,
    served: bool,
) -> anyhow::Result<(Playing, Record, String)> {
    let run = runs::open(&arguments.run)?;
    let name = parent::name(&run);
    let ReloadedPlan { mut resolved, .. } = reload_plan(
        run.folder(),
        &arguments.settings(&name),
        &arguments.models,
        Absent::Refused,
    )?;
    if !served {
        refuse_absent(&resolved)?;
    }
    resolved.plan.check_keys()?;
    let ids = episodes::chosen(&run, &arguments.episode, &arguments.choice())?;
    if let Some(logs) = &arguments.logs {
        // Said here, and not where the run was started.
        resolved.plan.run.logs = logs.into();
    }
    if ids.is_empty() {
        bail!(nobody(arguments));
    }
    prepare(&resolved.plan, arguments.play.quiet)?;
    let events = places(arguments, &run, &ids)?;
    untouched::as_written(&run, events.keys())?;
    if let Some(misfit) = misfit(&resolved.plan, &run, &events)? {
        bail!(
            "no episode can be gone on with: the new config differs in what was played before; \
             `{}`: {}",
            misfit.episode,
            misfit.problem
        );
    }
    let episodes = events.iter();
    let episodes = episodes.map(|(id, events)| (id.to_string(), u64::from(*events)));
    let parent = ParentRecord {
        run: name.clone(),
        folder: parent::shown(run.folder(), &resolved.working),
        at: arguments.at.to_string(),
        chosen: match arguments.episodes {
            None => NAMED.to_owned(),
            Some(_) => arguments.choice().in_words(),
        },
        by_outcome: arguments.choice().is_by_outcome(),
        digests: untouched::pinned(&run, &events)?,
        steering: Steering::default(),
        episodes: ordered(episodes),
    };
    resolved.name_parent(parent)?;
    let writer = begin(&mut resolved, arguments.name.is_some())?;
    let compared = format!(
        "compare with {}: rolecall compare {} {}\n",
        visible(&name),
        shell_path(run.folder()),
        shell_path(writer.folder())
    );
    let mut playing = Playing::new(resolved.plan, writer);
    playing.resume_state = ResumeState::default().forked(Some(run), &name, events);
    Ok((playing, resolved.record, compared))
}

/// The refusal if no episode is chosen.
fn nobody(arguments: &BranchArguments) -> String {
    let what = match arguments.episodes {
        Some(Which::Broken) => "no broken episode",
        Some(Which::Failed) => "no failed episode (one that counts and was not solved)",
        Some(Which::All) | None => "no episode",
    };
    let among = match arguments.choice.is_everything() {
        true => "",
        false => " among those that the options choose",
    };
    format!("the run has {what}{among}: nothing can be branched off")
}

/// The number of events of each episode that are copied. Episodes without that place are left out, but for
/// those that were named.
fn places(
    arguments: &BranchArguments,
    run: &RunLog,
    ids: &[EpisodeId],
) -> anyhow::Result<BTreeMap<EpisodeId, u32>> {
    let mut places = BTreeMap::new();
    let mut without = Vec::new();
    for id in ids {
        match arguments.at.copied(&run.episode(id)?.events) {
            Ok(events) => {
                places.insert(id.clone(), events);
            }
            Err(problem) => without.push(format!("episode `{id}` {problem}")),
        }
    }
    if let Some(problem) = without.first()
        && !arguments.episode.is_empty()
    {
        bail!("`--at {}`: {problem}", arguments.at);
    }
    if places.is_empty() {
        let first = without.first().map(|problem| format!(": {problem}"));
        bail!(
            "none of {} has that place (`--at {}`){}",
            counted(ids.len() as u64, "chosen episode", "chosen episodes"),
            arguments.at,
            first.unwrap_or_default()
        );
    }
    if !without.is_empty() && !arguments.play.quiet {
        let left = counted(without.len() as u64, "episode is", "episodes are");
        let reasons = joined(without.iter().take(MOST_REASONS));
        let more = without.get(MOST_REASONS).map_or("", |_| ", ...");
        output::remark(&format!("{left} left out: {}{more}", visible(&reasons)));
    }
    Ok(places)
}
