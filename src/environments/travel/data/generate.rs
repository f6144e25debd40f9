//! `rolecall data generate travel`: writes a generated country with conversations in the official form: its tables, and
//! conversations as CSV and as JSON lines.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use csv::Writer;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::generate::{Builder, CONVERSATIONS, SEED, Tables};
use rolecall_core::ports::Parameters;
use rolecall_core::text::{harmless, shell_path, shell_word};
use rolecall_core::world::{Desk, Unfinished};

/// The files that are moved to their place when all are written.
const PARTS: [&str; 5] = ["database", "train.csv", "train.jsonl", "test.csv", "test.jsonl"];

/// Writes the files beside their places and moves them there when all are written.
pub(super) fn run(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<String> {
    let out = parameters.path("out").unwrap_or(Path::new(""));
    let count = parameters.whole("count").unwrap_or(CONVERSATIONS);
    let seed = parameters.whole("seed").unwrap_or(SEED);
    let wanted = parameters.whole("flights").unwrap_or(0);
    let flights =
        Unfinished::parts(out, ".travel.unfinished", &PARTS, |folder| write_all(folder, count, seed, wanted, desk))?;
    let data = shell_word(&format!("environment.data={}", out.display()));
    Ok(format!(
        "{flights} flights and twice {count} conversations in {}\n\
         Play them:    rolecall run configs/travel/cep.toml --set {data}\n\
         Measure them: rolecall data statistics travel --data {}\n",
        harmless(&out.display().to_string()),
        shell_path(out),
    ))
}

/// Writes the files into a folder; tells how many flights there are.
pub(super) fn write_all(
    folder: &Path,
    count: usize,
    seed: u64,
    flights: usize,
    desk: &dyn Desk,
) -> anyhow::Result<usize> {
    let tables = Tables::new(seed);
    let country = tables.country();
    let builder = Builder::new(&country, tables.cities(), seed);
    let mut written = desk.progress(count * SPLITS.len(), "conversations");
    for split in SPLITS {
        let rows: Vec<_> = builder
            .drafts(split, count)
            .map(|draft| {
                written();
                draft.map(|draft| draft.row())
            })
            .collect::<anyhow::Result<_>>()?;
        write_rows(folder, split, &rows)?;
    }
    write_country(&folder.join("database"), &tables, flights)
}

/// The splits of conversations.
pub(super) const SPLITS: [&str; 2] = ["train", "test"];

/// Writes a table with the names of its columns between commas; returns how many rows it has.
fn table<R: Serialize>(file: &Path, columns: &str, rows: impl Iterator<Item = R>) -> anyhow::Result<usize> {
    fs::create_dir_all(file.parent().unwrap_or(file))?;
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_path(file)?;
    writer.write_record(columns.split(','))?;
    let mut count = 0;
    for row in rows {
        writer.serialize(row)?;
        count += 1;
    }
    writer.flush()?;
    Ok(count)
}

/// Writes the tables of a generated country; returns how many flights there are, with more than those of a month if so
/// many are wanted. Columns are in the order of the fields of rows, those of numbered rows behind their number.
fn write_country(folder: &Path, tables: &Tables, flights: usize) -> anyhow::Result<usize> {
    let rows = &tables.rows;
    table(
        &folder.join("accommodations/clean_accommodations_2022.csv"),
        ",NAME,price,room type,house_rules,minimum nights,maximum occupancy,review rate number,city",
        rows.accommodations.iter().enumerate(),
    )?;
    table(
        &folder.join("restaurants/clean_restaurant_2022.csv"),
        ",Name,Average Cost,Cuisines,Aggregate Rating,City",
        rows.restaurants.iter().enumerate(),
    )?;
    table(
        &folder.join("attractions/attractions.csv"),
        "Name,Latitude,Longitude,Address,Phone,Website,City",
        rows.attractions.iter(),
    )?;
    let roads = rows.roads.iter();
    table(
        &folder.join("googleDistanceMatrix/distance.csv"),
        "origin,destination,cost,duration,distance",
        roads.map(|(from, to, road)| (from, to, "", road)),
    )?;
    let background = folder.join("background");
    fs::create_dir_all(&background)?;
    fs::write(background.join("citySet.txt"), rows.cities.join("\n"))?;
    let states = tables.cities().map(|(city, state)| format!("{city}\t{state}")).collect::<Vec<_>>().join("\n");
    fs::write(background.join("citySet_with_states.txt"), states)?;
    table(
        &folder.join("flights/clean_Flights_2022.csv"),
        "Flight Number,Price,DepTime,ArrTime,ActualElapsedTime,FlightDate,OriginCityName,DestCityName,Distance",
        tables.flights(flights),
    )
}

/// Writes the rows of a split as CSV and as JSON lines.
pub(super) fn write_rows(folder: &Path, split: &str, rows: &[Map<String, Value>]) -> anyhow::Result<()> {
    let mut lines = BufWriter::new(File::create(folder.join(format!("{split}.jsonl")))?);
    let mut table = Writer::from_path(folder.join(format!("{split}.csv")))?;
    if let Some(first) = rows.first() {
        table.write_record(first.keys())?;
    }
    for row in rows {
        writeln!(lines, "{}", Value::from(row.clone()))?;
        table.serialize(row.values().collect::<Vec<_>>())?;
    }
    lines.flush()?;
    Ok(table.flush()?)
}

#[cfg(test)]
mod tests {
    use crate::country::Country;
    use crate::data::conversations;
    use crate::generate;

    use super::*;

    #[test]
    fn the_built_in_country_is_what_is_written_by_default() {
        let folder = tempfile::tempdir().unwrap();
        write_all(folder.path(), CONVERSATIONS, SEED, 0, &()).unwrap();
        let read = Country::load(&folder.path().join("database"), &()).unwrap();
        assert_eq!(read.digest(), generate::builtin().digest());
        for split in SPLITS {
            let read = conversations(folder.path(), split).unwrap();
            assert_eq!(read, conversations(Path::new("builtin"), split).unwrap());
            assert_eq!(read.conversations.len(), CONVERSATIONS);
        }
    }
}
