//! What servers behind servers, filters, full windows and templates answer, and the fields that some of them refuse.

use std::collections::BTreeSet;

use rolecall::models::probe::{Found, probe};
use rolecall::models::{Attempt, Failed};
use rolecall::ports::ModelError;
use rolecall::ports::model::{
    Capabilities, ChatMessage, ChatRole, Completion, ModelSettings, Prices, Prompt, Reasoning, RetryReason, SystemPlace,
};
use serde_json::{Value, json};

use crate::support::raw_server::completion::{ask, completion};
use crate::support::raw_server::{RawServer, Reply, Request, settings};

/// The answer to a completion: the body under this status.
async fn came(status: u16, body: Value) -> Result<Attempt, Failed> {
    ask(|_| {}, completion(), move |_| Reply::json(status, &body)).await.0
}

/// A reply with one message and its end.
fn message(message: Value, finish: &str) -> Value {
    json!({"choices": [{"index": 0, "finish_reason": finish, "message": message}]})
}

#[tokio::test]
async fn a_failure_inside_a_success_is_asked_again_and_never_performed() {
    let says = json!({"role": "assistant", "content": "act: go to cabi"});
    let choice = json!({"index": 0, "finish_reason": "error", "error": {"code": 502, "message": "upstream"},
        "message": {"content": ""}});
    let bodies = [
        (message(says.clone(), "error"), "the answer ends with `error`"),
        (message(says, "network_error"), "the answer ends with `network_error`"),
        (json!({"choices": [choice]}), "upstream"),
        (
            json!({"error": {"code": 502, "message": "Provider returned error", "metadata": {"raw": "busy"}}}),
            "Provider returned error: busy",
        ),
    ];
    for (body, text) in bodies {
        let failed = came(200, body).await.unwrap_err();
        assert_eq!((failed.error, failed.retry), (ModelError::Server(text.to_owned()), Some(RetryReason::Server)));
    }
}

#[tokio::test]
async fn a_stream_may_end_with_an_event_that_is_an_error() {
    let events = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"act: go\"}}]}\n\n\
                  event: error\ndata: {\"message\": \"worker died\"}\n\n";
    let stream = move |_: &Request| Reply::with_headers(200, "Content-Type: text/event-stream\r\n", events);
    let (result, _) = ask(|settings| settings.stream = true, completion(), stream).await;
    let failed = result.unwrap_err();
    assert_eq!((failed.error, failed.retry), (ModelError::Server("worker died".to_owned()), Some(RetryReason::Server)));
}

#[tokio::test]
async fn several_data_may_be_lines_of_one_event() {
    let events = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"act: \"}}]}\n\
                  data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"look\"},\"finish_reason\":\"stop\"}]}\n\
                  data: [DONE]\n\n";
    let stream = move |_: &Request| Reply::with_headers(200, "Content-Type: text/event-stream\r\n", events);
    let (result, _) = ask(|settings| settings.stream = true, completion(), stream).await;
    assert_eq!(result.unwrap().reply.choices[0].text, "act: look");
}

#[tokio::test]
async fn filters_say_it_in_many_ways() {
    let cut = message(json!({"content": "act: go to"}), "content_filter");
    let none = json!({"choices": [], "usage": {"prompt_tokens": 3}});
    let refusal = message(json!({"content": null, "refusal": "I can't help with that."}), "stop");
    for body in [cut, none, refusal, message(json!({"content": ""}), "SAFETY")] {
        let failed = came(200, body.clone()).await.unwrap_err();
        assert!(matches!(failed.error, ModelError::Refused(_)), "{body} {failed:?}");
        assert_eq!(failed.retry, None);
    }
    let bodies = [
        (400, json!({"error": {"code": "content_filter", "message": "triggered the content management policy"}})),
        (403, json!({"error": {"code": 403, "message": "the input was flagged by moderation"}})),
    ];
    for (status, body) in bodies {
        let failed = came(status, body).await.unwrap_err();
        assert!(matches!(failed.error, ModelError::Refused(_)), "{failed:?}");
    }
}

#[tokio::test]
async fn a_full_window_is_one_whatever_says_so() {
    let bodies = [
        (200, message(json!({"content": ""}), "model_context_window_exceeded")),
        (500, json!({"error": {"message": "the request exceeds the available context size"}})),
        (400, json!({"error": {"message": "The input token count (9000) exceeds the maximum (8192)"}})),
        (413, json!({"error": {"message": "Please reduce the length of the messages"}})),
    ];
    for (status, body) in bodies {
        let failed = came(status, body).await.unwrap_err();
        assert!(matches!(failed.error, ModelError::Overflow(_)), "{failed:?}");
    }
    // Half an answer is one.
    let half = came(200, message(json!({"content": "think: I"}), "model_context_window_exceeded")).await.unwrap();
    assert_eq!(half.reply.choices[0].text, "think: I");
}

