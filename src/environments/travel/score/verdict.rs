//! The verdict on a plan: eight constraints of common sense, four of the request, and what the trip costs
//! (TravelPlanner's, as Ask-before-Plan section 4 takes them over).

use serde_json::{Value, json};

use super::plan::Plan;
use super::trip::Trip;
pub use super::trip::{Checked, Crash, Quirks, Ruling};
use super::{complete, hard, ride, route, sandbox, variety};
use crate::country::Country;
use crate::request::Request;

/// A constraint of common sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commonsense {
    /// The trip is a circle from the origin over the destinations in their order.
    Route,
    /// No restaurant is visited twice.
    Restaurants,
    /// No attraction is visited twice.
    Attractions,
    /// Accommodations are taken for as many nights as they ask for.
    Nights,
    /// Ways to travel go together.
    Transportation,
    /// Everything of a day is in the city or the cities of the day.
    CurrentCity,
    /// Everything that is named exists.
    Sandbox,
    /// Nothing is missing.
    Complete,
}

rolecall_core::names! { Commonsense, key:
    Route => "city_route", Restaurants => "diverse_restaurants", Attractions => "diverse_attractions",
    Nights => "minimum_nights", Transportation => "transportation", CurrentCity => "current_city",
    Sandbox => "sandbox", Complete => "complete",
}

/// A constraint of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hard {
    /// Every cuisine is tried.
    Cuisine,
    /// Room types and house rules.
    Housing,
    /// No excluded way to travel is taken.
    Transportation,
    /// The trip costs no more than it may.
    Budget,
}

rolecall_core::names! { Hard, key:
    Cuisine => "cuisine", Housing => "housing", Transportation => "transportation", Budget => "budget",
}

impl Hard {
    /// Whether a request has it.
    pub fn is_of(self, request: &Request) -> bool {
        match self {
            Self::Cuisine => !request.cuisine.is_empty(),
            Self::Housing => !request.housing.is_empty(),
            Self::Transportation => !request.transportation.is_empty(),
            Self::Budget => true,
        }
    }

    /// Whether the original expects it of requests of a level: it counts others only where they are met.
    pub fn is_expected(self, level: &str) -> bool {
        match self {
            Self::Cuisine | Self::Housing => level != "easy",
            Self::Transportation => level == "hard",
            Self::Budget => true,
        }
    }
}

/// The verdict on a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// Of each constraint of common sense.
    pub commonsense: [Checked; 8],
    /// Of each constraint of the request, whether it counts or not.
    pub hard: [Checked; 4],
    /// The cost of the trip in dollars.
    pub cost: Result<f64, Crash>,
}

/// Judges a plan by the request with all details settled.
pub fn judge(country: &Country, request: &Request, plan: &Plan, quirks: Quirks) -> Verdict {
    let trip = Trip::new(country, request, plan, quirks);
    let cost = ride::cost(&trip);
    Verdict {
        commonsense: Commonsense::ALL.map(|constraint| match constraint {
            Commonsense::Route => route::reasonable(&trip),
            Commonsense::Restaurants => variety::restaurants(&trip),
            Commonsense::Attractions => variety::attractions(&trip),
            Commonsense::Nights => sandbox::nights(&trip),
            Commonsense::Transportation => variety::transportation(&trip),
            Commonsense::CurrentCity => route::within(&trip),
            Commonsense::Sandbox => sandbox::known(&trip),
            Commonsense::Complete => complete::complete(&trip),
        }),
        hard: Hard::ALL.map(|constraint| match constraint {
            Hard::Cuisine => hard::cuisine(&trip),
            Hard::Housing => hard::housing(&trip),
            Hard::Transportation => hard::transportation(&trip),
            Hard::Budget => {
                let budget = request.budget.unwrap_or(-1) as f64;
                cost.clone().map(|total| Ruling::of(total <= budget))
            }
        }),
        cost,
    }
}

impl Verdict {
    /// The first crash of common sense.
    pub fn crash(&self) -> Option<&Crash> {
        self.commonsense.iter().find_map(|checked| checked.as_ref().err())
    }

    /// Whether all constraints of common sense are met.
    pub fn has_sense(&self) -> bool {
        self.commonsense.iter().all(is_met)
    }

    /// The constraints of the request, which count only where everything exists and nothing is missing.
    pub fn counted(&self) -> Option<&[Checked; 4]> {
        let [.., sandbox, complete] = &self.commonsense;
        let open = is_met(sandbox) && is_met(complete) && self.crash().is_none();
        open.then_some(&self.hard)
    }

    /// Whether all constraints of the request are met that there are; none where they do not count.
    pub fn fits(&self) -> Option<bool> {
        let fits = |checked: &Checked| matches!(checked, Ok(Ruling::Met | Ruling::Open));
        self.counted().map(|hard| hard.iter().all(fits))
    }

    /// Whether the plan passes.
    pub fn passes(&self) -> bool {
        self.has_sense() && self.fits() == Some(true)
    }

    /// The verdict as scores hold it: of each constraint `[met, reason]`, with null for what the request does not have;
    /// `hard` is null where it does not count.
    pub fn to_json(&self) -> Value {
        let sense = Commonsense::ALL.map(Commonsense::key);
        let commonsense = object(sense.into_iter().zip(&self.commonsense));
        let keys = Hard::ALL.map(Hard::key).into_iter();
        let hard = self.counted().map(|hard| object(keys.zip(hard)));
        let cost = self.cost.as_ref().ok();
        json!({ "commonsense": commonsense, "hard": hard, "cost": cost, "final": self.passes() })
    }
}

fn is_met(checked: &Checked) -> bool {
    *checked == Ok(Ruling::Met)
}

fn object<'a>(all: impl Iterator<Item = (&'a str, &'a Checked)>) -> Value {
    all.map(|(key, checked)| (key, shown(checked))).collect()
}

fn shown(checked: &Checked) -> Value {
    match checked {
        Ok(Ruling::Met) => json!([true, null]),
        Ok(Ruling::Unmet(reason)) => json!([false, reason]),
        Ok(Ruling::Open) => json!([null, null]),
        Err(Crash(reason)) => json!([false, format!("the original stops: {reason}")]),
    }
}
