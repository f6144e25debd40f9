//! Single requests: answers, streams, schemas, scores and errors.

use std::collections::BTreeMap;
use std::sync::Arc;

use rolecall::domain::{Choice, Finish};
use rolecall::models::{Attempt, FirstByte, Transport, openai};
use rolecall::ports::ModelError;
use rolecall::ports::model::{
    Capabilities, ChatMessage, ChatRole, Completion, Format, ModelProfile, ModelRequest, ModelSettings, Prompt,
    Sampling, Scoring, ScoringMethod, Secret,
};
use serde_json::{Value, json};

use super::server::{post, servers};

const SITUATION: &str = "Your task is to: put a mug in shelf.\n> go to shelf 1\nYou arrive at shelf 1. On the shelf 1, you see a mug 1.\n> ";

fn settings(address: &str) -> ModelSettings {
    ModelSettings {
        sampling: Sampling { max_tokens: Some(40), ..Sampling::default() },
        profile: ModelProfile {
            name: "tiny".to_owned(),
            model: "tiny".to_owned(),
            capabilities: Capabilities {
                json_schema: true,
                logprobs: true,
                scoring: Some(ScoringMethod::TokenByToken),
                ..Capabilities::default()
            },
            ..ModelProfile::default()
        },
        ..ModelSettings::new("tiny", format!("{address}/v1"))
    }
}

fn chat(text: &str) -> Prompt {
    Prompt::Chat(vec![
        ChatMessage::new(ChatRole::System, "You solve tasks in a household."),
        ChatMessage::new(ChatRole::User, text),
    ])
}

fn completion(prompt: Prompt) -> Completion {
    Completion { prompt, temperature: Some(0.0), seed: Some(7), ..Completion::default() }
}

async fn ask(transport: &Arc<dyn Transport>, request: impl Into<Request>) -> Result<Attempt, ModelError> {
    let Request(request) = request.into();
    let encoded = transport.encode(&request)?;
    let answer = transport.attempt(&encoded, "test/0", "", &FirstByte::default()).await;
    answer.map_err(|failed| failed.error)
}

struct Request(ModelRequest);

impl From<Completion> for Request {
    fn from(completion: Completion) -> Self {
        Self(ModelRequest::Complete(completion))
    }
}

impl From<Scoring> for Request {
    fn from(scoring: Scoring) -> Self {
        Self(ModelRequest::Score(scoring))
    }
}

fn only(attempt: &Attempt) -> &Choice {
    let [choice] = &attempt.reply.choices[..] else {
        panic!("{attempt:?}");
    };
    choice
}

#[tokio::test]
async fn a_conversation_and_a_text_are_gone_on_with() {
    let Some(servers) = servers() else { return };
    let transport = openai::transport(&settings(&servers.open)).unwrap();
    for prompt in [chat(SITUATION), Prompt::Text(SITUATION.to_owned())] {
        let request = completion(prompt);
        let first = ask(&transport, request.clone()).await.unwrap();
        let choice = only(&first);
        assert!(!choice.text.is_empty());
        assert_eq!(choice.finish, Finish::Length);
        let usage = first.reply.usage;
        assert!(!usage.estimated && usage.prompt > 20, "{usage:?}");
        assert_eq!(usage.completion, 40);
        assert_eq!(first.requests, 1);
        // The same request has the same answer.
        let second = ask(&transport, request).await.unwrap();
        assert_eq!(first.reply, second.reply);
    }
}

#[tokio::test]
async fn a_stream_says_the_same() {
    let Some(servers) = servers() else { return };
    let plain = openai::transport(&settings(&servers.open)).unwrap();
    let streamed = openai::transport(&ModelSettings { stream: true, ..settings(&servers.open) });
    let streamed = streamed.unwrap();
    for prompt in [chat(SITUATION), Prompt::Text(SITUATION.to_owned())] {
        let request = Completion { logprobs: true, ..completion(prompt) };
        let whole = ask(&plain, request.clone()).await.unwrap();
        let pieces = ask(&streamed, request).await.unwrap();
        assert_eq!(only(&whole).text, only(&pieces).text);
        assert_eq!(only(&whole).finish, only(&pieces).finish);
        assert_eq!(whole.reply.usage, pieces.reply.usage);
        let tokens = |attempt: &Attempt| only(attempt).tokens.len();
        assert_eq!(tokens(&whole), tokens(&pieces));
        assert!(tokens(&whole) > 0);
    }
}

#[tokio::test]
async fn a_stop_sequence_ends_the_answer_and_is_left_out() {
    let Some(servers) = servers() else { return };
    let transport = openai::transport(&settings(&servers.open)).unwrap();
    let request = completion(chat(SITUATION));
    let free = ask(&transport, request.clone()).await.unwrap();
    let text = &only(&free).text;
    let stop = text.split_whitespace().nth(1).unwrap().to_owned();
    let stopped = ask(&transport, Completion { stop: vec![stop.clone()], ..request });
    let stopped = stopped.await.unwrap();
    assert_eq!(only(&stopped).finish, Finish::Stop);
    let (before, _) = text.split_once(&stop).unwrap();
    assert_eq!(only(&stopped).text, before);
}

