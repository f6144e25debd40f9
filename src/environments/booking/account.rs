//! Account of a conversation: the user's texts, the agent's calls with their results, and its replies. Scores are
//! made from it.

use serde_json::{Value, json};

use super::api::{Api, Domain};
use super::goal::Slots;

/// A conversation as it was played.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Account {
    /// One for each utterance of the user that the agent was to answer, in order.
    pub exchanges: Vec<Exchange>,
    /// The words with which the user left.
    pub farewell: Option<String>,
}

/// An utterance of the user, and what the agent did about it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exchange {
    /// Text of the user.
    pub user: String,
    /// The calls that the agent made before it replied.
    pub calls: Vec<Call>,
    /// Reply of the agent; none if it did not reply.
    pub reply: Option<String>,
}

/// A call and its result.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The name, as it was written.
    pub name: String,
    /// The call; none if no call has this name.
    pub api: Option<Api>,
    /// The keys with their values; empty if the input could not be read.
    pub input: Slots,
    /// The result.
    pub outcome: Outcome,
}

/// Result of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// A query found so many records; more than are shown, if `more`.
    Found {
        /// How many are shown.
        count: usize,
        /// There are more than these.
        more: bool,
    },
    /// Something was booked.
    Booked(Booking),
    /// The call was understood but cannot be carried out: no such venue, a value that is missing or wrong, a table
    /// that is taken.
    Refused,
    /// The call could not be understood: no such name, or an input that is no JSON object.
    Malformed,
    /// The original program stops here with an error (profile `reference`).
    Aborted,
}

/// A booking that was made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Booking {
    /// Name of the booking for the user: a reference, or the telephone of a taxi.
    pub reference: String,
    /// The booking as AutoTOD's tables hold it: `refer_number`, and `name`, `people`, `day`, `time` or `stay`, or
    /// `trainID` and `tickets`. For a taxi `type`, `phone`, and what was asked for.
    pub row: Slots,
}

impl Account {
    /// All calls, in order.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.exchanges.iter().flat_map(|exchange| &exchange.calls)
    }

    /// The replies, in order.
    pub fn replies(&self) -> impl Iterator<Item = &str> {
        self.exchanges.iter().filter_map(|exchange| exchange.reply.as_deref())
    }

    /// Bookings of a domain, in order.
    pub fn bookings(&self, domain: Domain) -> impl Iterator<Item = &Booking> {
        self.calls().filter(move |call| call.api.map(Api::domain) == Some(domain)).filter_map(|call| {
            match &call.outcome {
                Outcome::Booked(booking) => Some(booking),
                _ => None,
            }
        })
    }
}

impl Outcome {
    /// A word for it, as observations have it.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Found { count: 0, .. } => "nothing",
            Self::Found { more: true, .. } => "too many",
            Self::Found { .. } => "found",
            Self::Booked(_) => "booked",
            Self::Refused => "refused",
            Self::Malformed => "malformed",
            Self::Aborted => "aborted",
        }
    }
}

impl Call {
    /// The call as the data of observations holds it: `api`, `input`, `outcome`, and `count` or `booking`.
    pub fn data(&self) -> Value {
        let mut data = json!({
            "api": self.name,
            "input": self.input,
            "outcome": self.outcome.word(),
        });
        match &self.outcome {
            Outcome::Found { count, .. } => data["count"] = json!(count),
            Outcome::Booked(booking) => data["booking"] = Value::Object(booking.row.clone()),
            _ => {}
        }
        data
    }
}
