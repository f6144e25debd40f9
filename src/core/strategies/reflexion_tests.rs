//! The rules of Reflexion, one test each, and all of them at once over arbitrary answers. They stay in one
//! file, since one player by hand plays them all.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{react, reflexion, respact};
use crate::domain::{
    Begun, Brief, Ending, Event, Few, Limit, Message, Move, MoveKind, Observation, RoleName, Score, Scored, Seat, Seed,
    Utterance,
};
use crate::ports::{Directive, ParameterValue, Parameters, Strategy, StrategyFactory, conformance};

fn role(name: &str) -> RoleName {
    RoleName::new(name).unwrap()
}

fn settings(trials: i64, stops: bool) -> Parameters {
    Parameters::new(BTreeMap::from([
        ("trials", ParameterValue::Integer(trials)),
        ("lessons", ParameterValue::Integer(3)),
        ("stop_on_repeat", ParameterValue::Flag(stops)),
    ]))
}

fn factory(around: &str, trials: i64, stops: bool) -> StrategyFactory {
    let build = if around == "react" { react } else { respact };
    let inner = build(&[role("executor")], &Parameters::default()).unwrap();
    let roles = [role("executor"), role("reflector")];
    reflexion(&roles, &settings(trials, stops), inner).unwrap()
}

/// A strategy that is played by hand, with what happened.
struct Played {
    strategy: Box<dyn Strategy>,
    events: Vec<Event>,
}

impl Played {
    fn new(strategy: Box<dyn Strategy>) -> Self {
        let events = Vec::new();
        Self { strategy, events }
    }

    fn next(&self) -> Directive {
        self.strategy.next().unwrap()
    }

    fn event(&mut self, from: Seat, to: Seat, message: Message) {
        let event = Event { seq: self.events.len() as u32, cause: None, from, to, message };
        self.strategy.apply(&event);
        self.events.push(event);
    }

    fn world(&mut self, message: Message) {
        self.event(Seat::Environment, Seat::Conductor, message);
    }

    fn scored(&mut self, ending: Ending) {
        let score = Score::all_or_nothing(ending == Ending::Solved);
        let begun = self.begun();
        self.world(Message::Scored(Box::new(Scored { trial: begun.trial, round: begun.round, ending, score })));
    }

    fn begun(&self) -> Begun {
        self.events
            .iter()
            .rev()
            .find_map(|event| match &event.message {
                Message::Begun(begun) => Some(begun.clone()),
                _ => None,
            })
            .unwrap()
    }

    /// Follows the directive, where roles make the move and the world shows the observation.
    fn follow(&mut self, made: &Move, seen: Observation) {
        match self.next() {
            Directive::Begin { trial, round, keep_world } => {
                let seed = Seed(0);
                let begun = Begun { trial, round, keep_world, seed };
                self.event(Seat::Conductor, Seat::Environment, Message::Begun(begun));
                self.world(Message::Observed(Observation::text("You are in a room.")));
            }
            Directive::Brief(role, brief) => {
                let seat = Seat::Role(role);
                self.event(Seat::Conductor, seat.clone(), Message::Brief(brief));
                self.event(seat, Seat::Conductor, Message::Moved(made.clone()));
            }
            Directive::Perform(action) => {
                self.event(Seat::Conductor, Seat::Environment, Message::Perform(action));
                self.world(Message::Observed(seen));
            }
            Directive::Tell(said) => {
                self.event(Seat::Conductor, Seat::User, Message::Told(said));
                let reply = Message::Replied(Utterance::text("There."));
                self.event(Seat::User, Seat::Conductor, reply);
            }
            Directive::Assess { unsolved } => self.scored(unsolved),
            Directive::Close => {}
        }
    }

    fn does(&mut self, made: &Move) {
        self.follow(made, Observation::text("Nothing special."));
    }

    /// The executor moves, and what it does is done.
    fn moves(&mut self, made: Move) {
        self.does(&made);
        if !matches!(made, Move::Think { .. }) {
            self.does(&made);
        }
    }

    fn briefed(&self) -> (String, Brief) {
        match self.next() {
            Directive::Brief(role, brief) => (role.to_string(), brief),
            other => panic!("nobody is briefed: {other:?}"),
        }
    }

