//! A venue or a train as AutoTOD's scorer compares it (spec sections 6.3 and 6.4).

use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::Value;

use super::clean::clean_name;
use crate::environments::booking::api::Domain;
use crate::environments::booking::database::Record;
use crate::environments::booking::goal::Slots;

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

/// The columns of AutoTOD's table of a domain, but for the name and the id; of taxis there is none.
pub fn columns(domain: Domain) -> &'static [&'static str] {
    COLUMNS.get(domain as usize).map_or(&[], Vec::as_slice)
}

/// Why a domain cannot be judged: AutoTOD stops with an error there and leaves the dialogue out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is missing, or is no text")]
pub struct Unjudged(pub String);

impl Unjudged {
    /// What is there.
    pub(super) fn unless<T>(key: &str, there: Option<T>) -> Result<T, Self> {
        there.ok_or_else(|| Self(key.to_owned()))
    }

    /// The text that a value is.
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
        let name = self.record.get("name").and_then(Value::as_str);
        name.unwrap_or_default()
    }

    /// The record as the data set has it.
    pub fn record(self) -> &'d Record {
        self.record
    }

    /// The number of a venue; of those that have none the highest there is.
    pub(super) fn id(self) -> i64 {
        let number = self.record.get("id").and_then(|id| match id {
            Value::String(text) => text.parse().ok(),
            other => other.as_i64(),
        });
        number.unwrap_or(i64::MAX)
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

    /// Whether a venue is as these slots want it.
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
        self.column(slot).is_some_and(|own| match slot {
            "postcode" | "phone" => same(own, &wanted.replace(' ', "")),
            // AutoTOD reads this answer as it is written.
            "entrance fee" => own.to_lowercase() == wanted,
            "address" => wanted.to_lowercase().contains(&own.to_lowercase()),
            _ => same(own, wanted),
        })
    }

    /// Whether a train is as these slots want it, every letter as it is written.
    pub fn runs(self, slots: &Slots) -> bool {
        let mut slots = slots.iter();
        slots.all(|(slot, wanted)| {
            let wanted = wanted.as_str();
            wanted.is_some_and(|wanted| self.runs_as(slot, wanted, str::cmp))
        })
    }

    /// Whether a train has this value, leaves at this time or later, or arrives by it.
    pub(super) fn runs_as(self, slot: &str, wanted: &str, compare: fn(&str, &str) -> Ordering) -> bool {
        let order = self.column(slot).map(|own| compare(own, wanted));
        order.is_some_and(|order| match slot {
            "leaveAt" => order.is_ge(),
            "arriveBy" => order.is_le(),
            _ => order.is_eq(),
        })
    }
}

/// Whether two texts are the same but for the case of their letters.
fn same(one: &str, other: &str) -> bool {
    match one.is_ascii() && other.is_ascii() {
        true => one.eq_ignore_ascii_case(other),
        false => one.to_lowercase() == other.to_lowercase(),
    }
}

/// The order of two texts whatever the case of their ASCII letters, as SQLite has it.
pub(super) fn without_case(one: &str, other: &str) -> Ordering {
    let [one, other] = [one, other].map(|text| text.bytes().map(|byte| byte.to_ascii_lowercase()));
    one.cmp(other)
}
