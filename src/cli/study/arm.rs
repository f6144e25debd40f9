//! The runs that a study is made of: begun, gone on with, or read if they are there.

use std::path::Path;

use anyhow::bail;

use crate::cli::branch::Making;
use crate::cli::playing::Playing;
use crate::cli::reload_plan::reload_plan;
use crate::cli::resume::{prepare, refusal};
use crate::cli::{output, runs};
use crate::config::Absent;
use crate::evaluation::EpisodeResult;
use crate::log::{RUN, RunFolder, RunLog, RunRecord};
use crate::text::shell_path;

/// The results of a branch that is called so below the study's folder; none if it was stopped on the way.
pub(super) fn branched(
    parent: &RunLog,
    folder: &Path,
    name: &str,
    making: Making<'_>,
    verbose: u8,
) -> anyhow::Result<Option<Vec<EpisodeResult>>> {
    let quiet = making.quiet;
    if making.events.is_empty() {
        return Ok(Some(Vec::new()));
    }
    let own = folder.join(name);
    if !own.join(RUN).exists() {
        let (playing, _) = making.begin(parent.clone())?;
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
    let reloaded = reload_plan(&own, &[], &[], Absent::Refused)?;
    if let Some(refusal) = refusal(&reloaded.changes) {
        bail!("{refusal}\nhere: rolecall resume {} --accept-changes", shell_path(&own));
    }
    played(prepare(locked, &reloaded.resolved, &reloaded.changes, quiet)?, quiet, verbose)
}

/// Plays everything; none if it was stopped on the way.
pub(super) fn played(playing: Playing, quiet: bool, verbose: u8) -> anyhow::Result<Option<Vec<EpisodeResult>>> {
    let over = playing.through(quiet, verbose)?;
    let stopped = over.is_incomplete();
    let results = (!stopped).then(|| over.results().to_vec());
    over.finish(false)?;
    Ok(results)
}
