//! What happens when participants misbehave: a typed fault in that episode, and nothing else.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::support::toy::{
    self, Does, Played, ToyTasks, ToyWorld, executor, friend, impatient, plan, play, role, user, winner,
};
use rolecall::domain::{Answer, Ending, Event, Fault, FaultKind, Message, Move, Seat};
use rolecall::ports::{Directive, Environment, Strategy, StrategyError};

fn faults(events: &[Event]) -> Vec<&Fault> {
    let faults = events.iter().filter_map(|event| match &event.message {
        Message::Fault(fault) => Some(fault),
        _ => None,
    });
    faults.collect()
}

/// A role that misbehaves in the task 3 of 6 and wins the others.
fn bad_in_one(bad: impl Fn() -> Does + Send + Sync + 'static) -> Played {
    play(impatient(plan(
        ToyTasks::new(6),
        role(move |turn| if turn.episode.task == 3 { bad() } else { Move::act("win").into() }),
        friend(),
    )))
}

fn only_task_three_is_broken(played: &Played, by: &Seat, kind: FaultKind) {
    only_task_three_ends(played, &Ending::Broken { by: by.clone() }, by, kind);
}

fn only_task_three_ends(played: &Played, ending: &Ending, by: &Seat, kind: FaultKind) {
    for task in [0, 1, 2, 4, 5] {
        assert_eq!(played.outcome(task).ending, Ending::Solved, "task {task}");
    }
    let outcome = played.outcome(3);
    assert_eq!(outcome.ending, *ending);
    assert!(!outcome.success);
    let faults = faults(played.events(3));
    assert_eq!(faults.len(), 3, "three attempts");
    assert!(faults.iter().all(|fault| fault.kind == kind && fault.seat == *by), "{faults:?}");
    assert_eq!(played.live_at_the_end, 0);
}

#[test]
fn a_role_may_panic_hang_or_fail() {
    let by = Seat::Role(executor());
    for (kind, bad) in [
        (FaultKind::Panic, (|| Does::Panics) as fn() -> Does),
        (FaultKind::Deadline, || Does::Never),
        (FaultKind::Error, || Does::Fails("no idea")),
    ] {
        only_task_three_is_broken(&bad_in_one(bad), &by, kind);
    }
}

#[test]
fn a_role_that_only_answers_nonsense_has_failed_and_its_episode_counts() {
    let by = Seat::Role(executor());
    let deep = (0..200).fold(serde_json::Value::Null, |inner, _| serde_json::json!([inner]));
    let cases: Vec<(FaultKind, Box<dyn Fn() -> Does + Send + Sync>)> = vec![
        (FaultKind::Unusable, Box::new(|| Does::Answers(Answer::default()))),
        (FaultKind::Unusable, Box::new(|| Move::Judge { clarify: true, reason: None }.into())),
        (FaultKind::Unusable, Box::new(move || Move::Finish { answer: Box::new(deep.clone()) }.into())),
        (FaultKind::TooLarge, Box::new(|| Move::think("x".repeat(1_000_000)).into())),
    ];
    for (kind, bad) in cases {
        let played = bad_in_one(bad);
        only_task_three_ends(&played, &Ending::Unusable, &by, kind);
        let scored = |event: &&Event| matches!(event.message, Message::Scored(_));
        assert_eq!(played.events(3).iter().filter(scored).count(), 1, "{kind:?}");
    }
}

#[test]
fn a_user_may_panic_hang_or_fail() {
    for (kind, bad) in [
        (FaultKind::Panic, (|| Does::Panics) as fn() -> Does),
        (FaultKind::Deadline, || Does::Never),
        (FaultKind::Error, || Does::Fails("no idea")),
        (FaultKind::TooLarge, || Move::speak("x".repeat(1_000_000)).into()),
    ] {
        let user = user(move |turn| if turn.episode.task == 3 { bad() } else { Move::speak("Go on.").into() });
        let played = play(impatient(plan(ToyTasks::new(6), winner(), user)));
        only_task_three_is_broken(&played, &Seat::User, kind);
    }
}

#[test]
fn a_world_may_panic_hang_fail_or_flood() {
    for (kind, word) in [
        (FaultKind::Panic, "panic"),
        (FaultKind::Deadline, "hang"),
        (FaultKind::Error, "error"),
        (FaultKind::TooLarge, "big"),
    ] {
        let played = bad_in_one(move || Move::act(word).into());
        only_task_three_is_broken(&played, &Seat::Environment, kind);
    }
}

