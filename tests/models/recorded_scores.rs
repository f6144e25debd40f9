//! Scoring against the recorded values: token by token as llama.cpp does it, and with `echo` or
//! `prompt_logprobs` as vLLM does. Skipped where `ROLECALL_ORACLE` is not set.

use crate::support::raw_server::{RawServer, Reply, Request, json, recordings, response, settings};
use rolecall::domain::CandidateScore;
use rolecall::models::{Attempt, Failed, FirstByte, openai};
use rolecall::ports::ModelError;
use rolecall::ports::model::{ChatMessage, ChatRole, ModelRequest, Prompt, Scoring, ScoringMethod};
use serde_json::{Value, json as value};

const PROMPT: &str = "The user said: find the mug. Action: ";

async fn score(
    method: ScoringMethod,
    prompt: Prompt,
    candidates: &[&str],
    answer: impl Fn(&Request) -> Reply + Send + Sync + 'static,
) -> (Result<Attempt, Failed>, Vec<Request>) {
    let server = RawServer::start(answer).await;
    let transport = openai::transport(&settings(&server.url, Some(method))).unwrap();
    let candidates = candidates.iter().map(|text| (*text).to_owned()).collect();
    let request = ModelRequest::Score(Scoring { prompt, candidates });
    let request = transport.encode(&request).unwrap();
    let result = transport.attempt(&request, "key", "", &FirstByte::default()).await;
    (result, server.seen())
}

async fn by_echo(
    prompt: &str,
    candidates: &[&str],
    recording: &'static str,
) -> Result<Vec<CandidateScore>, ModelError> {
    let answer = move |_: &Request| Reply::whole(response(recording));
    let prompt = Prompt::Text(prompt.to_owned());
    let (result, _) = score(ScoringMethod::EchoLogprobs, prompt, candidates, answer).await;
    result.map(|attempt| attempt.reply.scores).map_err(|failed| failed.error)
}

fn close(score: CandidateScore, logprob: f64, tokens: u32) {
    assert!((score.logprob - logprob).abs() < 5e-5, "{score:?}, not {logprob}");
    assert_eq!(score.tokens, tokens);
}

/// llama.cpp as it was recorded for the prompt and the candidate `stop`.
fn llama(request: &Request) -> Reply {
    let name = match request.path.as_str() {
        "/tokenize" if request.body["content"] == PROMPT => {
            assert_eq!(request.body["add_special"], true);
            "score_tokenize_prompt"
        }
        "/tokenize" if request.body["content"] == "stop" => {
            assert_eq!(request.body["add_special"], false);
            "score_tokenize_cand"
        }
        "/apply-template" => return Reply::json(200, &value!({"prompt": PROMPT})),
        "/v1/models" => "models",
        "/completion" => {
            assert_eq!(request.body["n_predict"], 1);
            assert_eq!(request.body["temperature"], 0);
            match (request.body["prompt"].as_array().unwrap().len(), &request.body["logit_bias"]) {
                (16, bias) if *bias == value!([[88, 1000]]) => "score_grammar_forced",
                (17, bias) if *bias == value!([[281, 1000]]) => "score_bias_forced_step",
                other => panic!("not recorded: {other:?}"),
            }
        }
        other => panic!("not recorded: {other}"),
    };
    Reply::whole(response(&format!("llama.cpp-xllamacpp/{name}")))
}

/// The recorded log-probability of `s` after the prompt, and of `top` after that.
fn stop() -> f64 {
    let logprob = |name: &str| {
        let recorded = json(&format!("llama.cpp-xllamacpp/{name}"));
        recorded["completion_probabilities"][0]["logprob"].as_f64().unwrap()
    };
    let sum = logprob("score_grammar_forced") + logprob("score_bias_forced_step");
    assert!((sum - -15.8652).abs() < 5e-5);
    sum
}

#[tokio::test]
async fn tokens_are_forced_one_by_one() {
    if recordings().is_none() {
        return;
    }
    let prompt = Prompt::Text(PROMPT.to_owned());
    let method = ScoringMethod::TokenByToken;
    let (result, seen) = score(method, prompt, &["stop", "stop"], llama).await;
    let attempt = result.unwrap();
    for score in &attempt.reply.scores {
        close(*score, stop(), 2);
    }
    // Three texts in tokens; the two steps are asked for once.
    assert_eq!((attempt.requests, seen.len()), (5, 5));
    // llama.cpp had all tokens but the last in its cache: 15 and 16 of them.
    assert_eq!(attempt.cached_tokens, 31);
}

