//! Beginning a run: its folder, its id, its record.

use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use super::config_arguments::working;
use super::output::shown;
use super::runs;
use rolecall_core::domain::SCHEMA;
use rolecall_core::log::{LogError, LogSettings, LogWriter, RunRecord, is_free, is_running};
use rolecall_core::text::shell_path;
use rolecall_run::config::{Plan, Resolved};

/// Digits of a run's id.
const ID_DIGITS: usize = 16;

/// Makes the folder of a run that begins, and gives it an id. With `named`, its name was asked for and
/// must be free.
pub(crate) fn begin(resolved: &mut Resolved, named: bool) -> anyhow::Result<LogWriter> {
    let settings = LogSettings {
        // What models were asked and said, here or in the run that this one goes on from.
        private: resolved.plan.models.iter().next().is_some() || resolved.record.parent.is_some(),
        many: resolved.record.schema > SCHEMA,
        ..resolved.plan.run.log
    };
    loop {
        let folder = new_folder(&resolved.plan, named)?;
        resolved.identify(&new_id(&folder))?;
        resolved.locate(&here(&folder)?)?;
        match LogWriter::create(&folder, &resolved.plan.record, &settings) {
            // Another process was faster; it is there now.
            Err(LogError::FolderExists { .. } | LogError::Busy { .. }) if !named => {}
            Err(LogError::FolderExists { folder }) => return Err(taken(&folder)),
            written => return Ok(written?),
        }
    }
}

/// A path with the working folder of this process.
pub(crate) fn here(folder: &Path) -> anyhow::Result<PathBuf> {
    Ok(working()?.join(folder))
}

/// The advice about a folder that is there already. Nobody is told to remove what is not over.
fn taken(folder: &Path) -> anyhow::Error {
    let (shown, pasted) = (shown(folder), shell_path(folder));
    if is_running(folder) {
        return anyhow!(
            "the run `{shown}` is being written by another process (`rolecall show {pasted} --follow` \
             shows how it goes on): choose another run name"
        );
    }
    let Ok(record) = RunRecord::read(folder) else {
        return anyhow!(
            "`{shown}` exists already and holds no run that can be read: choose another run name, or \
             remove the folder if nobody needs it"
        );
    };
    if runs::whole_results(folder, &record).is_none() {
        return anyhow!(
            "`{shown}` holds a run that is not finished: go on with it by `rolecall resume {pasted}`, or \
             choose another run name"
        );
    }
    anyhow!(
        "`{shown}` exists already: choose another run name, or remove the folder if nobody needs its \
         run"
    )
}

/// The folder of a new run: `<logs>/<name>`, or, unless the name was asked for on the command
/// line, `<logs>/<name>-2` and so on if there is a run already.
fn new_folder(plan: &Plan, named: bool) -> anyhow::Result<PathBuf> {
    let first = plan.run.logs.join(&plan.name);
    if named {
        return Ok(first);
    }
    let further = (2..100_000).map(|number| plan.run.logs.join(format!("{}-{number}", plan.name)));
    std::iter::once(first)
        .chain(further)
        .find(|folder| is_free(folder))
        .with_context(|| format!("`{}` is full of runs of this name", plan.run.logs.display()))
}

/// Something that no other run has, on no machine. No result depends on it: servers of models keep
/// replies under keys that begin with it.
fn new_id(folder: &Path) -> String {
    // The standard library's hasher begins with 128 random bits from the system.
    let chance = RandomState::new();
    let mut hasher = blake3::Hasher::new();
    for part in 0..2_u8 {
        hasher.update(&chance.hash_one(part).to_le_bytes());
    }
    hasher.update(&std::process::id().to_le_bytes());
    hasher.update(folder.as_os_str().as_encoded_bytes());
    hasher.finalize().to_hex()[..ID_DIGITS].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_run_has_the_id_of_another() {
        let (one, other) = (new_id(Path::new("a")), new_id(Path::new("a")));
        assert_ne!(one, other);
        assert!(one.len() == ID_DIGITS && one.bytes().all(|byte| byte.is_ascii_hexdigit()));
    }
}
