//! The cities of a trip: whether they make a route, and whether everything of a day is where the day is.

use rustc_hash::FxHashSet;

use super::plan::Field;
use super::reading::name_and_city;
use super::trip::{Checked, Crash, Entry, Location, PARTS, Ruling, Trip};
use rolecall_core::text::python::push_repr;

/// The second line is Python's own.
const UNREADABLE: &str = "The current city information is invalid.\n\
                          expected string or bytes-like object, got 'NoneType'";

/// Whether the trip leads from the origin over the destinations in their order, and back.
pub(super) fn reasonable(trip: &Trip<'_>) -> Checked {
    let origin = &*trip.request.origin;
    let mut cities = Vec::new();
    for entry in &trip.entries {
        match entry.location()? {
            None => return Ruling::unmet(UNREADABLE),
            Some(Location::Between(from, _)) if entry.number == 1 && from != origin => {
                return Ruling::unmet(format!("The first day's city should be {origin}."));
            }
            Some(Location::Between(from, to)) => cities.extend([from, to]),
            Some(Location::In(city)) => cities.push(city),
        }
    }
    let Some((first, last)) = cities.first().zip(cities.last()) else {
        return Crash::with("IndexError: list index out of range");
    };
    if first != last {
        return Ruling::unmet("The trip should be a closed circle.");
    }
    if !is_sequence(&cities) {
        return Ruling::unmet("The city sequence is invalid.");
    }
    if *first != origin {
        return Ruling::unmet(format!("The first city should be {origin}."));
    }
    cities.dedup();
    if let Some(city) = cities.iter().find(|city| !trip.country.is_city(city)) {
        return Ruling::unmet(format!("{city} is not a valid city."));
    }
    let wanted = trip.request.stops.iter().map(|stop| &*stop.city);
    let interior = cities.iter().skip(1).take(cities.len().saturating_sub(2));
    if wanted.clone().eq(interior.copied()) {
        return Ok(Ruling::Met);
    }
    let missing = wanted.filter(|city| !cities.contains(city));
    Ruling::unmet(format!("{} is missing in the city sequence.", set(missing)))
}

/// Texts as Python shows a set of them; which order it takes is chance.
fn set<'a>(all: impl Iterator<Item = &'a str>) -> String {
    let mut shown = String::new();
    let mut known = FxHashSet::default();
    for text in all.filter(|text| known.insert(*text)) {
        shown.push_str(if shown.is_empty() { "{" } else { ", " });
        push_repr(&mut shown, text);
    }
    match shown.is_empty() {
        true => "set()".to_owned(),
        false => shown + "}",
    }
}

/// Whether every city but the first and the last occurs twice or more, without others between.
fn is_sequence(cities: &[&str]) -> bool {
    let last = cities.len().saturating_sub(1);
    let mut visited = FxHashSet::default();
    let mut at = 0;
    for run in cities.chunk_by(|one, other| one == other) {
        let end = at + run.len() - 1;
        let is_new = run.first().is_some_and(|city| visited.insert(*city));
        let is_inner = at != 0 && at != last;
        if (!is_new && is_inner) || (run.len() == 1 && 0 < end && end < last) {
            return false;
        }
        at = end + 1;
    }
    cities.len() >= 3
}

/// Where the things of a day may be.
struct Named<'a> {
    location: Location<'a>,
    is_worded: bool,
    /// The original takes one city for its letters.
    letters: FxHashSet<char>,
}

impl<'a> Named<'a> {
    fn of(location: Location<'a>, is_worded: bool) -> Self {
        let letters = match location {
            Location::In(city) if !is_worded => city.chars().collect(),
            _ => FxHashSet::default(),
        };
        Self { location, is_worded, letters }
    }

    /// Whether a field's text fits.
    fn holds(&self, entry: &Entry<'_>, field: Field, text: &str) -> Result<bool, Crash> {
        let city = || name_and_city(text).1;
        let is_in = |letter: &char| self.letters.contains(letter);
        Ok(match (field, self.location) {
            (Field::Transportation, Location::In(here)) if self.is_worded => text.contains(here),
            (Field::Transportation, Location::In(_)) => {
                let found: FxHashSet<char> = text.chars().filter(is_in).collect();
                found.len() == self.letters.len()
            }
            (Field::Transportation, Location::Between(from, to)) => {
                match self.is_worded.then(|| entry.pair(text)).flatten() {
                    Some(pair) => pair == (from, to),
                    None => text.contains(from) && text.contains(to),
                }
            }
            (Field::Accommodation, Location::In(here) | Location::Between(_, here)) if self.is_worded => city() == here,
            (Field::Accommodation, Location::In(here)) => match here.chars().next_back() {
                Some(last) => text.contains(last),
                None => return Crash::with("IndexError: string index out of range"),
            },
            (Field::Accommodation, Location::Between(_, to)) => text.contains(to),
            (_, Location::In(here)) if self.is_worded => city() == here,
            (_, Location::In(_)) => text.chars().any(|letter| is_in(&letter)),
            (_, Location::Between(from, to)) if self.is_worded => [from, to].contains(&city()),
            (_, Location::Between(from, to)) => text.contains(from) || text.contains(to),
        })
    }
}

/// Whether everything of each day is in the city or the cities of the day.
pub(super) fn within(trip: &Trip<'_>) -> Checked {
    for entry in &trip.entries {
        let Some(location) = entry.location()? else {
            return Ruling::unmet(UNREADABLE);
        };
        let named = Named::of(location, trip.is_worded());
        for field in PARTS {
            for text in entry.texts(field)? {
                if !named.holds(entry, field, text)? {
                    let (field, number) = (field.key(), entry.number);
                    return Ruling::unmet(format!("The {field} in day {number} is invalid city choice."));
                }
            }
        }
    }
    Ok(Ruling::Met)
}
