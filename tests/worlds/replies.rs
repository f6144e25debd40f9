//! Natural replies of language models: `replies.jsonl` holds what models of many families write, each with the reading
//! that an expert gives it. `?` has none, and nothing of it may be performed.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use rolecall::config::{Cell, PlannedRole};
use rolecall::domain::{Answer, Move, Repair};
use rolecall::ports::{Role, RoleError, RoleFactory, Turn, World};
use rolecall::prompts::written;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::support::puppet::{self, Puppet, reply};
use crate::support::{shipped, toy};

/// Replies that are read as the expert reads them, at least, in percent. Nothing is performed that should not be.
const RIGHT: usize = 97;

#[derive(Clone, Debug, Deserialize)]
struct Row {
    config: String,
    seat: String,
    mode: String,
    style: String,
    reply: String,
    reading: String,
}

/// Rows with what was read of them.
type Found = Arc<Mutex<Vec<(Row, Result<Vec<Move>, String>)>>>;

/// The cast by rules of a config whose seats models play.
fn by_rules(config: &str) -> &'static str {
    match config {
        "household/respact-model" => "household/respact",
        "household/react-model" => "household/react",
        "household/aba-model" => "household/aba",
        "shop/webshop-model" => "shop/webshop",
        "shop/webshop-respact-model" => "shop/webshop-respact",
        "shop/chatshop-model" => "shop/chatshop",
        "booking/booking-model" => "booking/booking-respact",
        "travel/cep-model" => "travel/cep",
        "dialogue/tpe-model" => "dialogue/tpe",
        other => panic!("no cast for {other}"),
    }
}

/// Settings under which the seat is asked for such answers.
fn settings(config: &str, mode: &str) -> Vec<&'static str> {
    // Of some wishes of travellers nothing has to be asked.
    let mut sets = vec![if config.starts_with("travel/") { "tasks.limit=8" } else { "tasks.limit=1" }];
    match (config, mode) {
        ("shop/chatshop-model", "text") => sets.push("strategy.actions=text"),
        ("booking/booking-model" | "travel/cep-model", "tools") => sets.push("strategy.actions=tools"),
        _ => {}
    }
    sets
}

/// A player by rules, and the replies that are read in the place of its first answer.
struct Read {
    rules: Box<dyn Role>,
    rows: Arc<Mutex<Vec<Row>>>,
    world: World,
    found: Found,
}

#[async_trait]
impl Role for Read {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        let brief = turn.brief().unwrap();
        // First it says whether anything has to be asked.
        let asks = brief.notation.is_some_and(|notation| notation.as_str() == "clarify-question");
        let is_early = turn.seat.to_string() == "clarifier" && !asks;
        for row in if is_early { Vec::new() } else { std::mem::take(&mut *self.rows.lock().unwrap()) } {
            let says = row.reply.clone();
            let model = Puppet::new("m", move |_| Ok(reply(&says))).with(|_| ());
            let style = if row.config.starts_with("shop/webshop") { "labels" } else { "papers" };
            let values = [
                ("moves", json!(row.mode)),
                ("letters", json!("any")),
                ("style", json!(style)),
                ("retries_unreadable", json!(0)),
            ];
            let mut setup = puppet::setup(&[&model], "Go on.", &values);
            setup.world = self.world.clone();
            let mut model = rolecall::roles::model::build(&setup).unwrap()();
            let read = model.take_turn(turn).await.map_err(|error| error.to_string()).and_then(|answer| {
                // In a format of a method nothing read ends the task without a result.
                let unread = answer.repaired.iter().find(|mend| mend.code == Repair::UNREADABLE);
                unread.map_or(Ok(answer.moves), |mend| Err(mend.note.clone()))
            });
            self.found.lock().unwrap().push((row, read));
        }
        self.rules.take_turn(turn).await
    }
}

