//! Reading what the user said: where to look, where not, and which object.

use super::{Belief, Goal};
use crate::language::is_meant;

use rolecall_core::text::mention::{Mention, Word, mentions, words};
use rolecall_core::text::unique;

/// The parts of a reply that the player can use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Advice {
    /// Receptacles to look into, in the order of the reply.
    pub(super) places: Vec<u8>,
    /// Receptacles that are said not to hold what is looked for.
    pub(super) not_there: Vec<u8>,
    /// Objects of the task's class that were named by number.
    pub(super) objects: Vec<Box<str>>,
}

impl Advice {
    /// Reads a reply about the room and task of the belief. With `numbers_name_objects` a bare
    /// number names an object of the task's class (an answer to "which one?").
    pub(super) fn read(reply: &str, belief: &Belief, numbers_name_objects: bool) -> Self {
        let words = words(reply);
        let denied = denied(&words);
        let goal = belief.goal.as_ref();
        let object = goal.map_or("", |goal| &goal.object);
        let lamp = goal.and_then(Goal::lamp).unwrap_or_default();
        let is_class = |word: &str| {
            let of_room = || belief.room.receptacles().any(|(_, place)| place.class() == word);
            word == object || word == lamp || of_room()
        };
        let named = |number: u32| format!("{object} {number}").into_boxed_str();
        let mut advice = Self::default();
        for mention in mentions(&words, is_class) {
            let is_denied = denied.get(mention.position).copied().unwrap_or(false);
            match (mention.class == object, is_denied) {
                (true, true) => {}
                (true, false) => {
                    let numbers = mention.numbers.iter();
                    advice.objects.extend(numbers.map(|number| named(*number)));
                }
                (false, true) => advice.not_there.extend(meant(&mention, belief)),
                (false, false) => advice.places.extend(meant(&mention, belief)),
            }
        }
        let places = unique(std::mem::take(&mut advice.places)).into_iter();
        let denied = &advice.not_there;
        advice.places = places.filter(|place| !denied.contains(place)).collect();
        if numbers_name_objects && advice.objects.is_empty() && advice.places.is_empty() {
            let numbers = words.iter().filter_map(|word| match word {
                Word::Number(number) => Some(*number),
                _ => None,
            });
            advice.objects = numbers.map(named).collect();
        }
        advice
    }
}

/// The receptacles that a mention means: the numbered ones, or all of the class.
fn meant(mention: &Mention, belief: &Belief) -> Vec<u8> {
    belief.room.receptacles().filter(|(_, place)| is_meant(&place.name, mention)).map(|(index, _)| index).collect()
}

/// For each word, whether it stands in the reach of a denial.
fn denied(words: &[Word]) -> Vec<bool> {
    let mut denied = false;
    let mut marks = Vec::with_capacity(words.len());
    for (position, word) in words.iter().enumerate() {
        match word {
            Word::Stop => denied = false,
            Word::Letters(word) => match word.as_str() {
                "but" | "maybe" | "perhaps" | "probably" | "possibly" | "instead" => denied = false,
                "not" | "no" | "never" | "nothing" | "none" | "without" => {
                    denied |= !is_doubt(words.get(position + 1));
                }
                word if word.ends_with("n't") => denied |= !is_doubt(words.get(position + 1)),
                _ => {}
            },
            Word::Number(_) | Word::Dash | Word::Pause => {}
        }
        marks.push(denied);
    }
    marks
}

/// Whether a denial before this word is only doubt: `not sure`, `no idea`, `don't know`.
fn is_doubt(next: Option<&Word>) -> bool {
    const DOUBTS: [&str; 9] = ["sure", "certain", "idea", "know", "remember", "recall", "say", "really", "positive"];
    next.is_some_and(|word| word.is_any(&DOUBTS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn belief() -> Belief {
        let mut belief = Belief::default();
        let text = "You are in the middle of a room. Looking quickly around you, you see a desk 1, \
                    a drawer 2, a drawer 1, and a sofa 1.\nYour task is to: put two cd in sofa.";
        belief.observe(text, false, "puttwo");
        belief
    }

    /// A reply, the places it suggests and denies, and the objects it names.
    type Row = (&'static str, &'static [u8], &'static [u8], &'static [&'static str]);

    #[test]
    fn replies_are_read_as_people_mean_them() {
        let table: [Row; 10] = [
            ("Can you please check the desk 1?", &[0], &[], &[]),
            ("Hmm, I am not sure maybe check the drawer?", &[1, 2], &[], &[]),
            ("I don't know, maybe drawer 1.", &[2], &[], &[]),
            ("It is not in the drawers. Try the desk", &[0], &[1, 2], &[]),
            ("Not in drawer 2 but in drawer 1", &[2], &[1], &[]),
            ("You'll find CD 3 on the desk", &[0], &[], &["cd 3"]),
            ("cds 1 and 3, please", &[], &[], &["cd 1", "cd 3"]),
            ("Not cd 1 but cd 3", &[], &[], &["cd 3"]),
            ("Look at the bathtub 1", &[], &[], &[]),
            ("", &[], &[], &[]),
        ];
        let belief = belief();
        for (reply, places, not_there, objects) in table {
            let advice = Advice::read(reply, &belief, false);
            assert_eq!(advice.places, places, "{reply}");
            assert_eq!(advice.not_there, not_there, "{reply}");
            let named: Vec<&str> = advice.objects.iter().map(|name| &**name).collect();
            assert_eq!(named, objects, "{reply}");
        }
        let advice = Advice::read("Just 1 and 2", &belief, true);
        assert_eq!(advice.objects.len(), 2);
    }
}
