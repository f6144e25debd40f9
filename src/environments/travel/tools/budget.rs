//! `BudgetEstimator`: the least that a trip costs by rooms and by the way.

use jiff::civil::Date;

use super::ToolFault;
use crate::country::{Country, Passage};
use rolecall_core::text::{is_digits, python_int};

/// The dollars that a trip to cities costs at least, with the dates of departure to each and back; otherwise what
/// cannot be had.
///
/// # Errors
/// When the original program stops: the dates are not one more than the cities or no days of the calendar, there is no
/// city, or the distance of a road is no number.
pub fn estimate(
    country: &Country,
    origin: &str,
    destinations: &[String],
    dates: &[String],
    people: i64,
) -> Result<Result<i64, &'static str>, ToolFault> {
    let days: Option<Vec<i64>> = dates.iter().map(|date| day(date)).collect();
    let days = days.ok_or(ToolFault::Other)?;
    if destinations.is_empty() || days.len() != destinations.len() + 1 {
        return Err(ToolFault::Other);
    }
    let stays = days.windows(2).map(|pair| pair[1] - pair[0]);
    let rooms = destinations.iter().zip(stays).map(|(city, stay)| room(country, city, stay, people));
    let rooms: Option<f64> = rooms.sum();
    let way = way(country, origin, destinations, dates, people)?;
    let [rooms, way] = [rooms, way].map(|cost| cost.filter(|cost| *cost > 0.0));
    match (rooms, way) {
        (None, _) => Ok(Err("hotel")),
        (_, None) => Ok(Err("transportation")),
        (Some(rooms), Some(way)) if (rooms + way).is_finite() => Ok(Ok((rooms + way).floor() as i64)),
        _ => Err(ToolFault::Other),
    }
}

/// The cheapest way to sleep in a city for so many nights; none if no room may be taken for so few.
fn room(country: &Country, city: &str, stay: i64, people: i64) -> Option<f64> {
    let allowed = country.accommodations(city).iter().filter(|room| room.minimum_nights <= stay as f64);
    let costs = allowed.map(|room| room.price * (people as f64 / room.maximum_occupancy as f64).ceil());
    Some(costs.reduce(f64::min)? * stay as f64)
}

/// The cheapest way through all cities and back: by plane and taxi, or by one's own car all the way. None if some part
/// has no way.
fn way(
    country: &Country,
    origin: &str,
    destinations: &[String],
    dates: &[String],
    people: i64,
) -> Result<Option<f64>, ToolFault> {
    let cities = || destinations.iter().map(String::as_str);
    let ends = cities().chain([origin]);
    let legs = [origin].into_iter().chain(cities()).zip(ends).zip(dates);
    let (mut driven, mut carried) = (Some(0.0), Some(0.0));
    for ((from, to), date) in legs {
        let costs = match country.road(from, to) {
            Some((_, Passage::Open(costs))) => Some(costs),
            Some((_, Passage::Closed)) | None => None,
            Some((_, Passage::Unreadable)) => return Err(ToolFault::Other),
        };
        let times = |cost: i64, seats: f64| cost as f64 * (people as f64 / seats).ceil();
        let flight = country.cheapest_flight(from, to, date).map(|price| times(price, 1.0));
        let taxi = costs.map(|costs| times(costs.taxi, 4.0));
        let leg = flight.into_iter().chain(taxi).reduce(f64::min);
        let car = costs.map(|costs| times(costs.self_driving, 5.0));
        if leg.is_none() {
            return Ok(None);
        }
        carried = carried.zip(leg).map(|(sum, cost)| sum + cost);
        driven = driven.zip(car).map(|(sum, cost)| sum + cost);
    }
    Ok(carried.into_iter().chain(driven).reduce(f64::min))
}

/// The day of a date, counted from some day; none if the calendar has none such.
fn day(date: &str) -> Option<i64> {
    let mut parts = date.split('-');
    let mut next = || {
        let part = parts.next().filter(|part| is_digits(part))?;
        i16::try_from(python_int(part)?).ok()
    };
    let (year, month, day) = (next()?, next()?, next()?);
    if year < 1 || parts.next().is_some() {
        return None;
    }
    let days = Date::new(year, month.try_into().ok()?, day.try_into().ok()?).ok()?.since(Date::ZERO).ok()?.get_days();
    Some(days.into())
}

/// Digits in groups of three.
pub(super) fn with_commas(number: i64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<_> = groups.map(String::from_utf8_lossy).collect();
    groups.join(",")
}
