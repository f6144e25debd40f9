//! The players on the seats of a run, in few words.

use std::collections::BTreeSet;

use rolecall_core::text::{joined, unique};
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
    let cells = record.cells.iter();
    let sat: Vec<(String, String)> = cells.flat_map(|cell| seats_of(cell, record)).collect();
    let all = record.cells.len();
    let with_players = |seat: &String| {
        let players: Vec<&String> = sat.iter().filter(|(own, _)| own == seat).map(|(_, player)| player).collect();
        let cells_of = |player: &String| players.iter().filter(|own| **own == player).count();
        let with_cells = |player: &String| match cells_of(player) {
            cells if cells == all => player.clone(),
            cells => format!("{player} ({cells} of {all} cells)"),
        };
        let texts = unique(players.clone()).into_iter().map(with_cells);
        let texts: Vec<String> = texts.collect();
        (seat.clone(), texts.join("; "))
    };
    let seats = unique(sat.iter().map(|(seat, _)| seat));
    seats.into_iter().map(with_players).collect()
}

/// The seats of a cell, roles before users, each with its player.
fn seats_of(cell: &CellRecord, record: &Record) -> Vec<(String, String)> {
    let roles = cell.roles.iter().map(|role| {
        let player = player(&role.implementation, &role.models, record);
        (role.role.clone(), player)
    });
    let users = cell.users.iter().map(|user| {
        let player = player(&user.kind, &user.models, record);
        ("user".to_owned(), player)
    });
    roles.chain(users).collect()
}

/// A player: an implementation, and the models that it asks.
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
