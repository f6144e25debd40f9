//! The owner of the room: ABA's model of a human, by rules (appendix A, D and G of the paper).

use std::collections::BTreeSet;

use async_trait::async_trait;
use chacha20::ChaCha8Rng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::question::Preference;
use super::wording::{EVADE, NO_PREFERENCE};
use super::{Changes, Knowledge, Question, THANKS, UNKNOWN, class_of, say};
use crate::language::{by_number, placements_answer};
use rolecall_core::domain::{Seed, UserSees, Utterance};
use rolecall_core::ports::settings::parameters;
use rolecall_core::ports::{Parameter, SetupError, Turn, UserError, UserFactory, UserSetup, UserSimulator};

/// The parameters of the owner.
pub const PARAMETERS: &[Parameter] = parameters![
    choice("placements", &["initial", "current"]),
        "what it knows: where things were at the beginning, or where they are now (needs `sees = \
            \"dialogue+observations\"`)";
    number("wrong_rate", 0.0, 0.0..=1.0),
        "share of answers that are wrong: another place, an object left out, or an evasion";
];

/// Builds the owner (registry entry `owner`).
pub fn build(setup: &UserSetup) -> Result<UserFactory, SetupError> {
    let current = setup.parameters.text("placements") == Some("current");
    if current && setup.sees != UserSees::DialogueAndObservations {
        let problem = format!(
            "an owner with `current` placements has to see what is moved, but sees only `{}`; \
             set `user.sees = \"dialogue+observations\"`, or `placements = \"initial\"`",
            setup.sees.as_str()
        );
        return Err(SetupError::at("placements", problem));
    }
    let wrong_rate = setup.parameters.number("wrong_rate").unwrap_or_default();
    super::factory(move || Owner { current, wrong_rate, changes: Changes::default() })
}

/// A user who knows where every object is, those included that the agent cannot see, and which object
/// is meant. It answers a question where classes of objects are with all of them, and the question
/// which it prefers with those that are meant; nothing else.
struct Owner {
    current: bool,
    wrong_rate: f64,
    changes: Changes,
}

#[async_trait]
impl UserSimulator for Owner {
    async fn reply(&mut self, turn: &Turn) -> Result<Utterance, UserError> {
        let said = super::question(turn)?;
        let plan = Knowledge::of(&turn.view);
        if self.current {
            self.changes.fold(&turn.view, &plan);
        }
        let known = self.known(&plan);
        let placed = plan.placements();
        let (objects, receptacles): (BTreeSet<&str>, BTreeSet<&str>) =
            placed.map(|(object, place)| (class_of(object), class_of(place))).unzip();
        let is_object = |word: &str| objects.contains(word);
        let is_receptacle = |word: &str| receptacles.contains(word);
        let question = Question::read(&said.text, &is_object, &is_receptacle);
        let mut dice = ChaCha8Rng::seed_from_u64(turn.seed.0);
        let errs = self.wrong_rate > 0.0 && dice.random_bool(self.wrong_rate.min(1.0));
        let places = where_are(&question.places_of, &known, errs.then_some(&mut dice));
        let meant = question.preference.as_ref().map(|asked| which(asked, &plan, turn.seed, errs));
        let sentences: Vec<String> = [places, meant].into_iter().flatten().collect();
        let answer = match (sentences.is_empty(), !question.asked.is_empty()) {
            (false, _) => sentences.join(" "),
            (true, true) => say(turn.seed, UNKNOWN, ""),
            (true, false) => say(turn.seed, THANKS, ""),
        };
        Ok(Utterance::text(answer))
    }
}

impl Owner {
    /// Object and place, as far as this owner knows. What is in somebody's hands is nowhere.
    fn known<'a>(&'a self, plan: &Knowledge<'a>) -> Vec<(&'a str, &'a str)> {
        let now = |(object, place)| match self.changes.moved(object) {
            Some(moved) => moved.map(|place| (object, place)),
            None => Some((object, place)),
        };
        plan.placements().filter_map(now).collect()
    }
}

/// All objects of the classes with their places, class by class and in the order of numbers; none if
/// there is none. With dice the answer errs.
fn where_are(classes: &[String], known: &[(&str, &str)], errs: Option<&mut ChaCha8Rng>) -> Option<String> {
    let mut placed: Vec<(&str, &str)> = Vec::new();
    for class in classes {
        let of_class = known.iter().filter(|(object, _)| class_of(object) == class);
        placed.extend(by_number(of_class.copied().collect()));
    }
    if let Some(dice) = errs.filter(|_| !placed.is_empty()) {
        let one = dice.random_range(0..placed.len());
        if placed.len() > 1 && dice.random_bool(0.5) {
            placed.remove(one);
        } else if let Some((_, place)) = placed.get_mut(one) {
            let places: BTreeSet<&str> = known.iter().map(|(_, place)| *place).collect();
            let others: Vec<&str> = places.into_iter().filter(|other| other != place).collect();
            *place = others.choose(dice).copied().unwrap_or(place);
        }
    }
    let answer = placements_answer(placed);
    (!answer.is_empty()).then_some(answer)
}

/// The objects that are meant of what was asked for, or that it does not matter.
fn which(asked: &Preference, plan: &Knowledge<'_>, seed: Seed, errs: bool) -> String {
    let is_asked = |name: &str| match asked {
        Preference::Of(classes) => classes.iter().any(|class| class == class_of(name)),
        Preference::Any => true,
    };
    let meant: Vec<&str> = plan.wish().filter(|name| is_asked(name)).collect();
    let class = match asked {
        Preference::Of(classes) => classes.last().map_or("one", String::as_str),
        Preference::Any => "one",
    };
    match (meant.is_empty(), errs) {
        (true, _) => say(seed, NO_PREFERENCE, class),
        (false, true) => say(seed, EVADE, ""),
        (false, false) => format!("I mean {}.", meant.join(" and ")),
    }
}
