//! Suites that every implementation of a port must pass. The tests run them over every line of
//! the registry; run them over your own implementation as well.
//!
//! Each suite returns the first thing that is wrong, in words. That a role or user is a function
//! of its view is checked on whole episodes by `runtime::verify`.

use crate::domain::{
    Action, Begun, Brief, Ending, Event, Message, Move, MoveKind, Observation, PlanStep, Score, Scored, Seat, Seed,
    Utterance,
};

use super::{Directive, EnvironmentError, EnvironmentFactory, Strategy, StrategyFactory};

/// The most events that a strategy may need for the suite's short episodes.
const MOST_EVENTS: u32 = 2_000;

/// Plays short episodes with a strategy, without any participant. Checks that asking twice gives
/// the same directive, that folding the events of any prefix anew (after writing and reading them
/// as JSON) gives the same directive as the strategy that lived through them, and that the
/// episode closes when a limit strikes after any number of moves, in a world that shows something for what
/// it hears as in any other. As in an episode, a role may move after a trial was scored (it learns from it)
/// whatever is used up.
pub fn strategy(factory: &StrategyFactory) -> Result<(), String> {
    let limits = [0, 1, 2, 3, 5, 8, 13, 40];
    let plays = limits.map(|moves| [(moves, false), (moves, true)]);
    for (moves_until_limit, hears) in plays.into_iter().flatten() {
        let mut play = Play { strategy: factory(), events: Vec::new(), moves: 0, scored: false, hears };
        play.play(moves_until_limit)?;
        prefixes(factory, &play.events)?;
    }
    Ok(())
}

/// A strategy with the events that it brought about.
struct Play {
    strategy: Box<dyn Strategy>,
    events: Vec<Event>,
    moves: u32,
    /// The trial or round is over, and no other one has begun.
    scored: bool,
    /// The world shows something for what it hears.
    hears: bool,
}

impl Play {
    fn play(&mut self, limit: u32) -> Result<(), String> {
        while self.events.len() < MOST_EVENTS as usize {
            let directive = self.next()?;
            match directive {
                Directive::Close => return Ok(()),
                Directive::Brief(..) if self.moves >= limit && !self.scored => {
                    let limit = crate::domain::Limit::Steps;
                    self.assess(Ending::OutOf { limit });
                }
                Directive::Brief(role, brief) => self.brief(Seat::Role(role), brief)?,
                Directive::Begin { trial, round, keep_world } => {
                    self.scored = false;
                    let begun = Begun { trial, round, keep_world, seed: Seed(0) };
                    self.event(Seat::Conductor, Seat::Environment, Message::Begun(begun));
                    self.observed("You are in a room.");
                }
                Directive::Perform(action) => {
                    self.event(Seat::Conductor, Seat::Environment, Message::Perform(action));
                    self.observed("Something happens.");
                }
                Directive::Tell(utterance) => {
                    self.event(Seat::Conductor, Seat::User, Message::Told(utterance));
                    let reply = Message::Replied(Utterance::text("Look in the kitchen."));
                    self.event(Seat::User, Seat::Conductor, reply);
                    if self.hears {
                        self.observed("Somebody hears you.");
                    }
                }
                Directive::Assess { unsolved } => self.assess(unsolved),
            }
        }
        let problem = format!("the strategy does not close within {MOST_EVENTS} events");
        Err(problem)
    }

    fn next(&self) -> Result<Directive, String> {
        let first = self.strategy.next().map_err(|error| error.to_string())?;
        let second = self.strategy.next().map_err(|error| error.to_string())?;
        if first != second {
            return Err(format!("asked twice, it says {first:?} and {second:?}"));
        }
        Ok(first)
    }

    fn brief(&mut self, seat: Seat, brief: Brief) -> Result<(), String> {
        let open: Vec<MoveKind> = brief.open.iter().collect();
        if open.is_empty() {
            return Err(format!("{seat} is asked for a move but none is open"));
        }
        let kind = open[self.moves as usize % open.len()];
        self.moves += 1;
        self.event(Seat::Conductor, seat.clone(), Message::Brief(brief));
        self.event(seat, Seat::Conductor, Message::Moved(sample_move(kind)));
        Ok(())
    }

