//! A venue or a train as AutoTOD's scorer compares it (spec sections 6.3 and 6.4), and names and times as it cleans
//! them (spec section 6.2).

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::Value;

use crate::api::Domain;
use crate::database::Record;
use crate::goal::Slots;
use rolecall_core::text::python::strip;
use rolecall_core::text::python_int;

/// Values that constrain nothing.
pub const OPEN_VALUES: [&str; 4] = ["dontcare", "", "none", "not mentioned"];

static COLUMNS: LazyLock<[Vec<&'static str>; 4]> = LazyLock::new(|| {
    [
        "type area internet parking pricerange stars phone address postcode",
        "area pricerange food phone postcode address",
        "type area phone address postcode entrance_fee",
        "arriveBy day departure destination leaveAt price trainID duration",
    ]
    .map(|columns| columns.split(' ').collect())
});

/// The columns of AutoTOD's table of a domain, except the name and the id; taxis have none.
pub fn columns(domain: Domain) -> &'static [&'static str] {
    COLUMNS.get(domain as usize).map_or(&[], Vec::as_slice)
}

/// The reason why a domain cannot be judged: AutoTOD stops with an error there and leaves the dialogue out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is missing, or is no text")]
pub struct Unjudged(pub String);

impl Unjudged {
    /// Value if it is there, else the key that is missing.
    pub(super) fn unless<T>(key: &str, there: Option<T>) -> Result<T, Self> {
        there.ok_or_else(|| Self(key.to_owned()))
    }

    /// The value as a text.
    pub(super) fn text<'v>(key: &str, value: Option<&'v Value>) -> Result<&'v str, Self> {
        Self::unless(key, value.and_then(Value::as_str))
    }
}

/// A venue or train of the databases.
#[derive(Clone, Copy, Debug)]
pub struct Row<'d> {
    pub(super) domain: Domain,
    pub(super) record: &'d Record,
}

impl<'d> Row<'d> {
    /// The cleaned name.
    pub fn name(self) -> String {
        clean_name(self.written_name())
    }

    /// The name as the record has it.
    pub(super) fn written_name(self) -> &'d str {
        self.record.get("name").and_then(Value::as_str).unwrap_or_default()
    }

    /// The record as the data set has it.
    pub fn record(self) -> &'d Record {
        self.record
    }

    /// The number of a venue; the highest number if it has none.
    pub(super) fn id(self) -> i64 {
        self.record
            .get("id")
            .and_then(|id| match id {
                Value::String(text) => text.parse().ok(),
                other => other.as_i64(),
            })
            .unwrap_or(i64::MAX)
    }

    /// The value of a column; none if the record has none.
    pub(super) fn column(self, column: &str) -> Option<&'d str> {
        let (key, column) = match column {
            "entrance_fee" | "entrance fee" => ("entrance fee", "entrance_fee"),
            other => (other, other),
        };
        let is_there = columns(self.domain).contains(&column);
        self.record.get(key).filter(|_| is_there)?.as_str()
    }

    /// The record with these keys alone.
    pub(super) fn part(self, keys: &BTreeSet<&str>) -> Record {
        let mut part = self.record.clone();
        part.retain(|key, _| keys.contains(key.as_str()));
        part
    }

    /// Whether a venue meets these slots.
    ///
    /// # Errors
    /// When a value is no text.
    pub fn satisfies(self, slots: &Slots) -> Result<bool, Unjudged> {
        slots.iter().try_fold(true, |fits, (slot, value)| {
            let wanted = Unjudged::text(slot, Some(value))?;
            Ok(fits && (OPEN_VALUES.contains(&wanted) || self.is(slot, wanted)))
        })
    }

    /// Whether a slot of a venue has a value.
    fn is(self, slot: &str, wanted: &str) -> bool {
        if slot == "name" {
            return same(&self.name(), wanted);
        }
        self.column(slot).is_some_and(|text| match slot {
            "postcode" | "phone" => same(text, &wanted.replace(' ', "")),
            // AutoTOD compares this answer as it is written.
            "entrance fee" => text.to_lowercase() == wanted,
            "address" => wanted.to_lowercase().contains(&text.to_lowercase()),
            _ => same(text, wanted),
        })
    }

    /// Whether a train meets these slots, case-sensitively.
    pub fn runs(self, slots: &Slots) -> bool {
        slots.iter().all(|(slot, wanted)| {
            let wanted = wanted.as_str();
            wanted.is_some_and(|wanted| self.runs_as(slot, wanted, str::cmp))
        })
    }

    /// Whether a train has this value, leaves at this time or later, or arrives by it.
    pub(super) fn runs_as(self, slot: &str, wanted: &str, compare: fn(&str, &str) -> Ordering) -> bool {
        let order = self.column(slot).map(|text| compare(text, wanted));
        order.is_some_and(|order| match slot {
            "leaveAt" => order.is_ge(),
            "arriveBy" => order.is_le(),
            _ => order.is_eq(),
        })
    }
}

/// Whether two texts are equal up to case.
fn same(one: &str, other: &str) -> bool {
    if one.is_ascii() && other.is_ascii() {
        one.eq_ignore_ascii_case(other)
    } else {
        one.to_lowercase() == other.to_lowercase()
    }
}

/// The order of two texts without the case of ASCII letters, as in SQLite.
pub(super) fn without_case(one: &str, other: &str) -> Ordering {
    let [one, other] = [one, other].map(|text| text.bytes().map(|byte| byte.to_ascii_lowercase()));
    one.cmp(other)
}

/// A name in lower case, without a leading `the` (also if a word only begins so), and without a final `restaurant`
/// and then a final `hotel`.
pub fn clean_name(name: &str) -> String {
    let lower = name.to_lowercase();
    let mut name = strip(&lower);
    name = name.strip_prefix("the").unwrap_or(name);
    name = name.strip_suffix("restaurant").unwrap_or(name);
    name = name.strip_suffix("hotel").unwrap_or(name);
    strip(name).to_owned()
}

/// A time without `after`, `before`, `am` and `pm` wherever they stand, with two digits for the hour.
pub fn clean_time(time: &str) -> String {
    let mut time = time.to_lowercase();
    for word in ["after", "before", "am", "pm"] {
        time = time.replace(word, "");
    }
    let time = strip(&time);
    if is_clock(time, 1) { format!("0{time}") } else { time.to_owned() }
}

/// Whether a time has so many digits for the hour, a colon and two for the minutes, in digits of any script.
pub fn is_clock(time: &str, hour_digits: usize) -> bool {
    let Some((hour, minutes)) = time.split_once(':') else {
        return false;
    };
    let is_decimal = |letter: char| python_int(letter.encode_utf8(&mut [0; 4])).is_some();
    let is_number = |text: &str, digits: usize| text.chars().count() == digits && text.chars().all(is_decimal);
    is_number(hour, hour_digits) && is_number(minutes, 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_times_are_cleaned_as_by_the_original() {
        for (name, cleaned) in [
            ("the varsity restaurant", "varsity"),
            ("Theatre", "atre"),
            (" Gonville Hotel ", "gonville"),
            ("grafton hotel restaurant", "grafton hotel"),
            ("hotel du vin and bistro", "hotel du vin and bistro"),
        ] {
            assert_eq!(clean_name(name), cleaned);
        }
        for (time, cleaned) in [("after 9:00", "09:00"), ("17:15 pm", "17:15"), ("Before 12:0", "12:0"), ("7pm", "7")] {
            assert_eq!(clean_time(time), cleaned);
        }
        assert!(is_clock("25:99", 2) && !is_clock("1:30", 2) && !is_clock("aa:bb", 2));
    }
}
