//! `rolecall run --or-resume`: one command for the first time and for every time after it, as schedulers start jobs
//! that they ended.

use std::fs;

use anyhow::{Context, bail};
use toml::Table;

use super::beginning::here;
use super::playing::{PlayArguments, Playing};
use super::resume::{first_of, prepare};
use super::{output, runs};
use rolecall_core::log::{REPORT_HTML, RUN, RunFolder, RunRecord, is_free};
use rolecall_core::text::shell_path;
use rolecall_run::config::{Change, Resolved, changes};
use rolecall_run::registry::Registry;

/// How far the run of a command is.
pub(crate) enum Begun {
    /// It is to be begun.
    Not,
    /// It is to be gone on with.
    Open(Box<Playing>),
    /// There is nothing left to do.
    Finished,
}

/// Looks for the run that the config names, and takes it up where it is.
///
/// # Errors
/// If somebody else writes it, if it is the run of another config, and if it cannot be gone on with.
pub(crate) fn take_up(resolved: &mut Resolved, play: &PlayArguments, registry: &Registry) -> anyhow::Result<Begun> {
    let folder = resolved.plan.run.logs.join(&resolved.plan.name);
    if is_free(&folder) || RunRecord::is_unbegun(&folder) {
        return Ok(Begun::Not);
    }
    let locked = RunFolder::lock(&folder)?;
    let record = RunRecord::read(&folder)?;
    if let Some(id) = &record.id {
        resolved.identify(id)?;
    }
    resolved.locate(&here(&folder)?)?;
    let path = folder.join(RUN);
    let was: Table =
        fs::read_to_string(&path).with_context(|| format!("`{}` cannot be read", path.display()))?.parse()?;
    let is: Table = resolved.plan.record.parse()?;
    let changes = changes(&was, &is, registry);
    let (shown, pasted) = (output::shown(&folder), shell_path(&folder));
    if !changes.iter().all(Change::is_version) {
        bail!(
            "`{shown}` is not the run of this command:\n{}\nundo the changes, choose another run name, or go on with \
             it by `rolecall resume {pasted} --accept-changes`",
            first_of(&changes).join("\n")
        );
    }
    let reported = play.no_report || folder.join(REPORT_HTML).exists();
    if reported && runs::whole_results(&folder, &record).is_some() {
        output::remark(&format!(
            "the run `{shown}` is finished, there is nothing to play (look into it: rolecall show {pasted})"
        ));
        return Ok(Begun::Finished);
    }
    let playing = prepare(locked, resolved, &changes, play.quiet, registry)?;
    Ok(Begun::Open(Box::new(playing)))
}