#[tokio::test]
async fn conversations_are_rendered_by_the_server() {
    if recordings().is_none() {
        return;
    }
    let prompt = Prompt::Chat(vec![ChatMessage::new(ChatRole::User, "find the mug")]);
    let (result, seen) = score(ScoringMethod::TokenByToken, prompt, &["stop"], llama).await;
    close(result.unwrap().reply.scores[0], stop(), 2);
    let messages = value!([{"role": "user", "content": "find the mug"}]);
    assert_eq!(seen[0].body, value!({"messages": messages}));
}

#[tokio::test]
async fn a_piece_of_a_letter_is_found_among_all_tokens() {
    if recordings().is_none() {
        return;
    }
    let answer = |request: &Request| {
        let body = &request.body;
        if body["content"] == "a" {
            return Reply::json(200, &value!({"tokens": [70]}));
        }
        let second = body["prompt"].as_array().is_some_and(|prompt| prompt.len() == 17);
        match second.then(|| body["n_probs"].as_u64().unwrap()) {
            // The server leaves the probabilities out where a letter is not complete.
            Some(1) => Reply::json(200, &value!({"content": "\u{fffd}"})),
            Some(507) => {
                assert_eq!(body["logit_bias"], value!([[70, 1000]]));
                Reply::whole(response("llama.cpp-xllamacpp/score_walk_full_vocab"))
            }
            _ => llama(request),
        }
    };
    let prompt = Prompt::Text(PROMPT.to_owned());
    let (result, _) = score(ScoringMethod::TokenByToken, prompt, &["stop"], answer).await;
    close(result.unwrap().reply.scores[0], stop(), 2);
}

#[tokio::test]
async fn a_server_that_forces_nothing_is_not_believed() {
    if recordings().is_none() {
        return;
    }
    let answer = |request: &Request| match request.path.as_str() {
        "/completion" => Reply::whole(response("llama.cpp-xllamacpp/score_walk_full_vocab")),
        _ => llama(request),
    };
    let prompt = Prompt::Text(PROMPT.to_owned());
    let (result, _) = score(ScoringMethod::TokenByToken, prompt, &["stop"], answer).await;
    let failed = result.unwrap_err();
    assert!(matches!(failed.error, ModelError::Unsupported(_)), "{failed:?}");
    assert_eq!((failed.retry, failed.requests), (None, 3));
}

/// The recorded log-probabilities of `go to the fridge 1`, from the third token on.
fn fridge() -> Vec<f64> {
    let recorded = json("vllm-cpu/completions_echo_logprobs_mt0");
    let logprobs = recorded["choices"][0]["logprobs"]["token_logprobs"].as_array().unwrap();
    logprobs.iter().filter_map(Value::as_f64).collect()
}

#[tokio::test]
async fn echoed_tokens_after_the_prompt_are_added_up() {
    if recordings().is_none() {
        return;
    }
    // With one generated token after the text, and without.
    for recording in ["vllm-cpu/completions_echo_logprobs_mt0", "vllm-cpu/completions_echo_logprobs"] {
        let scores = by_echo("go to the", &[" fridge 1"], recording).await.unwrap();
        close(scores[0], fridge()[2] + fridge()[3], 2);
        let scores = by_echo("go", &[" to the fridge 1"], recording).await.unwrap();
        close(scores[0], fridge().iter().sum(), 4);
    }
}

