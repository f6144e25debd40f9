//! The tools of `rolecall data` that ask a model, as they are started from a shell.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::sleep;

use crate::support::binary::{rolecall, text};
use crate::support::raw_server::{RawServer, Reply, Request};

/// Starts `rolecall data` with arguments written in one text.
fn start(folder: &Path, arguments: &str) -> Child {
    let arguments: Vec<&str> = ["data"].into_iter().chain(arguments.split_whitespace()).collect();
    let mut command = rolecall(folder, &arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Does it to the end; returns what it prints.
fn given(folder: &Path, arguments: &str, code: i32) -> String {
    let output = start(folder, arguments).wait_with_output().unwrap();
    told(&output, code)
}

fn told(output: &Output, code: i32) -> String {
    let (out, errors) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{out}{errors}");
    out + &errors
}

/// A catalogue, and a config that describes the model at the address.
fn prepare(folder: &Path, count: u32, url: &str) {
    given(folder, &format!("generate shop --count {count} --seed 5 --out shop"), 0);
    let root = env!("CARGO_MANIFEST_DIR");
    let config = format!(
        "extends = '{root}/configs/shop/chatshop.toml'\n[models.own]\nprovider = \"openai\"\nbase_url = \"{url}\"\n\
         model = \"m\"\nretries = {{ attempts = 2 }}\n"
    );
    fs::write(folder.join("my.toml"), config).unwrap();
}

/// The goals of a file.
fn goals(file: &Path) -> Vec<Value> {
    serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
}

/// What was asked, and the wish that it is about.
fn asked(request: &Request) -> (bool, String) {
    let message = |place: usize| request.body["messages"][place]["content"].as_str().unwrap();
    let wish = message(1).lines().next().unwrap();
    let wish = wish.strip_prefix("Wish: ").unwrap();
    (message(0).contains("list of properties"), wish.to_owned())
}

/// Requests for replies.
fn posts(server: &RawServer) -> Vec<Request> {
    let mut seen = server.seen();
    seen.retain(|request| !request.path.ends_with("/models"));
    seen
}

/// The list of models of a server whose model has a fingerprint.
fn list() -> Reply {
    Reply::json(200, &json!({"data": [{"id": "any", "root": "any-1"}]}))
}

fn says(text: &str) -> Reply {
    let message = json!({"role": "assistant", "content": text});
    let choice = json!({"index": 0, "message": message, "finish_reason": "stop"});
    Reply::json(200, &json!({"choices": [choice]}))
}

/// Two lines for wishes of hair, which cannot be read; the first letters of others, or `thing`.
fn answer(removes: bool, wish: &str) -> Reply {
    match removes {
        true if wish.contains("hair") => says("one line\nand another one"),
        true => says(&format!("<think>hm\n</think>\"{}\"", &wish[..6])),
        false => says("  thing "),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_simplifies_goals_and_goes_on_where_it_was_interrupted() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let is_first = Arc::new(AtomicBool::new(true));
    let answered = Arc::new(Mutex::new(Vec::new()));
    let (waits, first) = (is_first.clone(), answered.clone());
    let server = RawServer::start(move |request: &Request| {
        if request.path.ends_with("/models") {
            return list();
        }
        let (removes, wish) = asked(request);
        if waits.load(Ordering::SeqCst) {
            let mut first = first.lock().unwrap();
            if first.len() == 3 {
                return Reply { until: 0, hang: true, ..says("late") };
            }
            first.push(request.body.clone());
        }
        answer(removes, &wish)
    });
    let server = server.await;
    prepare(at, 30, &server.url);
    let refused = "simplify shop --data shop --out new.json --model own";
    assert!(given(at, refused, 2).contains("--config"));
    let unknown = format!("{refused}x --config my.toml");
    assert!(given(at, &unknown, 2).contains("describes no model `ownx`"));

    let command = format!("{refused} --config my.toml");
    interrupt(at, &command, &server).await;
    assert!(!at.join("new.json").exists());
    is_first.store(false, Ordering::SeqCst);
    let printed = given(at, &command, 0);
    let official = goals(&at.join("shop/chatshop_goals.json"));
    let made = goals(&at.join("new.json"));
    assert_eq!(made.len(), official.len());
    let unread = |goal: &&Value| goal["instruction_text"].as_str().unwrap().contains("hair");
    let unreadable = made.iter().filter(unread).count();
    assert!(unreadable > 0 && unreadable < made.len());
    let figures = [made.len(), unreadable].map(|figure| figure.to_string());
    assert!(figures.iter().all(|figure| printed.contains(figure)), "{printed}");
    for goal in &made {
        let texts = &goal["instructions"];
        assert_eq!(texts[2], "thing");
        let whole = texts[0].as_str().unwrap();
        assert_eq!(texts[1] == whole[..6].trim(), !unread(&goal), "{goal}");
    }
    let bodies: Vec<Value> = posts(&server).into_iter().map(|one| one.body).collect();
    // What was answered before is not asked again; what could not be read is asked twice.
    for body in answered.lock().unwrap().iter() {
        assert_eq!(bodies.iter().filter(|other| *other == body).count(), 1);
    }
    let bodies: BTreeSet<String> = bodies.iter().map(Value::to_string).collect();
    let again = bodies.iter();
    let again = again.filter(|body| body.contains("Your last answer"));
    assert_eq!(again.count(), unreadable);
}

/// Interrupts a command while most of its requests wait for an answer.
async fn interrupt(folder: &Path, command: &str, server: &RawServer) {
    let child = start(folder, command);
    while posts(server).len() < 5 {
        sleep(Duration::from_millis(20)).await;
    }
    sleep(Duration::from_millis(300)).await;
    let mut kill = Command::new("kill");
    let killed = kill.args(["-TERM", &child.id().to_string()]).status();
    assert!(killed.unwrap().success());
    let stopped = told(&child.wait_with_output().unwrap(), 2);
    assert!(stopped.contains("interrupted"), "{stopped}");
    assert!(stopped.contains("give the command again to go on"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cross_encoder_ranks_what_an_instruction_finds_also_from_an_index_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let number = AtomicUsize::new(0);
    // The last hit is the best one. The first query gets no figure of it.
    let server = RawServer::start(move |request: &Request| {
        if request.path.ends_with("/models") {
            return list();
        }
        let documents = request.body["documents"].as_array().unwrap().len();
        let first = number.fetch_add(1, Ordering::SeqCst) == 0;
        let all = (usize::from(first)..documents).rev();
        let results = all.map(|index| json!({"index": index, "relevance_score": index as f64 - 20.0}));
        Reply::json(200, &json!({"results": results.collect::<Vec<_>>()}))
    });
    let server = server.await;
    prepare(at, 60, &server.url);
    let command = "retrieval shop --data shop --split all --json";
    let figures =
        |arguments: &str| -> Value { serde_json::from_str(&given(at, &format!("{command} {arguments}"), 0)).unwrap() };
    let by_rules = figures("");
    let by_model = figures("--model own --config my.toml");
    assert_eq!(by_model["model"], "own");
    assert_eq!(by_model["missing"], "1 refused by the model");
    assert_eq!(by_model["recall_at_50"], by_rules["recall_at_50"]);
    let reward = |figures: &Value| figures["reward"]["value"].as_f64().unwrap();
    assert!(reward(&by_model) < reward(&by_rules) - 0.05, "{by_model}");
    let seen = posts(&server);
    let count = goals(&at.join("shop/chatshop_goals.json")).len();
    assert_eq!(seen.len(), count);
    for request in &seen {
        assert_eq!(request.path, "/v1/rerank");
        assert_eq!(request.body["model"], "m");
        assert!(request.body["query"].as_str().unwrap().len() > 10);
        let documents = request.body["documents"].as_array().unwrap();
        assert!((1..=50).contains(&documents.len()));
        assert!(documents[0].as_str().unwrap().contains(". $"), "{documents:?}");
    }

    // From an index on disk all is the same, and kept answers are not asked for again.
    let told = given(at, &format!("{command} --index index"), 2);
    assert!(told.contains("--index: holds no index"), "{told}");
    given(at, "index shop --data shop --out index", 0);
    assert_eq!(figures("--index index"), by_rules);
    let again = figures("--index index --model own --config my.toml");
    assert_eq!(again["missing"], "");
    assert_eq!(posts(&server).len(), count + 1);
    let table = given(at, "retrieval shop --data shop --split all --model own --config my.toml", 0);
    assert!(table.contains("`own`"), "{table}");
    assert_eq!(posts(&server).len(), count + 1);
}
