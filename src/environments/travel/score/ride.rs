//! How a day's transportation is read and found in the country.

use super::plan::Field;
use super::reading::{flight_code, flight_number};
use super::trip::{Crash, Entry, Trip};
use crate::environments::travel::country::{Flight, RoadCosts};
use crate::environments::travel::labels::date;
use crate::text::python::strip;

/// What carries travellers.
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
    /// What carries.
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

    /// What the road costs, if it can be taken.
    pub(super) fn road(&self, trip: &Trip<'_>) -> Option<RoadCosts> {
        let (from, to) = self.pair?;
        trip.country.road_costs(from, to)
    }

    /// The number by which a flight is looked for as it is worded.
    pub(super) fn number(&self) -> Option<&'a str> {
        let number = flight_number(self.text).map(strip).filter(|number| !number.is_empty());
        number.or_else(|| self.code())
    }

    /// The first letter with digits, by which the original looks for the price.
    pub(super) fn code(&self) -> Option<&'a str> {
        flight_code(self.text)
    }

    /// The flight of this number from city to city on the day.
    pub(super) fn flight(&self, trip: &Trip<'_>, entry: &Entry<'_>) -> Option<Flight> {
        let ((from, to), number) = self.pair.zip(self.number())?;
        let date = date(&trip.request.departure, i64::try_from(entry.number).ok()?)?;
        let flights = trip.country.flights(from, to, &date);
        flights.into_iter().find(|flight| flight.number == number)
    }

    /// Whether the original knows the flight: from city to city by what stands behind `Flight Number: `, or anywhere
    /// by the code if one of them cannot be read. None if there is no code either.
    pub(super) fn is_on_any_day(&self, trip: &Trip<'_>) -> Option<bool> {
        let flights = |number| trip.country.flights_numbered(number);
        Some(match self.pair.zip(flight_number(self.text)) {
            Some(((from, to), number)) => {
                let mut flights = flights(number).into_iter();
                flights.any(|flight| flight.origin == from && flight.destination == to)
            }
            None => !flights(self.code()?).is_empty(),
        })
    }
}
