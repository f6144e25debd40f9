//! Which objects are worth taking: of those that are known, the ones that may be meant and were not
//! tried already.
//!
//! In most games any object of the class will do. In an ambiguous one (ABA section 4.2) one is meant
//! and the task does not say which: whoever does not ask has to try one after the other.

use super::{Belief, Goal, Need, Thing, class_of};

impl Belief {
    /// The need of something that has to be found now; none if the next step is known without looking for anything.
    pub(super) fn need(&self) -> Option<Need> {
        let goal = self.goal.as_ref()?;
        let Some(held) = &self.holding else {
            let is_known = self.candidates(goal).next().is_some();
            return (!is_known).then_some(Need::Object);
        };
        let lamp = goal.lamp().filter(|_| !self.is_useless(held, goal))?;
        self.thing(lamp).is_none().then_some(Need::Lamp)
    }

    /// The class of what has to be found now.
    pub(super) fn class_needed(&self) -> Option<&str> {
        Some(self.goal.as_ref()?.class_of(self.need()?))
    }

    /// Objects that may be taken for the task: those that may be meant, and that do not count for it
    /// already.
    pub(super) fn candidates(&self, goal: &Goal) -> impl Iterator<Item = &Thing> {
        let kept = self.kept_at(goal);
        self.objects.iter().filter(move |thing| {
            let place = self.room.receptacle(thing.place);
            let worth_a_way = place.is_some_and(|place| !place.dead && !goal.is_reached_in(place.class()));
            class_of(&thing.name) == &*goal.object
                && Some(thing.place) != kept
                && worth_a_way
                && self.may_be_meant(&thing.name)
        })
    }

    /// The receptacle whose objects count for a task of two: the one of the right class that
    /// holds most of them.
    pub(super) fn kept_at(&self, goal: &Goal) -> Option<u8> {
        if goal.count < 2 {
            return None;
        }
        let most = self
            .room
            .receptacles()
            .filter_map(|(index, place)| {
                let count = self.count_at(index, goal);
                let counts = goal.goes_into(place.class()) && !place.refuses && count > 0;
                counts.then_some((count, index))
            })
            .max_by_key(|(count, index)| (*count, u8::MAX - index));
        most.map(|(_, index)| index)
    }

    fn count_at(&self, index: u8, goal: &Goal) -> usize {
        let here = |thing: &&Thing| thing.place == index && class_of(&thing.name) == &*goal.object;
        self.objects.iter().filter(here).count()
    }

    pub(super) fn thing(&self, class: &str) -> Option<&Thing> {
        self.objects.iter().find(|thing| class_of(&thing.name) == class)
    }

    /// Whether what is in hand cannot serve the task.
    pub(super) fn is_useless(&self, held: &str, goal: &Goal) -> bool {
        class_of(held) != &*goal.object || !self.may_be_meant(held)
    }

    /// Whether the object may be the one that is meant, as far as one knows.
    fn may_be_meant(&self, name: &str) -> bool {
        let holds = |list: &[Box<str>]| list.iter().any(|other| **other == *name);
        !holds(&self.tried) && (self.wanted.is_empty() || holds(&self.wanted))
    }

    /// How many more objects the task needs as things are.
    pub(super) fn still_needed(&self, goal: &Goal) -> usize {
        let kept = self.kept_at(goal);
        let in_place = kept.map_or(0, |kept| self.count_at(kept, goal));
        goal.count.saturating_sub(in_place).max(1)
    }

    /// These are the objects that are meant. What was tried already is not believed.
    pub(super) fn want(&mut self, objects: &[Box<str>]) {
        let class = self.goal.as_ref().map_or("", |goal| &goal.object);
        let kept = self.goal.as_ref().and_then(|goal| self.kept_at(goal));
        let in_place = |name: &str| {
            let there = |thing: &Thing| Some(thing.place) == kept && &*thing.name == name;
            self.objects.iter().any(there)
        };
        let fits = |name: &str, tried: bool| class_of(name) == class && !tried && !in_place(name);
        let meant = objects.iter().filter(|name| fits(name, self.tried.contains(name)));
        self.wanted = meant.cloned().collect();
    }

    /// An object was put somewhere: whether that was all that the task asks for, if this is the one
    /// that is meant.
    pub(super) fn try_put(&mut self, object: &str, to: &str) {
        let Some(goal) = &self.goal else {
            return;
        };
        let treated = goal.treatment.is_none() || self.treated.as_deref() == Some(object);
        if !goal.goes_into(class_of(to)) || !treated {
            return;
        }
        if goal.count == 1 {
            return self.try_in_vain(object);
        }
        self.wanted.retain(|wanted| **wanted != *object);
        let kept = self.kept_at(goal);
        let there = kept.map_or(0, |kept| self.count_at(kept, goal));
        self.just_tried = there > 1 && self.wanted.is_empty();
    }

