//! Dense retrieval: the environment asks a server for vectors, once for the texts of a source and once for
//! each query; runs are gone on with and played again; replies that cannot be used break episodes, not runs.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Output;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::support::binary::{rolecall, text};
use crate::support::fake_model::{Asked, Does, FakeModel};
use crate::support::played;
use serde_json::{Value, json};

/// Letters counted: alike texts have alike vectors.
fn vector(text: &str) -> Vec<f64> {
    let mut counts = vec![0.5; 26];
    for letter in text.bytes().filter(u8::is_ascii_alphabetic) {
        counts[usize::from(letter.to_ascii_lowercase() - b'a')] += 1.0;
    }
    counts
}

fn input(asked: &Asked) -> Vec<String> {
    let texts = asked.body["input"].as_array().unwrap().iter();
    texts.map(|text| text.as_str().unwrap().to_owned()).collect()
}

fn says(body: &Value) -> Does {
    Does::Refuses(200, Vec::new(), body.to_string())
}

/// The reply of a server that works; the last text comes first.
fn vectors(asked: &Asked) -> Value {
    let texts = input(asked).into_iter().enumerate().rev();
    let data: Vec<Value> =
        texts.map(|(index, text)| json!({"object": "embedding", "index": index, "embedding": vector(&text)})).collect();
    json!({"object": "list", "data": data, "model": "any", "usage": {"prompt_tokens": 7, "total_tokens": 7}})
}

fn working() -> FakeModel {
    FakeModel::start(Duration::ZERO, |asked| says(&vectors(asked)))
}

fn write_config(folder: &Path, url: &str, more: &str) {
    let config = format!(
        r#"
name = "dense"
seed = 1
environment = {{ name = "dialogue", data = "builtin", dataset = "focus", retriever = "dense", embeddings = "fake" }}
strategy = {{ name = "tpe" }}
run = {{ concurrency = 4, arbiters = 2 }}
roles.thinker.implementation = "rules"
roles.planner.implementation = "rules"
roles.executor.implementation = "rules"
[models.fake]
provider = "openai"
model = "any"
base_url = "{url}"
retries = {{ attempts = 2, first_wait_seconds = 0.01 }}
{more}
"#
    );
    fs::write(folder.join("dense.toml"), config).unwrap();
}

fn command(folder: &Path, arguments: &[&str]) -> Output {
    rolecall(folder, arguments).output().unwrap()
}

fn run(folder: &Path, more: &[&str]) -> Output {
    let arguments = [&["run", "dense.toml", "--no-report", "--quiet"], more].concat();
    command(folder, &arguments)
}

