//! The setup of a run, as its `run.toml` says it: models by their real names, personas, data.

use std::collections::BTreeMap;
use std::fs;

use jiff::Timestamp;
use toml::{Table as Toml, Value};

use super::figures::{NONE, or_none};
use super::{Align, Table};
use crate::domain::CellName;
use crate::evaluation::variance::Levels;
use crate::log::{RUN, RunLog, WorkerRecord};
use crate::text::counted;

/// Digits of a hash that are shown.
const DIGITS: usize = 12;

/// The tables, each with every fact once; none where there is nothing to say.
pub(super) fn tables(run: &RunLog) -> Vec<Table> {
    let text = fs::read_to_string(run.folder().join(RUN)).unwrap_or_default();
    let record: Toml = text.parse().unwrap_or_default();
    let all = [models(&record), seats(&record), data(&record)];
    all.into_iter().filter(|table| !table.is_empty()).collect()
}

/// The day on which the run began, in UTC: that of its `run.toml`.
pub(super) fn began(run: &RunLog) -> Option<String> {
    let written = fs::metadata(run.folder().join(RUN)).ok()?.modified().ok()?;
    let written = Timestamp::try_from(written).ok()?;
    Some(written.strftime("%Y-%m-%d").to_string())
}

pub(super) fn list<'a>(table: &'a Toml, key: &str) -> impl Iterator<Item = &'a Toml> {
    table.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_table)
}

pub(super) fn text(table: &Toml, key: &str) -> Option<String> {
    Some(table.get(key)?.as_str()?.to_owned()).filter(|text| !text.is_empty())
}

/// Adds a row unless it is there, or says nothing.
fn add(table: &mut Table, texts: Vec<String>) {
    let empty = texts.iter().all(|text| text == NONE);
    if !empty && !table.rows().contains(&texts) {
        table.row(texts);
    }
}

fn short(hash: Option<String>) -> String {
    or_none(hash.map(|hash| hash.chars().take(DIGITS).collect::<String>()))
}

/// The models by the names that their servers know, where these are, and how answers are drawn.
fn models(record: &Toml) -> Table {
    let mut table = Table::new("Language models").key("in the config").texts(["model", "server", "sampling"]);
    for model in list(record, "models") {
        let sampling = model.get("sampling").and_then(Value::as_table);
        let sampling = sampling.map(|sampling| {
            sampling.iter().map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(", ")
        });
        let server = text(model, "base_url").map(|address| host(&address));
        let texts = [
            text(model, "name"),
            text(model, "model").or_else(|| text(model, "provider")),
            server,
            sampling.filter(|text| !text.is_empty()),
        ];
        add(&mut table, texts.map(or_none).into());
    }
    table
}

/// The host of an address, without who asks there.
fn host(address: &str) -> String {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    host.to_owned()
}

/// Who sits where, with the persona and its hash.
fn seats(record: &Toml) -> Table {
    let mut table =
        Table::new("Seats and personas").keys_of(["cell", "seat"]).texts(["played by", "model", "persona", "hash"]);
    for cell in list(record, "cells") {
        let roles = list(cell, "roles").map(|role| (text(role, "role"), text(role, "implementation"), role));
        let users = list(cell, "users").map(|user| (Some("user".to_owned()), text(user, "kind"), user));
        for (seat, by, player) in roles.chain(users) {
            let parameters = player.get("parameters").and_then(Value::as_table);
            let persona = player.get("persona").and_then(Value::as_table);
            let of = |key| persona.and_then(|persona| text(persona, key));
            let model = parameters.and_then(|parameters| text(parameters, "model"));
            let mut texts: Vec<String> = [text(cell, "name"), seat, by, model, of("name")].map(or_none).into();
            texts.push(short(of("blake3")));
            add(&mut table, texts);
        }
    }
    table
}

