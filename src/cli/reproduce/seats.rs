//! The players on the seats of a run, in few words.

use std::collections::BTreeSet;

use rolecall_core::text::{joined, joined_by, unique};
use rolecall_run::config::{CellRecord, Record};

/// The implementation of players by rules.
const RULES: &str = "rules";

/// The names of the cells in which players by rules sit on all seats of the cast, and nobody, users
/// included, asks a language model.
pub(super) fn by_rules(record: &Record) -> BTreeSet<&str> {
    let rules = |cell: &&CellRecord| {
        cell.roles.iter().all(|role| role.implementation == RULES) && cell.models().next().is_none()
    };
    record.cells.iter().filter(rules).map(|cell| cell.name.as_str()).collect()
}

/// Each seat with all who sat on it, and in how many cells where it was not all.
pub(super) fn seats(record: &Record) -> Vec<(String, String)> {
    let sat: Vec<(String, String)> = record.cells.iter().flat_map(|cell| seats_of(cell, record)).collect();
    let all = record.cells.len();
    let with_players = |seat: &String| {
        let players: Vec<&String> = sat.iter().filter(|(taken, _)| taken == seat).map(|(_, player)| player).collect();
        let with_cells = |player: &String| match players.iter().filter(|other| **other == player).count() {
            cells if cells == all => player.clone(),
            cells => format!("{player} ({cells} of {all} cells)"),
        };
        (seat.clone(), joined_by("; ", unique(players.clone()).into_iter().map(with_cells)))
    };
    unique(sat.iter().map(|(seat, _)| seat)).into_iter().map(with_players).collect()
}

/// The seats of a cell, roles before users, each with its player.
fn seats_of(cell: &CellRecord, record: &Record) -> Vec<(String, String)> {
    let roles = cell.roles.iter().map(|role| (role.role.clone(), player(&role.implementation, &role.models, record)));
    let users = cell.users.iter().map(|user| ("user".to_owned(), player(&user.kind, &user.models, record)));
    roles.chain(users).collect()
}

/// A player: an implementation, and the models that it asks.
fn player(implementation: &str, models: &[String], record: &Record) -> String {
    let names = models.iter().map(|name| match record.models.iter().find(|model| model.name == *name) {
        Some(model) => format!("{name} = {}", model.keys.text("model")),
        None => name.clone(),
    });
    match models {
        [] => format!("{implementation}, no language model"),
        _ => format!("{implementation} {}", joined(names)),
    }
}
