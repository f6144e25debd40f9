//! Totals of the three evaluation programs of the original: of turns, and of plans.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use super::super::requests::{self, Questions};
use super::super::{TOLERANCE, country, fields, items, near, unpacked};
use super::{alike, called, number, ruling};
use crate::kit::{Tally, each_line, read};
use rolecall_travel::country::Country;
use rolecall_travel::greedy;
use rolecall_travel::labels;
use rolecall_travel::request::Draws;
use rolecall_travel::request::{Conversation, Request};
use rolecall_travel::score::clarification::clarified;
use rolecall_travel::score::{Hard, Plan, Quirks, Verdict, judge};

/// The values of a figure, by task and turn.
type Values = BTreeMap<String, BTreeMap<String, f64>>;

/// The mean of all values.
fn micro(values: &Values) -> f64 {
    mean(values.values().flat_map(BTreeMap::values).copied())
}

/// The share of tasks of which all values are 1, of those that have some.
fn macro_all(values: &Values) -> f64 {
    let tasks = values.values().filter(|turns| !turns.is_empty());
    mean(tasks.map(|turns| number(turns.values().all(|value| *value > 0.0))))
}

/// The mean of the tasks' means, which are 0 without values.
fn macro_mean(values: &Values) -> f64 {
    mean(values.values().map(|turns| mean(turns.values().copied())))
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, n) = values.fold((0.0, 0.0), |(sum, n), value| (sum + value, n + 1.0));
    if n > 0.0 { sum / n } else { 0.0 }
}

/// Micro and macro averages of values.
pub(super) fn averages(file: &Path, _data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    each_line(file, |case: Value| {
        for (name, tasks) in fields(&case["values"]) {
            let values = fields(tasks).map(|(task, turns)| {
                let turns = fields(turns);
                let turns = turns.filter_map(|(turn, value)| Some((turn.clone(), value.as_f64()?)));
                (task.clone(), turns.collect())
            });
            let values: Values = values.collect();
            let mut compare = |kind: &str, found: f64| {
                let key = format!("{kind}_{name}");
                let at = || format!("{} {key}", case["id"]);
                near(at, &case["result"][&key], found, tally);
            };
            let is_listed = |list: &str| items(&case[list]).any(|listed| listed == name);
            compare("micro", micro(&values));
            if is_listed("macro_binary_keys") {
                compare("macro", macro_all(&values));
            }
            if is_listed("macro_avg_keys") {
                compare("macro", macro_mean(&values));
            }
        }
        Ok(())
    })
}

/// Outputs of players by rules for the tasks of the split `test`; what was not recorded is played here.
struct Played {
    conversations: Vec<Conversation>,
    /// Of each task the questions and the lines of its turns.
    turns: Vec<[Vec<Value>; 2]>,
    outputs: Value,
    country: Arc<Country>,
}

