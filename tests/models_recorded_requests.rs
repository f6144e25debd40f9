//! What the client of OpenAI-compatible servers sends, and what it makes of replies that no
//! recording shows.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

mod raw_server;

use std::sync::Arc;
use std::time::Duration;

use raw_server::{RawServer, Reply, Request, settings};
use rolecall::domain::Finish;
use rolecall::models::{Attempt, Failed, openai};
use rolecall::ports::ModelError;
use rolecall::ports::model::{
    ChatMessage, ChatRole, Completion, Format, ModelRequest, ModelSettings, Prompt, RequestHash,
    RetryReason, Secret, ToolSpec,
};
use serde_json::{Value, json};

fn completion() -> Completion {
    Completion {
        prompt: Prompt::Chat(vec![ChatMessage::new(ChatRole::User, "find the mug")]),
        max_tokens: Some(8),
        temperature: Some(0.5),
        seed: Some(7),
        ..Completion::default()
    }
}

async fn ask(
    change: impl Fn(&mut ModelSettings),
    request: Completion,
    answer: impl Fn(&Request) -> Reply + Send + Sync + 'static,
) -> (Result<Attempt, Failed>, Vec<Request>) {
    let server = RawServer::start(answer).await;
    let mut settings = settings(&server.url, None);
    change(&mut settings);
    let transport = openai::transport(&settings).unwrap();
    let request = transport.encode(&ModelRequest::Complete(request)).unwrap();
    let result = transport.attempt(&request, "run/seat/1/0/0").await;
    (result, server.seen())
}

/// What the client makes of a body, under a status and with further headers.
async fn answered(status: u16, headers: &str, body: &str) -> Result<Attempt, Failed> {
    let reply = Reply::with_headers(status, headers, body);
    ask(|_| {}, completion(), move |_| reply.clone()).await.0
}

fn hello() -> Reply {
    Reply::json(
        200,
        &json!({"choices": [{"message": {"content": "hello"}, "finish_reason": "stop"}]}),
    )
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
    let tool = ToolSpec {
        name: "go_to".to_owned(),
        description: "walk".to_owned(),
        parameters: json!({"type": "object"}),
    };
    let request = Completion {
        stop: vec!["\n".to_owned(), ">".to_owned()],
        logprobs: true,
        format: Format::Tools {
            tools: Arc::new([tool]),
            required: true,
        },
        ..completion()
    };
    let change = |settings: &mut ModelSettings| {
        settings.base_url.push_str("/team/v1/");
        settings.sampling.stop = vec!["\n".to_owned()];
        settings.sampling.top_p = Some(0.9);
        settings.extra_body.insert("top_k".to_owned(), json!(3));
        settings
            .extra_body
            .insert("temperature".to_owned(), json!(0.1));
        settings
            .headers
            .insert("X-Team".to_owned(), Secret::new("blue"));
    };
    let (result, seen) = ask(change, request, |_| hello()).await;
    assert_eq!(result.unwrap().reply.choices[0].text, "hello");
    let request = &seen[0];
    assert_eq!(
        (request.method.as_str(), request.path.as_str()),
        ("POST", "/team/v1/chat/completions")
    );
    let header = |name: &str| request.headers[name].as_str();
    assert_eq!(header("authorization"), "Bearer sk-test-0123456789");
    assert_eq!(header("idempotency-key"), "run/seat/1/0/0");
    assert_eq!(header("x-team"), "blue");
    assert_eq!(header("content-type"), "application/json");
    let function =
        json!({"name": "go_to", "description": "walk", "parameters": {"type": "object"}});
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
        format: Format::Json {
            name: "act",
            schema: Arc::new(json!({"type": "object"})),
        },
        ..Completion::default()
    };
    let two = json!({"choices": [{"index": 1, "text": "b"}, {"index": 0, "text": "a"}]});
    let (result, seen) = ask(|_| {}, request, move |_| Reply::json(200, &two)).await;
    let choices = result.unwrap().reply.choices;
    assert_eq!(
        [choices[0].text.as_str(), choices[1].text.as_str()],
        ["a", "b"]
    );
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
async fn newer_servers_get_the_limit_under_its_newer_name() {
    let change = |settings: &mut ModelSettings| {
        let name = "max_completion_tokens".to_owned();
        settings.extra_body.insert(name, json!(100));
    };
    let (_, seen) = ask(change, completion(), |_| hello()).await;
    assert_eq!(seen[0].body["max_completion_tokens"], 8);
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
        |request| {
            request.format = Format::Json {
                name: "a",
                schema: Arc::new(json!({})),
            }
        },
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
        assert_eq!(
            (reply.choices[0].text.as_str(), reply.choices[0].finish),
            ("grün", Finish::Stop)
        );
        assert_eq!((reply.usage.prompt, reply.usage.completion), (3, 2));
        assert_eq!(seen[0].body["stream"], true);
        assert_eq!(
            seen[0].body["stream_options"],
            json!({"include_usage": true})
        );
    }
}

