//! Queries: the records that pass, and what to do about too many and about none.

use super::Done;
use super::answer;
use super::values::{Values, quoted};
use crate::environments::booking::account::Outcome;
use crate::environments::booking::api::Api;
use crate::environments::booking::database::{Database, Table};
use crate::environments::booking::keys::nouns;
use crate::text::{counted, joined};

/// The most records of an answer.
const MOST: usize = 10;

/// The most values of a key that are listed where none of them is like the one asked for.
const LISTED: usize = 30;

/// Answers a query.
pub(super) fn query(database: &Database, api: Api, values: &mut Values) -> Done {
    let Some(table) = database.table(api.domain()) else {
        return (
            answer("[]", ""),
            Outcome::Found {
                count: 0,
                more: false,
            },
        );
    };
    if let Some(id) = values.get("trainID").and_then(|id| train_id(table, id)) {
        values.slots.insert("trainID".to_owned(), id.into());
    }
    let (passing, _) = table.scan(values.pairs());
    let count = passing.iter().count();
    let records = passing.iter().take(MOST).map(|row| table.text(row));
    let result = format!("[{}]", joined(records));
    let message = match count {
        0 => nothing(table, api, values),
        1..=MOST => String::new(),
        _ => too_many(api, values, count),
    };
    let outcome = Outcome::Found {
        count: count.min(MOST),
        more: count > MOST,
    };
    (answer(&result, &message), outcome)
}

/// The ID of a train in the letters of the data.
fn train_id(table: &Table, id: &str) -> Option<String> {
    let upper = id.to_uppercase();
    let ids = table.column("trainID")?;
    let row = ids.equal(id).or_else(|| ids.equal(&upper))?;
    let own = table.records().get(row)?.get("trainID")?;
    own.as_str().map(str::to_owned)
}

fn too_many(api: Api, values: &Values, count: usize) -> String {
    let open = api.keys().iter().filter(|key| values.get(key).is_none());
    let narrower = match joined(open) {
        keys if keys.is_empty() => String::new(),
        keys => format!(" These keys would narrow it: {keys}."),
    };
    format!("There are {count}, of which these are the first {MOST}.{narrower}")
}

/// What is told where there is nothing: which values are like none that there are, and what there would be without
/// one of them.
fn nothing(table: &Table, api: Api, values: &Values) -> String {
    let (noun, _) = nouns(api.domain());
    let mut message = format!("There is no such {noun}.");
    for (key, value) in values.pairs() {
        let Some(column) = table.column(key) else {
            continue;
        };
        if api.domain().is_fuzzy(key) && column.alike(value).is_empty() {
            let all = column.values();
            message.push_str(&format!(" No {noun} has a `{key}` like {}", quoted(value)));
            match all.len() {
                1..=LISTED => message.push_str(&format!("; there are {}.", joined(all))),
                _ => message.push('.'),
            }
        }
    }
    let keys: Vec<&str> = values.pairs().map(|(key, _)| key).collect();
    let without = |left_out: &str| {
        let (passing, _) = table.scan(values.pairs().filter(|(key, _)| *key != left_out));
        passing.iter().count() as u64
    };
    if keys.len() > 1 {
        let counts = keys.into_iter().map(|key| (without(key), key));
        let some = counts.filter(|(count, _)| *count > 0);
        let some = some.map(|(count, key)| {
            let plural = format!("{noun}s");
            format!("{} without `{key}`", counted(count, noun, &plural))
        });
        match joined(some) {
            some if some.is_empty() => {}
            some => message.push_str(&format!(" There are {some}.")),
        }
    }
    message
}

/// The text of a field of a record.
pub(super) fn field<'r>(table: &'r Table, row: usize, key: &str) -> &'r str {
    let record = table.records().get(row);
    record
        .and_then(|record| record.get(key)?.as_str())
        .unwrap_or_default()
}
