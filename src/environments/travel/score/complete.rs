//! Whether nothing is missing of a plan.

use serde_json::Value;

use super::plan::Field;
use super::reading::from_to;
use super::trip::{Checked, Crash, Entry, MEALS, PARTS, Ruling, Trip};

/// The city of days that annotators leave open.
const UNFILLED: &str = "You don't need to fill in the information for this or later days.";

/// Whether every day has what it needs, and half of all fields say something.
pub(super) fn complete(trip: &Trip<'_>) -> Checked {
    let mut days = 0;
    for entry in &trip.entries {
        let counts = !entry.fields.is_empty() && entry.required(Field::City)? != UNFILLED;
        days += i64::from(counts);
    }
    if days != trip.days() {
        return Ruling::unmet("Invalid Days");
    }
    let mut filled = 0;
    for entry in &trip.entries {
        if let Some(reason) = lack(trip, entry)? {
            return Ruling::unmet(reason);
        }
        filled += match trip.is_worded() {
            true => {
                let says = |field: &Field| matches!(entry.filled(*field), Ok(Some(_)));
                PARTS.into_iter().filter(says).count()
            }
            false => entry.fields.values().filter(|value| is_filled(value)).count(),
        };
    }
    match trip.days() {
        0 => Crash::with("ZeroDivisionError: float division by zero"),
        days if filled as f64 / (6 * days) as f64 >= 0.5 => Ok(Ruling::Met),
        _ => Ruling::unmet("The absent information is more than 50%."),
    }
}

/// The reason why a day is not complete, if it is not.
fn lack(trip: &Trip<'_>, entry: &Entry<'_>) -> Result<Option<String>, Crash> {
    for field in PARTS {
        if entry.get(field)?.is_none() {
            let (first, rest) = field.key().split_at(1);
            return Ok(Some(format!("No {}{rest} Info.", first.to_uppercase())));
        }
    }
    let city = entry.required(Field::City)?;
    let (from, to) = (city.contains("from "), city.contains("to "));
    let way = from_to(city).is_some();
    let (travels, stays, eats_out) = match trip.is_worded() {
        true => (way, !way, !way),
        false => (from || to, !from && !city.contains(" to "), !from),
    };
    let is_last = i64::try_from(entry.number) == Ok(trip.days());
    let lacks = |field| entry.filled(field).map(|text| text.is_none());
    let mut meal = false;
    for field in MEALS {
        meal |= lacks(field)?;
    }
    let found = if travels && lacks(Field::Transportation)? {
        "transportation"
    } else if stays && lacks(Field::Attraction)? {
        "attaction"
    } else if !is_last && lacks(Field::Accommodation)? {
        "accommodation"
    } else if eats_out && meal {
        "meal"
    } else {
        return Ok(None);
    };
    let number = entry.number;
    Ok(Some(format!("No {found} in day {number} is not allowed.")))
}

/// Whether Python takes a value for true, and it is not `-`.
fn is_filled(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(yes) => *yes,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty() && text != "-",
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
    }
}
