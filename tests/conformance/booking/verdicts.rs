//! AutoTOD's verdicts, and what they are summed up to.

use std::path::Path;

use anyhow::Context;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::city;
use crate::kit::{Tally, each_line, read};
use rolecall_booking::api::Domain;
use rolecall_booking::goal::{DomainGoal, Goal, Slots};
use rolecall_booking::score::{Part, Scope, Totals, Venues, Verdict, Verdicts, verdict};

/// The verdict on recorded answers about a domain, with the row or rows that were booked; none where the original raised
/// an error.
fn judged(domain: Domain, goal: &DomainGoal, answers: &Value, booked: &Value, venues: &Venues) -> Option<Verdict> {
    let rows = booked.as_array().map_or(std::slice::from_ref(booked), Vec::as_slice);
    let rows: Vec<Slots> = rows.iter().filter_map(Value::as_object).cloned().collect();
    verdict(domain, goal, answers.as_object()?, &rows, venues).ok()
}

/// A verdict as it was recorded.
fn shown(verdict: Verdict) -> Value {
    let part = |part: Option<bool>| part.map(u8::from);
    json!({ "inform": part(verdict.inform), "success": part(verdict.success), "book": part(verdict.book) })
}

/// A verdict as it was recorded, with its parts combined.
fn combined(verdict: Verdict) -> Value {
    let mut parts = shown(verdict);
    parts["combine"] = json!(verdict.combine());
    parts
}

/// Verdicts on invented answers.
pub(super) fn synthetic(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let city = city(data)?;
    each_line(file, |case: Value| {
        let domain = Domain::deserialize(&case["domain"])?;
        let goal = DomainGoal::deserialize(&case["goal"])?;
        let (answers, row) = (&case["judge_answers"], &case["booking_row"]);
        let found = judged(domain, &goal, answers, row, &city.venues);
        let found = found.map_or(Value::Null, shown);
        tally.check(|| case["id"].to_string(), &case["verdict"], &found);
        Ok(())
    })
}

#[derive(Deserialize)]
struct Dialogue {
    id: String,
    goals: Map<String, Value>,
    booking_rows: Value,
    domains: Map<String, Value>,
    dialog: Value,
    dialog_pred: Vec<Value>,
}

impl Dialogue {
    /// The verdicts on the domains that were judged, in their order.
    fn verdicts(&self, venues: &Venues) -> anyhow::Result<Verdicts> {
        let goal = Goal::read(&self.goals).map_err(anyhow::Error::msg)?;
        let verdicts = self.domains.iter().map(|(name, recorded)| {
            let domain = Domain::named(name)?;
            let (answers, rows) = (&recorded["judge_answers"], &self.booking_rows[name]);
            let verdict = judged(domain, goal.of(domain)?, answers, rows, venues)?;
            Some((domain, verdict))
        });
        let verdicts: Option<_> = verdicts.collect();
        Ok(Verdicts(verdicts.context("a domain has no verdict")?))
    }
}

/// Verdicts on recorded dialogues, and on their domains.
pub(super) fn dialogues(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let city = city(data)?;
    each_line(file, |case: Dialogue| {
        let verdicts = case.verdicts(&city.venues)?;
        for ((name, recorded), (_, found)) in case.domains.iter().zip(&verdicts.0) {
            let parts = combined(*found);
            for part in Part::ALL.map(Part::as_str) {
                let at = || format!("{} {name} {part}", case.id);
                tally.check(at, &recorded[part], &parts[part]);
            }
        }
        let all = combined(verdicts.dialogue());
        tally.check(|| case.id, &case.dialog, &all);
        Ok(())
    })
}

/// Totals of the verdicts on the first of the recorded dialogues.
pub(super) fn totals(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let city = city(data)?;
    let recorded: Value = read(file)?;
    let (mut totals, mut turns) = (Totals::default(), 0);
    let dialogues = file.with_file_name("autotod_dialogues.jsonl");
    each_line(&dialogues, |case: Dialogue| {
        if recorded["dialogues"].as_u64() > Some(totals.len() as u64) {
            turns += case.dialog_pred.len();
            totals.add(&case.id, case.verdicts(&city.venues)?);
        }
        Ok(())
    })?;
    let parts = [Part::Inform, Part::Success, Part::Book];
    let domains = recorded["domain_scores"].as_object().into_iter().flatten();
    let domains = domains.map(|(name, sums)| (name.as_str(), sums));
    let levels = [("domain", "domain_level"), ("dialog", "dialog_level")];
    let levels = levels.map(|(name, level)| (name, &recorded[level]));
    let sums = domains.chain(levels).flat_map(|(name, sums)| parts.map(|part| (name, part, &sums[part.as_str()])));
    let combine = recorded["combine"].as_object().into_iter().flatten();
    let combine = combine.map(|(name, sum)| (name.as_str(), Part::Combine, sum));
    for (name, part, recorded) in sums.chain(combine) {
        let hit = recorded.get("hit").or(recorded.get("accum"));
        let recorded = (hit.and_then(Value::as_f64), recorded["total"].as_u64());
        let (sum, total) = totals.sum(scope(name), part);
        let at = || format!("{name} {}", part.as_str());
        tally.check(at, &recorded, &(Some(sum), Some(total)));
    }
    let mean = turns as f64 / totals.len().max(1) as f64;
    tally.check(|| "turns".to_owned(), &recorded["turns_mean"], &json!(mean));
    let tables = recorded["summary_tables"].as_str().unwrap_or_default();
    let lines = tables.lines().filter(|line| line.starts_with('|'));
    // Behind the head of each table and the line below it.
    let rows: Vec<&str> = lines.skip(2).step_by(3).collect();
    for (number, found) in printed(&totals).iter().enumerate() {
        let at = || format!("table {number}");
        tally.check(at, &rows.get(number).copied(), &Some(found.as_str()));
    }
    Ok(())
}

fn scope(name: &str) -> Scope {
    match name {
        "domain" => Scope::Domains,
        "dialog" => Scope::Dialogues,
        name => Scope::Domain(Domain::named(name).unwrap_or(Domain::Taxi)),
    }
}

/// The figures over domains and over dialogues, and those of each domain, as the original program prints them. What
/// taxis tell stands in the column of bookings.
fn printed(totals: &Totals) -> [String; 2] {
    use Domain::{Attraction, Hotel, Restaurant, Taxi, Train};
    let all = [Scope::Domains, Scope::Dialogues].map(|scope| (scope, Part::ALL));
    let domains = [Restaurant, Hotel, Attraction, Train, Taxi].map(|domain| {
        let parts = match domain {
            Taxi => [Part::Inform, Part::Book, Part::Success],
            _ => [Part::Inform, Part::Success, Part::Book],
        };
        (Scope::Domain(domain), parts)
    });
    [row(totals, &all), row(totals, &domains)]
}

fn row<const N: usize>(totals: &Totals, cells: &[(Scope, [Part; N])]) -> String {
    let cells = cells.iter();
    let sums = cells.flat_map(|(scope, parts)| parts.map(|part| totals.sum(*scope, part)));
    let cells = sums.map(|(sum, n)| match n {
        0 => "--".to_owned(),
        _ => format!("{:.1}", 100.0 * sum / n as f64),
    });
    format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
}
