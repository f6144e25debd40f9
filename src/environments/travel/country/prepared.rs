//! A country in one file that is read without being parsed: what is small by `postcard`, then the flights.
//!
//! The file begins with a line that names its form, the hash of its content, and the files that it was made of with
//! their stamps.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use super::Country;
use super::flights::{Flights, Row};
use super::load::{Whole, assembled};
use super::names::{Days, Key, Names};
use super::rows::Rows;
use crate::DataError;
use rolecall_core::files;

/// The first bytes of files of this form, with the number of the form.
const FORM: &[u8; 24] = b"rolecall country, 2 \r\n\x1a\n";

/// The bytes of a flight.
const ROW: usize = 22;

/// The head of a file: the content's hash, and the files that it was made of with their stamps.
type Head = (u128, Vec<(PathBuf, String)>);

/// All but the flights themselves.
#[derive(Debug, Serialize, Deserialize)]
struct Small {
    rows: Rows,
    whole: Whole,
    unusual: Vec<String>,
    places: Vec<String>,
    dates: Vec<String>,
    distances: Vec<f64>,
    keys: Vec<Key>,
}

/// Whether a file begins as a prepared one.
pub(super) fn is_prepared(file: &Path) -> bool {
    let mut form = [0; FORM.len()];
    files::open(file).and_then(|mut open| open.read_exact(&mut form)).is_ok() && form == *FORM
}

/// The hash of a country's content.
pub(super) fn digest(country: &Country) -> u128 {
    xxh3_128(&content(country))
}

/// Writes a country that was loaded from files.
pub(super) fn write(country: &Country, sources: &[PathBuf], out: &Path) -> io::Result<()> {
    let content = content(country);
    let sources = sources.iter().map(|file| {
        let whole = std::fs::canonicalize(file).unwrap_or_else(|_| file.clone());
        (whole, files::stamp(file))
    });
    let head: Head = (xxh3_128(&content), sources.collect());
    let head = postcard::to_stdvec(&head).map_err(io::Error::other)?;
    files::replace(out, &[FORM, &head[..], &content].concat())
}

/// Reads a prepared file.
pub(super) fn read(file: &Path) -> Result<Country, DataError> {
    let refused = |problem: &str| {
        let remedy = "make it anew by `rolecall data prepare travel`";
        DataError::data(file, format!("{problem}; {remedy}"))
    };
    let bytes = files::read(file, u64::MAX).map_err(|source| DataError::io(file, source))?;
    let head = bytes.get(FORM.len()..).map(postcard::take_from_bytes::<Head>);
    let Some(Ok(((digest, sources), content))) = head else {
        return Err(refused("its head cannot be read"));
    };
    for (source, stamp) in sources {
        if source.exists() && files::stamp(&source) != stamp {
            let problem = format!("`{}` has changed since it was made of it", source.display());
            return Err(refused(&problem));
        }
    }
    let country = (xxh3_128(content) == digest).then(|| country(content));
    let country = country.flatten().ok_or_else(|| refused("it is cut or damaged"))?;
    // The hash is that of the content.
    let _ = country.digest.set(digest);
    Ok(country)
}

/// The content of a country.
fn content(country: &Country) -> Vec<u8> {
    let mut rows = Rows {
        cities: country.cities.texts.clone(),
        accommodations: country.accommodations.rows.clone(),
        restaurants: country.restaurants.rows.clone(),
        attractions: country.attractions.rows.clone(),
        roads: country.roads.all().collect(),
        flights: Vec::new(),
    };
    rows.roads.sort_by(|one, other| (&one.0, &one.1).cmp(&(&other.0, &other.1)));
    let flights = &country.flights;
    let whole = [
        &country.accommodations.cells.whole,
        &country.restaurants.cells.whole,
        &country.attractions.cells.whole,
        &flights.whole,
    ];
    let small = Small {
        rows,
        whole: whole.map(Clone::clone),
        unusual: flights.names.texts.clone(),
        places: flights.days.names.texts.clone(),
        dates: flights.days.dates.texts.clone(),
        distances: flights.distances.clone(),
        keys: flights.days.keys.clone(),
    };
    // Values of these types can always be written.
    let mut bytes = postcard::to_stdvec(&small).unwrap_or_default();
    bytes.reserve_exact(flights.rows.len() * ROW);
    for row in &flights.rows {
        for number in [row.number, row.price, row.distance, row.day] {
            bytes.extend_from_slice(&number.to_le_bytes());
        }
        for time in [row.departs, row.arrives, row.elapsed] {
            bytes.extend_from_slice(&time.to_le_bytes());
        }
    }
    bytes
}

/// The country of its content; none if the parts do not fit together.
fn country(content: &[u8]) -> Option<Country> {
    let (small, flights) = postcard::take_from_bytes::<Small>(content).ok()?;
    let rows: Vec<Row> = flights.as_chunks::<ROW>().0.iter().map(row).collect();
    let mut flights = Flights::default();
    flights.days = Days::stored(&small.places, &small.dates, &small.keys)?;
    let days = flights.days.keys.len();
    if rows.iter().any(|row| row.day as usize >= days) {
        return None;
    }
    flights.rows = rows;
    flights.names = Names::of(&small.unusual);
    flights.distances = small.distances;
    Some(assembled(small.rows, &small.whole, flights))
}

/// The flight of its bytes.
fn row(bytes: &[u8; ROW]) -> Row {
    let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let time = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    Row {
        number: number(0),
        price: number(4),
        distance: number(8),
        day: number(12),
        departs: time(16),
        arrives: time(18),
        elapsed: time(20),
    }
}
