//! The probe tells the truth about the three recorded servers. A question that was not recorded is
//! answered with 404, and the probe says that it does not know. Skipped where `ROLECALL_ORACLE` is
//! not set.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::support::raw_server::{RawServer, Reply, Request, recordings, response, settings};
use rolecall::models::probe::{Found, Probed, probe};
use rolecall::ports::ModelError;
use rolecall::ports::model::{Capabilities, ModelSettings, ScoringMethod};
use serde_json::json;

use Found::{Ignored, Supported, Unknown};

/// What a conversation asks for, apart from what it says.
fn feature(request: &Request) -> &'static str {
    let body = &request.body;
    let said = body["messages"].as_array().unwrap().last().unwrap();
    let has = |name: &str| !body[name].is_null();
    let schema = &body["response_format"]["json_schema"]["schema"]["type"];
    if body["model"] == "no-such-model" {
        "unknown model"
    } else if said["content"].as_str().unwrap().len() > 10_000 {
        "too long"
    } else if *schema == "nonsense" {
        "nonsense"
    } else if has("response_format") {
        "schema"
    } else if body["tool_choice"] == "required" {
        "tools"
    } else if has("tool_choice") {
        "named tool"
    } else if has("stream") {
        "stream"
    } else if has("n") {
        "n"
    } else if has("stop") {
        "stop"
    } else if has("logprobs") {
        "logprobs"
    } else if body["temperature"] == 0 && body["seed"] == 1 {
        "greedy"
    } else {
        "other"
    }
}

/// Whether the request lacks a key; vLLM was recorded without one.
fn keyless(request: &Request) -> bool {
    !request.headers.contains_key("authorization")
}

/// The recording of llama.cpp that answers a question like this, if there is one.
fn llama(request: &Request, greedy: u32) -> Option<&'static str> {
    let body = &request.body;
    Some(match request.path.as_str() {
        "/props" => "props",
        "/v1/models" => "models",
        "/v1/completions" if !body["echo"].is_null() => "completions_echo_logprobs",
        "/v1/completions" => "completions_basic",
        "/completion" => match body["prompt"].as_array().unwrap().len() {
            16 => "score_grammar_forced",
            17 => "score_bias_forced_step",
            _ => return None,
        },
        "/tokenize" => match body["content"].as_str()? {
            "go to the fridge 1" => "tokenize",
            "stop" => "score_tokenize_cand",
            "The user said: find the mug. Action: " => "score_tokenize_prompt",
            _ => return None,
        },
        "/v1/chat/completions" if keyless(request) => "auth_missing",
        "/v1/chat/completions" => match feature(request) {
            "unknown model" => "err_unknown_model",
            "too long" => "err_context_overflow",
            "nonsense" => "chat_bad_schema",
            // The first time the server failed, the second time the answer was cut.
            "schema" if body["seed"] == 0 => "chat_json_schema",
            "schema" => "chat_json_schema_truncated",
            "tools" => "chat_tools_required",
            "named tool" => "chat_tools_named",
            "stream" => "chat_stream",
            "n" | "stop" => "chat_stop_n2",
            "logprobs" => "chat_logprobs",
            "greedy" if greedy == 0 => "chat_basic",
            "greedy" => "chat_basic_again",
            _ => return None,
        },
        _ => return None,
    })
}

fn vllm(request: &Request, greedy: u32) -> Option<&'static str> {
    let body = &request.body;
    Some(match request.path.as_str() {
        "/v1/models" => "models",
        "/v1/completions" if body["prompt"] == json!(["go to the fridge 1"]) => "completions_echo_logprobs_mt0",
        "/v1/completions" => "completions_return_token_ids",
        "/tokenize" if body["prompt"] == "go to the fridge 1" => "tokenize",
        "/v1/chat/completions" => match feature(request) {
            "unknown model" => "err_unknown_model",
            "too long" => "err_context_overflow",
            "nonsense" => "err_bad_schema",
            "schema" => "chat_json_schema",
            "tools" => "chat_tools_required",
            "named tool" => "chat_tools_named",
            "stream" => "chat_stream",
            "logprobs" => "chat_logprobs",
            "greedy" if greedy == 0 => "chat_basic",
            _ => return None,
        },
        _ => return None,
    })
}

