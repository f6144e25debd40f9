//! The conductor as a state machine, under whatever its seats may answer.

use std::sync::Arc;

use proptest::prelude::*;
use tokio_util::sync::CancellationToken;

use super::conductor::{Conductor, Next, Opening, Setup};
use super::protocol::{Ask, Failure, Reply, Request, WorldStep};
use crate::config::Limits;
use rolecall_core::domain::{
    Answer, CellName, Ending, EpisodeId, Event, FaultKind, Limit, Message, ModelCall, ModelReply, Move, Observation,
    Opened, PublicTask, RoleName, Score, Seat, Seed, Utterance, Visibility,
};
use rolecall_core::ports::Parameters;

fn conductor() -> (Conductor, Opening) {
    conductor_of("respact")
}

fn conductor_of(strategy: &str) -> (Conductor, Opening) {
    let known = crate::registry::Registry::of([]).strategies;
    let strategy = known.iter().find(|entry| entry.name == strategy).unwrap();
    let parameters = Parameters::defaults(strategy.parameters);
    let inner = strategy.inner(&parameters, &known);
    let roles = strategy.cast(&parameters, inner);
    let strategy = strategy.factory(&roles, &parameters, inner).unwrap()();
    let cell = CellName::new("main").unwrap();
    let task = Arc::new(PublicTask::new("t", "k", ""));
    let setup = Setup {
        id: EpisodeId { cell: cell.clone(), task: 0, repeat: 0 },
        seed: Seed(1),
        repeat: 0,
        task: Arc::clone(&task),
        limits: Limits { steps: 12, questions: Some(3), ..Limits::default() },
    };
    let opening = Opening {
        opened: Box::new(Opened {
            task,
            cell,
            strategy: "respact".to_owned(),
            roles,
            user: Some("toy".to_owned()),
            fork: None,
            served: None,
        }),
        private: Vec::new(),
        broken: None,
    };
    let cancel = CancellationToken::new();
    let conductor = Conductor::new(setup, Visibility::default(), strategy, cancel);
    (conductor, opening)
}

/// A sensible answer to a request, varied by `choice`.
fn sensible(ask: &Ask, choice: u8) -> Reply {
    match ask {
        Ask::Turn(turn) if turn.brief().is_none() => {
            Reply::Utterance(Utterance { leaving: choice == 250, ..Utterance::text("here") })
        }
        Ask::Turn(_) => Reply::Answer(Answer::from(match choice % 4 {
            0 => Move::think("hm"),
            1 => Move::speak("where?"),
            2 => Move::act("look"),
            _ => Move::act("go"),
        })),
        Ask::World { step, .. } => match step {
            WorldStep::Begin(_) | WorldStep::Perform(_) => {
                Reply::Observation(Observation { done: choice > 240, ..Observation::text("a room") })
            }
            WorldStep::Hear(_) => Reply::Nothing,
            WorldStep::Assess => Reply::Score(Score::default()),
        },
    }
}

/// Answers a request in one of many ways; late answers come first and must change nothing.
fn answer(conductor: &mut Conductor, number: u32, ask: &Ask, choice: u8) -> Next {
    let before = conductor.record.len();
    for late in [number.wrapping_sub(1), number + 1] {
        assert!(conductor.answered(late, Ok(sensible(ask, choice))).is_none());
    }
    assert_eq!(conductor.record.len(), before);
    if choice == 255 {
        conductor.interrupt(Ending::Cancelled);
    }
    if choice == 254 {
        conductor.interrupt(Ending::OutOf { limit: Limit::Time });
    }
    let reply = match choice / 16 {
        0 => Err(Failure::new(FaultKind::Panic, "it panicked")),
        1 => Ok(Reply::Score(Score::default())),
        2 => Ok(Reply::Answer(Answer::default())),
        3 => Ok(Reply::Observation(Observation::text("x".repeat(100_000)))),
        4 => Ok(Reply::Score(Score { reward: f64::NAN, ..Score::default() })),
        5 => Ok(Reply::Answer(Answer::from(Move::Judge { clarify: true, reason: None }))),
        _ => Ok(sensible(ask, choice)),
    };
    conductor.answered(number, reply).expect("the open request was answered")
}

