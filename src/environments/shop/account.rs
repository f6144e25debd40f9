//! An episode in a shop as its log tells of it: what was wanted, said, searched, listed and selected.

use serde::Deserialize;
use serde_json::Value;

use super::chatshop::{Listing, bare};
use super::goal::{GOAL_PRODUCT, NO_BOUND};
use rolecall_core::domain::{Message, Move, Seat};
use rolecall_core::evaluation::{DetectedQuestion, holds, normalise};
use rolecall_core::ports::EpisodeLog;

/// The beginning of an answer that says yes.
const YES: &str = "yes\nyeah\nyep\nsure\nyes please\ncorrect\nexactly\nright\nthat is right\nof course";

/// Words that say nothing of a product.
const SMALL: &[&str] = &["a", "an", "and", "for", "in", "is", "of", "on", "the", "to", "with", "it", "i", "that", "my"];

/// The game of an episode's task; none of another world.
pub(super) fn game<'a>(log: &EpisodeLog<'a>) -> Option<&'a str> {
    let data = &log.opened()?.task.data;
    let game = data.get("game")?.as_str()?;
    ["webshop", "chatshop"].contains(&game).then_some(game)
}

/// The parts of the reward of what was selected or bought last, by their names; none without such a product.
pub(super) fn parts<'a>(log: &EpisodeLog<'a>) -> Option<&'a Value> {
    game(log)?;
    let detail = log.events.iter().rev().find_map(|event| match &event.message {
        Message::Scored(scored) => Some(&scored.score.detail),
        _ => None,
    });
    detail?.get("reward").filter(|parts| parts.is_object())
}

/// Wishes of the shopper, from the private part that nobody sees while the episode runs.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(super) struct Wanted {
    /// The title of the product.
    pub(super) name: String,
    /// The attributes that it is to have.
    pub(super) attributes: Vec<String>,
    /// The values of options that are to be chosen.
    pub(super) options: Vec<String>,
    price_upper: Option<f64>,
    /// The whole instruction.
    pub(super) instruction: String,
}

impl Wanted {
    pub(super) fn of(log: &EpisodeLog<'_>) -> Option<Self> {
        let part = log.events.iter().find_map(|event| match &event.message {
            Message::Entrusted(part) => {
                let is_goal = part.audience == Seat::Conductor && part.label == GOAL_PRODUCT;
                is_goal.then_some(&*part.value)
            }
            _ => None,
        })?;
        let mut wanted = Self::deserialize(part).ok()?;
        for values in [&mut wanted.attributes, &mut wanted.options] {
            values.retain(|value| !value.is_empty());
        }
        Some(wanted)
    }

    /// The most that it may cost; none for any price.
    pub(super) fn most(&self) -> Option<f64> {
        self.price_upper.filter(|most| *most < NO_BOUND)
    }
}

/// Values with something between them, or that there are none.
pub(super) fn listed(values: &[String], between: &str) -> String {
    match values {
        [] => "none".to_owned(),
        values => values.join(between),
    }
}

/// Something that happened between the agent and the shopper.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SessionEvent {
    /// The agent searched for these words.
    Searched(String),
    /// Products were listed after a search.
    Listed(Vec<Listing>),
    /// The agent asked: an open question, or about listed products.
    Asked { question: String, open: bool },
    /// The shopper answered.
    Answered(String),
}

/// A ChatShop session from its beginning to what was selected.
#[derive(Clone, Debug, Default)]
pub(super) struct Account {
    /// The goal as the agent was told it.
    pub(super) goal: String,
    /// Events of the session, in order.
    pub(super) happened: Vec<SessionEvent>,
    /// The product that was selected.
    pub(super) selected: Option<Listing>,
    /// The parts of the reward.
    pub(super) parts: Value,
}

impl Account {
    /// The account of a ChatShop session; none of anything else.
    pub(super) fn of(log: &EpisodeLog<'_>) -> Option<Self> {
        if game(log)? != "chatshop" {
            return None;
        }
        let mut account = Self {
            goal: log.opened()?.task.text.clone(),
            parts: parts(log).cloned().unwrap_or_default(),
            ..Self::default()
        };
        let mut last = "";
        for event in &log.events {
            let happened = match &event.message {
                // The first observation repeats the goal, with its bound on the price.
                Message::Observed(seen) if last.is_empty() => {
                    account.goal.push_str(&format!("\n{}", seen.text));
                    None
                }
                Message::Perform(action) => {
                    last = &action.text;
                    let query = last.strip_prefix("search");
                    query.map(|query| SessionEvent::Searched(bare(query).to_owned()))
                }
                Message::Observed(seen) => match Listing::read(&seen.text) {
                    listed if seen.done && listed.len() == 1 => {
                        account.selected = listed.into_iter().next();
                        None
                    }
                    listed => last.starts_with("search").then_some(SessionEvent::Listed(listed)),
                },
                Message::Told(said) => {
                    Some(SessionEvent::Asked { question: said.text.clone(), open: !last.starts_with("opinion") })
                }
                Message::Replied(reply) => Some(SessionEvent::Answered(reply.text.clone())),
                _ => None,
            };
            account.happened.extend(happened);
        }
        Some(account)
    }

    /// The place in the account from which on the agent could know a value; none if it was never told. It is
    /// told by the goal, by an answer with all its words, or by a yes to an open question with all of them.
    pub(super) fn told_at(&self, value: &str) -> Option<usize> {
        if names(&self.goal, value) {
            return Some(0);
        }
        let mut asked = "";
        self.happened.iter().position(|event| match event {
            SessionEvent::Asked { question, open } => {
                asked = if *open { question } else { "" };
                false
            }
            SessionEvent::Answered(answer) => {
                let yes = DetectedQuestion::new(answer).begins(YES);
                names(answer, value) || (yes && names(asked, value))
            }
            SessionEvent::Searched(_) | SessionEvent::Listed(_) => false,
        })
    }
}

/// Whether a text has all the words of a value that say something (all words, if none of them does), in any order.
pub(super) fn names(text: &str, value: &str) -> bool {
    let (text, value) = (normalise(text), normalise(value));
    let (small, telling): (Vec<&str>, Vec<&str>) = value.split_whitespace().partition(|word| SMALL.contains(word));
    let words = if telling.is_empty() { small } else { telling };
    !words.is_empty() && words.iter().all(|word| holds(&text, word))
}

/// Whether a listed product shows a value: in its name, its attributes or one of its options.
pub(super) fn shows(listing: &Listing, value: &str) -> bool {
    let options = listing.options.iter().flat_map(|(_, values)| values);
    let mut shown = listing.attributes.iter().chain(options);
    names(&listing.name, value) || shown.any(|text| names(text, value))
}

/// The text of a move that says something to the shopper.
pub(super) fn asks(made: &Move) -> bool {
    matches!(made, Move::Act { action } if action.text.starts_with("question") || action.text.starts_with("opinion"))
}
