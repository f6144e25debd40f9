//! The relay over built-in games, through the public API.

use std::collections::BTreeMap;

use crate::support::shipped;
use crate::support::toy::{self, Does, Played, play, redriven};
use rolecall::config::{Plan, PlannedRole, Request, load};
use rolecall::domain::{Ending, Event, Limit, Message, Move, MoveKind, RoleName, Seat};
use rolecall::ports::{ParameterValue, Parameters, Turn};

const FOUR: [&str; 4] = ["thinker", "clarifier", "planner", "executor"];

/// A shipped config with settings, over a few games.
fn resolved(config: &str, sets: &[&str]) -> Plan {
    let few = ["tasks.limit=24"];
    let few = few.iter().filter(|_| !sets.iter().any(|set| set.starts_with("tasks.limit")));
    let sets: Vec<&str> = few.chain(sets).copied().collect();
    shipped::plan(&format!("household/{config}"), &sets)
}

/// The shipped relay with settings.
fn relay(sets: &[&str]) -> Plan {
    resolved("relay", sets)
}

fn order(roles: &[&str]) -> String {
    format!("strategy.order={roles:?}")
}

fn solved(played: &Played) -> usize {
    let results = played.launched.results.iter();
    results.filter(|result| result.success).count()
}

fn mean_steps(played: &Played) -> f64 {
    let results = &played.launched.results;
    let steps: u32 = results.iter().map(|result| result.counts.steps).sum();
    f64::from(steps) / results.len() as f64
}

fn questions(played: &Played) -> u32 {
    let results = played.launched.results.iter();
    results.map(|result| result.counts.questions).sum()
}

fn faults(played: &Played) -> u32 {
    let results = played.launched.results.iter();
    results.map(|result| result.counts.faults).sum()
}

/// The roles that were briefed, with the kinds of move that each answered with.
fn turns(events: &[Event]) -> Vec<(String, Vec<MoveKind>)> {
    let mut turns: Vec<(String, Vec<MoveKind>)> = Vec::new();
    for event in events {
        match (&event.message, &event.to) {
            (Message::Brief(_), Seat::Role(role)) => turns.push((role.to_string(), Vec::new())),
            (Message::Moved(made), _) => turns.last_mut().unwrap().1.push(made.kind()),
            _ => {}
        }
    }
    turns
}

#[test]
fn all_four_take_their_turns_in_order_and_solve_the_games() {
    let played = play(relay(&[]));
    assert_eq!(faults(&played), 0);
    for events in played.episodes.values() {
        let mut place = 0;
        let mut kinds = Vec::new();
        for (role, moved) in turns(events) {
            // Whoever acts may keep the turn; everybody else hands it on.
            let kept = kinds == [MoveKind::Act] && role == "executor";
            if !kept {
                assert_eq!(role, FOUR[place % 4]);
                place += 1;
            }
            kinds = moved;
        }
        assert!(place >= 4, "{events:#?}");
    }
    let respact = play(resolved("respact", &[]));
    let all = played.launched.results.len();
    assert!(solved(&played) * 100 >= 95 * all);
    assert!(solved(&played) * 100 + 5 * all >= solved(&respact) * 100);
    assert!(mean_steps(&played) < 2.0 * mean_steps(&respact), "the others' words cost less than as many steps again");
}

#[test]
fn clarifying_saves_steps_and_only_the_clarifier_asks() {
    let with = play(relay(&[]));
    let without = play(relay(&[&order(&["thinker", "planner", "executor"])]));
    assert!(questions(&with) > 0);
    assert_eq!(questions(&without), 0);
    assert!(mean_steps(&with) < mean_steps(&without));
    for (id, events) in &with.episodes {
        for event in events {
            if let Message::Moved(Move::Speak { .. }) = event.message {
                assert_eq!(event.from.to_string(), "clarifier", "{id}");
            }
        }
        // Each question follows a judgement in the same answer.
        for (role, kinds) in turns(events) {
            let asks = [MoveKind::Judge, MoveKind::Speak];
            assert!(role != "clarifier" || asks.starts_with(&kinds), "{kinds:?}");
        }
    }
    let nobody = play(resolved_without_user());
    assert_eq!((questions(&nobody), faults(&nobody)), (0, 0));
}