#[test]
fn a_task_that_cannot_be_opened_breaks_its_episode_only() {
    let tasks = ToyTasks { broken: Some(3), ..ToyTasks::new(6) };
    let played = play(plan(tasks, winner(), friend()));
    assert_eq!(played.outcome(3).ending, Ending::Broken { by: Seat::Environment });
    assert!(faults(played.events(3))[0].message.contains("line 3"));
    assert_eq!(played.outcome(2).ending, Ending::Solved);
}

#[test]
fn a_task_whose_data_cannot_be_read_back_breaks_its_episode_only() {
    let tasks = ToyTasks { deep: Some(3), ..ToyTasks::new(6) };
    let played = play(plan(tasks, winner(), friend()));
    assert!(faults(played.events(3))[0].message.contains("nested deeper"));
    assert_eq!(played.outcome(2).ending, Ending::Solved);
}

struct BadMetric;

impl rolecall::ports::Metric for BadMetric {
    fn name(&self) -> &'static str {
        "bad"
    }

    fn measure(&self, _: &rolecall::ports::EpisodeLog<'_>) -> rolecall::ports::Measurement {
        panic!("the toy metric panics")
    }
}

#[test]
fn a_metric_that_panics_costs_its_figures_only() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(ToyTasks::new(3), winner(), friend());
    let path = folder.path().join("run");
    let launched = toy::launch(&path, plan, vec![&BadMetric]).unwrap();
    assert_eq!(launched.results.len(), 3);
    assert!(launched.results.iter().all(|result| result.success));
}

#[test]
fn a_role_that_recovers_is_told_what_was_wrong() {
    let recovering = role(|turn| {
        if turn.attempt == 0 && turn.number == 1 {
            return Move::speak("x".repeat(1 << 20)).into();
        }
        if turn.number == 2 && turn.attempt == 0 {
            return Does::Panics;
        }
        let notice = turn.brief().unwrap().notice.clone();
        match (turn.number, turn.attempt) {
            (1, 1) => assert!(notice.unwrap().contains("bytes"), "what was wrong"),
            // A role cannot mend what was no answer.
            (2, 1) => assert_eq!(notice.as_deref(), Some("OK.")),
            _ => {}
        }
        if turn.number < 3 { Move::think("hm").into() } else { Move::act("win").into() }
    });
    let played = play(plan(ToyTasks::new(1), recovering, friend()));
    assert_eq!(played.outcome(0).ending, Ending::Solved);
    assert_eq!(played.outcome(0).counts.faults, 2);
}

/// A world whose first life ends in a panic at the second action.
fn mortal(salt: bool) -> ToyTasks {
    let lives = Arc::new(AtomicU32::new(0));
    let mut tasks = ToyTasks::new(1);
    tasks.world = Arc::new(move || {
        let life = lives.fetch_add(1, Ordering::Relaxed);
        let world = ToyWorld::new(if salt { life } else { 0 });
        Box::new(Mortal { world, first: life == 0, actions: 0 }) as Box<dyn Environment>
    });
    tasks
}

struct Mortal {
    world: ToyWorld,
    first: bool,
    actions: u32,
}

#[async_trait::async_trait]
impl Environment for Mortal {
    async fn begin(
        &mut self,
        begun: &rolecall::domain::Begun,
    ) -> Result<rolecall::domain::Observation, rolecall::ports::EnvironmentError> {
        self.world.begin(begun).await
    }

    async fn perform(
        &mut self,
        action: &rolecall::domain::Action,
    ) -> Result<rolecall::domain::Observation, rolecall::ports::EnvironmentError> {
        self.actions += 1;
        assert!(!(self.first && self.actions == 2), "the first world ends");
        self.world.perform(action).await
    }

    async fn assess(&mut self) -> Result<rolecall::domain::Score, rolecall::ports::EnvironmentError> {
        self.world.assess().await
    }
}

#[test]
fn a_world_is_rebuilt_by_performing_again_what_was_performed() {
    let played = play(plan(mortal(false), winner(), friend()));
    assert_eq!(played.outcome(0).ending, Ending::Solved);
    assert_eq!(faults(played.events(0)).len(), 1);
    let last = played.events(0).iter().rev().find_map(|event| match &event.message {
        Message::Observed(observation) => Some(observation.text.as_str()),
        _ => None,
    });
    assert_eq!(last, Some("4: win"), "the rebuilt world goes on counting");
}

