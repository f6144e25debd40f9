//! Calls, and what they are made of, in all profiles that were recorded.

use std::path::Path;

use serde_json::Value;

use super::city;
use crate::kit::{Tally, each_line};
use rolecall_booking::api::{Api, Domain};
use rolecall_booking::autotod;
use rolecall_booking::database::{Record, text};
use rolecall_booking::desk::slots;
use rolecall_booking::normalise::normalised;
use rolecall_booking::reference;
use rolecall_booking::score::{clean_name, clean_time};
use rolecall_booking::state::{BeliefState, domain_of};
use rolecall_core::text::Dice;
use rolecall_core::text::fuzzy::partial_ratio;

/// Compares a field of each case with what comes out here; nothing does where the original raised an error.
fn each_case(
    file: &Path,
    tally: &mut Tally,
    field: &str,
    mut found: impl FnMut(&Record) -> Option<Value>,
) -> anyhow::Result<()> {
    each_line(file, |case: Record| {
        let recorded = case.get(field).unwrap_or(&Value::Null);
        let found = found(&case).unwrap_or_default();
        tally.check(|| text(&case, "id").to_owned(), recorded, &found);
        Ok(())
    })
}

/// How alike two texts are.
pub(super) fn ratios(file: &Path, _: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    each_case(file, tally, "ratio", |case| Some(partial_ratio(text(case, "a"), text(case, "b")).into()))
}

/// Values in the form in which they are compared.
pub(super) fn values(file: &Path, _: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    each_case(file, tally, "out", |case| {
        let form = normalised(text(case, "slot"), text(case, "value"));
        Some(form.ok()?.into())
    })
}

/// Answers of calls.
pub(super) fn answers(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let (city, mut dice) = (city(data)?, dice());
    each_case(file, tally, "output", |case| {
        let (api, input) = (Api::named(text(case, "api")), text(case, "input"));
        let answer = reference::call(&city.database, api, input, &mut dice);
        Some(masked(&answer.ok()?).into())
    })
}

/// Belief states that calls add up to.
pub(super) fn states(file: &Path, _: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    each_case(file, tally, "state", |case| {
        let query = case.get("query")?.as_object()?;
        let call = text(query, "action");
        domain_of(call)?;
        let mut state = BeliefState::default();
        let pairs = query.iter().filter(|(key, _)| *key != "action");
        state.take(call, pairs.map(|(key, value)| (&**key, value.clone())));
        Some(state.slots().clone().into())
    })
}

/// AutoTOD's names and times.
pub(super) fn cleaned(file: &Path, _: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    each_case(file, tally, "out", |case| {
        let clean: fn(&str) -> String = match text(case, "fn") {
            "clean_name" => clean_name,
            _ => clean_time,
        };
        Some(clean(text(case, "in")).into())
    })
}

/// AutoTOD's bookings, and why they fail.
pub(super) fn bookings(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let (city, mut dice) = (city(data)?, dice());
    each_case(file, tally, "output", |case| {
        let info = match case.get("args")? {
            Value::Object(info) => info.clone(),
            // As text: `name: pizza hut, people: 2`.
            args => {
                let lower = args.as_str()?.to_lowercase();
                let pairs = lower.split(',').filter_map(|pair| pair.split_once(": "));
                slots(pairs.map(|(slot, value)| (slot.trim(), value.trim())))
            }
        };
        let call = text(case, "call");
        let mut domains = Domain::ALL.into_iter();
        let domain = domains.find(|domain| call.contains(domain.as_str()))?;
        let (message, _) = autotod::book(domain, info, &city, &mut dice);
        Some(masked(&message).into())
    })
}

/// Results of SQL as AutoTOD's agent reads them.
pub(super) fn selections(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let city = city(data)?;
    let tables = city.tables();
    let tables = tables.map_err(|problem| anyhow::Error::msg(problem.to_owned()))?;
    each_case(file, tally, "output", |case| {
        let table = Domain::named(text(case, "table"))?;
        let (found, _) = tables.select(table, text(case, "sql"));
        Some(found.into())
    })
}

fn dice() -> Dice {
    Dice::new("rolecall conformance", "booking", &[])
}

/// Text before a part that is drawn, the mark of the recording for it, and the text behind it.
const MASKS: [[&str; 3]; 6] = [
    [r#"{"reference": ""#, "<REF>", "\"}"],
    [r#"{"type": ""#, "<TAXI>", r#"", "phone": ""#],
    [r#"<TAXI>", "phone": ""#, "<PHONE>", "\"}"],
    ["The reference number is ", "<REF>", "."],
    ["There is a ", "<TAXI>", " taxi. "],
    ["<TAXI> taxi. Contact number is ", "<PHONE>", "."],
];

/// The text with marks in place of what is drawn, wherever it is of the right form.
pub(super) fn masked(text: &str) -> String {
    let mut masked = text.to_owned();
    for [before, mark, behind] in MASKS {
        let fits = |drawn: &str| match mark {
            "<TAXI>" => drawn.split(' ').count() == 2,
            "<PHONE>" => drawn.len() == 10 && drawn.bytes().all(|it| it.is_ascii_digit()),
            _ => drawn.len() == 8 && drawn.bytes().all(|it| it.is_ascii_alphanumeric()),
        };
        let mut parts = masked.split(before);
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            out.push_str(before);
            match part.split_once(behind).filter(|(drawn, _)| fits(drawn)) {
                Some((_, rest)) => out.extend([mark, behind, rest]),
                None => out.push_str(part),
            }
        }
        masked = out;
    }
    masked
}
