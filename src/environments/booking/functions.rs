//! AutoTOD's functions: their parameters, and the checks of a call (spec section 6.1).

use serde_json::{Map, Value, json};

use super::api::{Api, Domain};
use super::goal::Slots;
use super::input::object;
use super::keys;
use super::score;
use crate::ports::model::ToolSpec;
use crate::text::{joined, json, python};

/// A parameter of a function.
struct Parameter {
    name: &'static str,
    kind: &'static str,
    about: &'static str,
    needed: bool,
}

const fn needed(name: &'static str, kind: &'static str, about: &'static str) -> Parameter {
    Parameter {
        name,
        kind,
        about,
        needed: true,
    }
}

const fn optional(name: &'static str, about: &'static str) -> Parameter {
    Parameter {
        name,
        kind: "string",
        about,
        needed: false,
    }
}

fn parameters(api: Api) -> &'static [Parameter] {
    const TIME: &str = "the time of day, hh:mm";
    match api {
        Api::BookRestaurant => {
            const {
                &[
                    needed("name", "string", "the name of the restaurant"),
                    needed("people", "integer", "how many people"),
                    needed("day", "string", "the day of the week"),
                    needed("time", "string", TIME),
                ]
            }
        }
        Api::BookHotel => {
            const {
                &[
                    needed("name", "string", "the name of the hotel"),
                    needed("people", "integer", "how many people"),
                    needed("day", "string", "the day of arrival"),
                    needed("stay", "integer", "how many nights"),
                ]
            }
        }
        Api::BuyTrainTickets => {
            const {
                &[
                    needed("train_id", "string", "the ID of the train"),
                    needed("tickets", "integer", "how many tickets"),
                ]
            }
        }
        Api::BookTaxi => {
            const {
                &[
                    needed(
                        "departure",
                        "string",
                        "the name or address of where it leaves",
                    ),
                    needed(
                        "destination",
                        "string",
                        "the name or address of where it goes to",
                    ),
                    optional("leave_time", TIME),
                    optional("arrive_time", TIME),
                ]
            }
        }
        _ => {
            const {
                &[needed(
                    "sql",
                    "string",
                    "an SQL statement that selects from the table",
                )]
            }
        }
    }
}

/// The names of columns of the table of a domain, in order.
pub fn columns(domain: Domain) -> Vec<&'static str> {
    let first: &[&str] = match domain {
        Domain::Train => &["id"],
        _ => &["id", "name"],
    };
    first
        .iter()
        .chain(score::columns(domain))
        .copied()
        .collect()
}

/// A function as a tool.
pub fn tool(api: Api) -> ToolSpec {
    let properties = parameters(api).iter().map(|parameter| {
        let mut property = json!({ "type": parameter.kind, "description": parameter.about });
        if parameter.name == "day" {
            property["enum"] = json!(api.domain().values("day"));
        }
        (parameter.name.to_owned(), property)
    });
    let properties: Map<String, Value> = properties.collect();
    let needed = parameters(api).iter().filter(|parameter| parameter.needed);
    let needed: Vec<&str> = needed.map(|parameter| parameter.name).collect();
    ToolSpec {
        name: api.to_string(),
        description: meaning(api),
        parameters: json!({ "type": "object", "properties": properties, "required": needed }),
    }
}

/// What a function does, with its parameters.
pub fn meaning(api: Api) -> String {
    let purpose = keys::purpose(api);
    if !api.books() {
        let (table, columns) = (api.domain(), joined(columns(api.domain())));
        return format!(
            "{purpose}: `sql` selects from the SQLite table `{table}` with the columns {columns}; five rows are shown"
        );
    }
    let parameters = parameters(api).iter();
    let parameters = parameters.map(|parameter| match parameter.needed {
        true => parameter.name.to_owned(),
        false => format!("{} (optional)", parameter.name),
    });
    format!("{purpose}. Keys: {}", joined(parameters))
}

/// The arguments of a call as texts, in their order.
///
/// # Errors
/// Where there are none, or they are not those of the function.
pub fn arguments(api: Api, input: &str) -> Result<Slots, Invalid> {
    if input.trim().is_empty() {
        let problem = format!("The arguments of {api} are missing; write them as a JSON object.");
        return Err(Invalid::Unread(problem));
    }
    let read = object(input).ok_or_else(|| "there are no braces".to_owned());
    let read = read.and_then(|text| json::read(text).map_err(|error| json::reason(&error)));
    let given: Map<String, Value> = read.map_err(|reason| {
        Invalid::Unread(format!(
            "The arguments of {api} are no JSON object: {reason}."
        ))
    })?;
    let parameters = parameters(api);
    let quoted = |names: &[&str]| joined(names.iter().map(|name| format!("\"{name}\"")));
    let is_unknown = |name: &&str| parameters.iter().all(|parameter| parameter.name != *name);
    let unknown: Vec<&str> = given
        .keys()
        .map(String::as_str)
        .filter(is_unknown)
        .collect();
    if !unknown.is_empty() {
        let all: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
        return Err(Invalid::Wrong(format!(
            "{api} has no parameters {}; it has {}.",
            quoted(&unknown),
            quoted(&all)
        )));
    }
    let missing = parameters
        .iter()
        .filter(|parameter| parameter.needed && !given.contains_key(parameter.name));
    let missing: Vec<&str> = missing.map(|parameter| parameter.name).collect();
    if !missing.is_empty() {
        return Err(Invalid::Wrong(format!(
            "{api} needs the parameters {} as well.",
            quoted(&missing)
        )));
    }
    let given = given.into_iter();
    Ok(given
        .map(|(name, value)| (name, text(value).into()))
        .collect())
}

/// Why a function is not called.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Invalid {
    /// There are no arguments that can be read.
    #[error("{0}")]
    Unread(String),
    /// The arguments are not those of the function.
    #[error("{0}")]
    Wrong(String),
}

/// A value as the text that Python makes of it, where that is of use.
fn text(value: Value) -> String {
    match value {
        Value::String(text) => text,
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Null => "None".to_owned(),
        other => {
            let mut text = String::new();
            python::push_json_value(&mut text, &other);
            text
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_checked_by_the_function() {
        let read = |api, input: &str| arguments(api, input).map(Value::Object);
        let hotel = read(
            Api::BookHotel,
            r#"{"name": "X", "people": 2, "day": "monday", "stay": "3"}"#,
        );
        assert_eq!(
            hotel.unwrap(),
            json!({"name": "X", "people": "2", "day": "monday", "stay": "3"})
        );
        for (api, input, said) in [
            (Api::BookHotel, "", "are missing"),
            (Api::BookHotel, "x", "no JSON object: there are no braces"),
            (Api::BookHotel, "{x}", "no JSON object: key must be"),
            (
                Api::QueryTrains,
                r#"{"query": "x", "day": 1}"#,
                r#"no parameters "query", "day"; it has "sql"."#,
            ),
            (
                Api::BookTaxi,
                r#"{"leave_time": "9:00"}"#,
                r#"needs the parameters "departure", "destination""#,
            ),
        ] {
            let problem = arguments(api, input).unwrap_err().to_string();
            assert!(problem.contains(said), "{problem}");
        }
        assert_eq!(
            joined(columns(Domain::Restaurant)),
            "id, name, area, pricerange, food, phone, postcode, address"
        );
    }
}
