//! The rule-based roles of dialogue over the built-in samples: every method on every dataset, and the relay.

use std::collections::BTreeSet;

use crate::support::shipped;
use crate::support::toy::{Played, play, redriven};
use rolecall::config::Plan;
use rolecall::domain::{Event, Message, Move, MoveKind};
use rolecall::evaluation::Standing;

fn resolved(config: &str, sets: &[&str]) -> Plan {
    shipped::plan(&format!("dialogue/{config}"), sets)
}

/// Plays a config in which nothing may fail or be mended.
fn played(config: &str, sets: &[&str]) -> Played {
    let played = play(resolved(config, sets));
    for result in &played.launched.results {
        assert_ne!(result.standing(), Standing::Broken, "{config}: {result:?}");
        assert_eq!(result.counts.faults, 0, "{config}: {result:?}");
    }
    let mended = |event: &&Event| matches!(event.message, Message::Repaired(_));
    let all = played.episodes.values().flatten();
    assert_eq!(all.filter(mended).count(), 0, "{config}");
    played
}

/// The responses that were given, in order.
fn responses(events: &[Event]) -> Vec<String> {
    let given = events.iter().filter_map(|event| match &event.message {
        Message::Perform(action) => {
            let call = action.call.as_ref().filter(|call| call.tool == "respond")?;
            Some(call.arguments.get("text")?.as_str()?.to_owned())
        }
        _ => None,
    });
    given.collect()
}

fn moves(events: &[Event]) -> impl Iterator<Item = &Move> {
    events.iter().filter_map(|event| match &event.message {
        Message::Moved(made) => Some(made),
        _ => None,
    })
}

const DATASETS: [&str; 3] = ["focus", "cima", "psyqa"];

#[test]
fn every_method_answers_every_sample() {
    for dataset in DATASETS {
        let set = format!("environment.dataset={dataset}");
        let played = played("compare", &[&set]);
        let cells: BTreeSet<String> = played.episodes.keys().map(|id| id.cell.to_string()).collect();
        assert_eq!(cells.len(), 9, "{cells:?}");
        for (id, events) in &played.episodes {
            let given = responses(events);
            assert_eq!(given.len(), 1, "{id}: {given:?}");
            assert!(!given[0].trim().is_empty(), "{id}");
        }
        assert!(played.launched.results.iter().all(|result| result.success));
    }
}

#[test]
fn chain_of_thought_by_rules_answers_as_its_thought_says() {
    for dataset in DATASETS {
        let set = format!("environment.dataset={dataset}");
        let thought = |config: &str| {
            let played = played(config, &[&set, "environment.top_k=5"]);
            let mut both = Vec::new();
            for events in played.episodes.values() {
                let thoughts = moves(events).filter(|made| matches!(made, Move::Think { .. }));
                both.push((thoughts.count(), responses(events)));
            }
            both
        };
        let (reasoned, plain) = (thought("cot"), thought("few-shot"));
        assert!(reasoned.iter().all(|(thoughts, _)| *thoughts == 1), "{dataset}");
        assert!(plain.iter().all(|(thoughts, _)| *thoughts == 0), "{dataset}");
        // Over sources the thought chooses among what was found.
        let differ = reasoned.iter().zip(&plain).filter(|(one, other)| one.1 != other.1);
        assert_eq!(differ.count() > 0, dataset == "focus", "{dataset}");
    }
}

#[test]
fn a_thought_does_not_lead_queries_astray() {
    let played = played("compare", &[]);
    let reward = |cell: &str| {
        let all = played.launched.results.iter();
        let own = all.filter(|result| result.episode.cell.as_str() == cell);
        own.map(|result| result.reward).sum::<f64>()
    };
    let (with, without) = (reward("tpe"), reward("tpe-no-status"));
    assert!(with >= without && without > 0.0, "{with} {without}");
}

#[test]
fn every_config_resolves_and_every_one_without_a_model_is_played() {
    let mut names = BTreeSet::new();
    for file in std::fs::read_dir(shipped::root().join("configs/dialogue")).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        // Beside them lies a folder of data.
        let Some(name) = name.strip_suffix(".toml").map(str::to_owned) else {
            continue;
        };
        let plan = resolved(&name, &[]);
        // The log is named after it.
        assert_eq!(plan.name, format!("dialogue-{name}"));
        if plan.model_settings.is_empty() {
            played(&name, &["tasks.limit=2"]);
        }
        names.insert(name);
    }
    assert!(names.len() >= 15, "{names:?}");
}

