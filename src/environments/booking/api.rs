//! The eight calls, what each is about, and the values that its keys may have (spec section 1).

/// What a call or a goal is about.
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

names! { Domain, as_str:
    Hotel => "hotel", Restaurant => "restaurant", Attraction => "attraction", Train => "train", Taxi => "taxi",
}

shown_as!(Domain, as_str);

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

names! { Api, as_str:
    QueryRestaurants => "query_restaurants", BookRestaurant => "book_restaurant",
    QueryHotels => "query_hotels", BookHotel => "book_hotel", QueryAttractions => "query_attractions",
    QueryTrains => "query_trains", BuyTrainTickets => "buy_train_tickets", BookTaxi => "book_taxi",
}

shown_as!(Api, as_str);

/// The word for a value that does not matter.
pub const ANY: &str = "any";

const AREAS: &[&str] = &["centre", "north", "south", "east", "west"];
const PRICES: &[&str] = &["cheap", "moderate", "expensive"];
const YES_NO: &[&str] = &["yes", "no"];
const STARS: &[&str] = &["0", "1", "2", "3", "4", "5"];
const HOTEL_TYPES: &[&str] = &["bed and breakfast", "guesthouse", "hotel"];

/// The days of the week.
pub const DAYS: &[&str] = &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// The keys of tickets: those of trains, and how many there are to be.
const TICKETS: &[&str; 7] = &["arriveBy", "day", "departure", "destination", "leaveAt", "trainID", "people"];

impl Domain {
    /// The values that a key can have, where these are few.
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

    /// Whether it takes the user from one place to another.
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
    /// What the call is about.
    pub fn domain(self) -> Domain {
        match self {
            Self::QueryRestaurants | Self::BookRestaurant => Domain::Restaurant,
            Self::QueryHotels | Self::BookHotel => Domain::Hotel,
            Self::QueryAttractions => Domain::Attraction,
            Self::QueryTrains | Self::BuyTrainTickets => Domain::Train,
            Self::BookTaxi => Domain::Taxi,
        }
    }

    /// Whether it books, which all do that do not query.
    pub fn books(self) -> bool {
        !self.as_str().starts_with("query")
    }

    /// The keys of its input, in the order in which agents are told of them.
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
}
