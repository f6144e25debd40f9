//! The databases as AutoTOD's scorer sees them: names cleaned, in the order of ids, letters compared without their
//! case (spec section 6.3).

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use serde_json::Value;

use super::clean::clean_name;
use super::said::{Said, squashed};
use crate::environments::booking::api::Domain;
use crate::environments::booking::database::{Database, Record};
use crate::environments::booking::goal::Slots;

/// Values that constrain nothing.
const OPEN: [&str; 4] = ["dontcare", "", "none", "not mentioned"];

/// The columns of AutoTOD's tables, but for the name and the id.
pub const COLUMNS: [(Domain, &[&str]); 4] = [
    (
        Domain::Hotel,
        &[
            "type",
            "area",
            "internet",
            "parking",
            "pricerange",
            "stars",
            "phone",
            "address",
            "postcode",
        ],
    ),
    (
        Domain::Restaurant,
        &["area", "pricerange", "food", "phone", "postcode", "address"],
    ),
    (
        Domain::Attraction,
        &[
            "type",
            "area",
            "phone",
            "address",
            "postcode",
            "entrance_fee",
        ],
    ),
    (
        Domain::Train,
        &[
            "arriveBy",
            "day",
            "departure",
            "destination",
            "leaveAt",
            "price",
            "trainID",
            "duration",
        ],
    ),
];

/// Why a domain cannot be judged: AutoTOD stops with an error there and leaves the dialogue out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is missing, or is no text")]
pub struct Unjudged(pub String);

/// A venue or train of the databases.
#[derive(Clone, Copy, Debug)]
pub struct Row<'d> {
    domain: Domain,
    record: &'d Record,
}

impl<'d> Row<'d> {
    /// The cleaned name.
    pub fn name(self) -> String {
        let name = self.record.get("name").and_then(Value::as_str);
        clean_name(name.unwrap_or_default())
    }

    /// The record as the data set has it.
    pub fn record(self) -> &'d Record {
        self.record
    }

    /// The value of a column; none if the record has none.
    pub(super) fn column(self, column: &str) -> Option<&'d str> {
        let mut columns = COLUMNS.iter();
        let (_, own) = columns.find(|(domain, _)| *domain == self.domain)?;
        let (key, column) = match column {
            "entrance_fee" | "entrance fee" => ("entrance fee", "entrance_fee"),
            other => (other, other),
        };
        self.record
            .get(key)
            .filter(|_| own.contains(&column))?
            .as_str()
    }

    /// The record with these keys alone.
    pub(super) fn part(self, keys: &BTreeSet<&str>) -> Record {
        let pairs = self
            .record
            .iter()
            .filter(|(key, _)| keys.contains(key.as_str()));
        pairs
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect()
    }

    /// Whether a venue is as these slots want it.
    ///
    /// # Errors
    /// When a value is no text.
    pub fn satisfies(self, slots: &Slots) -> Result<bool, Unjudged> {
        let mut fits = true;
        for (slot, value) in slots {
            let wanted = value.as_str().ok_or_else(|| Unjudged(slot.clone()))?;
            fits = fits && (OPEN.contains(&wanted) || self.is(slot, wanted));
        }
        Ok(fits)
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
        slots.iter().all(|(slot, wanted)| {
            self.column(slot)
                .is_some_and(|own| match (slot.as_str(), wanted.as_str()) {
                    ("leaveAt", Some(wanted)) => own >= wanted,
                    ("arriveBy", Some(wanted)) => own <= wanted,
                    (_, wanted) => Some(own) == wanted,
                })
        })
    }
}

/// A name as it may stand in a reply.
#[derive(Clone, Copy, Debug)]
struct Spoken {
    row: usize,
    meant: Meant,
}

/// Whether words that are a name mean it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meant {
    /// They do.
    Always,
    /// They are said of other things too, but not with a capital: `The Place`.
    WithCapital,
    /// They are said of other things too, also with a capital: `Gonville Place`.
    Perhaps,
}

/// Names, cleaned, whose words are said of other things too. Where these are not sure to be meant, they name a venue only
/// if nothing else does.
const EVERYDAY: [&str; 4] = ["ask", "j", "junction", "place"];

/// Whether two texts are the same but for the case of their letters.
fn same(one: &str, other: &str) -> bool {
    match one.is_ascii() && other.is_ascii() {
        true => one.eq_ignore_ascii_case(other),
        false => one.to_lowercase() == other.to_lowercase(),
    }
}

