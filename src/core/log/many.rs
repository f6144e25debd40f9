//! Runs of many episodes: their results are closed and compressed as events are, and `run.toml` says so by
//! the number of its schema. Their lines are those of any other run.

use crate::domain;

/// Episodes that are many.
pub(super) const MANY: u64 = 10_000;

/// The schema of such a run.
pub(super) const SCHEMA: u32 = 2;

/// The schema of a run of so many planned episodes; none are planned where clients ask for them.
pub fn schema_of(planned: Option<usize>) -> u32 {
    match planned.is_some_and(|planned| planned as u64 >= MANY) {
        true => SCHEMA,
        false => domain::SCHEMA,
    }
}

/// The number of a schema, if this program knows it.
pub(super) fn known(schema: u64) -> Result<u32, String> {
    let mut known = [domain::SCHEMA, SCHEMA].into_iter();
    known.find(|known| u64::from(*known) == schema).ok_or_else(|| {
        let of_events = domain::SCHEMA;
        format!("written in schema {schema}, but this version reads schema {of_events} and {SCHEMA}")
    })
}

/// The text of `run.toml` with the schema of such a run.
pub(super) fn with_many(text: &str) -> String {
    let is_schema = |line: &str| line.split('=').next().is_some_and(|key| key.trim() == "schema");
    // It is the first key of the file, before all tables.
    let rest = match text.split_once('\n') {
        Some((first, rest)) if is_schema(first) => rest,
        None if is_schema(text) => "",
        _ => text,
    };
    format!("schema = {SCHEMA}\n{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_rises_with_ten_thousand_episodes() {
        let planned = [None, Some(9_999), Some(10_000)];
        assert_eq!(planned.map(schema_of), [1, 1, 2]);
        assert!(known(1).is_ok() && known(2).is_ok() && known(3).is_err());
        for (was, is) in [
            ("schema = 1\nname = \"a\"\n", "schema = 2\nname = \"a\"\n"),
            ("name = \"a\"\n", "schema = 2\nname = \"a\"\n"),
            ("schema = 1", "schema = 2\n"),
        ] {
            assert_eq!(with_many(was), is);
        }
    }
}
