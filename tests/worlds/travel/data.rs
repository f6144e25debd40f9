//! The tools of `rolecall data` for travel, as they are started from a shell.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::binary::{rolecall, text};
use crate::support::raw_server::{RawServer, Reply, Request};

/// Does `rolecall data` with arguments written in one text; returns what it prints.
fn given(folder: &Path, arguments: &str, code: i32) -> String {
    let arguments = ["data"].into_iter().chain(arguments.split_whitespace());
    let arguments: Vec<&str> = arguments.collect();
    let output = rolecall(folder, &arguments).output().unwrap();
    let (out, errors) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{out}{errors}");
    out + &errors
}

fn lines(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.collect()
}

#[test]
fn a_generated_country_is_written_once_measured_and_prepared() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for out in ["one", "two"] {
        given(at, &format!("generate travel --count 10 --seed 3 --out {out}"), 0);
    }
    let read = |file: &str| fs::read(at.join(file)).unwrap();
    let tables = [
        "accommodations/clean_accommodations_2022.csv",
        "attractions/attractions.csv",
        "background/citySet.txt",
        "background/citySet_with_states.txt",
        "flights/clean_Flights_2022.csv",
        "googleDistanceMatrix/distance.csv",
        "restaurants/clean_restaurant_2022.csv",
    ];
    let tables = tables.map(|table| format!("database/{table}"));
    let conversations = ["train.csv", "train.jsonl", "test.csv", "test.jsonl"];
    for file in tables.iter().map(String::as_str).chain(conversations) {
        assert_eq!(read(&format!("one/{file}")), read(&format!("two/{file}")), "{file}");
    }
    assert!(given(at, "generate travel --out one", 2).contains("is there already"));
    assert!(given(at, "generate travel --out x --count 0", 2).contains("--count"));

    let figures = given(at, "statistics travel --data one --json", 0);
    let figures: Value = serde_json::from_str(&figures).unwrap();
    for split in ["train", "test"] {
        let counted = &figures[split];
        assert_eq!(counted["conversations"], 10);
        assert_eq!(counted["turns"], 28);
        assert_eq!(counted["details"], json!({ "0": 1, "1": 3, "2": 3, "3": 3 }));
        let [missing, unfeasible] = ["missing", "unfeasible"].map(|kind| counted[kind]["all"].as_u64().unwrap());
        assert_eq!(missing + unfeasible, 18);
        assert_eq!(counted["left_out"], 0);
    }
    let whole = fs::read_to_string(at.join("one/test.csv")).unwrap();
    fs::write(at.join("some.csv"), whole.replacen(",easy,", ",simple,", 1)).unwrap();
    let printed = given(at, "statistics travel --data some.csv", 0);
    assert!(printed.contains("`some.csv`, line"), "{printed}");
    assert!(given(at, "statistics travel --data nowhere", 2).contains("nowhere"));

    given(at, "prepare travel --data one --out one.country", 0);
    assert!(at.join("one.country").exists());
    assert!(given(at, "prepare travel --data two/train.csv --out x", 2).contains("train.csv"));
    for data in ["one", "one.country"] {
        given(at, &format!("build travel --data {data} --count 5 --out of-{data}"), 0);
    }
}

#[test]
fn large_tables_begin_with_the_usual_one() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    given(at, "generate travel --count 1 --out usual", 0);
    given(at, "generate travel --count 1 --flights 50000 --out large", 0);
    let read = |out: &str| {
        let file = format!("{out}/database/flights/clean_Flights_2022.csv");
        fs::read_to_string(at.join(file)).unwrap()
    };
    let [usual, large] = ["usual", "large"].map(read);
    assert_eq!(large.lines().count(), 50_001);
    assert!(large.starts_with(&usual));
    let conversations = |out: &str| fs::read(at.join(out).join("test.csv")).unwrap();
    assert_eq!(conversations("usual"), conversations("large"));
}

#[test]
fn turns_become_rows_for_training() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    given(at, "generate travel --count 20 --out data", 0);
    let rows = |options: &str| {
        let _ = fs::remove_file(at.join("rows.jsonl"));
        let printed = given(at, &format!("trajectories travel --data data --out rows.jsonl {options}"), 0);
        let rows = lines(&at.join("rows.jsonl"));
        assert!(printed.contains(&rows.len().to_string()), "{printed}");
        rows
    };
    let roles = |row: &Value| -> Vec<String> {
        let messages = row["messages"].as_array().unwrap().iter();
        messages.map(|message| message["role"].as_str().unwrap().to_owned()).collect()
    };
    let chains = rows("--for executor --chat");
    assert_eq!(chains.len(), 56);
    assert!(chains.iter().all(|row| roles(row) == ["system", "user", "assistant"]));
    assert_eq!(chains[55]["task"], 19);

    let asked = |rows: &[Value]| rows.iter().filter(|row| roles(row).len() == 5).count();
    let intended = rows("--for clarifier --chat");
    assert_eq!((intended.len(), asked(&intended)), (56, 36));
    let head = rows("--for clarifier --chat --labels head");
    assert!(asked(&head) < 36);
    let answers = rows("--for clarifier");
    assert_eq!(answers.len(), 56 + 36);
    let said: BTreeSet<&str> = answers.iter().map(|row| row["completion"].as_str().unwrap()).collect();
    assert!(said.contains("Yes.") && said.contains("No."));
    assert!(given(at, "trajectories travel --for planner --out x", 2).contains("planner"));
}

fn says(text: &str) -> Reply {
    let message = json!({"role": "assistant", "content": text});
    let choice = json!({"index": 0, "message": message, "finish_reason": "stop"});
    Reply::json(200, &json!({"choices": [choice]}))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_words_questions_and_then_answers_to_them() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // Questions about budgets are no questions; an answer says the draft in other words.
    let server = RawServer::start(|request: &Request| {
        let message = request.body["messages"][1]["content"].as_str().unwrap();
        let line = |head| message.lines().find_map(|line: &str| line.strip_prefix(head));
        match line("Draft of your answer: ") {
            Some(draft) => says(&format!("Well then: {draft}")),
            None if message.contains("budget.") => says("No question"),
            None => says("\"Could you say more?\""),
        }
    });
    let server = server.await;
    let config = format!(
        "extends = '{}/configs/travel/cep.toml'\n[models.own]\nprovider = \"openai\"\nbase_url = \"{}\"\n\
         model = \"m\"\nretries = {{ attempts = 2 }}\n",
        env!("CARGO_MANIFEST_DIR"),
        server.url
    );
    fs::write(at.join("my.toml"), config).unwrap();
    let command = "build travel --count 20 --out built --model own";
    assert!(given(at, command, 2).contains("--config"));
    given(at, &format!("{command} --config my.toml"), 0);
    let rows = lines(&at.join("built/train.jsonl"));
    let details = rows.iter().map(|row| row["details"].as_str().unwrap());
    let details: String = details.collect();
    assert!(details.contains("'Could you say more?'") && details.contains("Well then: "));
    assert!(!details.contains("No question"));
    let card = fs::read_to_string(at.join("built/README.md")).unwrap();
    assert!(card.contains("worded by a model"), "{card}");
}
