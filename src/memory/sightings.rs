//! Where things were seen, and where they are said to be.

use crate::domain::{Event, Message, View};
use crate::text::household::{Fact, class_of, for_each_fact, placements_answer, placements_in};

/// Where things are, as far as somebody saw it or was told (ABA section 4.2 and appendix E).
#[derive(Clone, Debug, Default)]
pub struct Sightings {
    /// Events before this position are folded.
    folded: usize,
    /// Object and place, in the order in which they were learned.
    known: Vec<(Box<str>, Box<str>)>,
}

impl Sightings {
    /// Takes note of what is new in the view.
    pub fn catch_up(&mut self, view: &View) {
        for event in view.starting_at(self.folded) {
            self.fold(event);
        }
        self.folded = view.end();
    }

    /// Takes note of one event, for those that fold a view themselves.
    pub fn fold(&mut self, event: &Event) {
        match &event.message {
            Message::Begun(begun) if !begun.keep_world => self.known.clear(),
            Message::Observed(seen) => self.observe(&seen.text),
            Message::Replied(said) => {
                placements_in(&said.text).for_each(|(object, place)| self.learn(object, place));
            }
            Message::Begun(_) | Message::Opened(_) | Message::Entrusted(_) => {}
            Message::Brief(_) | Message::Moved(_) | Message::Repaired(_) => {}
            Message::Perform(_) | Message::Told(_) | Message::ModelCalled(_) => {}
            Message::Assess | Message::Scored(_) | Message::Fault(_) | Message::Closed(_) => {}
        }
    }

    fn observe(&mut self, text: &str) {
        for_each_fact(text, |fact| match fact {
            Fact::Contents { place, items } => {
                // What was there before and is not listed now is gone.
                self.known.retain(|(object, at)| {
                    **at != *place || items.clone().any(|item| *item == **object)
                });
                items.for_each(|item| self.learn(item, place));
            }
            Fact::Taken { object, .. } => self.forget(object),
            Fact::Put { object, to } => self.learn(object, to),
            Fact::Nothing | Fact::Room(_) | Fact::Task(_) | Fact::Closed(_) => {}
            Fact::Treated { .. } | Fact::TurnedOn(_) | Fact::Facing(_) => {}
        });
    }

    fn learn(&mut self, object: &str, place: &str) {
        let same = |(known, at): &(Box<str>, Box<str>)| **known == *object && **at == *place;
        if !self.known.iter().any(same) {
            self.forget(object);
            self.known.push((object.into(), place.into()));
        }
    }

    fn forget(&mut self, object: &str) {
        self.known.retain(|(known, _)| **known != *object);
    }

    /// Everything that is known, object and place, in the order in which it was learned.
    pub fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        self.known
            .iter()
            .map(|(object, place)| (&**object, &**place))
    }

    /// What is known of the objects of a class.
    pub fn of_class<'a>(&'a self, class: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.all()
            .filter(move |(object, _)| class_of(object) == class)
    }

    /// The answer to a [`Query`](super::Query) about a class: `pencil 3 is in diningtable 1.` or `I
    /// have never seen pencil before.`
    pub fn recall(&self, class: &str) -> String {
        let known = placements_answer(self.of_class(class));
        if known.is_empty() {
            format!("I have never seen {class} before.")
        } else {
            known
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Observation, Seat, Utterance};

    fn told(memory: &mut Sightings, message: Message) {
        memory.fold(&Event {
            seq: 0,
            cause: None,
            from: Seat::Environment,
            to: Seat::Conductor,
            message,
        });
    }

    fn seen(memory: &mut Sightings, text: &str) {
        told(memory, Message::Observed(Observation::text(text)));
    }

    #[test]
    fn what_was_seen_or_said_is_recalled_until_it_changes() {
        let mut memory = Sightings::default();
        assert_eq!(memory.recall("mug"), "I have never seen mug before.");
        seen(&mut memory, "On the desk 1, you see a mug 2, and a pen 1.");
        told(
            &mut memory,
            Message::Replied(Utterance::text("mug 1 is in shelf 1, mug 2 is in desk 1.")),
        );
        assert_eq!(
            memory.recall("mug"),
            "mug 2 is in desk 1, mug 1 is in shelf 1."
        );
        seen(&mut memory, "You pick up the mug 2 from the desk 1.");
        assert_eq!(memory.recall("mug"), "mug 1 is in shelf 1.");
        seen(&mut memory, "You put the mug 2 in/on the safe 1.");
        seen(&mut memory, "On the shelf 1, you see nothing.");
        assert_eq!(memory.recall("mug"), "mug 2 is in safe 1.");
        assert_eq!(memory.recall("pen"), "pen 1 is in desk 1.");
    }
}
