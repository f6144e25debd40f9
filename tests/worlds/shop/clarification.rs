//! Underspecified instructions: texts, who is told what, and casts by rules that ask or do not.

use std::sync::Arc;

use crate::support::{shipped, toy};
use rolecall::domain::{Event, Message, Seat};
use rolecall::evaluation::EpisodeResult;
use rolecall::ports::TaskSource;
use serde_json::Value;

/// The tasks of the shipped config, with settings.
fn tasks(sets: &[&str]) -> Arc<dyn TaskSource> {
    shipped::plan("shop/clarification", sets).cells[0].tasks.clone()
}

#[test]
fn half_of_the_instructions_lose_options_and_attributes_and_keep_the_price() {
    let (stripped, whole) = (tasks(&[]), tasks(&["environment.underspecified=none"]));
    let mut shorter = 0;
    for index in 0..100 {
        let (task, full) = (stripped.open(index).unwrap().task, whole.open(index).unwrap().task);
        let part = |label: &str, audience: Seat| {
            let mut parts = task.private.iter();
            let found = parts.find(|part| part.label == label && part.audience == audience);
            Value::clone(&found.unwrap().value)
        };
        let (text, full) = (&task.public.text, &full.public.text);
        assert_eq!(part("full_goal", Seat::User), full.as_str());
        let goal = part("goal_product", Seat::Conductor);
        assert_eq!(goal["instruction"], full.as_str());
        let label = part("clarification", Seat::Conductor);
        assert_eq!(label["needed"], text != full);
        if text == full {
            continue;
        }
        shorter += 1;
        assert!(text.len() < full.len() && !text.contains(": "), "{text}");
        for attribute in goal["attributes"].as_array().unwrap() {
            let attribute = attribute.as_str().unwrap();
            assert!(!text.contains(&format!(" {attribute} ")), "{text}");
        }
        let price = full.split_once(", and price lower than ").unwrap().1;
        assert!(text.ends_with(&format!(", and price lower than {price}")), "{text}");
    }
    assert_eq!(shorter, 50);
}

#[test]
fn chatshop_has_its_own_way_to_leave_out() {
    let sets = ["environment.game=chatshop", "environment.goals=human"];
    let errors = shipped::resolved("shop/clarification", &sets).err().unwrap();
    let text = errors.to_string();
    assert!(text.contains("environment.disclosure"), "{text}");
}

type Episode = (EpisodeResult, Vec<Event>);

fn reward(episodes: &[&Episode]) -> f64 {
    let sum: f64 = episodes.iter().map(|(result, _)| result.reward).sum();
    sum / episodes.len() as f64
}

#[test]
fn asking_for_the_whole_instruction_pays_where_it_is_short() {
    let episodes = toy::play(shipped::plan("shop/clarification", &["tasks.limit=40"])).in_order();
    let label = |events: &[Event]| {
        let mut parts = events.iter().filter_map(|event| match &event.message {
            Message::Entrusted(part) if part.label == "clarification" => Some(&part.value),
            _ => None,
        });
        parts.next().is_some_and(|label| label["needed"] == true)
    };
    let of = |cell: &str, needed: bool| -> Vec<&Episode> {
        let own = episodes.iter();
        let own = own.filter(|(result, _)| result.episode.cell.as_str() == cell);
        own.filter(|(_, events)| label(events) == needed).collect()
    };
    for needed in [true, false] {
        for cell in ["asks-what", "asks-anything", "never-asks"] {
            let own = of(cell, needed);
            let asked = own.iter().filter(|(result, _)| result.counts.questions > 0).count();
            println!("{cell} {needed}: {:.3} asked {asked} of {}", reward(&own), own.len());
        }
    }
    let asked = |cell| {
        let own = of(cell, true).into_iter();
        own.filter(|(result, _)| result.counts.questions > 0).count()
    };
    assert!(asked("asks-what") > 15 && asked("never-asks") == 0);
    assert!(reward(&of("asks-what", true)) > reward(&of("never-asks", true)) + 0.1);
}
