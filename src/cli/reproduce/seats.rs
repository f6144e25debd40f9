//! Who sat on which seat of a run, in few words.

use std::collections::BTreeSet;

use crate::config::{CellRecord, Record};

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
    let mut found: Vec<(String, Vec<(String, usize)>)> = Vec::new();
    for cell in &record.cells {
        for (seat, who) in of_cell(cell, record) {
            let place = found.iter().position(|(own, _)| *own == seat);
            let place = place.unwrap_or_else(|| {
                found.push((seat, Vec::new()));
                found.len() - 1
            });
            let players = &mut found[place].1;
            match players.iter_mut().find(|(own, _)| *own == who) {
                Some((_, cells)) => *cells += 1,
                None => players.push((who, 1)),
            }
        }
    }
    let all = record.cells.len();
    let named = |(who, cells): (String, usize)| {
        if cells == all {
            who
        } else {
            format!("{who} ({cells} of {all} cells)")
        }
    };
    let words = found.into_iter().map(|(seat, players)| {
        let players: Vec<String> = players.into_iter().map(named).collect();
        (seat, players.join("; "))
    });
    words.collect()
}

fn of_cell(cell: &CellRecord, record: &Record) -> Vec<(String, String)> {
    let roles = cell.roles.iter().map(|role| {
        let who = player(&role.implementation, &role.models, record);
        (role.role.clone(), who)
    });
    let users = cell
        .users
        .iter()
        .map(|user| ("user".to_owned(), player(&user.kind, &user.models, record)));
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
    let names: Vec<String> = names.collect();
    if names.is_empty() {
        format!("{implementation}, no language model")
    } else {
        format!("{implementation} {}", names.join(", "))
    }
}