#[tokio::test]
async fn several_candidates_come_from_one_request() {
    if recordings().is_none() {
        return;
    }
    // Both texts were recorded whole, so the common prompt has to be empty.
    let recorded = json("vllm-cpu/completions_batch_echo");
    let candidates = ["go to the fridge 1", "pick up the mug"];
    let result = by_echo("", &candidates, "vllm-cpu/completions_batch_echo").await;
    assert!(matches!(result, Err(ModelError::Unsupported(_))), "{result:?}");
    // With a first token before each, as models with a start token have it, they are exact.
    let mut started = recorded.clone();
    let mut expected = Vec::new();
    for choice in started["choices"].as_array_mut().unwrap() {
        let logprobs = &mut choice["logprobs"];
        logprobs["token_logprobs"][0] = value!(-1.5);
        logprobs["tokens"].as_array_mut().unwrap().insert(0, value!("<s>"));
        logprobs["token_logprobs"].as_array_mut().unwrap().insert(0, Value::Null);
        let all = logprobs["token_logprobs"].as_array().unwrap();
        // The last token was generated: `]`, and the end of the text, which shows as nothing.
        let own = all[1..all.len() - 1].iter().map(|own| own.as_f64().unwrap());
        expected.push((own.clone().sum::<f64>(), own.count()));
    }
    let answer = move |request: &Request| {
        assert_eq!(request.body["prompt"], value!(candidates));
        Reply::json(200, &started)
    };
    let prompt = Prompt::Text(String::new());
    let (result, seen) = score(ScoringMethod::EchoLogprobs, prompt, &candidates, answer).await;
    for (score, (logprob, tokens)) in result.unwrap().reply.scores.iter().zip(expected) {
        close(*score, logprob, u32::try_from(tokens).unwrap());
    }
    assert_eq!(seen.len(), 1);
}

#[tokio::test]
async fn a_token_over_the_border_is_weighed_against_the_prompt_alone() {
    if recordings().is_none() {
        return;
    }
    let alone = value!({"choices": [{"index": 0, "text": "go to the fr", "logprobs": {
        "tokens": ["go", " to", " the", " f", "r"],
        "token_logprobs": [null, -6.2285, -6.2285, -1.5, -0.25],
    }}]});
    let answer = move |request: &Request| {
        if request.body["prompt"] == value!(["go to the fr"]) {
            return Reply::json(200, &alone);
        }
        Reply::whole(response("vllm-cpu/completions_echo_logprobs_mt0"))
    };
    let prompt = Prompt::Text("go to the fr".to_owned());
    let (result, seen) = score(ScoringMethod::EchoLogprobs, prompt, &["idge 1"], answer).await;
    // log P("go to the fridge 1") - log P("go to the fr")
    close(result.unwrap().reply.scores[0], fridge()[2] + fridge()[3] + 1.75, 2);
    assert_eq!(seen.len(), 2);
}

#[tokio::test]
async fn a_server_that_ignores_echo_is_not_believed() {
    if recordings().is_none() {
        return;
    }
    let recordings = ["llama.cpp-xllamacpp/completions_echo_logprobs", "vllm-cpu/completions_prompt_logprobs"];
    for recording in recordings {
        let result = by_echo("go to the", &[" fridge 1"], recording).await;
        assert!(matches!(result, Err(ModelError::Unsupported(_))), "{recording}: {result:?}");
    }
}

#[tokio::test]
async fn conversations_are_scored_over_their_prompt() {
    if recordings().is_none() {
        return;
    }
    // The recorded conversation ends with the tokens `istant` and `\n`.
    let recorded = json("vllm-cpu/chat_prompt_logprobs");
    let tokens = recorded["prompt_logprobs"].as_array().unwrap();
    let own = |token: &Value| token.as_object().unwrap().values().next().unwrap()["logprob"].as_f64();
    let expected: f64 = tokens[tokens.len() - 2..].iter().map(|token| own(token).unwrap()).sum();
    for (candidate, is_scored) in [("istant\n", true), ("tant\n", false), ("other", false)] {
        let prompt = Prompt::Chat(vec![ChatMessage::new(ChatRole::User, "mug")]);
        let answer = |_: &Request| Reply::whole(response("vllm-cpu/chat_prompt_logprobs"));
        let method = ScoringMethod::EchoLogprobs;
        let (result, seen) = score(method, prompt, &[candidate], answer).await;
        let last = value!({"role": "assistant", "content": candidate});
        assert_eq!(seen[0].body["messages"][1], last);
        assert_eq!(seen[0].body["continue_final_message"], true);
        match result {
            Ok(attempt) if is_scored => close(attempt.reply.scores[0], expected, 2),
            Err(failed) if !is_scored => {
                assert!(matches!(failed.error, ModelError::Unsupported(_)), "{failed:?}");
            }
            other => panic!("{candidate}: {other:?}"),
        }
    }
}