/// The relay over a few games without anybody to ask.
fn resolved_without_user() -> Plan {
    let folder = tempfile::tempdir().unwrap();
    let shipped = shipped::root().join("configs/household/relay.toml");
    let text = std::fs::read_to_string(shipped).unwrap();
    let lonely = text.replace("[user]\nkind = \"helpful\"\n", "");
    assert_ne!(text, lonely);
    let file = folder.path().join("relay.toml");
    std::fs::write(&file, lonely).unwrap();
    let request = Request {
        file,
        sets: vec!["tasks.limit=6".to_owned()],
        working: folder.path().to_owned(),
        ..Request::default()
    };
    let resolved = load(&request, rolecall::worlds());
    resolved.unwrap_or_else(|errors| panic!("{errors}")).plan
}

#[test]
fn roles_are_taken_out_and_swapped_by_one_line() {
    for out in ["thinker", "clarifier", "planner"] {
        let rest: Vec<&str> = FOUR.into_iter().filter(|role| *role != out).collect();
        let played = play(relay(&[&order(&rest)]));
        assert_eq!(faults(&played), 0, "without {out}");
        let all = played.launched.results.len();
        assert!(solved(&played) * 100 >= 90 * all, "without {out}");
    }
    let eager = play(relay(&["roles.clarifier.implementation=eager", "user.kind=unhelpful"]));
    let usual = play(relay(&["user.kind=unhelpful"]));
    assert_eq!(faults(&eager), 0);
    assert!(questions(&eager) > questions(&usual));
}

/// A file of answers for a scripted role, the same in every turn.
fn script(folder: &std::path::Path, answer: &str) -> String {
    let file = folder.join("script.jsonl");
    let line = format!("{{\"moves\":[{answer}]}}\n");
    std::fs::write(&file, line.repeat(200)).unwrap();
    file.display().to_string()
}