#[tokio::test]
async fn a_template_that_refuses_a_prompt_names_the_key_that_helps() {
    for (status, text, key) in [
        (500, "jinja error: Conversation roles must alternate user/assistant", "same_speaker = \"joined\""),
        (400, "System role not supported", "system = \"user\""),
    ] {
        let failed = came(status, json!({"error": {"message": text}})).await.unwrap_err();
        assert_eq!(failed.retry, None);
        assert!(matches!(&failed.error, ModelError::Template(text) if text.contains(key)), "{failed:?}");
    }
    for (text, key) in [
        (
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            "max_tokens_field = \"max_completion_tokens\"",
        ),
        ("Unsupported value: 'temperature' does not support 0.5 with this model.", "omit = [\"temperature\"]"),
    ] {
        let failed = came(400, json!({"error": {"message": text}})).await.unwrap_err();
        assert!(matches!(&failed.error, ModelError::BadRequest(text) if text.contains(key)), "{failed:?}");
    }
}

#[tokio::test]
async fn thinking_is_kept_apart_and_paid() {
    let mut body = message(json!({"content": "act: look", "reasoning_content": "hm", "reasoning": "hm"}), "stop");
    body["usage"] = json!({"prompt_tokens": 21, "completion_tokens": 0, "total_tokens": 81, "cost": 0.5});
    let reply = came(200, body).await.unwrap().reply;
    assert_eq!((&*reply.choices[0].text, &*reply.choices[0].thinking), ("act: look", "hm"));
    assert_eq!((reply.usage.prompt, reply.usage.completion, reply.billed), (21, 60, Some(0.5)));
    let stated = json!({"prompt_tokens": 1, "cost": 0.5, "cost_details": {"upstream_inference_cost": 0.5}});
    for (is_byok, billed) in [(false, 0.5), (true, 1.0)] {
        let mut body = message(json!({"content": "look"}), "stop");
        body["usage"] = stated.clone();
        body["usage"]["is_byok"] = is_byok.into();
        assert_eq!(came(200, body).await.unwrap().reply.billed, Some(billed));
    }
    let parts =
        json!([{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "look"}]);
    let reply = came(200, message(json!({"content": parts}), "stop")).await.unwrap().reply;
    assert_eq!((&*reply.choices[0].text, &*reply.choices[0].thinking), ("look", "hm"));
}

#[tokio::test]
async fn what_a_server_has_cached_costs_its_own_price() {
    let mut body = message(json!({"content": "look"}), "stop");
    body["usage"] =
        json!({"prompt_tokens": 2006, "completion_tokens": 300, "prompt_tokens_details": {"cached_tokens": 1920}});
    let prices = |cached_input| Prices { input: 1.0, output: 10.0, cached_input, currency: "USD".to_owned() };
    for (cached_input, cost) in [(Some(0.1), 0.003_278), (None, 0.005_006)] {
        let body = body.clone();
        let priced = move |settings: &mut ModelSettings| settings.profile.prices = Some(prices(cached_input));
        let (result, _) = ask(priced, completion(), move |_| Reply::json(200, &body)).await;
        let reply = result.unwrap().reply;
        assert!((prices(cached_input).cost_of(&reply) - cost).abs() < 1e-12);
        assert_eq!(reply.usage.cached, if cached_input.is_some() { 1920 } else { 0 });
    }
}

/// The body that is sent for a completion.
async fn sent(change: impl Fn(&mut ModelSettings), request: Completion) -> Value {
    let body = message(json!({"content": "look"}), "stop");
    let (_, seen) = ask(change, request, move |_| Reply::json(200, &body)).await;
    seen[0].body.clone()
}

#[tokio::test]
async fn fields_are_left_out_renamed_and_added_as_the_table_says() {
    let body = sent(|settings| settings.omit = vec!["temperature".to_owned(), "stop".to_owned()], completion()).await;
    assert_eq!((&body["temperature"], &body["max_tokens"]), (&Value::Null, &json!(8)));
    let body = sent(|settings| settings.max_tokens_field = "max_completion_tokens".to_owned(), completion()).await;
    assert_eq!((&body["max_tokens"], &body["max_completion_tokens"]), (&Value::Null, &json!(8)));
    let configured = |settings: &mut ModelSettings| {
        settings.extra_body.insert("max_completion_tokens".to_owned(), json!(4000));
    };
    let body = sent(configured, completion()).await;
    assert_eq!((&body["max_tokens"], &body["max_completion_tokens"]), (&Value::Null, &json!(4000)));
    // The model's table before the card's.
    let table = |settings: &mut ModelSettings| {
        settings.sampling.temperature = Some(1.0);
        settings.sampling.max_tokens = Some(500);
    };
    let body = sent(table, completion()).await;
    assert_eq!((&body["temperature"], &body["max_tokens"]), (&json!(1.0), &json!(500)));
    let old = |settings: &mut ModelSettings| {
        table(settings);
        settings.cards_first = true;
    };
    let body = sent(old, completion()).await;
    assert_eq!((&body["temperature"], &body["max_tokens"]), (&json!(0.5), &json!(8)));
}

