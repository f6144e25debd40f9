//! An episode in a shop as its log tells of it: what was wanted, said, searched, listed and selected.

use serde_json::Value;

use super::chatshop::Listing;
use crate::domain::{Message, Move, Seat};
use crate::evaluation::{DetectedQuestion, holds, normalise};
use crate::ports::EpisodeLog;

/// The labels of the private part, for nobody while the episode runs, that names the product.
const GOALS: [&str; 2] = ["goal_product", "goal"];

/// The beginning of an answer that says yes.
const YES: &str =
    "yes\nyeah\nyep\nsure\nyes please\ncorrect\nexactly\nright\nthat is right\nof course";

/// Words that say nothing of a product.
const SMALL: &[&str] = &[
    "a", "an", "and", "for", "in", "is", "of", "on", "the", "to", "with", "it", "i", "that", "my",
];

/// The game of an episode's task; none of another world.
pub(super) fn game<'a>(log: &EpisodeLog<'a>) -> Option<&'a str> {
    let data = &log.opened()?.task.data;
    let game = data.get("game")?.as_str()?;
    ["webshop", "chatshop"].contains(&game).then_some(game)
}

/// The parts of the reward of what was selected or bought last, by their names; none without such a product.
pub(super) fn parts<'a>(log: &EpisodeLog<'a>) -> Option<&'a Value> {
    game(log)?;
    let mut events = log.events.iter().rev();
    let detail = events.find_map(|event| match &event.message {
        Message::Scored(scored) => Some(&scored.score.detail),
        _ => None,
    });
    detail?.get("reward").filter(|parts| parts.is_object())
}

/// What the shopper wants.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Wanted {
    /// The title of the product.
    pub(super) name: String,
    /// The attributes that it is to have.
    pub(super) attributes: Vec<String>,
    /// The values of options that are to be chosen.
    pub(super) options: Vec<String>,
    /// The most that it may cost; none for any price.
    pub(super) most: Option<f64>,
    /// The whole instruction.
    pub(super) instruction: String,
}

impl Wanted {
    pub(super) fn of(log: &EpisodeLog<'_>) -> Option<Self> {
        let part = log.events.iter().find_map(|event| match &event.message {
            Message::Entrusted(part)
                if part.audience == Seat::Conductor && GOALS.contains(&part.label.as_str()) =>
            {
                Some(&part.value)
            }
            _ => None,
        })?;
        let text = |key: &str| part[key].as_str().unwrap_or_default().to_owned();
        let unbounded = 1_000_000.0;
        Some(Self {
            name: text("name"),
            attributes: texts(&part["attributes"]),
            options: texts(&part["options"]),
            most: part["price_upper"]
                .as_f64()
                .filter(|most| *most < unbounded),
            instruction: text("instruction"),
        })
    }
}

/// The texts of a list, or the values of an object.
fn texts(value: &Value) -> Vec<String> {
    let text = |value: &Value| {
        value
            .as_str()
            .filter(|text| !text.is_empty())
            .map(str::to_owned)
    };
    match value {
        Value::Array(all) => all.iter().filter_map(text).collect(),
        Value::Object(all) => all.values().filter_map(text).collect(),
        _ => Vec::new(),
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
    /// What happened, in order.
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
            match &event.message {
                // The first observation repeats the goal, with its bound on the price.
                Message::Observed(seen) if last.is_empty() => {
                    account.goal.push_str(&format!("\n{}", seen.text))
                }
                Message::Perform(action) => {
                    last = &action.text;
                    if let Some(query) = action.text.strip_prefix("search") {
                        account
                            .happened
                            .push(SessionEvent::Searched(bare(query).to_owned()));
                    }
                }
                Message::Observed(seen) => {
                    let listed = Listing::read(&seen.text);
                    match listed.as_slice() {
                        [only] if seen.done => account.selected = Some(only.clone()),
                        _ if last.starts_with("search") => {
                            account.happened.push(SessionEvent::Listed(listed))
                        }
                        _ => {}
                    }
                }
                Message::Told(said) => account.happened.push(SessionEvent::Asked {
                    question: said.text.clone(),
                    open: !last.starts_with("opinion"),
                }),
                Message::Replied(reply) => account
                    .happened
                    .push(SessionEvent::Answered(reply.text.clone())),
                _ => {}
            }
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

/// The argument of an action without its brackets.
pub(super) fn bare(argument: &str) -> &str {
    argument.trim_matches(['[', ']', ' '])
}

/// The words of a value that say something.
fn telling(value: &str) -> Vec<String> {
    let words = normalise(value);
    let all = || words.split(' ').filter(|word| !word.is_empty());
    let said: Vec<String> = all()
        .filter(|word| !SMALL.contains(word))
        .map(str::to_owned)
        .collect();
    match said.is_empty() {
        true => all().map(str::to_owned).collect(),
        false => said,
    }
}

/// Whether a text has all the words of a value, in any order.
pub(super) fn names(text: &str, value: &str) -> bool {
    let text = normalise(text);
    let words = telling(value);
    !words.is_empty() && words.iter().all(|word| holds(&text, word))
}

/// Whether a listed product shows a value: in its name, its attributes or one of its options.
pub(super) fn shows(listing: &Listing, value: &str) -> bool {
    let options = listing.options.iter().flat_map(|(_, values)| values);
    names(&listing.name, value)
        || listing
            .attributes
            .iter()
            .chain(options)
            .any(|own| names(own, value))
}

/// The text of a move that says something to the shopper.
pub(super) fn asks(made: &Move) -> bool {
    matches!(made, Move::Act { action } if action.text.starts_with("question") || action.text.starts_with("opinion"))
}
