//! The player's knowledge of what it does not see now: from what it was told (`mug 1 is in shelf 2`), from hints and
//! lessons, and from earlier tasks in the same room; and its guess where the task leaves out a class, until somebody
//! says what is meant, and forever where nobody does.

use serde::Deserialize;
use serde_json::Value;

use super::{Belief, Goal, KnownReceptacle, Prior, Thing, class_of, placements_in};

/// The placements of objects of the task's classes in a reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Placements {
    /// Placements of such objects.
    pub(super) said: usize,
    /// Placements that do not contradict what was seen.
    pub(super) usable: usize,
}

impl Belief {
    /// Takes note of every `A is in B` of a reply.
    pub(super) fn hear(&mut self, reply: &str) -> Placements {
        let mut placements = Placements::default();
        for (object, place) in placements_in(reply) {
            if self.matters(object) {
                placements.said += 1;
                placements.usable += usize::from(self.believe(object, place));
            }
        }
        placements
    }

    /// Whether somebody may be right that the object is there: what was seen counts more.
    fn believe(&mut self, object: &str, receptacle: &str) -> bool {
        let Some((index, place)) = self.room.named(receptacle) else {
            return false;
        };
        let seen = place.seen_at > 0;
        let known = self.objects.iter_mut().find(|thing| *thing.name == *object);
        match known {
            Some(known) if !known.is_hearsay => known.place == index,
            _ if seen || self.holding.as_deref() == Some(object) => false,
            Some(known) => {
                known.place = index;
                true
            }
            None => {
                self.objects.push(Thing::new(object, index, true));
                true
            }
        }
    }

    /// Another task in the same room: what is not recalled is forgotten.
    pub(super) fn leave_task(&mut self) {
        self.new_task = true;
        self.treated = None;
        self.shunned.clear();
        self.tried.clear();
        self.wanted.clear();
        match self.recall {
            Recall::None => {
                self.objects.clear();
                self.room.forget_contents();
            }
            Recall::Model => {
                let left = std::mem::take(&mut self.objects);
                self.noted.retain(|old| !left.iter().any(|new| new.name == old.name));
                self.noted.extend(left);
                self.room.forget_contents();
                let noted = self.noted.clone().into_iter();
                self.objects = noted.filter(|thing| self.matters(&thing.name)).collect();
                self.objects.iter_mut().for_each(|thing| thing.is_hearsay = true);
            }
            Recall::Module => {
                self.objects.clear();
                self.room.forget_doubts();
            }
        }
    }

    /// Recalls objects of the task's classes with their places.
    pub(super) fn remember<'a>(&mut self, known: impl Iterator<Item = (&'a str, &'a str)>) {
        for (object, place) in known {
            if let Some((index, place)) = self.room.named(place)
                && self.matters(object)
            {
                let hearsay = place.seen_at == 0;
                self.objects.push(Thing::new(object, index, hearsay));
            }
        }
    }

    /// Whether somebody said that objects of the class are likely to be there.
    pub(super) fn is_hinted(&self, class: &str, receptacle: &KnownReceptacle) -> bool {
        self.hints.iter().chain(&self.lessons).any(|hint| hint.names(class, receptacle))
    }

    /// Whether the player recalls an object of the class, and where.
    pub(super) fn recalled(&self, class: &str) -> impl Iterator<Item = (&str, &str)> {
        self.objects.iter().filter(move |thing| class_of(&thing.name) == class).filter_map(|thing| {
            let place = self.room.receptacle(thing.place)?;
            Some((&*thing.name, &*place.name))
        })
    }
}

/// The lamp that most rooms with one have.
const LAMP: &str = "desklamp";

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

/// The player's memory when the next task in the same room begins (ABA section 4.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Recall {
    /// Nothing.
    #[default]
    None,
    /// The memory of a fallible reader: objects of those classes that earlier tasks named, as far as it
    /// knew of them when those tasks ended.
    Model,
    /// Everything that was seen or told, from [`Sightings`](crate::memory::Sightings).
    Module,
}

/// Where objects of a class are likely to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hint {
    /// The class.
    class: Box<str>,
    /// Receptacles, or classes of them.
    places: Vec<Box<str>>,
}

impl Hint {
    /// Reads the private part `likely_places`: a list of texts such as `mug: countertop, cabinet 2`.
    pub(super) fn read(part: &Value) -> Vec<Self> {
        let hints = part.as_array().map_or(&[][..], Vec::as_slice).iter().filter_map(|line| {
            let (class, places) = line.as_str()?.split_once(':')?;
            let places = places.split(',').map(str::trim);
            let places = places.filter(|place| !place.is_empty()).map(Box::from);
            Some(Self { class: class.trim().into(), places: places.collect() })
        });
        hints.collect()
    }

    /// Objects of the class are likely to be in these receptacles.
    pub(super) fn of(class: &str, places: Vec<Box<str>>) -> Self {
        Self { class: class.into(), places }
    }