fn play(choices: &[u8]) -> Vec<Event> {
    let (mut conductor, opening) = conductor();
    let mut next = conductor.start(opening);
    let mut step = 0;
    while let Next::Ask(request) = next {
        let choice = choices[step % choices.len()];
        step += 1;
        assert!(step < 1_000, "the episode does not end");
        next = answer(&mut conductor, request.number, &request.ask, choice);
    }
    let record = &conductor.record;
    record.since(0).into_iter().cloned().collect()
}

proptest! {
    #[test]
    fn whatever_is_answered_the_episode_closes_once(
        choices in prop::collection::vec(any::<u8>(), 1..60)
    ) {
        let events = play(&choices);
        for (position, event) in events.iter().enumerate() {
            prop_assert_eq!(event.seq as usize, position);
            prop_assert!(event.cause.is_none_or(|cause| cause < event.seq));
        }
        let closed = events.iter().filter(|event| matches!(event.message, Message::Closed(_)));
        prop_assert_eq!(closed.count(), 1);
        let Some(Message::Closed(outcome)) = events.last().map(|event| &event.message) else {
            return Err(TestCaseError::fail("the last event does not close the episode"));
        };
        let count = |kind: &str| {
            let same = events.iter().filter(|event| event.message.kind() == kind);
            u32::try_from(same.count()).unwrap()
        };
        prop_assert_eq!(outcome.counts.steps, count("moved"));
        prop_assert_eq!(outcome.counts.questions, count("told"));
        prop_assert_eq!(outcome.counts.faults, count("fault"));
        prop_assert!(outcome.counts.steps <= 12 && outcome.counts.questions <= 3);
        prop_assert_eq!(play(&choices), events, "the same answers give the same episode");
    }
}

#[test]
fn an_answer_that_came_before_an_interruption_is_recorded() {
    let (mut conductor, opening) = conductor();
    let Next::Ask(begin) = conductor.start(opening) else {
        panic!("the world is set up first");
    };
    let Some(Next::Ask(turn)) = conductor.answered(begin.number, Ok(sensible(&begin.ask, 100))) else {
        panic!("then the executor is asked");
    };
    conductor.interrupt(Ending::Cancelled);
    let answer = Reply::Answer(Answer::from(Move::think("paid for")));
    assert!(matches!(conductor.answered(turn.number, Ok(answer)), Some(Next::Closed)));
    let record = &conductor.record;
    let kinds: Vec<&str> = record.since(0).into_iter().map(|event| event.message.kind()).collect();
    assert!(kinds.ends_with(&["brief", "moved", "closed"]), "{kinds:?}");
}

/// A call of a model, as the log has it.
fn call() -> ModelCall {
    ModelCall {
        turn: 0,
        attempt: 0,
        call: 0,
        again: 0,
        unread: None,
        model: "m".to_owned(),
        request: String::new(),
        reply: ModelReply::default(),
        cost: None,
        remembered: false,
    }
}

