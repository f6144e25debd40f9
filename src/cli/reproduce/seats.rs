//! Who sat on which seat of a run, in few words.

use std::collections::BTreeSet;

use crate::config::{CellRecord, Record};
use crate::text::{joined, unique};

/// The implementation of players by rules.
const RULES: &str = "rules";

/// The names of the cells in which players by rules sit on all seats of the cast, and nobody, users
/// included, asks a language model.
pub(super) fn by_rules(record: &Record) -> BTreeSet<&str> {
    let rules = |cell: &&CellRecord| {
        let mut roles = cell.roles.iter();
        roles.all(|role| role.implementation == RULES) && cell.models().next().is_none()
    };
    let cells = record.cells.iter().filter(rules);
    cells.map(|cell| cell.name.as_str()).collect()
}

/// Each seat with everybody who sat on it, and in how many cells where it was not all.
pub(super) fn seats(record: &Record) -> Vec<(String, String)> {
    let cells = record.cells.iter();
    let sat: Vec<(String, String)> = cells.flat_map(|cell| of_cell(cell, record)).collect();
    let all = record.cells.len();
    let seats = unique(sat.iter().map(|(seat, _)| seat)).into_iter();
    let seats = seats.map(|seat| {
        let players = || sat.iter().filter(|(own, _)| own == seat);
        let named = |who: &String| match players().filter(|(_, own)| own == who).count() {
            cells if cells == all => who.clone(),
            cells => format!("{who} ({cells} of {all} cells)"),
        };
        let players = unique(players().map(|(_, who)| who)).into_iter();
        let named: Vec<String> = players.map(named).collect();
        (seat.clone(), named.join("; "))
    });
    seats.collect()
}

fn of_cell(cell: &CellRecord, record: &Record) -> Vec<(String, String)> {
    let roles = cell.roles.iter().map(|role| {
        let who = player(&role.implementation, &role.models, record);
        (role.role.clone(), who)
    });
    let users = cell.users.iter();
    let users = users.map(|user| player(&user.kind, &user.models, record));
    let users = users.map(|who| ("user".to_owned(), who));
    roles.chain(users).collect()
}

/// An implementation with the models that it asks.
fn player(implementation: &str, models: &[String], record: &Record) -> String {
    let names = models.iter().map(|name| {
        let found = record.models.iter().find(|model| model.name == *name);
        match found {
            Some(model) => format!("{name} = {}", model.keys.text("model")),
            None => name.clone(),
        }
    });
    match models {
        [] => format!("{implementation}, no language model"),
        _ => format!("{implementation} {}", joined(names)),
    }
}
