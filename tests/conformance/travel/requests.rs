//! Recordings of requests: their states, the calls that fit them, chains of calls, and the players that follow rules.

use std::collections::{BTreeMap, BTreeSet};
use std::iter::once;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{country, fields, items, unpacked};
use crate::kit::{Check, Tally, each_line, read};
use rolecall_travel::answers::{self, Form, Results};
use rolecall_travel::calls::Call;
use rolecall_travel::country::Country;
use rolecall_travel::env_only::{Asker, Candidate};
use rolecall_travel::greedy::{self, Day, Found};
use rolecall_travel::labels;
use rolecall_travel::request::Draws;
use rolecall_travel::request::{Conversation, Request};
use rolecall_travel::rows;
use rolecall_travel::tools::view;

/// The recordings.
pub(super) const RECORDINGS: &[(&str, Check)] = &[
    ("turn_calls.jsonl", turns),
    ("turn_trajectories.jsonl", turns),
    ("planning_trajectory_task1.json", turns),
    ("proceed_action.jsonl", chains),
    ("brute_force.jsonl", brute_force),
    ("environment_only.jsonl", environment_only),
    ("greedy.jsonl", greedy_plans),
    ("e2e_test1000_outputs.json.gz", outputs),
];

/// The conversations of a split, which are the same in both of its files.
pub(super) fn conversations(data: &Path, split: &str, tally: &mut Tally) -> anyhow::Result<Vec<Conversation>> {
    let load = |ending: &str| rows::load(&data.join(format!("abp_synth/{split}.{ending}")));
    let (rows, same) = (load("csv")?, load("jsonl")?);
    let agrees = rows == same && rows.remarks.is_empty();
    let texts = || ("the same in both files".to_owned(), rows.remarks.join("; "));
    tally.agree(|| split.to_owned(), agrees, texts);
    Ok(rows.conversations)
}

/// Compares values and the order of what is in them.
fn compare(at: impl FnOnce() -> String, recorded: &Value, found: Value, tally: &mut Tally) {
    tally.check(at, &recorded.to_string(), &found.to_string());
}

pub(super) fn lines(calls: &[Call]) -> Vec<String> {
    calls.iter().map(Call::canonical).collect()
}

fn object(results: Results) -> Value {
    let results = results.into_iter();
    results.map(|(name, shown)| (name, json!(shown))).collect()
}

/// A state of a conversation as it was recorded.
fn current(task: &Conversation, request: &Request) -> Value {
    let first = ("task_id".to_owned(), json!(task.id));
    let known = request.to_json();
    let known = fields(&known).map(|(key, value)| (key.clone(), value.clone()));
    let last = [("query", &task.query), ("level", &task.level)];
    let last = last.map(|(key, text)| (key.to_owned(), json!(text)));
    [first].into_iter().chain(known).chain(last).collect()
}

/// States of conversations, the calls that fit them and what these show.
fn turns(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let country = country(data)?;
    let train = conversations(data, "train", tally)?;
    let test = conversations(data, "test", tally)?;
    each_line(file, |case: Value| {
        let rows = match case["split"] == "train" {
            true => &train,
            false => &test,
        };
        let [task, turn] = ["task", "turn"].map(|key| case[key].as_u64().unwrap_or_default());
        let task = rows.get(usize::try_from(task)?).context("no such task")?;
        let request = task.state(usize::try_from(turn)?);
        let (truth, all) = (labels::truth(&request), labels::brute_force(&request));
        let results = |form| object(answers::results(&country, truth.iter().cloned(), form));
        for (part, recorded) in fields(&case) {
            let found = match part.as_str() {
                "current" => current(task, &request),
                "finetuning" => json!(lines(&truth)),
                "brute_force" => json!(lines(&all)),
                "clarification" => results(Form::Clarification),
                "planning" => results(Form::Planning),
                _ => continue,
            };
            let at = || format!("{} turn {turn} {part}", task.id);
            compare(at, recorded, found, tally);
        }
        Ok(())
    })
}

/// Chains of calls.
fn chains(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let country = country(data)?;
    each_line(file, |case: Value| {
        let form = match case["output_format"] == "planning" {
            true => Form::Planning,
            false => Form::Clarification,
        };
        let lines = case["actions"].as_str().unwrap_or_default().split('\n');
        let found = object(answers::perform(&country, lines, form));
        compare(|| case["id"].to_string(), &case["result"], found, tally);
        Ok(())
    })
}

