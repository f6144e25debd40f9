//! Column of a table: its records by their value for one key, ready to be compared with a value.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;
use serde_json::Value;

use super::Rows;
use crate::api::Domain;
use crate::normalise::{BadTime, minutes, normalised};
use rolecall_core::text::fuzzy::partial_ratio;

/// Likeness in percent from which on a name counts as the one that was meant.
pub(super) const LIKE: u8 = 80;

/// Most values whose likenesses are cached.
const REMEMBERED: usize = 4096;

/// Records that pass a value, and records at which the original program stops with an error.
pub type Filter = (Arc<Rows>, Option<Arc<Rows>>);

/// How the values of a key are compared.
#[derive(Debug)]
enum Compared {
    Equal,
    /// By likeness; the values asked so far, with the records like them.
    Alike(Mutex<FxHashMap<String, Arc<Rows>>>),
    /// By time: the call's must not be before the record's, or not after it if `later`. The records that pass each
    /// time, in minutes, sorted so that they become more.
    Time {
        passing: Vec<(i128, Arc<Rows>)>,
        later: bool,
    },
}

/// A key of the records of a table.
#[derive(Debug)]
pub struct Column {
    key: String,
    /// The values that are possible, if they are few.
    values: Option<&'static [&'static str]>,
    records: usize,
    /// Records without the key: they pass any filter.
    silent: Arc<Rows>,
    /// Records whose value cannot be normalised.
    unreadable: Option<Arc<Rows>>,
    /// Normalised values with their records; values that are no texts are in no group.
    groups: FxHashMap<String, Arc<Rows>>,
    compared: Compared,
}

impl Column {
    /// The column of a key.
    pub fn new<'r>(domain: Domain, key: &str, records: impl ExactSizeIterator<Item = Option<&'r Value>>) -> Self {
        let count = records.len();
        let is_fuzzy = domain.is_fuzzy(key);
        let mut silent = Rows::all(count);
        let mut unreadable = Rows::none(count);
        let mut groups: FxHashMap<String, Rows> = FxHashMap::default();
        for (row, value) in records.enumerate() {
            let Some(value) = value.filter(|value| says_something(value)) else {
                continue;
            };
            silent.leave_out(row);
            match value.as_str().map(|text| normalised(key, text)) {
                Some(Ok(form)) => {
                    groups.entry(form.into_owned()).or_insert_with(|| Rows::none(count)).insert(row);
                }
                None if !is_fuzzy && !is_time(key) => {}
                Some(Err(_)) | None => unreadable.insert(row),
            }
        }
        let later = key == "leaveAt";
        let compared = match key {
            _ if is_fuzzy => Compared::Alike(Mutex::default()),
            _ if is_time(key) => Compared::Time { passing: by_time(&groups, later, &mut unreadable), later },
            _ => Compared::Equal,
        };
        let groups = groups.into_iter();
        Self {
            key: key.to_owned(),
            values: domain.values(key),
            records: count,
            silent: Arc::new(silent),
            unreadable: (!unreadable.is_empty()).then(|| Arc::new(unreadable)),
            groups: groups.map(|(form, rows)| (form, Arc::new(rows))).collect(),
            compared,
        }
    }

    /// Filter by a value; none if the value filters nothing.
    pub fn filter(&self, value: &str) -> Option<Filter> {
        if value.is_empty() {
            return None;
        }
        if matches!(self.compared, Compared::Alike(_)) {
            // Normalised when it is compared for the first time.
            return Some(self.filtered(Some(self.alike(value))));
        }
        self.matching(value).unwrap_or_else(|BadTime| {
            let mut said = Rows::all(self.records);
            said.remove(&self.silent);
            Some((Arc::clone(&self.silent), Some(Arc::new(said))))
        })
    }

    /// Filter by a value that must match exactly.
    fn matching(&self, value: &str) -> Result<Option<Filter>, BadTime> {
        let form = normalised(&self.key, value)?;
        if self.values.is_some_and(|values| !values.contains(&&*form)) {
            return Ok(None);
        }
        let matched = match &self.compared {
            Compared::Time { passing, later } => {
                let asked = minutes(&form)?;
                let passes = |(time, _): &(i128, Arc<Rows>)| if *later { *time >= asked } else { *time <= asked };
                let count = passing.partition_point(passes);
                passing[..count].last().map(|(_, rows)| rows)
            }
            Compared::Equal | Compared::Alike(_) => self.groups.get(&*form),
        };
        Ok(Some(self.filtered(matched.cloned())))
    }

    /// These records pass, and the records without the key.
    fn filtered(&self, matched: Option<Arc<Rows>>) -> Filter {
        let mut passing = matched.unwrap_or_else(|| Arc::clone(&self.silent));
        if !self.silent.is_empty() {
            Arc::make_mut(&mut passing).add(&self.silent);
        }
        (passing, self.unreadable.clone())
    }

    /// The records whose value is like this one.
    pub fn alike(&self, value: &str) -> Arc<Rows> {
        let Compared::Alike(known) = &self.compared else {
            return Arc::new(Rows::none(self.records));
        };
        // A thread that panicked has left whole entries behind.
        let locked = || known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rows) = locked().get(value) {
            return Arc::clone(rows);
        }
        let mut rows = Rows::none(self.records);
        if let Ok(form) = normalised(&self.key, value) {
            for (text, group) in &self.groups {
                if partial_ratio(text, &form) >= LIKE {
                    rows.add(group);
                }
            }
        }
        let rows = Arc::new(rows);
        let mut known = locked();
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(value.to_owned(), Arc::clone(&rows));
        rows
    }

    /// The first record with this value.
    pub fn equal(&self, value: &str) -> Option<usize> {
        let form = normalised(&self.key, value).ok()?;
        self.groups.get(&*form)?.iter().next()
    }

    /// The values, normalised and sorted.
    pub fn values(&self) -> Vec<&str> {
        let mut values: Vec<&str> = self.groups.keys().map(String::as_str).collect();
        values.sort_unstable();
        values
    }

    /// Whether every record has a value that can be compared.
    pub fn is_complete(&self) -> bool {
        self.unreadable.is_none() && self.silent.is_empty()
    }
}

fn is_time(key: &str) -> bool {
    matches!(key, "arriveBy" | "leaveAt")
}

/// Whether a value counts as true in Python.
fn says_something(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(yes) => *yes,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
    }
}

/// The records that pass each time; unreadable times are added to `unreadable`.
fn by_time(groups: &FxHashMap<String, Rows>, later: bool, unreadable: &mut Rows) -> Vec<(i128, Arc<Rows>)> {
    let mut times: Vec<(i128, &Rows)> = Vec::new();
    for (time, rows) in groups {
        match minutes(time) {
            Ok(minutes) => times.push((minutes, rows)),
            Err(BadTime) => unreadable.add(rows),
        }
    }
    times.sort_by_key(|(minutes, _)| if later { -minutes } else { *minutes });
    let mut passing: Vec<(i128, Arc<Rows>)> = Vec::with_capacity(times.len());
    for (minutes, rows) in times {
        let mut all = rows.clone();
        if let Some((_, fewer)) = passing.last() {
            all.add(fewer);
        }
        passing.push((minutes, Arc::new(all)));
    }
    passing
}
