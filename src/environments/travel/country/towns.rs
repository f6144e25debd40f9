//! Tables whose rows are looked up by their city.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::cells::{Cells, Column, numbers, texts, whole_numbers};
use super::rows::{Accommodation, Attraction, Restaurant};
use super::table::TableRow;

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
