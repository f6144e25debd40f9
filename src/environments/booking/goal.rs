//! Goal of a user in a conversation (spec section 10), the private part of a task. Metrics and judges read it in the
//! log.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::api::Domain;
use rolecall_core::domain::{Message, PrivateInfo, Seat, View};
use rolecall_core::ports::EpisodeLog;

/// Slots with their values. All are texts, except the marks of invalid bookings.
pub type Slots = Map<String, Value>;

/// The slots of a booking that mark it, by yes or no.
const MARKS: [&str; 2] = ["invalid", "pre_invalid"];

/// Wishes in one domain.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DomainGoal {
    /// Constraints on the venue, train or taxi.
    #[serde(default)]
    pub info: Slots,
    /// Constraints that are asked for first and that nothing meets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fail_info: Option<Slots>,
    /// Requested slots.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reqt: Option<Vec<String>>,
    /// Booking to be made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub book: Option<Slots>,
    /// Booking to be tried first; slots that it leaves out are as in `book`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fail_book: Option<Slots>,
}

impl DomainGoal {
    /// Booking to be made, if any.
    pub fn booking(&self) -> Option<&Slots> {
        filled(self.book.as_ref())
    }

    /// Constraints that are asked for first and that nothing meets, if any.
    pub fn in_vain(&self) -> Option<&Slots> {
        filled(self.fail_info.as_ref())
    }

    /// Constraints that are asked for first.
    pub fn first_info(&self) -> &Slots {
        self.in_vain().unwrap_or(&self.info)
    }

    /// Booking that is tried first, as a whole.
    pub fn first_booking(&self) -> Slots {
        let mut first = self.book.clone().unwrap_or_default();
        first.extend(self.fail_book.clone().unwrap_or_default());
        first
    }

    /// Every slot with a value or a request, except marks of invalid bookings.
    pub fn slots(&self) -> impl Iterator<Item = &str> {
        let parts = [&self.fail_info, &self.book, &self.fail_book];
        let said = parts.into_iter().flatten().chain([&self.info]).flat_map(Map::keys);
        said.filter(|slot| !MARKS.contains(&slot.as_str())).chain(self.requests()).map(String::as_str)
    }

    /// Requested slots, in order.
    pub fn requests(&self) -> &[String] {
        self.reqt.as_deref().unwrap_or_default()
    }
}

/// Slots, unless they are empty.
pub(super) fn filled(slots: Option<&Slots>) -> Option<&Slots> {
    slots.filter(|slots| !slots.is_empty())
}

/// Wishes by domain, in the order of the data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Goal {
    /// The domains with their wishes.
    pub domains: Vec<(Domain, DomainGoal)>,
    /// Whether police or hospital are wanted too, which are not scored.
    pub has_others: bool,
}

/// The label of the goal among a task's private parts.
const GOAL: &str = "goal";

/// Goal of the user, with its sentences.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// The goal.
    pub goal: Goal,
    /// Its sentences.
    pub message: Vec<String>,
}

impl Wanted {
    /// Goal in a view of the user; none if the user was not told it.
    pub fn of_view(view: &View) -> Option<Self> {
        view.all().find_map(|event| Self::of(&event.message))
    }

    /// Goal in the log of an episode; none if the task is none of booking.
    pub fn of_log(log: &EpisodeLog<'_>) -> Option<Self> {
        log.events.iter().find_map(|event| Self::of(&event.message))
    }

    fn of(message: &Message) -> Option<Self> {
        let part = match message {
            Message::Entrusted(part) if part.label == GOAL => part,
            _ => return None,
        };
        let domains = part.value.get("domains")?.as_object()?;
        let message = part.value.get("message")?.as_str()?.lines().map(str::to_owned).collect();
        Some(Self { goal: Goal::read(domains).ok()?, message })
    }
}

/// A conversation to be played.
#[derive(Clone, Debug, PartialEq)]
pub struct Dialogue {
    /// Its name in the data, without `.json`.
    pub id: String,
    /// Goal of the user.
    pub goal: Goal,
    /// Goal as sentences, without markup.
    pub message: Vec<String>,
    /// First text of the user.
    pub first: String,
}

impl Dialogue {
    /// Goal for the user: `message`, as sentences in a line each, and `domains`, as the data set has them.
    pub fn private_info(&self) -> PrivateInfo {
        PrivateInfo {
            audience: Seat::User,
            label: GOAL.to_owned(),
            value: Arc::new(json!({ "message": self.message.join("\n"), "domains": self.goal.data() })),
        }
    }
}

impl Goal {
    /// Reads a goal: an object of domains. Unknown and empty domains are skipped.
    ///
    /// # Errors
    /// When a domain's goal is malformed; the text names it.
    pub fn read(domains: &Map<String, Value>) -> Result<Self, String> {
        let mut goal = Self::default();
        for (name, value) in domains {
            if value.as_object().is_none_or(Map::is_empty) {
                continue;
            }
            match Domain::named(name) {
                Some(domain) => {
                    let wanted = DomainGoal::deserialize(value)
                        .map_err(|error| format!("the goal of `{name}` cannot be read: {error}"))?;
                    goal.domains.push((domain, wanted));
                }
                None => goal.has_others |= matches!(name.as_str(), "police" | "hospital"),
            }
        }
        Ok(goal)
    }

    /// The goal with numbers turned into texts, for data written by hand.
    ///
    /// # Errors
    /// When a domain is no object, or a value is neither a text nor a number.
    pub fn tidied(domains: &Map<String, Value>) -> Result<Map<String, Value>, String> {
        let mut tidied = domains.clone();
        for (name, wanted) in &mut tidied {
            let says_nothing = wanted.is_null() || wanted == &json!([]);
            if Domain::named(name).is_none() || says_nothing {
                continue;
            }
            let wanted = wanted.as_object_mut().ok_or_else(|| format!("the goal of `{name}` is no object"))?;
            for part in ["info", "fail_info", "book", "fail_book"] {
                for (slot, value) in wanted.get_mut(part).and_then(Value::as_object_mut).into_iter().flatten() {
                    match value {
                        _ if MARKS.contains(&slot.as_str()) => {}
                        Value::String(_) => {}
                        Value::Number(number) => *value = Value::String(number.to_string()),
                        _ => return Err(format!("`{slot}` in `{part}` of `{name}` is no text")),
                    }
                }
            }
        }
        Ok(tidied)
    }

    /// The goal as [`Self::read`] reads it.
    pub fn data(&self) -> Value {
        let domains = self.domains.iter().map(|(domain, wanted)| (domain.as_str(), json!(wanted)));
        // Wishes of police or hospital are not kept, only that there are some.
        domains.chain(self.has_others.then(|| ("police", json!({ "info": {} })))).collect()
    }

    /// Wishes in a domain.
    pub fn of(&self, domain: Domain) -> Option<&DomainGoal> {
        self.domains.iter().find(|(key, _)| *key == domain).map(|(_, goal)| goal)
    }
}