/// A text in small letters, as far as they are ASCII.
fn small(text: &str) -> Cow<'_, str> {
    match text.bytes().any(|letter| letter.is_ascii_uppercase()) {
        true => Cow::Owned(text.to_ascii_lowercase()),
        false => Cow::Borrowed(text),
    }
}

/// The databases with the keys by which they are searched.
#[derive(Debug)]
pub struct Venues {
    database: Arc<Database>,
    /// Of hotels, restaurants and attractions: the record of a cleaned name.
    names: [HashMap<String, usize>; 3],
    /// The same by the letters of their names, as they are written and as they are cleaned.
    spoken: [HashMap<String, Spoken>; 3],
    /// The first train of an id.
    trains: HashMap<String, usize>,
    /// The trains of a day from one place to another.
    journeys: HashMap<[String; 3], Vec<usize>>,
}

impl Venues {
    /// The venues of databases.
    pub fn new(database: Arc<Database>) -> Self {
        let names = [Domain::Hotel, Domain::Restaurant, Domain::Attraction].map(|domain| {
            let records = database
                .table(domain)
                .map_or(&[][..], |table| table.records());
            let id = |row: usize| {
                let id = records.get(row).and_then(|record| record.get("id"));
                let number = id.and_then(|id| match id {
                    Value::String(text) => text.parse().ok(),
                    other => other.as_i64(),
                });
                number.unwrap_or(i64::MAX)
            };
            let mut rows: Vec<usize> = (0..records.len()).collect();
            rows.sort_by_key(|row| id(*row));
            let mut names = HashMap::new();
            for row in rows {
                names
                    .entry(
                        Row {
                            domain,
                            record: &records[row],
                        }
                        .name(),
                    )
                    .or_insert(row);
            }
            names
        });
        let spoken = [Domain::Hotel, Domain::Restaurant, Domain::Attraction].map(|domain| {
            let records = database
                .table(domain)
                .map_or(&[][..], |table| table.records());
            spoken(domain, records)
        });
        let (mut trains, mut journeys) = (HashMap::new(), HashMap::new());
        let records = database
            .table(Domain::Train)
            .map_or(&[][..], |table| table.records());
        for (number, record) in records.iter().enumerate() {
            let row = Row {
                domain: Domain::Train,
                record,
            };
            let text = |column| row.column(column).unwrap_or_default().to_ascii_lowercase();
            trains.entry(text("trainID")).or_insert(number);
            let journey = ["day", "departure", "destination"].map(text);
            journeys
                .entry(journey)
                .or_insert_with(Vec::new)
                .push(number);
        }
        Self {
            database,
            names,
            spoken,
            trains,
            journeys,
        }
    }

