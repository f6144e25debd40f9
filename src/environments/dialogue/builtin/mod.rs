//! Samples of our own writing, so that everything runs without data: conversations about landmarks that do
//! not exist, tutoring in Italian and Spanish, and everyday worries in Chinese.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::load::Options;
use super::sample::{Sample, Utterance};
use crate::text::dialogue::{Dataset, Source};

/// How many texts the document source of a sample has, as in FoCus.
const DOCUMENTS: usize = 10;

/// A conversation about a landmark.
#[derive(Deserialize)]
struct Landmark {
    landmark: String,
    personas: Vec<String>,
    turns: Vec<Turn>,
}

/// A question and its answer, with what the answer uses.
#[derive(Deserialize)]
struct Turn {
    user: String,
    system: String,
    personas: Vec<usize>,
    fact: String,
}

/// A lesson with what tutors could say next.
#[derive(Deserialize)]
struct Lesson {
    language: String,
    dialogue: Vec<String>,
    references: Vec<Response>,
}

#[derive(Deserialize)]
struct Response {
    text: String,
    strategies: Vec<String>,
}

/// A worry with an answer in labelled spans.
#[derive(Deserialize)]
struct Worry {
    question: String,
    description: String,
    keywords: String,
    answer: Vec<(String, String)>,
}

/// The built-in samples in the form of a data set. The data are part of the program; a test reads them all.
pub fn samples(dataset: Dataset, options: &Options) -> Vec<Sample> {
    let samples = match dataset {
        Dataset::Focus => landmarks(read(include_str!("focus.json"))),
        Dataset::Cima => lessons(read(include_str!("cima.json"))),
        Dataset::Psyqa => worries(read(include_str!("psyqa.json"))),
    };
    let samples = samples.into_iter();
    samples
        .flat_map(|sample| sample.split(options.references))
        .collect()
}

/// A list of the program's own data; an empty one if it were malformed.
fn read<T: for<'a> Deserialize<'a>>(text: &str) -> Vec<T> {
    serde_json::from_str(text).unwrap_or_default()
}

fn said(speakers: [&str; 2], texts: &[String]) -> Vec<Utterance> {
    let speakers = speakers.into_iter().cycle();
    let both = speakers.zip(texts).map(|(speaker, text)| Utterance {
        speaker: speaker.to_owned(),
        text: text.clone(),
    });
    both.collect()
}

/// Each turn is a sample. As in FoCus, one text of the document source is about the landmark, and the
/// others are about other ones.
fn landmarks(landmarks: Vec<Landmark>) -> Vec<Sample> {
    let mut samples = Vec::new();
    for (place, landmark) in landmarks.iter().enumerate() {
        let others = landmarks
            .iter()
            .filter(|other| other.landmark != landmark.landmark);
        let others: Vec<&str> = others
            .flat_map(|other| other.turns.iter().map(|turn| turn.fact.as_str()))
            .collect();
        let mut history: Vec<String> = Vec::new();
        for (turn, number) in landmark.turns.iter().zip(1..) {
            history.push(turn.user.clone());
            let seed = 3 * place + number;
            let (documents, gold) = documents(&turn.fact, &others, seed);
            samples.push(Sample {
                id: format!("focus/builtin/{}/{number}", landmark.landmark),
                dataset: Dataset::Focus,
                dialogue: said(["USER", "SYSTEM"], &history),
                sources: BTreeMap::from([
                    (Source::Persona, landmark.personas.clone()),
                    (Source::Document, documents),
                ]),
                references: vec![turn.system.clone()],
                gold: BTreeMap::from([
                    (Source::Persona, turn.personas.clone()),
                    (Source::Document, vec![gold]),
                ]),
                strategies: Vec::new(),
                about: Some(landmark.landmark.replace('-', " ")),
            });
            history.push(turn.system.clone());
        }
    }
    samples
}

/// A fact among others, always the same for a number, and where it is.
fn documents(fact: &str, others: &[&str], number: usize) -> (Vec<String>, usize) {
    // Another step than the number of turns mixes landmarks.
    let wrong = (0..others.len()).map(|step| (5 * number + 4 * step) % others.len().max(1));
    let wrong = wrong.filter_map(|place| others.get(place));
    let mut texts: Vec<String> = wrong
        .take(DOCUMENTS - 1)
        .map(|text| (*text).to_owned())
        .collect();
    let gold = (7 * number) % (texts.len() + 1);
    texts.insert(gold, fact.to_owned());
    (texts, gold)
}

fn lessons(lessons: Vec<Lesson>) -> Vec<Sample> {
    let numbered = lessons.into_iter().zip(1..);
    let samples = numbered.map(|(lesson, number)| {
        let known = |name: &String| Dataset::Cima.strategy(name);
        let strategies = lesson.references.iter();
        Sample {
            id: format!("cima/builtin/{number}"),
            dataset: Dataset::Cima,
            dialogue: said(["Teacher", "Student"], &lesson.dialogue),
            sources: BTreeMap::new(),
            gold: BTreeMap::new(),
            strategies: strategies
                .map(|response| response.strategies.iter().filter_map(known).collect())
                .collect(),
            references: lesson.references.into_iter().map(|one| one.text).collect(),
            about: Some(lesson.language),
        }
    });
    samples.collect()
}

