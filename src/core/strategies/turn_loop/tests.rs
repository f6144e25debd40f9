//! The turn loop, played by hand.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::domain::{Action, Begun, Event, Observation, Score, Scored, Seat, Seed, Utterance};
use crate::ports::{Directive, ParameterValue, Strategy, conformance};

type Build = fn(&[RoleName], &Parameters) -> Result<StrategyFactory, SetupError>;

const ALL: [Build; 6] = [react, respact, react_im, respact_im, respact_schema, aba];

fn factory(build: Build, rounds: i64) -> StrategyFactory {
    let roles = [RoleName::new("executor").unwrap()];
    let told = BTreeMap::from([("rounds", ParameterValue::Integer(rounds))]);
    build(&roles, &Parameters::new(told)).unwrap()
}

fn after(strategy: &mut dyn Strategy, message: Message) -> Directive {
    strategy.apply(&Event { seq: 0, cause: None, from: Seat::Conductor, to: Seat::Conductor, message });
    strategy.next().unwrap()
}

fn begun(round: u32) -> Message {
    Message::Begun(Begun { trial: 0, round, keep_world: round > 0, seed: Seed(0) })
}

fn scored(round: u32, success: bool) -> Message {
    Message::Scored(Box::new(Scored {
        trial: 0,
        round,
        ending: if success { Ending::Solved } else { Ending::Failed },
        score: Score::all_or_nothing(success),
    }))
}

fn observed(done: bool) -> Message {
    Message::Observed(Observation { done, ..Observation::text("o") })
}

fn replied(leaving: bool) -> Message {
    Message::Replied(Utterance { leaving, ..Utterance::text("The desk.") })
}

/// The moves that are open in a brief, with `!` if speech declares its act.
fn open(directive: &Directive) -> String {
    let Directive::Brief(role, brief) = directive else {
        panic!("nobody is briefed: {directive:?}");
    };
    assert_eq!(role.as_str(), "executor");
    let open: Vec<&str> = brief.open.iter().map(MoveKind::as_str).collect();
    let declares = if brief.acts.is_empty() { "" } else { "!" };
    open.join(" ") + declares
}

#[test]
fn a_thought_is_acknowledged_and_an_action_performed() {
    let mut react = factory(react, 1)();
    let begin = Directive::Begin { trial: 0, round: 0, keep_world: false };
    assert_eq!(react.next().unwrap(), begin);
    let first = after(&mut *react, observed(false));
    assert!(matches!(&first, Directive::Brief(_, brief) if brief.notice.is_none()));
    assert_eq!(open(&first), "think act finish");
    let thought = after(&mut *react, Message::Moved(Move::think("hm")));
    assert!(matches!(thought, Directive::Brief(_, brief) if brief.notice.as_deref() == Some("OK.")));
    let acted = after(&mut *react, Message::Moved(Move::act("look")));
    assert_eq!(acted, Directive::Perform(Action::text("look")));
}

#[test]
fn speech_goes_to_the_user_who_may_leave() {
    let mut respact = factory(respact, 1)();
    let spoken = after(&mut *respact, Message::Moved(Move::speak("where?")));
    assert_eq!(spoken, Directive::Tell(Utterance::text("where?")));
    let unsolved = Ending::UserLeft;
    assert_eq!(after(&mut *respact, replied(true)), Directive::Assess { unsolved });
}

#[test]
fn a_finished_world_is_assessed_and_then_the_episode_closes() {
    let mut react = factory(react, 1)();
    after(&mut *react, begun(0));
    after(&mut *react, observed(false));
    let unsolved = Ending::Failed;
    assert_eq!(after(&mut *react, observed(true)), Directive::Assess { unsolved });
    assert_eq!(after(&mut *react, scored(0, true)), Directive::Close);
}

#[test]
fn dense_thought_comes_before_every_other_move_and_only_there() {
    for (build, others) in [(react_im as Build, "act finish"), (respact_im, "act speak finish")] {
        let mut strategy = factory(build, 1)();
        for before in [observed(false), observed(false), replied(false)] {
            assert_eq!(open(&after(&mut *strategy, before)), "think");
            let thought = after(&mut *strategy, Message::Moved(Move::think("hm")));
            assert_eq!(open(&thought), others);
            assert!(matches!(thought, Directive::Brief(_, brief) if brief.notice.is_some()));
        }
    }
}