#[tokio::test]
async fn thinking_is_asked_for_in_the_words_of_the_server() {
    let asked = |spelling: &'static str, effort: Option<&'static str>, budget_tokens| {
        move |settings: &mut ModelSettings| {
            let effort = effort.map(str::to_owned);
            settings.reasoning = Some(Reasoning { effort, budget_tokens, spelling: spelling.to_owned() });
        }
    };
    for (spelling, effort, budget, field, value) in [
        ("openai", Some("low"), None, "reasoning_effort", json!("low")),
        ("openrouter", Some("low"), None, "reasoning", json!({"effort": "low"})),
        ("openrouter", None, Some(64), "reasoning", json!({"max_tokens": 64})),
        ("vllm", Some("none"), None, "chat_template_kwargs", json!({"enable_thinking": false})),
        ("vllm", None, Some(64), "thinking_token_budget", json!(64)),
        ("anthropic", None, Some(64), "thinking", json!({"type": "enabled", "budget_tokens": 64})),
    ] {
        let body = sent(asked(spelling, effort, budget), completion()).await;
        assert_eq!(body[field], value, "{spelling}");
    }
    // The answer's limit stays the answer's.
    let body = sent(asked("openai", None, Some(64)), completion()).await;
    assert_eq!(body["max_tokens"], 72);
}

#[tokio::test]
async fn conversations_are_arranged_for_templates() {
    let said = |role, text: &str| ChatMessage::new(role, text);
    let conversation = || Completion {
        prompt: Prompt::Chat(vec![
            said(ChatRole::System, "Be short."),
            said(ChatRole::User, "a"),
            said(ChatRole::User, "b"),
            said(ChatRole::Assistant, "c"),
        ]),
        ..Completion::default()
    };
    let messages = |body: Value| -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let messages = body["messages"].as_array().unwrap().iter();
        messages.map(|message| (text(&message["role"]), text(&message["content"]))).collect()
    };
    let pair = |role: &str, text: &str| (role.to_owned(), text.to_owned());
    let user = |settings: &mut ModelSettings| settings.system = SystemPlace::User;
    let body = messages(sent(user, conversation()).await);
    assert_eq!(body, [pair("user", "Be short.\n\na"), pair("user", "b"), pair("assistant", "c")]);
    let none = |settings: &mut ModelSettings| {
        settings.system = SystemPlace::None;
        settings.joins_speakers = true;
    };
    let body = messages(sent(none, conversation()).await);
    assert_eq!(body, [pair("user", "a\n\nb"), pair("assistant", "c")]);
}

#[tokio::test]
async fn a_probe_finds_out_what_a_server_takes() {
    let answer = |request: &Request| {
        let body = &request.body;
        let messages = body["messages"].as_array().cloned().unwrap_or_default();
        let roles: Vec<&str> = messages.iter().filter_map(|message| message["role"].as_str()).collect();
        let refused = if roles.contains(&"system") {
            "System role not supported"
        } else if !body["max_tokens"].is_null() {
            "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
        } else if !body["temperature"].is_null() {
            "Unsupported value: 'temperature' does not support this value."
        } else if roles.windows(2).any(|pair| pair[0] == pair[1]) {
            "Conversation roles must alternate user/assistant/user/assistant/..."
        } else {
            return Reply::json(200, &message(json!({"content": "hello", "reasoning_content": "hm"}), "stop"));
        };
        Reply::json(400, &json!({"error": {"message": refused}}))
    };
    let server = RawServer::start(answer).await;
    let probed = probe(&settings(&server.url, None)).await.unwrap();
    let lines = ["system = \"user\"", "max_tokens_field = \"max_completion_tokens\"", "same_speaker = \"joined\""];
    let needs: BTreeSet<&str> = probed.needs.iter().map(String::as_str).collect();
    assert_eq!(needs, lines.iter().copied().chain(["temperature"]).collect());
    assert_eq!(probed.found("thinking"), Some(Found::Supported));
    let table = probed.lines("tiny", &Capabilities::default());
    let read: toml::Table = table.parse().unwrap();
    let model = &read["models"]["tiny"];
    assert_eq!(model["omit"], toml::Value::from(vec!["temperature"]));
    for line in lines {
        assert!(table.contains(line), "{table}");
    }
}
