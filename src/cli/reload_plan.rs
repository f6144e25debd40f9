//! The plan of a run that was played before.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::config_arguments::{request_for, working};
use super::runs::record_text;
use rolecall_core::log::{LogError, RUN, RunRecord};
use rolecall_run::config::{Absent, Change, Invocation, Request, Resolved, changes, load};
use rolecall_run::registry::Registry;

/// A run, resolved once more from what it was started with.
pub(crate) struct ReloadedPlan {
    /// The config as it is now.
    pub(crate) resolved: Resolved,
    /// The differences from the config as it was.
    pub(crate) changes: Vec<Change>,
}

/// The folder in which a run was started, if its config is still there and it is not this one.
pub(crate) fn started_in(folder: &Path) -> Option<PathBuf> {
    let invocation = Invocation::read(&fs::read_to_string(folder.join(RUN)).ok()?).ok()?;
    let here = std::env::current_dir().ok()?;
    invocation.working(folder, &here).filter(|working| *working != here)
}

/// Resolves the config of the run in this folder again, with further settings and models.
pub(crate) fn reload_plan(
    folder: &Path,
    sets: &[String],
    models: &[String],
    absent: Absent,
    registry: &Registry,
) -> anyhow::Result<ReloadedPlan> {
    if RunRecord::is_unbegun(folder) {
        return Err(LogError::NotBegun { folder: folder.to_owned() }.into());
    }
    let text = record_text(folder)?;
    let named = || format!("`{}` cannot be played again", folder.display());
    let was: toml::Table = text.parse().with_context(named)?;
    let invocation = Invocation::read(&text).with_context(named)?;
    let here = working()?;
    let now = Request {
        record: Some(was.clone()),
        sets: sets.to_vec(),
        models: models.to_vec(),
        working: invocation.working(folder, &here).unwrap_or(here.clone()),
        ..request_for(Path::new(""))?
    };
    let request = invocation.request(now).with_context(named)?;
    let mut resolved = load(&request, registry.clone()).context(
        "the config of the run cannot be resolved again; paths in it hold from the folder in which \
         the run was started",
    )?;
    resolved.pin_without(absent)?;
    resolved.locate(&here.join(folder))?;
    if resolved.working != here {
        resolved.plan.run.logs = resolved.working.join(&resolved.plan.run.logs);
    }
    if let Some(id) = RunRecord::read(folder)?.id {
        resolved.identify(&id)?;
    }
    let is: toml::Table = resolved.plan.record.parse().with_context(named)?;
    Ok(ReloadedPlan { changes: changes(&was, &is, registry), resolved })
}
