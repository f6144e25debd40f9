//! Complete requests that can be met, drawn by level and length (Ask-before-Plan appendix A.1; TravelPlanner).

use serde_json::Value;

use super::cities::on_day;
use super::feasible::{enough, legs, preferences};
use crate::country::Country;
use crate::request::{Attribute, Request, Stop};
use rolecall_core::text::Dice;

/// The levels.
pub(super) const LEVELS: [&str; 3] = ["easy", "medium", "hard"];
/// Days of the month in which trips are.
const MONTH: usize = 31;

/// A request of a level that visits so many cities and can be met; none if what was drawn cannot be had.
pub(super) fn request(
    country: &Country,
    states: &[Vec<String>],
    level: &str,
    stops: usize,
    dice: &mut Dice,
) -> Option<Request> {
    let mut request = route(country, states, stops, dice)?;
    request.people = Some(match level {
        "easy" => 1,
        _ => dice.between(2, 8) as i64,
    });
    wishes(country, level, &mut request, dice)?;
    let more = 100 + dice.between(5, 60) as i64;
    let dollars = enough(country, &request)? * more / 100;
    request.budget = Some((dollars / 100 + 1) * 100);
    Some(request)
}

/// Where a trip leads, and when: cities of a state, each for two nights.
fn route(country: &Country, states: &[Vec<String>], stops: usize, dice: &mut Dice) -> Option<Request> {
    let days = 2 * stops + 1;
    let mut state = states.get(dice.below(states.len()))?.clone();
    dice.shuffle(&mut state);
    state.truncate(stops);
    let home = states.get(dice.below(states.len()))?;
    let origin = home.get(dice.below(home.len()))?;
    let worth = state.iter().filter(|city| *city != origin && country.attractions(city).len() >= 3);
    if worth.count() < stops {
        return None;
    }
    let request = Request {
        origin: origin.clone(),
        stops: (state.into_iter().zip((1..).step_by(2))).map(|(city, day)| Stop { city, day }).collect(),
        days: Some(days as i64),
        departure: on_day(dice.below(MONTH + 1 - days)).to_string(),
        ..Request::default()
    };
    legs(country, &request).iter().all(|leg| leg.is_open()).then_some(request)
}

/// Adds preferences: none to an easy request, one of room type, rule and cuisine to one of medium level, three
/// of these and transportation to a hard one. None if this cannot be had.
fn wishes(country: &Country, level: &str, request: &mut Request, dice: &mut Dice) -> Option<()> {
    let mut things = ["room", "rule", "cuisine", "transportation"];
    let (kinds, count) = match level {
        "easy" => return Some(()),
        "medium" => (3, 1),
        _ => (4, 3),
    };
    dice.shuffle(&mut things[..kinds]);
    let wanted = |thing| things[..count].contains(&thing);
    let [mut can_be, _] = preferences(country, request);
    dice.shuffle(&mut can_be);
    let is_rule = |value: &Value| !value.as_str().is_some_and(|filter| filter.ends_with("room"));
    let housing = |value: &Value| {
        let filters = value.as_array().map_or(&[][..], Vec::as_slice);
        filters.iter().any(is_rule) == wanted("rule") && filters.iter().any(|filter| !is_rule(filter)) == wanted("room")
    };
    let mut of = |attribute, is_wanted: bool, fits: &dyn Fn(&Value) -> bool| {
        let mut values = can_be.iter().filter(|(about, value)| *about == attribute && fits(value));
        match is_wanted {
            true => request.set(attribute, &values.next()?.1).ok(),
            false => Some(()),
        }
    };
    of(Attribute::Housing, wanted("room") || wanted("rule"), &housing)?;
    of(Attribute::Transportation, wanted("transportation"), &|_| true)?;
    if wanted("cuisine") {
        let cuisines = can_be
            .iter()
            .filter(|(attribute, _)| *attribute == Attribute::Cuisine)
            .filter_map(|(_, value)| Some(value[0].as_str()?.to_owned()));
        request.cuisine = cuisines.take(dice.between(1, 4)).collect();
    }
    (request.cuisine.is_empty() != wanted("cuisine")).then_some(())
}
