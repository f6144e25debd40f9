//! Feasibility of wishes in a country: whatever the builder of conversations asks of it.

use std::mem;

use serde_json::{Value, json};

use crate::country::{Country, RoadCosts};
use crate::labels::dates;
use crate::request::{Attribute, Request};
use crate::tools::budget;
use crate::tools::search::{CUISINES, ROOMS, RULES, fits};

/// The ways to travel that may be excluded.
const NO_FLIGHT: &str = "no flight";
const NO_CAR: &str = "no self-driving";

/// How a leg of a trip can be travelled: the price of the cheapest seat, and what the road costs.
#[derive(Clone, Copy)]
pub(super) struct Leg {
    seat: Option<i64>,
    road: Option<RoadCosts>,
}

impl Leg {
    pub(super) fn is_open(&self) -> bool {
        self.seat.is_some() || self.road.is_some()
    }
}

/// The legs of a complete request: to each city, and back on the last day.
pub(super) fn legs(country: &Country, request: &Request) -> Vec<Leg> {
    let mut from = &*request.origin;
    let legs = request.cities().into_iter().chain([from]).zip(dates(request)).map(|(to, date)| {
        let from = mem::replace(&mut from, to);
        Leg { seat: country.cheapest_flight(from, to, &date), road: country.road_costs(from, to) }
    });
    legs.collect()
}

/// Whether a detail of a complete request cannot be met. Without flights, every leg needs a road; without driving
/// oneself, every leg needs a flight; a cuisine has to be in one of the cities.
pub(super) fn fails(country: &Country, request: &Request, attribute: Attribute) -> bool {
    let legs = || legs(country, request).into_iter();
    let mut cities = request.cities().into_iter();
    match attribute {
        Attribute::Destination => legs().any(|leg| !leg.is_open()),
        Attribute::Housing => cities.any(|city| {
            let mut rows = country.accommodations(city).iter();
            !rows.any(|row| fits(row, &request.housing))
        }),
        Attribute::Cuisine => request.cuisine.iter().any(|cuisine| {
            let mut rows = cities.clone().flat_map(|city| country.restaurants(city));
            !rows.any(|row| row.cuisines.contains(cuisine))
        }),
        Attribute::Transportation => match &*request.transportation {
            NO_FLIGHT => legs().any(|leg| leg.road.is_none()),
            NO_CAR => legs().any(|leg| leg.seat.is_none()),
            _ => false,
        },
        Attribute::Budget => {
            estimate(country, request).is_none_or(|least| request.budget.is_none_or(|budget| budget < least))
        }
        _ => false,
    }
}

/// The least that a trip costs, as `BudgetEstimator` says it.
pub(super) fn estimate(country: &Country, request: &Request) -> Option<i64> {
    let stops: Vec<String> = request.cities().into_iter().map(str::to_owned).collect();
    let (origin, dates) = (&request.origin, dates(request));
    budget::estimate(country, origin, &stops, &dates, request.people?).ok()?.ok()
}

/// Every value that a preference can have: room types and rules, alone and together, a cuisine, a way to travel. First
/// those that can be met, and then those that cannot.
pub(super) fn preferences(country: &Country, request: &Request) -> [Vec<(Attribute, Value)>; 2] {
    let rules = || RULES.iter().map(|(rule, _)| rule);
    let rooms = || ROOMS.iter().map(|(room, _)| room);
    let both = rooms().flat_map(|room| rules().map(move |rule| json!([room, rule])));
    let alone = rooms().chain(rules()).map(|one| json!([one]));
    let housings = both.chain(alone).map(|value| (Attribute::Housing, value));
    let cuisines = CUISINES.iter().map(|one| (Attribute::Cuisine, json!([one])));
    let ways = [NO_FLIGHT, NO_CAR].map(|one| (Attribute::Transportation, json!(one)));
    let mut changed = request.clone();
    let (cannot_be, can_be) = housings.chain(cuisines).chain(ways).partition(|(attribute, value)| {
        changed.set(*attribute, value).is_err() || fails(country, &changed, *attribute)
    });
    [can_be, cannot_be]
}

/// The dollars that suffice for a complete request with all its wishes: three meals a day in different restaurants,
/// one of each wanted cuisine among them, the cheapest room that fits, and the cheapest way to travel. None if there is
/// no such plan.
pub(super) fn enough(country: &Country, request: &Request) -> Option<i64> {
    let people = request.people?;
    let mut total = transport(country, request, people)?;
    let leave = request.stops.iter().skip(1).map(|stop| stop.day).chain(request.days);
    for (stop, leave) in request.stops.iter().zip(leave) {
        let nights = leave - stop.day;
        let rows = country.accommodations(&stop.city).iter().filter(|row| row.minimum_nights <= nights as f64);
        let nightly = rows
            .filter(|row| fits(row, &request.housing) && row.maximum_occupancy > 0)
            .map(|row| row.price * ceiling(people, row.maximum_occupancy) as f64);
        let rooms = (nightly.min_by(f64::total_cmp)? * nights as f64).ceil() as i64;
        let mut costs: Vec<i64> = country.restaurants(&stop.city).iter().map(|row| row.average_cost).collect();
        costs.sort_unstable();
        let meals = usize::try_from(3 * nights + 3).ok()?;
        let meals = costs.get(..meals)?.iter().copied().fold(0, i64::saturating_add).saturating_mul(people);
        total = total.saturating_add(rooms).saturating_add(meals);
    }
    for cuisine in &request.cuisine {
        let of_it = request
            .cities()
            .into_iter()
            .flat_map(|city| country.restaurants(city))
            .filter(|row| row.cuisines.contains(cuisine));
        let meal = of_it.map(|row| row.average_cost).min()?;
        total = total.saturating_add(meal.saturating_mul(people));
    }
    Some(total)
}

/// The cheapest way to travel: one's own car all the way, or the cheaper of flights and taxis each time.
fn transport(country: &Country, request: &Request, people: i64) -> Option<i64> {
    let legs = legs(country, request);
    let car = legs.iter().map(|leg| Some(leg.road?.self_driving.saturating_mul(ceiling(people, 5))));
    let car = all(car).filter(|_| request.transportation != NO_CAR);
    let others = legs.iter().map(|leg| {
        let seats = leg.seat.filter(|_| request.transportation != NO_FLIGHT);
        let taxis = leg.road.map(|road| road.taxi.saturating_mul(ceiling(people, 4)));
        seats.map(|seat| seat.saturating_mul(people)).into_iter().chain(taxis).min()
    });
    car.into_iter().chain(all(others)).min()
}

/// The cost of all legs together, if each can be travelled.
fn all(mut costs: impl Iterator<Item = Option<i64>>) -> Option<i64> {
    costs.try_fold(0, |sum: i64, cost| Some(sum.saturating_add(cost?)))
}

fn ceiling(people: i64, of_one: i64) -> i64 {
    (people + of_one - 1) / of_one.max(1)
}