#[tokio::test]
async fn a_stream_ends_with_its_last_event_or_in_order() {
    let kind = "Content-Type: text/event-stream\r\n";
    let piece = |finish: &str| {
        format!(
            "data: {{\"choices\":[{{\"delta\":{{\"content\":\"a\"}},\"finish_reason\":{finish}}}]}}\n\n"
        )
    };
    let finished = answered(200, kind, &piece("\"stop\"")).await.unwrap();
    assert_eq!(finished.reply.choices[0].text, "a");
    let cut = answered(200, kind, &piece("null")).await.unwrap_err();
    assert!(matches!(cut.error, ModelError::Truncated(_)));
    assert_eq!(cut.retry, Some(RetryReason::Cut));
    // An event without its last bytes is cut too, though the connection ended in order.
    let cut = answered(200, kind, &(piece("null") + "data: {\"choi"))
        .await
        .unwrap_err();
    assert!(matches!(cut.error, ModelError::Truncated(_)));
    let error = "event: error\ndata: {\"error\":{\"code\":429,\"message\":\"slow down\"}}\n\n";
    let limited = answered(200, kind, &(piece("null") + error))
        .await
        .unwrap_err();
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
    let events = deltas.map(|calls| {
        format!(
            "data: {}\n\n",
            json!({"choices": [{"delta": {"tool_calls": calls}}]})
        )
    });
    let stream =
        events.concat() + "data: {\"choices\":[{\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let reply = answered(200, kind, &stream).await.unwrap().reply;
    let calls = reply.choices[0].tool_calls.iter();
    let calls: Vec<Value> = calls
        .map(|call| json!([call.name, call.arguments]))
        .collect();
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
        (
            "Date: Fri, 20 Nov 2026 12:00:00 GMT\r\nRetry-After: Fri, 20 Nov 2026 12:00:09 GMT\r\n",
            9_000,
        ),
    ] {
        let failed = answered(429, headers, "{}").await.unwrap_err();
        assert_eq!(
            failed.after,
            Some(Duration::from_millis(milliseconds)),
            "{headers}"
        );
    }
    let failed = answered(400, "Retry-After: 2\r\n", "{}").await.unwrap_err();
    assert_eq!((failed.retry, failed.after), (None, None));
}

#[tokio::test]
async fn redirects_are_not_followed_and_keys_not_repeated() {
    let headers = "Location: http://127.0.0.1:9/elsewhere\r\n";
    let failed = answered(307, headers, "").await.unwrap_err();
    assert!(
        matches!(failed.error, ModelError::BadRequest(_)),
        "{failed:?}"
    );
    let echo = json!({"error": {"message": "no such key: sk-test-0123456789"}});
    let failed = answered(401, "", &echo.to_string()).await.unwrap_err();
    assert_eq!(
        failed.error,
        ModelError::Auth("no such key: (secret)".to_owned())
    );
}

#[tokio::test]
async fn what_is_too_large_or_too_deep_is_not_read() {
    let large = format!(
        "{{\"choices\":[{{\"text\":\"{}\"}}]}}",
        "a".repeat(17 << 20)
    );
    let failed = answered(200, "", &large).await.unwrap_err();
    assert_eq!(
        (failed.error, failed.retry),
        (ModelError::TooLarge("more than 16 MB".to_owned()), None)
    );
    let endless = format!("data: {}", "a".repeat(17 << 20));
    let failed = answered(200, "Content-Type: text/event-stream\r\n", &endless)
        .await
        .unwrap_err();
    assert!(matches!(failed.error, ModelError::TooLarge(_)));
    let deep = format!("{{\"choices\":{}{}}}", "[".repeat(70), "]".repeat(70));
    let failed = answered(200, "", &deep).await.unwrap_err();
    assert!(matches!(failed.error, ModelError::Malformed(_)));
}

