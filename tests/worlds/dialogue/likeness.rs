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
    hash.as_bytes()[..12]
        .iter()
        .map(|byte| f64::from(*byte) - 127.5)
        .collect()
}

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

fn input(asked: &Asked) -> Vec<String> {
    let texts = asked.body["input"].as_array().unwrap().iter();
    texts
        .map(|text| text.as_str().unwrap().to_owned())
        .collect()
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
    let data = input(asked)
        .into_iter()
        .enumerate()
        .map(|(index, text)| json!({"index": index, "embedding": vector(&text)}));
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
    let fixed = [
        "analyse",
        "made",
        "--embeddings",
        "vectors",
        "--with",
        "made.toml",
    ];
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
    assert_eq!(
        unknown["embeddings"]["rows"][0]["bert_score"]["rescaled"],
        json!(false)
    );
    let shown = text(&analysed(folder.path(), &["--markdown"]).stdout);
    assert!(
        shown.contains("## BERTScore x 100 (vectors of each token by `vectors`"),
        "{shown}"
    );
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
    assert!(shown.contains("Embedding similarity x 100"), "{shown}");
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
    assert!(
        told.contains("the vectors of `vectors`: the answer makes no sense"),
        "{told}"
    );
    let output = command(folder.path(), &["analyse", "made", "--embeddings", "x"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("--with <CONFIG>"),
        "{}",
        text(&output.stderr)
    );
}
