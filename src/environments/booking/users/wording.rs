//! The words of the user.

use super::desire::Want;
use crate::environments::booking::api::Domain;
use crate::environments::booking::language::{self, request};

/// What is wanted, as the end of a sentence (` in the north`). What stands in a conversation was said.
pub(super) fn fragment(want: &Want) -> String {
    let (slot, value) = (want.slot.as_str(), &want.value);
    match slot {
        "food" => format!(" with {value} food"),
        _ => language::fragment(slot, value).unwrap_or_else(|| format!(" with the {slot} {value}")),
    }
}

/// Several of them. A name goes to the end, for it may hold any word.
pub(super) fn fragments(wants: &[&Want]) -> String {
    let (names, others): (Vec<&Want>, Vec<&Want>) =
        wants.iter().copied().partition(|want| want.slot == "name");
    others.into_iter().chain(names).map(fragment).collect()
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

/// What is asked for, in words.
pub(super) fn wish(slot: &str) -> String {
    request(slot).unwrap_or(slot).to_owned()
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
