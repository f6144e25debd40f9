//! `rolecall branch`: copies episodes up to a turn and lets another cast finish them.

mod arguments;
mod at;
mod control;
mod making;
mod parent;
mod untouched;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;

use anyhow::bail;

pub(crate) use self::arguments::BranchArguments;
use self::arguments::Which;
pub(crate) use self::at::{At, before_share, share};
pub(crate) use self::control::{control_of, line as control_line};
pub(crate) use self::making::Making;
pub(crate) use self::parent::{folder_of, forked};

use super::playing::Playing;
use super::{episodes, output, runs};
use rolecall_core::domain::{EpisodeId, Steering};
use rolecall_core::log::{RunLog, RunRecord};
use rolecall_core::text::{counted, joined, shell_path, visible};
use rolecall_run::config::Record;
use rolecall_run::registry::Registry;

/// The most reasons for leaving out an episode that are printed.
const MOST_REASONS: usize = 3;

/// How episodes were chosen that were named one by one, in `run.toml`.
pub(crate) const NAMED: &str = "named";

/// Makes a new run of the episodes and plays it, and its control if that is asked for.
pub(crate) fn execute(arguments: &BranchArguments, verbose: u8, registry: &Registry) -> anyhow::Result<ExitCode> {
    let play = |(playing, _, compared): (Playing, Record, String)| {
        let code = playing.play(&arguments.play, verbose)?;
        if !arguments.play.json {
            output::emit(&compared)?;
        }
        anyhow::Ok(code)
    };
    if arguments.at.is_none() {
        return play(control::begin(arguments, &runs::folder(&arguments.run)?, registry)?);
    }
    let branch = begin_branch(arguments, false, registry)?;
    let folder = branch.0.writer.folder().to_owned();
    let code = play(branch)?;
    if !arguments.control {
        return Ok(code);
    }
    if runs::whole_results(&folder, &RunRecord::read(&folder)?).is_none() {
        let folder = shell_path(&folder);
        output::remark(&format!(
            "the control was not begun: when the branch is over (rolecall resume {folder}), give the command \
             rolecall branch {folder} --control"
        ));
        return Ok(code);
    }
    let control = play(control::begin(arguments, &folder, registry)?)?;
    Ok(if code == ExitCode::SUCCESS { control } else { code })
}

/// Makes the new run: it, its record, and how to compare it with its parent. People may sit in a browser if pages
/// are `served`.
pub(crate) fn begin_branch(
    arguments: &BranchArguments,
    served: bool,
    registry: &Registry,
) -> anyhow::Result<(Playing, Record, String)> {
    let Some(at) = arguments.at else {
        bail!("`--at` is missing: say where the episodes are left");
    };
    let run = runs::open(&arguments.run)?;
    let name = parent::name(&run);
    let ids = episodes::chosen(&run, &arguments.episode, &arguments.choice(), registry)?;
    if ids.is_empty() {
        bail!(nobody(arguments));
    }
    let own = arguments.name.clone().unwrap_or_else(|| format!("{name}-branch"));
    let making = Making {
        events: places(arguments, at, &run, &ids)?,
        at: at.to_string(),
        chosen: match arguments.episodes {
            None => NAMED.to_owned(),
            Some(_) => arguments.choice().in_words(),
        },
        by_outcome: arguments.choice().is_by_outcome(),
        steering: Steering {
            seed: arguments.control.then(|| control::seed(run.record(), &own)),
            ..Steering::default()
        },
        settings: arguments.settings(&name),
        models: &arguments.models,
        // Said here, and not where the run was started.
        logs: arguments.logs.as_deref().map(Path::new),
        named: arguments.name.is_some(),
        served,
        quiet: arguments.play.quiet,
    };
    let folder = run.folder().to_owned();
    let (playing, record) = making.begin(run, registry)?;
    let compared = format!(
        "compare with {}: rolecall compare {} {}\n",
        visible(&name),
        shell_path(&folder),
        shell_path(playing.writer.folder())
    );
    Ok((playing, record, compared))
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
    at: At,
    run: &RunLog,
    ids: &[EpisodeId],
) -> anyhow::Result<BTreeMap<EpisodeId, u32>> {
    let mut places = BTreeMap::new();
    let mut without = Vec::new();
    for id in ids {
        match at.copied(&run.episode(id)?.events) {
            Ok(events) => {
                places.insert(id.clone(), events);
            }
            Err(problem) => without.push(format!("episode `{id}` {problem}")),
        }
    }
    if let Some(problem) = without.first()
        && !arguments.episode.is_empty()
    {
        bail!("`--at {at}`: {problem}");
    }
    if places.is_empty() {
        let first = without.first().map(|problem| format!(": {problem}"));
        bail!(
            "none of {} has that place (`--at {at}`){}",
            counted(ids.len() as u64, "chosen episode", "chosen episodes"),
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
