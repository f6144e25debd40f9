//! Plans as they are written: a list with an object for each day, and the steps of a planner that asks for costs.

use serde_json::{Map, Value};

use rolecall_core::text;
use rolecall_core::text::python::{is_space, literal};

/// A day of a plan, its fields in the order in which they are written.
pub type Day = Map<String, Value>;

/// A field of a day. All are texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Where the day is spent, or from where to where it leads.
    City,
    /// How one travels.
    Transportation,
    /// Breakfast.
    Breakfast,
    /// Attractions, with `;` behind each.
    Attraction,
    /// Lunch.
    Lunch,
    /// Dinner.
    Dinner,
    /// Where one sleeps.
    Accommodation,
}

rolecall_core::names! { Field, key:
    City => "current_city", Transportation => "transportation", Breakfast => "breakfast",
    Attraction => "attraction", Lunch => "lunch", Dinner => "dinner", Accommodation => "accommodation",
}

/// A plan, by days.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// The days in order.
    pub days: Vec<Day>,
}

impl Plan {
    /// A plan that is a list of days already.
    ///
    /// # Errors
    /// When it is none; the text is what planners see.
    pub fn from_json(value: &Value) -> Result<Self, String> {
        let days = value.as_array().ok_or("JSON plan must be a list")?;
        if days.len() < 2 {
            return Err("JSON plan must have at least two days".to_owned());
        }
        let days = days
            .iter()
            .map(|day| {
                let day = day.as_object();
                let day = day.ok_or("JSON plan must be a list of dictionaries")?;
                if !day.contains_key("current_city") {
                    return Err("key \"current_city\" is missing in the plan".to_owned());
                }
                let is_other = |key: &&str| day.get(*key).is_some_and(|value| !value.is_string());
                if let Some(key) = Field::ALL.map(Field::key).iter().find(|key| is_other(key)) {
                    return Err(format!("Value of key \"{key}\" must be a string"));
                }
                Ok(day.clone())
            })
            .collect::<Result<_, String>>()?;
        Ok(Self { days })
    }

    /// The list of its days.
    pub fn to_json(&self) -> Value {
        self.days.iter().cloned().map(Value::Object).collect()
    }
}

/// The plan within a text: the first list of objects without braces inside, as JSON or else as Python writes it.
///
/// # Errors
/// When there is none; the text is what planners see (behind the colons in the words of this program's readers).
pub fn parse(text: &str) -> Result<Plan, String> {
    let list = first_list(text).ok_or("No valid JSON plan found; please adhere to the example format")?;
    let value = match text::json::read::<Value>(list) {
        Ok(value) => value,
        Err(error) => literal(list).ok_or_else(|| {
            let reason = text::json::reason(&error);
            format!("Failed to parse using JSON decoder: {reason}\nFailed to parse using eval: no literal")
        })?,
    };
    Plan::from_json(&value)
}

/// The first list of objects within a text: brackets, and in them objects without braces inside, parted by commas.
fn first_list(text: &str) -> Option<&str> {
    text.match_indices('[').find_map(|(start, _)| {
        let list = text.get(start..)?;
        let end = list.len() - list_end(list.strip_prefix('[')?)?.len();
        list.get(..end)
    })
}

/// The text behind the list whose bracket was taken off.
fn list_end(list: &str) -> Option<&str> {
    let mut rest = list;
    loop {
        rest = skip(rest).strip_prefix('{')?;
        let end = rest.find(['{', '}'])?;
        rest = skip(rest.get(end..)?.strip_prefix('}')?);
        if let Some(rest) = rest.strip_prefix(']') {
            return Some(rest);
        }
        rest = rest.strip_prefix(',')?;
    }
}

fn skip(text: &str) -> &str {
    text.trim_start_matches(is_space)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_plan_is_the_first_list_of_objects() {
        let two = r#"[{"current_city":"A"} ,{"current_city":"B"}]"#;
        let found = parse(&format!("[1] [{{}} x [{{\"a\": {{ {two} [{{}}]")).unwrap();
        assert_eq!(found.days.len(), 2);
        assert!(parse("[]").unwrap_err().starts_with("No valid JSON plan"));
        let late = parse("[{\"current_city\":\"A\"},{\"x\":1}]");
        assert_eq!(late.unwrap_err(), "key \"current_city\" is missing in the plan");
        let wrong = Plan::from_json(&serde_json::json!([1, 2]));
        assert_eq!(wrong.unwrap_err(), "JSON plan must be a list of dictionaries");
        assert!(Plan::from_json(&Value::Null).is_err());
    }

    #[test]
    fn long_texts_are_read_once() {
        for part in ["[", "[{", "[{}", "[{},", "[ {} , {[", "from ", "{["] {
            let text = part.repeat(1_000_000 / part.len());
            assert!(parse(&text).is_err());
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in r#"([\[\]{},: ]|"a"|"current_city"|1|é)*"#) {
            let _ = parse(&text);
        }
    }
}
