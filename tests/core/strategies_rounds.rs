//! The strategies of the turn loop in whole episodes: rounds, dense thought, declared speech.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::support::toy::cast::{can_be_interrupted, plan_of};
use crate::support::toy::{self, Does, ToyTasks, friend, play, role, user};
use async_trait::async_trait;
use rolecall::config::{Plan, PlannedRole, PlannedUser};
use rolecall::domain::{
    Action, Begun, DialogueAct, Ending, Event, Limit, Message, Move, MoveKind, Observation, Score, Seat,
};
use rolecall::ports::{Environment, EnvironmentError, ParameterValue, Turn};

/// A world with several tasks one after the other: `win` solves the one that is to be done. What was
/// done stays done.
#[derive(Default)]
struct Rounds {
    /// How many tasks there are.
    tasks: u32,
    deeds: u32,
    round: u32,
    won: bool,
    /// The first world that is made panics at this deed.
    fragile: Option<(u32, Arc<AtomicBool>)>,
}

#[async_trait]
impl Environment for Rounds {
    async fn begin(&mut self, begun: &Begun) -> Result<Observation, EnvironmentError> {
        if !begun.keep_world {
            self.deeds = 0;
        }
        (self.round, self.won) = (begun.round, false);
        let done = begun.round >= self.tasks;
        Ok(Observation { done, ..Observation::text(format!("task {} after {} deeds", begun.round, self.deeds)) })
    }

    async fn perform(&mut self, action: &Action) -> Result<Observation, EnvironmentError> {
        self.deeds += 1;
        if let Some((deed, broke)) = &self.fragile
            && *deed == self.deeds
        {
            assert!(broke.swap(true, Ordering::Relaxed), "the first world is fragile");
        }
        self.won = action.text == "win";
        Ok(Observation { done: self.won, ..Observation::text(format!("deed {}", self.deeds)) })
    }

    async fn assess(&mut self) -> Result<Score, EnvironmentError> {
        Ok(Score::all_or_nothing(self.won))
    }
}

fn rounds(tasks: u32, fragile: Option<u32>) -> ToyTasks {
    let broke = Arc::new(AtomicBool::new(false));
    let mut toys = ToyTasks::new(1);
    toys.world = Arc::new(move || {
        Box::new(Rounds { tasks, fragile: fragile.map(|deed| (deed, Arc::clone(&broke))), ..Rounds::default() })
    });
    toys
}

/// Looks and wins in turn.
fn every_second() -> PlannedRole {
    role(|turn| Move::act(["look", "win"][turn.number as usize % 2]).into())
}

fn react(told: i64, tasks: ToyTasks, steps: u32) -> Plan {
    let told = [("rounds", ParameterValue::Integer(told))];
    let mut plan = plan_of("react", &told, tasks, vec![every_second()], Vec::new());
    plan.cells[0].limits.steps = steps;
    plan
}

fn texts(events: &[Event]) -> Vec<&str> {
    let texts = events.iter().filter_map(|event| match &event.message {
        Message::Observed(seen) => Some(&*seen.text),
        _ => None,
    });
    texts.collect()
}

fn begun(events: &[Event]) -> Vec<(u32, u32, bool)> {
    let begun = events.iter().filter_map(|event| match &event.message {
        Message::Begun(begun) => Some((begun.trial, begun.round, begun.keep_world)),
        _ => None,
    });
    begun.collect()
}

fn faults(events: &[Event], by: &Seat) -> usize {
    let of = |event: &&Event| matches!(&event.message, Message::Fault(fault) if fault.seat == *by);
    events.iter().filter(of).count()
}

#[test]
fn rounds_go_on_in_the_kept_world_share_the_steps_and_their_rewards_add_up() {
    let played = play(react(50, rounds(50, None), 7));
    let events = played.events(0);
    let expected: Vec<(u32, u32, bool)> = (0..4).map(|round| (0, round, round > 0)).collect();
    assert_eq!(begun(events), expected);
    assert_eq!(texts(events)[3..6], ["task 1 after 2 deeds", "deed 3", "deed 4"]);
    let outcome = played.outcome(0);
    let limit = Limit::Steps;
    assert_eq!(outcome.ending, Ending::OutOf { limit });
    assert_eq!((outcome.reward, outcome.counts.steps), (3.0, 7));
}

#[test]
fn rounds_end_when_all_are_played_or_the_world_has_no_further_task() {
    let all = play(react(2, rounds(50, None), 20));
    assert_eq!(begun(all.events(0)).len(), 2);
    assert_eq!((all.outcome(0).success, all.outcome(0).reward), (true, 2.0));
    let no_more = play(react(50, rounds(3, None), 20));
    assert_eq!(begun(no_more.events(0)).len(), 4);
    assert_eq!(no_more.outcome(0).reward, 3.0);
    assert_eq!(no_more.outcome(0).ending, Ending::Failed);
}

#[test]
fn a_world_that_fails_in_a_later_round_is_rebuilt_and_the_episode_can_be_left_anywhere() {
    let events = can_be_interrupted(react(3, rounds(9, None), 20));
    let fragile = play(react(3, rounds(9, Some(5)), 20));
    assert_eq!(faults(fragile.events(0), &Seat::Environment), 1);
    assert_eq!(texts(fragile.events(0)), texts(&events));
    assert_eq!(fragile.outcome(0).reward, 3.0);
}

