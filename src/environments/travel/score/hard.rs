//! Whether a plan is as the request wants it.

use super::plan::Field;
use super::reading::{Mode, name_and_city};
use super::trip::{Checked, Crash, MEALS, Ruling, Trip};

/// Filters of rooms: the type of the table, and whether it is wanted or not.
const TYPES: [(&str, &str, bool); 4] = [
    ("not shared room", "Shared room", false),
    ("shared room", "Shared room", true),
    ("private room", "Private room", true),
    ("entire room", "Entire home/apt", true),
];
/// The things that house rules must not forbid where they are wanted.
const RULES: &str = "smoking, parties, children under 10, visitors, pets";

/// Whether every cuisine is tried, not in the city of origin.
pub(super) fn cuisine(trip: &Trip<'_>) -> Checked {
    let wanted = &trip.request.cuisine;
    if wanted.is_empty() {
        return Ok(Ruling::Open);
    }
    let mut tried = Vec::new();
    for entry in &trip.entries {
        for (meal, row) in MEALS.into_iter().zip(entry.meals) {
            let Some(text) = entry.required_filled(meal)? else {
                continue;
            };
            if name_and_city(text).1 == trip.request.origin {
                match trip.is_worded() {
                    true => continue,
                    false => break,
                }
            }
            let served = |cuisine: &&String| row.is_some_and(|row| row.cuisines.contains(&***cuisine));
            tried.extend(wanted.iter().filter(served));
        }
    }
    tried.sort_unstable();
    tried.dedup();
    if let Some(cuisine) = wanted.iter().find(|cuisine| !tried.contains(cuisine)) {
        return Ruling::unmet(format!("The cuisine {cuisine} is not satisfied."));
    }
    match trip.is_worded() || tried.len() == wanted.len() {
        true => Ok(Ruling::Met),
        // The original gives no verdict, and stops where it counts it.
        false => Crash::with("AttributeError: 'NoneType' object has no attribute 'count'"),
    }
}

/// Whether rooms are of the type that is wanted, and their rules forbid nothing that is.
pub(super) fn housing(trip: &Trip<'_>) -> Checked {
    let wanted = &trip.request.housing;
    if wanted.is_empty() {
        return Ok(Ruling::Open);
    }
    let is_wanted = |word: &str| wanted.iter().any(|filter| filter == word);
    for entry in &trip.entries {
        let room = entry.required_filled(Field::Accommodation)?.and(entry.room);
        let Some(room) = room else {
            continue;
        };
        let wrong = TYPES.iter().find(|(word, name, is)| is_wanted(word) && (room.room_type == *name) != *is);
        if let Some((word, _, _)) = wrong {
            return Ruling::unmet(format!("The room type should be '{word}'."));
        }
        let mut rules = RULES.split(", ");
        let forbids = |rule: &str| room.house_rules.contains(&format!("No {rule}"));
        if let Some(rule) = rules.find(|rule| is_wanted(rule) && forbids(rule)) {
            return Ruling::unmet(format!("The house rule should be '{rule}'."));
        }
    }
    Ok(Ruling::Met)
}

/// Whether no excluded way to travel is taken.
pub(super) fn transportation(trip: &Trip<'_>) -> Checked {
    let excluded = &*trip.request.transportation;
    if excluded.is_empty() {
        return Ok(Ruling::Open);
    }
    let (mode, word) = match excluded {
        "no flight" => (Mode::Flight, "Flight"),
        "no self-driving" => (Mode::SelfDriving, "Self-driving"),
        _ => return Ok(Ruling::Met),
    };
    for entry in &trip.entries {
        let text = entry.required_filled(Field::Transportation)?.unwrap_or_default();
        let is_taken = match trip.is_worded() {
            true => Mode::of(text) == Some(mode),
            false => text.contains(word),
        };
        if is_taken {
            return Ruling::unmet(format!("The transportation should not be {excluded}."));
        }
    }
    Ok(Ruling::Met)
}
