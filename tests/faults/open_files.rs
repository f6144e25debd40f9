//! A run that needs more open files than the system allows is refused before it begins.

use std::path::Path;
use std::process::{Command, Output};

/// Runs a config of a thousand calls at once, with a limit that `ulimit` is given.
fn run(folder: &Path, limit: &str, overrides: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_rolecall");
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs/household/respact-model.toml");
    let script =
        format!("ulimit {limit} && exec '{program}' run '{}' --quiet --no-report {overrides}", config.display());
    Command::new("sh").args(["-c", &script]).current_dir(folder).output().unwrap()
}

#[test]
fn too_few_open_files_are_said_before_anything_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let many = "--set run.concurrency=1000 --set models.agent.limits.in_flight=800";
    let refused = run(folder.path(), "-n 300", many);
    assert_eq!(refused.status.code(), Some(2), "{refused:?}");
    let said = String::from_utf8(refused.stderr).unwrap();
    for part in [
        "(800 connections to models,",
        "the system allows 300",
        "`ulimit -n 8",
        "`run.concurrency`",
        "`limits.in_flight` of `agent`",
    ] {
        assert!(said.contains(part), "{said}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}
