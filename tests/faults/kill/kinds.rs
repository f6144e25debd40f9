//! The ways of playing that are killed.

use std::fs;
use std::path::Path;

use super::copy_all;
use crate::support::binary::{rolecall, text};
use crate::support::fake_model::{Asked, Does};

/// A way of playing.
pub(super) struct Kind {
    pub(super) name: &'static str,
    /// Makes everything that the first command needs.
    pub(super) prepare: fn(&Path),
    /// The command that is killed.
    pub(super) begin: &'static [&'static str],
    /// The command that goes on with its run.
    pub(super) go_on: &'static [&'static str],
    /// The first command does not play: the other comes after it in any case.
    pub(super) goes_on_after: bool,
    /// What the server of models does.
    pub(super) manners: fn(&Asked) -> Does,
    /// The server is away while the run is gone on with, for a time.
    pub(super) dies: bool,
}

const RUN: &[&str] = &["run", "killed.toml", "--name", "killed", "--quiet", "--no-report"];
const RESUME: &[&str] = &["resume", "logs/killed", "--quiet", "--no-report"];
const COMPACT: &[&str] = &["logs", "compact", "logs/killed"];
const BRANCH: &[&str] = &[
    "branch",
    "logs/parent",
    "--episodes",
    "all",
    "--at",
    "first-question",
    "--set",
    "user.kind=unhelpful",
    "--name",
    "killed",
    "--quiet",
    "--no-report",
];
const REPRODUCE: &[&str] = &["reproduce", "killed.toml", "--name", "killed", "--quiet"];
const REPRODUCE_ON: &[&str] = &["reproduce", "--run", "logs/killed", "--quiet"];

const RULES: Kind = Kind {
    name: "rules",
    prepare: |folder| write(folder, ""),
    begin: RUN,
    go_on: RESUME,
    goes_on_after: false,
    manners: says,
    dies: false,
};

/// Those whose first command makes the folder of a run.
pub(super) fn that_begin() -> Vec<Kind> {
    vec![
        RULES,
        Kind { name: "models", prepare: |folder| write(folder, MODEL), ..RULES },
        Kind { name: "scripted", prepare: scripted, ..RULES },
        Kind {
            name: "branch",
            prepare: |folder| {
                write(folder, "");
                let run = ["run", "killed.toml", "--name", "parent", "--quiet", "--no-report"];
                let played = rolecall(folder, &run).output().unwrap();
                assert!(played.status.success(), "{}", text(&played.stderr));
            },
            begin: BRANCH,
            ..RULES
        },
        Kind {
            name: "reproduce",
            prepare: |folder| write(folder, TABLE),
            begin: REPRODUCE,
            go_on: REPRODUCE_ON,
            ..RULES
        },
        Kind { name: "many cells", prepare: |folder| write(folder, CELLS), ..RULES },
    ]
}

/// All of them.
pub(super) fn all() -> Vec<Kind> {
    let mut kinds = that_begin();
    kinds.extend([
        Kind { name: "resume", prepare: half, begin: RESUME, ..RULES },
        Kind { name: "compacted", prepare: half, begin: COMPACT, goes_on_after: true, ..RULES },
        Kind {
            name: "many",
            prepare: |folder| {
                half(folder);
                count_as_many(folder);
            },
            begin: RESUME,
            ..RULES
        },
        Kind {
            name: "many compacted",
            prepare: |folder| {
                write(folder, "");
                let played = rolecall(folder, RUN).output().unwrap();
                assert!(played.status.success(), "{}", text(&played.stderr));
                count_as_many(folder);
            },
            begin: COMPACT,
            goes_on_after: true,
            ..RULES
        },
        Kind { name: "dying server", prepare: |folder| write(folder, MODEL), manners: fails, dies: true, ..RULES },
    ]);
    kinds
}