fn litellm(request: &Request, greedy: u32) -> Option<&'static str> {
    Some(match request.path.as_str() {
        "/v1/models" => "models",
        "/v1/chat/completions" if keyless(request) => "auth_missing",
        "/v1/chat/completions" => match feature(request) {
            "unknown model" => "chat_nope",
            "too long" => "tiny_ctx_overflow",
            "schema" => "tiny_json_schema",
            "stream" => "chat_stream_tiny",
            "logprobs" => "tiny_logprobs",
            "greedy" if greedy == 0 => "chat_tiny",
            _ => return None,
        },
        _ => return None,
    })
}

type Recorded = fn(&Request, u32) -> Option<&'static str>;

async fn probed(
    folder: &'static str,
    recorded: Recorded,
    change: impl Fn(&mut ModelSettings),
) -> (Probed, ModelSettings) {
    let greedy = AtomicU32::new(0);
    let server = RawServer::start(move |request| {
        let is_greedy = request.path.ends_with("chat/completions") && feature(request) == "greedy";
        let before = greedy.fetch_add(u32::from(is_greedy), Ordering::Relaxed);
        match recorded(request, before) {
            Some(name) => Reply::whole(response(&format!("{folder}/{name}"))),
            None => Reply::json(404, &json!({"detail": "Not Found"})),
        }
    })
    .await;
    let mut settings = settings(&server.url, None);
    settings.profile.capabilities = Capabilities::default();
    change(&mut settings);
    (probe(&settings).await.unwrap(), settings)
}

fn check(probed: &Probed, expected: &[(&str, Found)]) {
    let found = probed.findings.iter();
    let found: Vec<(&str, Found)> = found.map(|finding| (finding.capability, finding.found)).collect();
    assert_eq!(found, expected, "{:#?}", probed.findings);
    for finding in &probed.findings {
        assert!(!finding.evidence.is_empty(), "{}", finding.capability);
        assert!(!finding.evidence.contains("sk-test"), "{}", finding.evidence);
    }
}

#[tokio::test]
async fn llama_forces_no_tools_and_echoes_nothing() {
    if recordings().is_none() {
        return;
    }
    let (probed, settings) = probed("llama.cpp-xllamacpp", llama, |_| {}).await;
    let expected = [
        ("chat", Supported),
        ("completions", Supported),
        ("max_tokens", Supported),
        ("stream", Supported),
        ("stream_usage", Supported),
        ("stop", Supported),
        ("thinking", Unknown),
        ("repeatable", Supported),
        ("seed", Unknown),
        ("several", Supported),
        ("logprobs", Supported),
        ("token_ids", Unknown),
        ("json_schema", Supported),
        ("tools", Ignored),
        ("named_tool", Ignored),
        ("echo_logprobs", Ignored),
        ("token_by_token", Supported),
        ("tokenize", Supported),
        ("overflow", Supported),
        ("context_tokens", Supported),
        ("model_name", Ignored),
        ("key", Supported),
    ];
    check(&probed, &expected);
    assert_eq!(probed.context_tokens, Some(1024));
    let lines = probed.lines("tiny", &settings.profile.capabilities);
    let expected = "[models.tiny]\ncontext_tokens = 1024\n\n[models.tiny.capabilities]\n\
        json_schema = true\ntools = false\nlogprobs = true\nseveral = true\n\
        scoring = \"token_by_token\"\n";
    assert_eq!(lines, expected);
}