/// The data of each cell, its split and its hash.
fn data(record: &Toml) -> Table {
    let mut table = Table::new("Data").keys_of(["environment", "data"]).texts(["split", "variant", "hash"]);
    for cell in list(record, "cells") {
        let none = Toml::new();
        let environment = cell.get("environment").and_then(Value::as_table).unwrap_or(&none);
        let mut texts: Vec<String> =
            ["name", "data", "split", "variant"].map(|key| or_none(text(environment, key))).into();
        texts.push(short(text(cell, "data_blake3")));
        add(&mut table, texts);
    }
    table
}

/// The workers; empty if the run was played by one process.
pub(super) fn workers(workers: &[WorkerRecord]) -> Table {
    let mut table = Table::new("Workers")
        .keys_of(["worker", "host", "version"])
        .numbers(["episodes", "late", "taken over"])
        .column("", Align::Left);
    for worker in workers {
        table.row(vec![
            worker.name.clone(),
            worker.host.clone().unwrap_or_default(),
            worker.version.clone(),
            worker.episodes.to_string(),
            worker.late.to_string(),
            worker.taken_over.to_string(),
            if worker.lost { "lost" } else { "" }.to_owned(),
        ]);
    }
    table
}

/// Problems of workers; nothing if there were none.
pub(super) fn about_workers(workers: &[WorkerRecord]) -> Option<String> {
    let lost = workers.iter().filter(|worker| worker.lost).count() as u64;
    let sum = |of: fn(&WorkerRecord) -> u64| workers.iter().map(of).fold(0, u64::saturating_add);
    let (taken_over, late) = (sum(|worker| worker.taken_over), sum(|worker| worker.late));
    if lost + taken_over + late == 0 {
        return None;
    }
    let was = |number| if number == 1 { "was" } else { "were" };
    Some(format!(
        "{} {} lost; {} {} gone on with or played again; {} came late and {} thrown away",
        counted(lost, "worker", "workers"),
        was(lost),
        counted(taken_over, "episode", "episodes"),
        was(taken_over),
        counted(late, "commit", "commits"),
        was(late),
    ))
}

/// By cell and kind of user (none without one), the levels of [`FACTORS`](crate::evaluation::variance::FACTORS): the
/// user with its persona and model; the strategy with who plays each role by which persona; the models of the roles.
#[derive(Clone, Debug, Default)]
pub struct Casts(BTreeMap<(String, Option<String>), Levels>);

impl Casts {
    /// Reads the casts of a run.
    pub fn of(run: &RunLog) -> Self {
        let text = fs::read_to_string(run.folder().join(RUN)).unwrap_or_default();
        Self::read(&text.parse().unwrap_or_default())
    }

    fn read(record: &Toml) -> Self {
        let mut casts = BTreeMap::new();
        for cell in list(record, "cells") {
            let strategy = cell.get("strategy").map(Value::to_string).unwrap_or_default();
            let roles: Vec<&Toml> = list(cell, "roles").collect();
            let agent = roles.iter().map(|role| without_model(role));
            let agent = [strategy].into_iter().chain(agent).collect::<Vec<_>>();
            let models = roles.iter().filter_map(|role| model(record, role)).collect::<Vec<_>>().join(" ");
            let name = text(cell, "name").unwrap_or_default();
            let mut add = |kind: Option<String>, user: String| {
                let levels = [user, agent.join(" "), models.clone()];
                casts.insert((name.clone(), kind), levels);
            };
            add(None, String::new());
            for user in list(cell, "users") {
                let model = model(record, user).unwrap_or_default();
                add(text(user, "kind"), format!("{} {model}", without_model(user)));
            }
        }
        Self(casts)
    }

    /// The levels of a cell with a kind of user. What the record does not say is told apart by its name.
    pub fn levels(&self, cell: &CellName, user: Option<&str>) -> Levels {
        let key = (cell.as_str().to_owned(), user.map(str::to_owned));
        self.0.get(&key).cloned().unwrap_or_else(|| {
            let user = user.unwrap_or_default().to_owned();
            [user, cell.as_str().to_owned(), String::new()]
        })
    }
}

