//! `rolecall run`: plays the episodes of a config and prints what came of it. With `--or-resume`, one command for
//! the first time and for every time after it, as schedulers start jobs that they ended.

use std::fs;
use std::process::ExitCode;

use anyhow::{Context, bail};
use toml::Table;

use super::beginning::{begin, here};
use super::playing::{PlayArguments, Playing};
use super::queue::{Queued, announce, refuse_taken};
use super::resume::{first_of, prepare};
use super::run::{RunArguments, refuse_remote};
use super::{output, progress, runs};
use crate::config::{Change, Resolved, changes, load};
use crate::log::{REPORT_HTML, RUN, RunFolder, RunRecord, is_free};
use crate::registry::Registry;
use crate::runtime::open_files;
use crate::text::{counted, shell_path};

/// Plays the config.
pub(crate) fn execute(arguments: &RunArguments, verbose: u8) -> anyhow::Result<ExitCode> {
    let mut resolved = load(&arguments.request()?, Registry::standard())?;
    resolved.pin()?;
    if !resolved.notes.is_empty() && !arguments.play.quiet {
        let parts = counted(resolved.notes.len() as u64, "part", "parts");
        output::remark(&format!(
            "{parts} of the config left out (`rolecall check` with the same options says which)"
        ));
    }
    refuse_remote(&resolved.plan)?;
    let begun = match arguments.or_resume {
        true => take_up(&mut resolved, &arguments.play)?,
        false => Begun::Not,
    };
    let playing = match begun {
        Begun::Finished => return Ok(ExitCode::SUCCESS),
        Begun::Open(playing) => *playing,
        Begun::Not => begin_playing(resolved, arguments)?,
    };
    if playing.queued.is_some() && !arguments.play.quiet {
        announce(&playing.plan);
    }
    if arguments.queue.detach {
        return playing.detach(verbose);
    }
    let requeued = arguments.or_resume;
    Playing {
        requeued,
        ..playing
    }
    .play(&arguments.play, verbose)
}

/// The run from its beginning: by whom it is played.
fn begin_playing(mut resolved: Resolved, arguments: &RunArguments) -> anyhow::Result<Playing> {
    let named = arguments.name.is_some() || arguments.or_resume;
    let queued = Queued::of(&resolved, arguments.queue.detach)?;
    if queued.is_some() {
        refuse_taken(&resolved.plan)?;
    } else {
        resolved.plan.check_keys()?;
        open_files::prepare(&resolved.plan)?;
        progress::prepare(&resolved.plan, arguments.play.quiet)?;
    }
    let writer = begin(&mut resolved, named)?;
    Ok(Playing {
        queued,
        ..Playing::new(resolved.plan, writer)
    })
}

/// How far the run of a command is.
enum Begun {
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
fn take_up(resolved: &mut Resolved, play: &PlayArguments) -> anyhow::Result<Begun> {
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
    let was: Table = fs::read_to_string(&path)
        .with_context(|| format!("`{}` cannot be read", path.display()))?
        .parse()?;
    let is: Table = resolved.plan.record.parse()?;
    let changes = changes(&was, &is, &Registry::standard());
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
    let playing = prepare(locked, resolved, &changes, play.quiet)?;
    Ok(Begun::Open(Box::new(playing)))
}
