//! `[mixture]`: the casts between two, seat by seat. It is turned into `[[cells]]` before anything is checked.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::error::{listed, quoted};
use super::merge::merge;
use super::node::{CELL_KEYS, CELLS, Kind, Node, Table, name_of};
use super::origin::{Origin, Problem, Sources};

/// The key of the mixture.
pub(super) const MIXTURE: &str = "mixture";
/// The two casts, in the mixture.
const BETWEEN: &str = "between";
/// The seats of the only cast that is wanted, in the mixture.
const TAKE: &str = "take";
/// The most seats in which two casts may differ: each doubles the cells.
const MOST_SEATS: usize = 6;
/// The keys of the user's seat.
const USER: [&str; 2] = ["user", "users"];

/// One of the two casts: a cell of this config, or of another one.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Side {
    /// The other config.
    pub(super) file: Option<PathBuf>,
    /// The cell; the only one if none is named.
    cell: Option<String>,
    origin: Origin,
}

/// The mixture of a config.
pub(super) struct Mixture {
    /// The two casts.
    pub(super) sides: [Side; 2],
    take: Option<Vec<String>>,
    origin: Origin,
}

/// A cast with its name.
pub(super) struct Cast {
    name: String,
    table: Table,
}

impl Mixture {
    /// Takes the mixture out of a config, if it has one.
    pub(super) fn of(root: &mut Table, sources: &Sources) -> Result<Option<Self>, Problem> {
        let Some(node) = root.remove(MIXTURE) else {
            return Ok(None);
        };
        let wrong = |key: &str, problem: &str| sources.problem(node.origin, Some(&format!("{MIXTURE}{key}")), problem);
        let table = node.table().ok_or_else(|| wrong("", "must be a table"))?;
        let texts = |key: &str| -> Option<Vec<String>> {
            table.get(key)?.list()?.iter().map(|item| item.text().map(str::to_owned)).collect()
        };
        let sides = texts(BETWEEN).and_then(|sides| <[String; 2]>::try_from(sides).ok());
        let form = "must be a list of two texts, each the name of a cell, or `FILE` or `FILE:CELL` of another config";
        let sides = sides.ok_or_else(|| wrong(".between", form))?;
        let take = match table.contains_key(TAKE) {
            false => None,
            true => Some(texts(TAKE).ok_or_else(|| wrong(".take", "must be a list of seats"))?),
        };
        if let Some(key) = table.keys().find(|key| ![BETWEEN, TAKE].contains(&key.as_str())) {
            return Err(wrong("", &format!("has an unknown key {}", quoted(key))));
        }
        Ok(Some(Self { sides: sides.map(|text| Side::read(&text, node.origin)), take, origin: node.origin }))
    }

    /// Puts the mixed casts in the place of the config's cells.
    pub(super) fn lay_over(self, root: &mut Table, casts: [Cast; 2], sources: &Sources) -> Result<(), Problem> {
        let [first, second] = casts;
        let wrong = |key: &str, problem: String| sources.problem(self.origin, Some(key), problem);
        let seats = seats(&first.table, &second.table).map_err(|problem| wrong(MIXTURE, problem))?;
        let unknown = |seat: &&String| !seats.contains(*seat);
        if let Some(seat) = self.take.iter().flatten().find(unknown) {
            let seat = quoted(seat);
            let problem = format!("names {seat}; the two casts differ in {}", listed(seats.iter().map(String::as_str)));
            return Err(wrong("mixture.take", problem));
        }
        let cells = match &self.take {
            Some(take) => vec![mixed(&first, &second, &first.name, take, self.origin)],
            None => (0..1_usize << seats.len())
                .map(|subset| {
                    let chosen = seats.iter().enumerate().filter(|(bit, _)| subset >> bit & 1 == 1);
                    let chosen: Vec<String> = chosen.map(|(_, seat)| seat.clone()).collect();
                    let name = match subset {
                        0 => first.name.clone(),
                        _ => format!("with-{}", chosen.join("-")),
                    };
                    mixed(&first, &second, &name, &chosen, self.origin)
                })
                .collect(),
        };
        for key in CELL_KEYS.into_iter().chain(["table"]) {
            root.remove(key);
        }
        root.insert(CELLS.to_owned(), Node { origin: self.origin, kind: Kind::List(cells) });
        Ok(())
    }
}

