//! The shipped configs of the household: each one resolves, and those that need no model and nobody at the
//! terminal are played.

use std::collections::BTreeSet;

use crate::support::shipped;
use crate::support::toy::{Played, play};
use rolecall::config::Resolved;
use rolecall::domain::{Event, Message};
use rolecall::evaluation::Standing;

fn resolved(name: &str, sets: &[&str]) -> Resolved {
    shipped::resolved(&format!("household/{name}"), sets).unwrap_or_else(|errors| panic!("{name}: {errors}"))
}

fn played(name: &str, sets: &[&str]) -> Played {
    let played = play(resolved(name, sets).plan);
    for result in &played.launched.results {
        assert_ne!(result.standing(), Standing::Broken, "{name}: {result:?}");
    }
    played
}

/// How many events of all episodes are so.
fn count(played: &Played, is: impl Fn(&Message) -> bool) -> usize {
    let events = played.episodes.values().flatten();
    events.filter(|event: &&Event| is(&event.message)).count()
}

/// The sum of the rewards of all goes.
fn rewards(played: &Played) -> f64 {
    let events = played.episodes.values().flatten();
    let rewards = events.filter_map(|event| match &event.message {
        Message::Scored(scored) => Some(scored.score.reward),
        _ => None,
    });
    rewards.sum()
}

#[test]
fn every_config_resolves_and_every_one_without_a_model_is_played() {
    let mut names = BTreeSet::new();
    for file in std::fs::read_dir(shipped::root().join("configs/household")).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let name = name.strip_suffix(".toml").unwrap().to_owned();
        let config = resolved(&name, &[]);
        // The log is named after it.
        assert_eq!(config.record.name, format!("household-{name}"));
        let human = |kind: &str| kind == "human";
        let mut users = config.plan.cells.iter().flat_map(|cell| &cell.users);
        if config.record.models.is_empty() && !users.any(|user| human(&user.kind)) {
            played(&name, &["tasks.limit=2"]);
        }
        names.insert(name);
    }
    assert!(names.len() >= 22, "{names:?}");
}

#[test]
fn rounds_are_refused_where_a_world_has_one_task() {
    for (name, variant) in [("react", "standard"), ("aba-ambiguous", "ambiguous"), ("aba-multi-round", "standard")] {
        let sets = ["strategy.rounds=3".to_owned(), format!("environment.variant={variant}")];
        let Err(errors) = shipped::resolved(&format!("household/{name}"), &sets) else {
            panic!("{name}: nobody minds");
        };
        let errors = errors.to_string();
        for part in ["`strategy.rounds` is 3", "environment.variant"] {
            assert!(errors.contains(part), "{name}: {errors}");
        }
    }
}

#[test]
fn an_inner_strategys_card_serves_where_reflexion_has_none() {
    for (sets, executor) in [(&[][..], "respact/executor"), (&["strategy.around=respact-im"], "respact-im/executor")] {
        let config = resolved("respact-reflexion", sets);
        let roles = &config.record.cells[0].roles;
        let cards: Vec<&str> = roles.iter().map(|role| role.persona.as_ref().map_or("", |card| &*card.name)).collect();
        assert_eq!(cards, [executor, "reflexion/reflector"]);
    }
}

#[test]
fn rounds_trials_thoughts_and_acts_are_played_as_their_configs_say() {
    let some = ["tasks.limit=6"];
    let rounds = played("aba-multi-round", &some);
    assert!(rewards(&rounds) > 6.0, "{}", rewards(&rounds));
    let kept =
        count(&rounds, |message| matches!(message, Message::Begun(begun) if begun.keep_world && begun.round > 0));
    assert!(kept >= 6, "{kept}");

    let trials = played("react-reflexion", &["tasks.limit=6", "limits.steps=12"]);
    let lessons = |message: &Message| {
        let Message::Brief(brief) = message else {
            return false;
        };
        brief.sections.iter().any(|section| section.name == "lessons")
    };
    assert!(count(&trials, lessons) > 0);

    let dense = played("respact-im", &some);
    let moves = |played: &Played, kind: &str| {
        count(played, |message| matches!(message, Message::Moved(made) if made.kind().as_str() == kind))
    };
    let others = moves(&dense, "act") + moves(&dense, "speak");
    assert!(moves(&dense, "think").abs_diff(others) <= 6);

    let guided = played("respact-schema", &some);
    let told = |message: &Message| matches!(message, Message::Told(_));
    let with_act = |message: &Message| matches!(message, Message::Told(said) if said.act.is_some());
    assert!(count(&guided, told) > 0);
    assert_eq!(count(&guided, told), count(&guided, with_act));
}

#[test]
fn trials_around_a_strategy_that_needs_a_user_need_one() {
    let around = ["strategy.around=respact"];
    let Err(errors) = shipped::resolved("household/react-reflexion", &around) else {
        panic!("there is nobody to be asked");
    };
    let text = errors.to_string();
    assert!(text.contains("`reflexion` around `respact` needs a user"), "{text}");
}