#[test]
fn a_limit_that_strikes_between_two_trials_ends_the_episode_and_scores_no_round_twice() {
    // It is used up by the executor, or by the reflector's answer, which cannot be used.
    for (allowed, asked) in [(1, false), (2, true)] {
        let (mut conductor, opening) = conductor_of("reflexion");
        conductor.setup.limits.model_calls = Some(allowed);
        let mut next = conductor.start(opening);
        let mut reflected = false;
        while let Next::Ask(Request { number, ask, seat }) = next {
            let is_reflector = seat.as_str() == "reflector";
            let reply = match &ask {
                Ask::Turn(_) => {
                    conductor.called(number, vec![call()]).unwrap();
                    reflected |= is_reflector;
                    Reply::Answer(Answer::from(if is_reflector {
                        Move::think("hm")
                    } else {
                        Move::Finish { answer: Box::default() }
                    }))
                }
                Ask::World { step, .. } => match step {
                    WorldStep::Assess => Reply::Score(Score::default()),
                    _ => Reply::Observation(Observation::text("a room")),
                },
            };
            next = conductor.answered(number, Ok(reply)).unwrap();
        }
        let record = &conductor.record;
        let events = record.since(0);
        let scored = events.iter().filter(|event| event.message.kind() == "scored");
        assert_eq!((reflected, scored.count()), (asked, 1));
        let Message::Closed(outcome) = &events.last().unwrap().message else {
            panic!("it closes");
        };
        let limit = Limit::ModelCalls;
        assert_eq!(outcome.ending, Ending::OutOf { limit });
    }
}

#[test]
fn a_turn_without_a_usable_answer_is_a_failure_unless_something_else_failed_in_it_too() {
    use FaultKind::{ContextFull, Deadline, Error, Refused, TooLarge, Unavailable, Unusable};
    let broken = Ending::Broken { by: Seat::Role(RoleName::new("executor").unwrap()) };
    for (kinds, ending) in [
        ([Unusable, TooLarge, Unusable], Ending::Unusable),
        ([ContextFull; 3], Ending::ContextFull),
        ([Refused; 3], Ending::Refused),
        ([Refused, ContextFull, ContextFull], Ending::Unusable),
        ([Unusable, Unusable, ContextFull], Ending::Unusable),
        ([Unavailable, Unusable, Unusable], broken.clone()),
        ([Unusable, Deadline, Unusable], broken.clone()),
        ([Unusable, Unusable, Error], broken.clone()),
        ([Unavailable, ContextFull, ContextFull], broken.clone()),
        // As version 0.2 recorded a window that was full.
        ([Error; 3], broken),
    ] {
        let (mut conductor, opening) = conductor();
        let mut next = conductor.start(opening);
        let mut failures = kinds.into_iter();
        while let Next::Ask(Request { number, ask, .. }) = next {
            let reply = match &ask {
                Ask::Turn(_) => Err(Failure::new(failures.next().unwrap(), "nothing")),
                Ask::World { .. } => Ok(sensible(&ask, 0)),
            };
            next = conductor.answered(number, reply).unwrap();
        }
        let events = conductor.record.since(0);
        let Message::Closed(outcome) = &events.last().unwrap().message else {
            panic!("it closes");
        };
        assert_eq!((&outcome.ending, outcome.success), (&ending, false), "{kinds:?}");
    }
}

#[test]
fn a_world_that_never_assesses_is_asked_as_often_as_any_although_a_limit_is_used_up() {
    let (mut conductor, opening) = conductor();
    conductor.setup.limits.model_calls = Some(1);
    let attempts = conductor.setup.limits.attempts;
    let mut next = conductor.start(opening);
    let mut asked = 0;
    while let Next::Ask(Request { number, ask, .. }) = next {
        let reply = match &ask {
            Ask::Turn(_) => {
                conductor.called(number, vec![call()]).unwrap();
                Ok(Reply::Answer(Answer::from(Move::act("look"))))
            }
            Ask::World { step: WorldStep::Assess, .. } => {
                asked += 1;
                Err(Failure::new(FaultKind::Error, "no score today"))
            }
            Ask::World { .. } => Ok(Reply::Observation(Observation::text("a room"))),
        };
        next = conductor.answered(number, reply).unwrap();
    }
    assert_eq!(asked, attempts);
    let events = conductor.record.since(0);
    let Message::Closed(outcome) = &events.last().unwrap().message else {
        panic!("it closes");
    };
    let by = rolecall_core::domain::Seat::Environment;
    assert_eq!(outcome.ending, Ending::Broken { by });
}
