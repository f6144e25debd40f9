//! Loads the official files.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::Country;
use super::cells::Column;
use super::flights::{self, Flights, Written};
use super::names::Names;
use super::rows::{Road, Rows};
use super::table::{Table, TableRow};
use super::towns::{ROADS, Roads, TownRow, Towns};
use crate::DataError;
use rolecall_core::files;
use rolecall_core::ports::Progress;

/// The official files, below the folder or its folder `database`.
const FILES: [&str; 6] = [
    "background/citySet.txt",
    "accommodations/clean_accommodations_2022.csv",
    "restaurants/clean_restaurant_2022.csv",
    "attractions/attractions.csv",
    "googleDistanceMatrix/distance.csv",
    "flights/clean_Flights_2022.csv",
];

/// Finds the official files of a folder, each as it is or packed (`.gz`), in the order of their list.
///
/// # Errors
/// When one is missing.
pub(super) fn find(folder: &Path) -> Result<[PathBuf; 6], DataError> {
    let mut found = FILES.map(PathBuf::from);
    for (name, file) in FILES.iter().zip(&mut found) {
        let places = [folder.to_owned(), folder.join("database")];
        let there = places.iter().find_map(|below| files::find(below, name));
        *file = there.ok_or_else(|| {
            let problem = format!(
                "there is neither `{name}` nor `{name}.gz`, also not below `database`; name the folder of \
                 TravelPlanner's database, a file made by `rolecall data prepare travel`, or `builtin`"
            );
            DataError::data(folder, problem)
        })?;
    }
    Ok(found)
}

/// Which columns hold whole numbers alone: of accommodations, restaurants, attractions and flights.
pub(super) type Whole = [Vec<bool>; 4];

/// Loads official files.
pub(super) fn load(found: &[PathBuf; 6], progress: &dyn Progress) -> Result<Country, DataError> {
    let mut rows = Rows { cities: read_cities(&found[0])?, ..Rows::default() };
    each_row(&found[4], ROADS, false, progress, |row| {
        let road = Road { duration: row.text(2).to_owned(), distance: row.text(3).to_owned() };
        let [from, to] = [0, 1].map(|column| row.text(column).to_owned());
        rows.roads.push((from, to, road));
        Ok(())
    })?;
    let mut flights = Flights::default();
    let whole = each_row(&found[5], flights::COLUMNS, true, progress, |row| {
        flights.add(&Written {
            number: row.text(0),
            price: row.whole_number(1)?,
            times: [row.text(2), row.text(3), row.text(4)],
            key: [row.text(6), row.text(7), row.text(5)],
            distance: row.number(8),
        })
    })?;
    let whole = [
        towns(&found[1], &mut rows.accommodations, progress)?,
        towns(&found[2], &mut rows.restaurants, progress)?,
        towns(&found[3], &mut rows.attractions, progress)?,
        whole,
    ];
    Ok(assembled(rows, &whole, flights))
}

/// A country of rows that were made here.
pub(super) fn of_rows(mut rows: Rows) -> Country {
    let mut flights = Flights::default();
    for flight in std::mem::take(&mut rows.flights) {
        // Who makes flights gives them prices and times that can be kept; others are left out.
        let _ = flights.add(&Written {
            number: &flight.number,
            price: flight.price,
            times: [&flight.departs, &flight.arrives, &flight.elapsed],
            key: [&flight.origin, &flight.destination, &flight.date],
            distance: flight.distance,
        });
    }
    let whole = Country::columns().map(|all| all.iter().map(|column| column.is_whole).collect());
    assembled(rows, &whole, flights)
}

/// The country of all rows but those of flights, and of these, all of whose days are known.
pub(super) fn assembled(rows: Rows, whole: &Whole, mut flights: Flights) -> Country {
    let mut roads = Roads::default();
    for (origin, destination, road) in rows.roads {
        roads.add(&origin, &destination, road);
    }
    flights.whole.clone_from(&whole[3]);
    flights.sort();
    Country {
        cities: Names::of(&rows.cities),
        accommodations: Towns::new(rows.accommodations, &whole[0]),
        restaurants: Towns::new(rows.restaurants, &whole[1]),
        attractions: Towns::new(rows.attractions, &whole[2]),
        roads,
        flights,
        digest: OnceLock::new(),
    }
}

/// The cities that tools take, one a line.
fn read_cities(file: &Path) -> Result<Vec<String>, DataError> {
    let mut text = String::new();
    files::unpacked(file)
        .and_then(|mut open| open.read_to_string(&mut text))
        .map_err(|source| DataError::io(file, source))?;
    let cities = text.lines().filter(|line| !line.trim().is_empty());
    let cities: Vec<String> = cities.map(str::to_owned).collect();
    match cities.is_empty() {
        true => Err(DataError::data(file, "it names no city; write one in each line")),
        false => Ok(cities),
    }
}

/// Reads the rows of a table.
fn towns<R: TownRow>(file: &Path, rows: &mut Vec<R>, progress: &dyn Progress) -> Result<Vec<bool>, DataError> {
    each_row(file, R::COLUMNS, true, progress, |row| {
        rows.push(R::read(row)?);
        Ok(())
    })
}

/// Takes each row of a table, or each complete one; what cannot be taken is told. Says which columns hold whole
/// numbers alone.
fn each_row(
    file: &Path,
    columns: &'static [Column],
    complete: bool,
    progress: &dyn Progress,
    mut take: impl FnMut(&TableRow<'_>) -> Result<(), String>,
) -> Result<Vec<bool>, DataError> {
    let mut table = Table::open(file, columns)?;
    let mut is_empty = true;
    while let Some(row) = table.next()? {
        if complete && !row.is_complete {
            continue;
        }
        match take(&row) {
            Ok(()) => is_empty = false,
            Err(problem) => table.leave_out(problem),
        }
    }
    if is_empty {
        return Err(table.empty());
    }
    if let Some(remark) = table.remark() {
        progress.remark(&remark);
    }
    Ok(table.whole)
}
