//! What the keys of a call's input take, and which of them a call needs.

use super::api::{Api, Domain};
use super::word_lists::PHRASES;

/// What a key takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One of a few words.
    Choice(&'static [&'static str]),
    /// A whole number from 1 on.
    Whole,
    /// A time of day as hh:mm.
    Time,
    /// A text, such as a name.
    Text,
}

/// What a key of a call takes.
pub fn kind(api: Api, key: &str) -> Kind {
    match key {
        "people" | "stay" => Kind::Whole,
        "time" | "arriveBy" | "leaveAt" => Kind::Time,
        _ => api.domain().values(key).map_or(Kind::Text, Kind::Choice),
    }
}

/// Whether nothing can be booked without a key. A taxi needs one of its times as well.
pub fn is_needed(api: Api, key: &str) -> bool {
    match api {
        Api::BookRestaurant | Api::BookHotel => true,
        Api::BuyTrainTickets => matches!(key, "trainID" | "people"),
        Api::BookTaxi => matches!(key, "departure" | "destination"),
        _ => false,
    }
}

/// What a key of a call means.
pub fn meaning(api: Api, key: &str) -> &'static str {
    let meaning = PHRASES.phrase("meaning", key, api.as_str());
    meaning.unwrap_or_default()
}

/// What a call does.
pub fn purpose(api: Api) -> &'static str {
    let purpose = PHRASES.phrase("purpose", api.as_str(), "");
    purpose.unwrap_or_default()
}

/// A call as it is written, with dots in place of the values.
pub fn example(api: Api) -> String {
    let keys = api.keys().iter();
    let pairs: Vec<String> = keys.map(|key| format!("\"{key}\": \"...\"")).collect();
    format!("{api} {{{}}}", pairs.join(", "))
}

/// What there is of a domain, and what one of it is called.
pub fn nouns(domain: Domain) -> (&'static str, &'static str) {
    match domain {
        Domain::Hotel => ("hotel", "room"),
        Domain::Restaurant => ("restaurant", "table"),
        Domain::Attraction => ("attraction", "ticket"),
        Domain::Train => ("train", "ticket"),
        Domain::Taxi => ("taxi", "taxi"),
    }
}
