//! Venues and places by what people call them.

use super::queries::field;
use super::values::quoted;
use crate::environments::booking::api::Domain;
use crate::environments::booking::city::City;
use crate::environments::booking::database::Table;
use crate::environments::booking::keys::nouns;
use crate::text::{joined, unique};

/// The most names that are offered where several are like the one asked for.
const OFFERED: usize = 8;

/// What a station may be called behind the name of its town.
const STATION: [&str; 4] = [
    " train station",
    " railway station",
    " rail station",
    " station",
];

const VENUES: [Domain; 3] = [Domain::Restaurant, Domain::Hotel, Domain::Attraction];

/// A place that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// Its name in the data.
    pub name: String,
    /// It is only like the name that was asked for.
    pub guessed: bool,
}

/// The venue of a name: the one that has it, else the only one that is like it.
///
/// # Errors
/// Where there is none, or several are like it.
pub(super) fn venue(city: &City, domain: Domain, name: &str) -> Result<Found, String> {
    if let Some(name) = exact(city, domain, name) {
        return Ok(found(name));
    }
    let (noun, _) = nouns(domain);
    let alike = alike(city, domain, "name", name);
    only(&alike, name).unwrap_or_else(|| {
        Err(format!(
            "No {noun} is called {}; query_{noun}s finds names.",
            quoted(name)
        ))
    })
}

/// The place of a name: a venue, the address of one, or a station.
///
/// # Errors
/// Where there is none, or several are like it.
pub(super) fn place(city: &City, name: &str) -> Result<Found, String> {
    let mut venues = VENUES.into_iter();
    if let Some(name) = venues.find_map(|domain| exact(city, domain, name)) {
        return Ok(found(name));
    }
    let address = city.venues.place(name);
    if let Some(own) = address.and_then(|row| row.record().get("name")?.as_str()) {
        return Ok(found(own.to_owned()));
    }
    let lower = name.to_lowercase();
    let mut endings = STATION.iter();
    let town = endings.find_map(|ending| lower.strip_suffix(ending));
    let town = town.unwrap_or(&lower);
    let ends = ["departure", "destination"];
    if let Some(town) = ends.into_iter().find_map(|end| {
        let table = city.database.table(Domain::Train)?;
        let row = table.column(end)?.equal(town)?;
        Some(field(table, row, end).to_owned())
    }) {
        return Ok(found(town));
    }
    let names = VENUES.map(|domain| alike(city, domain, "name", name));
    let stations = ends.map(|end| alike(city, Domain::Train, end, town));
    let all: Vec<String> = unique(names.into_iter().chain(stations).flatten());
    only(&all, name).unwrap_or_else(|| {
        Err(format!(
            "{} is no place known here: name a restaurant, hotel or attraction, its address, or a train station.",
            quoted(name)
        ))
    })
}

fn found(name: String) -> Found {
    Found {
        name,
        guessed: false,
    }
}

/// The venue that has the name, as calls compare names or as AutoTOD cleans them.
fn exact(city: &City, domain: Domain, name: &str) -> Option<String> {
    let table = city.database.table(domain)?;
    let row = table.column("name").and_then(|names| names.equal(name));
    if let Some(row) = row {
        return Some(field(table, row, "name").to_owned());
    }
    let row = city.venues.venue(domain, name)?;
    Some(row.record().get("name")?.as_str()?.to_owned())
}

/// The values of a key that are like a name.
fn alike(city: &City, domain: Domain, key: &str, name: &str) -> Vec<String> {
    let names = |table: &Table| {
        let rows = table.column(key)?.alike(name);
        let names = rows.iter().map(|row| field(table, row, key).to_owned());
        Some(unique(names))
    };
    city.database
        .table(domain)
        .and_then(names)
        .unwrap_or_default()
}

/// The only one of the names that are like the one asked for; none if there is none.
fn only(alike: &[String], name: &str) -> Option<Result<Found, String>> {
    Some(match alike {
        [] => return None,
        [only] => Ok(Found {
            name: only.clone(),
            guessed: true,
        }),
        [first, ..] if alike.len() <= OFFERED => Err(format!(
            "{} may be several places: {}. Write the whole name, such as {first}.",
            quoted(name),
            joined(alike)
        )),
        _ => Err(format!(
            "{} may be many places; write the whole name.",
            quoted(name)
        )),
    })
}
