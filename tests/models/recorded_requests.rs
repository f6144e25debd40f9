//! What the client of OpenAI-compatible servers sends, and over what it takes the hash.

use std::sync::Arc;

use crate::support::raw_server::completion::{ask, completion};
use crate::support::raw_server::{Reply, settings};
use rolecall::domain::ToolChoice;
use rolecall::models::openai;
use rolecall::ports::ModelError;
use rolecall::ports::model::{Completion, Format, ModelRequest, ModelSettings, Prompt, RequestHash, Secret, ToolSpec};
use serde_json::json;

fn hello() -> Reply {
    Reply::json(200, &json!({"choices": [{"message": {"content": "hello"}, "finish_reason": "stop"}]}))
}

fn hash(change: impl Fn(&mut ModelSettings), edit: impl Fn(&mut Completion)) -> RequestHash {
    let mut settings = settings("http://localhost:1", None);
    change(&mut settings);
    let mut completion = completion();
    edit(&mut completion);
    let transport = openai::transport(&settings).unwrap();
    let request = ModelRequest::Complete(completion);
    transport.encode(&request).unwrap().hash
}

#[tokio::test]
async fn the_request_says_what_was_asked() {
    let tool =
        ToolSpec { name: "go_to".to_owned(), description: "walk".to_owned(), parameters: json!({"type": "object"}) };
    let request = Completion {
        stop: vec!["\n".to_owned(), ">".to_owned()],
        logprobs: true,
        format: Format::Tools { tools: Arc::new([tool]), choice: ToolChoice::Required },
        ..completion()
    };
    let change = |settings: &mut ModelSettings| {
        settings.base_url.push_str("/team/v1/");
        settings.sampling.stop = vec!["\n".to_owned()];
        settings.sampling.top_p = Some(0.9);
        settings.extra_body.insert("top_k".to_owned(), json!(3));
        settings.extra_body.insert("temperature".to_owned(), json!(0.1));
        settings.headers.insert("X-Team".to_owned(), Secret::new("blue"));
    };
    let (result, seen) = ask(change, request, |_| hello()).await;
    assert_eq!(result.unwrap().reply.choices[0].text, "hello");
    let request = &seen[0];
    assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/team/v1/chat/completions"));
    let header = |name: &str| request.headers[name].as_str();
    assert_eq!(header("authorization"), "Bearer sk-test-0123456789");
    let (begins, call) = header("idempotency-key").split_once('/').unwrap();
    assert_eq!(call, "a:0:0/seat/1/0/0");
    assert!(begins.starts_with("4f-") && begins.len() == 3 + 16, "{begins}");
    assert_eq!(header("x-team"), "blue");
    assert_eq!(header("content-type"), "application/json");
    let function = json!({"name": "go_to", "description": "walk", "parameters": {"type": "object"}});
    let expected = json!({
        "model": "tiny",
        "messages": [{"role": "user", "content": "find the mug"}],
        "max_tokens": 8,
        "temperature": 0.1,
        "top_p": 0.9,
        "stop": ["\n", ">"],
        "seed": 7,
        "logprobs": true,
        "tools": [{"type": "function", "function": function}],
        "tool_choice": "required",
        "top_k": 3,
    });
    assert_eq!(request.body, expected);
}

#[tokio::test]
async fn texts_go_to_completions_and_schemas_along() {
    let request = Completion {
        prompt: Prompt::Text("Action:".to_owned()),
        logprobs: true,
        n: Some(2),
        format: Format::Json { name: "act", schema: Arc::new(json!({"type": "object"})) },
        ..Completion::default()
    };
    let two = json!({"choices": [{"index": 1, "text": "b"}, {"index": 0, "text": "a"}]});
    let (result, seen) = ask(|_| {}, request, move |_| Reply::json(200, &two)).await;
    let choices = result.unwrap().reply.choices;
    assert_eq!([choices[0].text.as_str(), choices[1].text.as_str()], ["a", "b"]);
    assert_eq!(seen[0].path, "/v1/completions");
    let schema = json!({"name": "act", "strict": true, "schema": {"type": "object"}});
    let expected = json!({
        "model": "tiny",
        "prompt": "Action:",
        "n": 2,
        "logprobs": 1,
        "response_format": {"type": "json_schema", "json_schema": schema},
    });
    assert_eq!(seen[0].body, expected);
}