/// Whatever is open, by turn: thoughts where there must be one, then a question, then deeds.
fn dense(turn: &Turn) -> Does {
    let brief = turn.brief().unwrap();
    match turn.number {
        // It would rather act at once, until it is told that it may not.
        0 if turn.attempt == 0 => Move::act("win").into(),
        _ if brief.open.contains(MoveKind::Think) => Move::think("hm").into(),
        1 => Move::speak("Where?").into(),
        number if number < 6 => Move::act("look").into(),
        _ => Move::act("win").into(),
    }
}

#[test]
fn with_dense_thought_every_second_move_is_a_thought() {
    let mut plan = plan_of("respact-im", &[], ToyTasks::new(1), vec![role(dense)], vec![friend()]);
    plan.cells[0].limits.steps = 20;
    let events = can_be_interrupted(plan);
    let kinds: Vec<&str> = events
        .iter()
        .filter_map(|event| match &event.message {
            Message::Moved(made) => Some(made.kind().as_str()),
            _ => None,
        })
        .collect();
    let expected = ["think", "speak", "think", "act", "think", "act", "think", "act"];
    assert_eq!(kinds, expected);
    let executor = Seat::Role(toy::executor());
    assert_eq!(faults(&events, &executor), 1, "acting was not open at first");
}

/// Speaks in its first turn, with these acts attempt by attempt.
fn speaker(acts: &'static [Option<&'static str>]) -> PlannedRole {
    role(move |turn| match turn.number {
        0 => {
            let act = acts.get(turn.attempt as usize).copied().flatten();
            let act = act.map(|act| DialogueAct(act.to_owned()));
            let text = "Where is it?".to_owned();
            Move::Speak { text, act }.into()
        }
        _ => Move::act("win").into(),
    })
}

#[test]
fn speech_without_a_dialogue_act_is_asked_for_again_and_costs_its_episode_at_most() {
    let schema = |acts| {
        let roles = vec![speaker(acts)];
        play(plan_of("respact-schema", &[], ToyTasks::new(3), roles, vec![friend()]))
    };
    let executor = Seat::Role(toy::executor());
    let mended = schema(&[None, Some("Agree"), Some("ReqForObjLocAndOD")]);
    for task in 0..3 {
        let events = mended.events(task);
        assert_eq!(faults(events, &executor), 2);
        let told: Vec<Option<&str>> = events
            .iter()
            .filter_map(|event| match &event.message {
                Message::Told(said) => Some(said.act.as_ref().map(DialogueAct::as_str)),
                _ => None,
            })
            .collect();
        assert_eq!(told, [Some("ReqForObjLocAndOD")]);
        assert_eq!(mended.outcome(task).ending, Ending::Solved);
    }
    let never = schema(&[]);
    for task in 0..3 {
        assert_eq!(never.outcome(task).ending, Ending::Unusable);
        assert_eq!(faults(never.events(task), &executor), 3);
    }
}

#[test]
fn no_act_is_wanted_any_more_when_all_questions_were_asked() {
    let roles = vec![speaker(&[Some("Affirm")])];
    let mut plan = plan_of("respact-schema", &[], ToyTasks::new(1), roles, vec![friend()]);
    plan.cells[0].limits.questions = Some(1);
    let played = play(plan);
    let wanted: Vec<usize> = played
        .events(0)
        .iter()
        .filter_map(|event| match &event.message {
            Message::Brief(brief) => Some(brief.acts.len()),
            _ => None,
        })
        .collect();
    assert_eq!(wanted, [10, 0]);
}

/// A user of another kind, which says its name.
fn named(kind: &'static str) -> PlannedUser {
    PlannedUser { kind: kind.to_owned(), ..user(move |_| Move::speak(kind).into()) }
}

#[test]
fn users_can_be_mixed_with_every_strategy_that_has_one() {
    for strategy in ["respact", "respact-im", "respact-schema", "aba"] {
        let asks = role(|turn: &Turn| {
            let brief = turn.brief().unwrap();
            let asked = turn.number > 1;
            match () {
                () if !brief.open.contains(MoveKind::Act) => Move::think("hm").into(),
                () if asked => Move::act("win").into(),
                () => {
                    let (text, act) = ("Where?".to_owned(), brief.acts.first().cloned());
                    Move::Speak { text, act }.into()
                }
            }
        });
        let users = vec![named("one"), named("other")];
        let played = play(plan_of(strategy, &[], ToyTasks::new(12), vec![asks], users));
        let mut seen = BTreeSet::new();
        for task in 0..12 {
            let events = played.events(task);
            let Message::Opened(opened) = &events[0].message else {
                panic!("{:?}", events[0]);
            };
            let kind = opened.user.clone().unwrap();
            let replies = events.iter().filter_map(|event| match &event.message {
                Message::Replied(reply) => Some(reply.text.clone()),
                _ => None,
            });
            assert_eq!(replies.collect::<BTreeSet<_>>(), BTreeSet::from([kind.clone()]));
            assert!(played.outcome(task).success);
            seen.insert(kind);
        }
        assert_eq!(seen.len(), 2, "{strategy}");
    }
}