impl Played {
    fn beside(recording: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<Self> {
        let country = country(data)?;
        let conversations = requests::conversations(data, "test", tally)?;
        let questions = Questions::beside(recording)?;
        let recorded = recording.with_file_name("e2e_test1000_outputs.json.gz");
        let outputs = match recorded.is_file() {
            true => unpacked(&recorded)?,
            false => Value::Null,
        };
        let turns = conversations.iter().enumerate().map(|(task, found)| {
            let recorded = |method: &str| outputs[method].get(task.to_string())?.as_array().cloned();
            [
                recorded("environment_only").unwrap_or_else(|| questions.asked(&country, found)),
                recorded("brute_force").unwrap_or_else(|| requests::forced(found)),
            ]
        });
        Ok(Self { turns: turns.collect(), conversations, outputs, country })
    }

    /// The values of each figure of turns by the original's names: of the clarifier, and of the executor.
    fn values(&self) -> [BTreeMap<&'static str, Values>; 2] {
        let mut all = [BTreeMap::new(), BTreeMap::new()];
        let tasks = self.conversations.iter().zip(&self.turns).enumerate();
        for (task, (found, [asked, lines])) in tasks {
            for turn in 0..found.turns() {
                let lines = lines[turn].as_str().unwrap_or_default();
                let figures = [clarifier(found, turn, asked[turn].as_str()), executor(&found.state(turn), lines)];
                for (values, figures) in all.iter_mut().zip(figures) {
                    for (name, value) in figures {
                        let values: &mut Values = values.entry(name).or_default();
                        let turns = values.entry(task.to_string()).or_default();
                        turns.insert(turn.to_string(), value);
                    }
                }
            }
        }
        all
    }
}

/// The figures of a turn.
type Figures = Vec<(&'static str, f64)>;

fn clarifier(found: &Conversation, turn: usize, question: Option<&str>) -> Figures {
    let open: Vec<_> = found.details.iter().skip(turn).collect();
    let turn = clarified(question, &open);
    let recall = match turn.is_vague {
        true => "vague_recall",
        false => "clear_recall",
    };
    let right = number(turn.is_right);
    let mut figures = vec![("clarify_acc", right), (recall, right)];
    if let Some((is_about, similarity)) = turn.question {
        figures.push(("rule_score", number(is_about)));
        figures.extend(alike(&similarity));
    }
    figures
}

fn executor(request: &Request, lines: &str) -> Figures {
    let labels = requests::lines(&labels::truth(request));
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let lines: Vec<&str> = lines.split('\n').filter(|line| !line.is_empty()).collect();
    called(&lines, &labels).to_vec()
}

const SIDES: [(&str, &str); 2] = [("ask", "environment_only"), ("tool", "brute_force")];

/// The values of all turns.
pub(super) fn turns(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let recorded = unpacked(file)?;
    let played = Played::beside(file, data, tally)?;
    for ((side, method), values) in SIDES.into_iter().zip(played.values()) {
        for (name, tasks) in fields(&recorded[side][method]) {
            for (task, turns) in fields(tasks) {
                for (turn, recorded) in fields(turns) {
                    let found = values.get(&**name).and_then(|tasks| tasks.get(task)?.get(turn));
                    let at = || format!("task {task} turn {turn} {name}");
                    near(at, recorded, found.copied().unwrap_or(f64::NAN), tally);
                }
            }
        }
    }
    Ok(())
}

/// The constraints by the paper's names, common sense first.
const NAMES: [&str; 12] = [
    "Reasonable City Route",
    "Diverse Restaurants",
    "Diverse Attractions",
    "Minimum Nights Stay",
    "Non-conf. Transportation",
    "Within Current City",
    "Within Sandbox",
    "Complete Information",
    "Cuisine",
    "housing",
    "Transportation",
    "Budget",
];

/// Everything that is summed up.
pub(super) fn totals(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let recorded: Value = read(file)?;
    let played = Played::beside(file, data, tally)?;
    for ((side, method), values) in SIDES.into_iter().zip(played.values()) {
        for (key, recorded) in fields(&recorded["ask+tool"][side][method]) {
            let (kind, name) = key.split_once('_').unwrap_or_default();
            let none = Values::new();
            let values = values.get(name).unwrap_or(&none);
            let found = match kind {
                "micro" => micro(values),
                _ => macro_all(values),
            };
            near(|| key.clone(), recorded, found, tally);
        }
    }
    plans(&recorded, &played, tally);
    Ok(())
}

/// How many of those that cost the same are tried.
const MOST_TIES: usize = 6;

/// The greedy plans of a task: the recorded one, or ours with each of those first that cost the same, among which the
/// original chose by chance.
fn greedy_plans(number: usize, task: &Conversation, played: &Played) -> Vec<Plan> {
    let plan = |days: &[Value]| Plan { days: days.iter().filter_map(Value::as_object).cloned().collect() };
    let recorded = played.outputs["greedy"].get(number.to_string());
    if let Some(days) = recorded.and_then(|output| output["greedy_search_results"].as_array()) {
        return vec![plan(days)];
    }
    let (days, found) = requests::days(task, &played.country).unwrap_or_default();
    let ours = (0..MOST_TIES).map(|choice| {
        let mut found = found.clone();
        for day in &mut found {
            put_first(&mut day.flights, choice);
            put_first(&mut day.restaurants, choice);
            put_first(&mut day.accommodations, choice);
        }
        plan(&greedy::plan(&days, &found, &mut Draws::after(task.details.len())).plan)
    });
    let mut plans: Vec<Plan> = ours.collect();
    plans.dedup();
    plans
}

/// Puts one of the cheapest offers first.
fn put_first(offers: &mut [(String, f64)], choice: usize) {
    let least = requests::least(offers);
    let places = 0..offers.len();
    let cheapest: Vec<usize> = places.filter(|place| offers[*place].1 == least).collect();
    if let Some(place) = cheapest.get(choice % cheapest.len().max(1)) {
        offers.swap(0, *place);
    }
}

/// How often a constraint is met, not met, and counts; and how many of both could be otherwise by chance.
type Sums = [u64; 4];
/// The sums by the constraint and what tasks have in common.
type Groups<'n> = BTreeMap<(&'n str, String), Sums>;

/// Result of each constraint, constraints of the request only if they count.
fn rulings(verdict: &Verdict) -> Vec<Option<bool>> {
    let hard = verdict.counted().into_iter().flatten();
    let all = verdict.commonsense.iter().chain(hard);
    all.map(|checked| ruling(checked)[0].as_bool()).collect()
}

fn plans(recorded: &Value, played: &Played, tally: &mut Tally) {
    let mut groups = Groups::new();
    let mut all: Vec<Vec<Verdict>> = Vec::new();
    for (number, task) in played.conversations.iter().enumerate() {
        let request = task.state(task.details.len());
        let plans = greedy_plans(number, task, played).into_iter();
        let verdicts = plans.map(|plan| judge(&played.country, &request, &plan, Quirks::Reference));
        let verdicts: Vec<Verdict> = verdicts.collect();
        let ways: Vec<_> = verdicts.iter().map(rulings).collect();
        // Those of common sense always do.
        let counts = |place: usize| {
            let hard = Hard::ALL.get(place.wrapping_sub(8));
            hard.is_none_or(|wish| wish.is_of(&request) && wish.is_expected(&task.level))
        };
        let group = group(&task.level, request.days.unwrap_or(-1));
        for (place, name) in NAMES.into_iter().enumerate() {
            let mut ways = ways.iter().map(|way| way.get(place).copied().flatten());
            let met = ways.next().flatten();
            let sums = groups.entry((name, group.clone())).or_default();
            sums[0] += u64::from(met == Some(true));
            sums[1] += u64::from(met == Some(false));
            sums[2] += u64::from(counts(place));
            sums[3] += u64::from(ways.any(|way| way != met));
        }
        all.push(verdicts);
    }
    compare_groups(recorded, &groups, tally);
    compare_rates(recorded, &groups, &all, tally);
}

fn group(level: &str, days: impl Display) -> String {
    format!("{level} {days} days")
}

/// Compares the rates, up to what is chance.
fn compare_rates(recorded: &Value, groups: &Groups<'_>, all: &[Vec<Verdict>], tally: &mut Tally) {
    let tasks = all.len() as f64;
    let share = |is: fn(&Verdict) -> bool| {
        let first = all.iter().filter(|ways| ways.first().is_some_and(is));
        let is_chance = |ways: &&Vec<Verdict>| ways.iter().any(|way| is(way) != is(&ways[0]));
        let chance = all.iter().filter(is_chance).count();
        (first.count() as f64 / tasks, chance as f64 / tasks)
    };
    let part = |names: &[&str], of: Option<f64>| {
        let own = groups.iter().filter(|((name, _), _)| names.contains(name));
        let sum = |which: usize| own.clone().map(|(_, sums)| sums[which]).sum::<u64>() as f64;
        let of = of.unwrap_or_else(|| sum(2));
        (sum(0) / of, sum(3) / of)
    };
    let (sense, wishes) = NAMES.split_at(8);
    let fits: fn(&Verdict) -> bool = |verdict| verdict.fits() == Some(true);
    for (name, (found, chance)) in [
        ("Delivery Rate", share(|_| true)),
        ("Commonsense Constraint Micro Pass Rate", part(sense, Some(8.0 * tasks))),
        ("Commonsense Constraint Macro Pass Rate", share(Verdict::has_sense)),
        ("Hard Constraint Micro Pass Rate", part(wishes, None)),
        ("Hard Constraint Macro Pass Rate", share(fits)),
        ("Final Pass Rate", share(Verdict::passes)),
    ] {
        let recorded = &recorded["plan"]["greedy_search"][name];
        let difference = recorded.as_f64().map(|recorded| (recorded - found).abs());
        let agrees = difference.is_some_and(|difference| difference <= chance + TOLERANCE);
        let texts = || (recorded.to_string(), found.to_string());
        tally.agree(|| name.to_owned(), agrees, texts);
    }
}

/// Compares the sums by level and days.
fn compare_groups(recorded: &Value, groups: &Groups<'_>, tally: &mut Tally) {
    for (_, levels) in fields(&recorded["plan_logs"]["greedy_search"]) {
        for (level, days) in fields(levels) {
            for (days, names) in fields(days) {
                let group = group(level, days);
                for (name, recorded) in fields(names) {
                    let sums = groups.get(&(name.as_str(), group.clone()));
                    let [is_met, is_unmet, total, chance] = sums.copied().unwrap_or_default();
                    for (key, found, chance) in
                        [("true", is_met, chance), ("false", is_unmet, chance), ("total", total, 0)]
                    {
                        let Some(recorded) = recorded[key].as_u64() else {
                            continue;
                        };
                        let at = || format!("{group} {name} {key}");
                        let texts = || (recorded.to_string(), found.to_string());
                        tally.agree(at, recorded.abs_diff(found) <= chance, texts);
                    }
                }
            }
        }
    }
}