    fn row(&self, domain: Domain, row: usize) -> Option<Row<'_>> {
        let record = self.database.table(domain)?.records().get(row)?;
        Some(Row { domain, record })
    }

    /// The venue of a name, as AutoTOD cleans it.
    pub fn venue(&self, domain: Domain, name: &str) -> Option<Row<'_>> {
        let name = clean_name(name).to_ascii_lowercase();
        let row = self.names.get(domain as usize)?.get(&name)?;
        self.row(domain, *row)
    }

    /// The venues of a domain, each by its name: of several that have it the first.
    pub(super) fn all(&self, domain: Domain) -> impl Iterator<Item = Row<'_>> {
        let rows = self.names.get(domain as usize).into_iter();
        let rows: BTreeSet<usize> = rows.flat_map(HashMap::values).copied().collect();
        rows.into_iter()
            .filter_map(move |row| self.row(domain, row))
    }

    /// The venue of a name or of an address.
    pub fn place(&self, place: &str) -> Option<Row<'_>> {
        let domains = [Domain::Restaurant, Domain::Hotel, Domain::Attraction];
        domains.into_iter().find_map(|domain| {
            self.venue(domain, place).or_else(|| {
                let records = self.database.table(domain)?.records().iter();
                let mut rows = records.map(|record| Row { domain, record });
                rows.find(|row| {
                    row.column("address")
                        .is_some_and(|own| own.eq_ignore_ascii_case(place))
                })
            })
        })
    }

    /// The first train of an id.
    pub fn train(&self, id: &str) -> Option<Row<'_>> {
        self.row(Domain::Train, *self.trains.get(&id.to_ascii_lowercase())?)
    }

    /// The venue of a domain that replies name last, and where they name it first.
    pub(super) fn named(&self, domain: Domain, said: &Said<'_>) -> Option<(Row<'_>, usize)> {
        let names = self.spoken.get(domain as usize)?;
        let longest = names.keys().map(String::len).max()?;
        let (mut sure, mut unsure) = (None, None);
        let mut firsts: HashMap<usize, usize> = HashMap::new();
        let mut after = 0;
        for start in said.starts() {
            if start < after {
                continue;
            }
            let ends = said.ends(start, longest);
            let found = ends.filter_map(|end| Some((end, *names.get(said.letters(start..end))?)));
            let Some((end, name)) = found.last() else {
                continue;
            };
            after = end;
            firsts.entry(name.row).or_insert(start);
            let is_sure = match name.meant {
                Meant::Always => true,
                Meant::WithCapital => said.has_capital(start..end),
                Meant::Perhaps => false,
            };
            match is_sure {
                true => sure = Some(name.row),
                false => unsure = Some(name.row),
            }
        }
        let row = sure.or(unsure)?;
        Some((self.row(domain, row)?, *firsts.get(&row)?))
    }

    /// The id of the train that replies name last, and where they name it first.
    pub(super) fn named_train(&self, said: &Said<'_>) -> Option<(String, usize)> {
        let longest = self.trains.keys().map(String::len).max()?;
        let starts = said.starts();
        let ids = starts.filter_map(|start| {
            let mut ends = said.ends(start, longest);
            ends.find_map(|end| self.trains.get_key_value(said.letters(start..end)))
        });
        let (id, _) = ids.last()?;
        Some((id.clone(), said.places(id, 0).next().unwrap_or(0)))
    }

    /// The trains that a goal wants, in order.
    pub(super) fn trains_for<'v>(&'v self, info: &'v Slots) -> impl Iterator<Item = Row<'v>> {
        let text = |slot: &str| info.get(slot).and_then(Value::as_str);
        let lower = |slot: &str| text(slot).map(str::to_ascii_lowercase);
        let mut equal = vec!["trainID"];
        let journey = ["day", "departure", "destination"].map(lower);
        let rows: Box<dyn Iterator<Item = usize>> = match journey {
            [Some(day), Some(departure), Some(destination)] => {
                let rows = self.journeys.get(&[day, departure, destination]);
                Box::new(rows.into_iter().flatten().copied())
            }
            _ => {
                equal.extend(["day", "departure", "destination"]);
                let all = self.database.table(Domain::Train);
                Box::new(0..all.map_or(0, |table| table.records().len()))
            }
        };
        let equal = equal
            .into_iter()
            .filter_map(|slot| Some((slot, text(slot)?)));
        let equal: Vec<(&str, &str)> = equal.collect();
        let times = ["leaveAt", "arriveBy"].into_iter();
        let times = times.filter_map(|slot| Some((slot, lower(slot).filter(|it| !it.is_empty())?)));
        let times: Vec<(&str, String)> = times.collect();
        rows.filter_map(|row| self.row(Domain::Train, row))
            .filter(move |row| {
                let is =
                    |slot: &str, fits: &dyn Fn(&str) -> bool| row.column(slot).is_some_and(fits);
                equal
                    .iter()
                    .all(|(slot, wanted)| is(slot, &|own| own.eq_ignore_ascii_case(wanted)))
                    && times.iter().all(|(slot, wanted)| match *slot {
                        "leaveAt" => is(slot, &|own| *small(own) >= **wanted),
                        _ => is(slot, &|own| *small(own) <= **wanted),
                    })
            })
    }

    /// Whether there is a train that a goal wants, and that is as these answers say.
    pub fn has_train(&self, info: &Slots, answers: &Slots) -> bool {
        self.trains_for(info).any(|row| row.runs(answers))
    }
}

/// Names of records as they may stand in replies. Of two the first has it.
fn spoken(domain: Domain, records: &[Record]) -> HashMap<String, Spoken> {
    let mut names = HashMap::new();
    for (row, record) in records.iter().enumerate() {
        let written = record.get("name").and_then(Value::as_str);
        let cleaned = Row { domain, record }.name();
        let (full, short) = (squashed(written.unwrap_or_default()), squashed(&cleaned));
        let (of_full, of_short) = match EVERYDAY.contains(&&*cleaned) {
            false => (Meant::Always, Meant::Always),
            // With what it is, such as `ask restaurant`, a name is plain.
            true if full != short && full != format!("the{short}") => {
                (Meant::Always, Meant::Perhaps)
            }
            true => (Meant::WithCapital, Meant::Perhaps),
        };
        for (name, meant) in [(full, of_full), (short, of_short)] {
            names.entry(name).or_insert(Spoken { row, meant });
        }
    }
    names.remove("");
    names
}