impl Side {
    fn read(text: &str, origin: Origin) -> Self {
        let (file, cell) = match text.rsplit_once(':') {
            _ if !text.contains(".toml") && !text.contains(['/', ':']) => (None, Some(text)),
            Some((file, cell)) if !cell.contains(['/', '.']) => (Some(file), Some(cell)),
            _ => (Some(text), None),
        };
        Self {
            file: file.filter(|file| !file.is_empty()).map(PathBuf::from),
            cell: cell.filter(|cell| !cell.is_empty()).map(str::to_owned),
            origin,
        }
    }

    /// The cast, from a config whose cells are written out.
    pub(super) fn cast(&self, root: &Table, sources: &Sources) -> Result<Cast, Problem> {
        let wrong = |problem: String| sources.problem(self.origin, Some("mixture.between"), problem);
        let shared = root.iter().filter(|(key, _)| CELL_KEYS.contains(&key.as_str()));
        let shared: Table = shared.map(|(key, node)| (key.clone(), node.clone())).collect();
        let cells = root.get(CELLS).and_then(Node::list).unwrap_or_default();
        let names: Vec<&str> = cells.iter().filter_map(name_of).collect();
        let found = match (&self.cell, cells) {
            (None, []) => return Ok(Cast { name: "other".to_owned(), table: shared }),
            (None, [cell]) => Some(cell),
            (None, _) => return Err(wrong(format!("needs the name of a cell after the file: {}", listed(names)))),
            (Some(name), _) => cells.iter().find(|cell| name_of(cell) == Some(name)),
        };
        let named = found.and_then(|cell| Some((name_of(cell)?, cell.table()?)));
        match (named, &self.cell) {
            (Some((name, cell)), _) => {
                let mut cell = cell.clone();
                cell.remove("name");
                Ok(Cast { name: name.to_owned(), table: merge(shared, cell) })
            }
            (None, Some(name)) if cells.is_empty() && name == "main" => Ok(Cast { name: name.clone(), table: shared }),
            (None, name) => {
                let name = quoted(name.as_deref().unwrap_or_default());
                let known = match names.is_empty() {
                    true => "`main` alone".to_owned(),
                    false => listed(names),
                };
                Err(wrong(format!("names the cell {name}; there is {known}")))
            }
        }
    }
}

/// Nodes of a seat: the user's, or a role's.
fn seated<'a>(cast: &'a Table, seat: &str) -> Vec<Option<&'a Node>> {
    match seat {
        "user" => USER.iter().map(|key| cast.get(*key)).collect(),
        role => vec![cast.get("roles").and_then(Node::table).and_then(|roles| roles.get(role))],
    }
}

/// The seats in which two casts differ.
///
/// # Errors
/// If they differ in anything else, in nothing, or in too much.
fn seats(first: &Table, second: &Table) -> Result<Vec<String>, String> {
    let value = |node: Option<&Node>| node.and_then(Node::json);
    let values = |cast: &Table, seat: &str| -> Vec<_> { seated(cast, seat).into_iter().map(value).collect() };
    for key in ["environment", "strategy", "limits"] {
        if value(first.get(key)) != value(second.get(key)) {
            return Err(format!("the two casts differ in `{key}`; they may differ in their seats alone"));
        }
    }
    let roles = [first, second].into_iter().filter_map(|cast| cast.get("roles")?.table());
    let roles: BTreeSet<&str> = roles.flat_map(|roles| roles.keys().map(String::as_str)).collect();
    let all = std::iter::once("user").chain(roles);
    let differs = |seat: &&str| values(first, seat) != values(second, seat);
    let seats: Vec<String> = all.filter(differs).map(str::to_owned).collect();
    match seats.len() {
        0 => Err("the two casts are the same".to_owned()),
        1..=MOST_SEATS => Ok(seats),
        _ => Err(format!(
            "the two casts differ in more than {MOST_SEATS} seats: {}",
            listed(seats.iter().map(String::as_str))
        )),
    }
}

/// The first cast with these seats of the second.
fn mixed(first: &Cast, second: &Cast, name: &str, seats: &[String], origin: Origin) -> Node {
    let mut table = first.table.clone();
    for seat in seats {
        if seat == "user" {
            for key in USER {
                table.remove(key);
                table.extend(second.table.get(key).map(|node| (key.to_owned(), node.clone())));
            }
            continue;
        }
        let roles = table.entry("roles".to_owned()).or_insert_with(|| Node::of_table(origin, Table::new()));
        if let Kind::Table(roles) = &mut roles.kind {
            roles.remove(seat);
            let role = seated(&second.table, seat).into_iter().flatten().next();
            roles.extend(role.map(|node| (seat.clone(), node.clone())));
        }
    }
    table.insert("name".to_owned(), Node::of_text(origin, name));
    Node::of_table(origin, table)
}
