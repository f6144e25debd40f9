//! Files in the official form: the tables of a country, and conversations as CSV and as JSON lines.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

use csv::Writer;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::environments::travel::generate::Tables;

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
pub(super) fn write_country(folder: &Path, tables: &Tables, flights: usize) -> anyhow::Result<usize> {
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
    let states = tables.cities().map(|(city, state)| format!("{city}\t{state}"));
    let states = states.collect::<Vec<_>>().join("\n");
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
