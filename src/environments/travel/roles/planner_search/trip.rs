//! The days of a trip.

use crate::environments::travel::labels;
use crate::environments::travel::request::Request;

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
        let stops = request.stops.iter();
        let stops = stops.map(|stop| (&stop.city, stop.day.clamp(1, days)));
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
