//! The variants of the household (ABA section 4.2), what may be told of likely places (ReSpAct section 5.2), the wish
//! in an ambiguous game: one specific object of the goal's class, or two where two are to be put somewhere, and games
//! with another aim in their room.
//!
//! Counting for a goal is a property of things (`traits::GOAL_OBJECT`, `traits::GOAL_TARGET`), so that a room with
//! another aim is a copy of the game with other properties: neither the check of the goal nor the search for plans
//! knows of variants, and a standard game pays nothing for them.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use super::game::TASK_PREFIX;
use super::{Game, Goal, PlanLimits, Planner, TaskType, World, class_of, dice, shortest_plan, split_name, traits};
use rolecall_core::domain::Seed;
use rolecall_core::text::unique;

/// The variant of a game: the demands besides its sentence.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// The official game: any objects of the class will do.
    #[default]
    Standard,
    /// One specific object of the class counts (of two to be put somewhere: two), which the sentence
    /// does not say.
    Ambiguous,
    /// After a solved task there is another one in the same room.
    MultiRound,
}

impl Variant {
    /// The words of configs, the default first.
    pub const WORDS: &'static [&'static str] = &["standard", "ambiguous", "multi-round"];

    /// The word of configs.
    pub const fn as_str(self) -> &'static str {
        Self::WORDS[self as usize]
    }
}

/// The hints that an agent is given of where objects are (ReAct*).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Hints {
    /// Nothing.
    #[default]
    None,
    /// The classes of receptacles.
    Classes,
    /// The receptacles.
    Places,
}

impl Hints {
    /// The words of configs, the default first.
    pub const WORDS: &'static [&'static str] = &["none", "classes", "places"];
}

/// Where the objects of interest are at the start: a text such as `mug: countertop, cabinet` for each
/// class, in the order of the receptacles of the first observation.
///
/// Of interest are the class of the goal's object and the lamps of a goal with light; in a room with
/// many rounds everything that a later task may be about.
pub(super) fn likely_places(world: &World, variant: Variant, hints: Hints) -> Vec<Value> {
    let game = world.game();
    let mut classes: Vec<&str> = vec![game.goal().object_class()];
    if game.task_type() == TaskType::LookInLight {
        classes.push(game.goal().target_class());
    }
    if variant == Variant::MultiRound {
        let serving = world
            .state
            .contents
            .iter()
            .map(|(_, object)| object)
            .filter(|object| game.has(*object, traits::PICKUPABLE) || is_lamp(game, *object));
        classes.extend(serving.map(|object| class_of(game.objects.get(object))));
    }
    unique(classes)
        .into_iter()
        .filter_map(|class| {
            let placed = world.placements();
            let placed = placed.filter(|(object, _)| class_of(object) == class);
            let places = unique(placed.map(|(_, place)| match hints {
                Hints::Classes => class_of(place),
                Hints::None | Hints::Places => place,
            }));
            (!places.is_empty()).then(|| Value::from(format!("{class}: {}", places.join(", "))))
        })
        .collect()
}

/// Whether a thing is a lamp that can be switched on.
pub(super) fn is_lamp(game: &Game, thing: u16) -> bool {
    let class = class_of(game.objects.get(thing));
    game.has(thing, traits::TOGGLEABLE) && class.ends_with("lamp")
}

/// The objects that are meant in a task, and a plan for them.
#[derive(Debug, Clone)]
pub struct Wish {
    /// The game in which these objects alone count.
    pub game: Arc<Game>,
    /// Names of the objects, one or two, by number.
    pub objects: Vec<String>,
    /// A shortest plan from the state of the room for which the wish was drawn.
    pub plan: Vec<String>,
}

impl Wish {
    /// Draws what is meant, among the objects (or pairs of them) for which the goal can be reached and
    /// does not hold yet. None if there are none.
    pub fn draw(world: &World, seed: Seed) -> Option<Self> {
        let game = world.game();
        let planner = Planner::new(world);
        let mut objects: Vec<u16> = present(world);
        objects.retain(|object| planner.is_useful(*object));
        dice("wish", &[seed.0]).shuffle(&mut objects);
        let two = game.task_type() == TaskType::PickTwo;
        let mut choices: Vec<Vec<u16>> = Vec::new();
        for (place, first) in objects.iter().enumerate() {
            match objects.get(place + 1..) {
                Some(more) if two => choices.extend(more.iter().map(|other| vec![*first, *other])),
                _ => choices.push(vec![*first]),
            }
        }
        choices.into_iter().find_map(|choice| Self::of(world, &choice))
    }

