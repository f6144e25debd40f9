//! Every variant of the two household papers, played by the real server's model of random weights: what
//! it says is nonsense in the shape of moves, and that breaks no episode.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;

use super::server::servers;
use crate::support::binary::{rolecall, text};

/// The model where a config has none: moves by a schema, with room for all the blanks that it puts
/// into them.
const MODEL: [&str; 8] = [
    "roles.executor.implementation=model",
    "roles.executor.model=agent",
    "roles.executor.moves=json",
    "models.agent.model=default",
    "models.agent.capabilities.json_schema=true",
    "models.agent.sampling.max_tokens=1000",
    "limits.steps=3",
    "tasks.limit=2",
];

const ASK: &str = "roles.executor.speech=ask";

/// A config that is written for players by rules, and what a model needs beside [`MODEL`].
const VARIANTS: [(&str, &[&str]); 10] = [
    ("react-star", &[]),
    ("react-im", &[]),
    ("react-ambiguous", &[]),
    ("react-multi-round", &[]),
    ("respact-im", &[]),
    ("respact-schema", &[]),
    ("respact-zero-shot", &[]),
    ("aba", &[ASK]),
    ("aba-ambiguous", &[ASK]),
    ("aba-multi-round", &[ASK]),
];

/// What makes the user a model.
const USER: [&str; 2] = ["user.kind=model", "user.model=agent"];

/// A run below a folder.
fn play(folder: &Path, name: &str, config: &str, address: &str, settings: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = root.join(format!("configs/household/{config}.toml"));
    let address = format!("models.agent.base_url={address}/v1");
    let mut arguments = vec!["run", config.to_str().unwrap(), "--json", "--no-report"];
    arguments.extend(["--name", name]);
    for setting in [address.as_str(), "cache.mode=off"].iter().chain(settings) {
        arguments.extend(["--set", setting]);
    }
    rolecall(folder, &arguments).output().unwrap()
}

/// Checks that every episode was played to its end, and the model was asked; gives the events.
fn assert_whole(folder: &Path, name: &str, output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{name}: {}", text(&output.stderr));
    let results: Value = serde_json::from_slice(&output.stdout).unwrap();
    for kind in ["broken", "cancelled", "unfinished"] {
        assert_eq!(results[kind], 0, "{name}: {kind}: {results}");
    }
    let log: PathBuf = folder.join("logs").join(name).join("events.jsonl");
    let events = fs::read_to_string(log).unwrap();
    assert!(events.contains("\"model_called\""), "{name}");
    events
}

#[test]
fn a_model_that_writes_nonsense_breaks_no_variant() {
    let Some(servers) = servers() else { return };
    let folder = tempfile::tempdir().unwrap();
    for (name, more) in VARIANTS {
        let settings = [&MODEL[..], more].concat();
        let output = play(folder.path(), name, name, &servers.open, &settings);
        assert_whole(folder.path(), name, &output);
    }
}

#[test]
fn a_model_may_be_any_of_the_users_too() {
    let Some(servers) = servers() else { return };
    let folder = tempfile::tempdir().unwrap();
    // Players by rules ask something sensible, so that the user is spoken to.
    for (name, config, persona) in [
        ("owner", "aba-ambiguous", "owner"),
        ("helpful", "respact", "helpful"),
        ("perturbed", "respact-im", "perturbed"),
        ("unhelpful", "respact-schema", "unhelpful"),
    ] {
        let persona = format!("user.persona=users/{persona}");
        let model = "models.agent.model=default";
        let more = [&persona, model, "limits.steps=8", "tasks.limit=2"];
        let settings = [&USER[..], &more].concat();
        let output = play(folder.path(), name, config, &servers.open, &settings);
        let events = assert_whole(folder.path(), name, &output);
        assert!(events.contains("\"replied\""), "{name}");
    }
}

#[test]
fn a_reflector_writes_a_lesson_after_each_trial() {
    let Some(servers) = servers() else { return };
    let folder = tempfile::tempdir().unwrap();
    let reflector = [
        "roles.reflector.implementation=model",
        "roles.reflector.model=agent",
        "roles.reflector.moves=json",
        "strategy.trials=2",
        "tasks.limit=1",
    ];
    for name in ["react-reflexion", "respact-reflexion"] {
        let settings = [&MODEL[..], &reflector].concat();
        let output = play(folder.path(), name, name, &servers.open, &settings);
        let events = assert_whole(folder.path(), name, &output);
        assert!(events.contains("\"lessons\""), "{name}: no lesson is shown");
    }
}

#[test]
fn asking_and_thinking_are_scored_beside_the_admissible_commands() {
    let Some(servers) = servers() else { return };
    let folder = tempfile::tempdir().unwrap();
    let rounds = [
        "environment.variant=multi-round",
        "strategy.rounds=50",
        "roles.executor.shots=1",
        "roles.executor.persona=aba-multi-round/executor",
        "roles.executor.recall=model",
    ];
    let ambiguous = ["environment.variant=ambiguous", "roles.executor.persona=aba-ambiguous/executor"];
    let settings: [(&str, &[&str]); 3] = [("standard", &[]), ("ambiguous", &ambiguous), ("rounds", &rounds)];
    for (name, more) in settings {
        let settings = [&["limits.steps=2", "tasks.limit=1"], more].concat();
        let output = play(folder.path(), name, "aba-model", &servers.open, &settings);
        let events = assert_whole(folder.path(), name, &output);
        assert!(events.contains("\"scores\""), "{name}: nothing was scored");
    }
}
