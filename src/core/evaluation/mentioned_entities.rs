//! The things that an episode is about, as far as its log shows them, and what an answer says of them.
//!
//! A thing is a word, perhaps with numbers, that some action of the episode takes as an argument
//! (`drawer` in `go to drawer 1`, `red` in `search[red shoes]`), or that stands before a number in an
//! observation (`a mug 2`). Nothing of an environment is known here, so that logs of all of them can be
//! measured.

use std::borrow::Cow;
use std::collections::BTreeSet;

use rustc_hash::FxHashSet;
use serde_json::Value;

use super::exchanges::Exchange;
use super::normalise::{holds, normalise};
use crate::domain::{Action, Event, Message};
use crate::text::mention::{Mention, mentions, words};

/// Words that are no things wherever they stand.
const NO_THINGS: &[&str] = &[
    "a", "about", "after", "an", "and", "any", "are", "at", "be", "before", "by", "for", "from", "has", "have", "i",
    "in", "into", "is", "it", "my", "no", "not", "of", "on", "only", "onto", "or", "out", "over", "that", "the",
    "then", "there", "this", "to", "under", "up", "using", "was", "with", "you", "your",
];

/// An answer that leaves out so many of the things that the agent named has chosen: one of them may be what
/// it is all about.
const SEVERAL: usize = 2;

/// The things of an episode.
#[derive(Clone, Debug, Default)]
pub(super) struct MentionedEntities<'a>(FxHashSet<Cow<'a, str>>);

impl<'a> MentionedEntities<'a> {
    /// Collects the entities of actions and observations among the events.
    pub(super) fn of(events: &[&'a Event]) -> Self {
        let mut entities = Self::default();
        for event in events {
            match &event.message {
                Message::Perform(action) => {
                    arguments(&action.text).for_each(|word| entities.insert(word));
                    if let Some(call) = &action.call {
                        texts(&call.arguments, &mut |text| {
                            split(text).for_each(|word| entities.insert(word));
                        });
                    }
                }
                Message::Observed(observed) => {
                    numbered(&observed.text).for_each(|word| entities.insert(word));
                }
                _ => {}
            }
        }
        entities
    }

    fn insert(&mut self, word: &'a str) {
        // Nearly every word of an episode comes again and again.
        if self.0.contains(word) {
            return;
        }
        let small = match word.chars().any(char::is_uppercase) {
            true => Cow::Owned(word.to_lowercase()),
            false => Cow::Borrowed(word),
        };
        let is_word = word.chars().count() > 1 && word.chars().all(char::is_alphabetic);
        if is_word && !NO_THINGS.contains(&&*small) {
            self.0.insert(small);
        }
    }

    /// The things that a text names.
    fn named(&self, text: &str) -> Vec<Mention> {
        mentions(&words(text), |word| self.0.contains(word))
    }

    /// The things that the answer brings up: those that the agent did not name itself when it spoke, or
    /// that the answer chooses: it names fewer numbers of a class than the agent did, or leaves out at
    /// least two of the things that the agent named.
    pub(super) fn advised(&self, exchange: &Exchange<'_>) -> Vec<Mention> {
        let Some(reply) = exchange.reply else {
            return Vec::new();
        };
        let said = self.named(&exchange.said.text);
        let mut advised = self.named(&reply.text);
        let passed_over = passed_over(&said, &advised);
        advised.retain(|thing| passed_over >= SEVERAL || is_new(thing, &said));
        advised
    }

    /// Whether an action takes up what the answer brings up: it names one of the things, or stands word by
    /// word in the answer, which is [normal](normalise).
    pub(super) fn takes_up(&self, action: &Action, advised: &[Mention], reply: &str) -> bool {
        let is_advised = |mention: &Mention| advised.iter().any(|thing| is_same(mention, thing));
        let names = || self.named(&whole_text(action)).iter().any(is_advised);
        (!advised.is_empty() && names()) || holds(reply, &normalise(&action.text))
    }
}

/// How many of the things that were said the answer leaves out.
fn passed_over(said: &[Mention], advised: &[Mention]) -> usize {
    let taken = |class: &str, number: Option<u32>| {
        advised.iter().filter(|thing| thing.class == class).any(|thing| {
            let any = thing.numbers.is_empty();
            any || number.is_none_or(|number| thing.numbers.contains(&number))
        })
    };
    let mut left: BTreeSet<(&str, Option<u32>)> = BTreeSet::new();
    for thing in said {
        let class = thing.class.as_str();
        let numbers = thing.numbers.iter().map(|number| (class, Some(*number)));
        let bare = thing.numbers.is_empty().then_some((class, None));
        left.extend(numbers.chain(bare));
    }
    left.retain(|(class, number)| !taken(class, *number));
    left.len()
}

/// Whether a thing of the answer was not in what was said before it. Of a class that was named, numbers
/// can be new, or fewer than were named.
fn is_new(thing: &Mention, said: &[Mention]) -> bool {
    let named = said.iter().filter(|mention| mention.class == thing.class);
    let any = named.clone().next().is_some();
    let before: BTreeSet<u32> = named.flat_map(|mention| &mention.numbers).copied().collect();
    let other = thing.numbers.iter().any(|number| !before.contains(number));
    let fewer = !thing.numbers.is_empty() && thing.numbers.len() < before.len();
    !any || other || fewer
}

/// Whether an action's thing is the one that was advised; a class without a number means any of it.
fn is_same(mention: &Mention, advised: &Mention) -> bool {
    let number = |number: &u32| advised.numbers.contains(number);
    mention.class == advised.class
        && (advised.numbers.is_empty() || mention.numbers.is_empty() || mention.numbers.iter().any(number))
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// The words of a command but the first, which is its verb.
fn arguments(command: &str) -> impl Iterator<Item = &str> {
    split(command).skip(1)
}

/// The words that stand right before a number.
fn numbered(text: &str) -> impl Iterator<Item = &str> {
    let mut before = "";
    text.split_whitespace().filter_map(move |word| {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        let number = !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_digit());
        let class = (number && !before.is_empty()).then_some(before);
        // A mark between the two parts them.
        before = if word.ends_with(bare) { bare } else { "" };
        class
    })
}

/// Calls `each` with every text in a value.
fn texts<'a>(value: &'a Value, each: &mut impl FnMut(&'a str)) {
    match value {
        Value::String(text) => each(text),
        Value::Array(items) => items.iter().for_each(|item| texts(item, each)),
        Value::Object(fields) => fields.values().for_each(|field| texts(field, each)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The command with the texts of its call.
fn whole_text(action: &Action) -> Cow<'_, str> {
    let Some(call) = &action.call else {
        return Cow::Borrowed(&action.text);
    };
    let mut whole = action.text.clone();
    texts(&call.arguments, &mut |text| {
        whole.push('\n');
        whole.push_str(text);
    });
    Cow::Owned(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_are_arguments_and_what_has_a_number() {
        let found: Vec<&str> = numbered("You see a mug 2, and (drawer 10). At 3 it is. 4 left").collect();
        assert_eq!(found, ["mug", "drawer", "At"]);
        let mut entities = MentionedEntities::default();
        found.into_iter().for_each(|word| entities.insert(word));
        arguments("search[Red shoes]").for_each(|word| entities.insert(word));
        let mut all: Vec<&str> = entities.0.iter().map(|word| &**word).collect();
        all.sort_unstable();
        assert_eq!(all, ["drawer", "mug", "red", "shoes"]);
    }
}