fn events(folder: &Path) -> Vec<u8> {
    let output = command(folder, &["logs", "canonical", "dense"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    output.stdout
}

fn results(folder: &Path) -> Vec<Value> {
    let lines = fs::read_to_string(folder.join("logs/dense/results.jsonl")).unwrap();
    let lines = lines.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.collect()
}

/// What retrievals showed: their data.
fn retrievals(events: &[u8]) -> Vec<Value> {
    let lines = std::str::from_utf8(events).unwrap().lines();
    let mut found = Vec::new();
    for line in lines {
        let line: Value = serde_json::from_str(line).unwrap();
        let mut open = vec![&line];
        while let Some(value) = open.pop() {
            if value.get("retrieved").is_some() {
                found.push(value.clone());
            } else if let Some(fields) = value.as_object() {
                open.extend(fields.values());
            }
        }
    }
    found
}

#[test]
fn sources_are_ranked_by_cosines_and_texts_are_asked_for_once() {
    let server = working();
    let folder = tempfile::tempdir().unwrap();
    write_config(folder.path(), &server.url(), "");
    let output = run(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let results = results(folder.path());
    assert!(results.len() >= 5);
    assert!(results.iter().all(|result| result["success"] == json!(true)), "{results:?}");
    let found = retrievals(&events(folder.path()));
    assert!(found.len() >= results.len());
    for retrieval in &found {
        for score in retrieval["scores"].as_array().unwrap() {
            let score = score.as_f64().unwrap();
            assert!((0.0..=1.0).contains(&score), "{retrieval}");
            assert_eq!(score, (score * 1e6).round() / 1e6);
        }
    }
    // One request for the texts of each source that was asked, and one for each query.
    let sources: u64 = results.len() as u64 * 2;
    let (least, most) = (found.len() as u64, found.len() as u64 + sources);
    let requests = server.requests();
    assert!((least + 1..=most).contains(&requests), "{requests} for {} retrievals", found.len());
    let record = fs::read_to_string(folder.path().join("logs/dense/run.toml")).unwrap();
    assert!(record.contains("embeddings = \"fake\""), "{record}");
    assert!(record.contains("[[models]]") || record.contains("[models"), "{record}");
}

#[test]
fn a_run_whose_server_refused_is_gone_on_with_to_the_same_events() {
    let whole = tempfile::tempdir().unwrap();
    let always = working();
    write_config(whole.path(), &always.url(), "");
    assert_eq!(run(whole.path(), &[]).status.code(), Some(0));
    let open = Arc::new(AtomicBool::new(false));
    let is_open = Arc::clone(&open);
    let server = FakeModel::start(Duration::ZERO, move |asked| {
        if asked.number < 9 || is_open.load(Ordering::SeqCst) {
            return says(&vectors(asked));
        }
        let body = json!({"error": {"message": "no such key"}});
        Does::Refuses(401, Vec::new(), body.to_string())
    });
    let folder = tempfile::tempdir().unwrap();
    write_config(folder.path(), &server.url(), "");
    let output = run(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let before = results(folder.path());
    assert!(before.len() < results(whole.path()).len());
    assert!(!format!("{before:?}").contains("broken"), "{before:?}");
    open.store(true, Ordering::SeqCst);
    let output = command(folder.path(), &["resume", "dense", "--no-report", "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&events(folder.path())), text(&events(whole.path())));
    let output = command(folder.path(), &["replay", "dense"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
}

#[test]
fn with_a_cache_a_run_is_played_again_without_a_server() {
    let mut server = working();
    let folder = tempfile::tempdir().unwrap();
    write_config(folder.path(), &server.url(), "[cache]\nmode = \"both\"");
    assert_eq!(run(folder.path(), &[]).status.code(), Some(0));
    let first = server.requests();
    let output = command(folder.path(), &["replay", "dense"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert_eq!(server.requests(), first);
    server.kill();
    let output = command(folder.path(), &["replay", "dense"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
}

#[test]
fn waiting_for_vectors_is_no_time_of_the_turn_and_stands_with_the_model() {
    let slow = Duration::from_millis(400);
    let server = FakeModel::start(slow, |asked| says(&vectors(asked)));
    let folder = tempfile::tempdir().unwrap();
    // A retrieval takes two requests, and longer than a turn may.
    write_config(
        folder.path(),
        &server.url(),
        "timeouts = { total_seconds = 5.0 }\n[limits]\nturn_seconds = 0.4\nattempts = 1",
    );
    let output = run(folder.path(), &["--limit", "1"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let results = results(folder.path());
    assert_eq!(results.len(), 1);
    for result in &results {
        assert_eq!(result["success"], json!(true), "{result}");
        assert_eq!(result["counts"]["faults"], json!(0), "{result}");
    }
    let timings = fs::read_to_string(folder.path().join("logs/dense/timings.jsonl")).unwrap();
    let (mut requests, mut latency) = (0, 0.0);
    for line in timings.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let model = &line["models"]["fake"];
        requests += model["requests"].as_u64().unwrap_or_default();
        latency += model["latency_ms"].as_f64().unwrap_or_default();
        assert!(model["latency_ms"].as_f64() <= line["wall_ms"].as_f64(), "{line}");
    }
    assert_eq!(requests, server.requests(), "{timings}");
    assert!(latency >= 400.0 * requests as f64, "{timings}");
}

#[test]
fn a_server_of_vectors_that_does_not_answer_is_ended_by_its_own_timeout() {
    let server = FakeModel::start(Duration::ZERO, |_| Does::Stalls(Duration::from_secs(60)));
    let folder = tempfile::tempdir().unwrap();
    let timeouts = "timeouts = { first_byte_seconds = 0.3, idle_seconds = 0.3, total_seconds = 0.3 }";
    write_config(folder.path(), &server.url(), timeouts);
    let more = ["--limit", "1", "--set", "limits.attempts=1"];
    run(folder.path(), &more);
    let events = text(&events(folder.path()));
    let faults: Vec<&str> = events.lines().filter(|line| line.contains("fault\"")).collect();
    assert_eq!(faults.len(), 1, "{events}");
    assert!(!faults[0].contains("limits.turn_seconds"), "{faults:?}");
    assert!(faults[0].contains("environment.embeddings"), "{faults:?}");
}

/// A server that gives bad replies to the texts of one landmark.
fn hostile(case: &'static str) -> FakeModel {
    FakeModel::start(Duration::ZERO, move |asked| {
        let good = vectors(asked);
        // Its texts, which are one request.
        if asked.body["input"].as_array().unwrap().len() == 1 || !asked.body.to_string().contains("Tarnhelm") {
            return says(&good);
        }
        let mut bad = good.clone();
        match case {
            "missing" => drop(bad["data"].as_array_mut().unwrap().pop()),
            "length" => drop(bad["data"][0]["embedding"].as_array_mut().unwrap().pop()),
            "null" => bad["data"][0]["embedding"][3] = Value::Null,
            "zero" => bad["data"][0]["embedding"] = json!(vec![0.0; 26]),
            "words" => bad["data"][0]["embedding"] = json!("AAAA"),
            "nan" => {
                let text = good.to_string().replacen("0.5", "NaN", 1);
                return Does::Refuses(200, Vec::new(), text);
            }
            "error" => bad = json!({"error": {"message": "out of memory", "code": 500}}),
            "500" => return Does::Refuses(500, Vec::new(), "broken".to_owned()),
            "501" => {
                let body = json!({"error": {"message": "start it with --embeddings", "code": 501}});
                return Does::Refuses(501, Vec::new(), body.to_string());
            }
            _ => return Does::Babbles,
        }
        says(&bad)
    })
}

#[test]
fn replies_that_cannot_be_used_break_the_episode_and_not_the_run() {
    let cases = BTreeMap::from([
        ("missing", "texts came, of"),
        ("length", "a vector of 26 numbers beside one of 25"),
        ("null", "a vector with something that is no number"),
        ("zero", "a vector without a direction"),
        ("words", "the answer makes no sense"),
        ("nan", "the answer makes no sense"),
        ("error", "the server failed: out of memory"),
        ("500", "the server failed: broken"),
        ("501", "the model cannot do this: start it with --embeddings"),
        ("babble", "the answer makes no sense"),
    ]);
    for (case, expected) in cases {
        let server = hostile(case);
        let folder = tempfile::tempdir().unwrap();
        write_config(folder.path(), &server.url(), "");
        let output = run(folder.path(), &["--limit", "8"]);
        let told = text(&output.stderr);
        let results = results(folder.path());
        assert_eq!(results.len(), 8, "{case}: {told}");
        let broken: Vec<&Value> = results.iter().filter(|result| result.to_string().contains("broken")).collect();
        assert!((1..8).contains(&broken.len()), "{case}: {results:?}");
        let events = text(&events(folder.path()));
        let shown = events.replace("\\\"", "\"");
        let faults = shown.lines().filter(|line| line.contains("fault\""));
        let faults: Vec<&str> = faults.collect();
        assert!(shown.contains(expected), "{case}: {faults:?}");
        assert!(shown.contains("environment.embeddings"), "{case}");
    }
}

#[test]
fn dense_without_a_model_that_makes_vectors_is_refused_before_anything_is_played() {
    let folder = tempfile::tempdir().unwrap();
    write_config(folder.path(), "http://localhost:1", "");
    let check = |sets: &[&str]| {
        let mut arguments = vec!["check", "dense.toml"];
        for set in sets {
            arguments.extend(["--set", set]);
        }
        let output = command(folder.path(), &arguments);
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    let (code, told) = check(&[]);
    assert_eq!(code, Some(0), "{told}");
    let path = folder.path().join("dense.toml");
    let config = fs::read_to_string(&path).unwrap();
    fs::write(&path, config.replace(", embeddings = \"fake\"", "")).unwrap();
    let (code, told) = check(&[]);
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("`retriever = \"dense\"` needs it"), "{told}");
    let (code, told) = check(&["environment.embeddings=other"]);
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("is no model of this config"), "{told}");
    fs::write(folder.path().join("script.jsonl"), "{\"text\": \"x\"}\n").unwrap();
    let scripted = config.replace("provider = \"openai\"", "provider = \"scripted\"\nscript = \"script.jsonl\"");
    let kept = |line: &&str| !line.starts_with("base_url") && !line.starts_with("retries");
    let scripted: Vec<&str> = scripted.lines().filter(kept).collect();
    fs::write(&path, scripted.join("\n")).unwrap();
    let (code, told) = check(&[]);
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("makes no vectors of texts; name a model with"), "{told}");
}

#[test]
fn pairs_for_fine_tuning_are_written_once_and_alike() {
    let folder = tempfile::tempdir().unwrap();
    let pairs = |more: &[&str]| {
        let fixed = ["data", "retriever-pairs", "dialogue", "--out"];
        command(folder.path(), &[&fixed[..], more].concat())
    };
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let output = pairs(&["a.jsonl"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("a.jsonl"), "{}", text(&output.stdout));
    for line in read("a.jsonl").lines() {
        let pair: Value = serde_json::from_str(line).unwrap();
        let keys: Vec<&String> = pair.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["query", "positive", "negatives", "source"]);
        let negatives = pair["negatives"].as_array().unwrap();
        assert!((1..=4).contains(&negatives.len()) && !negatives.contains(&pair["positive"]));
    }
    let output = pairs(&["a.jsonl"]);
    assert_ne!(output.status.code(), Some(0));
    assert!(text(&output.stderr).contains("is there already"), "{}", text(&output.stderr));
    for (name, more) in [
        ("b.jsonl", &[][..]),
        ("c.jsonl", &["--seed", "2"]),
        ("d.jsonl", &["--negatives", "1"]),
        ("e.jsonl", &["--negatives", "0"]),
    ] {
        let output = pairs(&[&[name], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    }
    assert_eq!(read("a.jsonl"), read("b.jsonl"));
    assert_ne!(read("a.jsonl"), read("c.jsonl"));
    assert_eq!(read("a.jsonl").lines().count(), read("d.jsonl").lines().count());
    assert!(read("e.jsonl").lines().all(|line| line.contains("\"negatives\":[]")));
    let output = command(folder.path(), &["data", "retriever-pairs", "household", "--out", "x"]);
    assert!(text(&output.stderr).contains("there is `dialogue`"), "{}", text(&output.stderr));
    assert!(!folder.path().join("x").exists());
}

/// TPE's Table 10: each row stands for its own retriever, whatever is set.
#[test]
fn figures_of_dense_retrieval_stand_in_the_rows_of_dense_retrieval() {
    let server = working();
    let folder = played::folder();
    let url = format!("models.dpr.base_url={:?}", server.url());
    let reproduced = |name: &str, more: &[&str]| -> Value {
        let table = ["reproduce", "tpe-table10", "-q", "--json", "--limit", "12", "--name", name];
        let output = command(folder.path(), &[&table, more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let ours = |table: &Value, row: usize| table["rows"][row]["figures"][0]["ours"]["value"].clone();
    let plain = reproduced("plain", &[]);
    assert!(ours(&plain, 0).is_number());
    assert_eq!([ours(&plain, 1), ours(&plain, 2)], [Value::Null, Value::Null]);
    let notes = plain["notes"].to_string();
    assert!(notes.contains("DPR, not fine-tuned: not"), "{notes}");

    let with = ["--with", "configs/retrievers/dpr.toml", "--set", &url];
    let dense = ["--set", "environment.retriever=dense", "--set", "environment.embeddings=dpr"];
    let both = reproduced("both", &[&with[..], &dense].concat());
    assert_eq!(ours(&both, 0), ours(&plain, 0));
    assert!(ours(&both, 1).is_number() && ours(&both, 1) != ours(&both, 0), "{both}");
    assert_eq!(ours(&both, 2), Value::Null);
    let notes = both["notes"].to_string();
    assert!(!notes.contains("DPR, not fine-tuned: not"), "{notes}");
}
