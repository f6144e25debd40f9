//! What `rolecall check` says about a config.

use rolecall::cli::describe;

use super::support::{GOOD, resolve};

fn lines(text: &str) -> Vec<String> {
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    text.lines().map(words).filter(|line| !line.is_empty()).collect()
}

#[test]
fn the_whole_wiring_is_printed() {
    let resolved = resolve(GOOD, &["run.arbiters=1"]).unwrap();
    let persona = resolved.record.cells[0].roles[0].persona.as_ref().unwrap();
    let text = describe(&resolved);
    for value in [
        "household",
        "builtin",
        "respact",
        "patience = 3",
        "(not written)",
        "rolecall:/agents/respact/executor.toml",
        &persona.blake3[..12],
        "helpful",
        "wrong_rate = 0.0",
        "65536",
    ] {
        assert!(text.contains(value), "{value}\n{text}");
    }
}

#[test]
fn the_table_of_sight_follows_the_config() {
    let sets = [
        "strategy.name=relay",
        "roles.thinker.implementation=rules",
        "roles.thinker.hide_thoughts=true",
        "user.sees=question",
    ];
    let text = describe(&resolve(GOOD, &sets).unwrap());
    let rows = lines(&text);
    let row = |start: &str| rows.iter().rfind(|row| row.starts_with(start)).unwrap().clone();
    assert_eq!(row("thinker"), "thinker yes own own yes yes yes yes yes yes own own -");
    assert_eq!(row("executor"), "executor yes own own own yes yes yes yes yes own own -");
    assert_eq!(row("user"), "user helpful yes own - - - - yes - - own own -");
}

#[test]
fn what_is_left_out_is_said() {
    let text = describe(&resolve(GOOD, &["strategy.name=react"]).unwrap());
    let last = text.lines().next_back().unwrap();
    assert!(last.contains("run.toml:9") && last.contains("`user`"), "{text}");
}