fn worries(worries: Vec<Worry>) -> Vec<Sample> {
    let numbered = worries.into_iter().zip(1..);
    let samples = numbered.map(|(worry, number)| {
        let names = worry.answer.iter().map(|(name, _)| name);
        let mut strategies: Vec<&str> = names
            .filter_map(|name| Dataset::Psyqa.strategy(name))
            .collect();
        strategies.dedup();
        let texts: Vec<&str> = worry.answer.iter().map(|(_, text)| text.as_str()).collect();
        Sample {
            id: format!("psyqa/builtin/{number}"),
            dataset: Dataset::Psyqa,
            dialogue: vec![Utterance {
                speaker: "USER".to_owned(),
                text: format!("{} {}", worry.question, worry.description),
            }],
            sources: BTreeMap::new(),
            references: vec![Dataset::Psyqa.joined(&texts)],
            gold: BTreeMap::new(),
            strategies: vec![strategies],
            about: Some(worry.keywords),
        }
    });
    samples.collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::sample::References;
    use super::*;
    use crate::text::bm25::{Bm25, Ties, Tokeniser};

    fn all(dataset: Dataset) -> Vec<Sample> {
        samples(dataset, &Options::default())
    }

    #[test]
    fn there_are_enough_samples_each_with_its_own_id() {
        let counts = Dataset::ALL.map(|dataset| all(dataset).len());
        assert_eq!(counts, [30, 24, 16]);
        let samples: Vec<Sample> = Dataset::ALL.into_iter().flat_map(all).collect();
        let ids: BTreeSet<&str> = samples.iter().map(|sample| sample.id.as_str()).collect();
        assert_eq!(ids.len(), samples.len());
        for sample in &samples {
            assert!(sample.dialogue.len() % 2 == 1 || sample.dataset == Dataset::Cima);
            let texts = sample.utterances().into_iter();
            let mut texts = texts.chain(sample.references.iter().map(String::as_str));
            assert!(texts.all(|text| !text.is_empty() && text.trim() == text));
        }
    }

    #[test]
    fn landmarks_have_two_full_sources_and_gold_within_them() {
        let samples = all(Dataset::Focus);
        let mut found = 0;
        for sample in &samples {
            let (personas, documents) = (
                &sample.sources[&Source::Persona],
                &sample.sources[&Source::Document],
            );
            assert_eq!((personas.len(), documents.len()), (5, DOCUMENTS));
            let distinct: BTreeSet<&String> = documents.iter().collect();
            assert_eq!(distinct.len(), DOCUMENTS, "{}", sample.id);
            let gold = sample.gold[&Source::Document][0];
            assert!(sample.gold[&Source::Persona].iter().all(|place| *place < 5));
            let query = format!("{} {}", sample.utterances().join(" "), sample.references[0]);
            let index = Bm25::new(documents, Tokeniser::LowerWord);
            found += usize::from(index.top(&query, 1, Ties::IndexAsc)[0].0 == gold);
        }
        // The answer uses the fact, so that it finds it.
        assert_eq!(found, samples.len());
    }

    #[test]
    fn lessons_are_in_two_languages_with_labelled_references() {
        let samples = all(Dataset::Cima);
        let about = |language| {
            samples
                .iter()
                .filter(move |one| one.about.as_deref() == Some(language))
        };
        assert_eq!(
            (about("Italian").count(), about("Spanish").count()),
            (12, 12)
        );
        for sample in &samples {
            assert_eq!(sample.dialogue.last().unwrap().speaker, "Student");
            assert!((2..=3).contains(&sample.references.len()), "{}", sample.id);
            assert_eq!(sample.references.len(), sample.strategies.len());
            assert!(sample.strategies.iter().all(|names| !names.is_empty()));
        }
        let each = Options {
            references: References::Each,
            ..Options::default()
        };
        let each = super::samples(Dataset::Cima, &each);
        assert_eq!(
            each.len(),
            samples
                .iter()
                .map(|one| one.references.len())
                .sum::<usize>()
        );
        assert_eq!(each[1].id, "cima/builtin/1/1");
    }

    #[test]
    fn worries_use_every_strategy() {
        let samples = all(Dataset::Psyqa);
        let used: BTreeSet<&str> = samples
            .iter()
            .flat_map(|one| one.strategies[0].clone())
            .collect();
        assert_eq!(used.len(), Dataset::Psyqa.strategies().len());
        for sample in &samples {
            assert!(sample.strategies[0].len() >= 3, "{}", sample.id);
            assert!(sample.references[0].chars().count() > 50, "{}", sample.id);
        }
    }
}
