//! Result of a call, as a role reads it: records of JSON or of a table, and bookings.

use serde_json::{Map, Value};

use rolecall_core::domain::Observation;

/// A venue or train as it was shown: its fields that are texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Found(Vec<(String, String)>);

impl Found {
    /// A known field; `entrance fee` may be written as `entrance_fee`.
    pub(super) fn get(&self, slot: &str) -> Option<&str> {
        let is_it = |name: &str| name == slot || name.replace('_', " ") == slot;
        let value = self.0.iter().find(|(name, _)| is_it(name)).map(|(_, value)| value.trim());
        value.filter(|value| !matches!(*value, "" | "?" | "None" | "none" | "NULL"))
    }

    /// The name of a venue, or the id of a train.
    pub(super) fn name(&self) -> &str {
        self.get("name").or_else(|| self.get("trainID")).unwrap_or_default()
    }
}

/// Result of a call.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Outcome {
    /// These records, and whether there are more.
    Found(Vec<Found>, bool),
    /// A booking: its fields.
    Booked(Found),
    /// Refusal, in the world's words.
    Refused(String),
}

/// Result that an observation reports.
pub(super) fn outcome(seen: &Observation) -> Outcome {
    let call = seen.data.as_deref().map_or(&Value::Null, |data| &data["call"]);
    let json: Option<Value> = serde_json::from_str(&seen.text).ok();
    if let Some(row) = call["booking"].as_object() {
        return Outcome::Booked(fields(row));
    }
    let word = call["outcome"].as_str().unwrap_or_default();
    if matches!(word, "refused" | "malformed" | "aborted") {
        let message = json.as_ref().and_then(|json| json["message"].as_str());
        return Outcome::Refused(message.unwrap_or(&seen.text).to_owned());
    }
    let found = match &json {
        Some(json) => {
            json["result"].as_array().into_iter().flatten().filter_map(Value::as_object).map(fields).collect()
        }
        None => table(&seen.text),
    };
    Outcome::Found(found, word == "too many" || seen.text.contains(" more records"))
}

fn fields(record: &Map<String, Value>) -> Found {
    let texts = record.iter().filter_map(|(name, value)| match value {
        Value::String(text) => Some((name.clone(), text.clone())),
        Value::Number(number) => Some((name.clone(), number.to_string())),
        _ => None,
    });
    Found(texts.collect())
}

/// The rows of a table in Markdown.
fn table(text: &str) -> Vec<Found> {
    let cells = |line: &str| -> Vec<String> {
        line.trim().trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let mut rows = text.lines().filter(|line| line.starts_with('|')).map(cells);
    let names = rows.next().unwrap_or_default();
    rows.skip(1).map(|row| names.iter().cloned().zip(row)).map(|row| Found(row.collect())).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn seen(text: &str, call: Value) -> Observation {
        Observation { data: Some(Box::new(json!({ "call": call }))), ..Observation::text(text) }
    }

    #[test]
    fn records_of_every_profile_are_read() {
        let json = r#"{"result": [{"name": "a", "location": [1.0], "entrance fee": "?", "stars": 4}]}"#;
        let Outcome::Found(found, false) = outcome(&seen(json, json!({ "outcome": "found" }))) else {
            panic!();
        };
        assert_eq!((found[0].name(), found[0].get("entrance fee"), found[0].get("stars")), ("a", None, Some("4")));
        let table = "| name | entrance_fee |\n| --- | --- |\n| a | free |\n| b |\n\n66 more records ...";
        let Outcome::Found(found, true) = outcome(&seen(table, json!({ "outcome": "found" }))) else {
            panic!();
        };
        assert_eq!((found.len(), found[0].get("entrance fee"), found[1].get("entrance fee")), (2, Some("free"), None));
        let refused = outcome(&seen(r#"{"result": null, "message": "No."}"#, json!({ "outcome": "refused" })));
        assert_eq!(refused, Outcome::Refused("No.".to_owned()));
        let row = json!({ "outcome": "booked", "booking": { "refer_number": "AB" } });
        assert!(matches!(outcome(&seen("", row)), Outcome::Booked(row) if row.get("refer_number") == Some("AB")));
        assert_eq!(outcome(&Observation::text("| |")), Outcome::Found(Vec::new(), false));
    }
}
