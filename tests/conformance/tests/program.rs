//! The program `rolecall-conformance`: arguments in, text and exit code out.

#![allow(clippy::unwrap_used, reason = "a test may stop at once")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn compared(world: &str, oracle: &Path, data: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rolecall-conformance"));
    command.arg(world).arg("--oracle").arg(oracle).arg("--data").arg(data).output().unwrap()
}

fn complaint(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn errors_steer_no_terminal_and_repeat_nothing() {
    let text = complaint(&compared("household", Path::new("o\u{1b}[2J"), Path::new("d")));
    assert_eq!(text.matches("No such file").count(), 1, "{text}");
    assert!(text.contains("o\\u{1b}[2J"), "{text}");
}

#[test]
fn an_unknown_world_is_answered_with_the_known_ones() {
    let text = complaint(&compared("houshold", Path::new("o"), Path::new("d")));
    assert!(text.contains("[possible values: household, dialogue, shop, booking, travel]"), "{text}");
    assert!(text.contains("a similar value exists: 'household'"), "{text}");
}

#[test]
fn differences_are_printed_and_make_the_exit_code_1() {
    let folder = tempfile::tempdir().unwrap();
    let recording = folder.path().join("games.jsonl");
    fs::write(&recording, "nonsense\n").unwrap();
    let output = compared("household", folder.path(), folder.path());
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    let first = format!("{}:1 line: expected \"a JSON object of a step\"", recording.display());
    assert!(text.starts_with(&first) && text.ends_with("\n0 steps checked, 1 differ\n"), "{text}");
}
