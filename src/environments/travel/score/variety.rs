//! Variety within a trip: no meal and no attraction twice, and ways to travel that fit each other.

use rustc_hash::FxHashSet;

use super::plan::Field;
use super::reading::{Mode, name_and_city};
use super::trip::{Checked, Crash, MEALS, Ruling, Trip};

/// By what two texts are found to mean the same.
fn identity<'a>(trip: &Trip<'_>, text: &'a str) -> (&'a str, &'a str) {
    match trip.is_worded() {
        true => name_and_city(text),
        false => (text, ""),
    }
}

/// Whether no restaurant is visited twice.
pub(super) fn restaurants(trip: &Trip<'_>) -> Checked {
    let mut visited = FxHashSet::default();
    for entry in &trip.entries {
        for meal in MEALS {
            let Some(text) = entry.filled(meal)? else {
                continue;
            };
            if visited.insert(identity(trip, text)) {
                continue;
            }
            let shown = match meal {
                Field::Lunch => format!("lunch {text}"),
                _ => meal.key().to_owned(),
            };
            let number = entry.number;
            return Ruling::unmet(format!("The restaurant in day {number} {shown} is repeated."));
        }
    }
    Ok(Ruling::Met)
}

/// Whether no attraction is visited twice.
pub(super) fn attractions(trip: &Trip<'_>) -> Checked {
    let mut visited = FxHashSet::default();
    for entry in &trip.entries {
        for text in entry.attractions()? {
            if !visited.insert(identity(trip, text)) {
                let number = entry.number;
                return Ruling::unmet(format!("The attraction '{text}' in day {number} is repeated."));
            }
        }
    }
    Ok(Ruling::Met)
}

/// Whether nobody drives one's own car and takes a plane or a taxi as well.
pub(super) fn transportation(trip: &Trip<'_>) -> Checked {
    let Some(first) = trip.entries.first() else {
        return Crash::with("IndexError: list index out of range");
    };
    if first.required_filled(Field::Transportation)?.is_none() {
        return Ruling::unmet("The transportation in day 1 should not be empty.");
    }
    let (mut drives, mut others) = (false, false);
    for entry in &trip.entries {
        let text = entry.filled(Field::Transportation)?;
        match text.and_then(Mode::of) {
            Some(Mode::SelfDriving) => drives = true,
            Some(Mode::Taxi | Mode::Flight) => others = true,
            None => {}
        }
    }
    match drives && others {
        true => Ruling::unmet("The transportation is conflicting."),
        false => Ok(Ruling::Met),
    }
}
