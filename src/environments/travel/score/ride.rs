//! How a day's transportation is read and found in the country, and the cost of a trip.

use super::plan::Field;
use super::reading::{flight_code, flight_number};
use super::trip::{Crash, Entry, MEALS, Trip};
use crate::country::{Flight, RoadCosts};
use crate::labels::date;
use rolecall_core::text::python::strip;

/// The means of transport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Carrier {
    /// A plane.
    Plane,
    /// One's own car.
    Car,
    /// A taxi.
    Taxi,
    /// Something else, or what the original does not look up.
    Other,
}

/// A day's transportation.
pub(super) struct Ride<'a> {
    /// The means.
    pub(super) carrier: Carrier,
    /// From where to where, if that can be read.
    pub(super) pair: Option<(&'a str, &'a str)>,
    /// The text.
    text: &'a str,
}

impl<'a> Ride<'a> {
    /// A day's transportation, if it has one. Where its text names no cities, those of the day hold.
    pub(super) fn of(trip: &Trip<'_>, entry: &Entry<'a>) -> Result<Option<Self>, Crash> {
        let Some(text) = entry.required_filled(Field::Transportation)? else {
            return Ok(None);
        };
        let pair = match entry.pair(text) {
            None => entry.pair(entry.required(Field::City)?),
            pair => pair,
        };
        let small = text.to_lowercase();
        let carrier = if small.contains("flight number") {
            Carrier::Plane
        } else if small.contains("self-driving") {
            Carrier::Car
        } else if small.contains("taxi") {
            Carrier::Taxi
        } else if trip.is_worded() && small.contains("flight") {
            Carrier::Plane
        } else {
            Carrier::Other
        };
        Ok(Some(Self { carrier, pair, text }))
    }

    /// The costs of the road, if it can be taken.
    pub(super) fn road(&self, trip: &Trip<'_>) -> Option<RoadCosts> {
        let (from, to) = self.pair?;
        trip.country.road_costs(from, to)
    }

    /// The number by which a flight is looked for as it is worded.
    pub(super) fn number(&self) -> Option<&'a str> {
        flight_number(self.text).map(strip).filter(|number| !number.is_empty()).or_else(|| self.code())
    }

    /// The first letter with digits, by which the original looks for the price.
    pub(super) fn code(&self) -> Option<&'a str> {
        flight_code(self.text)
    }

    /// The flight of this number from city to city on the day.
    pub(super) fn flight(&self, trip: &Trip<'_>, entry: &Entry<'_>) -> Option<Flight> {
        let ((from, to), number) = self.pair.zip(self.number())?;
        let date = date(&trip.request.departure, i64::try_from(entry.number).ok()?)?;
        trip.country.flights(from, to, &date).into_iter().find(|flight| flight.number == number)
    }

    /// Whether the original knows the flight: from city to city by what stands behind `Flight Number: `, or anywhere
    /// by the code if one of them cannot be read. None if there is no code either.
    pub(super) fn is_on_any_day(&self, trip: &Trip<'_>) -> Option<bool> {
        let flights = |number| trip.country.flights_numbered(number);
        Some(match self.pair.zip(flight_number(self.text)) {
            Some(((from, to), number)) => {
                flights(number).into_iter().any(|flight| flight.origin == from && flight.destination == to)
            }
            None => !flights(self.code()?).is_empty(),
        })
    }
}

/// Travellers of one car of their own, and of one taxi.
const SEATS: (i64, i64) = (5, 4);

/// The dollars of all days. What is not found costs nothing.
pub(super) fn cost(trip: &Trip<'_>) -> Result<f64, Crash> {
    let mut total = 0.0;
    for entry in &trip.entries {
        total += fare(trip, entry)? as f64;
        for (meal, row) in MEALS.into_iter().zip(entry.meals) {
            let row = entry.required_filled(meal)?.and(row);
            let cost = row.map_or(0, |row| row.average_cost);
            total += cost.saturating_mul(trip.people()) as f64;
        }
        let room = entry.required_filled(Field::Accommodation)?.and(entry.room);
        total += room.map_or(0.0, |room| {
            let rooms = trip.people() as f64 / room.maximum_occupancy as f64;
            room.price * rooms.ceil()
        });
    }
    Ok(total)
}

/// The dollars of a day's transportation.
fn fare(trip: &Trip<'_>, entry: &Entry<'_>) -> Result<i64, Crash> {
    let ride = Ride::of(trip, entry)?;
    let Some(ride) = ride.filter(|ride| ride.pair.is_some()) else {
        return Ok(0);
    };
    let cars = |seats: i64| (trip.people() as f64 / seats as f64).ceil() as i64;
    let road = || match ride.road(trip) {
        None if !trip.is_worded() => Crash::with("TypeError: unsupported operand type(s) for *: 'NoneType' and 'int'"),
        costs => Ok(costs),
    };
    let (price, units) = match ride.carrier {
        Carrier::Plane => (seat(trip, entry, &ride)?, trip.people()),
        Carrier::Car => (road()?.map(|costs| costs.self_driving), cars(SEATS.0)),
        Carrier::Taxi => (road()?.map(|costs| costs.taxi), cars(SEATS.1)),
        Carrier::Other => (None, 0),
    };
    Ok(price.unwrap_or(0).saturating_mul(units))
}

/// The price of a flight's seat.
fn seat(trip: &Trip<'_>, entry: &Entry<'_>, ride: &Ride<'_>) -> Result<Option<i64>, Crash> {
    if trip.is_worded() {
        return Ok(ride.flight(trip, entry).map(|flight| flight.price));
    }
    let Some(code) = ride.code() else {
        return Crash::with("AttributeError: 'NoneType' object has no attribute 'group'");
    };
    let flights = trip.country.flights_numbered(code);
    Ok(flights.first().map(|flight| flight.price))
}
