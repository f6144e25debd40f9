//! The runs that a study is made of: begun, gone on with, or read if they are there.

use std::path::Path;

use anyhow::bail;

use crate::branch::Making;
use crate::playing::Playing;
use crate::reload_plan::reload_plan;
use crate::resume::{prepare, refusal};
use crate::{output, runs};
use rolecall_core::evaluation::EpisodeResult;
use rolecall_core::log::{RUN, RunFolder, RunLog, RunRecord};
use rolecall_core::text::shell_path;
use rolecall_run::config::Absent;
use rolecall_run::registry::Registry;

/// The results of a branch that is called so below the study's folder; none if it was stopped on the way.
pub(super) fn branched(
    parent: &RunLog,
    folder: &Path,
    name: &str,
    making: Making<'_>,
    verbose: u8,
    registry: &Registry,
) -> anyhow::Result<Option<Vec<EpisodeResult>>> {
    let quiet = making.quiet;
    if making.events.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let own = folder.join(name);
    if !own.join(RUN).exists() {
        let (playing, _) = making.begin(parent.clone(), registry)?;
        return played(playing, quiet, verbose);
    }
    let record = RunRecord::read(&own)?;
    let as_now =
        record.parent.as_ref().is_some_and(|was| was.episodes == making.events && was.steering == making.steering);
    if !as_now {
        bail!(
            "`{}` is of another study (other episodes, or other facts): choose another `--name`",
            output::shown(&own)
        );
    }
    if let Some(results) = runs::whole_results(&own, &record) {
        return Ok(Some(results));
    }
    let locked = RunFolder::lock(&own)?;
    let reloaded = reload_plan(&own, &[], &[], Absent::Refused, registry)?;
    if let Some(refusal) = refusal(&reloaded.changes) {
        bail!("{refusal}\nhere: rolecall resume {} --accept-changes", shell_path(&own));
    }
    let playing = prepare(locked, &reloaded.resolved, &reloaded.changes, quiet, registry)?;
    played(playing, quiet, verbose)
}

/// Plays everything; none if it was stopped on the way.
pub(super) fn played(playing: Playing, quiet: bool, verbose: u8) -> anyhow::Result<Option<Vec<EpisodeResult>>> {
    let over = playing.through(quiet, verbose)?;
    let stopped = over.is_incomplete();
    let results = (!stopped).then(|| over.results().to_vec());
    over.finish(false)?;
    Ok(results)
}
