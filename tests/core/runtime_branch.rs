//! Going on from any place of an episode, and playing episodes with faults again.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::support::toy::{Does, ToyTasks, ToyWorld, friend, plan, role, user, winner};
use async_trait::async_trait;
use rolecall::config::Plan;
use rolecall::domain::{Action, Begun, EpisodeId, Event, Message, Move, Observation, Score, Seat, Seed, Steering};
use rolecall::log::{LogWriter, RunLog};
use rolecall::ports::{Environment, EnvironmentError};
use rolecall::runtime::{Launch, Replay, ResumeState, ResumeStateError, misfit, replay_run};

/// A world that panics at `try 2` if it is the first one that is made for its task.
struct Fragile {
    world: ToyWorld,
    first: bool,
}

#[async_trait]
impl Environment for Fragile {
    async fn begin(&mut self, begun: &Begun) -> Result<Observation, EnvironmentError> {
        self.world.begin(begun).await
    }

    async fn perform(&mut self, action: &Action) -> Result<Observation, EnvironmentError> {
        assert!(!self.first || action.text != "try 2", "the first world is fragile");
        self.world.perform(action).await
    }

    async fn assess(&mut self) -> Result<Score, EnvironmentError> {
        self.world.assess().await
    }
}

/// One task; its role and its user fail now and then before they answer, as does the first world.
fn clumsy() -> Plan {
    let role = role(|turn| match (turn.number, turn.attempt) {
        (1, 0) => Does::Fails("no idea"),
        (3, 0) => Does::Panics,
        (3, 1) => Does::Answers(rolecall::domain::Answer::default()),
        (0, _) => Move::think("I should ask.").into(),
        (1 | 4, _) => Move::speak("What shall I do?").into(),
        (number @ 2..=6, _) => Move::act(format!("try {number}")).into(),
        _ => Move::act("win").into(),
    });
    let user = user(|turn| match (turn.number, turn.attempt) {
        (1, 0) => Does::Fails("no words"),
        _ => Move::speak(format!("Go on, {}.", turn.seed.0 % 100)).into(),
    });
    let made = AtomicU32::new(0);
    let mut tasks = ToyTasks::new(1);
    tasks.world = Arc::new(move || {
        let first = made.fetch_add(1, Ordering::Relaxed) == 0;
        let world = ToyWorld::new(0);
        Box::new(Fragile { world, first })
    });
    plan(tasks, role, user)
}

fn write(folder: &Path, plan: &Arc<Plan>, resume_state: ResumeState) -> RunLog {
    let writer = LogWriter::create(folder, &plan.record, &plan.run.log).unwrap();
    let mut launch = Launch::new(Arc::clone(plan), &writer, Vec::new());
    launch.resume_state = resume_state;
    launch.run(&mut ()).unwrap();
    writer.close().unwrap();
    RunLog::open(folder).unwrap()
}

fn only(run: &RunLog) -> (EpisodeId, Vec<Event>) {
    let id = run.ids().next().unwrap().clone();
    let events = run.episode(&id).unwrap().events;
    (id, events)
}

#[test]
fn an_episode_can_be_left_at_every_position_and_comes_to_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let plan = Arc::new(clumsy());
    let parent = write(&folder.path().join("p"), &plan, ResumeState::default());
    let (id, whole) = only(&parent);
    let faults: Vec<&Event> = whole.iter().filter(|event| matches!(event.message, Message::Fault(_))).collect();
    let seats: Vec<String> = faults.iter().map(|fault| fault.from.to_string()).collect();
    let expected = ["executor", "environment", "executor", "executor", "user"];
    assert_eq!(seats, expected);
    let world = faults.iter().find(|fault| fault.from == Seat::Environment);
    let world = world.unwrap().seq as usize;
    assert!(matches!(&whole.last().unwrap().message, Message::Closed(outcome) if outcome.success));
    for copied in 1..whole.len() {
        let events = BTreeMap::from([(id.clone(), copied as u32)]);
        assert_eq!(misfit(&plan, &parent, &events).unwrap(), None, "{copied}");
        let resume_state = ResumeState::default().forked(Some(parent.clone()), "p", events);
        let branch = write(&folder.path().join(format!("b{copied}")), &plan, resume_state);
        let (_, own) = only(&branch);
        let Message::Opened(opened) = &own[0].message else {
            panic!("{:?}", own[0]);
        };
        let fork = opened.fork.as_deref().unwrap();
        assert_eq!((fork.run.as_str(), fork.events as usize), ("p", copied));
        assert_eq!(own[1..copied], whole[1..copied]);
        if copied > world {
            assert_eq!(own[1..], whole[1..], "left at {copied}");
        } else {
            // The fragile world is gone: its fault does not come again.
            let closed = &own.last().unwrap().message;
            assert!(matches!(closed, Message::Closed(outcome) if outcome.success), "{copied}");
        }
        for who in [Replay::Models, Replay::Log, Replay::Twice] {
            let replayed = replay_run(&plan, &branch, std::slice::from_ref(&id), who, &|_| {});
            assert!(replayed[0].result.is_ok(), "{who:?} at {copied}: {replayed:?}");
        }
    }
}