#[test]
fn a_world_that_cannot_be_rebuilt_breaks_the_episode() {
    let played = play(plan(mortal(true), winner(), friend()));
    assert_eq!(played.outcome(0).ending, Ending::Broken { by: Seat::Environment });
    let last = faults(played.events(0)).last().unwrap().message.clone();
    assert!(last.contains("rebuilt world"), "{last}");
}

struct BadStrategy(&'static str);

impl Strategy for BadStrategy {
    fn apply(&mut self, event: &Event) {
        assert!(self.0 != "apply" || event.seq < 2, "the toy strategy panics");
    }

    fn next(&self) -> Result<Directive, StrategyError> {
        match self.0 {
            "error" => Err(StrategyError::OutOfOrder("lost".to_owned())),
            "stranger" => {
                let stranger = rolecall::domain::RoleName::new("stranger").unwrap();
                Ok(Directive::Brief(stranger, rolecall::domain::Brief::default()))
            }
            "loop" => Ok(Directive::Begin { trial: 0, round: 0, keep_world: true }),
            other => panic!("the toy strategy panics in {other}"),
        }
    }
}

#[test]
fn a_strategy_that_misbehaves_ends_its_episodes_and_not_the_run() {
    for what in ["apply", "next", "error", "stranger", "loop"] {
        let mut plan = plan(ToyTasks::new(2), winner(), friend());
        plan.cells[0].strategy = Arc::new(move || Box::new(BadStrategy(what)));
        let played = play(plan);
        for task in 0..2 {
            let ending = &played.outcome(task).ending;
            assert_eq!(*ending, Ending::Broken { by: Seat::Conductor }, "{what}");
        }
    }
}

/// Panics when it sees the first move.
struct Squeamish(Box<dyn Strategy>);

impl Strategy for Squeamish {
    fn apply(&mut self, event: &Event) {
        assert!(!matches!(event.message, Message::Moved(_)), "a move!");
        self.0.apply(event);
    }

    fn next(&self) -> Result<Directive, StrategyError> {
        self.0.next()
    }
}

#[test]
fn a_strategy_that_panics_at_an_event_leaves_that_event_in_the_log() {
    let mut plan = plan(ToyTasks::new(1), winner(), friend());
    let inner = plan.cells[0].strategy.clone();
    plan.cells[0].strategy = Arc::new(move || Box::new(Squeamish(inner())));
    let played = play(plan);
    let moved = |event: &&Event| matches!(event.message, Message::Moved(_));
    assert_eq!(played.events(0).iter().filter(moved).count(), 1);
    assert_eq!(played.outcome(0).counts.steps, 1);
    let ending = &played.outcome(0).ending;
    assert_eq!(*ending, Ending::Broken { by: Seat::Conductor });
}

#[test]
fn a_strategy_that_cannot_be_made_ends_the_run_with_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let mut plan = plan(ToyTasks::new(3), winner(), friend());
    plan.cells[0].strategy = Arc::new(|| panic!("no strategy"));
    let path = folder.path().join("run");
    let launched = toy::launch(&path, plan, Vec::new());
    assert!(launched.unwrap_err().to_string().contains("panicked"));
}

#[test]
fn an_episode_may_run_out_of_wall_time() {
    let mut plan = plan(ToyTasks::new(1), role(|_| Does::Never), friend());
    plan.cells[0].limits.turn = std::time::Duration::from_secs(60);
    plan.cells[0].limits.episode = Some(std::time::Duration::from_millis(50));
    let played = play(plan);
    assert_eq!(played.outcome(0).ending.label(), "out of time");
}

#[test]
fn unwinding_is_on_because_panics_are_caught() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let manifest: toml::Table = std::fs::read_to_string(manifest).unwrap().parse().unwrap();
    let profiles = manifest["profile"].as_table().unwrap();
    for (name, profile) in profiles {
        let panic = profile.get("panic").and_then(toml::Value::as_str);
        assert_ne!(panic, Some("abort"), "profile `{name}`");
    }
    assert_eq!(profiles["release"]["panic"].as_str(), Some("unwind"));
}
