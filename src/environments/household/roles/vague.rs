//! Tasks that leave out a class: a guess until somebody says what is meant, and forever where nobody does.

use super::{Belief, Goal, Prior};

/// The lamp that most rooms with one have.
const LAMP: &str = "desklamp";

/// The question for what a task leaves out.
pub(super) const WHAT_EXACTLY: &str = "The task does not say everything. What exactly am I to do?";

impl Belief {
    /// The goal with a guess for the class that its sentence leaves out: what is kept there, or where it is kept in
    /// this room, as far as that is known.
    pub(super) fn guessed(&self, mut goal: Goal) -> Goal {
        if goal.object.is_empty() {
            let place = if goal.light { "desk" } else { &*goal.target };
            goal.object = Prior::kept_in(place).into();
        }
        if goal.target.is_empty() {
            let prior = Prior::of(&goal.object, self.search);
            let classes = self.room.receptacles().map(|(_, place)| place.class());
            let likely = |one: &&str, other: &&str| prior.likelihood(one).total_cmp(&prior.likelihood(other));
            let place = classes.max_by(likely).unwrap_or("countertop");
            goal.target = if goal.light { LAMP } else { place }.into();
        }
        goal
    }

    /// Somebody has said what the task is. What was seen was not looked at with that in mind.
    pub(super) fn correct(&mut self, goal: Goal) {
        (self.goal, self.vague) = (Some(goal), false);
        self.objects.clear();
        self.room.forget_contents();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begun(task: &str) -> Belief {
        let mut belief = Belief::default();
        let text = format!(
            "You are in the middle of a room. Looking quickly around you, you see a desk 1, a \
             cabinet 1, and a shelf 1.\nYour task is to: {task}"
        );
        belief.observe(&text, false, "put");
        belief
    }

    #[test]
    fn what_is_left_out_is_guessed_until_it_is_said() {
        for (task, object, target) in [
            ("put a mug somewhere", "mug", "cabinet"),
            ("put something in fridge", "tomato", "fridge"),
            ("examine the mug somehow", "mug", "desklamp"),
        ] {
            let belief = begun(task);
            let goal = belief.goal.clone().unwrap();
            assert_eq!((&*goal.object, &*goal.target), (object, target), "{task}");
            assert!(belief.vague);
        }
        let mut belief = begun("put a mug somewhere");
        let whole = Goal::stated("put a hot mug in shelf.").unwrap();
        belief.correct(whole.clone());
        assert_eq!((belief.goal, belief.vague), (Some(whole), false));
        assert!(!begun("put a mug in shelf.").vague);
    }
}
