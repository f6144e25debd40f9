//! Commands of which one begins another: each is scored with the end of its line, over either way of scoring.

use std::sync::Arc;

use super::executors::{PLAIN, role_of};
use crate::support::puppet::{Puppet, scores, setup};
use crate::support::raw_server::{RawServer, Reply, Request, settings};
use crate::support::toy::cast::plan_of;
use crate::support::toy::{ToyTasks, again};
use async_trait::async_trait;
use rolecall::domain::{Action, Begun, Move, Observation, Score};
use rolecall::models::{FirstByte, openai};
use rolecall::ports::model::{ModelRequest, Prompt, Scoring, ScoringMethod};
use rolecall::ports::{Environment, EnvironmentError};
use serde_json::{Value, json};

/// The log-probability of a letter after a text, by a model that wants to write one line.
fn logprob(wanted: &str, before: &str, letter: char) -> f64 {
    let next = wanted.strip_prefix(before).and_then(|rest| rest.chars().next());
    if next == Some(letter) { -0.1 } else { -4.0 }
}

fn likelihood(wanted: &str, text: &str) -> f64 {
    let letters = text.char_indices();
    letters.map(|(at, letter)| logprob(wanted, &text[..at], letter)).sum()
}

/// A world that lists what can be done.
struct Listing;

const POSSIBLE: [&str; 4] = ["go to cabinet 1", "go to cabinet 10", "go to cabinet 12", "look"];

#[async_trait]
impl Environment for Listing {
    async fn begin(&mut self, _: &Begun) -> Result<Observation, EnvironmentError> {
        self.perform(&Action::text("look")).await
    }

    async fn perform(&mut self, _: &Action) -> Result<Observation, EnvironmentError> {
        Ok(Observation {
            data: Some(Box::new(json!({ "admissible": POSSIBLE }))),
            ..Observation::text("You see cabinets.")
        })
    }

    async fn assess(&mut self) -> Result<Score, EnvironmentError> {
        Ok(Score::all_or_nothing(true))
    }
}

/// The move of a role whose model wants to write that command, and what it was asked to score.
fn chosen(wanted: &'static str, values: &[(&'static str, Value)]) -> (Vec<Move>, Vec<String>) {
    let puppet = Puppet::new("m", move |asked| {
        let wanted = format!(" {wanted}\n");
        let candidates = asked.scoring().candidates.iter();
        Ok(scores(candidates.map(|text| (likelihood(&wanted, text), u32::try_from(text.len()).unwrap()))))
    });
    let puppet = puppet.with(|profile| profile.chat = false);
    let mut told = vec![("choose", json!("score"))];
    told.extend_from_slice(values);
    let role = role_of(&setup(&[&puppet], PLAIN, &told));
    let mut tasks = ToyTasks::new(1);
    tasks.world = Arc::new(|| Box::new(Listing));
    let mut plan = plan_of("react", &[], tasks, vec![role], Vec::new());
    plan.cells[0].limits.steps = 1;
    let played = again(&plan);
    let candidates = puppet.asked()[0].scoring().candidates.clone();
    (played.moves(0).to_vec(), candidates)
}

#[test]
fn a_command_that_begins_another_does_not_beat_it() {
    for wanted in POSSIBLE {
        let (moves, candidates) = chosen(wanted, &[]);
        assert_eq!(moves, [Move::act(wanted)]);
        let lines = POSSIBLE.map(|command| format!(" {command}\n"));
        assert_eq!(candidates[..4], lines);
        // What is written after a label is generated: it has no end yet.
        assert_eq!(candidates[4..], [" think:"]);
    }
}

#[test]
fn the_formula_to_the_letter_takes_the_shorter_one() {
    for (wanted, taken) in
        [("go to cabinet 10", "go to cabinet 1"), ("go to cabinet 12", "go to cabinet 1"), ("look", "look")]
    {
        let (moves, candidates) = chosen(wanted, &[("candidates", json!("commands"))]);
        assert_eq!(moves, [Move::act(taken)]);
        assert_eq!(candidates[..4], POSSIBLE.map(|command| format!(" {command}")));
    }
}

const WANTED: &str = "In the kitchen.\n> go to cabinet 10\n";

/// A server whose tokens are letters and that wants to write that line.
fn serves(request: &Request) -> Reply {
    let body = &request.body;
    let letters = |text: &str| -> Vec<u32> { text.chars().map(u32::from).collect() };
    let told = match request.path.as_str() {
        "/tokenize" => json!({ "tokens": letters(body["content"].as_str().unwrap()) }),
        "/completion" => {
            let before: String = body["prompt"]
                .as_array()
                .unwrap()
                .iter()
                .map(|id| char::from_u32(u32::try_from(id.as_u64().unwrap()).unwrap()).unwrap())
                .collect();
            let id = u32::try_from(body["logit_bias"][0][0].as_u64().unwrap()).unwrap();
            let logprob = logprob(WANTED, &before, char::from_u32(id).unwrap());
            json!({ "completion_probabilities": [{ "id": id, "logprob": logprob }] })
        }
        "/v1/completions" => {
            let texts = body["prompt"].as_array().unwrap().iter().enumerate();
            let choices: Vec<Value> = texts
                .map(|(index, text)| {
                    let text = text.as_str().unwrap();
                    let tokens: Vec<String> = text.chars().map(String::from).collect();
                    let mut logprobs: Vec<Option<f64>> =
                        text.char_indices().map(|(at, letter)| Some(logprob(WANTED, &text[..at], letter))).collect();
                    logprobs[0] = None;
                    json!({
                        "index": index, "text": text, "finish_reason": "length",
                        "logprobs": { "tokens": tokens, "token_logprobs": logprobs },
                    })
                })
                .collect();
            json!({ "choices": choices })
        }
        other => panic!("{other}"),
    };
    Reply::json(200, &told)
}

#[tokio::test]
async fn both_ways_of_scoring_count_the_end_of_a_line() {
    for method in [ScoringMethod::EchoLogprobs, ScoringMethod::TokenByToken] {
        let server = RawServer::start(serves).await;
        let transport = openai::transport(&settings(&server.url, Some(method))).unwrap();
        let candidates = [" go to cabinet 1\n", " go to cabinet 10\n", " go to cabinet 1"];
        let request = ModelRequest::Score(Scoring {
            prompt: Prompt::Text("In the kitchen.\n>".to_owned()),
            candidates: candidates.map(str::to_owned).to_vec(),
        });
        let request = transport.encode(&request).unwrap();
        let attempt = transport.attempt(&request, "key", "", &FirstByte::default()).await.unwrap();
        let found = attempt.reply.scores;
        let expected = [(-1.6 - 4.0, 17), (-1.8, 18), (-1.6, 16)];
        for (score, (logprob, tokens)) in found.iter().zip(expected) {
            assert!((score.logprob - logprob).abs() < 1e-9, "{method:?}: {found:?}");
            assert_eq!(score.tokens, tokens, "{method:?}: {found:?}");
        }
        assert_eq!(found.len(), 3);
    }
}
