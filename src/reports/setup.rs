//! What was measured, as the run's `run.toml` says it: models by their real names, personas, data.

use std::fs;

use jiff::Timestamp;
use toml::{Table as Toml, Value};

use super::Table;
use super::figures::{NONE, or_none};
use crate::log::{RUN, RunLog};

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
    let found = table.get(key).and_then(Value::as_array);
    found.into_iter().flatten().filter_map(Value::as_table)
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
    for own in list(record, "models") {
        let sampling = own.get("sampling").and_then(Value::as_table);
        let sampling = sampling.map(|own| {
            let each = own.iter().map(|(name, value)| format!("{name} {value}"));
            each.collect::<Vec<_>>().join(", ")
        });
        let server = text(own, "base_url").map(|address| host(&address));
        let texts = [
            text(own, "name"),
            text(own, "model").or_else(|| text(own, "provider")),
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
        for (seat, by, own) in roles.chain(users) {
            let parameters = own.get("parameters").and_then(Value::as_table);
            let persona = own.get("persona").and_then(Value::as_table);
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
        let own = cell.get("environment").and_then(Value::as_table).unwrap_or(&none);
        let mut texts: Vec<String> = ["name", "data", "split", "variant"].map(|key| or_none(text(own, key))).into();
        texts.push(short(text(cell, "data_blake3")));
        add(&mut table, texts);
    }
    table
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
}
