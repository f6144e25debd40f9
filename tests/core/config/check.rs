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
    let hash = format!("blake3 {}", &persona.blake3[..12]);
    let text = describe(&resolved).replace(&hash, "its hash");
    let expected = "\
run run
seed 1
tasks 3
episodes 3 tasks x 1 repeat x 1 cell = 3
machine 64 episodes at a time on 1 thread
logs logs
sync every-episode, a new file of events after 64 MB
cell main
environment household (data = builtin, observations = as-game, size = 3)
strategy respact (commands = as-game)
seat executor rules (api_key = (not written), patience = 3), persona rolecall:/agents/respact/executor.toml (its hash)
seat user helpful (wrong_rate = 0.0), sees dialogue+observations
limits 50 steps, any number of questions, 120 s a turn, 3 attempts a turn, 65536 bytes an answer
who sees what
task private briefs thoughts actions observations question earlier replies model calls faults scores
executor yes own own own yes yes yes yes yes own own -
user helpful yes own - - yes yes yes yes yes own own -
environment yes own - - yes yes - - - - own yes";
    assert_eq!(lines(&text), expected.lines().collect::<Vec<_>>());
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
    assert!(text.ends_with("notes\n  run.toml:9: `user` is left out: `react` has no user\n"), "{text}");
}
