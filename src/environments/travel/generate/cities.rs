//! Generated cities, and the roads and flights between them.

use jiff::ToSpan;
use jiff::civil::{Date, date};

use super::{WORDS, dice};
use crate::country::{Flight, Road};
use rolecall_core::text::Dice;

/// Cities of a state.
const OF_A_STATE: usize = 8;
/// The days of the month in which there are trips, and of the other months that large tables have.
const DAYS: [usize; 2] = [31, 334];

/// A city on a plane.
pub(super) struct City {
    pub(super) name: String,
    pub(super) state: &'static str,
    /// Kilometres.
    at: [f64; 2],
    has_airport: bool,
    is_island: bool,
}

/// A way that planes fly.
struct Route<'c> {
    from: &'c City,
    to: &'c City,
    miles: usize,
    /// On how many days of a hundred.
    usual: usize,
}

/// All cities: states lie in two rows, and each has a city on an island and one without an airport.
pub(super) fn cities(dice: &mut Dice) -> Vec<City> {
    let mut firsts = WORDS.shuffled("city first", dice).into_iter();
    let mut cities = Vec::new();
    for (index, state) in WORDS.words("states").iter().enumerate() {
        let middle = [650.0 * (index % 3) as f64, 700.0 * (index / 3) as f64];
        for (number, first) in firsts.by_ref().take(OF_A_STATE).enumerate() {
            let mut name = format!("{first}{}", WORDS.pick("city end", dice));
            if dice.percent(12) {
                name = format!("{} {name}", WORDS.pick("city before", dice));
            }
            cities.push(City {
                name,
                state,
                at: middle.map(|middle| middle + dice.below(360) as f64),
                has_airport: number != 1,
                is_island: number == 0,
            });
        }
    }
    dice.shuffle(&mut cities);
    cities
}

/// The ways from city to city by road, with their cities; some lead nowhere, and of some pairs nothing is known.
pub(super) fn roads(cities: &[City], dice: &mut Dice) -> Vec<(String, String, Road)> {
    let mut roads = Vec::new();
    for (one, other) in pairs(cities) {
        let of_island = one.is_island || other.is_island;
        let is_near = one.state == other.state;
        let kinds = match (of_island, is_near) {
            (true, true) => [0, 1, 0],
            (true, false) => [0, 1, 1],
            (false, true) => [85, 10, 5],
            (false, false) => [55, 25, 20],
        };
        let kind = dice.weighted(kinds.into_iter());
        for [from, to] in [[one, other], [other, one]] {
            let km = (distance(from, to) * 1.2) as usize + dice.between(1, 9);
            let road = match kind {
                Some(0) => Road {
                    duration: duration(km * 60 / dice.between(80, 95)),
                    distance: format!("{} km", thousands(km)),
                },
                Some(1) => Road { duration: String::new(), distance: String::new() },
                _ => continue,
            };
            roads.push((from.name.clone(), to.name.clone(), road));
        }
    }
    roads
}

/// The flights of a month, and if these are fewer than wanted, more of the eleven months behind it.
pub(super) fn flights(cities: &[City], seed: u64, wanted: usize) -> impl Iterator<Item = Flight> {
    let routes = routes(cities, &mut dice("routes", seed));
    let mut draws = dice("flights", seed);
    let mut month = Vec::new();
    for day in 0..DAYS[0] {
        for (index, route) in routes.iter().enumerate() {
            let flies = draws.percent(route.usual);
            let count = usize::from(flies) * (1 + usize::from(draws.percent(35)));
            month.extend((0..count).map(|_| (index, day)));
        }
    }
    let more = wanted.saturating_sub(month.len());
    let (all, month_days) = (routes.len().max(1), DAYS[0]);
    let later = (0..more).map(move |more| (more % all, month_days + more / all % DAYS[1]));
    month
        .into_iter()
        .chain(later)
        .enumerate()
        .filter_map(move |(number, (route, day))| Some(flight(number, day, routes.get(route)?, &mut draws)))
}

/// The routes, each way for itself.
fn routes<'c>(cities: &'c [City], dice: &mut Dice) -> Vec<Route<'c>> {
    let mut routes = Vec::new();
    for (one, other) in pairs(cities) {
        let share = if one.state == other.state { 35 } else { 62 };
        if dice.percent(share) && one.has_airport && other.has_airport {
            let miles = (distance(one, other) * 0.621) as usize + 20;
            let usual = dice.between(45, 100);
            routes.extend([[one, other], [other, one]].map(|[from, to]| Route { from, to, miles, usual }));
        }
    }
    routes
}

fn flight(number: usize, day: usize, route: &Route<'_>, dice: &mut Dice) -> Flight {
    let miles = route.miles;
    let minutes = 35 + miles / 7 + dice.below(20);
    let leave = 5 * 60 + dice.below(18 * 60);
    let clock = |minutes: usize| format!("{:02}:{:02}", minutes / 60 % 24, minutes % 60);
    Flight {
        number: format!("F{}", 6_000_000 + number),
        price: (35 + miles * dice.between(12, 40) / 100) as i64,
        departs: clock(leave),
        arrives: clock(leave + minutes),
        elapsed: format!("{} hours {} minutes", minutes / 60, minutes % 60),
        date: on_day(day).to_string(),
        origin: route.from.name.clone(),
        destination: route.to.name.clone(),
        distance: miles as f64,
    }
}

/// The date of a day from the first one of the month.
pub(super) fn on_day(day: usize) -> Date {
    date(2022, 3, 1).saturating_add(i64::try_from(day).unwrap_or(0).days())
}

/// Every two cities once.
fn pairs(cities: &[City]) -> impl Iterator<Item = (&City, &City)> {
    let others = |at: usize| cities.get(at + 1..).unwrap_or_default().iter();
    cities.iter().enumerate().flat_map(move |(at, one)| others(at).map(move |other| (one, other)))
}

fn distance(one: &City, other: &City) -> f64 {
    let [x, y] = [0, 1].map(|axis| one.at[axis] - other.at[axis]);
    (x * x + y * y).sqrt()
}

/// A time as maps write it: `1 day 3 hours`, `3 hours 23 mins`, `45 mins`.
fn duration(minutes: usize) -> String {
    let of = |count: usize, unit: &str| match count {
        1 => format!("1 {unit}"),
        _ => format!("{count} {unit}s"),
    };
    match (minutes / 1440, minutes / 60 % 24) {
        (0, 0) => of(minutes, "min"),
        (0, hours) => format!("{} {}", of(hours, "hour"), of(minutes % 60, "min")),
        (days, hours) => format!("{} {}", of(days, "day"), of(hours, "hour")),
    }
}

/// A number below a million with a comma.
fn thousands(number: usize) -> String {
    match number / 1000 {
        0 => number.to_string(),
        before => format!("{before},{:03}", number % 1000),
    }
}