const CONFIG: &str = r#"
name = "killed"
strategy.name = "respact"
environment = { name = "household", data = "builtin" }
tasks.limit = 3
limits.steps = 6
run = { concurrency = 3, arbiters = 2 }
user.kind = "helpful"
"#;
const BY_RULES: &str = "roles.executor.implementation = \"rules\"\n";
const MODEL: &str = r#"
[roles.executor]
implementation = "model"
persona = "respact/executor"
model = "fake"
[models.fake]
provider = "openai"
model = "any"
base_url = "SERVER"
retries = { first_wait_seconds = 0.005, longest_wait_seconds = 0.02 }
"#;
const CELLS: &str = r"
[matrix.permutation]
p0 = { roles.executor.permutation = 0 }
p1 = { roles.executor.permutation = 1 }
p2 = { roles.executor.permutation = 2 }
[matrix.steps]
two = { limits.steps = 2 }
three = { limits.steps = 3 }
four = { limits.steps = 4 }
five = { limits.steps = 5 }
";
const TABLE: &str = r#"
[matrix.permutation]
p0 = { roles.executor.permutation = 0 }
p1 = { roles.executor.permutation = 1 }
[table]
title = "Success in %"
paper = "Paper, Table 0"
[[table.columns]]
name = "All"
[[table.rows]]
label = "First"
published = [50]
cells = "p0"
[[table.rows]]
label = "Second"
published = [40]
cells = "p1"
"#;

fn write(folder: &Path, more: &str) {
    let agents = Path::new(env!("CARGO_MANIFEST_DIR")).join("agents");
    let agents = format!("agents = '{}'\n", agents.display());
    let rules = if more == MODEL { "" } else { BY_RULES };
    let config = [&agents, CONFIG, rules, more].concat();
    fs::write(folder.join("killed.toml"), config).unwrap();
}

/// The model of an old run, whose answers stand in a file.
fn scripted(folder: &Path) {
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/logs/runs_of_0_1");
    copy_all(&old.join("agents"), &folder.join("agents"));
    fs::copy(old.join("replies.jsonl"), folder.join("replies.jsonl")).unwrap();
    let config = fs::read_to_string(old.join("model.toml")).unwrap();
    let config = config.replace("limit = 1", "limit = 3");
    fs::write(folder.join("killed.toml"), config).unwrap();
}

/// A run as one that was killed amid its episodes leaves it, before any was over.
fn half(folder: &Path) {
    write(folder, "");
    let played = rolecall(folder, RUN).output().unwrap();
    assert!(played.status.success(), "{}", text(&played.stderr));
    let run = folder.join("logs/killed");
    let events = fs::read(run.join("events.jsonl")).unwrap();
    fs::write(run.join("events.jsonl"), &events[..events.len() / 3]).unwrap();
    for name in ["results.jsonl", "timings.jsonl"] {
        fs::write(run.join(name), "").unwrap();
    }
    fs::write(run.join("running"), "123\n").unwrap();
    fs::remove_file(run.join("events.index")).unwrap();
}

/// Has the run compress its results, too.
fn count_as_many(folder: &Path) {
    let file = folder.join("logs/killed/run.toml");
    let record = fs::read_to_string(&file).unwrap();
    fs::write(file, record.replacen("schema = 1", "schema = 2", 1)).unwrap();
}

/// What the model says: the moves of an executor that also asks.
const SAYINGS: [&str; 6] = [
    "Act: look",
    "Act: go to desk 1",
    "Think: I should look around first.",
    "Speak: Where should I look?",
    "Act: inventory",
    "Act: open drawer 1",
];

/// A reply that depends on the request alone.
fn says(asked: &Asked) -> Does {
    let hash = blake3::hash(asked.body.to_string().as_bytes());
    Does::Says(SAYINGS[usize::from(hash.as_bytes()[0]) % SAYINGS.len()])
}

/// The same of a server that is overloaded, or cut off, for some requests on end.
fn fails(asked: &Asked) -> Does {
    match asked.number % 16 {
        9..=11 => Does::Refuses(503, Vec::new(), "busy".to_owned()),
        12 | 13 => Does::Closes,
        _ => says(asked),
    }
}
