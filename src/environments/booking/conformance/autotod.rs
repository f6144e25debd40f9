//! AutoTOD's bookings and verdicts.

use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::conformance::{Tally, each_line};
use crate::environments::booking::api::Domain;
use crate::environments::booking::autotod;
use crate::environments::booking::files::read_database;
use crate::environments::booking::goal::{DomainGoal, Goal, Slots};
use crate::environments::booking::score::{
    Part, Scope, Totals, Venues, Verdict, Verdicts, clean_name, clean_time, verdict,
};
use crate::text::Dice;

#[derive(Deserialize)]
struct Cleaned {
    id: String,
    r#fn: String,
    r#in: String,
    out: String,
}

/// Names and times.
pub(super) fn cleaned(file: &Path, _: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    each_line(file, |case: Cleaned| {
        let found = match case.r#fn.as_str() {
            "clean_name" => clean_name(&case.r#in),
            _ => clean_time(&case.r#in),
        };
        tally.check(|| case.id, &case.out, &found);
        Ok(())
    })
}

#[derive(Deserialize)]
struct Booked {
    id: String,
    call: String,
    args: Value,
    output: String,
}

/// Bookings, and why they fail.
pub(super) fn bookings(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let database = Arc::new(read_database(data)?);
    let venues = Venues::new(Arc::clone(&database));
    let mut dice = Dice::new("rolecall conformance", "booking", &[]);
    each_line(file, |case: Booked| {
        let info = match &case.args {
            Value::Object(info) => info.clone(),
            text => autotod::info(text.as_str().unwrap_or_default()),
        };
        let domain = Domain::ALL
            .into_iter()
            .find(|domain| case.call.contains(domain.as_str()));
        let found = match domain {
            Some(Domain::Taxi) | None => autotod::book_taxi(&info, &venues, &database, &mut dice),
            Some(domain) => autotod::book(domain, &info, &venues, &mut dice),
        };
        tally.check(|| case.id, &case.output, &masked(&found.0));
        Ok(())
    })
}

/// The message with the marks of the recording in place of what is drawn.
fn masked(message: &str) -> String {
    let Some(rest) = message.strip_prefix("Booking succeed. ") else {
        return message.to_owned();
    };
    let is_code = |text: &str| text.len() == 8 && !text.contains(' ');
    let reference = rest
        .strip_prefix("The reference number is ")
        .and_then(|it| it.strip_suffix('.'));
    if reference.is_some_and(is_code) {
        return "Booking succeed. The reference number is <REF>.".to_owned();
    }
    let is_phone = |text: &str| text.len() == 10 && text.bytes().all(|it| it.is_ascii_digit());
    let taxi = rest
        .strip_prefix("There is a ")
        .and_then(|it| it.split_once(" taxi. Contact number is "));
    match taxi {
        Some((kind, phone)) if kind.contains(' ') && is_phone(phone.trim_end_matches('.')) => {
            "Booking succeed. There is a <TAXI> taxi. Contact number is <PHONE>.".to_owned()
        }
        _ => message.to_owned(),
    }
}

#[derive(Deserialize)]
struct Synthetic {
    id: String,
    domain: Domain,
    goal: DomainGoal,
    judge_answers: Map<String, Value>,
    booking_row: Option<Slots>,
    verdict: Option<Value>,
}

/// Verdicts on invented answers.
pub(super) fn synthetic(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let venues = Venues::new(Arc::new(read_database(data)?));
    each_line(file, |case: Synthetic| {
        let bookings: Vec<Slots> = case.booking_row.into_iter().collect();
        let found = verdict(
            case.domain,
            &case.goal,
            &case.judge_answers,
            &bookings,
            &venues,
        );
        let found = found.ok().map(shown);
        tally.check(|| case.id, &case.verdict, &found);
        Ok(())
    })
}

/// A verdict as it was recorded.
fn shown(verdict: Verdict) -> Value {
    let part = |part: Option<bool>| part.map(u8::from);
    json!({ "inform": part(verdict.inform), "success": part(verdict.success), "book": part(verdict.book) })
}

#[derive(Deserialize)]
struct Dialogue {
    id: String,
    goals: Map<String, Value>,
    booking_rows: Map<String, Value>,
    domains: Map<String, Value>,
    dialog: Value,
    dialog_pred: Vec<Value>,
}

impl Dialogue {
    /// The verdicts on the domains that were judged, in their order.
    fn verdicts(&self, venues: &Venues) -> anyhow::Result<Verdicts> {
        let goal = Goal::read(&self.goals).map_err(anyhow::Error::msg)?;
        let verdicts = self.domains.iter().map(|(name, recorded)| {
            let domain = Domain::named(name).unwrap_or(Domain::Taxi);
            let wanted = goal.of(domain).cloned().unwrap_or_default();
            let rows = self.booking_rows.get(name);
            let rows = rows.cloned().unwrap_or_else(|| json!([]));
            let bookings: Vec<Slots> = serde_json::from_value(rows)?;
            let answers = recorded["judge_answers"].as_object();
            let answers = answers.cloned().unwrap_or_default();
            let found = verdict(domain, &wanted, &answers, &bookings, venues)?;
            Ok((domain, found))
        });
        Ok(Verdicts(verdicts.collect::<anyhow::Result<_>>()?))
    }
}

/// Verdicts on recorded dialogues, and on their domains.
pub(super) fn dialogues(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let venues = Venues::new(Arc::new(read_database(data)?));
    each_line(file, |case: Dialogue| {
        let verdicts = case.verdicts(&venues)?;
        for ((name, recorded), (_, found)) in case.domains.iter().zip(&verdicts.0) {
            let mut parts = shown(*found);
            parts["combine"] = json!(found.combine());
            for part in ["inform", "success", "book", "combine"] {
                tally.check(
                    || format!("{} {name} {part}", case.id),
                    &recorded[part],
                    &parts[part],
                );
            }
        }
        let all = verdicts.dialogue();
        let mut parts = shown(all);
        parts["combine"] = json!(all.combine());
        tally.check(|| case.id, &case.dialog, &parts);
        Ok(())
    })
}

#[derive(Deserialize)]
struct Summed {
    dialogues: usize,
    domain_scores: Map<String, Value>,
    domain_level: Map<String, Value>,
    dialog_level: Map<String, Value>,
    combine: Map<String, Value>,
    summary_tables: String,
    turns_mean: f64,
}

fn scope(name: &str) -> Scope {
    match name {
        "domain" => Scope::Domains,
        "dialog" => Scope::Dialogues,
        name => Scope::Domain(Domain::named(name).unwrap_or(Domain::Taxi)),
    }
}

/// What the verdicts on the first of the recorded dialogues are summed up to.
pub(super) fn totals(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let venues = Venues::new(Arc::new(read_database(data)?));
    let recorded: Summed = serde_json::from_slice(&std::fs::read(file)?)?;
    let (mut totals, mut turns) = (Totals::default(), 0);
    each_line(
        &file.with_file_name("autotod_dialogues.jsonl"),
        |case: Dialogue| {
            if totals.len() < recorded.dialogues {
                turns += case.dialog_pred.len();
                totals.add(&case.id, case.verdicts(&venues)?);
            }
            Ok(())
        },
    )?;
    let levels = [
        ("domain", &recorded.domain_level),
        ("dialog", &recorded.dialog_level),
    ];
    let levels = levels.map(|(name, parts)| (name, json!(parts)));
    let domains = recorded
        .domain_scores
        .iter()
        .map(|(name, parts)| (name.as_str(), parts.clone()));
    for (name, parts) in domains.chain(levels) {
        for part in [Part::Inform, Part::Success, Part::Book] {
            let (hit, total) = totals.sum(scope(name), part);
            let own = &parts[part.as_str()];
            let expected = (own["hit"].as_f64(), own["total"].as_u64());
            let id = || format!("{name} {}", part.as_str());
            tally.check(id, &expected, &(Some(hit), Some(total)));
        }
    }
    for (name, own) in &recorded.combine {
        let (sum, total) = totals.sum(scope(name), Part::Combine);
        let expected = (own["accum"].as_f64(), own["total"].as_u64());
        tally.check(
            || format!("{name} combine"),
            &expected,
            &(Some(sum), Some(total)),
        );
    }
    let mean = turns as f64 / totals.len().max(1) as f64;
    tally.check(|| "turns".to_owned(), &recorded.turns_mean, &mean);
    let rows = recorded.summary_tables.lines();
    // Behind the head of each table and the line below it.
    let rows: Vec<&str> = rows
        .filter(|row| row.starts_with('|'))
        .skip(2)
        .step_by(3)
        .collect();
    let found = [all_row(&totals), domain_row(&totals)];
    for (number, found) in found.iter().enumerate() {
        tally.check(
            || format!("table {number}"),
            &rows.get(number).copied(),
            &Some(found.as_str()),
        );
    }
    Ok(())
}

/// The figures over domains and over dialogues, as the original program prints them.
fn all_row(totals: &Totals) -> String {
    let scopes = [Scope::Domains, Scope::Dialogues].into_iter();
    row(
        totals,
        scopes.flat_map(|scope| Part::ALL.into_iter().map(move |part| (scope, part))),
    )
}

/// Those of each domain. What taxis tell stands in the column of bookings.
fn domain_row(totals: &Totals) -> String {
    use Domain::{Attraction, Hotel, Restaurant, Taxi, Train};
    let domains = [Restaurant, Hotel, Attraction, Train, Taxi].into_iter();
    let cells = domains.flat_map(|domain| {
        let parts = match domain {
            Taxi => [Part::Inform, Part::Book, Part::Success],
            _ => [Part::Inform, Part::Success, Part::Book],
        };
        parts.map(|part| (Scope::Domain(domain), part))
    });
    row(totals, cells)
}

fn row(totals: &Totals, cells: impl Iterator<Item = (Scope, Part)>) -> String {
    let cells = cells.map(|(scope, part)| match totals.sum(scope, part) {
        (_, 0) => "--".to_owned(),
        (sum, n) => format!("{:.1}", 100.0 * sum / n as f64),
    });
    format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
}
