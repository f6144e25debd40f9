//! Venues and places by the names that people use.

use super::values::{Values, quoted};
use crate::api::Domain;
use crate::city::City;
use rolecall_core::text::{joined, unique};

/// Most names that are offered when several are like the one asked for.
const OFFERED: usize = 8;

/// Endings of a station's name behind its town.
const STATIONS: [&str; 3] = [" train", " railway", " rail"];

const VENUES: [Domain; 3] = [Domain::Restaurant, Domain::Hotel, Domain::Attraction];

/// A place that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// Its name in the data.
    pub name: String,
    /// It is only similar to the name that was asked for.
    pub guessed: bool,
}

impl Found {
    /// Puts its name into the values of a call. Gives a remark on it.
    pub(super) fn settle(&self, key: &str, values: &mut Values) -> String {
        let name = &self.name;
        values.slots.insert(key.to_owned(), name.as_str().into());
        if self.guessed {
            format!(" No `{key}` is called so exactly; {name} is the only one like it.")
        } else {
            String::new()
        }
    }
}

/// The venue of a name: an exact match, else the only similar one.
///
/// # Errors
/// When there is none, or several are similar.
pub(super) fn venue(city: &City, domain: Domain, name: &str) -> Result<Found, String> {
    if let Some(name) = exact(city, domain, name) {
        return Ok(found(name));
    }
    let (noun, _) = domain.nouns();
    let asked = quoted(name);
    let none = format!("No {noun} is called {asked}; query_{noun}s finds names.");
    only(alike(city, domain, "name", name), &asked, none)
}

/// The place of a name: a venue, the address of one, or a station.
///
/// # Errors
/// When there is none, or several are similar.
pub(super) fn place(city: &City, name: &str) -> Result<Found, String> {
    let venue = VENUES.into_iter().find_map(|domain| exact(city, domain, name));
    let address = || city.venues.place(name)?.record().get("name")?.as_str();
    let lower = name.to_lowercase();
    let town = lower
        .strip_suffix(" station")
        .map_or(&*lower, |town| STATIONS.into_iter().find_map(|kind| town.strip_suffix(kind)).unwrap_or(town));
    let ends = ["departure", "destination"];
    let trains = city.database.table(Domain::Train);
    let station = || ends.into_iter().find_map(|end| trains?.equal(end, town));
    if let Some(exact) = venue.or_else(address).or_else(station) {
        return Ok(found(exact));
    }
    let names = VENUES.map(|domain| alike(city, domain, "name", name));
    let stations = ends.map(|end| alike(city, Domain::Train, end, town));
    let asked = quoted(name);
    let none = format!(
        "{asked} is no place known here: name a restaurant, hotel or attraction, its address, or a train station."
    );
    only(unique(names.into_iter().chain(stations).flatten()), &asked, none)
}

fn found(name: &str) -> Found {
    Found { name: name.to_owned(), guessed: false }
}

/// The venue that has the name, as calls compare names or as AutoTOD cleans them.
fn exact<'c>(city: &'c City, domain: Domain, name: &str) -> Option<&'c str> {
    let table = city.database.table(domain)?;
    table.equal("name", name).or_else(|| {
        let row = city.venues.venue(domain, name)?;
        row.record().get("name")?.as_str()
    })
}

/// The values of a key that are similar to a name.
fn alike<'c>(city: &'c City, domain: Domain, key: &str, name: &str) -> Vec<&'c str> {
    let table = city.database.table(domain);
    table.map_or_else(Vec::new, |table| table.alike(key, name))
}

/// The only name similar to the one asked for; `none` gives the message if there is none.
fn only(alike: Vec<&str>, asked: &str, none: String) -> Result<Found, String> {
    Err(match &alike[..] {
        [] => none,
        [only] => {
            return Ok(Found { guessed: true, ..found(only) });
        }
        [first, ..] if alike.len() <= OFFERED => {
            format!("{asked} may be several places: {}. Write the whole name, such as {first}.", joined(&alike))
        }
        _ => format!("{asked} may be many places; write the whole name."),
    })
}
