//! Reflexion in whole episodes: trials, lessons, limits, and logs that are gone on with.

use std::collections::BTreeSet;

use crate::support::toy::cast::{can_be_interrupted, plan_of, role_called};
use crate::support::toy::{Does, ToyTasks, friend, play, role, user};
use rolecall::config::{Plan, PlannedRole, PlannedUser};
use rolecall::domain::{Brief, Ending, Event, Limit, Message, Move, MoveKind, RoleName, Scored, Seat};
use rolecall::ports::{ParameterValue, Turn};

fn reflector() -> PlannedRole {
    role_called("reflector", |turn| {
        let lesson = format!("lesson {}", turn.number);
        Move::Learn { lesson }.into()
    })
}

fn lessons(brief: &Brief) -> Vec<&str> {
    let section = brief.sections.iter().find(|section| section.name == "lessons");
    section.map_or(Vec::new(), |section| section.text.lines().collect())
}

/// The task `toy-n` takes n lessons; without them it is given up.
fn learner(turn: &Turn) -> Does {
    let task = &turn.task().unwrap().id;
    let needed: usize = task.strip_prefix("toy-").unwrap().parse().unwrap();
    if lessons(turn.brief().unwrap()).len() >= needed {
        return Move::act("win").into();
    }
    Move::Finish { answer: Box::default() }.into()
}

fn reflexion(
    around: &str,
    trials: i64,
    tasks: usize,
    executor: impl Fn(&Turn) -> Does + Send + Sync + 'static,
) -> Plan {
    let told = [("around", ParameterValue::Text(around.to_owned())), ("trials", ParameterValue::Integer(trials))];
    let users = if around == "react" { Vec::new() } else { vec![friend()] };
    let roles = vec![role(executor), reflector()];
    plan_of("reflexion", &told, ToyTasks::new(tasks), roles, users)
}

fn scored(events: &[Event]) -> Vec<&Scored> {
    let scored = events.iter().filter_map(|event| match &event.message {
        Message::Scored(scored) => Some(&**scored),
        _ => None,
    });
    scored.collect()
}

fn briefs<'a>(events: &'a [Event], role: &str) -> Vec<&'a Brief> {
    let seat = Seat::Role(RoleName::new(role).unwrap());
    let briefs = events.iter().filter_map(|event| match &event.message {
        Message::Brief(brief) if event.to == seat => Some(brief),
        _ => None,
    });
    briefs.collect()
}

#[test]
fn only_unsolved_tasks_are_played_again() {
    let played = play(reflexion("react", 4, 6, learner));
    for task in 0..6 {
        let scored = scored(played.events(task));
        // Three lessons are kept: the tasks that need more are never solved.
        let solved = task < 4;
        let trials = if solved { task + 1 } else { 4 };
        let numbers: Vec<u32> = scored.iter().map(|scored| scored.trial).collect();
        assert_eq!(numbers, (0..trials).collect::<Vec<_>>());
        assert_eq!(played.outcome(task).success, solved);
        let asked = briefs(played.events(task), "reflector").len();
        assert_eq!(asked as u32, trials - 1);
        // Every move counts in the episode, the reflector's too; the reward is the last trial's.
        let outcome = played.outcome(task);
        assert_eq!(outcome.counts.steps, 2 * trials - 1);
        assert_eq!(outcome.reward, f64::from(u8::from(solved)));
    }
}

#[test]
fn the_last_three_lessons_stand_in_later_briefs() {
    let played = play(reflexion("react", 6, 10, learner));
    let events = played.events(9);
    let shown: Vec<String> = briefs(events, "executor").into_iter().map(|brief| lessons(brief).join(", ")).collect();
    let expected = [
        "",
        "lesson 0",
        "lesson 0, lesson 1",
        "lesson 0, lesson 1, lesson 2",
        "lesson 1, lesson 2, lesson 3",
        "lesson 2, lesson 3, lesson 4",
    ];
    assert_eq!(shown, expected);
    for brief in briefs(events, "reflector") {
        assert_eq!(brief.open.iter().collect::<Vec<_>>(), [MoveKind::Learn]);
        let ending = brief.sections.last().unwrap();
        assert_eq!((&*ending.name, &*ending.text), ("ending", "gave up"));
    }
}

