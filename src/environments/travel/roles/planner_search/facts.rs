//! The days of a trip, and the offers for it, as results of the tools show them.

use crate::calls::Call;
use crate::labels;
use crate::request::Request;
use crate::tools::table::read_table;

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

/// The offers for a stay. Where a name is part of an earlier one, only the earlier one is listed.
pub(super) struct Sights {
    /// Rooms as they are wanted, the cheapest first.
    pub rooms: Vec<Room>,
    /// Restaurants, the cheapest first.
    pub restaurants: Vec<Restaurant>,
    /// Names of attractions.
    pub attractions: Vec<String>,
}

/// Finds the full result of a call, if it was made.
pub(super) type Shown<'a, 's> = &'a dyn Fn(&Call) -> Option<&'s str>;

impl Sights {
    /// The offers for a stay.
    pub(super) fn of(stay: &Stay, people: i64, request: &Request, shown: Shown<'_, '_>) -> Self {
        let city = || stay.city.clone();
        let (filters, cuisines) = (request.housing.clone(), request.cuisine.clone());
        let rooms = table(shown, &Call::Accommodation { city: city(), filters })
            .iter()
            .filter_map(|cells| room(cells, people))
            .collect();
        let mut rooms = named_first(rooms, |room: &Room| &room.name);
        rooms.sort_by(|one, other| one.price.total_cmp(&other.price));
        let restaurants = table(shown, &Call::Restaurant { city: city(), cuisines });
        let restaurants = restaurants.iter().filter_map(|cells| restaurant(cells, &request.cuisine));
        let mut restaurants = named_first(restaurants.collect(), |restaurant: &Restaurant| &restaurant.name);
        restaurants.sort_by_key(|restaurant| restaurant.price);
        let names = table(shown, &Call::Attraction { city: city() })
            .into_iter()
            .filter_map(|cells| Some(cells.first()?.trim().to_owned()));
        // A list of attractions is parted at each `;`.
        let names = names.filter(|name| !name.contains(';')).collect();
        let attractions = named_first(names, String::as_str);
        Self { rooms, restaurants, attractions }
    }
}

/// The rows of the table that a call has shown; none if it was not made or found nothing.
fn table(shown: Shown<'_, '_>, call: &Call) -> Vec<Vec<String>> {
    shown(call).and_then(read_table).map_or_else(Vec::new, |table| table.rows)
}

/// Leaves out what no plan can name: names that mean an earlier row, and those of several lines.
fn named_first<T>(rows: Vec<T>, name: impl Fn(&T) -> &str) -> Vec<T> {
    let is_line = |text: &str| !text.is_empty() && !text.contains(['\n', '\r']);
    let mut kept: Vec<bool> = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        let mut earlier = rows.iter().take(place);
        let text = name(row);
        kept.push(is_line(text) && !earlier.any(|row| name(row).contains(text)));
    }
    rows.into_iter().zip(kept).filter(|(_, kept)| *kept).map(|(row, _)| row).collect()
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
    let served = wanted.iter().zip(0..32).filter(|(cuisine, _)| cuisines.contains(cuisine.as_str()));
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
    let flights = Some("flight").filter(is_open).and(leg.date.as_ref()).map_or_else(Vec::new, |date| {
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

/// A way from one city to the next.
pub(super) struct Leg {
    /// The day of the trip.
    pub day: i64,
    /// From.
    pub from: String,
    /// To.
    pub to: String,
    /// The date, if the day of departure is known.
    pub date: Option<String>,
}

/// A city where nights are spent.
pub(super) struct Stay {
    /// The city.
    pub city: String,
    /// The day of arrival.
    pub arrival: i64,
    /// The day of leaving it.
    pub leaving: i64,
}

impl Stay {
    /// Nights in the city.
    pub(super) fn nights(&self) -> f64 {
        (self.leaving - self.arrival) as f64
    }

    /// Days that are spent in the city alone.
    pub(super) fn full_days(&self) -> usize {
        usize::try_from(self.leaving - self.arrival - 1).unwrap_or(0)
    }
}

/// A trip, as far as the request says it. What it does not say is taken for the least: one traveller, two days at the
/// last stop.
pub(super) struct Trip {
    /// Days.
    pub days: i64,
    /// Travellers.
    pub people: i64,
    /// The ways, in order; the last one leads back.
    pub legs: Vec<Leg>,
    /// The stays, in order.
    pub stays: Vec<Stay>,
}

/// The most days that are planned.
const LONGEST: i64 = 60;

impl Trip {
    /// The trip of a request; none if nothing is to be visited.
    pub(super) fn of(request: &Request) -> Option<Self> {
        let last = request.stops.last()?;
        let days = request.days.unwrap_or(last.day.saturating_add(2)).clamp(2, LONGEST);
        let stops = request.stops.iter().map(|stop| (&stop.city, stop.day.clamp(1, days)));
        let ends: Vec<(&String, i64)> = stops.chain([(&request.origin, days)]).collect();
        let starts = [&request.origin].into_iter().chain(ends.iter().map(|(city, _)| *city));
        let leg = |(from, (to, day)): (&String, &(&String, i64))| Leg {
            day: *day,
            from: from.clone(),
            to: (*to).clone(),
            date: labels::date(&request.departure, *day),
        };
        let stay = |pair: &[(&String, i64)]| match pair {
            [(city, arrival), (_, leaving)] => {
                Some(Stay { city: (*city).clone(), arrival: *arrival, leaving: *leaving })
            }
            _ => None,
        };
        Some(Self {
            days,
            people: request.people.unwrap_or(1).clamp(1, 1_000_000),
            legs: starts.zip(&ends).map(leg).collect(),
            stays: ends.windows(2).filter_map(stay).collect(),
        })
    }
}
