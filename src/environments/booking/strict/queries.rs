//! Queries: the matching records, and advice when there are too many or none.

use super::values::{Values, quoted};
use super::{Done, answer};
use crate::account::Outcome;
use crate::api::Api;
use crate::database::{Database, Table};
use rolecall_core::text::{counted, joined};

/// The most records of an answer.
const MOST: usize = 10;

/// Most values of a key that are listed when none of them is like the one asked for.
const LISTED: usize = 30;

/// Answers a query.
///
/// # Errors
/// When no record matches.
pub(super) fn query(database: &Database, api: Api, values: &mut Values) -> Result<Done, String> {
    let domain = api.domain();
    let table = database.table(domain).ok_or_else(|| format!("Nothing is known of any {domain}."))?;
    if let Some(id) = values.get("trainID").and_then(|id| train_id(table, id)) {
        values.slots.insert("trainID".to_owned(), id.into());
    }
    let (passing, _) = table.scan(values.pairs());
    let count = passing.iter().count();
    let result = format!("[{}]", joined(passing.iter().take(MOST).map(|row| table.text(row))));
    let message = match count {
        0 => nothing(table, api, values),
        1..=MOST => String::new(),
        _ => too_many(api, values, count),
    };
    Ok((answer(&result, &message), Outcome::Found { count: count.min(MOST), more: count > MOST }))
}

/// The ID of a train in the letters of the data.
pub(super) fn train_id<'t>(table: &'t Table, id: &str) -> Option<&'t str> {
    table.equal("trainID", id).or_else(|| table.equal("trainID", &id.to_uppercase()))
}

fn too_many(api: Api, values: &Values, count: usize) -> String {
    let narrower = match joined(api.keys().iter().filter(|key| values.get(key).is_none())) {
        keys if keys.is_empty() => String::new(),
        keys => format!(" These keys would narrow it: {keys}."),
    };
    format!("There are {count}, of which these are the first {MOST}.{narrower}")
}

/// Answer when nothing was found: which values match no record, and how many records there are without one of
/// them.
fn nothing(table: &Table, api: Api, values: &Values) -> String {
    let (noun, _) = api.domain().nouns();
    let mut message = format!("There is no such {noun}.");
    for (key, value) in values.pairs().filter(|(key, _)| api.domain().is_fuzzy(key)) {
        let Some(column) = table.column(key).filter(|one| one.alike(value).is_empty()) else {
            continue;
        };
        let all = column.values();
        let all = match all.len() {
            1..=LISTED => format!("; there are {}", joined(all)),
            _ => String::new(),
        };
        let wanted = quoted(value);
        message.push_str(&format!(" No {noun} has a `{key}` like {wanted}{all}."));
    }
    if values.pairs().count() < 2 {
        return message;
    }
    let wider = values.pairs().filter_map(|(left_out, _)| {
        let (passing, _) = table.scan(values.pairs().filter(|(key, _)| *key != left_out));
        let count = passing.iter().count() as u64;
        let venues = counted(count, noun, &format!("{noun}s"));
        (count > 0).then(|| format!("{venues} without `{left_out}`"))
    });
    match joined(wider) {
        none if none.is_empty() => message,
        wider => format!("{message} There are {wider}."),
    }
}
