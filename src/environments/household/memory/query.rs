//! The question that an agent puts to itself before it asks somebody else (ABA appendix E).

use crate::environments::household::language::{placements_answer, placements_in};

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
        let mut parts = self.answer.split([',', '.']).map(str::trim);
        parts.find_map(|part| part.strip_prefix(before)?.strip_suffix(after))
    }

    /// The thought with another answer.
    pub fn answered(&self, answer: &str) -> String {
        let asked = self.asked.trim_end_matches('>').trim_end();
        format!("{asked} > {answer}")
    }
}

/// That an object is in hand.
pub(super) fn in_hand(object: &str) -> String {
    let (before, after) = IN_HAND;
    format!("{before}{object}{after}")
}

#[cfg(test)]
mod tests {
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
}
