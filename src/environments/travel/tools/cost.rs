//! `CostEnquiry`: what the plan of one day costs, for planners that try.

use serde_json::Value;

use crate::country::Country;
use crate::score::reading::{flight_number, from_to, name_and_city};
use rolecall_core::text::python_float;

/// The planner that asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// ReAct's, which is told more.
    React,
    /// Reflexion's.
    Reflexion,
}

/// The meals of a day.
const MEALS: [&str; 3] = ["breakfast", "lunch", "dinner"];

/// The parts of a day that have to be texts.
const TEXTS: [&str; 6] = ["current_city", "transportation", "breakfast", "lunch", "dinner", "accommodation"];

/// Failing enquiries in a row: after three of them a planner has to think anew.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Failures(pub usize);

impl Failures {
    /// Counts an enquiry, and says whether the planner is stopped.
    pub fn count(&mut self, succeeded: bool) -> bool {
        self.0 = if succeeded { 0 } else { self.0 + 1 };
        self.0 >= 3
    }
}

/// Whether a day's plan can be looked at.
///
/// # Errors
/// The text says what is wrong.
pub fn check(subplan: &Value) -> Result<i64, String> {
    let people = match subplan.get("people_number") {
        None => return Err("Key \"people_number\" is missing in the subplan".to_owned()),
        Some(Value::Bool(people)) => Some(i64::from(*people)),
        Some(people) => people.as_i64(),
    };
    let people = people.ok_or("Value of key \"people_number\" must be an integer")?;
    let is_wrong = |key: &&str| subplan.get(*key).is_some_and(|value| !value.is_string());
    match TEXTS.into_iter().find(is_wrong) {
        Some(key) => Err(format!("Value of key \"{key}\" must be a string")),
        None => Ok(people),
    }
}

/// The answer to a planner, and whether the cost is known.
pub fn enquire(country: &Country, subplan: &Value, variant: Variant) -> (String, bool) {
    let people = match check(subplan) {
        Ok(people) => people,
        Err(problem) => return (problem, false),
    };
    let mut bill = Bill { country, people: people as f64, total: 0.0, is_whole: true, reasons: Vec::new() };
    let part = |key: &str| subplan.get(key).and_then(Value::as_str).unwrap_or_default();
    bill.add_way(part("transportation"), part("current_city"), variant);
    let [whole_rooms, whole_meals, _] = country.whole_costs();
    for meal in MEALS {
        bill.add_named(meal, part(meal), whole_meals, |name, city, people| {
            let found = country.restaurants(city).iter().find(|one| one.name == name)?;
            Some(found.average_cost as f64 * people)
        });
    }
    let room = part("accommodation");
    bill.add_named("accommodation", room, whole_rooms, |name, city, people| {
        let found = country.accommodations(city).iter().find(|room| room.name == name)?;
        Some(found.price * (people / found.maximum_occupancy as f64).ceil())
    });
    (bill.shown(), bill.reasons.is_empty())
}

/// A sum that grows, and why it cannot.
struct Bill<'c> {
    country: &'c Country,
    people: f64,
    total: f64,
    is_whole: bool,
    reasons: Vec<String>,
}

impl Bill<'_> {
    fn add(&mut self, cost: f64, is_whole: bool) {
        self.total += cost;
        self.is_whole &= is_whole;
    }

    fn refuse(&mut self, what: &str) {
        let reason = format!("The {what} information is not valid, please check.");
        self.reasons.push(reason);
    }

    fn add_way(&mut self, way: &str, city: &str, variant: Variant) {
        if way.is_empty() || way == "-" {
            return;
        }
        let Some((from, to)) = from_to(way).or_else(|| from_to(city)) else {
            self.refuse("transportation");
            if let (Variant::React, Some(reason)) = (variant, self.reasons.last_mut()) {
                reason
                    .push_str(" You have to make sure there are two cities (from A to B) in your transportation plan.");
            }
            return;
        };
        let small = way.to_lowercase();
        let drives = small.contains("self-driving");
        if small.contains("flight number") {
            let flights = flight_number(way).map(|number| self.country.flights_numbered(number));
            match flights.unwrap_or_default().first() {
                Some(flight) => {
                    let cost = flight.price as f64 * self.people;
                    self.add(cost, self.country.whole_costs()[2]);
                }
                None => {
                    let problem = "The flight information is not valid.";
                    self.reasons.push(problem.to_owned());
                }
            }
        } else if drives || small.contains("taxi") {
            match self.country.road_costs(from, to) {
                Some(costs) if drives => {
                    self.add(costs.self_driving as f64 * (self.people / 5.0).ceil(), true);
                }
                Some(costs) => self.add(costs.taxi as f64 * (self.people / 4.0).ceil(), true),
                None => self.refuse("transportation"),
            }
        }
    }

    /// Adds what its name and city cost so many people, unless there is none of it.
    fn add_named(&mut self, what: &str, text: &str, is_whole: bool, cost: impl Fn(&str, &str, f64) -> Option<f64>) {
        let (name, city) = name_and_city(text);
        if name == "-" || city == "-" {
            return;
        }
        match cost(name, city, self.people) {
            Some(cost) => self.add(cost, is_whole),
            None => self.refuse(what),
        }
    }

    /// The answer, with the number as Python writes it.
    fn shown(&self) -> String {
        if self.reasons.is_empty() {
            let total = match self.is_whole {
                true => format!("{:.0}", self.total),
                false => python_float(self.total),
            };
            return format!("Cost: The cost of your plan is {total} dollars.");
        }
        let mut text =
            "Cost: Sorry, the cost of your plan is not available because of the following reasons: ".to_owned();
        for (reason, number) in self.reasons.iter().zip(1..) {
            text.push_str(&format!("{number}. {reason} \t"));
        }
        text
    }
}
