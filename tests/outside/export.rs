//! What `rolecall export` writes, loaded by `datasets` and by the model of traces of `verifiers`. Without the packages of
//! `tests/clients.sh` the test says that it skips.

use std::fs;
use std::path::Path;

use crate::support::binary::rolecall;
use crate::support::clients::{printed, python, script};
use crate::support::played::{ends, folder};

/// The formats, each with options that change the shape of rows.
const FORMATS: [(&str, &[&str]); 8] = [
    ("rows", &["--test-share", "0.4"]),
    ("trl", &["--test-share", "0.4"]),
    ("trl", &["--whole", "--label"]),
    ("axolotl", &[]),
    ("llama-factory", &["--label"]),
    ("openai", &[]),
    ("verifiers", &[]),
    ("atif", &[]),
];

fn export(folder: &Path, from: &str, number: usize, format: &str, more: &[&str]) -> String {
    let out = format!("{from}-{number}");
    let arguments = ["export", from, "--format", format, "--out", &out];
    printed(&rolecall(folder, &[&arguments, more].concat()).output().unwrap());
    out
}

/// Pairs of episodes of the shipped model with their branches, in which it writes at random.
fn pairs(at: &Path) -> Vec<String> {
    let options = ["-q", "--no-report", "--name"];
    let parent = ["run", "household/respact-local", "--limit", "2"];
    ends(at, &[&parent[..], &options, &["p"]].concat(), 0);
    let branch = ["branch", "p", "main:0:0", "main:1:0", "--at", "turn:3"];
    let random = ["--set", "models.local.sampling.temperature=3", "--set", "limits.steps=12"];
    ends(at, &[&branch[..], &random, &options, &["b"]].concat(), 0);
    let formats = ["trl", "llama-factory", "openai"];
    let made = formats.iter().enumerate().map(|(number, format)| {
        let out = export(at, "p", 100 + number, format, &["b", "--pairs"]);
        let rows = fs::read_to_string(at.join(&out).join("data/train-00000.jsonl"));
        assert!(rows.unwrap().lines().count() > 0, "no pairs in {out}");
        out
    });
    made.collect()
}

#[test]
fn datasets_loads_every_format_and_counts_what_the_manifest_says() {
    let Some(python) = python() else {
        return;
    };
    let folder = folder();
    let at = folder.path();
    let config = ["run", "configs/quickstart.toml", "--limit", "5", "--name", "q", "-q", "--no-report"];
    ends(at, &config, 0);
    let expert = ["data", "trajectories", "household", "--count", "3", "--out", "expert.jsonl"];
    ends(at, &expert, 0);
    let mut made = Vec::new();
    for (number, (format, more)) in FORMATS.into_iter().enumerate() {
        made.push(export(at, "q", number, format, more));
        if format != "atif" {
            made.push(export(at, "expert.jsonl", number, format, more));
        }
    }
    made.extend(pairs(at));
    let output = script(&python, "load_rows.py").args(&made).current_dir(at).output();
    let told = printed(&output.unwrap());
    assert_eq!(told.lines().count(), made.len(), "{told}");
}