    /// The object was used as the task asks for. Had it been the one that is meant, all would be over.
    pub(super) fn try_in_vain(&mut self, object: &str) {
        self.wanted.retain(|wanted| **wanted != *object);
        self.tried.push(object.into());
        self.just_tried = true;
    }

    /// Where everything was seen and what is meant was not there, somebody was wrong about it.
    pub(super) fn give_up_what_is_nowhere(&mut self) {
        let nowhere = !self.wanted.is_empty()
            && self.need() == Some(Need::Object)
            && !self.room.receptacles().any(|(index, _)| self.is_unseen(index));
        if nowhere {
            self.wanted.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn belief(task: &str) -> Belief {
        let mut belief = Belief::default();
        let text = format!(
            "You are in the middle of a room. Looking quickly around you, you see a desk 1, a shelf \
             2, and a shelf 1.\nYour task is to: {task}."
        );
        belief.observe(&text, false, "");
        step(&mut belief, "go to shelf 1", "On the shelf 1, you see a cd 2, and a cd 1.");
        belief
    }

    fn step(belief: &mut Belief, action: &str, text: &str) {
        belief.perform(action);
        belief.observe(text, false, "");
    }

    fn open(belief: &Belief) -> Vec<&str> {
        let candidates = belief.candidates(belief.goal.as_ref().unwrap());
        candidates.map(|thing| &*thing.name).collect()
    }

    #[test]
    fn what_was_put_in_place_in_vain_is_not_taken_again() {
        let mut belief = belief("put a cd in desk");
        assert_eq!(open(&belief), ["cd 2", "cd 1"]);
        belief.want(&["cd 1".into(), "pen 1".into()]);
        assert_eq!(open(&belief), ["cd 1"]);
        step(&mut belief, "take cd 1 from shelf 1", "You pick up the cd 1 from the shelf 1.");
        step(&mut belief, "move cd 1 to desk 1", "You move the cd 1 to the desk 1.");
        assert!(belief.just_tried);
        assert_eq!(open(&belief), ["cd 2"], "who said so was wrong");
        belief.want(&["cd 1".into()]);
        assert_eq!(open(&belief), ["cd 2"]);
    }

    #[test]
    fn what_is_meant_and_nowhere_is_given_up() {
        let mut belief = belief("put a cd in desk");
        belief.want(&["cd 7".into()]);
        assert_eq!(belief.need(), Some(Need::Object));
        step(&mut belief, "go to shelf 2", "On the shelf 2, you see nothing.");
        assert_eq!(belief.need(), Some(Need::Object));
        step(&mut belief, "go to desk 1", "On the desk 1, you see nothing.");
        assert_eq!(belief.need(), None);
        assert_eq!(open(&belief), ["cd 2", "cd 1"]);
    }

    #[test]
    fn to_two_in_place_others_are_added() {
        let mut belief = belief("put two cd in desk");
        step(&mut belief, "go to shelf 2", "On the shelf 2, you see a cd 3.");
        for cd in ["cd 2", "cd 1"] {
            assert!(!belief.just_tried);
            let take = format!("You pick up the {cd} from the shelf 1.");
            step(&mut belief, "take", &take);
            let put = format!("You move the {cd} to the desk 1.");
            step(&mut belief, "move", &put);
        }
        assert!(belief.just_tried);
        assert_eq!(open(&belief), ["cd 3"]);
        assert_eq!(belief.still_needed(belief.goal.as_ref().unwrap()), 1);
    }

    #[test]
    fn what_was_shown_to_the_lamp_in_vain_is_put_down() {
        let mut belief = belief("look at cd under the desklamp");
        step(&mut belief, "go to desk 1", "On the desk 1, you see a desklamp 1.");
        step(&mut belief, "take cd 2 from shelf 1", "You pick up the cd 2 from the shelf 1.");
        assert!(!belief.is_useless("cd 2", belief.goal.as_ref().unwrap()));
        step(&mut belief, "use desklamp 1", "You turn on the desklamp 1.");
        assert!(belief.is_useless("cd 2", belief.goal.as_ref().unwrap()));
        assert_eq!(belief.need(), None);
        step(&mut belief, "move cd 2 to desk 1", "You move the cd 2 to the desk 1.");
        assert_eq!(open(&belief), ["cd 1"]);
    }
}
