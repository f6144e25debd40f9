//! The memory from turn to turn and from task to task: where objects were seen or are said to be, and the question that
//! an agent puts to itself before it asks somebody else (ABA appendix E).
//!
//! A memory is a fold over a view, so keeping it between turns is only a cache; any role can have one.

use crate::class_of;
use crate::language::{Fact, for_each_fact, placements_answer, placements_in, placements_paragraph};
use rolecall_core::domain::{Event, Message, View};
use rolecall_core::ports::Recall;

/// The beginning of the answer of who knows nothing.
const NEVER: &str = "I have never seen ";

/// The words around the name of the object in hand.
const IN_HAND: (&str, &str) = ("I have ", " with me");

/// The beginning of such a question within a thought.
const MARK: &str = "### query:";

/// A self-query within a thought: `### query: mug > I have never seen mug before.`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Query<'a> {
    /// The thought up to where the answer begins.
    pub asked: &'a str,
    /// The class of objects that is asked about.
    pub class: &'a str,
    /// The rest of the thought: the answer, or nothing yet.
    pub answer: &'a str,
}

impl<'a> Query<'a> {
    /// Finds the last self-query of a thought.
    pub fn read(thought: &'a str) -> Option<Self> {
        let start = thought.rfind(MARK)? + MARK.len();
        let rest = thought.get(start..)?;
        let (class, answer) = rest.split_once('>').unwrap_or((rest, ""));
        let asked = thought.len() - answer.len();
        let class = class.trim();
        (!class.is_empty()).then_some(Self { asked: thought.get(..asked)?.trim_end(), class, answer: answer.trim() })
    }

    /// The words of a self-query about a class, answered.
    pub fn written(class: &str, answer: &str) -> String {
        format!("{MARK} {class} > {answer}")
    }

    /// The answer of who knows of `placed`, objects of the class with their places, and holds `held`:
    /// `I have pencil 1 with me, pencil 3 is in diningtable 1.`, or `I have never seen pencil before.`
    pub fn reply<'o>(class: &str, held: Option<&str>, placed: impl IntoIterator<Item = (&'o str, &'o str)>) -> String {
        let placed = placements_answer(placed);
        match (held, placed.as_str()) {
            (Some(held), "") => format!("{}.", in_hand(held)),
            (Some(held), placed) => format!("{}, {placed}", in_hand(held)),
            (None, "") => format!("{NEVER}{class} before."),
            (None, _) => placed,
        }
    }

    /// Whether the answer tells of an object of the class: where one is, or that one is in hand.
    pub fn is_known(&self) -> bool {
        self.held().is_some() || placements_in(self.answer).next().is_some()
    }

    /// The object that is in hand, as the answer says.
    pub fn held(&self) -> Option<&'a str> {
        let (before, after) = IN_HAND;
        self.answer.split([',', '.']).map(str::trim).find_map(|part| part.strip_prefix(before)?.strip_suffix(after))
    }

    /// The thought with another answer.
    pub fn answered(&self, answer: &str) -> String {
        let asked = self.asked.trim_end_matches('>').trim_end();
        format!("{asked} > {answer}")
    }
}

/// The answer that an object is in hand.
fn in_hand(object: &str) -> String {
    let (before, after) = IN_HAND;
    format!("{before}{object}{after}")
}

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
        self.known.iter().map(|known| (&*known.object, &*known.receptacle))
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
    use rolecall_core::domain::{Observation, Seat, Utterance};

    use super::*;

    #[test]
    fn an_answer_tells_what_is_in_hand_where_the_rest_is_or_that_nothing_is_known() {
        let placed = [("mug 3", "desk 1"), ("mug 2", "shelf 1")];
        let table = [
            (None, &placed[..0], "I have never seen mug before.", false),
            (None, &placed[..], "mug 3 is in desk 1, mug 2 is in shelf 1.", true),
            (Some("mug 1"), &placed[..0], "I have mug 1 with me.", true),
            (Some("mug 1"), &placed[..1], "I have mug 1 with me, mug 3 is in desk 1.", true),
        ];
        for (held, placed, answer, known) in table {
            let said = Query::reply("mug", held, placed.iter().copied());
            assert_eq!(said, answer);
            let thought = Query::written("mug", &said);
            let query = Query::read(&thought).unwrap();
            assert_eq!((query.is_known(), query.held()), (known, held), "{thought}");
            let read: Vec<_> = placements_in(query.answer).collect();
            assert_eq!(read, placed);
        }
    }

    #[test]
    fn a_query_is_read_with_and_without_its_answer() {
        let thought = "First I need a mug. ### query: mug > I have never seen mug before.";
        let query = Query::read(thought).unwrap();
        assert_eq!((query.class, query.answer), ("mug", "I have never seen mug before."));
        assert_eq!(query.answered("x"), "First I need a mug. ### query: mug > x");
        let open = Query::read("### query: pencil").unwrap();
        assert_eq!((open.class, open.answer), ("pencil", ""));
        assert_eq!(open.answered("x"), Query::written("pencil", "x"));
        for none in ["", "### query:", "### query: > x", "query: mug >"] {
            assert_eq!(Query::read(none), None, "{none}");
        }
    }

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