    fn learns(&mut self, lesson: &str) {
        let (who, brief) = self.briefed();
        let open: Vec<MoveKind> = brief.open.iter().collect();
        assert_eq!((&*who, &open[..]), ("reflector", &[MoveKind::Learn][..]));
        self.does(&Move::Learn { lesson: lesson.to_owned() });
    }
}

fn section<'a>(brief: &'a Brief, name: &str) -> Option<&'a str> {
    let section = brief.sections.iter().find(|section| section.name == name);
    section.map(|section| &*section.text)
}

const OUT_OF_STEPS: Ending = Ending::OutOf { limit: Limit::Steps };

#[test]
fn the_last_lessons_stand_in_the_briefs_of_later_trials() {
    let mut played = Played::new(factory("react", 10, true)());
    let expected = [None, Some("one a"), Some("one a\ntwo"), Some("one a\ntwo\nthree"), Some("two\nthree\nfour")];
    for (lesson, before) in ["one\n a", "two", "three", "four", " \n"].into_iter().zip(expected) {
        let begin = played.next();
        assert!(matches!(begin, Directive::Begin { round: 0, keep_world: false, .. }));
        played.does(&Move::think(""));
        let (who, brief) = played.briefed();
        assert_eq!((&*who, section(&brief, "lessons")), ("executor", before));
        played.scored(OUT_OF_STEPS);
        let (_, brief) = played.briefed();
        assert_eq!(section(&brief, "lessons"), before);
        assert_eq!(section(&brief, "ending"), Some("out of steps"));
        played.learns(lesson);
    }
    played.does(&Move::think(""));
    let (_, brief) = played.briefed();
    assert_eq!(section(&brief, "lessons"), Some("two\nthree\nfour"), "an empty lesson is none");
    assert_eq!(played.begun().trial, 5);
}

#[test]
fn a_solved_trial_and_the_last_one_end_the_episode() {
    let mut solved = Played::new(factory("react", 10, true)());
    solved.does(&Move::think(""));
    solved.scored(Ending::GaveUp);
    solved.learns("Look first.");
    solved.does(&Move::think(""));
    solved.scored(Ending::Solved);
    assert_eq!(solved.next(), Directive::Close);
    let mut last = Played::new(factory("react", 2, true)());
    last.does(&Move::think(""));
    last.scored(Ending::Failed);
    last.learns("Look first.");
    last.does(&Move::think(""));
    last.scored(Ending::Failed);
    assert_eq!(last.next(), Directive::Close, "nobody could use a lesson");
}

#[test]
fn nobody_tries_again_who_has_no_user_or_nothing_left_to_spend() {
    let calls = Limit::ModelCalls;
    for (ending, again) in [
        (Ending::UserLeft, false),
        (Ending::OutOf { limit: calls }, false),
        (Ending::OutOf { limit: Limit::Questions }, true),
        (Ending::GaveUp, true),
    ] {
        let mut played = Played::new(factory("respact", 3, true)());
        played.does(&Move::think(""));
        played.scored(ending.clone());
        let is_over = played.next() == Directive::Close;
        assert_eq!(is_over, !again, "{ending:?}");
    }
}

#[test]
fn an_action_that_comes_twice_running_ends_the_trial() {
    let over = Directive::Assess { unsolved: Ending::Failed };
    let mut played = Played::new(factory("respact", 3, true)());
    played.does(&Move::think(""));
    for between in [Move::think("hm"), Move::speak("Where?"), Move::act("look")] {
        played.moves(Move::act("go to desk 1"));
        played.moves(between);
    }
    played.moves(Move::act("go to desk 1"));
    assert_eq!(played.briefed().0, "executor");
    played.does(&Move::act(" go to desk 1 "));
    assert!(matches!(played.next(), Directive::Perform(_)), "it is performed");
    played.does(&Move::think(""));
    assert_eq!(played.next(), over);
    played.does(&Move::think(""));
    let (who, brief) = played.briefed();
    let why = section(&brief, "ending").unwrap();
    assert!(who == "reflector" && why.contains("twice"), "{why}");
    played.learns("Do something else.");
    played.does(&Move::think(""));
    played.moves(Move::act("go to desk 1"));
    assert_eq!(played.briefed().0, "executor", "another trial begins afresh");

    let mut patient = Played::new(factory("react", 3, false)());
    patient.does(&Move::think(""));
    for _ in 0..5 {
        patient.moves(Move::act("look"));
        assert_eq!(patient.briefed().0, "executor");
    }
}

