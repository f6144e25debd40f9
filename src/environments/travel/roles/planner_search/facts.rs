//! What there is for a trip, as results of the tools show it.

use super::trip::{Leg, Stay, Trip};
use crate::environments::travel::calls::Call;
use crate::environments::travel::request::Request;
use crate::environments::travel::tools::table::read_table;

/// Somewhere to sleep.
pub(super) struct Room {
    /// Its name.
    pub name: String,
    /// Dollars a night for all travellers.
    pub price: f64,
    /// The fewest nights.
    pub nights: f64,
}

/// Somewhere to eat.
pub(super) struct Restaurant {
    /// Its name.
    pub name: String,
    /// Dollars a meal.
    pub price: i64,
    /// Which of the cuisines of the request it has, as bits.
    pub cuisines: u32,
}

/// A way to travel a leg.
pub(super) struct Ride {
    /// By one's own car.
    pub drives: bool,
    /// Dollars for all travellers.
    pub price: i64,
    /// As a plan says it.
    pub text: String,
}

/// What there is for a stay. Where a name is part of an earlier one, only what it means first is listed.
pub(super) struct Sights {
    /// Rooms as they are wanted, the cheapest first.
    pub rooms: Vec<Room>,
    /// Restaurants, the cheapest first.
    pub restaurants: Vec<Restaurant>,
    /// Names of attractions.
    pub attractions: Vec<String>,
}

/// What a call has shown in full, if it was made.
pub(super) type Shown<'a, 's> = &'a dyn Fn(&Call) -> Option<&'s str>;

impl Sights {
    /// What there is for a stay.
    pub(super) fn of(stay: &Stay, people: i64, request: &Request, shown: Shown<'_, '_>) -> Self {
        let city = || stay.city.clone();
        let (filters, cuisines) = (request.housing.clone(), request.cuisine.clone());
        let rooms = table(shown, &Call::Accommodation { city: city(), filters });
        let rooms = rooms.iter().filter_map(|cells| room(cells, people)).collect();
        let mut rooms = named_first(rooms, |room: &Room| &room.name);
        rooms.sort_by(|one, other| one.price.total_cmp(&other.price));
        let restaurants = table(shown, &Call::Restaurant { city: city(), cuisines });
        let restaurants = restaurants.iter().filter_map(|cells| restaurant(cells, &request.cuisine));
        let mut restaurants = named_first(restaurants.collect(), |own: &Restaurant| &own.name);
        restaurants.sort_by_key(|restaurant| restaurant.price);
        let attractions = table(shown, &Call::Attraction { city: city() }).into_iter();
        let names = attractions.filter_map(|cells| Some(cells.first()?.trim().to_owned()));
        // A list of attractions is parted at each `;`.
        let names = names.filter(|name| !name.contains(';')).collect();
        let attractions = named_first(names, String::as_str);
        Self { rooms, restaurants, attractions }
    }
}

/// The rows of the table that a call has shown; none if it was not made or found nothing.
fn table(shown: Shown<'_, '_>, call: &Call) -> Vec<Vec<String>> {
    let table = shown(call).and_then(read_table);
    table.map_or_else(Vec::new, |table| table.rows)
}

/// Leaves out what no plan can name: names that mean an earlier row, and those of several lines.
fn named_first<T>(rows: Vec<T>, name: impl Fn(&T) -> &str) -> Vec<T> {
    let is_line = |own: &str| !own.is_empty() && !own.contains(['\n', '\r']);
    let mut kept: Vec<bool> = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        let mut earlier = rows.iter().take(place);
        let own = name(row);
        kept.push(is_line(own) && !earlier.any(|row| name(row).contains(own)));
    }
    let rows = rows.into_iter().zip(kept);
    rows.filter(|(_, kept)| *kept).map(|(row, _)| row).collect()
}

/// A whole number, which is written as a fraction where another one of its column is missing.
fn whole(text: &str) -> Option<i64> {
    Some(text.parse::<f64>().ok()? as i64)
}

fn room(cells: &[String], people: i64) -> Option<Room> {
    let [name, price, _, _, nights, guests, _, _] = cells else {
        return None;
    };
    let guests = whole(guests).filter(|guests| *guests > 0)?;
    let price: f64 = price.parse().ok()?;
    Some(Room {
        name: name.trim().to_owned(),
        price: price * shared(people, guests) as f64,
        nights: nights.parse().ok()?,
    })
}

fn restaurant(cells: &[String], wanted: &[String]) -> Option<Restaurant> {
    let [name, price, cuisines, _, _] = cells else {
        return None;
    };
    let served = wanted.iter().zip(0..32).filter(|(own, _)| cuisines.contains(own.as_str()));
    Some(Restaurant {
        name: name.trim().to_owned(),
        price: whole(price)?,
        cuisines: served.fold(0, |bits, (_, place)| bits | 1 << place),
    })
}

/// Rooms or cars for so many people, each for some of them.
fn shared(people: i64, each: i64) -> i64 {
    people / each + i64::from(people % each > 0)
}

/// The ways to travel a leg that are not excluded: flights, a taxi, one's own car.
pub(super) fn rides(leg: &Leg, trip: &Trip, request: &Request, shown: Shown<'_, '_>) -> Vec<Ride> {
    let is_open = |way: &&str| request.transportation != format!("no {way}");
    let flights = Some("flight").filter(is_open).and(leg.date.as_ref());
    let flights = flights.map_or_else(Vec::new, |date| {
        let (origin, destination) = (leg.from.clone(), leg.to.clone());
        let call = Call::Flight { origin, destination, date: date.clone() };
        table(shown, &call)
    });
    let flights = flights.iter().filter_map(|cells| flight(cells, leg, trip.people));
    let roads = ["taxi", "self-driving"].into_iter().filter(is_open);
    flights.chain(roads.filter_map(|mode| drive(mode, leg, trip.people, shown))).collect()
}

fn flight(cells: &[String], leg: &Leg, people: i64) -> Option<Ride> {
    let [number, price, departs, arrives, _, _, _, _, _] = cells else {
        return None;
    };
    let (from, to) = (&leg.from, &leg.to);
    Some(Ride {
        drives: false,
        price: whole(price)?.saturating_mul(people),
        text: format!(
            "Flight Number: {number}, from {from} to {to}, Departure Time: {departs}, Arrival Time: {arrives}"
        ),
    })
}

fn drive(mode: &str, leg: &Leg, people: i64, shown: Shown<'_, '_>) -> Option<Ride> {
    let drives = mode == "self-driving";
    let (origin, destination) = (leg.from.clone(), leg.to.clone());
    let text = shown(&Call::Distance { origin, destination, mode: mode.to_owned() })?;
    let (_, price) = text.rsplit_once(", cost: ")?;
    let cars = shared(people, if drives { 5 } else { 4 });
    let name = if drives { "Self-driving" } else { "Taxi" };
    Some(Ride {
        drives,
        price: price.trim().parse::<i64>().ok()?.saturating_mul(cars),
        text: format!("{name}{}", text.strip_prefix(mode)?),
    })
}
