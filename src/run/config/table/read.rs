//! Reading and checking the table `table`.

use std::collections::BTreeSet;

use super::column::column;
use super::parts::{meaning, named_cells, required, texts_of};
use super::{PaperTable, Published, TableColumn, TableOrder, TableRow, Take};
use crate::config::error::{instead, quoted};
use crate::config::node::{Kind, Node};
use crate::config::walk::Section;
use rolecall_core::domain::CellName;

/// The table of a config, if it has one. Which cells rows name is checked only with all cells at
/// hand.
pub(in crate::config) fn table(top: &mut Section<'_>, cells: Option<&[CellName]>) -> Option<PaperTable> {
    top.node("table").filter(|_| top.has("table"))?;
    let mut section = top.section("table");
    let texts = ["title", "paper"].map(|key| required(&mut section, key));
    let columns = items(&mut section, "columns", &|item| column(item, cells));
    let width = columns.len();
    let rows = items(&mut section, "rows", &|item| row(item, width, cells));
    for key in ["columns", "rows"] {
        section.needs(key, &format!("write `[[table.{key}]]`"));
        let items = section.node(key).and_then(Node::list);
        if items.is_some_and(<[_]>::is_empty) {
            section.wrong(key, "is empty; it must hold at least one");
        }
    }
    let problems = top.context.problem_count();
    let order = items(&mut section, "order", &|item| order(item, &columns, &rows));
    let notes = texts_of(&mut section, "notes");
    let by_rules = texts_of(&mut section, "by_rules");
    section.finish();
    check_rows(&section, &columns, &rows);
    if top.context.problem_count() > problems {
        return None;
    }
    let [title, paper] = texts;
    Some(PaperTable { title: title?, paper: paper?, columns, rows, order, notes, by_rules })
}

/// The values that are read of each table of a list.
fn items<'a, T>(section: &mut Section<'a>, key: &'a str, read: &dyn Fn(&mut Section<'a>) -> Option<T>) -> Vec<T> {
    let items: &'a [Node] = section.list(key).unwrap_or_default();
    let list = section.section_of(key, None);
    let mut found = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let mut own = list.section_of(&index.to_string(), Some(item));
        found.extend(read(&mut own));
        own.finish();
    }
    found
}

fn row(section: &mut Section<'_>, columns: usize, cells: Option<&[CellName]>) -> Option<TableRow> {
    let label = required(section, "label");
    let model = section.text("model").map(str::to_owned);
    let published = figures(section, "published", columns);
    let deviation = deviations(section, columns);
    let missing = section.text("missing").map(str::to_owned);
    if missing.is_some() && !section.has("cells") {
        section.wrong("missing", "is for a row that names cells");
    }
    let own = named_cells(section, cells, missing.is_some());
    let take = meaning(section, "take", &Take::WORDS);
    let published = match published.is_empty() {
        true => vec![Published::Nothing; columns],
        false => published,
    };
    Some(TableRow { label: label?, model, published, deviation, cells: own, missing, take })
}

/// Published figures, one for each column, or none at all.
fn figures<'a>(section: &mut Section<'a>, key: &'a str, columns: usize) -> Vec<Published> {
    if section.node(key).is_none() {
        return Vec::new();
    }
    let items = section.list(key).unwrap_or_default();
    let found: Option<Vec<Published>> = items.iter().map(figure).collect();
    let Some(found) = found else {
        let problem = "must hold numbers, or texts such as \"130/134\", \"<0.1\", and \"-\" for \
                       what the paper does not say";
        section.wrong(key, problem);
        return Vec::new();
    };
    if found.len() != columns {
        let problem = format!("has {} figures for {columns} columns", found.len());
        section.wrong(key, problem);
    }
    found
}

/// Published standard deviations, one for each column, or none at all.
fn deviations(section: &mut Section<'_>, columns: usize) -> Vec<f64> {
    if section.node("deviation").is_none() {
        return Vec::new();
    }
    let items = section.list("deviation").unwrap_or_default();
    let number = |node: &Node| match figure(node) {
        Some(Published::Value(value)) if value >= 0.0 => Some(value),
        _ => None,
    };
    let found: Option<Vec<f64>> = items.iter().map(number).collect();
    found.filter(|found| found.len() == columns).unwrap_or_else(|| {
        section.wrong("deviation", "must be a number, 0 or more, for each column");
        Vec::new()
    })
}

fn figure(node: &Node) -> Option<Published> {
    match &node.kind {
        Kind::Integer(number) => Some(Published::Value(*number as f64)),
        Kind::Number(number) if number.is_finite() => Some(Published::Value(*number)),
        Kind::Text(text) if text == "-" => Some(Published::Nothing),
        Kind::Text(text) => {
            if let Some((some, all)) = text.split_once('/') {
                let (some, all) = (some.parse().ok()?, all.parse().ok()?);
                return (some <= all && all > 0).then_some(Published::Count(some, all));
            }
            let bound: f64 = text.strip_prefix('<')?.parse().ok()?;
            bound.is_finite().then_some(Published::Below(bound))
        }
        _ => None,
    }
}

fn order(section: &mut Section<'_>, columns: &[TableColumn], rows: &[TableRow]) -> Option<TableOrder> {
    let labels: Vec<&str> = rows.iter().map(|row| row.label.as_str()).collect();
    let better = known_position(section, "better", &labels);
    let worse = known_position(section, "worse", &labels);
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let column = match section.node("column") {
        Some(_) => known_position(section, "column", &names),
        None => columns.len().checked_sub(1),
    };
    let otherwise = section.text("otherwise").map(str::to_owned);
    let by_rules = section.text("by_rules").map(str::to_owned);
    if better.is_some() && better == worse {
        section.wrong("worse", "is the row that is called the better one");
    }
    Some(TableOrder { better: better?, worse: worse?, column: column?, otherwise, by_rules })
}

/// The index among the known names of the one that a key gives.
fn known_position<'a>(section: &mut Section<'a>, key: &'a str, known: &[&str]) -> Option<usize> {
    let name = required(section, key)?;
    let found = known.iter().position(|own| *own == name);
    if found.is_none() {
        let problem = format!("is {}{}", quoted(&name), instead(&name, known));
        section.wrong(key, problem);
    }
    found
}

/// Names must tell columns apart and labels rows, and every column must find a cell in each row that has
/// cells and a published figure.
fn check_rows(section: &Section<'_>, columns: &[TableColumn], rows: &[TableRow]) {
    for name in twice(columns.iter().map(|column| column.name.as_str())) {
        section.wrong("columns", format!("has two columns that are called {name}"));
    }
    for label in twice(rows.iter().map(|row| row.label.as_str())) {
        section.wrong("rows", format!("has two rows that are called {label}"));
    }
    for row in rows.iter().filter(|row| !row.cells.is_empty()) {
        for (column, published) in columns.iter().zip(&row.published) {
            let both = |cell: &CellName| row.cells.contains(cell);
            let lost = !column.cells.is_empty() && !column.cells.iter().any(both);
            // What the paper did not play either may be left out.
            if lost && *published != Published::Nothing {
                let (label, name) = (quoted(&row.label), quoted(&column.name));
                let problem = format!("has no cell for the row {label} in the column {name}");
                section.wrong("rows", problem);
            }
        }
    }
}

/// The names that were there before, quoted.
fn twice<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    names.filter(|name| !seen.insert(*name)).map(quoted).collect()
}
