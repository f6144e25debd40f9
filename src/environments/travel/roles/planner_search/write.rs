//! Plans as they are written.

use serde_json::{Value, json};

use super::Planned;
use super::facts::{Ride, Room, Sights, Stay, Trip};
use super::search::Meals;
use crate::request::Request;

/// A choice among the offers.
pub(super) struct Choice<'a> {
    /// The offers for each stay.
    pub sights: &'a [Sights],
    /// The way of each leg.
    pub ways: Vec<Option<&'a Ride>>,
    /// The room of each stay.
    pub rooms: Vec<Option<&'a Room>>,
    /// The restaurants of each stay.
    pub meals: Meals,
}

/// Where nothing is planned.
const NOTHING: &str = "-";

/// The plan of a choice.
pub(super) fn planned(trip: &Trip, request: &Request, choice: &Choice<'_>) -> Planned {
    let mut days: Vec<Value> = (1..=trip.days).map(|day| blank(trip, choice, day)).collect();
    let mut passes = choice.meals.complete;
    for (place, stay) in trip.stays.iter().enumerate() {
        passes &= fill(&mut days, stay, choice, place);
    }
    let price = price(trip, choice);
    passes &= choice.ways.iter().all(Option::is_some);
    passes &= request.budget.is_none_or(|budget| price <= budget as f64);
    Planned { days: Value::Array(days), price, passes, proven: choice.meals.proven }
}

/// A day with its city, way and room.
fn blank(trip: &Trip, choice: &Choice<'_>, day: i64) -> Value {
    let leg = trip.legs.iter().zip(&choice.ways).find(|(leg, _)| leg.day == day);
    let stay = trip.stays.iter().zip(&choice.rooms).find(|(stay, _)| (stay.arrival..stay.leaving).contains(&day));
    let named = |name: &str, city: &str| format!("{name}, {city}");
    let city = match (leg, stay) {
        (Some((leg, _)), _) if !leg.from.is_empty() => format!("from {} to {}", leg.from, leg.to),
        (_, Some((stay, _))) => stay.city.clone(),
        _ => trip.legs.first().map_or_else(String::new, |leg| leg.from.clone()),
    };
    let ride = leg.and_then(|(_, ride)| *ride).map(|ride| ride.text.as_str());
    let room = stay.and_then(|(stay, room)| room.map(|room| named(&room.name, &stay.city)));
    json!({
        "day": day, "current_city": city, "transportation": ride.unwrap_or(NOTHING), "breakfast": NOTHING,
        "attraction": NOTHING, "lunch": NOTHING, "dinner": NOTHING, "accommodation": room.as_deref().unwrap_or(NOTHING),
    })
}

/// Puts meals and attractions of a stay into its days: those of full days first, then those of the day of arrival, and
/// attractions of the day of leaving. Says whether full days lack nothing.
fn fill(days: &mut [Value], stay: &Stay, choice: &Choice<'_>, index: usize) -> bool {
    let sights = &choice.sights[index];
    let full = stay.arrival + 1..stay.leaving;
    let is_last = index + 1 == choice.sights.len();
    let rest = [stay.arrival].into_iter().chain(is_last.then_some(stay.leaving));
    let order: Vec<i64> = full.chain(rest).collect();
    let mut set = |day: i64, key: &str, text: String| {
        let day = usize::try_from(day - 1).ok().and_then(|day| days.get_mut(day));
        if let Some(slot) = day.and_then(|day| day.get_mut(key)) {
            *slot = text.into();
        }
    };
    for (day, name) in order.iter().zip(&sights.attractions) {
        set(*day, "attraction", format!("{name}, {};", stay.city));
    }
    let slots = order.iter().flat_map(|day| ["breakfast", "lunch", "dinner"].map(|meal| (*day, meal)));
    for ((day, meal), place) in slots.zip(&choice.meals.chosen[index]) {
        set(day, meal, format!("{}, {}", sights.restaurants[*place].name, stay.city));
    }
    let sleeps = choice.rooms[index].is_some_and(|room| room.nights <= stay.nights());
    sleeps && sights.attractions.len() >= stay.full_days()
}

fn price(trip: &Trip, choice: &Choice<'_>) -> f64 {
    let ways = choice.ways.iter().flatten().map(|ride| ride.price as f64);
    let meals = choice
        .sights
        .iter()
        .zip(&choice.meals.chosen)
        .flat_map(|(sights, places)| places.iter().map(|place| sights.restaurants[*place].price as f64));
    let rooms =
        trip.stays.iter().zip(&choice.rooms).filter_map(|(stay, room)| Some(room.as_ref()?.price * stay.nights()));
    ways.sum::<f64>() + meals.sum::<f64>() * trip.people as f64 + rooms.sum::<f64>()
}
