//! Those who answer calls: one for each profile.

use super::account::{Booking, Call, Outcome};
use super::api::Api;
use super::database::text;
use super::goal::Slots;

/// How calls are answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Profile {
    /// Values are checked, bookings are checked and kept, and every refusal says what is allowed.
    #[default]
    Strict,
    /// As ReSpAct's program answers, byte for byte, with its errors.
    Reference,
    /// As AutoTOD's program answers: queries are SQL.
    AutoTod,
}

names! { Profile, as_str: Strict => "strict", Reference => "reference", AutoTod => "autotod" }

/// A call as it was written.
#[derive(Clone, Copy, Debug)]
pub struct Request<'c> {
    /// The name.
    pub name: &'c str,
    /// The input: JSON, or whatever stands in its place.
    pub input: &'c str,
}

/// What comes of a call: the text that the agent reads, and what it came to.
pub type Done = (String, Outcome);

/// Answers the calls of one conversation, and keeps what is booked in it.
pub trait Desk: Send {
    /// Answers a call; `api` is none if there is none of its name. Also gives the input as it was read.
    fn call(&mut self, request: Request<'_>, api: Option<Api>) -> (Slots, Done);

    /// Answers a call. Nothing that is asked makes it fail. Gives what the agent reads, and what was called.
    fn answer(&mut self, request: Request<'_>) -> (String, Call) {
        let (name, api) = (request.name.to_owned(), Api::named(request.name));
        let (input, (text, outcome)) = self.call(request, api);
        let call = Call { name, api, input, outcome };
        (text, call)
    }
}

/// Slots with these texts.
pub fn slots<'s>(pairs: impl IntoIterator<Item = (&'s str, &'s str)>) -> Slots {
    let texts = pairs.into_iter();
    let slots = texts.map(|(slot, text)| (slot.to_owned(), text.into()));
    slots.collect()
}

/// The booking of a row; `reference` is the slot of what the user is told to name it by.
pub fn booking(reference: &str, row: Slots) -> Booking {
    Booking { reference: text(&row, reference).to_owned(), row }
}

/// The rules by which bookings are refused although everything about them is right.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vacancy {
    /// The share of tables and rooms, from 0 to 1, that are taken at any one time (profile `strict`).
    pub taken: f64,
}
