//! What the client of OpenAI-compatible servers makes of replies that no recording shows.

use std::time::Duration;

use crate::support::raw_server::completion::{ask, completion};
use crate::support::raw_server::{RawServer, Reply, Request, settings};
use rolecall::domain::Finish;
use rolecall::models::{Attempt, Failed, FirstByte, openai};
use rolecall::ports::ModelError;
use rolecall::ports::model::{Completion, ModelRequest, ModelSettings, RetryReason};
use serde_json::{Value, json};

/// What the client makes of a body, under a status and with further headers.
async fn answered(status: u16, headers: &str, body: &str) -> Result<Attempt, Failed> {
    let reply = Reply::with_headers(status, headers, body);
    ask(|_| {}, completion(), move |_| reply.clone()).await.0
}

fn hello() -> Reply {
    Reply::json(200, &json!({"choices": [{"message": {"content": "hello"}, "finish_reason": "stop"}]}))
}

#[tokio::test]
async fn streams_are_asked_for_with_their_usage() {
    let stream = "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":null}}]}\n\n\
        : ping\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"gr\u{fc}n\"},\"finish_reason\":\"stop\"}]}\r\n\r\n\
        data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}\n\ndata: [DONE]\n\n";
    for piece in [1, 3, 1000] {
        let whole = Reply::with_headers(200, "Content-Type: text/event-stream\r\n", stream);
        let reply = Reply { piece, ..whole };
        let change = |settings: &mut ModelSettings| settings.stream = true;
        let (result, seen) = ask(change, completion(), move |_| reply.clone()).await;
        let reply = result.unwrap().reply;
        assert_eq!((reply.choices[0].text.as_str(), reply.choices[0].finish), ("grün", Finish::Stop));
        assert_eq!((reply.usage.prompt, reply.usage.completion), (3, 2));
        assert_eq!(seen[0].body["stream"], true);
        assert_eq!(seen[0].body["stream_options"], json!({"include_usage": true}));
    }
}

#[tokio::test]
async fn a_stream_ends_with_its_last_event_or_in_order() {
    let kind = "Content-Type: text/event-stream\r\n";
    let piece = |finish: &str| {
        format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"a\"}},\"finish_reason\":{finish}}}]}}\n\n")
    };
    let finished = answered(200, kind, &piece("\"stop\"")).await.unwrap();
    assert_eq!(finished.reply.choices[0].text, "a");
    let cut = answered(200, kind, &piece("null")).await.unwrap_err();
    assert!(matches!(cut.error, ModelError::Truncated(_)));
    assert_eq!(cut.retry, Some(RetryReason::Cut));
    // An event without its last bytes is cut too, though the connection ended in order.
    let cut = answered(200, kind, &(piece("null") + "data: {\"choi")).await.unwrap_err();
    assert!(matches!(cut.error, ModelError::Truncated(_)));
    let error = "event: error\ndata: {\"error\":{\"code\":429,\"message\":\"slow down\"}}\n\n";
    let limited = answered(200, kind, &(piece("null") + error)).await.unwrap_err();
    assert_eq!(limited.error, ModelError::RateLimit("slow down".to_owned()));
}

#[tokio::test]
async fn calls_of_tools_are_put_together() {
    let kind = "Content-Type: text/event-stream\r\n";
    let deltas = [
        json!([{"index": 0, "id": "a", "function": {"name": "go_to", "arguments": ""}}]),
        json!([{"index": 1, "id": "b", "function": {"name": "ask", "arguments": {"x": [1]}}}]),
        json!([{"index": 0, "function": {"arguments": "{\"place\":"}}]),
        json!([{"index": 0, "function": {"arguments": " \"hall\"}"}}]),
        json!([{"id": "c", "function": {"name": "look", "arguments": "here"}}]),
        json!([{"function": {"arguments": " and there"}}]),
        json!([{"id": "d", "function": {"name": "wait"}}]),
    ];
    let events = deltas.map(|calls| format!("data: {}\n\n", json!({"choices": [{"delta": {"tool_calls": calls}}]})));
    let stream = events.concat() + "data: {\"choices\":[{\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let reply = answered(200, kind, &stream).await.unwrap().reply;
    let calls = reply.choices[0].tool_calls.iter();
    let calls: Vec<Value> = calls.map(|call| json!([call.name, call.arguments])).collect();
    let expected = json!([
        ["go_to", {"place": "hall"}],
        ["ask", {"x": [1]}],
        ["look", "here and there"],
        ["wait", {}],
    ]);
    assert_eq!(Value::from(calls), expected);
}

#[tokio::test]
async fn waits_are_taken_from_the_headers() {
    for (headers, milliseconds) in [
        ("Retry-After: 2\r\n", 2_000),
        ("retry-after-ms: 40\r\n", 40),
        ("x-ratelimit-reset-requests: 6m0s\r\n", 360_000),
        ("Date: Fri, 20 Nov 2026 12:00:00 GMT\r\nRetry-After: Fri, 20 Nov 2026 12:00:09 GMT\r\n", 9_000),
    ] {
        let failed = answered(429, headers, "{}").await.unwrap_err();
        assert_eq!(failed.after, Some(Duration::from_millis(milliseconds)), "{headers}");
    }
    let failed = answered(400, "Retry-After: 2\r\n", "{}").await.unwrap_err();
    assert_eq!((failed.retry, failed.after), (None, None));
}

