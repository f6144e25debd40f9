//! `rolecall analyse --only simulator,variance`: what simulated users do that they should not, by rules and by a judge.

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::support::binary::text;
use crate::support::fake_model::{Does, FakeModel};
use crate::support::played::{ends, folder};
use serde_json::Value;

/// A cell with a user by rules, and two whose user is a model that answers from a file: one says what is not so, one
/// leaves at once.
const CONFIG: &str = r#"extends = "configs/household/respact.toml"
name = "r"
tasks.limit = 12
cache.mode = "off"
[[cells]]
name = "helpful"
[[cells]]
name = "wrong"
[cells.user]
kind = "model"
persona = "users/helpful"
model = "wrong"
[[cells]]
name = "leaves"
[cells.user]
kind = "model"
persona = "users/helpful"
model = "leaves"
leaving = "STOP"
[models.wrong]
provider = "scripted"
script = "wrong.jsonl"
[models.leaves]
provider = "scripted"
script = "leaves.jsonl"
"#;

fn played() -> tempfile::TempDir {
    let folder = folder();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let line = |text: &str| format!("{{\"contains\": \"Agent Query\", \"text\": \"{text}\"}}\n");
    write("my.toml", CONFIG);
    write("wrong.jsonl", &line("It is in shelf 77."));
    write("leaves.jsonl", &line("I have to go. STOP"));
    ends(folder.path(), &["run", "my.toml", "-q"], 0);
    folder
}

fn analysed(at: &Path, more: &[&str]) -> Value {
    let arguments = ["analyse", "r", "--json", "--only", "simulator,variance"];
    serde_json::from_slice(&ends(at, &[&arguments, more].concat(), 0).stdout).unwrap()
}

/// The card of a cell.
fn card<'a>(found: &'a Value, cell: &str) -> &'a Value {
    let rows = found["rows"].as_array().unwrap();
    let row = rows.iter().find(|row| row["cell"] == cell).unwrap();
    &row["simulator"]
}

#[test]
fn users_that_contradict_or_leave_show_on_the_card_and_beside_the_score() {
    let folder = played();
    let at = folder.path();
    let found = analysed(at, &[]);
    let value = |cell: &str, name: &str| card(&found, cell)["faults"][name]["value"].as_f64();
    assert_eq!(value("helpful", "contradicted"), Some(0.0), "{found}");
    assert!(value("wrong", "contradicted") > Some(0.5), "{found}");
    assert_eq!(value("wrong", "left_early"), Some(0.0));
    assert_eq!(value("leaves", "left_early"), Some(1.0));
    let share = |cell: &str, name: &str| card(&found, cell)[name]["value"].as_f64();
    assert_eq!((share("helpful", "faulty"), share("helpful", "difference")), (Some(0.0), Some(0.0)));
    assert_eq!((share("leaves", "faulty"), share("leaves", "success_without")), (Some(1.0), None));
    assert!(share("wrong", "faulty") > Some(0.5) && share("wrong", "faulty") < Some(1.0));
    assert!(share("wrong", "difference") >= Some(0.0));
    // The users are what cells differ by.
    let sources = found["variance"]["sources"].as_array().unwrap();
    assert_eq!(sources[0]["source"], "user");
    assert_eq!(found["variance"]["left_out"], serde_json::json!(["agent", "model"]));
    let sum: f64 = sources.iter().map(|own| own["share"]["value"].as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-9 && sources[0]["share"]["value"].as_f64() > Some(0.3));
    // It stands in the reports as well, and on the page of the analyses.
    let report = fs::read_to_string(at.join("logs/r/report.md")).unwrap();
    let page = fs::read_to_string(at.join("logs/r/report.html")).unwrap();
    let printed = text(&ends(at, &["report", "r"], 0).stdout);
    for told in [report, page, printed] {
        assert!(told.contains("Simulated user"), "{told}");
    }
    let page = text(&ends(at, &["analyse", "r", "--html", "-"], 0).stdout);
    for part in ["id=\"simulator\"", "id=\"variance\""] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn a_judge_is_a_second_opinion_on_users() {
    let folder = played();
    let at = folder.path();
    let server = FakeModel::start(Duration::ZERO, move |asked| {
        let left = asked.key.contains("leaves:");
        Does::Says(match left {
            true => {
                r#"{"left_early": true, "contradicted": false, "acted_as_agent": false, "unasked": false, "repeated": false}"#
            }
            false => {
                r#"{"left_early": false, "contradicted": false, "acted_as_agent": false, "unasked": false, "repeated": false}"#
            }
        })
    });
    let model = format!("[models.large]\nprovider = \"openai\"\nbase_url = \"{}\"\nmodel = \"m\"\n", server.url());
    fs::write(at.join("judge.toml"), format!("{CONFIG}{model}")).unwrap();
    let judge = ["rate", "judge", "r", "--what", "user_faults", "--model", "large"];
    ends(at, &[&judge[..], &["--config", "judge.toml"]].concat(), 0);
    let found = analysed(at, &["--labels", "judge-large"]);
    let pairs = &card(&found, "leaves")["rules_and_labels"]["left_early"];
    let pairs = pairs.as_array().unwrap();
    assert!(!pairs.is_empty() && pairs.iter().all(|pair| pair[0] == pair[1]), "{found}");
    let wrong = &card(&found, "wrong")["rules_and_labels"]["contradicted"];
    let missed = wrong.as_array().unwrap().iter().filter(|pair| pair[0] != pair[1]);
    assert!(missed.count() > 0, "{found}");
    let card = ["analyse", "r", "--only", "simulator"];
    let rules = text(&ends(at, &card, 0).stdout);
    let both = text(&ends(at, &[&card[..], &["--labels", "judge-large"]].concat(), 0).stdout);
    assert!(both.lines().count() > rules.lines().count(), "{both}");
}
