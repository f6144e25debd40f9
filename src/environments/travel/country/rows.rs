//! Rows of the tables.

use serde::{Deserialize, Serialize};

/// A row of the table of accommodations.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Accommodation {
    /// `NAME`.
    pub name: String,
    /// Dollars a night.
    pub price: f64,
    /// `Private room`, `Entire home/apt` or `Shared room`.
    pub room_type: String,
    /// Rules such as `No pets & No smoking`.
    pub house_rules: String,
    /// The fewest nights.
    pub minimum_nights: f64,
    /// The most guests in one room.
    pub maximum_occupancy: i64,
    /// Rating.
    pub review_rate: f64,
    /// The city.
    pub city: String,
}

/// A row of the table of restaurants.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Restaurant {
    /// `Name`.
    pub name: String,
    /// Dollars a meal and person.
    pub average_cost: i64,
    /// Cuisines, such as `Cafe, Mexican`.
    pub cuisines: String,
    /// Rating.
    pub rating: f64,
    /// The city.
    pub city: String,
}

/// A row of the table of attractions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attraction {
    /// `Name`.
    pub name: String,
    /// Degrees.
    pub latitude: f64,
    /// Degrees.
    pub longitude: f64,
    /// Address.
    pub address: String,
    /// Phone.
    pub phone: String,
    /// Website.
    pub website: String,
    /// The city.
    pub city: String,
}

/// The way from one city to another by road: the first row of the pair in the table of distances.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Road {
    /// Such as `3 hours 23 mins`; empty if there is none.
    pub duration: String,
    /// Such as `1,228 km`; empty if there is none.
    pub distance: String,
}

/// A flight, put together from the columns of its table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flight {
    /// `Flight Number`.
    pub number: String,
    /// Dollars a seat.
    pub price: i64,
    /// `DepTime`.
    pub departs: String,
    /// `ArrTime`.
    pub arrives: String,
    /// `ActualElapsedTime`.
    pub elapsed: String,
    /// `FlightDate`.
    pub date: String,
    /// `OriginCityName`.
    pub origin: String,
    /// `DestCityName`.
    pub destination: String,
    /// Miles.
    pub distance: f64,
}

/// Dollars of a way by road.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoadCosts {
    /// One taxi.
    pub taxi: i64,
    /// One car of one's own.
    pub self_driving: i64,
}

/// The rows of a country that is made here.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Rows {
    /// The cities that tools take.
    pub cities: Vec<String>,
    /// The table of accommodations.
    pub accommodations: Vec<Accommodation>,
    /// The table of restaurants.
    pub restaurants: Vec<Restaurant>,
    /// The table of attractions.
    pub attractions: Vec<Attraction>,
    /// The table of distances: from, to, and the road.
    pub roads: Vec<(String, String, Road)>,
    /// The table of flights.
    pub flights: Vec<Flight>,
}
