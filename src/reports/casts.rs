//! Which users, agents and models the cells of a run are made of, as its `run.toml` says it.

use std::collections::BTreeMap;
use std::fs;

use toml::{Table as Toml, Value};

use super::setup::{list, text};
use crate::domain::CellName;
use crate::evaluation::variance::Levels;
use crate::log::{RUN, RunLog};

/// By cell and kind of user (none without one), the levels of [`FACTORS`](crate::evaluation::variance::FACTORS): the
/// user with its persona and model; the strategy with who plays each role by which persona; the models of the roles.
#[derive(Clone, Debug, Default)]
pub struct Casts(BTreeMap<(String, Option<String>), Levels>);

impl Casts {
    /// Those of a run.
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
            let models = roles.iter().filter_map(|role| model(record, role));
            let models = models.collect::<Vec<_>>().join(" ");
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
        let known = self.0.get(&key).cloned();
        known.unwrap_or_else(|| {
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
    let mut known = list(record, "models");
    let known = known.find(|own| text(own, "name").as_ref() == Some(&name));
    Some(known.and_then(|own| text(own, "model")).unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use super::*;

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
