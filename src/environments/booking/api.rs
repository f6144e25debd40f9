//! The eight calls, what each is about, and the values that its keys may have (spec section 1).

use std::sync::LazyLock;

use rolecall_core::text::{WordLists, joined};

/// Names of slots, calls and domains, and phrases for wishes.
pub(super) static PHRASES: LazyLock<WordLists> = LazyLock::new(|| WordLists::read(include_str!("phrases.txt")));

/// Domain of a call or a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Domain {
    /// Hotels and guest houses.
    Hotel,
    /// Restaurants.
    Restaurant,
    /// Sights, museums, parks and the like.
    Attraction,
    /// Trains.
    Train,
    /// Taxis, of which there are no records.
    Taxi,
}

rolecall_core::names! { Domain, as_str:
    Hotel => "hotel", Restaurant => "restaurant", Attraction => "attraction", Train => "train", Taxi => "taxi",
}

rolecall_core::shown_as!(Domain, as_str);

/// A call that an agent can make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Api {
    /// Finds restaurants.
    QueryRestaurants,
    /// Books a table.
    BookRestaurant,
    /// Finds hotels.
    QueryHotels,
    /// Books a room.
    BookHotel,
    /// Finds attractions.
    QueryAttractions,
    /// Finds trains.
    QueryTrains,
    /// Buys tickets for a train.
    BuyTrainTickets,
    /// Books a taxi.
    BookTaxi,
}

rolecall_core::names! { Api, as_str:
    QueryRestaurants => "query_restaurants", BookRestaurant => "book_restaurant",
    QueryHotels => "query_hotels", BookHotel => "book_hotel", QueryAttractions => "query_attractions",
    QueryTrains => "query_trains", BuyTrainTickets => "buy_train_tickets", BookTaxi => "book_taxi",
}

rolecall_core::shown_as!(Api, as_str);

/// The word for a value that does not matter.
pub const ANY: &str = "any";

const AREAS: &[&str] = &["centre", "north", "south", "east", "west"];
const PRICES: &[&str] = &["cheap", "moderate", "expensive"];
const YES_NO: &[&str] = &["yes", "no"];
const STARS: &[&str] = &["0", "1", "2", "3", "4", "5"];
const HOTEL_TYPES: &[&str] = &["bed and breakfast", "guesthouse", "hotel"];

/// The days of the week.
pub const DAYS: &[&str] = &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// The keys of tickets: those of trains, and the number of tickets.
const TICKETS: &[&str; 7] = &["arriveBy", "day", "departure", "destination", "leaveAt", "trainID", "people"];

/// Kind of a key's values.
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

impl Domain {
    /// Nouns of a domain: for one record, and for one booking.
    pub fn nouns(self) -> (&'static str, &'static str) {
        match self {
            Self::Hotel => ("hotel", "room"),
            Self::Restaurant => ("restaurant", "table"),
            Self::Attraction => ("attraction", "ticket"),
            Self::Train => ("train", "ticket"),
            Self::Taxi => ("taxi", "taxi"),
        }
    }

    /// The values that a key can have, if they are few.
    pub fn values(self, key: &str) -> Option<&'static [&'static str]> {
        use Domain::{Attraction, Hotel, Restaurant, Train};
        match (self, key) {
            (Restaurant | Hotel | Attraction, "area") => Some(AREAS),
            (Restaurant | Hotel, "pricerange") => Some(PRICES),
            (Restaurant | Hotel | Train, "day") => Some(DAYS),
            (Hotel, "internet" | "parking") => Some(YES_NO),
            (Hotel, "stars") => Some(STARS),
            (Hotel, "type") => Some(HOTEL_TYPES),
            _ => None,
        }
    }

    /// Whether it is a train or a taxi.
    pub fn is_ride(self) -> bool {
        matches!(self, Self::Train | Self::Taxi)
    }

    /// Whether a key of its records is compared by likeness.
    pub fn is_fuzzy(self, key: &str) -> bool {
        matches!(
            (self, key),
            (Self::Restaurant, "name" | "food")
                | (Self::Hotel, "name")
                | (Self::Attraction, "name" | "type")
                | (Self::Train, "departure" | "destination")
        )
    }
}

impl Api {
    /// Domain of the call.
    pub fn domain(self) -> Domain {
        match self {
            Self::QueryRestaurants | Self::BookRestaurant => Domain::Restaurant,
            Self::QueryHotels | Self::BookHotel => Domain::Hotel,
            Self::QueryAttractions => Domain::Attraction,
            Self::QueryTrains | Self::BuyTrainTickets => Domain::Train,
            Self::BookTaxi => Domain::Taxi,
        }
    }

    /// Whether it books; all others query.
    pub fn books(self) -> bool {
        !self.as_str().starts_with("query")
    }

    /// The keys of its input, in the order in which agents are told them.
    pub fn keys(self) -> &'static [&'static str] {
        match self {
            Self::QueryRestaurants => &["area", "pricerange", "food", "name"],
            Self::BookRestaurant => &["name", "people", "day", "time"],
            Self::QueryHotels => &["area", "internet", "name", "parking", "pricerange", "stars", "type"],
            Self::BookHotel => &["name", "people", "day", "stay"],
            Self::QueryAttractions => &["area", "name", "type"],
            Self::QueryTrains => &TICKETS[..6],
            Self::BuyTrainTickets => TICKETS,
            Self::BookTaxi => &["arriveBy", "departure", "destination", "leaveAt"],
        }
    }

    /// Kind of the values that a key takes.
    pub fn kind(self, key: &str) -> Kind {
        match key {
            "people" | "stay" => Kind::Whole,
            "time" | "arriveBy" | "leaveAt" => Kind::Time,
            _ => self.domain().values(key).map_or(Kind::Text, Kind::Choice),
        }
    }

    /// Whether a booking needs a key. A taxi needs one of its times as well.
    pub fn needs(self, key: &str) -> bool {
        match self {
            Self::BookRestaurant | Self::BookHotel => true,
            Self::BuyTrainTickets => matches!(key, "trainID" | "people"),
            Self::BookTaxi => matches!(key, "departure" | "destination"),
            _ => false,
        }
    }

    /// Meaning of a key.
    pub fn meaning(self, key: &str) -> &'static str {
        PHRASES.phrase("meaning", key, self.as_str()).unwrap_or_default()
    }

    /// Purpose of the call.
    pub fn purpose(self) -> &'static str {
        PHRASES.phrase("purpose", self.as_str(), "").unwrap_or_default()
    }

    /// The call as it is written, with dots in place of the values.
    pub fn example(self) -> String {
        format!("{self} {{{}}}", joined(self.keys().iter().map(|key| format!("\"{key}\": \"...\""))))
    }
}
