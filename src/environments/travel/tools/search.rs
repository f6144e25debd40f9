//! The tools that look something up.

use std::ops::Range;

use super::table::print;
use super::{ToolFault, illegal};
use crate::country::{Accommodation, Cells, Country, Passage};

/// The filters that choose room types, with the types that each lets through.
pub(crate) const ROOMS: [(&str, &[&str]); 4] = [
    ("private room", &["Private room"]),
    ("entire room", &["Entire home/apt"]),
    ("not shared room", &["Private room", "Entire home/apt"]),
    ("shared room", &["Shared room"]),
];

/// The filters that want something allowed, with the rule in small letters that forbids it.
pub(crate) const RULES: [(&str, &str); 5] = [
    ("smoking", "no smoking"),
    ("parties", "no parties"),
    ("children under 10", "no children under 10"),
    ("visitors", "no visitors"),
    ("pets", "no pets"),
];

/// The cuisines that can be asked for.
pub(crate) const CUISINES: [&str; 7] =
    ["Chinese", "American", "Italian", "Mexican", "Indian", "Mediterranean", "French"];

const NO_FILTER: &str = "is not a valid accommodation filter. Valid filters are \"private room\", \"entire room\", \
                         \"not shared room\", \"shared room\", \"smoking\", \"parties\", \"children under 10\", \
                         \"visitors\", \"pets\".";
const NO_CUISINE: &str = "is not a valid cuisine. Valid cuisines are \"Chinese\", \"American\", \"Italian\", \
                          \"Mexican\", \"Indian\", \"Mediterranean\", and \"French\".";
const NO_MODE: &str = "is not a valid transportation mode. Valid modes are \"self-driving\" and \"taxi\".";

/// A filter of accommodations.
enum Filter {
    Rooms(&'static [&'static str]),
    Without(&'static str),
}

impl Filter {
    fn named(name: &str) -> Option<Self> {
        let rooms = ROOMS.iter().find(|(filter, _)| *filter == name);
        let rules = || RULES.iter().find(|(filter, _)| *filter == name);
        rooms.map(|(_, types)| Self::Rooms(types)).or_else(|| Some(Self::Without(rules()?.1)))
    }

    fn fits(&self, room: &Accommodation) -> bool {
        match self {
            Self::Rooms(types) => types.contains(&room.room_type.as_str()),
            Self::Without(rule) => !contains(&room.house_rules, rule),
        }
    }
}

/// Whether an accommodation fits all filters.
pub(crate) fn fits(room: &Accommodation, filters: &[String]) -> bool {
    filters.iter().all(|name| Filter::named(name).is_some_and(|filter| filter.fits(room)))
}

/// Whether a text contains another one in ASCII letters, whatever their size.
fn contains(text: &str, part: &str) -> bool {
    text.as_bytes().windows(part.len()).any(|window| window.eq_ignore_ascii_case(part.as_bytes()))
}

/// `AccommodationSearch`.
pub(super) fn accommodations(
    country: &Country,
    city: &str,
    filters: &[String],
    most: Option<usize>,
) -> Result<String, ToolFault> {
    let filters = filters.iter().map(|name| Filter::named(name).ok_or_else(|| illegal(name, NO_FILTER)));
    let filters: Vec<Filter> = filters.collect::<Result<_, _>>()?;
    let (cells, range) = country.accommodation_cells(city);
    let fitting =
        range.zip(country.accommodations(city)).filter(|(_, room)| filters.iter().all(|filter| filter.fits(room)));
    let rows: Vec<usize> = fitting.map(|(row, _)| row).collect();
    let table = shown(cells, &rows, most);
    Ok(table.unwrap_or_else(|| "There is no accommodation in this city.".to_owned()))
}

/// `RestaurantSearch`: all restaurants, and which cuisines there are not.
pub(super) fn restaurants(
    country: &Country,
    city: &str,
    cuisines: &[String],
    most: Option<usize>,
) -> Result<String, ToolFault> {
    let is_unknown = |cuisine: &&String| !CUISINES.contains(&cuisine.as_str());
    if let Some(unknown) = cuisines.iter().find(is_unknown) {
        return Err(illegal(unknown, NO_CUISINE));
    }
    let (cells, range) = country.restaurant_cells(city);
    let Some(mut text) = shown(cells, &rows(range), most) else {
        return Ok("There is no restaurant in this city.".to_owned());
    };
    for cuisine in cuisines {
        let mut restaurants = country.restaurants(city).iter();
        if !restaurants.any(|restaurant| contains(&restaurant.cuisines, cuisine)) {
            text.push_str(&format!("\nThere is no {cuisine} restaurant in this city."));
        }
    }
    Ok(text)
}

/// `AttractionSearch`.
pub(super) fn attractions(country: &Country, city: &str, most: Option<usize>) -> String {
    let (cells, range) = country.attraction_cells(city);
    shown(cells, &rows(range), most).unwrap_or_else(|| "There is no attraction in this city.".to_owned())
}

/// `DistanceMatrix`.
pub(super) fn distance(country: &Country, origin: &str, destination: &str, mode: &str) -> Result<String, ToolFault> {
    let drives = match mode {
        "self-driving" => true,
        "taxi" => false,
        _ => return Err(illegal(mode, NO_MODE)),
    };
    let way = format!("{mode}, from {origin} to {destination}");
    let Some((road, passage)) = country.road(origin, destination) else {
        return Ok(format!("{way}, no valid information."));
    };
    match passage {
        Passage::Open(costs) => {
            let cost = match drives {
                true => costs.self_driving,
                false => costs.taxi,
            };
            let (duration, distance) = (&road.duration, &road.distance);
            Ok(format!("{way}, duration: {duration}, distance: {distance}, cost: {cost}"))
        }
        Passage::Closed => Ok("No valid information.".to_owned()),
        Passage::Unreadable => Err(ToolFault::Other),
    }
}

/// `FlightSearch`.
pub(super) fn flights(country: &Country, day: [&str; 3], most: Option<usize>) -> String {
    let [origin, destination, date] = day;
    let cells = country.flight_cells(origin, destination, date, most.unwrap_or(usize::MAX));
    shown(&cells, &rows(0..cells.rows()), most)
        .unwrap_or_else(|| format!("There is no flight from {origin} to {destination} on {date}."))
}

fn rows(range: Range<usize>) -> Vec<usize> {
    range.collect()
}

/// The table of so many rows at most; none if there is no row.
fn shown(cells: &Cells, rows: &[usize], most: Option<usize>) -> Option<String> {
    let viewed = most.and_then(|most| rows.get(..most)).unwrap_or(rows);
    let more = if most.is_some() { "\n..." } else { "" };
    (!rows.is_empty()).then(|| print(cells, viewed) + more)
}
