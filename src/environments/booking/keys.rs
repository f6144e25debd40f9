//! What the keys of a call's input take, and which of them a call needs.

use super::api::{Api, Domain};

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
    match (api, key) {
        (Api::QueryTrains, "arriveBy") => "the time by which it arrives at the latest",
        (Api::QueryTrains, "leaveAt") => "the time at which it leaves at the earliest",
        (Api::BuyTrainTickets, "trainID") => "the ID of the train, as query_trains finds it",
        (Api::BookHotel, "day") => "the day of arrival",
        (_, "area") => "the part of the city",
        (_, "pricerange") => "how expensive it is",
        (_, "food") => "the kind of food",
        (_, "name") => "its name",
        (_, "internet") => "whether it has internet",
        (_, "parking") => "whether it has parking",
        (_, "stars") => "how many stars it has",
        (_, "type") => "what kind of place it is",
        (_, "people") => "how many people",
        (_, "stay") => "how many nights",
        (_, "day") => "the day of the week",
        (_, "time") => "the time of day",
        (_, "departure") => "where it leaves",
        (_, "destination") => "where it goes to",
        (_, "arriveBy") => "the time of arrival",
        (_, "leaveAt") => "the time of departure",
        _ => "the ID of the train",
    }
}

/// What a call does.
pub fn purpose(api: Api) -> &'static str {
    match api {
        Api::QueryRestaurants => "find restaurants",
        Api::BookRestaurant => "book a table",
        Api::QueryHotels => "find hotels and guest houses",
        Api::BookHotel => "book a room",
        Api::QueryAttractions => "find museums, parks, colleges and other sights",
        Api::QueryTrains => "find trains",
        Api::BuyTrainTickets => "buy tickets for a train",
        Api::BookTaxi => "book a taxi",
    }
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