#[test]
fn answers_are_functions_of_the_view_and_the_same_seed_gives_the_same_bytes() {
    for (config, dataset) in [("compare", "focus"), ("compare", "cima"), ("relay", "focus"), ("relay", "psyqa")] {
        let set = format!("environment.dataset={dataset}");
        let mut sets = vec![set.as_str(), "tasks.limit=4"];
        if (config, dataset) == ("relay", "psyqa") {
            sets.push("user.kind=client");
        }
        let plan = resolved(config, &sets);
        let once = play(plan.clone()).episodes;
        redriven(&plan, &once);
        let mut spread = plan;
        (spread.run.arbiters, spread.run.concurrency) = (3, 50);
        assert!(once == play(spread).episodes, "{config} {dataset}");
    }
}

#[test]
fn who_only_knows_what_the_brief_says_says_less() {
    // Without the course, a tutor that nobody has taught a word can only ask.
    let course = played("tpe-cima", &[]);
    let dialogue = played("tpe-cima", &["roles.executor.vocabulary=dialogue", "roles.thinker.vocabulary=dialogue"]);
    assert!(course.episodes != dialogue.episodes);
    // A plan never asks what is known of the user where it is told not to.
    let asks = |played: &Played, source: &str| {
        let all = played.episodes.values().flatten();
        let asked =
            all.filter(|event| matches!(&event.message, Message::Perform(action) if action.text.starts_with(source)));
        asked.count()
    };
    let never = played("tpe", &["roles.planner.asks_persona=never"]);
    let always = played("tpe", &["roles.planner.asks_persona=always"]);
    assert_eq!(asks(&never, "PERSONA"), 0);
    assert_eq!(asks(&always, "PERSONA"), always.episodes.len());
    assert_eq!(asks(&never, "DOCUMENT"), never.episodes.len());
}

#[test]
fn plans_of_sources_refer_to_earlier_steps_only() {
    for (config, letters) in [("tpe", "So"), ("rewoo", "E")] {
        let played = played(config, &["roles.planner.asks_persona=always"]);
        let mut referred = 0;
        for events in played.episodes.values() {
            for made in moves(events) {
                let Move::Plan { steps } = made else { continue };
                for (place, step) in steps.iter().enumerate() {
                    assert_eq!(step.variable.clone().unwrap(), format!("{letters}{}", place + 1));
                    let refers = step.action.text.contains(&format!("#{letters}"));
                    assert!(!refers || place > 0, "{steps:?}");
                    referred += usize::from(refers);
                }
            }
        }
        assert!(referred > 0, "{config}");
    }
}

#[test]
fn the_relay_plans_acts_and_responds_and_asks_back_what_is_vague() {
    for dataset in DATASETS {
        let set = format!("environment.dataset={dataset}");
        let user = match dataset {
            "focus" => "user.kind=visitor",
            "cima" => "user.kind=student",
            _ => "user.kind=client",
        };
        let sets = [set.as_str(), user];
        let relay = played("relay", &sets);
        for (id, events) in &relay.episodes {
            assert_eq!(responses(events).len(), 1, "{id}");
            let kinds: Vec<MoveKind> = moves(events).map(Move::kind).collect();
            assert_eq!(kinds[..2], [MoveKind::Think, MoveKind::Judge], "{id}");
            assert_eq!(kinds.last(), Some(&MoveKind::Act), "{id}");
            // The clarifier asks at most once.
            let told = events.iter().filter(|event| matches!(event.message, Message::Told(_)));
            assert!(told.count() <= 1, "{id}");
        }
    }
    // Plans without variables are performed to the letter.
    let relay = played("relay", &[]);
    for events in relay.episodes.values() {
        for made in moves(events) {
            if let Move::Plan { steps } = made {
                assert!(steps.iter().all(|step| !step.action.text.contains('#')), "{steps:?}");
            }
        }
    }
}
