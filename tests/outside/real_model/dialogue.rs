//! Every method of dialogue on each dataset, played by the real server's model of random weights, in running
//! text and by a schema: what it says is nonsense, and that breaks no episode.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::server::servers;
use crate::support::binary::{rolecall, text};

/// The methods with their roles, and the card where it is not the strategy's own.
const METHODS: [(&str, &[&str], Option<&str>); 6] = [
    ("cot", &["executor"], Some("cot-dialogue/executor")),
    ("react", &["executor"], Some("react-dialogue/executor")),
    ("cue-cot", &["thinker", "executor"], None),
    ("chameleon", &["planner", "executor"], None),
    ("rewoo", &["planner", "executor"], None),
    ("tpe", &["thinker", "planner", "executor"], None),
];

/// Few tokens: the weights know no end.
const TOKENS: [(&str, u32); 2] = [("text", 60), ("json", 1500)];

#[test]
fn a_model_that_writes_nonsense_breaks_no_dialogue() {
    let Some(servers) = servers() else { return };
    let folder = tempfile::tempdir().unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (method, roles, card) in METHODS {
        for dataset in ["focus", "cima", "psyqa"] {
            for (moves, tokens) in TOKENS {
                let name = format!("{method}-{dataset}-{moves}");
                let mut config = format!(
                    "name = \"{name}\"\nagents = '{}'\nseed = 1\ntasks.limit = 1\ncache.mode = \"off\"\n\
                     [environment]\nname = \"dialogue\"\ndataset = \"{dataset}\"\n\
                     [strategy]\nname = \"{method}\"\n\
                     [models.agent]\nbase_url = \"{}/v1\"\nmodel = \"default\"\n\
                     capabilities = {{ json_schema = true }}\nsampling = {{ max_tokens = {tokens} }}\n",
                    root.join("agents").display(),
                    servers.open,
                );
                for role in roles {
                    config += &format!(
                        "[roles.{role}]\nimplementation = \"model\"\nmodel = \"agent\"\n\
                         moves = \"{moves}\"\nshots = 0\nlongest = 40\n"
                    );
                    if let Some(card) = card {
                        config += &format!("persona = \"{card}\"\n");
                    }
                }
                let file = folder.path().join(format!("{name}.toml"));
                fs::write(&file, config).unwrap();
                let arguments = ["run", file.to_str().unwrap(), "--json", "--no-report"];
                let output = rolecall(folder.path(), &arguments).output().unwrap();
                let told = text(&output.stderr);
                assert_eq!(output.status.code(), Some(0), "{name}: {told}");
                let results: Value = serde_json::from_slice(&output.stdout).unwrap();
                for kind in ["broken", "cancelled", "unfinished"] {
                    assert_eq!(results[kind], 0, "{name}: {kind}: {results}");
                }
            }
        }
    }
}
