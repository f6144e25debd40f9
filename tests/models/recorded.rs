//! The client of OpenAI-compatible servers against 152 recorded exchanges of llama.cpp, vLLM and
//! LiteLLM, byte by byte: whole, cut at every position, one byte a packet, and slowly.
//! `support/raw_server/expected.jsonl` says what each of them means; it was read off the recordings by
//! another program. Skipped where `ROLECALL_ORACLE` is not set.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::support::raw_server::{RawServer, Reply, recordings, response, settings};
use futures_util::stream::{self, StreamExt};
use rolecall::models::{Attempt, Failed, FirstByte, Transport, openai};
use rolecall::ports::ModelError;
use rolecall::ports::model::{ChatMessage, ChatRole, Completion, ModelRequest, Prompt, RetryReason};
use serde_json::{Value, json};

/// What each recording means, by its name.
fn expectations() -> BTreeMap<String, Value> {
    let lines = include_str!("../support/raw_server/expected.jsonl").lines();
    let lines = lines.map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.map(|line| (line["recording"].as_str().unwrap().to_owned(), line)).collect()
}

fn completion(n: usize) -> ModelRequest {
    let say = |role, text| ChatMessage::new(role, text);
    ModelRequest::Complete(Completion {
        prompt: Prompt::Chat(vec![
            say(ChatRole::System, "You are a household agent."),
            say(ChatRole::User, "Find the mug."),
        ]),
        n: Some(u32::try_from(n).unwrap()),
        ..Completion::default()
    })
}

/// How many completions a recording has.
fn choices(expected: &Value) -> usize {
    expected["texts"].as_array().map_or(1, Vec::len)
}

/// What the client makes of a reply; the variant of an error is its name in the table.
async fn asked(transport: &dyn Transport, n: usize, key: &str) -> Result<Attempt, Failed> {
    let request = transport.encode(&completion(n)).unwrap();
    transport.attempt(&request, key, "", &FirstByte::default()).await
}

fn kind(error: &ModelError) -> &'static str {
    match error {
        ModelError::Overflow(_) => "overflow",
        ModelError::RateLimit(_) => "rate_limit",
        ModelError::Auth(_) => "auth",
        ModelError::BadRequest(_) => "bad_request",
        ModelError::Server(_) => "server",
        ModelError::Timeout(_) => "timeout",
        ModelError::Unreachable(_) => "unreachable",
        ModelError::Truncated(_) => "truncated",
        ModelError::Malformed(_) => "malformed",
        ModelError::Refused(_) => "refused",
        ModelError::Unsupported(_) => "unsupported",
        other => panic!("unexpected: {other}"),
    }
}

/// A result in the words of the table.
fn described(name: &str, result: &Result<Attempt, Failed>) -> Value {
    let mut line = json!({"recording": name});
    let mut put = |key: &str, value: Value| line[key] = value;
    match result {
        Ok(attempt) => {
            let reply = &attempt.reply;
            let choices = reply.choices.iter();
            put("texts", choices.clone().map(|choice| choice.text.clone()).collect());
            put("finish", choices.clone().map(|choice| json!(choice.finish)).collect());
            let calls = choices.clone().flat_map(|choice| &choice.tool_calls);
            let calls: Vec<Value> = calls.map(|call| json!([call.name, call.arguments])).collect();
            if !calls.is_empty() {
                put("calls", calls.into());
            }
            let tokens = choices.flat_map(|choice| &choice.tokens);
            let tokens: Vec<Value> = tokens.map(|token| json!([token.token, token.logprob])).collect();
            if !tokens.is_empty() {
                put("logprobs", tokens.into());
            }
            if !reply.usage.estimated {
                put("usage", json!([reply.usage.prompt, reply.usage.completion]));
            }
            if attempt.cached_tokens > 0 {
                put("cached", attempt.cached_tokens.into());
            }
        }
        Err(failed) => {
            put("fails", kind(&failed.error).into());
            if let Some(retry) = failed.retry {
                put("retry", json!(retry));
            }
            if let Some(after) = failed.after {
                put("after", after.as_secs().into());
            }
            // What ends before its head is there is sent once more.
            let cut = matches!(failed.error, ModelError::Truncated(_));
            assert!(failed.requests == 1 || cut && failed.requests == 2);
        }
    }
    line
}

/// The line of the table, without what `described` does not say.
fn plain(expected: &Value) -> Value {
    let mut expected = expected.clone();
    let fields = expected.as_object_mut().unwrap();
    fields.shift_remove("path");
    fields.shift_remove("says");
    expected
}

/// A server that answers each request with the reply whose number the request's key ends with.
async fn serving(replies: Vec<Reply>) -> RawServer {
    RawServer::start(move |request| {
        let key = &request.headers["idempotency-key"];
        let (_, number) = key.split_once('/').unwrap();
        replies[number.parse::<usize>().unwrap()].clone()
    })
    .await
}

/// What one client makes of each reply, many at a time.
async fn results(replies: Vec<(usize, Reply)>) -> Vec<Result<Attempt, Failed>> {
    let numbers: Vec<usize> = replies.iter().map(|(n, _)| *n).collect();
    let replies = replies.into_iter().map(|(_, reply)| reply).collect();
    let server = serving(replies).await;
    let transport = openai::transport(&settings(&server.url, None)).unwrap();
    let asking = numbers.into_iter().enumerate().map(|(number, n)| {
        let transport = &*transport;
        async move { asked(transport, n, &number.to_string()).await }
    });
    stream::iter(asking).buffered(32).collect().await
}

