//! The keys under which servers are told to keep replies: whose they are, and that nothing else knows
//! them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::support::binary::text;
use crate::support::fake_model::{Does, FakeModel};
use crate::support::played::{ends, folder};

const QUIET: [&str; 2] = ["-q", "--no-report"];

fn write_config(folder: &Path, server: &FakeModel) {
    let config = format!(
        "extends = \"configs/household/react.toml\"\nagents = \"agents\"\nlimits = {{ steps = 6 }}\n\
         tasks = {{ limit = 3 }}\ncache = {{ mode = \"off\" }}\n[roles.executor]\n\
         implementation = \"model\"\npersona = \"react/executor\"\nmodel = \"fake\"\n\
         [models.fake]\nprovider = \"openai\"\nmodel = \"any\"\nbase_url = \"{}\"\n",
        server.url()
    );
    fs::write(folder.join("own.toml"), config).unwrap();
}

/// The id that `run.toml` gives a run.
fn id(folder: &Path, name: &str) -> String {
    let record = fs::read_to_string(folder.join("logs").join(name).join("run.toml")).unwrap();
    let record: toml::Table = record.parse().unwrap();
    record["id"].as_str().unwrap().to_owned()
}

/// The whole keys that came since some had come.
fn since(server: &FakeModel, before: &BTreeSet<String>) -> BTreeSet<String> {
    let all: BTreeSet<String> = server.counts().bodies.into_keys().collect();
    all.difference(before).cloned().collect()
}

#[test]
fn no_other_request_and_no_other_run_has_the_key_of_a_call() {
    let server = FakeModel::start(Duration::ZERO, |_| Does::Says("Act: look\n"));
    let folder = folder();
    let at = folder.path();
    write_config(at, &server);
    let mut known = BTreeSet::new();
    // The same twice, other tasks under the same episodes, and a branch of the first.
    let commands: [(&str, &[&str]); 4] = [
        ("p", &["run", "own.toml"]),
        ("q", &["run", "own.toml"]),
        ("o", &["run", "own.toml", "--set", "tasks.offset=9"]),
        ("b", &["branch", "p", "--episodes", "all", "--at", "turn:3"]),
    ];
    let mut ids = BTreeSet::new();
    for (name, command) in commands {
        ends(at, &[command, &["--name", name], &QUIET].concat(), 0);
        let own = since(&server, &known);
        let id = id(at, name);
        let calls = if name == "b" { 3 * 4 } else { 3 * 6 };
        assert_eq!(own.len(), calls, "{name}: {own:?}");
        let begins = format!("{id}-");
        assert!(own.iter().all(|key| key.starts_with(&begins)), "{own:?}");
        ids.insert(id);
        known.extend(own);
    }
    assert_eq!(ids.len(), 4);
    let bodies = server.counts().bodies;
    assert!(bodies.values().all(|bodies| bodies.len() == 1));
    // Neither the log nor its order knows of it.
    let canonical = |name| ends(at, &["logs", "canonical", name], 0).stdout;
    assert!(canonical("p") == canonical("q"));
    for file in ["events.jsonl", "results.jsonl", "timings.jsonl"] {
        let content = fs::read_to_string(at.join("logs/p").join(file)).unwrap();
        assert!(ids.iter().all(|id| !content.contains(id)), "{file}");
    }
}

#[test]
fn after_a_resume_calls_have_their_keys_again() {
    let server = FakeModel::start(Duration::ZERO, |_| Does::Says("Act: look\n"));
    let folder = folder();
    let at = folder.path();
    write_config(at, &server);
    ends(at, &[&["run", "own.toml", "--name", "p"], &QUIET[..]].concat(), 0);
    let (first, before) = (id(at, "p"), server.requests());
    let canonical = ends(at, &["logs", "canonical", "p"], 0).stdout;
    let run = at.join("logs/p");
    let events = fs::read_to_string(run.join("events.jsonl")).unwrap();
    let kept: Vec<&str> = events.lines().take(30).collect();
    fs::write(run.join("events.jsonl"), kept.join("\n") + "\n").unwrap();
    for file in ["results.jsonl", "timings.jsonl"] {
        fs::write(run.join(file), "").unwrap();
    }
    ends(at, &[&["resume", "p"], &QUIET[..]].concat(), 0);
    let counts = server.counts();
    assert!(counts.requests > before, "nothing was asked again");
    assert_eq!(counts.bodies.len(), 3 * 6, "{:?}", counts.bodies.keys());
    assert!(counts.bodies.values().all(|bodies| bodies.len() == 1));
    assert_eq!(id(at, "p"), first);
    assert!(ends(at, &["logs", "canonical", "p"], 0).stdout == canonical);
    // Also with changes that are accepted; a request that is another one has another key.
    fs::write(run.join("events.jsonl"), kept.join("\n") + "\n").unwrap();
    for file in ["results.jsonl", "timings.jsonl"] {
        fs::write(run.join(file), "").unwrap();
    }
    let changed = ["resume", "p", "--accept-changes", "--set", "models.fake.model=\"other\""];
    ends(at, &[&changed[..], &QUIET].concat(), 0);
    assert_eq!(id(at, "p"), first);
    let bodies = server.counts().bodies;
    assert!(bodies.len() > 3 * 6 && bodies.values().all(|bodies| bodies.len() == 1));
    // The id goes into a header: what cannot stand there is refused.
    let record = fs::read_to_string(run.join("run.toml")).unwrap();
    let odd = record.replace(&format!("id = \"{first}\""), "id = \"a\\nb\"");
    fs::write(run.join("run.toml"), odd).unwrap();
    let told = text(&ends(at, &["resume", "p"], 2).stderr);
    assert!(told.contains("`id` must be 1 to 64 letters and digits"), "{told}");
}
