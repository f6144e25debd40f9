//! The same room with another aim: one specific object of the goal's class, or another task.
//!
//! Counting for a goal is a property of things ([`traits::GOAL_OBJECT`], [`traits::GOAL_TARGET`]),
//! so that a room with another aim is a copy of the game with other properties: neither the check of
//! the goal nor the search for plans knows of variants, and a standard game pays nothing for them.

use super::game::TASK_PREFIX;
use super::sentence::sentence;
use super::{Game, Goal, TaskType, class_of, traits};

impl Game {
    /// The same game in which of the things that could serve its goal only those count that are kept.
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

    /// The same game whose task is asked for by another sentence.
    pub(crate) fn reworded(&self, sentence: &str) -> Self {
        let mut game = self.clone();
        game.task = format!("{TASK_PREFIX}{sentence}").into();
        game
    }

    /// The same room with another task, for objects and targets of these classes; `second` chooses
    /// between the two wordings of its sentence.
    pub(crate) fn with_task(&self, task_type: TaskType, object: &str, target: &str, second: bool) -> Self {
        let mut game = self.clone();
        let light = task_type == TaskType::LookInLight;
        for (thing, traits) in (0..).zip(&mut *game.traits) {
            let class = class_of(self.objects.get(thing));
            let placed = self.location(thing) != super::state::NONE;
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
        let asked = sentence(task_type, object, target, second);
        game.task = format!("{TASK_PREFIX}{asked}.").into();
        game.walkthrough = None;
        game.goal = Goal { task_type, object: format!("{object}type").into(), target: format!("{target}type").into() };
        game
    }
}

#[cfg(test)]
mod tests {
    use super::super::generate::{Generator, Split, Wishes};
    use super::*;

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
            assert!(wordings.iter().any(|own| own.task == game.task), "{}", game.task);
            for own in wordings {
                assert_eq!((&own.goal, &own.traits), (&game.goal, &game.traits));
            }
            let none = game.narrowed(|_| false);
            assert!(none.traits.iter().all(|traits| traits & traits::GOAL_OBJECT == 0));
        }
    }
}
