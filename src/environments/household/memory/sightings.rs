//! The places where objects were seen or are said to be.

use super::Query;
use super::query::in_hand;
use crate::domain::{Event, Message, View};
use crate::environments::household::class_of;
use crate::environments::household::language::{Fact, for_each_fact, placements_in, placements_paragraph};
use crate::ports::Recall;

/// Where things are, as far as somebody saw it or was told (ABA section 4.2 and appendix E).
#[derive(Clone, Debug, Default)]
pub struct Sightings {
    /// Events before this position are folded.
    folded: usize,
    /// Objects with their places, in the order in which they were learned.
    known: Vec<Sighting>,
    /// The object in hand.
    held: Option<Box<str>>,
}

/// Where an object is.
#[derive(Clone, Debug)]
struct Sighting {
    object: Box<str>,
    receptacle: Box<str>,
    /// It was seen or put there; otherwise somebody said so.
    seen: bool,
}

impl Sightings {
    /// Takes note of one event, for those that fold a view themselves.
    pub fn fold(&mut self, event: &Event) {
        match &event.message {
            Message::Begun(begun) if !begun.keep_world => {
                self.known.clear();
                self.held = None;
            }
            Message::Observed(seen) => self.observe(&seen.text),
            Message::Replied(said) => {
                placements_in(&said.text).for_each(|(object, place)| self.hear(object, place));
            }
            _ => {}
        }
    }

    fn observe(&mut self, text: &str) {
        for_each_fact(text, |fact| match fact {
            Fact::Contents { receptacle, items } => {
                // What was there before and is not listed now is gone.
                self.known.retain(|known| {
                    *known.receptacle != *receptacle || items.clone().any(|item| *item == *known.object)
                });
                items.for_each(|item| self.learn(item, receptacle, true));
            }
            Fact::Taken { object, .. } => {
                self.forget(object);
                self.held = Some(object.into());
            }
            Fact::Put { object, to } => {
                self.held = None;
                self.learn(object, to, true);
            }
            _ => {}
        });
    }

    /// Somebody says that an object is there: what was seen counts more, for nobody else moves things.
    fn hear(&mut self, object: &str, receptacle: &str) {
        let seen = |known: &Sighting| known.seen && *known.object == *object;
        if !self.known.iter().any(seen) {
            self.learn(object, receptacle, false);
        }
    }

    /// An object is there: seen, or said to be.
    fn learn(&mut self, object: &str, receptacle: &str, seen: bool) {
        // An object can be listed where it was taken from.
        if self.held.as_deref() == Some(object) {
            return;
        }
        let same = |known: &&mut Sighting| *known.object == *object && *known.receptacle == *receptacle;
        if let Some(known) = self.known.iter_mut().find(same) {
            known.seen |= seen;
            return;
        }
        self.forget(object);
        self.known.push(Sighting { object: object.into(), receptacle: receptacle.into(), seen });
    }

    fn forget(&mut self, object: &str) {
        self.known.retain(|known| *known.object != *object);
    }

    /// The object in hand.
    pub fn held(&self) -> Option<&str> {
        self.held.as_deref()
    }

    /// Everything that lies somewhere, object and place, in the order in which it was learned.
    pub fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        let known = self.known.iter();
        known.map(|known| (&*known.object, &*known.receptacle))
    }

    /// Where objects of a class lie.
    pub fn of_class<'a>(&'a self, class: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.all().filter(move |(object, _)| class_of(object) == class)
    }

    /// The answer to a [`Query`] about a class (see [`Query::reply`]).
    pub fn recall(&self, class: &str) -> String {
        let held = self.held().filter(|held| class_of(held) == class);
        Query::reply(class, held, self.of_class(class))
    }
}

impl Recall for Sightings {
    fn catch_up(&mut self, view: &View) {
        for event in view.starting_at(self.folded) {
            self.fold(event);
        }
        self.folded = view.end();
    }

    /// `pencil 3 is in diningtable 1. I have pencil 1 with me.`
    fn paragraph(&self) -> String {
        let placed = placements_paragraph(self.all());
        let held = self.held().map(|held| in_hand(held) + ".");
        let known = [Some(placed).filter(|placed| !placed.is_empty()), held];
        known.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    fn answered(&self, thought: &str) -> Option<String> {
        let query = Query::read(thought)?;
        let class = query.class.to_lowercase();
        Some(query.answered(&self.recall(class_of(&class))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Observation, Seat, Utterance};

    fn fold_message(memory: &mut Sightings, message: Message) {
        memory.fold(&Event { seq: 0, cause: None, from: Seat::Environment, to: Seat::Conductor, message });
    }

    fn seen(memory: &mut Sightings, text: &str) {
        fold_message(memory, Message::Observed(Observation::text(text)));
    }

    #[test]
    fn what_was_seen_or_said_is_recalled_until_it_changes() {
        let mut memory = Sightings::default();
        assert_eq!(memory.recall("mug"), "I have never seen mug before.");
        seen(&mut memory, "On the desk 1, you see a mug 2, and a pen 1.");
        fold_message(&mut memory, Message::Replied(Utterance::text("mug 1 is in shelf 1, mug 2 is in desk 1.")));
        assert_eq!(memory.recall("mug"), "mug 2 is in desk 1, mug 1 is in shelf 1.");
        seen(&mut memory, "You pick up the mug 2 from the desk 1.");
        let held = "I have mug 2 with me, mug 1 is in shelf 1.";
        assert_eq!(memory.recall("mug"), held);
        assert_eq!(memory.paragraph(), "pen 1 is in desk 1. mug 1 is in shelf 1. I have mug 2 with me.");
        seen(&mut memory, "You put the mug 2 in/on the safe 1.");
        seen(&mut memory, "On the shelf 1, you see nothing.");
        assert_eq!(memory.recall("mug"), "mug 2 is in safe 1.");
        assert_eq!(memory.recall("pen"), "pen 1 is in desk 1.");
    }

    #[test]
    fn what_is_in_hand_was_seen_and_what_was_put_somewhere_is_there_whatever_is_said() {
        let mut memory = Sightings::default();
        let first = Message::Replied(Utterance::text("mug 2 is in desk 1."));
        fold_message(&mut memory, first.clone());
        seen(&mut memory, "You pick up the mug 2 from the desk 1.");
        fold_message(&mut memory, first.clone());
        seen(&mut memory, "On the desk 1, you see a mug 2.");
        assert_eq!(memory.recall("mug"), "I have mug 2 with me.");
        assert_eq!(memory.recall("pen"), "I have never seen pen before.");
        assert_eq!(memory.all().count(), 0);
        seen(&mut memory, "You move the mug 2 to the safe 1.");
        fold_message(&mut memory, first);
        assert_eq!(memory.recall("mug"), "mug 2 is in safe 1.");
        assert_eq!(memory.held(), None);
    }
}
