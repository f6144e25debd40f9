//! Speed of booking: calls, verdicts, a thousand conversations at once. Run with `cargo bench --bench booking`.
//!
//! Figures per second are processor time of one thread. With `ROLECALL_ORACLE` and `ROLECALL_DATA` the calls and
//! dialogues are the recorded ones, in a loop as the original programs were measured; without them they are made from
//! the goals of the built-in city.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, reason = "a test or bench may stop and tell")]

mod measure;

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rolecall::config::{Request, load};
use rolecall::domain::Seed;
use rolecall::environments::booking::api::{Api, Domain};
use rolecall::environments::booking::city::City;
use rolecall::environments::booking::desk::{self, Profile};
use rolecall::environments::booking::environment::Rules;
use rolecall::environments::booking::files::read_database;
use rolecall::environments::booking::goal::{DomainGoal, Goal, Slots};
use rolecall::environments::booking::reference;
use rolecall::environments::booking::score::{Answers, verdict};
use rolecall::evaluation::EpisodeResult;
use rolecall::log::{LogSettings, LogWriter};
use rolecall::runtime::{Directory, Launch, Observer, ResumeState};
use rolecall::text::Dice;
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

/// Calls or verdicts that are measured of each kind, about.
const MEASURED: usize = 100_000;

/// Calls with values that nobody has asked for before.
const FRESH: usize = 20_000;

/// Conversations that are held at a time, and how many there are.
const AT_ONCE: usize = 1_000;
const CONVERSATIONS: usize = 5_000;

/// What the original programs do in a second, and how many times as much is to be reached.
const ORIGINAL: [(&str, f64, f64); 8] = [
    ("query_restaurants", 660.0, 200.0),
    ("query_hotels", 2_769.0, 200.0),
    ("query_attractions", 813.0, 200.0),
    ("query_trains", 46.0, 1_000.0),
    ("book_restaurant", 518.0, 200.0),
    ("book_hotel", 1_376.0, 200.0),
    ("mixed", 159.0, 1_000.0),
    ("verdicts", 112.0, 1_000.0),
];

/// A call: its name and its input.
type Called = (String, String);

/// A domain of a dialogue as it is judged.
struct Judged {
    domain: Domain,
    goal: DomainGoal,
    answers: Answers,
    bookings: Vec<Slots>,
}