#[tokio::test]
async fn redirects_are_not_followed_and_keys_not_repeated() {
    let headers = "Location: http://127.0.0.1:9/elsewhere\r\n";
    let failed = answered(307, headers, "").await.unwrap_err();
    assert!(matches!(failed.error, ModelError::BadRequest(_)), "{failed:?}");
    let echo = json!({"error": {"message": "no such key: sk-test-0123456789"}});
    let failed = answered(401, "", &echo.to_string()).await.unwrap_err();
    assert_eq!(failed.error, ModelError::Auth("no such key: (secret)".to_owned()));
}

#[tokio::test]
async fn what_is_too_large_or_too_deep_is_not_read() {
    let large = format!("{{\"choices\":[{{\"text\":\"{}\"}}]}}", "a".repeat(17 << 20));
    let failed = answered(200, "", &large).await.unwrap_err();
    assert_eq!((failed.error, failed.retry), (ModelError::TooLarge("more than 16 MB".to_owned()), None));
    let endless = format!("data: {}", "a".repeat(17 << 20));
    let failed = answered(200, "Content-Type: text/event-stream\r\n", &endless).await.unwrap_err();
    assert!(matches!(failed.error, ModelError::TooLarge(_)));
    let deep = format!("{{\"choices\":{}{}}}", "[".repeat(70), "]".repeat(70));
    let failed = answered(200, "", &deep).await.unwrap_err();
    assert!(matches!(failed.error, ModelError::Malformed(_)));
}

#[tokio::test]
async fn refusals_and_fewer_completions_are_told() {
    let refused =
        json!({"choices": [{"message": {"content": null, "refusal": "I cannot\u{1b} help"}, "finish_reason": "stop"}]});
    let failed = answered(200, "", &refused.to_string()).await.unwrap_err();
    assert_eq!(failed.error, ModelError::Refused(r"I cannot\u{1b} help".to_owned()));
    let filtered = json!({"choices": [{"message": {"content": ""}, "finish_reason": "content_filter"}]});
    let failed = answered(200, "", &filtered.to_string()).await.unwrap_err();
    assert_eq!(failed.error, ModelError::Refused("a filter cut the answer".to_owned()));
    let several = Completion { n: Some(3), ..completion() };
    let (result, _) = ask(|_| {}, several, |_| hello()).await;
    let failed = result.unwrap_err();
    assert_eq!((failed.error, failed.retry), (ModelError::Malformed("1 of 3 completions came".to_owned()), None));
}

#[tokio::test]
async fn tokens_are_estimated_where_the_server_counts_none() {
    let (result, _) = ask(|_| {}, completion(), |_| hello()).await;
    let usage = result.unwrap().reply.usage;
    // 12 and 5 bytes at 3.5 bytes a token
    assert_eq!((usage.prompt, usage.completion, usage.estimated), (4, 2, true));
}

#[tokio::test]
async fn nobody_there_and_no_key_are_told_apart() {
    let mut settings = settings("http://127.0.0.1:1/v1", None);
    let request = ModelRequest::Complete(completion());
    let transport = openai::transport(&settings).unwrap();
    let request = transport.encode(&request).unwrap();
    let failed = transport.attempt(&request, "key", "", &FirstByte::default()).await.unwrap_err();
    assert_eq!(failed.error, ModelError::Unreachable("connection refused".to_owned()));
    assert_eq!(failed.retry, Some(RetryReason::Unreachable));
    settings.missing_key = Some("TINY_KEY".to_owned());
    let transport = openai::transport(&settings).unwrap();
    let failed = transport.attempt(&request, "key", "", &FirstByte::default()).await.unwrap_err();
    assert!(matches!(&failed.error, ModelError::Auth(text) if text.contains("TINY_KEY")));
    assert_eq!((failed.retry, failed.requests), (None, 0));
}

#[tokio::test]
async fn connections_that_close_without_a_word_are_noticed() {
    let body = json!({"choices": [{"message": {"content": "hello"}, "finish_reason": "stop"}]});
    let body = body.to_string();
    let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
    // The server closes after this, although it did not say so.
    let reply = Reply::whole((head + &body).into_bytes());
    let server = RawServer::start(move |_| reply.clone()).await;
    let mut settings = settings(&server.url, None);
    settings.stream = true;
    let transport = openai::transport(&settings).unwrap();
    let request = transport.encode(&ModelRequest::Complete(completion())).unwrap();
    for _ in 0..60 {
        let attempt = transport.attempt(&request, "key", "", &FirstByte::default()).await.unwrap();
        assert!(attempt.requests <= 2);
    }
    // A request into a closed connection never came to the server.
    assert_eq!(server.seen().len(), 60);
}

#[tokio::test]
async fn every_request_is_counted_also_when_time_runs_out() {
    let (opened, hangs) = (std::sync::atomic::AtomicU32::new(0), Duration::from_millis(300));
    let change = move |settings: &mut ModelSettings| settings.timeouts.first_byte = hangs;
    let answer = move |_: &Request| Reply {
        until: 0,
        // The first connection is closed, the second one says nothing.
        hang: opened.fetch_add(1, std::sync::atomic::Ordering::SeqCst) > 0,
        ..hello()
    };
    let (result, seen) = ask(change, completion(), answer).await;
    let failed = result.unwrap_err();
    assert_eq!(failed.retry, Some(RetryReason::Timeout));
    assert_eq!((failed.requests, seen.len()), (2, 2));
}
