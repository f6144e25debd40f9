//! The words of the user.

use super::desire::Want;
use crate::environments::booking::api::Domain;

/// What is wanted, as the end of a sentence (` in the north`). What stands in a conversation was said.
pub(super) fn fragment(want: Want<'_>) -> String {
    let value = want.value;
    match want.slot {
        "area" => format!(" in the {value}"),
        "pricerange" => format!(" in the {value} price range"),
        "food" => format!(" with {value} food"),
        "name" => format!(" called {value}"),
        "type" => format!(" of the type {value}"),
        "stars" => format!(" with {value} stars"),
        slot @ ("internet" | "parking") => match value {
            "no" => format!(", without {slot}"),
            _ => format!(", with {slot}"),
        },
        "departure" => format!(" from {value}"),
        "destination" => format!(" to {value}"),
        "day" => format!(" on {value}"),
        "leaveAt" => format!(" leaving after {value}"),
        "arriveBy" => format!(" arriving by {value}"),
        "time" => format!(" at {value}"),
        "people" if value == "1" => " for 1 person".to_owned(),
        "people" => format!(" for {value} people"),
        "stay" if value == "1" => " for 1 night".to_owned(),
        "stay" => format!(" for {value} nights"),
        slot => format!(" with the {slot} {value}"),
    }
}

/// Several of them. A name goes to the end, for it may hold any word.
pub(super) fn fragments(wants: &[Want<'_>]) -> String {
    let mut wants = wants.to_vec();
    wants.sort_by_key(|want| want.slot == "name");
    wants.into_iter().map(fragment).collect()
}

/// What a domain is about, with its article.
pub(super) fn noun(domain: Domain) -> &'static str {
    match domain {
        Domain::Hotel => "a place to stay",
        Domain::Restaurant => "a restaurant",
        Domain::Attraction => "an attraction",
        Domain::Train => "a train",
        Domain::Taxi => "a taxi",
    }
}

/// A slot, as one says that it does not matter.
pub(super) fn slot_word(slot: &str) -> &str {
    match slot {
        "pricerange" => "price range",
        "stay" => "number of nights",
        "people" => "number of people",
        "leaveAt" => "departure time",
        "arriveBy" => "arrival time",
        "stars" => "star rating",
        slot => slot,
    }
}