#[test]
fn a_trial_that_ran_out_of_steps_is_learned_from_and_the_next_one_has_all_of_them() {
    let mut plan = reflexion("respact", 3, 1, |turn| Move::act(format!("try {}", turn.number)).into());
    plan.cells[0].limits.steps = 4;
    let played = play(plan);
    let events = played.events(0);
    let limit = Limit::Steps;
    let endings: Vec<&Ending> = scored(events).iter().map(|go| &go.ending).collect();
    assert_eq!(endings, [&Ending::OutOf { limit }; 3]);
    let left: Vec<Option<u32>> = briefs(events, "executor").iter().map(|brief| brief.steps_left).collect();
    assert_eq!(left, [4, 3, 2, 1].repeat(3).into_iter().map(Some).collect::<Vec<_>>());
    let reflector = briefs(events, "reflector");
    assert_eq!(reflector.len(), 2);
    assert!(reflector.iter().all(|brief| brief.steps_left.is_none()));
    assert_eq!(played.outcome(0).counts.steps, 14);
}

#[test]
fn an_action_that_is_repeated_ends_its_trial() {
    let stubborn = |turn: &Turn| match turn.number % 4 {
        0 => Move::act("try").into(),
        1 => Move::think("Once more?").into(),
        _ => Does::from(Move::act("look")),
    };
    let played = play(reflexion("react", 2, 1, stubborn));
    let scored = scored(played.events(0));
    assert_eq!(scored.len(), 2);
    assert!(scored.iter().all(|scored| scored.ending == Ending::Failed));
    assert_eq!(played.outcome(0).counts.steps, 9);
}

/// Asks and fails now and then before it answers, and needs two lessons.
fn clumsy(turn: &Turn) -> Does {
    let brief = turn.brief().unwrap();
    match (turn.number, turn.attempt) {
        (1 | 5, 0) => Does::Panics,
        (2 | 6, 0) => Does::Fails("no idea"),
        _ if turn.number.is_multiple_of(4) => Move::speak("Where?").into(),
        _ if lessons(brief).len() == 2 => Move::act("win").into(),
        (number, _) => Move::act(format!("try {}", number % 5)).into(),
    }
}

#[test]
fn an_episode_can_be_left_at_every_position_and_comes_to_the_same() {
    let mut plan = reflexion("respact", 5, 1, clumsy);
    plan.cells[0].limits.steps = 5;
    plan.cells[0].roles[1] = role_called("reflector", |turn| match turn.attempt {
        0 => Move::think("This is not open.").into(),
        _ => {
            let lesson = format!("lesson {}", turn.seed.0 % 100);
            Move::Learn { lesson }.into()
        }
    });
    let events = can_be_interrupted(plan);
    assert_eq!(scored(&events).len(), 3);
    let faults = events.iter().filter(|event| matches!(event.message, Message::Fault(_)));
    assert_eq!(faults.count(), 6);
    let closed = &events.last().unwrap().message;
    assert!(matches!(closed, Message::Closed(outcome) if outcome.success));
}

#[test]
fn a_reflector_that_never_learns_breaks_its_own_episode_only() {
    let mut plan = reflexion("react", 5, 2, learner);
    plan.cells[0].roles[1] = role_called("reflector", |_| Does::Fails("no idea"));
    let played = play(plan);
    assert!(played.outcome(0).success);
    let by = Seat::Role(RoleName::new("reflector").unwrap());
    assert_eq!(played.outcome(1).ending, Ending::Broken { by });
}

/// Asks once in each trial, and gives up.
fn asks_first(turn: &Turn) -> Does {
    if turn.number.is_multiple_of(2) {
        return Move::speak("Where?").into();
    }
    Move::Finish { answer: Box::default() }.into()
}

#[test]
fn one_of_several_users_is_drawn_for_all_trials_of_an_episode() {
    let mut plan = reflexion("respact", 3, 12, asks_first);
    plan.cells[0].users = ["one", "other"]
        .into_iter()
        .map(|kind| PlannedUser { kind: kind.to_owned(), ..user(move |_| Move::speak(kind).into()) })
        .collect();
    let played = play(plan);
    let mut drawn = BTreeSet::new();
    for task in 0..12 {
        let replies: Vec<&str> = played
            .events(task)
            .iter()
            .filter_map(|event| match &event.message {
                Message::Replied(reply) => Some(&*reply.text),
                _ => None,
            })
            .collect();
        assert_eq!(replies, [replies[0]; 3]);
        drawn.insert(replies[0].to_owned());
    }
    assert_eq!(drawn.len(), 2);
}
