//! Desks, which answer calls: one for each profile.

use super::account::{Booking, Call, Outcome};
use super::api::Api;
use super::database::text;
use super::goal::Slots;

/// How calls are answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// Values are checked, bookings are checked and kept, and every refusal tells what is allowed.
    #[default]
    Strict,
    /// As ReSpAct's program answers, byte for byte, with its errors.
    Reference,
    /// As AutoTOD's program answers: queries are SQL.
    AutoTod,
}

rolecall_core::names! { Profile, as_str: Strict => "strict", Reference => "reference", AutoTod => "autotod" }

/// A call as it was written.
#[derive(Clone, Copy, Debug)]
pub struct Request<'c> {
    /// The name.
    pub name: &'c str,
    /// The input: JSON, or any other text.
    pub input: &'c str,
}

/// Result of a call: the text that the agent reads, and its outcome.
pub type Done = (String, Outcome);

/// Answers the calls of one conversation, and keeps its bookings.
pub trait Desk: Send {
    /// Answers a call; `api` is none for an unknown name. Also gives the input as it was read.
    fn call(&mut self, request: Request<'_>, api: Option<Api>) -> (Slots, Done);

    /// Answers a call, without ever failing. Gives the text for the agent, and the call.
    fn answer(&mut self, request: Request<'_>) -> (String, Call) {
        let (name, api) = (request.name.to_owned(), Api::named(request.name));
        let (input, (text, outcome)) = self.call(request, api);
        (text, Call { name, api, input, outcome })
    }
}

/// Slots with these texts.
pub fn slots<'s>(pairs: impl IntoIterator<Item = (&'s str, &'s str)>) -> Slots {
    pairs.into_iter().map(|(slot, text)| (slot.to_owned(), text.into())).collect()
}

/// The booking of a row; `reference` is the slot by which the user is to name it.
pub fn booking(reference: &str, row: Slots) -> Booking {
    Booking { reference: text(&row, reference).to_owned(), row }
}

/// The rules by which bookings are refused although everything about them is right.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vacancy {
    /// The share of tables and rooms, from 0 to 1, that are taken at any one time (profile `strict`).
    pub taken: f64,
}
