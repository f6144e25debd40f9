//! What a trip costs.

use super::plan::Field;
use super::ride::{Carrier, Ride};
use super::trip::{Crash, Entry, MEALS, Trip};

/// Travellers of one car of their own, and of one taxi.
const SEATS: (i64, i64) = (5, 4);

/// The dollars of all days. What is not found costs nothing.
pub(super) fn total(trip: &Trip<'_>) -> Result<f64, Crash> {
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
