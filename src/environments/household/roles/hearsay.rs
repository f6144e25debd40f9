//! The player's knowledge of what it does not see now: from what it was told (`mug 1 is in shelf 2`),
//! from hints and lessons, and from earlier tasks in the same room.

use super::{Belief, KnownReceptacle, Recall, Thing, class_of, placements_in};

/// The placements of objects of the task's classes in a reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Placements {
    /// Placements of such objects.
    pub(super) said: usize,
    /// Those of them that do not contradict what was seen.
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
                let objects = self.objects.iter_mut();
                objects.for_each(|thing| thing.is_hearsay = true);
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
        let mut hints = self.hints.iter().chain(&self.lessons);
        hints.any(|hint| hint.names(class, receptacle))
    }

    /// Whether the player recalls an object of the class, and where.
    pub(super) fn recalled(&self, class: &str) -> impl Iterator<Item = (&str, &str)> {
        let objects = self.objects.iter();
        let of_class = objects.filter(move |thing| class_of(&thing.name) == class);
        of_class.filter_map(|thing| {
            let place = self.room.receptacle(thing.place)?;
            Some((&*thing.name, &*place.name))
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::recall::Hint;
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
            let hinted = places.filter(|(_, place)| belief.is_hinted(class, place));
            hinted.map(|(index, _)| index).collect()
        };
        assert_eq!(hinted(&belief, "cd"), [1]);
        assert_eq!(hinted(&belief, "pen"), [1, 2]);
        assert!(Hint::read(&json!("cd: shelf")).is_empty());
        belief.begin_anew();
        assert_eq!(belief.hints.len(), 2, "the next trial knows them too");
    }
}