/// Compares tasks that were recorded with their rows.
fn each_task(
    file: &Path,
    mut check: impl FnMut(&str, &Value, &Conversation) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    each_line(file, |case: Value| {
        let row = case["row"].as_object().context("it has no row")?;
        let task = rows::read_row(row).map_err(anyhow::Error::msg)?;
        check(case["id"].as_str().unwrap_or_default(), &case, &task)
    })
}

/// Facts found in each turn, behind the details clarified before it.
fn clarified(task: &Conversation, found: Vec<Value>) -> Value {
    let settled = task.details.iter().map(|detail| json!(detail.attribute));
    let settled = once(Value::Null).chain(settled);
    let turns = settled.zip(found);
    turns.map(|(settled, found)| json!([settled, found])).collect()
}

/// The calls of brute force in each turn.
pub(super) fn forced(task: &Conversation) -> Vec<Value> {
    let calls = |turn| lines(&labels::brute_force(&task.state(turn))).join("\n");
    (0..task.turns()).map(|turn| calls(turn).into()).collect()
}

fn brute_force(file: &Path, _: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    each_task(file, |id, case, task| {
        let forced = clarified(task, forced(task));
        compare(|| id.to_owned(), &case["turns"], forced, tally);
        Ok(())
    })
}

/// The questions of the original program, which are set in the place of ours.
#[derive(Deserialize)]
pub(super) struct Questions {
    unfeasible: BTreeMap<String, Vec<String>>,
    missing: BTreeMap<String, Vec<String>>,
}

impl Questions {
    pub(super) fn beside(recording: &Path) -> anyhow::Result<Self> {
        read(&recording.with_file_name("env_only_questions.json"))
    }

    fn text(&self, asked: Candidate) -> Option<&str> {
        let questions = match asked.missing {
            true => &self.missing,
            false => &self.unfeasible,
        };
        let question = questions.get(asked.tool.as_str())?.get(asked.index)?;
        Some(question)
    }

    /// Questions of the environment-only clarifier in each turn.
    pub(super) fn asked(&self, country: &Country, task: &Conversation) -> Vec<Value> {
        let mut asker = Asker::new(task.details.len());
        let turns = (0..task.turns()).map(|turn| {
            let calls = labels::truth(&task.state(turn)).into_iter();
            let shown = calls.filter_map(|call| Some((call.tool(), view(country, &call).ok()?)));
            let shown: Vec<_> = shown.collect();
            let asked = asker.ask(shown.iter().map(|(tool, shown)| (*tool, shown.as_str())));
            asked.and_then(|asked| self.text(asked)).into()
        });
        turns.collect()
    }
}

fn environment_only(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let (country, questions) = (country(data)?, Questions::beside(file)?);
    each_task(file, |id, case, task| {
        let asked = clarified(task, questions.asked(&country, task));
        compare(|| id.to_owned(), &case["turns"], asked, tally);
        Ok(())
    })
}

/// The days of a task, and what the country has for each.
pub(super) fn days(task: &Conversation, country: &Country) -> Option<(Vec<Day>, Vec<Found>)> {
    let days = greedy::days(&task.state(task.details.len()))?;
    let found = days.iter().map(|day| found(day, country)).collect();
    Some((days, found))
}

fn found(day: &Day, country: &Country) -> Found {
    let city = &day.city;
    let from = day.from.as_ref();
    let costs = from.and_then(|(from, _)| country.road_costs(from, city));
    let flights = from.into_iter().flat_map(|(from, date)| country.flights(from, city, date));
    let restaurants = country.restaurants(city).iter();
    let accommodations = country.accommodations(city).iter();
    let attractions = country.attractions(city).iter();
    Found {
        flights: flights.map(|flight| (flight.number, flight.price as f64)).collect(),
        self_driving: costs.map(|costs| costs.self_driving as f64),
        taxi: costs.map(|costs| costs.taxi as f64),
        restaurants: restaurants.map(|row| (row.name.to_string(), row.average_cost as f64)).collect(),
        attractions: attractions.map(|row| row.name.to_string()).collect(),
        accommodations: accommodations.map(|row| (row.name.to_string(), row.price)).collect(),
    }
}

