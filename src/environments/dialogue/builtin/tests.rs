use std::collections::{BTreeMap, BTreeSet};

use super::*;

const EVERY: [References; 3] = [References::First, References::All, References::Each];

fn of(dataset: Dataset, references: References) -> Vec<Sample> {
    samples(references).into_iter().filter(|sample| sample.dataset == dataset).collect()
}

/// The longer words of a text, without capitals.
fn words(text: &str) -> BTreeSet<String> {
    let long = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| word.chars().count() > 3);
    long.map(str::to_lowercase).collect()
}

#[test]
fn there_are_samples_of_all_datasets() {
    let count = |dataset, references| of(dataset, references).len();
    assert_eq!(count(Dataset::Focus, References::First), 37);
    assert_eq!(count(Dataset::Psyqa, References::First), 18);
    assert_eq!(count(Dataset::Cima, References::First), 28);
    assert_eq!(count(Dataset::Cima, References::All), 28);
    assert_eq!(count(Dataset::Cima, References::Each), 77);
}

#[test]
fn ids_are_unique_and_name_the_dataset() {
    for references in EVERY {
        let all = samples(references);
        let ids: BTreeSet<&str> = all.iter().map(|sample| sample.id.as_str()).collect();
        assert_eq!(ids.len(), all.len());
        for sample in &all {
            let start = format!("builtin/{}/", sample.dataset.name());
            assert!(sample.id.starts_with(&start), "{}", sample.id);
        }
    }
}

#[test]
fn the_user_speaks_last_and_speakers_take_turns() {
    for sample in samples(References::All) {
        let (agent, user) = match sample.dataset {
            Dataset::Focus | Dataset::Psyqa | Dataset::Own(_) => ("SYSTEM", "USER"),
            Dataset::Cima => ("Teacher", "Student"),
        };
        let mut expected = [user, agent].into_iter().cycle();
        for said in sample.dialogue.iter().rev() {
            assert_eq!(Some(said.speaker.as_str()), expected.next(), "{}", sample.id);
        }
        let length = sample.dialogue.len();
        match sample.dataset {
            Dataset::Focus => assert!(matches!(length, 1 | 3 | 5), "{}", sample.id),
            Dataset::Cima => assert!(matches!(length, 2 | 4 | 6), "{}", sample.id),
            Dataset::Psyqa | Dataset::Own(_) => assert_eq!(length, 1),
        }
    }
}

#[test]
fn no_text_is_empty_or_untidy() {
    for sample in samples(References::All) {
        let sources = sample.sources.values().flatten().map(String::as_str);
        let references = sample.references.iter().map(String::as_str);
        let mut count = 0;
        for text in sample.utterances().into_iter().chain(sources).chain(references) {
            let tidy = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(!text.is_empty() && tidy == text, "{}: {text:?}", sample.id);
            count += 1;
        }
        assert!(count >= 2, "{}", sample.id);
    }
}

#[test]
fn the_sources_of_a_conversation_hold_what_its_answers_use() {
    let mut used = BTreeMap::new();
    for sample in of(Dataset::Focus, References::First) {
        assert_eq!(sample.sources[&Source::Persona].len(), 5, "{}", sample.id);
        assert_eq!(sample.sources[&Source::Document].len(), 10, "{}", sample.id);
        assert!(sample.strategies.is_empty());
        for source in Dataset::Focus.sources() {
            let gold = &sample.gold[&source];
            assert!(gold.is_sorted_by(|one, next| one < next), "{}", sample.id);
            for &index in gold {
                let shared = &words(&sample.sources[&source][index]) & &words(&sample.references[0]);
                assert!(!shared.is_empty(), "{}: {source:?} {index}", sample.id);
            }
        }
        assert!(!sample.gold[&Source::Document].is_empty(), "{}", sample.id);
        *used.entry(sample.gold[&Source::Persona].len()).or_insert(0) += 1;
    }
    assert_eq!(used, BTreeMap::from([(0, 13), (1, 20), (2, 4)]));
}

#[test]
fn a_turn_is_told_with_the_answers_before_it() {
    let all = of(Dataset::Focus, References::First);
    let (first, second) = (&all[0], &all[1]);
    assert_eq!(first.id, "builtin/focus/tarnhelm-viaduct/1");
    assert_eq!(second.id, "builtin/focus/tarnhelm-viaduct/2");
    assert_eq!(second.dialogue[0], first.dialogue[0]);
    assert_eq!(second.dialogue[1].text, first.references[0]);
    assert_eq!(second.dialogue[2].text, "Who built it, and when?");
}