#[test]
fn what_is_spoken_declares_its_act_only_where_a_schema_guides() {
    let first = |build: Build| open(&after(&mut *factory(build, 1)(), observed(false)));
    assert_eq!(first(respact_schema), "think act speak finish!");
    assert_eq!(first(respact), "think act speak finish");
    assert_eq!(first(aba), first(respact));
}

#[test]
fn the_next_round_goes_on_in_the_world_of_a_solved_one() {
    let mut strategy = factory(aba, 3)();
    for round in 0..2 {
        after(&mut *strategy, begun(round));
        after(&mut *strategy, observed(false));
        after(&mut *strategy, Message::Moved(Move::act("win")));
        after(&mut *strategy, observed(true));
        let next = Directive::Begin { trial: 0, round: round + 1, keep_world: true };
        assert_eq!(after(&mut *strategy, scored(round, true)), next);
    }
    after(&mut *strategy, begun(2));
    assert_eq!(after(&mut *strategy, scored(2, true)), Directive::Close);
}

#[test]
fn no_round_follows_one_that_is_unsolved_or_had_nothing_to_be_done() {
    let mut unsolved = factory(react, 9)();
    after(&mut *unsolved, begun(0));
    assert_eq!(after(&mut *unsolved, scored(0, false)), Directive::Close);
    let mut empty = factory(react, 9)();
    after(&mut *empty, begun(0));
    let assess = after(&mut *empty, observed(true));
    assert!(matches!(assess, Directive::Assess { .. }));
    assert_eq!(after(&mut *empty, scored(0, true)), Directive::Close);
}

#[test]
fn exactly_one_role_is_taken() {
    for build in ALL {
        assert!(build(&[], &Parameters::default()).is_err());
    }
}

#[test]
fn all_of_them_are_folds_for_any_number_of_rounds() {
    for build in ALL {
        for rounds in [1, 2, 50] {
            conformance::strategy(&factory(build, rounds)).unwrap();
        }
    }
}

/// An answer to a directive, by a number; the world may be done, and tasks may be solved.
fn answer(directive: &Directive, choice: u8) -> Vec<Message> {
    let world = observed(choice.is_multiple_of(3));
    match directive {
        Directive::Begin { round, .. } => vec![begun(*round), observed(choice == 255)],
        Directive::Perform(_) => vec![world],
        Directive::Tell(_) => vec![replied(choice > 250)],
        Directive::Brief(_, brief) if choice < 250 => {
            let open: Vec<MoveKind> = brief.open.iter().collect();
            let kind = open[usize::from(choice) % open.len()];
            vec![Message::Moved(conformance::sample_move(kind))]
        }
        // A limit strikes, or the round is over.
        Directive::Brief(..) | Directive::Assess { .. } => {
            vec![scored(0, !choice.is_multiple_of(5))]
        }
        Directive::Close => Vec::new(),
    }
}

proptest! {
    #[test]
    fn whatever_is_answered_rounds_have_no_gaps_and_the_episode_closes(
        which in 0..ALL.len(),
        rounds in 1..5_i64,
        choices in prop::collection::vec(any::<u8>(), 400),
    ) {
        let mut strategy = factory(ALL[which], rounds)();
        let mut begins = Vec::new();
        let mut solved = Vec::new();
        for choice in choices.into_iter().chain([252; 30]) {
            let directive = strategy.next().unwrap();
            if let Directive::Begin { trial, round, keep_world } = directive {
                prop_assert_eq!((trial, keep_world), (0, round > 0));
                begins.push(round);
            }
            for message in answer(&directive, choice) {
                if let Message::Scored(scored) = &message {
                    solved.push(scored.score.success);
                }
                after(&mut *strategy, message);
            }
        }
        prop_assert_eq!(strategy.next().unwrap(), Directive::Close);
        let expected: Vec<u32> = (0..begins.len() as u32).collect();
        prop_assert!(begins.len() <= rounds as usize && begins == expected, "{:?}", begins);
        // Every round but the last one was solved.
        prop_assert_eq!(solved.len(), begins.len());
        prop_assert!(solved[..solved.len() - 1].iter().all(|solved| *solved));
    }
}
