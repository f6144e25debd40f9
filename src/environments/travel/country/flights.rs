//! The table of flights, of which there are millions: numbers for what is written in the usual way, and the place of
//! an unusual text for what is not.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::cells::{Cells, Column, numbers, texts, whole_numbers};
use super::names::{Days, Names};
use super::rows::Flight;

/// The columns, in the order in which they are shown.
pub(super) const COLUMNS: &[Column] = &[
    texts("Flight Number"),
    whole_numbers("Price"),
    texts("DepTime"),
    texts("ArrTime"),
    texts("ActualElapsedTime"),
    texts("FlightDate"),
    texts("OriginCityName"),
    texts("DestCityName"),
    numbers("Distance"),
];

/// Usual numbers are `F` and seven digits.
const NUMBER_DIGITS: usize = 7;
const NUMBERS: u32 = 10_000_000;

/// Usual times are of less than so many minutes.
const MINUTES: u16 = 6_000;

/// A flight in 24 bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Row {
    pub(super) number: u32,
    pub(super) price: u32,
    pub(super) distance: u32,
    pub(super) day: u32,
    pub(super) departs: u16,
    pub(super) arrives: u16,
    pub(super) elapsed: u16,
}

/// The values of a flight as they are written.
pub(super) struct Written<'w> {
    pub(super) number: &'w str,
    pub(super) price: i64,
    /// Departure, arrival, and the time between them.
    pub(super) times: [&'w str; 3],
    /// Origin, destination and date.
    pub(super) key: [&'w str; 3],
    pub(super) distance: f64,
}

/// The table. Rows are in the order of the file.
#[derive(Debug, Default)]
pub(super) struct Flights {
    pub(super) rows: Vec<Row>,
    pub(super) names: Names,
    pub(super) distances: Vec<f64>,
    pub(super) days: Days,
    pub(super) whole: Vec<bool>,
    /// Where each day begins in the order, and where the last one ends.
    starts: Vec<u32>,
    order: Vec<u32>,
    by_number: OnceLock<Vec<u32>>,
    /// The places of distances by their bytes, which are hashed better than the number of their bits.
    distance_places: FxHashMap<[u8; 8], u32>,
}

impl Flights {
    /// Adds a flight. All are added before the first is looked for.
    pub(super) fn add(&mut self, flight: &Written<'_>) -> Result<(), String> {
        let price = u32::try_from(flight.price).map_err(|_| format!("column `Price`: {} is no price", flight.price))?;
        let distances = &mut self.distances;
        let place = self.distance_places.entry(flight.distance.to_le_bytes());
        let distance = *place.or_insert_with(|| {
            distances.push(flight.distance);
            // There are no more distances than rows, whose number fits.
            distances.len() as u32 - 1
        });
        let number = usual_number(flight.number).unwrap_or_else(|| NUMBERS + self.names.add(flight.number));
        let [departs, arrives, elapsed] = flight.times;
        let row = Row {
            number,
            price,
            distance,
            day: self.days.add(flight.key),
            departs: self.time(departs, clock)?,
            arrives: self.time(arrives, clock)?,
            elapsed: self.time(elapsed, span)?,
        };
        self.rows.push(row);
        Ok(())
    }

    /// Puts the rows of each day together, by counting, when all are there.
    pub(super) fn sort(&mut self) {
        self.rows.shrink_to_fit();
        let mut ends = vec![0_u32; self.days.keys.len() + 1];
        for row in &self.rows {
            ends[row.day as usize + 1] += 1;
        }
        let mut end = 0;
        for count in &mut ends {
            end += *count;
            *count = end;
        }
        self.starts.clone_from(&ends);
        self.order = vec![0; self.rows.len()];
        for (row, place) in self.rows.iter().zip(0..) {
            let next = &mut ends[row.day as usize];
            self.order[*next as usize] = place;
            *next += 1;
        }
    }

    /// The code of a time: its minutes, or the place of an unusual text behind them.
    fn time(&mut self, text: &str, minutes: fn(&str) -> Option<u16>) -> Result<u16, String> {
        if let Some(minutes) = minutes(text) {
            return Ok(minutes);
        }
        u16::try_from(self.names.add(text)).ok().and_then(|place| place.checked_add(MINUTES)).ok_or_else(|| {
            let text = rolecall_core::text::visible(text);
            format!("`{text}` is no time such as `08:30` or `2 hours 5 minutes`; mend or remove the line")
        })
    }

    /// The rows of a day, in the order of the file.
    pub(super) fn of(&self, origin: &str, destination: &str, date: &str) -> &[u32] {
        let Some(day) = self.days.number(origin, destination, date) else {
            return &[];
        };
        let [start, end] = [day, day + 1].map(|day| self.starts[day as usize] as usize);
        &self.order[start..end]
    }

    /// The rows with a number, in the order of the file.
    pub(super) fn numbered(&self, number: &str) -> &[u32] {
        let by_number = self.by_number.get_or_init(|| {
            let mut all: Vec<u32> = (0..).take(self.rows.len()).collect();
            all.sort_unstable_by_key(|row| (self.row(*row).number, *row));
            all
        });
        let unusual = || Some(NUMBERS + self.names.number(number)?);
        let Some(code) = usual_number(number).or_else(unusual) else {
            return &[];
        };
        let start = by_number.partition_point(|row| self.row(*row).number < code);
        let found = &by_number[start..];
        let is_it = |row: &&u32| self.row(**row).number == code;
        &found[..found.iter().take_while(is_it).count()]
    }

    /// The row of its position.
    pub(super) fn row(&self, position: u32) -> Row {
        self.rows[position as usize]
    }

    /// A row as it is written in the file.
    pub(super) fn flight(&self, position: u32) -> Flight {
        let row = self.row(position);
        let text = |column| {
            let mut text = String::new();
            self.write(row, column, &mut text);
            text
        };
        Flight {
            number: text(0),
            price: row.price.into(),
            departs: text(2),
            arrives: text(3),
            elapsed: text(4),
            date: text(5),
            origin: text(6),
            destination: text(7),
            distance: self.distance(row),
        }
    }

    /// The cells of rows.
    pub(super) fn cells(&self, rows: &[u32]) -> Cells {
        let mut cells = Cells::new(COLUMNS, &self.whole);
        let mut text = String::new();
        for row in rows.iter().map(|row| self.row(*row)) {
            for column in 0..COLUMNS.len() {
                match column {
                    1 => cells.add_number(row.price.into()),
                    8 => cells.add_number(self.distance(row)),
                    _ => {
                        text.clear();
                        self.write(row, column, &mut text);
                        cells.add_text(&text);
                    }
                }
            }
        }
        cells
    }

    /// Writes the text of a column of texts.
    fn write(&self, row: Row, column: usize, out: &mut String) {
        let [origin, destination, date] = self.days.texts(row.day);
        match column {
            0 => self.write_number(out, row.number),
            2 => self.write_time(out, row.departs, write_clock),
            3 => self.write_time(out, row.arrives, write_clock),
            4 => self.write_time(out, row.elapsed, write_span),
            5 => out.push_str(date),
            6 => out.push_str(origin),
            _ => out.push_str(destination),
        }
    }

    fn distance(&self, row: Row) -> f64 {
        self.distances.get(row.distance as usize).copied().unwrap_or_default()
    }

    fn write_number(&self, out: &mut String, number: u32) {
        match number.checked_sub(NUMBERS) {
            Some(name) => out.push_str(self.names.text(name)),
            None => {
                out.push('F');
                push_digits(out, number, NUMBER_DIGITS);
            }
        }
    }

    fn write_time(&self, out: &mut String, time: u16, write: fn(&mut String, u16)) {
        match time.checked_sub(MINUTES) {
            Some(name) => out.push_str(self.names.text(name.into())),
            None => write(out, time),
        }
    }
}

/// The number of `F` and seven digits.
fn usual_number(text: &str) -> Option<u32> {
    digits(text.strip_prefix('F')?).filter(|_| text.len() == NUMBER_DIGITS + 1)
}

/// The minutes of `08:30`.
fn clock(text: &str) -> Option<u16> {
    let (hours, minutes) = text.split_once(':').filter(|_| text.len() == 5)?;
    minutes_of(hours, minutes.get(..2)?).filter(|_| hours.len() == 2)
}

/// The minutes of `2 hours 5 minutes`, without zeros in front.
fn span(text: &str) -> Option<u16> {
    let (hours, minutes) = text.strip_suffix(" minutes")?.split_once(" hours ")?;
    let has_zero = |digits: &str| digits.len() > 1 && digits.starts_with('0');
    minutes_of(hours, minutes).filter(|_| !has_zero(hours) && !has_zero(minutes))
}

fn minutes_of(hours: &str, minutes: &str) -> Option<u16> {
    let (hours, minutes) = (digits(hours)?, digits(minutes)?);
    let is_usual = hours < 100 && minutes < 60;
    is_usual.then(|| u16::try_from(hours * 60 + minutes).ok())?
}

fn digits(text: &str) -> Option<u32> {
    let is_number = !text.is_empty() && text.len() < 9 && text.bytes().all(|byte| byte.is_ascii_digit());
    let value = |number: u32, byte: u8| number * 10 + u32::from(byte - b'0');
    is_number.then(|| text.bytes().fold(0, value))
}

fn write_clock(out: &mut String, minutes: u16) {
    push_digits(out, u32::from(minutes / 60), 2);
    out.push(':');
    push_digits(out, u32::from(minutes % 60), 2);
}

fn write_span(out: &mut String, minutes: u16) {
    for (number, unit) in [(minutes / 60, " hours "), (minutes % 60, " minutes")] {
        push_digits(out, number.into(), if number < 10 { 1 } else { 2 });
        out.push_str(unit);
    }
}

/// A number in so many digits.
fn push_digits(out: &mut String, number: u32, count: usize) {
    let power = |place: usize| 10_u32.pow(place as u32);
    let digit = |place| number / power(place) % 10;
    let digits = (0..count).rev().filter_map(|place| char::from_digit(digit(place), 10));
    out.extend(digits);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flight<'w>(number: &'w str, times: [&'w str; 3], key: [&'w str; 3]) -> Written<'w> {
        Written { number, price: 100, times, key, distance: 106.5 }
    }

    fn table() -> Flights {
        let mut table = Flights::default();
        let usual = ["08:30", "00:05", "12 hours 0 minutes"];
        let unusual = ["8:30", "08:61", "02 hours 5 minutes"];
        for (number, times, day) in [
            ("F0000012", usual, "2022-03-02"),
            ("F12", unusual, "2022-03-01"),
            ("", ["", "", ""], "2022-03-02"),
            ("F00000001", usual, "March"),
            ("F0000012", unusual, "2022-03-01"),
        ] {
            table.add(&flight(number, times, ["A", "Béa", day])).unwrap();
        }
        table.sort();
        table
    }

    #[test]
    fn usual_and_unusual_texts_come_back_as_they_were_written() {
        let table = table();
        let numbers: Vec<String> = (0..5).map(|row| table.flight(row).number).collect();
        assert_eq!(numbers, ["F0000012", "F12", "", "F00000001", "F0000012"]);
        let first = table.flight(0);
        let times = [&first.departs, &first.arrives, &first.elapsed];
        assert_eq!(times, ["08:30", "00:05", "12 hours 0 minutes"]);
        let last = table.flight(4);
        let times = [&last.departs, &last.arrives, &last.elapsed];
        assert_eq!(times, ["8:30", "08:61", "02 hours 5 minutes"]);
        assert_eq!((last.origin.as_str(), last.destination.as_str()), ("A", "Béa"));
    }

    #[test]
    fn rows_are_found_by_day_and_by_number_in_the_order_of_the_file() {
        let table = table();
        assert_eq!(table.of("A", "Béa", "2022-03-01"), [1, 4]);
        assert_eq!(table.of("A", "Béa", "2022-03-02"), [0, 2]);
        assert_eq!(table.of("A", "Béa", "March"), [3]);
        assert!(table.of("Béa", "A", "March").is_empty());
        assert!(table.of("A", "X", "March").is_empty());
        assert_eq!(table.numbered("F0000012"), [0, 4]);
        assert_eq!(table.numbered("F12"), [1]);
        assert_eq!(table.numbered(""), [2]);
        assert!(table.numbered("F0000013").is_empty());
        assert!(table.numbered("A").is_empty());
    }
}
