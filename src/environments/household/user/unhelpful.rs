//! The uninformed user (ReSpAct Table 23): willing, plausible, and guessing.

use std::collections::HashSet;

use async_trait::async_trait;

use super::lexicon::{COMMON, VERBS, is_furniture};
use super::wording::{GUESS, GUESS_WHICH, NOT_UNDERSTOOD};
use super::{Asked, Fact, Question, THANKS, UNKNOWN, class_of, for_each_fact, say};
use crate::roles::is_kept_at_home;
use rolecall_core::domain::{Message, Seed, Utterance};
use rolecall_core::ports::{Turn, UserError, UserSimulator};
use rolecall_core::text::has_word;
use rolecall_core::text::mention::{Word, mentions, words};

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
        let room: HashSet<&str> = self.room.iter().map(|name| class_of(name)).collect();
        let named: HashSet<&str> = numbered.iter().map(|name| class_of(name)).collect();
        let is_receptacle = |word: &str| room.contains(word);
        let is_object = |word: &str| !is_receptacle(word) && (named.contains(word) || is_kept_at_home(word));
        let asked = Question::read(&said.text, &is_object, &is_receptacle).asked;
        let answer = self.answer(asked.last(), &numbered, turn.seed);
        Ok(Utterance::text(answer))
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

    /// A guess where places or objects are asked for; of anything else it knows nothing.
    fn answer(&self, asked: Option<&Asked>, numbered: &[String], seed: Seed) -> String {
        // Independent of the choice of words, which uses the low end of the seed.
        let draw = seed.0 >> 16;
        let which = match asked {
            None => return say(seed, THANKS, ""),
            Some(Asked::NotUnderstood) => return say(seed, NOT_UNDERSTOOD, ""),
            Some(Asked::Which { class: Some(class), numbers, .. }) => {
                let number = match draw.is_multiple_of(WRONG_OBJECT_IN) {
                    true => numbers.iter().max().map(|most| most.saturating_add(1)),
                    false => choose(numbers, draw / WRONG_OBJECT_IN).copied(),
                };
                number.map(|number| format!("{class} {number}"))
            }
            // What is a stranger to whoever knows the room is not to it.
            Some(
                Asked::Where { .. }
                | Asked::WherePlace(_)
                | Asked::WhereToDo { .. }
                | Asked::Which { .. }
                | Asked::Next
                | Asked::Stranger(_),
            ) => None,
            Some(_) => return say(seed, UNKNOWN, ""),
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
    let words = words(text);
    let is_name = |word: &str| is_kept_at_home(word) || is_furniture(word);
    // Whatever else has a number is a name too, unless it is a word that sentences consist of.
    let numbers = words.windows(2).filter_map(|pair| match pair {
        [Word::Letters(name), Word::Number(_)] => Some(name.as_str()),
        _ => None,
    });
    let others: Vec<&str> = numbers
        .filter(|word| !has_word(COMMON, word) && !has_word(VERBS, word))
        .filter(|word| !word.strip_suffix('s').is_some_and(is_name))
        .collect();
    mentions(&words, |word| is_name(word) || others.contains(&word))
        .iter()
        .flat_map(|mention| mention.numbers.iter().map(|number| format!("{} {number}", mention.class)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_who_sees_only_the_question_guesses_among_what_it_mentions() {
        let user = UnhelpfulUser::default();
        let asked = Asked::Where { things: Vec::new(), another: false };
        let places = numbered("It could be at drawer (1-2), desk (1). Where?");
        assert_eq!(places, ["drawer 1", "drawer 2", "desk 1"]);
        let mut said = std::collections::BTreeSet::new();
        for seed in 0..200 {
            let reply = user.answer(Some(&asked), &places, Seed(seed << 16));
            assert!(places.iter().any(|place| reply.contains(place.as_str())), "{reply}");
            said.insert(reply);
        }
        assert_eq!(said.len(), 3);
        assert_eq!(user.answer(Some(&asked), &[], Seed(0)), "Sorry, I do not know.");
    }

    #[test]
    fn names_are_not_glued_to_the_words_before_them() {
        let table: [(&str, &[&str]); 8] = [
            ("Do you want mug 1 and mug 2?", &["mug 1", "mug 2"]),
            ("Is it the mug 1 or the mug 3?", &["mug 1", "mug 3"]),
            ("I know of cd 1, cd 2. Which one?", &["cd 1", "cd 2"]),
            ("I found credit card 2 and desk lamp 1", &["creditcard 2", "desklamp 1"]),
            ("Mugs 1 and 2, or cabinet number 4?", &["mug 1", "mug 2", "cabinet 4"]),
            ("I see statue 2 and vase 10", &["statue 2", "vase 10"]),
            ("One of the 2 mugs, or both of 3?", &[]),
            ("drawer (1-2) or drawers 4", &["drawer 1", "drawer 2", "drawer 4"]),
        ];
        for (text, names) in table {
            assert_eq!(numbered(text), names, "{text}");
        }
    }
}