    /// Whether this is about objects of the class and the receptacle.
    pub(super) fn names(&self, class: &str, receptacle: &KnownReceptacle) -> bool {
        let mut places = self.places.iter().map(|named| &**named);
        *self.class == *class && places.any(|named| named == &*receptacle.name || named == receptacle.class())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn begun(recall: Recall) -> Belief {
        let mut belief = Belief::default();
        belief.recall = recall;
        let text = "You are in the middle of a room. Looking quickly around you, you see a desk 1, \
                    a shelf 2, and a shelf 1.\nYour task is to: put a cd in desk.";
        belief.observe(text, false, "put");
        belief
    }

    fn step(belief: &mut Belief, action: &str, text: &str) {
        belief.perform(action);
        belief.observe(text, false, "put");
    }

    fn known(belief: &Belief, class: &str) -> Vec<String> {
        let known = belief.recalled(class);
        known.map(|(object, place)| format!("{object} {place}")).collect()
    }

    #[test]
    fn what_was_seen_counts_more_than_what_was_told() {
        let mut belief = begun(Recall::None);
        let placements = belief.hear("cd 1 is in shelf 1, cd 2 is in shelf 2, pen 1 is in desk 1.");
        assert_eq!((placements.said, placements.usable), (2, 2));
        assert_eq!(belief.need(), None);
        step(&mut belief, "go to shelf 1", "On the shelf 1, you see a cd 2.");
        assert_eq!(known(&belief, "cd"), ["cd 2 shelf 1"]);
        assert_eq!(belief.misled_by, belief.room.find("shelf 1"));
        let placements = belief.hear("cd 1 is in shelf 1, cd 2 is in shelf 2.");
        assert_eq!((placements.said, placements.usable), (2, 0));
        let placements = belief.hear("I think cd 2 is on the shelf 1, and cd 3 is in the attic 9.");
        assert_eq!((placements.said, placements.usable), (2, 1));
    }

    #[test]
    fn what_is_recalled_of_earlier_tasks_is_a_choice() {
        let table = [
            (Recall::None, vec![], vec![]),
            (Recall::Model, vec![], vec!["cd 1 desk 1"]),
            (Recall::Module, vec!["pen 1 shelf 1"], vec!["cd 1 desk 1"]),
        ];
        for (recall, pens, cds) in table {
            let mut belief = begun(recall);
            let seen = "On the shelf 1, you see a cd 1, and a pen 1.";
            step(&mut belief, "go to shelf 1", seen);
            step(&mut belief, "take", "You pick up the cd 1 from the shelf 1.");
            step(&mut belief, "move", "You move the cd 1 to the desk 1.");
            let all = [("pen 1", "shelf 1"), ("cd 1", "desk 1")];
            let mut next = |task: &str| {
                belief.expect_task();
                let text = format!("Your next task is to: put some {task} on shelf.");
                belief.observe(&text, false, "put");
                assert!(belief.new_task);
                if recall == Recall::Module {
                    belief.remember(all.into_iter());
                }
                known(&belief, task)
            };
            assert_eq!(next("pen"), pens, "{recall:?}");
            assert_eq!(next("cd"), cds, "{recall:?}");
        }
    }

    #[test]
    fn the_same_task_again_is_another_task() {
        let mut belief = begun(Recall::None);
        step(&mut belief, "go to shelf 1", "On the shelf 1, you see a cd 1.");
        belief.expect_task();
        belief.observe("Your next task is to: put a cd in desk.", false, "put");
        assert!(belief.new_task && belief.objects.is_empty());
    }

    #[test]
    fn hints_name_classes_or_receptacles() {
        let mut belief = begun(Recall::None);
        belief.hints = Hint::read(&json!(["cd: shelf 2, bed", "nonsense", 3, "pen : shelf"]));
        let hinted = |belief: &Belief, class: &str| -> Vec<u8> {
            let places = belief.room.receptacles();
            places.filter(|(_, place)| belief.is_hinted(class, place)).map(|(index, _)| index).collect()
        };
        assert_eq!(hinted(&belief, "cd"), [1]);
        assert_eq!(hinted(&belief, "pen"), [1, 2]);
        assert!(Hint::read(&json!("cd: shelf")).is_empty());
        belief.begin_anew();
        assert_eq!(belief.hints.len(), 2, "the next trial knows them too");
    }

    fn belief_of(task: &str) -> Belief {
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
            let belief = belief_of(task);
            let goal = belief.goal.clone().unwrap();
            assert_eq!((&*goal.object, &*goal.target), (object, target), "{task}");
            assert!(belief.vague);
        }
        let mut belief = belief_of("put a mug somewhere");
        let whole = Goal::stated("put a hot mug in shelf.").unwrap();
        belief.correct(whole.clone());
        assert_eq!((belief.goal, belief.vague), (Some(whole), false));
        assert!(!belief_of("put a mug in shelf.").vague);
    }
}
