//! Cells whose episodes nobody can play once more: people, and programs that say so, take part.

use toml::{Table, Value};

use crate::domain::CellName;

/// Parameters that name a program or a server.
const ADDRESSES: [&str; 3] = ["command", "address", "url"];

/// The kind of users, and the implementation of roles, that are people.
const PERSON: &str = "human";

/// External cells of a `run.toml`.
pub(super) fn of(table: &Table) -> Vec<CellName> {
    let cells = table.get("cells").and_then(Value::as_array).into_iter().flatten();
    let names = cells.filter(|cell| is_external(cell)).filter_map(|cell| cell.get("name")?.as_str());
    names.filter_map(|name| CellName::new(name).ok()).collect()
}

fn is_external(cell: &Value) -> bool {
    let seats = ["roles", "users"].into_iter();
    let seats = seats.filter_map(|key| cell.get(key)?.as_array()).flatten();
    let is_taken = |program: &Value| {
        let flag = |key| program.get(key).and_then(Value::as_bool);
        flag("external") != Some(false) || flag("deterministic") != Some(true)
    };
    let mut seats = seats.map(|seat| {
        let is_person = |key| seat.get(key).and_then(Value::as_str) == Some(PERSON);
        ["kind", "implementation"].into_iter().any(is_person) || seat.get("program").is_some_and(is_taken)
    });
    let environment = cell.get("environment");
    let elsewhere = |key: &str| environment.is_some_and(|table| table.get(key).is_some());
    seats.any(|is| is) || ADDRESSES.iter().any(|key| elsewhere(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_and_programs_that_answer_as_they_like_are_external() {
        let text = "[[cells]]\nname = 'a'\nenvironment.name = 'x'\nroles = [{ role = 'r' }]\n\
                    [[cells]]\nname = 'b'\nusers = [{ kind = 'human' }]\n\
                    [[cells]]\nname = 'c'\nroles = [{ role = 'r', program = { external = false, \
                    deterministic = true } }]\n\
                    [[cells]]\nname = 'd'\nroles = [{ role = 'r', program = { external = false, \
                    deterministic = false } }]\n\
                    [[cells]]\nname = 'f'\nroles = [{ role = 'r', implementation = 'human' }]\n\
                    [[cells]]\nname = 'e'\nenvironment = { name = 'mcp', url = 'http://x' }";
        let found = of(&text.parse().unwrap());
        let found: Vec<&str> = found.iter().map(CellName::as_str).collect();
        assert_eq!(found, ["b", "d", "f", "e"]);
    }
}