#[tokio::test]
async fn every_recording_means_what_the_table_says() {
    if recordings().is_none() {
        return;
    }
    let table = expectations();
    let files = recordings().unwrap();
    let recorded = std::fs::read_dir(&files).unwrap().flat_map(|server| {
        let files = std::fs::read_dir(server.unwrap().path()).unwrap();
        files.map(|file| file.unwrap().file_name())
    });
    let recorded = recorded.filter(|name| name.to_str().unwrap().ends_with(".response.http"));
    assert_eq!(recorded.count(), table.len(), "a recording without a line");
    let replies = table.iter().map(|(name, expected)| (choices(expected), Reply::whole(response(name))));
    let results = results(replies.collect()).await;
    for ((name, expected), result) in table.iter().zip(&results) {
        assert_eq!(described(name, result), plain(expected), "{name}: {result:?}");
        if let (Err(failed), Some(says)) = (result, expected["says"].as_str()) {
            let said = failed.error.to_string();
            assert!(said.contains(says), "{name}: {said}");
        }
    }
}

/// One recording of each shape, small enough to be cut everywhere.
const CUT_EVERYWHERE: [&str; 12] = [
    "litellm-proxy/auth_missing",
    "litellm-proxy/chat_mock-ok",
    "litellm-proxy/chat_stream_mock-ok",
    "litellm-proxy/limited_2",
    "llama.cpp-xllamacpp/chat_stop_n2",
    "llama.cpp-xllamacpp/chat_stream",
    "llama.cpp-xllamacpp/chat_tools_required_biased",
    "llama.cpp-xllamacpp/completions_stream",
    "llama.cpp-xllamacpp/err_context_overflow_stream",
    "llama.cpp-xllamacpp/auth_wrong",
    "vllm-cpu/chat_stream",
    "vllm-cpu/chat_tools_named_stream",
];

#[tokio::test]
async fn a_cut_answer_is_cut_or_whole() {
    if recordings().is_none() {
        return;
    }
    for (name, expected) in expectations() {
        let bytes = response(&name);
        let step = match CUT_EVERYWHERE.contains(&name.as_str()) {
            true => 1,
            false => (bytes.len() / 8).max(1),
        };
        let positions: Vec<usize> = (0..bytes.len()).step_by(step).collect();
        let n = choices(&expected);
        let replies = positions.iter().map(|position| {
            let whole = Reply::whole(bytes.clone());
            (n, Reply { until: *position, ..whole })
        });
        let results = results(replies.collect()).await;
        for (position, result) in positions.iter().zip(&results) {
            let cut = match result {
                Err(failed) => {
                    let cut = matches!(kind(&failed.error), "truncated" | "malformed");
                    assert!(!cut || failed.retry == Some(RetryReason::Cut), "{name} at {position}");
                    cut
                }
                Ok(_) => false,
            };
            let mut whole = described(&name, result);
            // The wait stands in a header that may not have come.
            if whole["after"].is_null() && !expected["after"].is_null() {
                whole["after"] = expected["after"].clone();
            }
            let whole = whole == plain(&expected);
            assert!(cut || whole, "{name} cut at {position}: {result:?}");
        }
    }
}

#[tokio::test]
async fn pieces_do_not_matter() {
    if recordings().is_none() {
        return;
    }
    let table = expectations();
    let small = table.iter().filter(|(name, _)| response(name).len() < 6000);
    let small: Vec<(&String, &Value)> = small.collect();
    let ways = [(1, Duration::ZERO), (200, Duration::from_millis(2))];
    for (piece, pause) in ways {
        let replies = small.iter().map(|(name, expected)| {
            let whole = Reply::whole(response(name));
            (choices(expected), Reply { piece, pause, ..whole })
        });
        let results = results(replies.collect()).await;
        for ((name, expected), result) in small.iter().zip(&results) {
            assert_eq!(described(name, result), plain(expected), "{name} by {piece}");
        }
    }
}

#[tokio::test]
async fn a_server_that_stops_in_the_middle_is_left() {
    if recordings().is_none() {
        return;
    }
    for name in ["llama.cpp-xllamacpp/chat_stream", "vllm-cpu/chat_basic"] {
        let bytes = response(name);
        for until in [0, 20, bytes.len() / 2] {
            let whole = Reply::whole(bytes.clone());
            let hanging = Reply { until, hang: true, ..whole };
            let server = RawServer::start(move |_| hanging.clone()).await;
            let mut settings = settings(&server.url, None);
            settings.timeouts.first_byte = Duration::from_millis(200);
            settings.timeouts.idle = Duration::from_millis(60);
            settings.timeouts.total = Duration::from_millis(300);
            let transport = openai::transport(&settings).unwrap();
            let failed = asked(&*transport, 1, "key").await.unwrap_err();
            assert_eq!(kind(&failed.error), "timeout", "{name} at {until}");
            assert_eq!(failed.retry, Some(RetryReason::Timeout));
        }
    }
}
