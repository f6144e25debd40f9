//! The uninformed user (ReSpAct Table 23): willing, plausible, and guessing.

use async_trait::async_trait;

use super::wording::{GUESS, GUESS_WHICH};
use super::{Asked, Fact, Question, THANKS, UNKNOWN, class_of, for_each_fact, say};
use crate::domain::{Message, Seed, Utterance};
use crate::ports::{Turn, UserError, UserSimulator};
use crate::text::mention::{mentions, words};

/// One answer in this many about "which one" names an object that was not offered.
const WRONG_OBJECT_IN: u64 = 4;

/// A user who knows nothing of the task's private part. It guesses among the receptacles of the
/// room, if it sees the room, else among those that the question mentions.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct UnhelpfulUser {
    /// The receptacles of the room, once they were seen.
    room: Vec<Box<str>>,
    /// Where to look for the first observation, which alone describes the room.
    from: usize,
}

#[async_trait]
impl UserSimulator for UnhelpfulUser {
    async fn reply(&mut self, turn: &Turn) -> Result<Utterance, UserError> {
        let said = super::question(turn)?;
        if self.room.is_empty() {
            self.see_room(turn);
        }
        let numbered = numbered(&said.text);
        let is_receptacle = |word: &str| self.room.iter().any(|name| class_of(name) == word);
        let is_object =
            |word: &str| !is_receptacle(word) && numbered.iter().any(|name| class_of(name) == word);
        let asked = Question::read(&said.text, is_object, is_receptacle).asked;
        Ok(Utterance::text(self.guess(&asked, &numbered, turn.seed)))
    }
}

impl UnhelpfulUser {
    fn see_room(&mut self, turn: &Turn) {
        let room = &mut self.room;
        let from = std::mem::replace(&mut self.from, turn.view.end());
        for event in turn.view.starting_at(from) {
            if let Message::Observed(observation) = &event.message {
                for_each_fact(&observation.text, |fact| {
                    if let Fact::Room(items) = fact {
                        room.extend(items.map(Box::from));
                    }
                });
                self.from = usize::MAX;
                break;
            }
        }
    }

    fn guess(&self, asked: &Asked, numbered: &[String], seed: Seed) -> String {
        // Independent of the choice of words, which uses the low end of the seed.
        let draw = seed.0 >> 16;
        let which = match asked {
            Asked::Nothing => return say(seed, THANKS, ""),
            Asked::Which { class, numbers, .. } => {
                let number = match draw.is_multiple_of(WRONG_OBJECT_IN) {
                    true => numbers.iter().max().map(|most| most.saturating_add(1)),
                    false => choose(numbers, draw / WRONG_OBJECT_IN).copied(),
                };
                number.map(|number| format!("{class} {number}"))
            }
            Asked::Where { .. } | Asked::WhereToDo { .. } | Asked::Next => None,
        };
        if let Some(object) = which {
            return say(seed, GUESS_WHICH, &object);
        }
        let seen = choose(&self.room, draw).map(|name| &**name);
        match seen.or_else(|| choose(numbered, draw).map(String::as_str)) {
            Some(place) => say(seed, GUESS, place),
            None => say(seed, UNKNOWN, ""),
        }
    }
}

fn choose<T>(options: &[T], draw: u64) -> Option<&T> {
    let count = options.len() as u64;
    options.get(draw.checked_rem(count)? as usize)
}

/// Everything in the text that has a number: `drawer (1-2)` is `drawer 1` and `drawer 2`.
fn numbered(text: &str) -> Vec<String> {
    let mentioned = mentions(&words(text), |_| true);
    let names = mentioned.iter().flat_map(|mention| {
        let numbers = mention.numbers.iter();
        numbers.map(|number| format!("{} {number}", mention.class))
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_who_sees_only_the_question_guesses_among_what_it_mentions() {
        let user = UnhelpfulUser::default();
        let asked = Asked::Where {
            class: None,
            another: false,
        };
        let places = numbered("It could be at drawer (1-2), desk (1). Where?");
        assert_eq!(places, ["drawer 1", "drawer 2", "desk 1"]);
        let mut said = std::collections::BTreeSet::new();
        for seed in 0..200 {
            let reply = user.guess(&asked, &places, Seed(seed << 16));
            assert!(
                places.iter().any(|place| reply.contains(place.as_str())),
                "{reply}"
            );
            said.insert(reply);
        }
        assert_eq!(said.len(), 3);
        assert_eq!(user.guess(&asked, &[], Seed(0)), "Sorry, I do not know.");
    }
}