#[test]
fn it_is_a_fold_and_takes_a_reflector() {
    for around in ["react", "respact"] {
        conformance::strategy(&factory(around, 4, true)).unwrap();
    }
    let inner = react(&[role("executor")], &Parameters::default()).unwrap();
    assert!(reflexion(&[], &settings(2, true), inner).is_err());
}

/// Plays by arbitrary numbers until the episode closes.
fn play(strategy: Box<dyn Strategy>, choices: &[u8]) -> Played {
    let mut played = Played::new(strategy);
    // At last everybody gives up.
    for choice in choices.iter().copied().chain([255; 60]) {
        let made = match played.next() {
            Directive::Close => break,
            Directive::Brief(_, brief) if brief.open.contains(MoveKind::Learn) => {
                Move::Learn { lesson: format!("lesson {choice}") }
            }
            Directive::Brief(..) if choice == 255 => {
                played.scored(OUT_OF_STEPS);
                continue;
            }
            Directive::Brief(_, brief) => {
                let open: Vec<MoveKind> = brief.open.iter().collect();
                match open[usize::from(choice) % open.len()] {
                    MoveKind::Act => Move::act(format!("act {}", choice % 3)),
                    kind => conformance::sample_move(kind),
                }
            }
            Directive::Assess { .. } if choice.is_multiple_of(5) => {
                played.scored(Ending::Solved);
                continue;
            }
            _ => Move::think("nobody is asked"),
        };
        let done = choice.is_multiple_of(11);
        played.follow(&made, Observation { done, ..Observation::text("o") });
    }
    played
}

/// The events that each trial's inner strategy may see, renumbered as if it were the only one.
fn trials(events: &[Event]) -> Vec<Vec<Event>> {
    let mut trials: Vec<Vec<Event>> = Vec::new();
    let reflector = Seat::Role(role("reflector"));
    for event in events {
        if event.from == reflector || event.to == reflector {
            continue;
        }
        let mut event = event.clone();
        match &mut event.message {
            Message::Begun(begun) => {
                begun.trial = 0;
                trials.push(Vec::new());
            }
            Message::Scored(scored) => scored.trial = 0,
            _ => {}
        }
        trials.last_mut().unwrap().push(event);
    }
    trials
}

/// A directive without what the wrapper adds to it.
fn bare(directive: Directive) -> Directive {
    match directive {
        Directive::Brief(role, brief) => Directive::Brief(role, Brief { sections: Few::default(), ..brief }),
        other => other,
    }
}

proptest! {
    #[test]
    fn whatever_is_answered_trials_have_no_gaps_and_the_inner_strategy_is_alone(
        speaks in any::<bool>(),
        number in 1..5_i64,
        choices in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        let around = if speaks { "respact" } else { "react" };
        let played = play(factory(around, number, false)(), &choices);
        prop_assert_eq!(played.next(), Directive::Close);
        let begun: Vec<(u32, u32, bool)> = played.events.iter().filter_map(|event| {
            match &event.message {
                Message::Begun(begun) => Some((begun.trial, begun.round, begun.keep_world)),
                _ => None,
            }
        }).collect();
        let expected: Vec<(u32, u32, bool)> = (0..begun.len() as u32).map(|n| (n, 0, false)).collect();
        prop_assert!(begun.len() <= number as usize && begun == expected, "{:?}", begun);
        let solved: Vec<bool> = played.events.iter().filter_map(|event| match &event.message {
            Message::Scored(scored) => Some(scored.score.success),
            _ => None,
        }).collect();
        prop_assert_eq!(solved.len(), begun.len());
        prop_assert!(!solved[..solved.len() - 1].contains(&true));
        prop_assert!(solved.last() == Some(&true) || solved.len() == number as usize);
        // Each trial as its inner strategy alone would have it.
        let plain = if speaks { respact } else { react };
        let plain = plain(&[role("executor")], &Parameters::default()).unwrap();
        let wrapped = factory(around, number, false);
        for trial in trials(&played.events) {
            let (mut inner, mut outer) = (plain(), wrapped());
            for event in &trial {
                prop_assert_eq!(inner.next().unwrap(), bare(outer.next().unwrap()));
                inner.apply(event);
                outer.apply(event);
            }
            prop_assert_eq!(inner.next().unwrap(), Directive::Close);
        }
    }
}