/// A seat without its model.
fn without_model(seat: &Toml) -> String {
    let mut seat = seat.clone();
    if let Some(parameters) = seat.get_mut("parameters").and_then(Value::as_table_mut) {
        parameters.remove("model");
    }
    seat.to_string()
}

/// The model of a seat, by the name that its server knows.
fn model(record: &Toml, seat: &Toml) -> Option<String> {
    let name = text(seat.get("parameters")?.as_table()?, "model")?;
    let known = list(record, "models").find(|entry| text(entry, "name").as_ref() == Some(&name));
    Some(known.and_then(|entry| text(entry, "model")).unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_says_what_was_measured_and_no_secret() {
        let record: Toml = r#"
            [[models]]
            name = "main"
            provider = "openai"
            model = "gpt-4o-mini"
            base_url = "https://me:s3cret@api.example:8443/v1?key=s3cret"
            sampling = { temperature = 0.0, top_p = 1.0 }
            [[cells]]
            name = "a"
            data_blake3 = "0123456789abcdef0123"
            environment = { name = "w", data = "d", split = "test", variant = "" }
            roles = [{ role = "executor", implementation = "model", parameters = { model = "main" }, persona = { name = "p", blake3 = "fedcba98765432100" } }]
            users = [{ kind = "helpful" }]
            [[cells]]
            name = "b"
            data_blake3 = "0123456789abcdef0123"
            environment = { name = "w", data = "d", split = "test", variant = "" }
        "#
        .parse()
        .unwrap();
        assert_eq!(models(&record).rows(), [["main", "gpt-4o-mini", "api.example:8443", "temperature 0.0, top_p 1.0"]]);
        let seats = seats(&record);
        assert_eq!(seats.rows()[0], ["a", "executor", "model", "main", "p", "fedcba987654"]);
        assert_eq!(seats.rows()[1], ["a", "user", "helpful", "-", "-", "-"]);
        assert_eq!(data(&record).rows(), [["w", "d", "test", "-", "0123456789ab"]]);
    }

    #[test]
    fn lost_workers_and_late_commits_are_said() {
        let worker = |lost, late| WorkerRecord { lost, late, ..WorkerRecord::default() };
        assert_eq!(about_workers(&[worker(false, 0)]), None);
        let said = "1 worker was lost; 0 episodes were gone on with or played again; 2 commits came late and were \
                    thrown away";
        assert_eq!(about_workers(&[worker(true, 0), worker(false, 2)]).unwrap(), said);
    }

    #[test]
    fn cells_differ_by_user_agent_and_model() {
        let record: Toml = r#"
            [[models]]
            name = "main"
            model = "small-1"
            [[cells]]
            name = "a"
            strategy = { name = "respact" }
            roles = [{ role = "executor", implementation = "model", parameters = { model = "main" }, persona = { name = "p" } }]
            users = [{ kind = "helpful" }, { kind = "model", parameters = { model = "other" } }]
            [[cells]]
            name = "b"
            strategy = { name = "respact" }
            roles = [{ role = "executor", implementation = "model", parameters = { model = "other" }, persona = { name = "p" } }]
            users = [{ kind = "helpful" }]
        "#
        .parse()
        .unwrap();
        let casts = Casts::read(&record);
        let of = |cell: &str, user| casts.levels(&CellName::new(cell).unwrap(), user);
        let (a, b) = (of("a", Some("helpful")), of("b", Some("helpful")));
        assert_eq!((&a[0], &a[1], a[2].as_str()), (&b[0], &b[1], "small-1"));
        assert_eq!(b[2], "other");
        let other = of("a", Some("model"));
        assert!(other[0] != a[0] && other[1] == a[1] && other[2] == a[2]);
        assert_eq!(of("c", None)[1], "c");
    }
}