#[tokio::test]
async fn a_limit_under_its_newer_name_is_sent_as_it_is() {
    let change = |settings: &mut ModelSettings| {
        let name = "max_completion_tokens".to_owned();
        settings.extra_body.insert(name, json!(100));
    };
    let (_, seen) = ask(change, completion(), |_| hello()).await;
    assert_eq!(seen[0].body["max_completion_tokens"], 100);
    assert_eq!(seen[0].body.get("max_tokens"), None);
}

#[test]
fn the_hash_is_over_what_the_reply_depends_on() {
    let plain = hash(|_| {}, |_| {});
    let same: [fn(&mut ModelSettings); 5] = [
        |settings| settings.base_url = "https://other.example/v1".to_owned(),
        |settings| settings.api_key = None,
        |settings| settings.stream = true,
        |settings| drop(settings.headers.insert("a".to_owned(), Secret::new("b"))),
        |settings| settings.profile.name = "another".to_owned(),
    ];
    for change in same {
        assert_eq!(hash(change, |_| {}), plain);
    }
    let settings: [fn(&mut ModelSettings); 4] = [
        |settings| settings.profile.model = "b".to_owned(),
        |settings| settings.sampling.top_p = Some(0.5),
        |settings| settings.sampling.stop.push("x".to_owned()),
        |settings| drop(settings.extra_body.insert("top_k".to_owned(), json!(1))),
    ];
    let requests: [fn(&mut Completion); 7] = [
        |request| request.seed = Some(8),
        |request| request.temperature = Some(0.6),
        |request| request.max_tokens = None,
        |request| request.n = Some(3),
        |request| request.logprobs = true,
        |request| request.prompt = Prompt::Text("find the mug".to_owned()),
        |request| request.format = Format::Json { name: "a", schema: Arc::new(json!({})) },
    ];
    let mut hashes = vec![plain];
    hashes.extend(settings.map(|change| hash(change, |_| {})));
    hashes.extend(requests.map(|edit| hash(|_| {}, edit)));
    let count = hashes.len();
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), count);
}

#[test]
fn the_hash_tells_seeds_apart_that_are_not_sent() {
    let silent = |settings: &mut ModelSettings| settings.send_seed = false;
    let other = hash(silent, |request| request.seed = Some(8));
    assert_ne!(hash(silent, |_| {}), other);
}

#[test]
fn what_is_not_declared_is_not_asked_for() {
    let mut settings = settings("http://localhost:1", None);
    settings.profile.capabilities = Default::default();
    let transport = openai::transport(&settings).unwrap();
    let requests = [
        Completion { logprobs: true, ..completion() },
        Completion { n: Some(2), ..completion() },
        Completion { format: Format::Json { name: "a", schema: Arc::new(json!({})) }, ..completion() },
        Completion { format: Format::Tools { tools: Arc::new([]), choice: ToolChoice::Auto }, ..completion() },
    ];
    for request in requests {
        let refused = transport.encode(&ModelRequest::Complete(request)).unwrap_err();
        let text = refused.to_string();
        assert!(matches!(refused, ModelError::Unsupported(_)), "{text}");
        assert!(text.contains("[models.tiny.capabilities]"), "{text}");
    }
}

#[test]
fn addresses_and_headers_are_checked_before_a_run() {
    for (base_url, header) in [("localhost:8080", "a"), ("http://h", "no header")] {
        let mut settings = settings(base_url, None);
        settings.headers.insert(header.to_owned(), Secret::new("hidden"));
        let error = openai::transport(&settings).err().unwrap().to_string();
        assert!(!error.contains("hidden"), "{error}");
    }
    let mut settings = settings("http://h", None);
    settings.api_key = Some(Secret::new("hid\nden"));
    let error = openai::transport(&settings).err().unwrap().to_string();
    assert!(!error.contains("hid"), "{error}");
}