/// The control of a branch: what is copied is the parent's, what follows has other seeds, and both come out so again.
#[test]
fn seeds_behind_a_fork_may_be_fresh_and_come_out_the_same_whenever_they_are_played() {
    let folder = tempfile::tempdir().unwrap();
    let plan = Arc::new(plan(ToyTasks::new(1), winner(), friend()));
    let parent = write(&folder.path().join("p"), &plan, ResumeState::default());
    let (id, whole) = only(&parent);
    let drawn = |events: &[Event]| events.iter().rposition(|event| is_drawn(&event.message));
    let last = drawn(&whole).unwrap();
    let branch = |name: String, parent: &RunLog, copied: usize, seed: Option<u64>| {
        let events = BTreeMap::from([(id.clone(), copied as u32)]);
        let forked = ResumeState::default().forked(Some(parent.clone()), "p", events);
        write(
            &folder.path().join(name),
            &plan,
            forked.steered(Steering { seed: seed.map(Seed), ..Steering::default() }),
        )
    };
    for copied in 1..whole.len() {
        let control = branch(format!("c{copied}"), &parent, copied, Some(77));
        let (_, own) = only(&control);
        assert_eq!(own[1..copied], whole[1..copied]);
        // The turn that the copy ends with is asked again, unless its answer was copied.
        assert_eq!(own[1..] == whole[1..], copied > last, "left at {copied}");
        for who in [Replay::Models, Replay::Log, Replay::Twice] {
            let replayed = replay_run(&plan, &control, std::slice::from_ref(&id), who, &|_| {});
            assert!(replayed[0].result.is_ok(), "{who:?} at {copied}: {replayed:?}");
        }
    }
    let (middle, end) = (whole.len() / 3, last);
    let control = branch("control".to_owned(), &parent, middle, Some(77));
    let (_, fresh) = only(&control);
    // A branch of it goes on as it did, left before the fresh seeds or after; fresh ones once more do not.
    for (name, copied) in [("before", 2), ("at", middle), ("after", end)] {
        let (_, own) = only(&branch(name.to_owned(), &control, copied, None));
        assert_eq!(own[1..], fresh[1..], "{name}");
    }
    let again = branch("again".to_owned(), &control, end, Some(78));
    assert_ne!(only(&again).1[1..], fresh[1..]);
    let replayed = replay_run(&plan, &again, std::slice::from_ref(&id), Replay::Twice, &|_| {});
    assert!(replayed[0].result.is_ok(), "{replayed:?}");
}

/// Whether what a toy says or does is drawn by its seed.
fn is_drawn(message: &Message) -> bool {
    match message {
        Message::Moved(Move::Act { action }) => action.text.starts_with("try "),
        Message::Replied(_) => true,
        _ => false,
    }
}

#[test]
fn faults_are_taken_from_the_log_and_every_way_comes_out_identical() {
    let folder = tempfile::tempdir().unwrap();
    let plan = Arc::new(clumsy());
    let run = write(&folder.path().join("p"), &plan, ResumeState::default());
    let ids: Vec<EpisodeId> = run.ids().cloned().collect();
    for who in [Replay::Models, Replay::Log, Replay::Twice] {
        let done = AtomicU32::new(0);
        let replayed = replay_run(&plan, &run, &ids, who, &|_| {
            done.fetch_add(1, Ordering::Relaxed);
        });
        assert!(replayed.iter().all(|each| each.result.is_ok()), "{who:?}: {replayed:?}");
        assert_eq!((replayed.len(), done.into_inner()), (1, 1));
    }
}

#[test]
fn a_factory_that_panics_is_told_and_ends_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let plan = Arc::new(clumsy());
    let run = write(&folder.path().join("p"), &plan, ResumeState::default());
    let mut broken = Plan::clone(&plan);
    broken.cells[0].strategy = Arc::new(|| panic!("no strategy today"));
    let ids: Vec<EpisodeId> = run.ids().cloned().collect();
    let replayed = replay_run(&broken, &run, &ids, Replay::Log, &|_| {});
    let error = replayed[0].result.as_ref().unwrap_err().to_string();
    assert!(error.contains("no strategy today"), "{error}");
}

#[test]
fn an_open_episode_whose_factory_panics_is_told_and_ends_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let plan = Arc::new(clumsy());
    let run = write(&folder.path().join("p"), &plan, ResumeState::default());
    let (id, _) = only(&run);
    let events = BTreeMap::from([(id.clone(), 3)]);
    // The log of a run that was cut after its third event.
    let path = folder.path().join("p/events.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let kept: Vec<&str> = text.split_inclusive('\n').take(3).collect();
    std::fs::write(&path, kept.concat()).unwrap();
    let cut = RunLog::open(&folder.path().join("p")).unwrap();
    assert_eq!(misfit(&plan, &cut, &events).unwrap(), None);
    let mut broken = Plan::clone(&plan);
    broken.cells[0].strategy = Arc::new(|| panic!("no strategy today"));
    let Err(ResumeStateError::Panicked { episode, panic }) = ResumeState::of(&broken, &cut, false) else {
        panic!("it is told");
    };
    assert_eq!(episode, id);
    assert!(panic.contains("no strategy today"), "{panic}");
}
