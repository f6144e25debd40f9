//! AutoTOD's functions: their parameters, and the checks of a call (spec section 6.1).

use serde_json::{Value, json};

use super::account::Outcome;
use super::api::{Api, DAYS, Domain};
use super::desk::Done;
use super::goal::Slots;
use super::input::fields;
use super::score;
use rolecall_core::text::{joined, python};

/// The parameters of a function, in order.
pub fn parameters(api: Api) -> &'static [&'static str] {
    match api {
        Api::BookRestaurant | Api::BookHotel => api.keys(),
        Api::BuyTrainTickets => &["train_id", "tickets"],
        Api::BookTaxi => &["departure", "destination", "leave_time", "arrive_time"],
        _ => &["sql"],
    }
}

/// Whether a function needs a parameter. The checks of a taxi want one of its two times as well.
pub fn is_needed(parameter: &str) -> bool {
    !parameter.ends_with("_time")
}

/// Description of a parameter.
fn about(api: Api, parameter: &str) -> String {
    let about = match parameter {
        "name" => return format!("the name of the {}", api.domain()),
        "time" | "leave_time" | "arrive_time" => "the time of day, hh:mm",
        "tickets" => "how many tickets",
        "departure" => "the name or address of where it leaves",
        "destination" => "the name or address of where it goes to",
        "sql" => "an SQL statement that selects from the table",
        other => api.meaning(other),
    };
    about.to_owned()
}

/// The names of columns of the table of a domain, in order.
pub fn columns(domain: Domain) -> Vec<&'static str> {
    let first: &[&str] = match domain {
        Domain::Train => &["id"],
        _ => &["id", "name"],
    };
    first.iter().chain(score::columns(domain)).copied().collect()
}

/// Schema of a parameter's values.
pub fn property(api: Api, parameter: &str) -> Value {
    let kind = match parameter {
        "people" | "stay" | "tickets" => "integer",
        _ => "string",
    };
    let mut property = json!({ "type": kind, "description": about(api, parameter) });
    if parameter == "day" {
        property["enum"] = json!(DAYS);
    }
    property
}

/// Description of a function with its parameters.
pub fn meaning(api: Api) -> String {
    let purpose = api.purpose();
    if !api.books() {
        let (table, columns) = (api.domain(), joined(columns(api.domain())));
        return format!(
            "{purpose}: `sql` selects from the SQLite table `{table}` with the columns {columns}; five rows are shown"
        );
    }
    let parameters = parameters(api).iter().map(|parameter| {
        if is_needed(parameter) { (*parameter).to_owned() } else { format!("{parameter} (optional)") }
    });
    format!("{purpose}. Keys: {}", joined(parameters))
}

/// The arguments of a call as texts, in their order.
///
/// # Errors
/// When there are none, or they are not the function's.
pub fn arguments(api: Api, input: &str) -> Result<Slots, Done> {
    if input.trim().is_empty() {
        let problem = format!("The arguments of {api} are missing; write them as a JSON object.");
        return Err((problem, Outcome::Malformed));
    }
    let given = fields(input)
        .map_err(|reason| (format!("The arguments of {api} are no JSON object: {reason}."), Outcome::Malformed))?;
    let all = parameters(api);
    let quoted = |names: &[&str]| joined(names.iter().map(|name| format!("\"{name}\"")));
    let is_missing = |name: &&str| is_needed(name) && !given.contains_key(*name);
    let unknown: Vec<&str> = given.keys().map(String::as_str).filter(|name| !all.contains(name)).collect();
    let missing: Vec<&str> = all.iter().copied().filter(is_missing).collect();
    let problem = match (&unknown[..], &missing[..]) {
        ([], []) => {
            return Ok(given.into_iter().map(|(name, value)| (name, text(value).into())).collect());
        }
        ([], missing) => format!("{api} needs the parameters {} as well.", quoted(missing)),
        (unknown, _) => {
            let (unknown, all) = (quoted(unknown), quoted(all));
            format!("{api} has no parameters {unknown}; it has {all}.")
        }
    };
    Err((problem, Outcome::Refused))
}

/// A value as Python prints it, for the kinds that matter.
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
        let hotel = read(Api::BookHotel, r#"{"name": "X", "people": 2, "day": "monday", "stay": "3"}"#);
        assert_eq!(hotel.unwrap(), json!({"name": "X", "people": "2", "day": "monday", "stay": "3"}));
        for (api, input, said) in [
            (Api::BookHotel, "", "are missing"),
            (Api::BookHotel, "x", "no JSON object: there are no braces"),
            (Api::BookHotel, "{x}", "no JSON object: key must be"),
            (Api::QueryTrains, r#"{"query": "x", "day": 1}"#, r#"no parameters "query", "day"; it has "sql"."#),
            (Api::BookTaxi, r#"{"leave_time": "9:00"}"#, r#"needs the parameters "departure", "destination""#),
        ] {
            let (problem, _) = arguments(api, input).unwrap_err();
            assert!(problem.contains(said), "{problem}");
        }
        assert_eq!(joined(columns(Domain::Restaurant)), "id, name, area, pricerange, food, phone, postcode, address");
    }
}
