//! What AutoTOD's agent reads of SQL.

use std::path::Path;

use serde::Deserialize;

use crate::conformance::{Tally, each_line};
use crate::environments::booking::api::Domain;
use crate::environments::booking::files::read_database;
use crate::environments::booking::sql::Tables;

#[derive(Deserialize)]
struct Selected {
    id: String,
    table: Domain,
    sql: String,
    output: String,
}

/// The text of a result.
pub(super) fn answers(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let tables = Tables::new(&read_database(data)?).map_err(anyhow::Error::msg)?;
    each_line(file, |case: Selected| {
        let (found, _) = tables.select(case.table, &case.sql);
        tally.check(|| case.id, &case.output, &found);
        Ok(())
    })
}