/// Cost of the cheapest offers.
pub(super) fn least(offers: &[(String, f64)]) -> f64 {
    let prices = offers.iter().map(|(_, price)| *price);
    prices.fold(f64::INFINITY, f64::min)
}

/// The choices for a part of a day that cost the least.
fn tied(part: &str, day: &Day, found: &Found) -> BTreeSet<String> {
    let offers = match part {
        "breakfast" | "lunch" | "dinner" => &found.restaurants,
        "accommodation" => &found.accommodations,
        "transportation" => &found.flights,
        _ => return BTreeSet::new(),
    };
    let city = &day.city;
    let shown = |name: &str| match (part, &day.from) {
        ("transportation", Some((from, _))) => {
            format!("Flight Number: {name}, from {from} to {city}")
        }
        _ => format!("{name}, {city}"),
    };
    let least = least(offers);
    let cheapest = offers.iter().filter(|(_, price)| *price == least);
    cheapest.map(|(name, _)| shown(name)).collect()
}

/// Compares a plan: its log, its days and those that cost the same, any of which is right.
fn check_plan(
    at: &str,
    task: &Conversation,
    country: &Country,
    recorded: [&Value; 3],
    tally: &mut Tally,
) -> anyhow::Result<()> {
    let [log, plan, ties] = recorded;
    let (days, found) = days(task, country).context("its days are not known")?;
    let planned = greedy::plan(&days, &found, &mut Draws::after(task.details.len()));
    let lacking: BTreeSet<&str> = planned.lacking.into_iter().collect();
    let log = <(bool, BTreeSet<&str>)>::deserialize(log)?;
    let own = (lacking.is_empty(), lacking);
    tally.check(|| format!("{at}: log"), &log, &own);
    let length = items(plan).count();
    tally.check(|| format!("{at}: days"), &length, &planned.plan.len());
    for (index, ((own, day), found)) in planned.plan.iter().zip(&days).zip(&found).enumerate() {
        tally.check(
            || format!("{at}: fields of day {}", day.number),
            &fields(&plan[index]).count(),
            &fields(own).count(),
        );
        let tied = |part: &str| tied(part, day, found);
        let at = |part: &str| format!("{at}: day {} {part}", day.number);
        for (part, own) in fields(own) {
            let recorded = &plan[index][part];
            let ties = tied(part);
            let is_tied = |text: &Value| text.as_str().is_some_and(|text| ties.contains(text));
            let texts = || (recorded.to_string(), own.to_string());
            let agrees = recorded == own || is_tied(recorded) && is_tied(own);
            tally.agree(|| at(part), agrees, texts);
        }
        for (key, part) in [("meal_min_candidates", "lunch"), ("accommodation_min_candidates", "accommodation")] {
            if let Some(recorded) = ties[index].get(key) {
                tally.check(|| at(key), recorded, &json!(tied(part)));
            }
        }
    }
    Ok(())
}

fn greedy_plans(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let country = country(data)?;
    each_task(file, |id, case, task| {
        let recorded = ["log", "plan", "ties"].map(|key| &case[key]);
        check_plan(id, task, &country, recorded, tally)
    })
}

/// Outputs of the players that follow rules for all tasks of the split `test`.
fn outputs(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let recorded = unpacked(file)?;
    let (country, questions) = (country(data)?, Questions::beside(file)?);
    for (number, task) in conversations(data, "test", tally)?.iter().enumerate() {
        let recorded = |method: &str| recorded[method].get(number.to_string());
        let at = |method: &str| format!("task {number} {method}");
        if let Some(recorded) = recorded("brute_force") {
            compare(|| at("brute force"), recorded, forced(task).into(), tally);
        }
        if let Some(recorded) = recorded("environment_only") {
            let asked = questions.asked(&country, task);
            compare(|| at("environment only"), recorded, asked.into(), tally);
        }
        if let Some(recorded) = recorded("greedy") {
            let keys = ["greedy_search_log", "greedy_search_results", "ties"];
            let recorded = keys.map(|key| &recorded[key]);
            check_plan(&at("greedy"), task, &country, recorded, tally)?;
        }
    }
    Ok(())
}