fn lines(file: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(file).expect("a readable recording");
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The recorded calls that were answered.
fn recorded(oracle: &Path) -> Vec<Called> {
    let calls = lines(&oracle.join("api_calls.jsonl")).into_iter();
    let answered = calls.filter(|call| call["output"].is_string());
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    answered.map(|call| (text(&call["api"]), text(&call["input"]))).collect()
}

/// The calls that the goals of a city want.
fn wanted(city: &City) -> Vec<Called> {
    let mut calls = Vec::new();
    for (domain, goal) in city.dialogues.iter().flat_map(|one| &one.goal.domains) {
        let query = format!("query_{domain}s");
        if Api::named(&query).is_some() {
            calls.push((query, Value::Object(goal.info.clone()).to_string()));
        }
        let name = city.database.table(*domain).map(|table| &table.records()[0]["name"]);
        let book = format!("book_{domain}");
        if let (Some(wanted), Some(name), true) = (goal.booking(), name, Api::named(&book).is_some()) {
            let mut input = wanted.clone();
            input.retain(|_, value| value.is_string());
            input.insert("name".to_owned(), name.clone());
            calls.push((book, Value::Object(input).to_string()));
        }
    }
    calls
}

/// The recorded domains of dialogues.
fn judged(oracle: &Path) -> Vec<Judged> {
    let mut all = Vec::new();
    for dialogue in lines(&oracle.join("autotod_dialogues.jsonl")) {
        let goal = Goal::read(dialogue["goals"].as_object().unwrap()).unwrap();
        for (name, recorded) in dialogue["domains"].as_object().unwrap() {
            let domain = Domain::named(name).unwrap();
            let rows = dialogue["booking_rows"].get(name).cloned();
            all.push(Judged {
                domain,
                goal: goal.of(domain).cloned().unwrap_or_default(),
                answers: recorded["judge_answers"].as_object().unwrap().clone(),
                bookings: serde_json::from_value(rows.unwrap_or_else(|| json!([]))).unwrap(),
            });
        }
    }
    all
}

/// The domains of a city's goals, answered by nothing but the name of the first venue.
fn made_up(city: &City) -> Vec<Judged> {
    let goals = city.dialogues.iter().flat_map(|one| &one.goal.domains);
    let judged = goals.map(|(domain, goal)| {
        let mut answers: Map<String, Value> = ["leave time", "arrival time", "arrive time", "train id", "price"]
            .into_iter()
            .chain(["duration", "phone number", "reference number", "car type", "departure", "destination"])
            .chain(goal.requests().iter().map(String::as_str))
            .map(|key| (key.to_owned(), json!("none")))
            .collect();
        if let Some(table) = city.database.table(*domain) {
            let name = table.records()[0].get("name").cloned();
            answers.insert(domain.to_string(), name.unwrap_or_default());
        }
        Judged { domain: *domain, goal: goal.clone(), answers, bookings: Vec::new() }
    });
    judged.collect()
}

/// The input with another letter in each text that is compared by likeness, in the so-many-th way.
fn changed(api: Api, input: &str, number: usize) -> Option<String> {
    let mut fields: Map<String, Value> = serde_json::from_str(input).ok()?;
    let mut fresh = false;
    for (key, value) in &mut fields {
        let text = value.as_str()?;
        if !api.domain().is_fuzzy(key) || text.chars().count() < 2 || text == "any" {
            continue;
        }
        let mut letters: Vec<char> = text.chars().collect();
        let place = (number / 26) % letters.len();
        letters[place] = char::from(b'a' + u8::try_from(number % 26).unwrap());
        *value = letters.into_iter().collect::<String>().into();
        fresh = true;
    }
    fresh.then(|| Value::Object(fields).to_string())
}

fn row(what: &str, rate: f64) {
    let original = ORIGINAL.iter().find(|(name, ..)| *name == what);
    let against = original.map_or_else(String::new, |(_, per_second, times)| {
        let reached = rate / per_second;
        let missed = if reached < *times { "  MISSED" } else { "" };
        format!("{reached:>10.0} times the original (to reach: {times}){missed}")
    });
    println!("{what:<40}{rate:>14.0}{against}");
}

/// Calls a second, of the same calls again and again and of values never seen before.
fn calls(city: &Arc<City>, calls: &[Called]) {
    let mut dice = Dice::new("rolecall bench", "booking", &[]);
    let mut rate = |calls: &[&Called]| {
        let rounds = MEASURED.div_ceil(calls.len().max(1)) as u64;
        let took = measure::repeated(rounds, || {
            for (name, input) in calls {
                let answer = reference::call(&city.database, Api::named(name), input, &mut dice);
                black_box(answer.expect("a call that was answered"));
            }
        });
        (rounds as usize * calls.len()) as f64 / took.as_secs_f64()
    };
    println!("{:<40}{:>14}", "profile `reference`", "calls a second");
    for api in Api::ALL {
        let own: Vec<&Called> = calls.iter().filter(|(name, _)| name == api.as_str()).collect();
        if !own.is_empty() {
            row(api.as_str(), rate(&own));
        }
    }
    let all: Vec<&Called> = calls.iter().collect();
    row("mixed", rate(&all));
    fresh(city, calls, &mut dice);
    profiles(city, calls);
}

/// The same with values never seen before.
fn fresh(city: &Arc<City>, calls: &[Called], dice: &mut Dice) {
    for api in Api::ALL {
        let own = calls.iter().filter(|(name, _)| name == api.as_str());
        let has_names = |(_, input): &&Called| changed(api, input, 0).is_some();
        let own = own.filter(has_names);
        if own.clone().next().is_none() {
            continue;
        }
        let fresh = (0..).flat_map(|number| own.clone().map(move |(_, input)| changed(api, input, number)));
        let fresh: Vec<String> = fresh.take(FRESH).flatten().collect();
        let took = measure::repeated(1, || {
            for input in &fresh {
                black_box(reference::call(&city.database, Some(api), input, dice).is_ok());
            }
        });
        row(&format!("{api}, values never seen before"), fresh.len() as f64 / took.as_secs_f64());
    }
}

/// The calls in the other profiles.
fn profiles(city: &Arc<City>, calls: &[Called]) {
    for profile in [Profile::Strict, Profile::AutoTod] {
        let rules = Rules { profile, ..Rules::default() };
        let mut desk = rules.desk(city, Seed(1));
        let sql = |api: Api| {
            let domain = api.domain();
            json!({ "sql": format!("SELECT * FROM {domain} WHERE id > 20 LIMIT 6") }).to_string()
        };
        let inputs = calls.iter().take(1_000).filter_map(|(name, input)| {
            let api = Api::named(name)?;
            Some(match profile {
                Profile::AutoTod if api.books() => return None,
                Profile::AutoTod => (name.as_str(), sql(api)),
                _ => (name.as_str(), input.clone()),
            })
        });
        let inputs: Vec<(&str, String)> = inputs.collect();
        let rounds = (FRESH / inputs.len()).max(1) as u64;
        let took = measure::repeated(rounds, || {
            for (name, input) in &inputs {
                black_box(desk.answer(desk::Request { name, input }));
            }
        });
        let rate = (rounds as usize * inputs.len()) as f64 / took.as_secs_f64();
        row(&format!("profile `{}`, mixed", profile.as_str()), rate);
    }
}

fn verdicts(city: &City, judged: &[Judged]) {
    let rounds = MEASURED.div_ceil(judged.len()) as u64;
    let took = measure::repeated(rounds, || {
        for one in judged {
            let found = verdict(one.domain, &one.goal, &one.answers, &one.bookings, &city.venues);
            let _ = black_box(found);
        }
    });
    row("verdicts", (rounds as usize * judged.len()) as f64 / took.as_secs_f64());
}

/// Notes how many conversations were held at once.
#[derive(Default)]
struct Watch {
    live: usize,
}

impl Observer for Watch {
    fn closed(&mut self, _: &EpisodeResult, live: &Directory) {
        self.live = self.live.max(live.len());
    }

    fn tick(&mut self, _: &Directory, _: &[(String, String)]) {}
}

/// Conversations of the rule-based cast in the built-in city, many at once, as `rolecall run` plays them.
fn at_once() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let request = Request {
        file: root.join("configs/booking/booking-respact.toml"),
        working: root.to_owned(),
        ..Request::default()
    };
    let mut plan = load(&request, rolecall::worlds()).unwrap().plan;
    plan.repeats = u32::try_from(CONVERSATIONS.div_ceil(plan.episodes())).unwrap();
    plan.run.concurrency = AT_ONCE;
    let before = measure::resident_bytes();
    let folder = tempfile::tempdir().unwrap();
    let settings = LogSettings::default();
    let writer = LogWriter::create(&folder.path().join("run"), &plan.record, &settings).unwrap();
    let launch = Launch {
        plan: Arc::new(plan),
        log: writer.handle(),
        metrics: rolecall::worlds().measured().into(),
        stop: CancellationToken::new(),
        resume_state: ResumeState::default(),
        orders: None,
    };
    let mut watch = Watch::default();
    let (launched, spent) = measure::measured(|| {
        let launched = launch.run(&mut watch).unwrap();
        writer.close().unwrap();
        launched
    });
    println!(
        "{} conversations, {} at once at most: {:.0} a second of processor time, {:.0} MB resident at most ({:.0} MB before)",
        launched.results.len(),
        watch.live,
        launched.results.len() as f64 / spent.processor,
        measure::most_resident_bytes() / 1e6,
        before / 1e6,
    );
}

fn main() {
    if !measure::is_possible() {
        return;
    }
    at_once();
    let folder = |name: &str| std::env::var_os(name).map(|root| PathBuf::from(root).join("booking"));
    match (folder("ROLECALL_ORACLE"), folder("ROLECALL_DATA")) {
        (Some(oracle), Some(data)) => {
            let database = read_database(&data).expect("official files");
            let city = Arc::new(City::new(database, Vec::new()));
            calls(&city, &recorded(&oracle));
            verdicts(&city, &judged(&oracle));
        }
        _ => {
            let city = City::builtin();
            calls(&city, &wanted(&city));
            verdicts(&city, &made_up(&city));
        }
    }
}
