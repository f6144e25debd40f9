//! The examples run and show what they say. `cargo test` builds them; with `--test house` alone
//! they are those of the last `cargo build --examples`.

use std::path::Path;
use std::process::Command;

/// What an example prints.
fn printed(name: &str, arguments: &[&str]) -> String {
    let folder = Path::new(env!("CARGO_BIN_EXE_rolecall")).with_file_name("examples");
    let program = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let output = Command::new(&program).args(arguments).output();
    let output = output.unwrap_or_else(|error| panic!("{}: {error}; run `cargo build --examples`", program.display()));
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_role_of_ones_own_plays_beside_the_crates() {
    let shown = printed("own_role", &[]);
    let row = |cell: &str| shown.lines().find(|line| line.starts_with(cell)).unwrap();
    assert!(row("obedient  helpful  100.0").ends_with("100.0"), "{shown}");
    assert!(row("rules").contains("100.0"), "{shown}");
    assert!(shown.contains("events were logged"), "{shown}");
}

#[test]
fn a_log_is_read_with_a_metric_of_ones_own() {
    let shown = printed("read_log", &[]);
    assert!(shown.starts_with("run quickstart: 12 episodes, "), "{shown}");
    assert_eq!(shown.matches("variety of actions in ").count(), 4, "{shown}");
    assert!(shown.contains("  respact-helpful:0:0: solved, "), "{shown}");
}