    /// The wish for these objects, if it can be fulfilled and is not yet.
    fn of(world: &World, objects: &[u16]) -> Option<Self> {
        let whole = world.game();
        let counts = |thing| !whole.has(thing, traits::GOAL_OBJECT) || objects.contains(&thing);
        let game = Arc::new(whole.narrowed(counts));
        let mut meant = world.clone();
        meant.pursue(Arc::clone(&game));
        let plan = shortest_plan(&meant, PlanLimits::default()).ok()?.commands;
        let names = objects.iter().map(|object| game.objects.get(*object));
        let mut names: Vec<String> = names.map(str::to_owned).collect();
        names.sort_by_key(|name| split_name(name).map(|(_, number)| number));
        (!plan.is_empty()).then_some(Self { game, objects: names, plan })
    }
}

/// How many objects of the goal's class the room has.
pub fn alternatives(world: &World) -> usize {
    present(world).len()
}

/// The objects of the goal's class that lie somewhere or are held, each once.
fn present(world: &World) -> Vec<u16> {
    let mut objects: Vec<u16> =
        world.state.contents.iter().map(|(_, object)| object).chain(world.state.held()).collect();
    objects.retain(|object| world.game().has(*object, traits::GOAL_OBJECT));
    objects.sort_unstable();
    objects.dedup();
    objects
}

impl Game {
    /// The game in which of the things that could serve its goal only those count that are kept.
    pub(crate) fn narrowed(&self, kept: impl Fn(u16) -> bool) -> Self {
        let mut game = self.clone();
        let light = game.task_type() == TaskType::LookInLight;
        let lamps = if light { traits::GOAL_TARGET } else { 0 };
        for (thing, traits) in (0..).zip(&mut *game.traits) {
            if !kept(thing) {
                *traits &= !(traits::GOAL_OBJECT | lamps);
            }
        }
        game
    }

    /// The game whose task is asked for by another sentence.
    pub(crate) fn reworded(&self, sentence: &str) -> Self {
        let mut game = self.clone();
        game.task = format!("{TASK_PREFIX}{sentence}").into();
        game
    }

    /// The room with another task, for objects and targets of these classes; `second` chooses
    /// between the two wordings of its sentence.
    pub(crate) fn with_task(&self, task_type: TaskType, object: &str, target: &str, second: bool) -> Self {
        let mut game = self.clone();
        let light = task_type == TaskType::LookInLight;
        for (thing, traits) in (0..).zip(&mut *game.traits) {
            let class = class_of(self.objects.get(thing));
            let placed = self.location(thing) != super::NONE;
            let switchable = *traits & traits::TOGGLEABLE != 0;
            let can_serve = if light { switchable } else { placed };
            *traits &= !(traits::GOAL_OBJECT | traits::GOAL_TARGET);
            if class == object && !placed {
                *traits |= traits::GOAL_OBJECT;
            }
            if class == target && can_serve {
                *traits |= traits::GOAL_TARGET;
            }
        }
        let asked = task_type.sentence(object, target, second);
        game.task = format!("{TASK_PREFIX}{asked}.").into();
        game.walkthrough = None;
        game.goal = Goal { task_type, object: format!("{object}type").into(), target: format!("{target}type").into() };
        game
    }
}

#[cfg(test)]
mod tests {
    use super::super::generate::{Generator, Split, Wishes};
    use rolecall_core::ports::{ParameterValue, Parameters};

    use super::*;

    #[test]
    fn every_word_means_its_variant() {
        let named = |word: &str| {
            let word = ParameterValue::Text(word.to_owned());
            Parameters::default().with("word", word)
        };
        for word in Variant::WORDS {
            assert_eq!(named(word).choice::<Variant>("word").as_str(), *word);
        }
        let hints: Vec<Hints> = Hints::WORDS.iter().map(|word| named(word).choice("word")).collect();
        assert_eq!(hints, [Hints::None, Hints::Classes, Hints::Places]);
        assert_eq!(named("other").choice::<Hints>("word"), Hints::None);
        assert_eq!(named("").choice::<Hints>("absent"), Hints::None);
    }

    #[test]
    fn a_games_own_task_by_its_classes_is_the_game_again() {
        let generator = Generator::new(Wishes::new(Split::Unseen, 1)).unwrap();
        for index in 0..24 {
            let made = generator.game(index).unwrap();
            let game = Game::from_json(&made.id, made.game.as_bytes()).unwrap();
            let goal = game.goal();
            let classes = (goal.object_class(), goal.target_class());
            let other = game.with_task(TaskType::PickClean, "fork", "shelf", false);
            assert_eq!(other.task_sentence(), "put a clean fork in shelf.");
            let wordings = [false, true].map(|second| other.with_task(goal.task_type, classes.0, classes.1, second));
            assert!(wordings.iter().any(|reworded| reworded.task == game.task), "{}", game.task);
            for reworded in wordings {
                assert_eq!((&reworded.goal, &reworded.traits), (&game.goal, &game.traits));
            }
            let none = game.narrowed(|_| false);
            assert!(none.traits.iter().all(|traits| traits & traits::GOAL_OBJECT == 0));
        }
    }
}
