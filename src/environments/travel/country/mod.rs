//! The country: accommodations, restaurants, attractions, distances and flights, in the official files or generated.
//!
//! Tables are read as pandas reads them: columns by name; a row with a missing value is dropped, also from columns
//! that nobody asks for (but not from the distances); and a column of whole numbers is one in which each value of the
//! file is written as one.

mod cells;
mod flights;
mod load;
mod names;
mod prepared;
mod rows;
mod table;
mod towns;

use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use self::flights::Flights;
use self::names::Names;
use self::towns::{Roads, TownRow, Towns};
use super::DataError;
use rolecall_core::files;
use rolecall_core::ports::Progress;

pub use cells::{Cell, Cells, Column};
pub use rows::{Accommodation, Attraction, Flight, Restaurant, Road, RoadCosts, Rows};
pub use towns::Passage;

/// All tables, with what is looked up by city, by pair of cities, and by pair and date. Rows keep the order of their
/// file.
#[derive(Debug)]
pub struct Country {
    cities: Names,
    accommodations: Towns<Accommodation>,
    restaurants: Towns<Restaurant>,
    attractions: Towns<Attraction>,
    roads: Roads,
    flights: Flights,
    digest: OnceLock<u128>,
}

/// Loads a country as [`Country::load`]; who loads the same files while somebody holds them shares one copy.
///
/// # Errors
/// As [`Country::load`].
pub fn load_shared(folder: &Path, progress: &dyn Progress) -> Result<Arc<Country>, DataError> {
    let stamps = match folder.is_dir() {
        true => load::find(folder)?.map(|file| files::stamp(&file)).join(" "),
        false => files::stamp(folder),
    };
    rolecall_core::ports::load_shared(&format!("travel {stamps}"), || Country::load(folder, progress))
}

impl Country {
    /// Loads the tables of a folder in the official layout (`accommodations/clean_accommodations_2022.csv` and so on,
    /// each as it is or `.gz`), or a [prepared](Self::prepare) file. Lines that cannot be read are left out and told.
    ///
    /// # Errors
    /// When a table or a column is missing, a file cannot be read or has no line of use, or a prepared file is not
    /// whole or older than what it was made of: file, line, and the remedy.
    pub fn load(folder: &Path, progress: &dyn Progress) -> Result<Self, DataError> {
        match folder.is_file() {
            true if prepared::is_prepared(folder) => prepared::read(folder),
            true => {
                let problem = "it is no prepared country; name the folder of TravelPlanner's database, or a file \
                               made by `rolecall data prepare travel`";
                Err(DataError::data(folder, problem))
            }
            false => load::load(&load::find(folder)?, progress),
        }
    }

    /// Makes one file of a folder in the official layout that is loaded in a tenth of the time.
    ///
    /// # Errors
    /// As [`load`](Self::load), and when the file cannot be written.
    pub fn prepare(folder: &Path, out: &Path, progress: &dyn Progress) -> Result<Self, DataError> {
        let sources = load::find(folder)?;
        let country = load::load(&sources, progress)?;
        let written = prepared::write(&country, &sources, out);
        written.map_err(|error| DataError::data(out, format!("it cannot be written: {error}")))?;
        Ok(country)
    }

    /// The country of rows that were made here.
    pub fn of_rows(rows: Rows) -> Self {
        load::of_rows(rows)
    }

    /// The hash of its content, however that was stored.
    pub fn digest(&self) -> String {
        format!("{:032x}", self.hash())
    }

    fn hash(&self) -> u128 {
        *self.digest.get_or_init(|| prepared::digest(self))
    }

    /// The cities that tools take, in the order of their file.
    pub fn cities(&self) -> &[String] {
        &self.cities.texts
    }

    /// Whether tools take the city.
    pub fn is_city(&self, name: &str) -> bool {
        self.cities.number(name).is_some()
    }

    /// Accommodations of a city.
    pub fn accommodations(&self, city: &str) -> &[Accommodation] {
        self.accommodations.of(city)
    }

    /// Restaurants of a city.
    pub fn restaurants(&self, city: &str) -> &[Restaurant] {
        self.restaurants.of(city)
    }

    /// Attractions of a city.
    pub fn attractions(&self, city: &str) -> &[Attraction] {
        self.attractions.of(city)
    }

    /// The road from a city to another one, and what it can be used for; none if the table has no such pair.
    pub fn road(&self, origin: &str, destination: &str) -> Option<&(Road, Passage)> {
        self.roads.get(origin, destination)
    }

    /// Dollars of a taxi and of driving oneself, if the road can be taken.
    pub fn road_costs(&self, origin: &str, destination: &str) -> Option<RoadCosts> {
        match self.road(origin, destination)?.1 {
            Passage::Open(costs) => Some(costs),
            Passage::Closed | Passage::Unreadable => None,
        }
    }

    /// The flights of a day, in the order of the file.
    pub fn flights(&self, origin: &str, destination: &str, date: &str) -> Vec<Flight> {
        self.flights.of(origin, destination, date).iter().map(|row| self.flights.flight(*row)).collect()
    }

    /// The price of the cheapest flight of a day.
    pub fn cheapest_flight(&self, origin: &str, destination: &str, date: &str) -> Option<i64> {
        self.flights.of(origin, destination, date).iter().map(|row| i64::from(self.flights.row(*row).price)).min()
    }

    /// All flights with this number, in the order of the file.
    pub fn flights_numbered(&self, number: &str) -> Vec<Flight> {
        self.flights.numbered(number).iter().map(|row| self.flights.flight(*row)).collect()
    }

    /// The number of flights.
    pub fn flight_count(&self) -> usize {
        self.flights.rows.len()
    }

    /// The columns of the tables that tools show: accommodations, restaurants, attractions, flights.
    pub fn columns() -> [&'static [Column]; 4] {
        [Accommodation::COLUMNS, Restaurant::COLUMNS, Attraction::COLUMNS, flights::COLUMNS]
    }

    /// The cells of all accommodations, and which rows are those of a city: the same as [`Self::accommodations`].
    pub fn accommodation_cells(&self, city: &str) -> (&Cells, Range<usize>) {
        (&self.accommodations.cells, self.accommodations.range(city))
    }

    /// The cells of all restaurants, and which rows are those of a city: the same as [`Self::restaurants`].
    pub fn restaurant_cells(&self, city: &str) -> (&Cells, Range<usize>) {
        (&self.restaurants.cells, self.restaurants.range(city))
    }

    /// The cells of all attractions, and which rows are those of a city: the same as [`Self::attractions`].
    pub fn attraction_cells(&self, city: &str) -> (&Cells, Range<usize>) {
        (&self.attractions.cells, self.attractions.range(city))
    }

    /// The cells of so many flights of a day at most.
    pub fn flight_cells(&self, origin: &str, destination: &str, date: &str, most: usize) -> Cells {
        let rows = self.flights.of(origin, destination, date);
        self.flights.cells(rows.get(..most).unwrap_or(rows))
    }

    /// Whether costs of rooms, and of meals and flights, are whole numbers, as pandas takes their columns to be.
    pub fn whole_costs(&self) -> [bool; 3] {
        let [rooms, meals] = [&self.accommodations.cells, &self.restaurants.cells];
        [&rooms.whole, &meals.whole, &self.flights.whole].map(|whole| whole.get(1) == Some(&true))
    }
}

#[cfg(test)]
mod tests;