#[test]
fn strategies_are_tools_of_the_dataset_for_each_reference() {
    for dataset in [Dataset::Cima, Dataset::Psyqa] {
        let names: Vec<&str> = dataset.tools().iter().map(|tool| tool.name).collect();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for sample in of(dataset, References::All) {
            assert_eq!(sample.strategies.len(), sample.references.len());
            assert!(sample.sources.is_empty() && sample.gold.is_empty());
            for strategies in &sample.strategies {
                assert!(!strategies.is_empty(), "{}", sample.id);
                let place = |name: &&str| names.iter().position(|known| known == name);
                let places: Vec<usize> = strategies.iter().filter_map(place).collect();
                assert_eq!(places.len(), strategies.len(), "{}", sample.id);
                let fine = match dataset {
                    Dataset::Cima => places.is_sorted_by(|one, next| one < next),
                    _ => places.windows(2).all(|pair| pair[0] != pair[1]),
                };
                assert!(fine, "{}: {strategies:?}", sample.id);
            }
            for name in sample.strategies.into_iter().flatten() {
                *counts.entry(name).or_default() += 1;
            }
        }
        assert_eq!(counts.len(), names.len(), "{counts:?}");
        if dataset == Dataset::Cima {
            let most = counts.iter().max_by_key(|(_, count)| **count);
            assert_eq!(most.map(|(name, _)| *name), Some("Hint"));
        }
    }
}

#[test]
fn lessons_are_in_two_languages_in_turn() {
    let lessons: Vec<Lesson> = read(CIMA);
    for (n, lesson) in lessons.iter().enumerate() {
        let expected = ["Italian", "Spanish"][n % 2];
        assert_eq!(lesson._language, expected, "{n}");
        assert!(matches!(lesson.responses.len(), 2 | 3), "{n}");
    }
}

#[test]
fn the_first_response_all_or_each_are_references() {
    let all = of(Dataset::Cima, References::All);
    let first = of(Dataset::Cima, References::First);
    let mut each = of(Dataset::Cima, References::Each).into_iter();
    for (all, first) in all.iter().zip(&first) {
        assert_eq!(all.id, first.id);
        assert_eq!(first.references, all.references[..1]);
        assert_eq!(first.strategies, all.strategies[..1]);
        for place in 0..all.references.len() {
            let one = each.next().unwrap();
            assert_eq!(one.id, format!("{}/{place}", all.id));
            assert_eq!(one.dialogue, all.dialogue);
            assert_eq!(one.references, all.references[place..=place]);
            assert_eq!(one.strategies, all.strategies[place..=place]);
        }
    }
    assert_eq!(each.next(), None);
    for dataset in [Dataset::Focus, Dataset::Psyqa] {
        assert_eq!(of(dataset, References::Each), of(dataset, References::First));
        assert!(of(dataset, References::All).iter().all(|one| one.references.len() == 1));
    }
}

#[test]
fn answers_to_worries_are_chinese_and_neither_short_nor_long() {
    let mut merged = 0;
    let worries: Vec<Worry> = read(PSYQA);
    for (sample, worry) in of(Dataset::Psyqa, References::First).iter().zip(&worries) {
        let reference = &sample.references[0];
        let length = reference.chars().count();
        assert!((80..=200).contains(&length), "{}: {length}", sample.id);
        assert!(!reference.contains(|letter: char| letter.is_ascii()));
        assert!(reference.ends_with(['。', '？']), "{}", sample.id);
        for text in [&worry.question, &worry.description] {
            assert!(!text.contains(|letter: char| letter.is_ascii()), "{}", sample.id);
            assert!(sample.dialogue[0].text.contains(text.as_str()));
        }
        assert!(worry.answer.iter().all(|(_, text)| !text.is_empty()));
        merged += worry.answer.len() - sample.strategies[0].len();
    }
    assert!(merged > 0);
}

#[test]
fn every_strategy_in_the_files_is_one_that_is_known() {
    let lessons: Vec<Lesson> = read(CIMA);
    let tutoring = lessons
        .iter()
        .flat_map(|lesson| &lesson.responses)
        .map(|response| (Dataset::Cima, response.strategies.clone()));
    let worries: Vec<Worry> = read(PSYQA);
    let counselling = worries.into_iter().map(|worry| {
        let names = worry.answer.into_iter().map(|(strategy, _)| strategy);
        (Dataset::Psyqa, names.collect())
    });
    for (dataset, names) in tutoring.chain(counselling) {
        let names: Vec<String> = names;
        assert_eq!(known(dataset, &names), names);
    }
}
