//! The eight calls, and what they are made of.

use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::conformance::{Tally, each_line};
use crate::environments::booking::api::Api;
use crate::environments::booking::files::read_database;
use crate::environments::booking::normalise::normalised;
use crate::environments::booking::reference;
use crate::environments::booking::state::BeliefState;
use crate::text::Dice;
use crate::text::fuzzy::partial_ratio;

#[derive(Deserialize)]
struct Compared {
    id: String,
    a: String,
    b: String,
    ratio: u8,
}

/// How alike two texts are.
pub(super) fn ratios(file: &Path, _: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    each_line(file, |case: Compared| {
        tally.check(|| case.id, &case.ratio, &partial_ratio(&case.a, &case.b));
        Ok(())
    })
}

#[derive(Deserialize)]
struct Normalised {
    id: String,
    slot: String,
    value: String,
    out: Option<String>,
}

/// Values in the form in which they are compared.
pub(super) fn values(file: &Path, _: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    each_line(file, |case: Normalised| {
        let form = normalised(&case.slot, &case.value).ok();
        tally.check(|| case.id, &case.out.as_deref(), &form.as_deref());
        Ok(())
    })
}

#[derive(Deserialize)]
struct Called {
    id: String,
    api: String,
    input: String,
    output: Option<String>,
}

/// What calls answer; random parts by their pattern, and an error where the original raised one.
pub(super) fn answers(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let database = read_database(data)?;
    let mut dice = Dice::new("rolecall conformance", "booking", &[]);
    each_line(file, |case: Called| {
        let found = reference::call(&database, Api::named(&case.api), &case.input, &mut dice);
        let found = found.ok().map(|text| masked(&text));
        tally.check(|| case.id, &case.output, &found);
        Ok(())
    })
}

/// The text with `<REF>`, `<TAXI>` and `<PHONE>` in place of what is drawn, wherever it is of the right form.
pub(super) fn masked(text: &str) -> String {
    let is_code = |drawn: &str| {
        let mut letters = drawn.bytes();
        drawn.len() == 8 && letters.all(|it| it.is_ascii_uppercase() || it.is_ascii_digit())
    };
    let is_phone = |drawn: &str| drawn.len() == 10 && drawn.bytes().all(|it| it.is_ascii_digit());
    let is_taxi = |drawn: &str| {
        let parts = drawn.split_once(r#"", "phone": ""#);
        parts.is_some_and(|(kind, phone)| kind.split(' ').count() == 2 && is_phone(phone))
    };
    let text = replaced(text, r#"{"reference": ""#, "<REF>", is_code);
    replaced(
        &text,
        r#"{"type": ""#,
        r#"<TAXI>", "phone": "<PHONE>"#,
        is_taxi,
    )
}

/// The text with a mask for every part that fits and stands between these words and the end of an object.
fn replaced(text: &str, before: &str, mask: &str, fits: impl Fn(&str) -> bool) -> String {
    let mut parts = text.split(before);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(before);
        match part.split_once("\"}").filter(|(drawn, _)| fits(drawn)) {
            Some((_, rest)) => out.extend([mask, "\"}", rest]),
            None => out.push_str(part),
        }
    }
    out
}

#[derive(Deserialize)]
struct CallState {
    id: String,
    query: Map<String, Value>,
    state: Option<Map<String, Value>>,
}

/// What a call tells of the user's wishes.
pub(super) fn states(file: &Path, _: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    each_line(file, |case: CallState| {
        let mut state = BeliefState::default();
        let call = case
            .query
            .get("action")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let pairs = case.query.iter().filter(|(key, _)| *key != "action");
        state.take(
            call,
            pairs.map(|(key, value)| (key.as_str(), value.clone())),
        );
        tally.check(|| case.id, &case.state.unwrap_or_default(), state.slots());
        Ok(())
    })
}
