//! What a user wants of a conversation (spec section 10).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::api::Domain;

/// Slots with their values. All are texts, but that a booking may be marked as invalid.
pub type Slots = Map<String, Value>;

/// The slots of a booking that mark it, by yes or no.
const MARKS: [&str; 2] = ["invalid", "pre_invalid"];

/// What is wanted of one domain.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DomainGoal {
    /// What the venue, train or taxi has to be.
    #[serde(default)]
    pub info: Slots,
    /// What is asked for first, although there is nothing of the kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fail_info: Option<Slots>,
    /// What the user wants to know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reqt: Option<Vec<String>>,
    /// What is to be booked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub book: Option<Slots>,
    /// What is to be booked first; what it does not say is as in `book`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fail_book: Option<Slots>,
}

impl DomainGoal {
    /// What is to be booked, if anything is.
    pub fn booking(&self) -> Option<&Slots> {
        filled(self.book.as_ref())
    }

    /// What is asked for first although there is nothing of the kind, if anything is.
    pub fn in_vain(&self) -> Option<&Slots> {
        filled(self.fail_info.as_ref())
    }

    /// What is asked for first.
    pub fn first_info(&self) -> &Slots {
        self.in_vain().unwrap_or(&self.info)
    }

    /// What is to be booked first of all, as a whole.
    pub fn first_booking(&self) -> Slots {
        let mut first = self.book.clone().unwrap_or_default();
        first.extend(self.fail_book.clone().unwrap_or_default());
        first
    }

    /// Every slot that something is said or asked of, but for marks of invalid bookings.
    pub fn slots(&self) -> impl Iterator<Item = &str> {
        let parts = [&self.fail_info, &self.book, &self.fail_book];
        let parts = parts.into_iter().flatten().chain([&self.info]);
        let said = parts.flat_map(Map::keys);
        let said = said.filter(|slot| !MARKS.contains(&slot.as_str()));
        said.chain(self.requests()).map(String::as_str)
    }

    /// What the user wants to know, in order.
    pub fn requests(&self) -> &[String] {
        self.reqt.as_deref().unwrap_or_default()
    }
}

/// Slots of which there are any.
pub(super) fn filled(slots: Option<&Slots>) -> Option<&Slots> {
    slots.filter(|slots| !slots.is_empty())
}

/// What is wanted of each domain, in the order of the data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Goal {
    /// The domains that something is wanted of.
    pub domains: Vec<(Domain, DomainGoal)>,
    /// Whether police or hospital are wanted too, of which nothing is scored.
    pub has_others: bool,
}

/// A conversation that is to be had.
#[derive(Clone, Debug, PartialEq)]
pub struct Dialogue {
    /// Its name in the data, without `.json`.
    pub id: String,
    /// What the user wants.
    pub goal: Goal,
    /// The same as sentences, without marks.
    pub message: Vec<String>,
    /// What the user says first.
    pub first: String,
}

impl Goal {
    /// Reads a goal: an object of domains. What is no domain, and what is empty, is passed over.
    ///
    /// # Errors
    /// When a domain's goal is not as it has to be; the text names it.
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

    /// The goal with texts in place of numbers, as people who write data by hand leave them.
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
            let wanted = wanted.as_object_mut();
            let wanted = wanted.ok_or_else(|| format!("the goal of `{name}` is no object"))?;
            for part in ["info", "fail_info", "book", "fail_book"] {
                let slots = wanted.get_mut(part).and_then(Value::as_object_mut);
                for (slot, value) in slots.into_iter().flatten() {
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
        let domains = self.domains.iter();
        let domains = domains.map(|(domain, wanted)| (domain.as_str(), json!(wanted)));
        // What is wanted of police or hospital is not kept, but that something is.
        let others = self.has_others.then(|| ("police", json!({ "info": {} })));
        domains.chain(others).collect()
    }

    /// What is wanted of a domain.
    pub fn of(&self, domain: Domain) -> Option<&DomainGoal> {
        let mut domains = self.domains.iter();
        domains.find(|(own, _)| *own == domain).map(|(_, goal)| goal)
    }
}
