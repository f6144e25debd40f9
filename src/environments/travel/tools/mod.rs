//! The tools: how calls are answered (TravelPlanner's tools as Ask-before-Plan has them).
//!
//! A view shows three rows of a table to who finds facts; full results show all to who plans.

pub mod budget;
pub mod cost;
pub(crate) mod search;
pub mod table;

use serde_json::{Map, Value, json};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use super::calls::Call;
use super::country::Country;
use crate::calls::{Kind, Tool};
use rolecall_core::ports::model::ToolSpec;

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

/// The result of a call for an executor: the first rows.
///
/// # Errors
/// When a parameter is not allowed.
pub fn view(country: &Country, call: &Call) -> Result<String, ToolFault> {
    answer(country, call, Some(VIEWED))
}

/// The result of a call for a planner: all rows.
///
/// # Errors
/// When a parameter is not allowed.
pub fn full(country: &Country, call: &Call) -> Result<String, ToolFault> {
    answer(country, call, None)
}

/// The result of a call, with so many rows at most.
fn answer(country: &Country, call: &Call, most: Option<usize>) -> Result<String, ToolFault> {
    check(call.cities(), |city| country.is_city(city), "is not a valid city.")?;
    let check_dates = |dates: &[String]| check(dates, is_date, "is not in the format of YYYY-MM-DD.");
    match call {
        Call::Accommodation { city, filters } => search::accommodations(country, city, filters, most),
        Call::Restaurant { city, cuisines } => search::restaurants(country, city, cuisines, most),
        Call::Attraction { city } => Ok(search::attractions(country, city, most)),
        Call::Distance { origin, destination, mode } => search::distance(country, origin, destination, mode),
        Call::Flight { origin, destination, date } => {
            check_dates(std::slice::from_ref(date))?;
            Ok(search::flights(country, [origin, destination, date], most))
        }
        Call::Budget { origin, destinations, dates, people } => {
            check_dates(dates)?;
            Ok(match budget::estimate(country, origin, destinations, dates, *people)? {
                Ok(dollars) => format!("${}", budget::with_commas(dollars)),
                Err(what) => format!("No valid {what} information is available to estimate the minimum budget."),
            })
        }
        Call::Finish => Ok(String::new()),
    }
}

/// Refuses the first text that is not legal.
fn check<'t>(
    texts: impl IntoIterator<Item = &'t String>,
    is_legal: impl Fn(&str) -> bool,
    problem: &str,
) -> Result<(), ToolFault> {
    match texts.into_iter().find(|text| !is_legal(text)) {
        Some(text) => Err(illegal(text, problem)),
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

/// The purpose of a tool.
pub fn purpose(tool: Tool) -> &'static str {
    match tool {
        Tool::Accommodation => "Finds accommodations of a city with their price a night, rules and size.",
        Tool::Restaurant => "Lists the restaurants of a city, and tells which cuisines are not to be had there.",
        Tool::Attraction => "Lists the attractions of a city.",
        Tool::Distance => "Tells duration, distance and cost of a way by road.",
        Tool::Flight => "Lists the flights between two cities on a day.",
        Tool::Budget => "Estimates what rooms and transport of a whole trip cost at least.",
        Tool::Finish => "Ends the search, once everything needed is known.",
    }
}

/// The meaning of a parameter.
pub fn meaning(parameter: &str) -> &'static str {
    match parameter {
        "city" => "the city's name, without its state",
        "filters" => {
            "a list, which may be empty, of what they have to be or allow: \"private room\", \"entire room\", \"not shared \
             room\", \"shared room\", \"smoking\", \"parties\", \"children under 10\", \"visitors\", \"pets\""
        }
        "cuisines" => "a list, which may be empty: Chinese, American, Italian, Mexican, Indian, Mediterranean, French",
        "origin" => "the city that one leaves",
        "destination" => "the city that one goes to",
        "mode" => "\"self-driving\" or \"taxi\"",
        "date" => "the day, YYYY-MM-DD",
        "destinations" => "the cities in the order in which they are visited",
        "dates" => "the day of departure to each of them, and that of the way back, each YYYY-MM-DD",
        _ => "how many people travel",
    }
}

/// The tools, in their order.
pub fn specs() -> Vec<ToolSpec> {
    Tool::ALL.map(spec).to_vec()
}

fn spec(tool: Tool) -> ToolSpec {
    let property = |(name, kind): &(&str, Kind)| {
        let mut schema = match kind {
            Kind::Text => json!({ "type": "string" }),
            Kind::List => json!({ "type": "array", "items": { "type": "string" } }),
            Kind::Number => json!({ "type": "integer" }),
        };
        schema["description"] = meaning(name).into();
        ((*name).to_owned(), schema)
    };
    let properties: Map<String, Value> = tool.parameters().iter().map(property).collect();
    let required: Vec<&String> = properties.keys().collect();
    ToolSpec {
        name: tool.as_str().to_owned(),
        description: purpose(tool).to_owned(),
        parameters: json!({ "type": "object", "properties": properties, "required": required }),
    }
}

#[cfg(test)]
mod tests;
