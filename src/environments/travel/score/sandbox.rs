//! Whether everything that a plan names exists, and accommodations are taken for as many nights as they ask for.

use super::plan::Field;
use super::reading::name_and_city;
use super::ride::{Carrier, Ride};
use super::trip::{Checked, Crash, Entry, MEALS, Ruling, Trip};

/// Whether everything that is named exists.
pub(super) fn known(trip: &Trip<'_>) -> Checked {
    for entry in &trip.entries {
        if let Some(reason) = unknown(trip, entry)? {
            return Ruling::unmet(reason);
        }
    }
    Ok(Ruling::Met)
}

/// Why something of a day does not exist.
fn unknown(trip: &Trip<'_>, entry: &Entry<'_>) -> Result<Option<String>, Crash> {
    if let Some(ride) = Ride::of(trip, entry)?
        && let Some(reason) = unknown_ride(trip, entry, &ride)
    {
        return Ok(Some(reason));
    }
    for (meal, row) in MEALS.into_iter().zip(entry.meals) {
        if entry.filled(meal)?.is_some() && row.is_none() {
            return Ok(Some(invalid(meal.key(), entry)));
        }
    }
    for text in entry.attractions()? {
        let (name, city) = name_and_city(text);
        let mut rows = trip.country.attractions(city).iter();
        if !rows.any(|row| trip.is_named(&row.name, name)) {
            return Ok(Some(invalid(&format!("attraction {text}"), entry)));
        }
    }
    let sleeps = entry.filled(Field::Accommodation)?.is_some();
    let is_unknown = sleeps && entry.room.is_none();
    Ok(is_unknown.then(|| invalid(Field::Accommodation.key(), entry)))
}

fn invalid(what: &str, entry: &Entry<'_>) -> String {
    let number = entry.number;
    format!("The {what} in day {number} is invalid in the sandbox.")
}

/// Why a ride does not exist.
fn unknown_ride(trip: &Trip<'_>, entry: &Entry<'_>, ride: &Ride<'_>) -> Option<String> {
    let is_known = match ride.carrier {
        Carrier::Plane if trip.is_worded() => ride.number().map(|_| ride.flight(trip, entry).is_some()),
        Carrier::Plane => ride.is_on_any_day(trip),
        Carrier::Car | Carrier::Taxi => Some(ride.road(trip).is_some()),
        Carrier::Other => Some(!trip.is_worded()),
    };
    let word = match ride.carrier {
        Carrier::Plane => "flight number",
        Carrier::Car => "self-driving",
        Carrier::Taxi => "taxi",
        Carrier::Other => "transportation",
    };
    let number = entry.number;
    match is_known {
        Some(true) => None,
        Some(false) => Some(invalid(word, entry)),
        None => Some(format!("Cannot parse the flight number in day {number} in the sandbox.")),
    }
}

/// Whether accommodations are taken for as many nights as they ask for; the original asks only those whose name no
/// other one of the city holds.
pub(super) fn nights(trip: &Trip<'_>) -> Checked {
    let mut all = Vec::new();
    for entry in &trip.entries {
        match entry.get(Field::Accommodation)? {
            Some(text) => all.push((text, entry.room)),
            None => return Ruling::unmet("No Accommodation Info."),
        }
    }
    for run in all.chunk_by(|(one, _), (other, _)| one == other) {
        let Some((text, Some(room))) = run.first() else {
            continue;
        };
        let is_short = (run.len() as f64) < room.minimum_nights;
        let counts = || {
            let (name, city) = name_and_city(text);
            trip.is_worded() || trip.rooms(name, city).nth(1).is_none()
        };
        if is_short && counts() {
            let reason = format!("The accommodation {text} do not obey the minumum nights rule.");
            return Ruling::unmet(reason);
        }
    }
    Ok(Ruling::Met)
}
