//! Tables whose rows are looked up by their city, and the table of distances by road.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::cells::{Cells, Column, numbers, texts, whole_numbers};
use super::names::Names;
use super::rows::{Accommodation, Attraction, Restaurant, Road, RoadCosts};
use super::table::TableRow;
use rolecall_core::text::python::strip;

/// A row that belongs to a city.
pub(super) trait TownRow: Sized {
    /// The columns, in the order in which they are shown.
    const COLUMNS: &'static [Column];

    /// The row of a line.
    fn read(row: &TableRow<'_>) -> Result<Self, String>;

    /// Its city.
    fn city(&self) -> &str;

    /// Adds its cells.
    fn show(&self, cells: &mut Cells);
}

/// Rows by their city; those of a city are in the order of the file.
#[derive(Debug)]
pub(super) struct Towns<R> {
    pub(super) rows: Vec<R>,
    ranges: FxHashMap<Box<str>, Range<usize>>,
    /// The cells of all rows.
    pub(super) cells: Cells,
}

impl<R: TownRow> Towns<R> {
    /// A table of rows; `whole` says which columns hold whole numbers alone.
    pub(super) fn new(mut rows: Vec<R>, whole: &[bool]) -> Self {
        rows.sort_by(|one, other| one.city().cmp(other.city()));
        let mut cells = Cells::new(R::COLUMNS, whole);
        let mut ranges: FxHashMap<Box<str>, Range<usize>> = FxHashMap::default();
        for (place, row) in rows.iter().enumerate() {
            row.show(&mut cells);
            match ranges.get_mut(row.city()) {
                Some(range) => range.end = place + 1,
                None => drop(ranges.insert(row.city().into(), place..place + 1)),
            }
        }
        Self { rows, ranges, cells }
    }

    /// The rows of a city.
    pub(super) fn of(&self, city: &str) -> &[R] {
        self.rows.get(self.range(city)).unwrap_or_default()
    }

    /// The places of the rows of a city.
    pub(super) fn range(&self, city: &str) -> Range<usize> {
        self.ranges.get(city).cloned().unwrap_or_default()
    }
}

/// A value of a row.
trait Value: Sized {
    fn read(row: &TableRow<'_>, column: usize) -> Result<Self, String>;
    fn show(&self, cells: &mut Cells);
}

impl Value for String {
    fn read(row: &TableRow<'_>, column: usize) -> Result<Self, String> {
        Ok(row.text(column).to_owned())
    }

    fn show(&self, cells: &mut Cells) {
        cells.add_text(self);
    }
}

impl Value for f64 {
    fn read(row: &TableRow<'_>, column: usize) -> Result<Self, String> {
        Ok(row.number(column))
    }

    fn show(&self, cells: &mut Cells) {
        cells.add_number(*self);
    }
}

impl Value for i64 {
    fn read(row: &TableRow<'_>, column: usize) -> Result<Self, String> {
        row.whole_number(column)
    }

    fn show(&self, cells: &mut Cells) {
        cells.add_number(*self as f64);
    }
}

/// Says in which column each field of a row stands, and of what kind it is, in the order in which they are shown.
macro_rules! columns {
    ($row:ident: $($field:ident = $kind:ident $name:literal),+ $(,)?) => {
        impl TownRow for $row {
            const COLUMNS: &'static [Column] = &[$($kind($name)),+];

            fn read(row: &TableRow<'_>) -> Result<Self, String> {
                let mut columns = 0..Self::COLUMNS.len();
                Ok(Self { $($field: Value::read(row, columns.next().unwrap_or_default())?),+ })
            }

            fn city(&self) -> &str {
                &self.city
            }

            fn show(&self, cells: &mut Cells) {
                $(self.$field.show(cells);)+
            }
        }
    };
}

columns! { Accommodation:
    name = texts "NAME", price = numbers "price", room_type = texts "room type",
    house_rules = texts "house_rules", minimum_nights = numbers "minimum nights",
    maximum_occupancy = whole_numbers "maximum occupancy",
    review_rate = numbers "review rate number", city = texts "city",
}

columns! { Restaurant:
    name = texts "Name", average_cost = whole_numbers "Average Cost", cuisines = texts "Cuisines",
    rating = numbers "Aggregate Rating", city = texts "City",
}

columns! { Attraction:
    name = texts "Name", latitude = numbers "Latitude", longitude = numbers "Longitude",
    address = texts "Address", phone = texts "Phone", website = texts "Website", city = texts "City",
}

/// The columns that are used.
pub(super) const ROADS: &[Column] = &[texts("origin"), texts("destination"), texts("duration"), texts("distance")];

/// Whether a road can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passage {
    /// It can be driven, for so many dollars.
    Open(RoadCosts),
    /// The table has no duration or distance, or driving takes days.
    Closed,
    /// Its distance is none, which stops the original program.
    Unreadable,
}

/// Roads by their cities: the first row of each pair.
#[derive(Debug, Default)]
pub(super) struct Roads {
    cities: Names,
    pairs: FxHashMap<(u32, u32), (Road, Passage)>,
}

impl Roads {
    /// Adds a road, unless there is one already.
    pub(super) fn add(&mut self, origin: &str, destination: &str, road: Road) {
        let pair = (self.cities.add(origin), self.cities.add(destination));
        let passage = passage(&road);
        self.pairs.entry(pair).or_insert((road, passage));
    }

    /// The road of a pair, and whether it can be used.
    pub(super) fn get(&self, origin: &str, destination: &str) -> Option<&(Road, Passage)> {
        let [origin, destination] = [origin, destination].map(|city| self.cities.number(city));
        self.pairs.get(&(origin?, destination?))
    }

    /// All roads by their cities, in no order.
    pub(super) fn all(&self) -> impl Iterator<Item = (String, String, Road)> {
        let name = |number| self.cities.text(number).to_owned();
        self.pairs.iter().map(move |(pair, (road, _))| (name(pair.0), name(pair.1), road.clone()))
    }
}

fn passage(road: &Road) -> Passage {
    if road.duration.is_empty() || road.distance.is_empty() || road.duration.contains("day") {
        return Passage::Closed;
    }
    let kilometres = road.distance.replace("km", "").replace(',', "");
    match strip(&kilometres).parse::<f64>() {
        Ok(kilometres) if kilometres.is_finite() => {
            Passage::Open(RoadCosts { taxi: kilometres as i64, self_driving: (kilometres * 0.05) as i64 })
        }
        _ => Passage::Unreadable,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_row_of_a_pair_counts_and_says_what_a_way_costs() {
        let mut roads = Roads::default();
        let costs = |taxi, self_driving| Passage::Open(RoadCosts { taxi, self_driving });
        for (number, (duration, distance, passage)) in [
            ("11 hours", "1,228 km", costs(1228, 61)),
            ("1 min", "19.9 km", costs(19, 0)),
            ("", "5 km", Passage::Closed),
            ("1 hour", "", Passage::Closed),
            ("1 day 2 hours", "2,500 km", Passage::Closed),
            ("1 min", "5 m", Passage::Unreadable),
        ]
        .into_iter()
        .enumerate()
        {
            let road = Road { duration: duration.to_owned(), distance: distance.to_owned() };
            let city = number.to_string();
            roads.add("A", &city, road.clone());
            roads.add("A", &city, Road { duration: "later".to_owned(), ..road.clone() });
            assert_eq!(roads.get("A", &city), Some(&(road, passage)));
        }
        assert_eq!(roads.get("0", "A"), None);
        assert_eq!(roads.get("A", "B"), None);
    }
}
