//! The values of a call, checked.

use serde_json::Value;

use crate::api::{ANY, Api, Kind};
use crate::goal::Slots;
use crate::input::fields;
use crate::normalise::normalised;
use rolecall_core::text::python::strip;
use rolecall_core::text::{joined, python_int};

/// Most letters of a value in a message.
const TOLD: usize = 60;

/// The values of a call, and its problems.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Values {
    /// The keys with their values as they are compared and stored, in the order of the call; `any` for a value that
    /// does not matter.
    pub slots: Slots,
    /// Problems, a sentence each.
    pub problems: Vec<String>,
}

/// A value in quotes, for messages.
pub(super) fn quoted(value: &str) -> String {
    match value.char_indices().nth(TOLD) {
        Some((end, _)) => format!("`{}...`", &value[..end]),
        None => format!("`{value}`"),
    }
}

impl Values {
    /// Reads and checks the values of a call.
    ///
    /// # Errors
    /// When the input is no JSON object, with advice on how to write one.
    pub(super) fn read(api: Api, input: &str) -> Result<Self, String> {
        let fields = fields(input).map_err(|reason| {
            let example = api.example();
            format!("The input of {api} is no JSON object: {reason}. Write it as in: {example}.")
        })?;
        let mut values = Self::default();
        for (key, value) in &fields {
            match checked(api, key, value) {
                Ok(value) => {
                    values.slots.insert(key.clone(), value.into());
                }
                Err(problem) => values.problems.push(problem),
            }
        }
        let missing = |key: &&&str| api.needs(key) && !fields.contains_key(**key);
        for key in api.keys().iter().filter(missing) {
            let (meaning, allowed) = (api.meaning(key), allowed(api, key));
            values.problems.push(format!("`{key}` is missing: {meaning}, {allowed}."));
        }
        // A wrong time was reported already.
        let is_any = |key: &str| values.slots.get(key).is_some_and(|time| time == ANY);
        let says = |key: &str| fields.contains_key(key) && !is_any(key);
        if api == Api::BookTaxi && !says("leaveAt") && !says("arriveBy") {
            values.problems.push("`leaveAt` or `arriveBy` is missing: a taxi needs one of them, hh:mm.".to_owned());
        }
        Ok(values)
    }

    /// The value of a key; none also if it does not matter.
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        let value = self.slots.get(key).and_then(Value::as_str);
        value.filter(|value| *value != ANY)
    }

    /// The value of a key; empty if there is none.
    pub(super) fn text(&self, key: &str) -> &str {
        self.get(key).unwrap_or_default()
    }

    /// The keys whose values matter.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.slots.iter().filter_map(|(key, value)| Some((key.as_str(), value.as_str()?)));
        pairs.filter(|(_, value)| *value != ANY)
    }
}

/// Values that a key allows, in words.
fn allowed(api: Api, key: &str) -> String {
    let any = if api.needs(key) { "" } else { ", or any" };
    match api.kind(key) {
        Kind::Choice(words) => format!("one of {}{any}", joined(words)),
        Kind::Whole => "a whole number from 1 on".to_owned(),
        Kind::Time => format!("a time from 00:00 to 23:59 as hh:mm{any}"),
        Kind::Text => format!("a text of two letters or more{any}"),
    }
}

/// The value in the form in which it is compared and stored, or the problem with it.
fn checked(api: Api, key: &str, value: &Value) -> Result<String, String> {
    if !api.keys().contains(&key) {
        let (key, all) = (quoted(key), joined(api.keys()));
        return Err(format!("{api} knows no key {key}; its keys are {all}."));
    }
    let wrong = |what: &str| format!("`{key}` {what}; write {}.", allowed(api, key));
    let kind = api.kind(key);
    let numeric = kind == Kind::Whole || key == "stars";
    let not_text = |what: &str| Err(wrong(&format!("is {what}, and has to be a text")));
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) if numeric => whole(number),
        Value::Number(_) => return not_text("a number"),
        Value::Bool(_) => return not_text("true or false"),
        Value::Null => return not_text("null"),
        Value::Array(_) => return Err(wrong("is a list, and has to be one text")),
        Value::Object(_) => return Err(wrong("is an object, and has to be one text")),
    };
    let text = strip(&text);
    if text.is_empty() {
        return Err(wrong("is empty"));
    }
    if text.eq_ignore_ascii_case(ANY) {
        return if api.needs(key) { Err(wrong("has to be said and cannot be any")) } else { Ok(ANY.to_owned()) };
    }
    let read = match kind {
        Kind::Choice(words) => choice(key, text, words),
        Kind::Whole => number(text),
        Kind::Time => time(text),
        Kind::Text => (text.chars().count() > 1).then(|| text.to_owned()),
    };
    read.ok_or_else(|| match kind {
        Kind::Text => wrong(&format!("{} is too short", quoted(text))),
        _ => wrong(&format!("is {}", quoted(text))),
    })
}

/// A number without a fraction as an integer.
fn whole(number: &serde_json::Number) -> String {
    let text = number.to_string();
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// The text in ASCII, if it has letters and digits of full width or digits of another script.
fn ascii(text: &str) -> String {
    let plain = |letter: char| match letter {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(letter) - 0xfee0),
        '\u{3000}' => Some(' '),
        _ if letter.is_ascii() => None,
        _ => python_int(letter.encode_utf8(&mut [0; 4]))
            .and_then(|digit| char::from_digit(u32::try_from(digit).ok()?, 10)),
    };
    text.chars().map(|letter| plain(letter).unwrap_or(letter)).collect()
}