#[tokio::test]
async fn vllm_echoes_and_calls_tools_without_objects() {
    if recordings().is_none() {
        return;
    }
    let keyless = |settings: &mut ModelSettings| settings.api_key = None;
    let (probed, settings) = probed("vllm-cpu", vllm, keyless).await;
    let expected = [
        ("chat", Supported),
        ("completions", Supported),
        ("max_tokens", Supported),
        ("stream", Supported),
        ("stream_usage", Supported),
        ("stop", Unknown),
        ("thinking", Unknown),
        ("repeatable", Unknown),
        ("seed", Unknown),
        ("several", Unknown),
        ("logprobs", Supported),
        ("token_ids", Unknown),
        ("json_schema", Supported),
        ("tools", Ignored),
        ("named_tool", Ignored),
        ("echo_logprobs", Supported),
        ("token_by_token", Unknown),
        ("tokenize", Supported),
        ("overflow", Supported),
        ("context_tokens", Supported),
        ("model_name", Supported),
        ("key", Ignored),
    ];
    check(&probed, &expected);
    assert_eq!(probed.context_tokens, Some(1024));
    let tools = probed.findings.iter().find(|finding| finding.capability == "tools");
    assert!(tools.unwrap().evidence.contains("`true`"), "{tools:?}");
    let lines = probed.lines("tiny", &settings.profile.capabilities);
    assert!(lines.contains("several = false # could not be found out\n"), "{lines}");
    assert!(lines.ends_with("scoring = \"echo_logprobs\"\n"), "{lines}");
}

#[tokio::test]
async fn litellm_needs_its_key_and_knows_its_models() {
    if recordings().is_none() {
        return;
    }
    let (probed, _) = probed("litellm-proxy", litellm, |_| {}).await;
    let expected = [
        ("chat", Supported),
        ("completions", Unknown),
        ("max_tokens", Supported),
        ("stream", Supported),
        ("stream_usage", Supported),
        ("stop", Unknown),
        ("thinking", Unknown),
        ("repeatable", Unknown),
        ("seed", Unknown),
        ("several", Unknown),
        ("logprobs", Supported),
        ("token_ids", Unknown),
        ("json_schema", Supported),
        ("tools", Unknown),
        ("named_tool", Unknown),
        ("echo_logprobs", Unknown),
        ("token_by_token", Unknown),
        ("tokenize", Unknown),
        ("overflow", Supported),
        ("context_tokens", Supported),
        ("model_name", Supported),
        ("key", Supported),
    ];
    check(&probed, &expected);
    // Only the refusal of a long prompt tells the window behind the proxy.
    assert_eq!(probed.context_tokens, Some(1024));
}

#[tokio::test]
async fn what_is_declared_and_not_true_is_told() {
    if recordings().is_none() {
        return;
    }
    let declare = |settings: &mut ModelSettings| {
        settings.profile.context_tokens = Some(4096);
        settings.profile.capabilities = Capabilities {
            json_schema: true,
            tools: true,
            logprobs: true,
            several: true,
            scoring: Some(ScoringMethod::EchoLogprobs),
        };
    };
    let (llama, settings) = probed("llama.cpp-xllamacpp", llama, declare).await;
    let wrong = llama.findings.iter().filter(|finding| finding.contradicted);
    let wrong: Vec<&str> = wrong.map(|finding| finding.capability).collect();
    assert_eq!(wrong, ["tools", "echo_logprobs", "context_tokens"]);
    assert!(!llama.agrees());
    let can = llama.capabilities(&settings.profile.capabilities);
    assert_eq!(can.scoring, Some(ScoringMethod::TokenByToken));
    // What could not be found out stays as it is declared.
    let (litellm, settings) = probed("litellm-proxy", litellm, |settings| {
        settings.profile.capabilities.tools = true;
    })
    .await;
    assert!(litellm.agrees());
    assert!(litellm.capabilities(&settings.profile.capabilities).tools);
}

#[tokio::test]
async fn a_server_that_is_away_is_not_probed() {
    let error = probe(&settings("http://127.0.0.1:1", None)).await.unwrap_err();
    assert!(matches!(error, ModelError::Unreachable(_)), "{error}");
    let mut settings = settings("http://127.0.0.1:1", None);
    settings.missing_key = Some("TINY_KEY".to_owned());
    let error = probe(&settings).await.unwrap_err();
    assert!(matches!(error, ModelError::Auth(_)), "{error}");
}