/// Words alone: how marks and blanks stand between them is no part of a thought or speech.
fn words(text: &str) -> String {
    let bare: String =
        text.to_lowercase().chars().map(|letter| if letter.is_alphanumeric() { letter } else { ' ' }).collect();
    bare.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// An action, whose JSON is compared by its values.
fn call(text: &str) -> String {
    let input = text.split_once(" {").map(|(name, input)| (name, format!("{{{input}")));
    match input.map(|(name, input)| (name, serde_json::from_str::<Value>(&input))) {
        Some((name, Ok(Value::Object(input)))) => {
            let sorted: BTreeMap<String, Value> = input.into_iter().collect();
            format!("{name} {}", json!(sorted))
        }
        _ => text.to_owned(),
    }
}

fn read_as(moves: &[Move]) -> String {
    let texts = moves.iter().map(|made| match made {
        Move::Act { action } => format!("act {}", call(&action.text)),
        Move::Plan { steps } => {
            let steps: Vec<&str> = steps.iter().map(|step| step.action.text.as_str()).collect();
            format!("plan {}", steps.join("\n"))
        }
        Move::Finish { answer } if !answer.is_string() => format!("plan {answer}"),
        Move::Finish { .. } => format!("speak {}", words(&written(made))),
        Move::Speak { text, .. } => format!("speak {}", words(text)),
        other => format!("{} {}", other.kind().as_str(), words(&written(other))),
    });
    texts.collect::<Vec<_>>().join("|")
}

/// The expert's reading in the same words.
fn expected(row: &Row) -> String {
    let parts =
        if row.reading.starts_with("plan ") { vec![row.reading.as_str()] } else { row.reading.split('|').collect() };
    let part = |part: &str| match part.split_once(' ') {
        Some(("act", text)) => format!("act {}", call(text)),
        Some(("plan", text)) => match serde_json::from_str::<Value>(text) {
            Ok(days) => format!("plan {days}"),
            Err(_) => {
                let steps = text.lines().filter(|line| !line.trim_start().starts_with("Plan:"));
                let steps = steps.map(|line| line.split_once(" = ").map_or(line, |(_, step)| step));
                format!("plan {}", steps.collect::<Vec<_>>().join("\n"))
            }
        },
        Some((kind, text)) => format!("{kind} {}", words(text)),
        None => part.to_owned(),
    };
    parts.into_iter().map(part).collect::<Vec<_>>().join("|")
}

fn reading(cell: &Cell, role: &PlannedRole, rows: Vec<Row>, found: &Found) -> RoleFactory {
    let world = World { tools: cell.tasks.tools().into(), ..rolecall::worlds().world(Some(&cell.environment)) };
    let (rules, found, rows) = (Arc::clone(&role.factory), Arc::clone(found), Arc::new(Mutex::new(rows)));
    Arc::new(move || {
        Box::new(Read { rules: rules(), rows: Arc::clone(&rows), world: world.clone(), found: Arc::clone(&found) })
    })
}

#[test]
fn natural_replies_are_read_as_an_expert_reads_them_or_not_at_all() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/worlds/replies.jsonl");
    let text = std::fs::read_to_string(path).unwrap();
    let mut groups: BTreeMap<[String; 3], Vec<Row>> = BTreeMap::new();
    for line in text.lines() {
        let row: Row = serde_json::from_str(line).unwrap();
        groups.entry([row.config.clone(), row.seat.clone(), row.mode.clone()]).or_default().push(row);
    }
    let found = Arc::default();
    for ([config, seat, mode], rows) in groups {
        let mut plan = shipped::plan(by_rules(&config), &settings(&config, &mode));
        for cell in &mut plan.cells {
            let role = cell.roles.iter().position(|role| role.role.as_str() == seat).unwrap();
            cell.roles[role].factory = reading(cell, &cell.roles[role], rows.clone(), &found);
        }
        toy::play(plan);
    }
    let found = found.lock().unwrap();
    let (mut right, mut performed, mut list) = (0, 0, String::new());
    for (row, read) in found.iter() {
        let expected = expected(row);
        let got = read.as_ref().map_or_else(|_| "?".to_owned(), |moves| read_as(moves));
        // A thought changes nothing.
        let is_right = got == expected || expected == "?" && got.split('|').all(|part| part.starts_with("think"));
        right += usize::from(is_right);
        performed += usize::from(expected == "?" && !is_right);
        if !is_right {
            let Row { config, seat, mode, style, reply, .. } = row;
            let why = read.as_ref().err();
            writeln!(list, "{config} {seat} {mode} [{style}]\n  {reply:?}\n  is {expected:?}\n  read {got:?} {why:?}")
                .unwrap();
        }
    }
    let all = found.len();
    println!("{list}\n{right} of {all} right, {performed} performed that should not be");
    assert!(all >= 930 && all <= text.lines().count(), "{all}");
    assert!(performed == 0 && right * 100 >= RIGHT * all, "{right} of {all}, {performed}\n{list}");
}