#[tokio::test]
async fn a_schema_makes_a_random_model_write_moves() {
    let Some(servers) = servers() else { return };
    let transport = openai::transport(&settings(&servers.open)).unwrap();
    let schema = json!({
        "type": "object",
        "properties": {
            "move": {"enum": ["think", "speak", "act"]},
            "text": {"type": "string", "pattern": "^[a-z ]{3,20}$"},
        },
        "required": ["move", "text"],
        "additionalProperties": false,
    });
    let schema = Arc::new(schema);
    let mut written = BTreeMap::new();
    for seed in 0..20 {
        let request = Completion {
            temperature: Some(1.0),
            seed: Some(seed),
            max_tokens: Some(400),
            format: Format::Json { name: "move", schema: Arc::clone(&schema) },
            ..completion(chat(SITUATION))
        };
        let answer = ask(&transport, request).await.unwrap();
        // A random model may fill the space between two tokens until nothing is left.
        if only(&answer).finish == Finish::Stop {
            let made: Value = serde_json::from_str(&only(&answer).text).unwrap();
            let kind = made["move"].as_str().unwrap().to_owned();
            assert!(["think", "speak", "act"].contains(&&*kind), "{made}");
            assert!(made["text"].as_str().unwrap().len() >= 3, "{made}");
            *written.entry(kind).or_insert(0) += 1;
        }
    }
    assert!(written.values().sum::<i32>() >= 15, "{written:?}");
    assert!(written.len() > 1, "{written:?}");
}

/// The log-probabilities of a candidate's tokens, read from the whole vocabulary at each place,
/// without bias.
fn walk(address: &str, prompt: &str, candidate: &str) -> (f64, u32) {
    let tokens = |text: &str, is_start: bool| {
        let body = json!({"content": text, "add_special": is_start});
        let answer = post(address, "/tokenize", &body);
        answer["tokens"].as_array().unwrap().clone()
    };
    let mut context = tokens(prompt, true);
    let candidate = tokens(candidate, false);
    let mut sum = 0.0;
    for token in &candidate {
        let body = json!({
            "prompt": context,
            "n_predict": 1,
            "n_probs": 2000,
            "temperature": 0,
            "cache_prompt": false,
            // An answer that ends within a letter would come without probabilities.
            "grammar": "root ::= [a-z]",
        });
        let answer = post(address, "/completion", &body);
        let all = answer.pointer("/completion_probabilities/0/top_logprobs").unwrap();
        let found = all.as_array().unwrap().iter().find(|other| other["id"] == *token);
        sum += found.unwrap()["logprob"].as_f64().unwrap();
        context.push(token.clone());
    }
    (sum, u32::try_from(candidate.len()).unwrap())
}

#[tokio::test]
async fn scores_are_those_of_the_whole_vocabulary() {
    let Some(servers) = servers() else { return };
    let transport = openai::transport(&settings(&servers.open)).unwrap();
    let candidates =
        ["go to shelf 1", "go to shelf 2", "take mug 1 from shelf 1", "think: ", "ask: wo ist der Käse? 🧀"];
    let scoring =
        Scoring { prompt: Prompt::Text(SITUATION.to_owned()), candidates: candidates.map(str::to_owned).to_vec() };
    let answer = ask(&transport, scoring).await.unwrap();
    assert_eq!(answer.reply.scores.len(), candidates.len());
    for (score, candidate) in answer.reply.scores.iter().zip(candidates) {
        let (logprob, tokens) = walk(&servers.open, SITUATION, candidate);
        assert_eq!(score.tokens, tokens, "{candidate}");
        let difference = (score.logprob - logprob).abs();
        // Each token to four decimals: the server computes in half precision, and otherwise for
        // tokens one by one than for many at once.
        let most = 5e-5 * f64::from(tokens);
        assert!(difference < most, "{candidate}: {} {logprob}", score.logprob);
    }
}

#[tokio::test]
async fn a_prompt_that_is_too_long_overflows() {
    let Some(servers) = servers() else { return };
    let long = "go to shelf 1. ".repeat(20_000);
    for stream in [false, true] {
        let transport = openai::transport(&ModelSettings { stream, ..settings(&servers.open) });
        let error = ask(&transport.unwrap(), completion(chat(&long))).await;
        let error = error.unwrap_err();
        assert!(matches!(error, ModelError::Overflow(_)), "{error:?}");
    }
}

#[tokio::test]
async fn a_missing_and_a_wrong_key_are_refused() {
    let Some(servers) = servers() else { return };
    let Some((address, key)) = servers.locked else {
        println!("skipped: ROLECALL_REAL_MODEL_LOCKED and ROLECALL_REAL_MODEL_KEY are not set");
        return;
    };
    let with = |key: Option<&str>| {
        let settings = ModelSettings { api_key: key.map(Secret::new), ..settings(&address) };
        openai::transport(&settings).unwrap()
    };
    let request = completion(chat(SITUATION));
    for wrong in [None, Some("sk-wrong-4711")] {
        let error = ask(&with(wrong), request.clone()).await.unwrap_err();
        let ModelError::Auth(text) = &error else {
            panic!("{error:?}");
        };
        assert!(!text.contains("4711"), "{text}");
    }
    assert!(ask(&with(Some(&key)), request).await.is_ok());
}
