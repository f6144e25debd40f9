//! What the records of a table say of one key, ready to be compared with a value.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;
use serde_json::Value;

use super::Rows;
use crate::environments::booking::api::Domain;
use crate::environments::booking::normalise::{minutes, normalised};
use crate::text::fuzzy::partial_ratio;

/// From this likeness on, in percent, a name is the one that was meant.
pub(super) const LIKE: u8 = 80;

/// The most values of which is remembered what they are like.
const REMEMBERED: usize = 4096;

/// Which records a value lets pass, and at which of them the original program stops with an error.
#[derive(Clone, Debug)]
pub struct Filter {
    /// The records that pass.
    pub passing: Arc<Rows>,
    /// The records at which the original program stops with an error.
    pub failing: Option<Arc<Rows>>,
}

/// How the values of a key are compared.
#[derive(Debug)]
enum Compared {
    Equal,
    /// By likeness; the values that came so far, with the records that are like them.
    Alike(Mutex<FxHashMap<String, Arc<Rows>>>),
    /// The records of each time and of those before, in minutes; later if the record's time must not be before
    /// that of the call.
    Time {
        before: Vec<(i128, Arc<Rows>)>,
        later: bool,
    },
}

/// A key of the records of a table.
#[derive(Debug)]
pub struct Column {
    key: String,
    /// The values that it can have, where these are few.
    values: Option<&'static [&'static str]>,
    records: usize,
    /// The records that say something else than nothing.
    said: Arc<Rows>,
    /// Those without the key: they pass whatever is asked.
    silent: Arc<Rows>,
    /// Whether there are such records.
    is_silent: bool,
    /// Those whose value cannot be brought into its form.
    unreadable: Option<Arc<Rows>>,
    /// Values in their form with the records that have them; those of no text are in none.
    groups: FxHashMap<String, Arc<Rows>>,
    compared: Compared,
}

impl Column {
    /// The column of a key.
    pub fn new<'r>(
        domain: Domain,
        key: &str,
        records: impl ExactSizeIterator<Item = Option<&'r Value>>,
    ) -> Self {
        let count = records.len();
        let is_fuzzy = domain.is_fuzzy(key);
        let mut said = Rows::none(count);
        let mut unreadable = Rows::none(count);
        let mut groups: FxHashMap<String, Rows> = FxHashMap::default();
        for (row, value) in records.enumerate() {
            let Some(value) = value.filter(|value| says_something(value)) else {
                continue;
            };
            said.insert(row);
            match value.as_str().map(|text| normalised(key, text)) {
                Some(Ok(form)) => {
                    let group = groups.entry(form.into_owned());
                    group.or_insert_with(|| Rows::none(count)).insert(row);
                }
                None if !is_fuzzy && !is_time(key) => {}
                Some(Err(_)) | None => unreadable.insert(row),
            }
        }
        let compared = match key {
            _ if is_fuzzy => Compared::Alike(Mutex::default()),
            _ if is_time(key) => Compared::Time {
                before: by_time(&groups, &mut unreadable),
                later: key == "leaveAt",
            },
            _ => Compared::Equal,
        };
        let mut silent = Rows::all(count);
        silent.remove(&said);
        let groups = groups.into_iter();
        Self {
            key: key.to_owned(),
            values: domain.values(key),
            records: count,
            said: Arc::new(said),
            is_silent: !silent.is_empty(),
            silent: Arc::new(silent),
            unreadable: (!unreadable.is_empty()).then(|| Arc::new(unreadable)),
            groups: groups.map(|(form, rows)| (form, Arc::new(rows))).collect(),
            compared,
        }
    }

    /// What a value lets pass; none if it filters nothing.
    pub fn filter(&self, value: &str) -> Option<Filter> {
        if value.is_empty() {
            return None;
        }
        let all_fail = || Filter {
            passing: Arc::clone(&self.silent),
            failing: Some(Arc::clone(&self.said)),
        };
        let form = match &self.compared {
            // Brought into its form where it is compared for the first time.
            Compared::Alike(_) => return Some(self.filtered(Some(self.alike(value)))),
            Compared::Equal | Compared::Time { .. } => match normalised(&self.key, value) {
                Ok(form) => form,
                Err(_) => return Some(all_fail()),
            },
        };
        if self.values.is_some_and(|values| !values.contains(&&*form)) {
            return None;
        }
        let matched = match &self.compared {
            Compared::Equal | Compared::Alike(_) => self.groups.get(&*form).cloned(),
            Compared::Time { before, later } => {
                let Ok(asked) = minutes(&form) else {
                    return Some(all_fail());
                };
                let reaches = |(time, _): &(i128, Arc<Rows>)| match later {
                    true => *time < asked,
                    false => *time <= asked,
                };
                let last = before.partition_point(reaches).checked_sub(1);
                let rows = last.and_then(|last| before.get(last)).map(|(_, rows)| rows);
                match (later, rows) {
                    (false, rows) => rows.cloned(),
                    (true, None) => Some(Arc::clone(&self.said)),
                    (true, Some(early)) => {
                        let mut rows = Rows::clone(&self.said);
                        rows.remove(early);
                        Some(Arc::new(rows))
                    }
                }
            }
        };
        Some(self.filtered(matched))
    }

    /// These records pass, and those that say nothing.
    fn filtered(&self, matched: Option<Arc<Rows>>) -> Filter {
        let passing = match matched {
            Some(matched) if !self.is_silent => matched,
            Some(matched) => {
                let mut rows = Rows::clone(&matched);
                rows.add(&self.silent);
                Arc::new(rows)
            }
            None => Arc::clone(&self.silent),
        };
        Filter {
            passing,
            failing: self.unreadable.clone(),
        }
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
            for (own, group) in &self.groups {
                if partial_ratio(own, &form) >= LIKE {
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

    /// The first record whose value is this one.
    pub fn equal(&self, value: &str) -> Option<usize> {
        let form = normalised(&self.key, value).ok()?;
        self.groups.get(&*form)?.iter().next()
    }

    /// The values that there are, in their form and in order.
    pub fn values(&self) -> Vec<&str> {
        let mut values: Vec<&str> = self.groups.keys().map(String::as_str).collect();
        values.sort_unstable();
        values
    }

    /// Whether every record has a value that can be compared.
    pub fn is_complete(&self) -> bool {
        self.unreadable.is_none() && !self.is_silent
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

/// The records of each time together with those of all times before it; times that cannot be read are put to the
/// unreadable ones.
fn by_time(groups: &FxHashMap<String, Rows>, unreadable: &mut Rows) -> Vec<(i128, Arc<Rows>)> {
    let mut times: Vec<(i128, &Rows)> = Vec::new();
    for (time, rows) in groups {
        match minutes(time) {
            Ok(minutes) => times.push((minutes, rows)),
            Err(_) => unreadable.add(rows),
        }
    }
    times.sort_by_key(|(minutes, _)| *minutes);
    let mut before: Vec<(i128, Arc<Rows>)> = Vec::with_capacity(times.len());
    for (minutes, rows) in times {
        let mut all = match before.last() {
            Some((_, earlier)) => Rows::clone(earlier),
            None => rows.clone(),
        };
        all.add(rows);
        before.push((minutes, Arc::new(all)));
    }
    before
}
