//! The tools: how calls are answered (TravelPlanner's tools as Ask-before-Plan has them).
//!
//! A view shows three rows of a table to who finds facts; full results show all to who plans.

pub mod budget;
pub mod cost;
mod search;
mod specs;
pub mod table;

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use super::calls::Call;
use super::country::Country;

pub use specs::{meaning, purpose, specs};

/// The rows of a view.
const VIEWED: usize = 3;

/// Why a call has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolFault {
    /// A parameter is not allowed; the text is what the tool shows.
    Tool(String),
    /// The original program stops with an error of its own, and says no more than that.
    Other,
}

/// What a call shows to who finds facts.
///
/// # Errors
/// When a parameter is not allowed.
pub fn view(country: &Country, call: &Call) -> Result<String, ToolFault> {
    answer(country, call, Some(VIEWED))
}

/// What a call shows to who plans.
///
/// # Errors
/// When a parameter is not allowed.
pub fn full(country: &Country, call: &Call) -> Result<String, ToolFault> {
    answer(country, call, None)
}

/// What a call shows, with so many rows at most.
fn answer(country: &Country, call: &Call, most: Option<usize>) -> Result<String, ToolFault> {
    match call {
        Call::Accommodation { city, filters } => {
            check_cities(country, [city])?;
            search::accommodations(country, city, filters, most)
        }
        Call::Restaurant { city, cuisines } => {
            check_cities(country, [city])?;
            search::restaurants(country, city, cuisines, most)
        }
        Call::Attraction { city } => {
            check_cities(country, [city])?;
            Ok(search::attractions(country, city, most))
        }
        Call::Distance { origin, destination, mode } => {
            check_cities(country, [origin, destination])?;
            search::distance(country, origin, destination, mode)
        }
        Call::Flight { origin, destination, date } => {
            check_cities(country, [origin, destination])?;
            check_dates([date])?;
            Ok(search::flights(country, [origin, destination, date], most))
        }
        Call::Budget { origin, destinations, dates, people } => {
            check_cities(country, [origin].into_iter().chain(destinations))?;
            check_dates(dates)?;
            let least = budget::estimate(country, origin, destinations, dates, *people)?;
            Ok(match least {
                Ok(dollars) => format!("${}", budget::with_commas(dollars)),
                Err(what) => format!("No valid {what} information is available to estimate the minimum budget."),
            })
        }
        Call::Finish => Ok(String::new()),
    }
}

fn check_cities<'c>(country: &Country, cities: impl IntoIterator<Item = &'c String>) -> Result<(), ToolFault> {
    let mut cities = cities.into_iter();
    match cities.find(|city| !country.is_city(city)) {
        Some(city) => Err(illegal(city, "is not a valid city.")),
        None => Ok(()),
    }
}

fn check_dates<'d>(dates: impl IntoIterator<Item = &'d String>) -> Result<(), ToolFault> {
    let mut dates = dates.into_iter();
    match dates.find(|date| !is_date(date)) {
        Some(date) => Err(illegal(date, "is not in the format of YYYY-MM-DD.")),
        None => Ok(()),
    }
}

/// Whether a text has the form of a date: digits of any script, and perhaps a line break behind them.
fn is_date(text: &str) -> bool {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let fits = |(at, letter): (usize, char)| match at {
        4 | 7 => letter == '-',
        _ => letter.general_category() == GeneralCategory::DecimalNumber,
    };
    text.chars().count() == 10 && text.chars().enumerate().all(fits)
}

fn illegal(parameter: &str, problem: &str) -> ToolFault {
    ToolFault::Tool(format!("Illegal parameters: \"{parameter}\" {problem}"))
}

#[cfg(test)]
mod tests;