    fn assess(&mut self, ending: Ending) {
        self.event(Seat::Conductor, Seat::Environment, Message::Assess);
        let begun = self.events.iter().rev().find_map(|event| match &event.message {
            Message::Begun(begun) => Some((begun.trial, begun.round)),
            _ => None,
        });
        let (trial, round) = begun.unwrap_or_default();
        let scored = Scored { trial, round, ending, score: Score::default() };
        self.scored = true;
        let scored = Message::Scored(Box::new(scored));
        self.event(Seat::Environment, Seat::Conductor, scored);
    }

    fn observed(&mut self, text: &str) {
        let message = Message::Observed(Observation::text(text));
        self.event(Seat::Environment, Seat::Conductor, message);
    }

    fn event(&mut self, from: Seat, to: Seat, message: Message) {
        let seq = u32::try_from(self.events.len()).unwrap_or(u32::MAX);
        let event = Event { seq, cause: seq.checked_sub(1), from, to, message };
        self.strategy.apply(&event);
        self.events.push(event);
    }
}

/// A move of the kind, for roles that answer whatever is open.
pub fn sample_move(kind: MoveKind) -> Move {
    match kind {
        MoveKind::Think => Move::think("I should look around."),
        MoveKind::Act => Move::act("look"),
        MoveKind::Speak => Move::speak("Where should I look?"),
        MoveKind::Plan => Move::Plan { steps: vec![PlanStep::of("look")] },
        MoveKind::Judge => Move::Judge { clarify: true, reason: None },
        MoveKind::Learn => Move::Learn { lesson: "Look first.".to_owned() },
        MoveKind::Finish => Move::Finish { answer: Box::default() },
    }
}

fn prefixes(factory: &StrategyFactory, events: &[Event]) -> Result<(), String> {
    let mut lived = factory();
    for length in 0..=events.len() {
        let mut fresh = factory();
        for event in &events[..length] {
            let text = serde_json::to_vec(event).map_err(|error| error.to_string())?;
            let read: Event = serde_json::from_slice(&text).map_err(|error| error.to_string())?;
            fresh.apply(&read);
        }
        if length > 0 {
            lived.apply(&events[length - 1]);
        }
        if fresh.next() != lived.next() {
            let problem = format!("after {length} events a fold from the log says something else");
            return Err(problem);
        }
    }
    Ok(())
}

/// Sets a world up twice, performs the same actions and has it hear the same. Checks that it shows the same both times,
/// that nonsense is refused by an observation and not by an error, and that being asked out of
/// order is survived.
pub async fn environment(factory: &EnvironmentFactory, actions: &[Action]) -> Result<(), String> {
    let first = perform_all(factory, actions).await?;
    let second = perform_all(factory, actions).await?;
    if first != second {
        return Err("the same actions show something else the second time".to_owned());
    }
    let mut untouched = factory();
    // Whether this is an error or an observation is up to the environment; it must not panic.
    let _ = untouched.perform(&Action::text("look")).await;
    let silence = Utterance::default();
    let _ = untouched.hear(&silence, &silence).await;
    let _ = untouched.assess().await;
    Ok(())
}

async fn perform_all(factory: &EnvironmentFactory, actions: &[Action]) -> Result<Vec<Observation>, String> {
    let text = |error: EnvironmentError| error.to_string();
    let mut world = factory();
    let begun = Begun { trial: 0, round: 0, keep_world: false, seed: Seed(7) };
    let mut shown = vec![world.begin(&begun).await.map_err(text)?];
    for nonsense in ["", "\u{0}", "]][[ (( \u{202e} %s {}", &"x".repeat(100_000)] {
        let observed = world.perform(&Action::text(nonsense)).await;
        shown.push(observed.map_err(|error| format!("nonsense gives an error: {error}"))?);
    }
    for action in actions {
        shown.push(world.perform(action).await.map_err(text)?);
    }
    for reply in ["In the kitchen.", "", "]][[ (( \u{202e} %s {}"] {
        let (said, reply) = (Utterance::text("Where?"), Utterance::text(reply));
        shown.extend(world.hear(&said, &reply).await.map_err(text)?);
    }
    world.assess().await.map_err(text)?;
    Ok(shown)
}