fn choice(key: &str, text: &str, words: &[&str]) -> Option<String> {
    let lower = ascii(text).to_lowercase();
    let form = normalised(key, &lower).ok()?;
    words.contains(&&*form).then(|| form.into_owned())
}

fn number(text: &str) -> Option<String> {
    let text = ascii(text);
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let number = python_int(&text).filter(|number| digits && *number > 0);
    number.map(|number| number.to_string())
}

/// A time of the day as hh:mm, from the usual ways of writing one.
fn time(text: &str) -> Option<String> {
    let text = ascii(text).to_lowercase();
    let form = normalised("time", &text).ok()?.into_owned();
    let (hour, minute) = form.split_once(':')?;
    let below = |part: &str, bound: u8| {
        let digits = part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
        digits && part.parse().is_ok_and(|number: u8| number < bound)
    };
    // A text that is no time counts as midnight in the rules of the data, and 12 am is noon.
    let says_none = form == "00:00" && !text.contains('0');
    let is_midnight = hour == "12" && (text.ends_with("am") || text.ends_with("a.m."));
    (below(hour, 24) && below(minute, 60) && !says_none && !is_midnight).then_some(form)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn read(api: Api, input: &Value) -> Values {
        Values::read(api, &input.to_string()).unwrap()
    }

    #[test]
    fn times_are_read_if_they_are_sound() {
        for (text, form) in [
            ("17:15", Some("17:15")),
            ("9:15", Some("09:15")),
            ("after 9", Some("09:00")),
            ("5pm", Some("17:00")),
            ("1730", Some("17:30")),
            ("noon", Some("12:00")),
            ("Noon", Some("12:00")),
            ("１７：００", Some("17:00")),
            ("٠٩:١٥", Some("09:15")),
            ("0:00", Some("00:00")),
            ("24:30", None),
            ("12:30pm", None),
            ("12am", None),
            ("17:00orso", None),
            ("915", None),
            ("17:60", None),
            ("by", None),
            ("soon", None),
            ("-1:30", None),
            ("17:00:00", None),
            ("²²:00", None),
        ] {
            assert_eq!(time(text).as_deref(), form, "{text}");
        }
    }

    #[test]
    fn values_take_the_form_of_the_data() {
        let values = read(
            Api::QueryHotels,
            &json!({"area": " Centre ", "stars": 4, "type": "Guest House", "parking": "free", "name": "ANY"}),
        );
        assert_eq!(values.problems, Vec::<String>::new());
        let slots = json!({"area": "centre", "stars": "4", "type": "guesthouse", "parking": "yes", "name": "any"});
        assert_eq!(Value::Object(values.slots), slots);
        let values = read(Api::BookHotel, &json!({"name": "acorn", "people": "０２", "day": "Friday", "stay": 3.0}));
        assert_eq!(values.problems, Vec::<String>::new());
        let slots = json!({"name": "acorn", "people": "2", "day": "friday", "stay": "3"});
        assert_eq!(Value::Object(values.slots), slots);
    }

    #[test]
    fn what_is_wrong_is_told_with_what_is_allowed() {
        let book = Api::BookRestaurant;
        for (key, value, said) in [
            ("people", json!(0), "a whole number from 1 on"),
            ("people", json!("2.5"), "a whole number from 1 on"),
            ("people", json!("1_0"), "a whole number from 1 on"),
            ("people", json!("any"), "cannot be any"),
            ("people", json!(null), "null"),
            ("day", json!("someday"), "monday, tuesday"),
            ("day", json!(["monday"]), "a list"),
            ("time", json!(1700), "is a number"),
            ("time", json!("24:30"), "hh:mm"),
            ("name", json!(""), "is empty"),
            ("name", json!("  "), "is empty"),
            ("name", json!("e"), "two letters"),
            ("name", json!({"x": 1}), "an object"),
            ("nam", json!("x"), "no key `nam`; its keys are name, people, day, time"),
        ] {
            let mut input = json!({"name": "nandos", "people": 2, "day": "monday", "time": "17:00"});
            input[key] = value.clone();
            let values = read(book, &input);
            let [problem] = &values.problems[..] else {
                panic!("{key} {value}: {:?}", values.problems);
            };
            assert!(problem.contains(said), "{problem}");
        }
        let values = read(Api::BookTaxi, &json!({"arriveBy": "any"}));
        assert_eq!(values.problems.len(), 3, "{:?}", values.problems);
        for input in ["", "no braces", "[1]", "{'a': 1}", "{\"a\": NaN}", "} {"] {
            let problem = Values::read(Api::QueryTrains, input).unwrap_err();
            assert!(problem.contains("query_trains {\"arriveBy\""), "{problem}");
        }
    }

    proptest! {
        #[test]
        fn any_value_is_read_or_refused(key in "[a-zA-Z]{0,9}|people|time|name|day", text in any::<String>()) {
            for api in Api::ALL {
                let values = read(api, &json!({ &key: text }));
                prop_assert!(!values.problems.is_empty() || api.keys().contains(&&*key));
            }
            if let Some(form) = time(&text) {
                prop_assert_eq!(time(&form), Some(form));
            }
        }
    }
}