#[test]
fn a_scripted_role_takes_any_seat() {
    let folder = tempfile::tempdir().unwrap();
    let planned = r#"{"kind":"plan","steps":[{"action":{"text":"look"}},{"action":{"text":"inventory"}}]}"#;
    for (role, answer) in [
        ("thinker", r#"{"kind":"think","text":"Hm."}"#),
        ("clarifier", r#"{"kind":"judge","clarify":false}"#),
        ("planner", planned),
        ("executor", r#"{"kind":"act","action":{"text":"look"}}"#),
    ] {
        let swap =
            format!("roles.{role}={{ implementation = \"scripted\", file = {:?} }}", script(folder.path(), answer));
        let played = play(relay(&[&swap, "tasks.limit=3", "limits.steps=20"]));
        assert_eq!(faults(&played), 0, "{role}");
        let events = played.episodes.values().next().unwrap();
        let performed = |text: &str| {
            let mut events = events.iter();
            events.any(|event| matches!(&event.message, Message::Perform(action) if action.text == text))
        };
        assert_eq!(performed("look"), ["planner", "executor"].contains(&role), "{role}");
        assert_eq!(performed("inventory"), role == "planner", "{role}");
    }
}

#[test]
fn the_same_bytes_for_any_arbiters_and_concurrency_and_for_a_second_play() {
    let play_on = |arbiters, concurrency| {
        let mut plan = resolved("relay-compare", &["tasks.limit=4"]);
        (plan.run.arbiters, plan.run.concurrency) = (arbiters, concurrency);
        play(plan).episodes
    };
    let one = play_on(1, 1);
    assert_eq!(one.len(), 28);
    assert!(one == play_on(3, 100));
    redriven(&resolved("relay-compare", &["tasks.limit=4"]), &one);
}

#[test]
fn a_thinker_who_hides_its_thoughts_leaves_the_others_to_themselves() {
    let played = play(relay(&["roles.thinker.hide_thoughts=true"]));
    assert_eq!(faults(&played), 0);
    let all = played.launched.results.len();
    assert!(solved(&played) * 100 >= 95 * all);
    let plan = relay(&["roles.thinker.hide_thoughts=true", "tasks.limit=3"]);
    redriven(&plan, &play(plan.clone()).episodes);
}

#[test]
fn step_limits_are_hit_exactly_wherever_they_fall_in_a_lap() {
    for most in 1..10 {
        let limit = format!("limits.steps={most}");
        let played = play(relay(&[&limit, "user.kind=unhelpful", "tasks.limit=3"]));
        for result in &played.launched.results {
            let out = Ending::OutOf { limit: Limit::Steps };
            assert_eq!(result.ending, Some(out), "{most}");
            assert_eq!(result.counts.steps, most);
        }
    }
    // The second step would have been the question of the clarifier's first answer.
    let eager = "roles.clarifier.implementation=eager";
    let played = play(relay(&["limits.steps=2", "tasks.limit=1", eager]));
    let events = played.episodes.values().next().unwrap();
    let cut = |event: &Event| matches!(&event.message, Message::Repaired(mend) if mend.code == "moves_beyond_steps");
    assert!(events.iter().any(cut));
    assert_eq!(questions(&played), 0);
}

#[test]
fn question_limits_hold_exactly() {
    let eager = "roles.clarifier.implementation=eager";
    for most in [0, 1, 3] {
        let limit = format!("limits.questions={most}");
        let played = play(relay(&[&limit, eager, "user.kind=unhelpful"]));
        assert_eq!(faults(&played), 0);
        let asked = played.launched.results.iter();
        let asked: Vec<u32> = asked.map(|result| result.counts.questions).collect();
        assert_eq!(asked.iter().max(), Some(&most));
    }
}

/// What a toy of the relay does in its first lap before it gives way to the others.
fn toy(name: &'static str, fails: &'static str, attempts: u32, how: fn() -> Does) -> PlannedRole {
    let behaviour = move |turn: &Turn| {
        if name == fails && turn.number == 1 && turn.attempt < attempts {
            return how();
        }
        match name {
            "thinker" => Move::think("On and on.").into(),
            "clarifier" => Move::speak("May I?").into(),
            "planner" => Move::Plan { steps: Vec::new() }.into(),
            _ if turn.number < 2 => Move::act("try").into(),
            _ => Move::act("win").into(),
        }
    };
    PlannedRole { role: RoleName::new(name).unwrap(), ..toy::role(behaviour) }
}

fn toys(fails: &'static str, attempts: u32, how: fn() -> Does) -> Plan {
    let names = FOUR.map(|name| RoleName::new(name).unwrap());
    let order = BTreeMap::from([("order", ParameterValue::Roles(names.to_vec()))]);
    let strategy = rolecall::strategies::relay(&names, &Parameters::new(order)).unwrap();
    let tasks = toy::ToyTasks::new(2);
    let mut plan = toy::plan(tasks, toy::winner(), toy::friend());
    plan.cells[0].strategy = strategy;
    plan.cells[0].roles = FOUR.map(|name| toy(name, fails, attempts, how)).into();
    toy::impatient(plan)
}

#[test]
fn whoever_fails_in_mid_lap_is_tried_again_and_else_breaks_the_episode() {
    let failures: [fn() -> Does; 3] = [|| Does::Panics, || Does::Never, || Does::Fails("no")];
    for role in FOUR {
        for how in failures {
            let twice = play(toys(role, 2, how));
            let always = play(toys(role, u32::MAX, how));
            for task in 0..2 {
                assert_eq!(twice.outcome(task).ending, Ending::Solved, "{role}");
                let by = Seat::Role(RoleName::new(role).unwrap());
                assert_eq!(always.outcome(task).ending, Ending::Broken { by });
                // A turn that was tried again is the same turn: nobody is passed over.
                let turns = turns(twice.events(task));
                let order: Vec<&str> = turns.iter().map(|(role, _)| role.as_str()).collect();
                let mut laps = order.clone();
                laps.dedup();
                assert_eq!(laps, FOUR.repeat(3), "{order:?}");
            }
        }
    }
}