#[tokio::test]
async fn refusals_and_fewer_completions_are_told() {
    let refused = json!({"choices": [{"message": {"content": null, "refusal": "I cannot\u{1b} help"}, "finish_reason": "stop"}]});
    let failed = answered(200, "", &refused.to_string()).await.unwrap_err();
    assert_eq!(
        failed.error,
        ModelError::Refused(r"I cannot\u{1b} help".to_owned())
    );
    let filtered =
        json!({"choices": [{"message": {"content": ""}, "finish_reason": "content_filter"}]});
    let failed = answered(200, "", &filtered.to_string()).await.unwrap_err();
    assert_eq!(
        failed.error,
        ModelError::Refused("a filter cut the answer".to_owned())
    );
    let several = Completion {
        n: Some(3),
        ..completion()
    };
    let (result, _) = ask(|_| {}, several, |_| hello()).await;
    let failed = result.unwrap_err();
    assert_eq!(
        (failed.error, failed.retry),
        (
            ModelError::Malformed("1 of 3 completions came".to_owned()),
            None
        )
    );
}

#[tokio::test]
async fn tokens_are_estimated_where_the_server_counts_none() {
    let (result, _) = ask(|_| {}, completion(), |_| hello()).await;
    let usage = result.unwrap().reply.usage;
    // 12 and 5 bytes at 3.5 bytes a token
    assert_eq!(
        (usage.prompt, usage.completion, usage.estimated),
        (4, 2, true)
    );
}

#[tokio::test]
async fn nobody_there_and_no_key_are_told_apart() {
    let mut settings = settings("http://127.0.0.1:1/v1", None);
    let request = ModelRequest::Complete(completion());
    let transport = openai::transport(&settings).unwrap();
    let request = transport.encode(&request).unwrap();
    let failed = transport.attempt(&request, "key").await.unwrap_err();
    assert_eq!(
        failed.error,
        ModelError::Unreachable("connection refused".to_owned())
    );
    assert_eq!(failed.retry, Some(RetryReason::Unreachable));
    settings.missing_key = Some("TINY_KEY".to_owned());
    let transport = openai::transport(&settings).unwrap();
    let failed = transport.attempt(&request, "key").await.unwrap_err();
    assert!(matches!(&failed.error, ModelError::Auth(text) if text.contains("TINY_KEY")));
    assert_eq!((failed.retry, failed.requests), (None, 0));
}

#[test]
fn what_is_not_declared_is_not_asked_for() {
    let mut settings = settings("http://localhost:1", None);
    settings.profile.capabilities = Default::default();
    let transport = openai::transport(&settings).unwrap();
    let requests = [
        Completion {
            logprobs: true,
            ..completion()
        },
        Completion {
            n: Some(2),
            ..completion()
        },
        Completion {
            format: Format::Json {
                name: "a",
                schema: Arc::new(json!({})),
            },
            ..completion()
        },
        Completion {
            format: Format::Tools {
                tools: Arc::new([]),
                required: false,
            },
            ..completion()
        },
    ];
    for request in requests {
        let refused = transport
            .encode(&ModelRequest::Complete(request))
            .unwrap_err();
        let text = refused.to_string();
        assert!(matches!(refused, ModelError::Unsupported(_)), "{text}");
        assert!(text.contains("[models.tiny.capabilities]"), "{text}");
    }
}

#[test]
fn addresses_and_headers_are_checked_before_a_run() {
    for (base_url, header) in [("localhost:8080", "a"), ("http://h", "no header")] {
        let mut settings = settings(base_url, None);
        settings
            .headers
            .insert(header.to_owned(), Secret::new("hidden"));
        let error = openai::transport(&settings).err().unwrap().to_string();
        assert!(!error.contains("hidden"), "{error}");
    }
    let mut settings = settings("http://h", None);
    settings.api_key = Some(Secret::new("hid\nden"));
    let error = openai::transport(&settings).err().unwrap().to_string();
    assert!(!error.contains("hid"), "{error}");
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
    let request = transport
        .encode(&ModelRequest::Complete(completion()))
        .unwrap();
    for _ in 0..60 {
        let attempt = transport.attempt(&request, "key").await.unwrap();
        assert!(attempt.requests <= 2);
    }
    // A request into a closed connection never came to the server.
    assert_eq!(server.seen().len(), 60);
}
