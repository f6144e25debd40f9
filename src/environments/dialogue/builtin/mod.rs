//! Built-in samples, all of them invented for this project, so that every method runs without a data set:
//! conversations about places that do not exist, tutoring in Italian and Spanish through English, and
//! everyday worries in Chinese with what a counsellor might answer.
//!
//! They are small files beside this one in a form of their own, made to be read and extended by hand.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::{References, Sample, Utterance};
use crate::language::{Dataset, Source};
use rolecall_core::maps::ordered;
use rolecall_core::text::json;

#[cfg(test)]
mod tests;

const FOCUS: &str = include_str!("focus.json");
const CIMA: &str = include_str!("cima.json");
const PSYQA: &str = include_str!("psyqa.json");

/// A place with facts, and a conversation about it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Landmark {
    /// Its name in ids.
    landmark: String,
    /// Sentences about the visitor.
    persona: Vec<String>,
    /// Facts about the place and about others.
    document: Vec<String>,
    /// One conversation.
    turns: Vec<Exchange>,
}

/// A question about a place with its answer, and the places of the texts that the answer uses, from 0.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exchange {
    user: String,
    system: String,
    persona: Vec<usize>,
    document: Vec<usize>,
}

/// A student's words, and responses of tutors.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Lesson {
    /// The language that is learnt; for whoever reads the file.
    #[serde(rename = "language")]
    _language: String,
    /// Teacher and student in turn.
    dialogue: Vec<String>,
    /// The right sentence in each of its ways, as far as it is certain; empty if none is.
    #[serde(default)]
    goals: Vec<String>,
    responses: Vec<Response>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Response {
    text: String,
    /// A set, in the order in which prompts list strategies.
    strategies: Vec<String>,
}

/// A worry with an answer.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Worry {
    question: String,
    description: String,
    /// Strategy and text of each part, in order.
    answer: Vec<(String, String)>,
}

/// All built-in samples: `builtin/focus/<landmark>/<turn>` (turns count from 1), `builtin/cima/<n>` and
/// `builtin/psyqa/<n>` (from 0), in the order of the files.
///
/// Only tutoring has several responses to a context: with [`References::Each`] its samples are called
/// `builtin/cima/<n>/<response>`, from 0; other samples are the same whatever `references` is.
pub fn samples(references: References) -> Vec<Sample> {
    let landmarks: Vec<Landmark> = read(FOCUS);
    let lessons: Vec<Lesson> = read(CIMA);
    let worries: Vec<Worry> = read(PSYQA);
    let lessons = (0..).zip(lessons);
    let samples = landmarks
        .into_iter()
        .flat_map(conversation)
        .chain(lessons.flat_map(|(n, lesson)| tutoring(n, lesson, references)));
    samples.chain((0..).zip(worries).map(|(n, worry)| counselling(n, worry))).collect()
}

#[expect(clippy::expect_used, reason = "the files are part of the program and every test of this module reads them")]
fn read<T: DeserializeOwned>(file: &str) -> Vec<T> {
    json::read(file).expect("a built-in file is well-formed")
}

/// Each turn of the user as a sample, with the utterances before it.
fn conversation(landmark: Landmark) -> Vec<Sample> {
    let sources = BTreeMap::from([(Source::Persona, landmark.persona), (Source::Document, landmark.document)]);
    let mut said: Vec<Utterance> = Vec::new();
    let samples = (1..).zip(landmark.turns).map(|(number, turn)| {
        said.push(Utterance::new("USER", turn.user));
        let id = format!("builtin/focus/{}/{number}", landmark.landmark);
        let sample = Sample {
            sources: sources.clone(),
            references: vec![turn.system.clone()],
            gold: ordered([(Source::Persona, turn.persona), (Source::Document, turn.document)]),
            ..Sample::new(id, Dataset::Focus, said.clone())
        };
        said.push(Utterance::new("SYSTEM", turn.system));
        sample
    });
    samples.collect()
}

/// The samples of a lesson: one, or one for each response.
fn tutoring(n: usize, lesson: Lesson, references: References) -> Vec<Sample> {
    let dialogue = Utterance::in_turn(["Teacher", "Student"], lesson.dialogue);
    let (texts, strategies) =
        lesson.responses.into_iter().map(|one| (one.text, known(Dataset::Cima, &one.strategies))).unzip();
    let sample = Sample {
        references: texts,
        strategies,
        goals: lesson.goals,
        ..Sample::new(format!("builtin/cima/{n}"), Dataset::Cima, dialogue)
    };
    sample.split(references)
}

/// The sample of a worry: the question with its description, and the parts of the answer joined.
fn counselling(n: usize, worry: Worry) -> Sample {
    let (strategies, texts): (Vec<String>, Vec<String>) = worry.answer.into_iter().unzip();
    let mut strategies = known(Dataset::Psyqa, &strategies);
    strategies.dedup();
    let asked = format!("{} {}", worry.question, worry.description);
    let dialogue = vec![Utterance::new("USER", asked)];
    Sample {
        references: vec![Dataset::Psyqa.joined(&texts)],
        strategies: vec![strategies],
        ..Sample::new(format!("builtin/psyqa/{n}"), Dataset::Psyqa, dialogue)
    }
}

/// The strategies of the names; a test checks that all are known.
fn known(dataset: Dataset, names: &[String]) -> Vec<&'static str> {
    let all = || dataset.strategies().iter().map(|tool| tool.name);
    let known = |name: &String| all().find(|known| known == name);
    names.iter().filter_map(known).collect()
}
