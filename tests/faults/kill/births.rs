//! Runs that are killed at every write of their birth: whoever gives the command again goes on, or is told how.

use std::fs;
use std::path::Path;

use super::kinds::that_begin;
use super::{DIE_AT, RUN, Reference, died, table, times};
use crate::support::binary::text;
use rolecall::evaluation::Stored;
use rolecall::log::RunRecord;

/// The steps from before the folder is there until the first events are written.
const STEPS: u64 = 20;

/// Whether the run has a result of every planned episode.
fn is_whole(run: &Path) -> bool {
    let Ok(record) = RunRecord::read(run) else {
        return false;
    };
    let stored = Stored::read(run, &record).map(|stored| stored.results.len() as u64);
    stored.is_some() && stored == record.episodes
}

/// Kills the command at this step of writing and gives it again. Says whether it was killed.
fn survive(reference: &Reference, step: u64) -> u64 {
    let (folder, _server) = reference.copy();
    let path = folder.path();
    let what = format!("killed at step {step}");
    let kind = &reference.kind;
    let mut command = reference.command(path, kind.begin);
    let killed = command.env(DIE_AT, step.to_string()).output().unwrap();
    let died = died(&killed);
    let again = reference.command(path, kind.begin).output().unwrap();
    let told = text(&again.stderr);
    match again.status.code() {
        Some(2) => {
            // One that had come to its end before it was killed has nothing left to be gone on with.
            let advice = match died && !is_whole(&path.join(RUN)) {
                true => "`rolecall resume logs/killed`",
                false => "exists already",
            };
            assert!(told.contains(advice), "{}, {what}: {told}", kind.name);
            reference.come_to_the_end(&what, path, kind.go_on);
        }
        code => {
            assert!(died, "{}: a run was begun twice", kind.name);
            assert_eq!(code, reference.code, "{}, {what}: {told}", kind.name);
            reference.compare(&what, path);
        }
    }
    let runs = fs::read_dir(path.join("logs")).unwrap();
    let runs = runs.map(|entry| entry.unwrap().file_name());
    assert!(runs.into_iter().all(|name| name == "killed" || name == "parent"));
    for entry in fs::read_dir(path.join(RUN)).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(!name.ends_with(".part") && name != "running", "{what}: {name}");
    }
    u64::from(died)
}

#[test]
fn a_run_killed_at_any_write_of_its_birth_is_begun_or_gone_on_with() {
    let references: Vec<Reference> = match times("ROLECALL_BIRTHS", 0) {
        // A run by rules has every step; the others are part of the long proof.
        0 => that_begin().into_iter().take(1).map(Reference::new).collect(),
        _ => that_begin().into_iter().map(Reference::new).collect(),
    };
    let births = times("ROLECALL_BIRTHS", STEPS);
    table("killed at the writes of their birth", &references, births, |reference, number| {
        survive(reference, 1 + number % STEPS)
    });
}
