//! `rolecall analyse --embeddings`: BERTScore from vectors of tokens, the similarity of whole texts from
//! others, and no name for something else.

use std::fs;
use std::path::Path;
use std::process::Output;
use std::time::Duration;

use crate::support::binary::{rolecall, text};
use crate::support::fake_model::{Asked, Does, FakeModel};
use serde_json::{Value, json};

fn says(body: &Value) -> Does {
    Does::Refuses(200, Vec::new(), body.to_string())
}

/// The numbers of a word; those of other words are elsewhere.
fn vector(word: &str) -> Vec<f64> {
    let hash = blake3::hash(word.to_lowercase().as_bytes());
    hash.as_bytes()[..12].iter().map(|byte| f64::from(*byte) - 127.5).collect()
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

fn input(asked: &Asked) -> Vec<String> {
    let texts = asked.body["input"].as_array().unwrap().iter();
    texts.map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// llama.cpp with `--pooling none`: words are tokens, with one before and one behind them.
fn of_tokens(asked: &Asked) -> Does {
    if let Some(content) = asked.body["content"].as_str() {
        let mut tokens: Vec<usize> = (10..10 + words(content).len()).collect();
        if asked.body["add_special"] == json!(true) {
            tokens.insert(0, 1);
            tokens.push(2);
        }
        return says(&json!({"tokens": tokens}));
    }
    let texts = input(asked).into_iter().enumerate().map(|(index, text)| {
        let mut tokens = vec!["[CLS]"];
        tokens.extend(words(&text));
        tokens.push("[SEP]");
        let vectors: Vec<Vec<f64>> = tokens.iter().map(|token| vector(token)).collect();
        json!({"index": index, "embedding": vectors})
    });
    says(&Value::Array(texts.collect()))
}

/// The interface of OpenAI, wherever it is asked.
fn of_texts(asked: &Asked) -> Does {
    let data =
        input(asked).into_iter().enumerate().map(|(index, text)| json!({"index": index, "embedding": vector(&text)}));
    says(&json!({"object": "list", "data": data.collect::<Vec<_>>()}))
}

/// A run of the rule players, and a config with a model at the address.
fn made(folder: &Path, url: &str, model: &str) {
    let config = format!(
        r#"
name = "made"
seed = 1
environment = {{ name = "dialogue", data = "builtin", dataset = "focus" }}
strategy = {{ name = "cot" }}
tasks = {{ limit = 4 }}
roles.executor.implementation = "rules"
[models.vectors]
provider = "openai"
model = "{model}"
base_url = "{url}"
retries = {{ attempts = 2, first_wait_seconds = 0.01 }}
"#
    );
    fs::write(folder.join("made.toml"), config).unwrap();
    let output = command(folder, &["run", "made.toml", "--quiet", "--no-report"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

fn command(folder: &Path, arguments: &[&str]) -> Output {
    rolecall(folder, arguments).output().unwrap()
}

fn analysed(folder: &Path, more: &[&str]) -> Output {
    let fixed = ["analyse", "made", "--embeddings", "vectors", "--with", "made.toml"];
    command(folder, &[&fixed[..], more].concat())
}

fn object(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn vectors_of_tokens_give_bert_score_rescaled_only_by_a_known_baseline() {
    let server = FakeModel::start(Duration::ZERO, of_tokens);
    let folder = tempfile::tempdir().unwrap();
    made(folder.path(), &server.url(), "roberta-large");
    let plain = object(&analysed(folder.path(), &["--json"]));
    let row = &plain["embeddings"]["rows"][0];
    assert_eq!(row["responses"], json!(4));
    let score = &row["bert_score"];
    assert_eq!(score["rescaled"], json!(false));
    let precision = score["precision"].as_f64().unwrap();
    assert!(precision > 0.1 && precision < 1.0, "{score}");
    assert_eq!(row.get("embedding_similarity"), None);
    let rescaled = object(&analysed(folder.path(), &["--json", "--layer", "17"]));
    let score = &rescaled["embeddings"]["rows"][0]["bert_score"];
    assert_eq!(score["rescaled"], json!(true));
    let expected = (precision - 0.831_505_84) / (1.0 - 0.831_505_84);
    assert!((score["precision"].as_f64().unwrap() - expected).abs() < 1e-9);
    let unknown = object(&analysed(folder.path(), &["--json", "--layer", "3"]));
    assert_eq!(unknown["embeddings"]["rows"][0]["bert_score"]["rescaled"], json!(false));
    let shown = text(&analysed(folder.path(), &["--markdown"]).stdout);
    assert!(shown.contains("BERTScore"), "{shown}");
}

#[test]
fn vectors_of_whole_texts_give_a_similarity_and_never_bert_score() {
    let server = FakeModel::start(Duration::ZERO, of_texts);
    let folder = tempfile::tempdir().unwrap();
    made(folder.path(), &server.url(), "roberta-large");
    let found = analysed(folder.path(), &["--json", "--layer", "17"]);
    let found = object(&found);
    let row = &found["embeddings"]["rows"][0];
    let similarity = row["embedding_similarity"].as_f64().unwrap();
    assert!((-1.0..=1.0).contains(&similarity), "{row}");
    assert_eq!(row.get("bert_score"), None);
    let shown = text(&analysed(folder.path(), &[]).stdout);
    assert!(shown.contains("similarity"), "{shown}");
    assert!(!shown.contains("BERTScore"), "{shown}");
}

#[test]
fn without_a_server_there_is_no_figure_and_a_server_that_fails_says_why() {
    let server = FakeModel::start(Duration::ZERO, |asked| {
        match asked.body["content"].is_string() {
            // Fewer tokens than vectors.
            true => says(&json!({"tokens": [1, 2]})),
            false => of_tokens(asked),
        }
    });
    let folder = tempfile::tempdir().unwrap();
    made(folder.path(), &server.url(), "any");
    let plain = object(&command(folder.path(), &["analyse", "made", "--json"]));
    assert_eq!(plain.get("embeddings"), None);
    let output = analysed(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    let told = text(&output.stderr);
    assert!(told.contains("the vectors of `vectors`: the answer makes no sense"), "{told}");
    let output = command(folder.path(), &["analyse", "made", "--embeddings", "x"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("--with <CONFIG>"), "{}", text(&output.stderr));
}

/// A table with a column of BERTScore, over the run of [`made`].
fn table(folder: &Path) {
    let config = fs::read_to_string(folder.join("made.toml")).unwrap();
    let config = config.replace("name = \"made\"", "name = \"table\"");
    let table = r#"
[table]
title = "t"
paper = "P"
columns = [{ name = "BERTScore", figure = "bert_score" }]
[[table.rows]]
label = "CoT"
published = [85]
cells = "main"
"#;
    fs::write(folder.join("table.toml"), config + table).unwrap();
}

#[test]
fn a_table_has_bert_score_where_a_server_gives_vectors_of_tokens() {
    let reproduced = |folder: &Path, more: &[&str]| {
        let output = command(folder, &[&["reproduce", "-q", "--json"], more].concat());
        object(&output)
    };
    let server = FakeModel::start(Duration::ZERO, of_tokens);
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    made(folder, &server.url(), "roberta-large");
    table(folder);
    // Without a server it stays as published, and says how it would be filled.
    let plain = reproduced(folder, &["table.toml"]);
    let cell = &plain["rows"][0]["figures"][0];
    assert_eq!((&cell["published"], &cell["ours"]), (&json!("85"), &Value::Null));
    assert!(plain["notes"].to_string().contains("--embeddings"), "{plain}");
    let given = ["--embeddings", "vectors"];
    let filled = reproduced(folder, &[&["table.toml", "--name", "again"][..], &given].concat());
    let ours = &filled["rows"][0]["figures"][0]["ours"];
    // As `analyse` has it, by the same responses.
    let analysed = object(&analysed(folder, &["--json"]));
    let expected = analysed["embeddings"]["rows"][0]["bert_score"]["f1"].as_f64().unwrap();
    let found = ours["value"].as_f64().unwrap();
    assert!((found - expected * 100.0).abs() < 1e-9, "{found} {expected}");
    assert_eq!(ours["n"], json!(4));
    assert!(ours["interval"][0].as_f64().unwrap() < found, "{ours}");
    assert!(filled["notes"].to_string().contains("`vectors`"));
    // Of a run that there is, by a config that describes the model.
    let of_run = ["--run", "table", "--with", "made.toml", "--layer", "17"];
    let later = reproduced(folder, &[&of_run[..], &given].concat());
    assert_ne!(later["rows"][0]["figures"][0]["ours"]["value"], ours["value"]);
    let unknown = ["reproduce", "table.toml", "-q", "--name", "none", "--embeddings", "vectros"];
    let unknown = command(folder, &unknown);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(&unknown.stderr).contains("vectors"), "{unknown:?}");
    assert!(!folder.join("logs/none").exists(), "nothing is played first");
    // Vectors of whole texts give no BERTScore.
    let whole = FakeModel::start(Duration::ZERO, of_texts);
    made_with(folder, &whole.url());
    let whole = reproduced(folder, &["--run", "table", "--with", "whole.toml", "--embeddings", "vectors"]);
    assert_eq!(whole["rows"][0]["figures"][0]["ours"], Value::Null);
    assert!(whole["notes"].to_string().contains("whole texts"), "{whole}");
}

/// The config of [`made`] with another address.
fn made_with(folder: &Path, url: &str) {
    let config = fs::read_to_string(folder.join("made.toml")).unwrap();
    let lines = config.lines().map(|line| match line.starts_with("base_url") {
        true => format!("base_url = \"{url}\"\n"),
        false => format!("{line}\n"),
    });
    fs::write(folder.join("whole.toml"), lines.collect::<String>()).unwrap();
}
