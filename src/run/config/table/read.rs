//! Reading and checking the table `table`.

use std::collections::BTreeSet;

use serde::de::value::{self, StrDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer};

use super::{Figure, PaperTable, Published, TableColumn, TableOrder, TableRow, Take};
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
        if section.node(key).and_then(Node::list).is_some_and(<[_]>::is_empty) {
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
        let mut section = list.section_of(&index.to_string(), Some(item));
        found.extend(read(&mut section));
        section.finish();
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
    let cells = named_cells(section, cells, missing.is_some());
    let take = meaning(section, "take", &Take::WORDS);
    let published = match published.is_empty() {
        true => vec![Published::Nothing; columns],
        false => published,
    };
    Some(TableRow { label: label?, model, published, deviation, cells, missing, take })
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
        section.wrong(key, format!("has {} figures for {columns} columns", found.len()));
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
    let found = known.iter().position(|known| *known == name);
    if found.is_none() {
        section.wrong(key, format!("is {}{}", quoted(&name), instead(&name, known)));
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
                section.wrong("rows", format!("has no cell for the row {label} in the column {name}"));
            }
        }
    }
}

/// The names that were there before, quoted.
fn twice<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    names.filter(|name| !seen.insert(*name)).map(quoted).collect()
}

/// The metric of a column that names none.
const SUCCESS: &str = "success";
/// The largest factor of a column.
const LARGEST: f64 = 1e9;

/// A column: which figure of which episodes.
fn column(section: &mut Section<'_>, cells: Option<&[CellName]>) -> Option<TableColumn> {
    let name = required(section, "name");
    let kind = section.text("kind").map(str::to_owned);
    let cells = named_cells(section, cells, false);
    let metric = section.text("metric").unwrap_or(SUCCESS).to_owned();
    let known: Vec<&str> = section.context.registry.metrics.iter().map(|entry| entry.metric.name()).collect();
    if section.has("metric") && !known.contains(&metric.as_str()) {
        let (shown, instead) = (quoted(&metric), instead(&metric, &known));
        section.wrong("metric", format!("is {shown}, which is no metric{instead}"));
    }
    // A further figure of the metric stands under its own name among the results.
    let part = section.text("part").map(str::to_owned);
    let figure = meaning(section, "figure", &Figure::WORDS);
    let lower_is_better = section.flag("lower_is_better").unwrap_or(false);
    let scale = section.number("scale", 0.0, LARGEST);
    let combination = of_figure(section, "combination", figure == Figure::Combination);
    let rating = of_figure(section, "rating", figure == Figure::Rating);
    Some(TableColumn {
        name: name?,
        kind,
        cells,
        metric: part.unwrap_or(metric),
        figure,
        scale,
        combination,
        rating,
        lower_is_better,
    })
}

/// A text that columns of one figure must have, and others may not. The key is called like the figure.
fn of_figure<'a>(section: &mut Section<'a>, key: &'a str, needed: bool) -> Option<String> {
    match (section.has(key), needed) {
        (false, true) => section.missing(key, &format!("`figure = \"{key}\"` needs a text")),
        (true, false) => section.wrong(key, format!("is for `figure = \"{key}\"` only")),
        _ => {}
    }
    section.text(key).map(str::to_owned)
}

/// A text that must be there.
fn required<'a>(section: &mut Section<'a>, key: &'a str) -> Option<String> {
    section.needs(key, "write a text");
    section.text(key).map(str::to_owned)
}

/// A text, or a list of texts.
fn texts_of<'a>(section: &mut Section<'a>, key: &'a str) -> Vec<String> {
    let Some(node) = section.node(key) else {
        return Vec::new();
    };
    let items = node.list().unwrap_or(std::slice::from_ref(node));
    items.iter().map(|item| item.text().map(str::to_owned)).collect::<Option<_>>().unwrap_or_else(|| {
        section.wrong(key, "must be a text or a list of texts");
        Vec::new()
    })
}

/// The meaning of one of the words, as serde reads it; the usual one if nothing is written.
fn meaning<'a, T: DeserializeOwned + Default>(section: &mut Section<'a>, key: &'a str, words: &[&str]) -> T {
    let word = section.choice(key, words).unwrap_or_default();
    let word: StrDeserializer<'_, value::Error> = word.into_deserializer();
    T::deserialize(word).unwrap_or_default()
}

/// The cells whose names the patterns match, in the order of the config. A pattern that matches none is
/// wrong unless its cells `may_be_missing`.
fn named_cells(section: &mut Section<'_>, cells: Option<&[CellName]>, may_be_missing: bool) -> Vec<CellName> {
    let patterns = texts_of(section, "cells");
    let Some(cells) = cells else {
        return Vec::new();
    };
    for pattern in &patterns {
        if !may_be_missing && !cells.iter().any(|cell| fits(pattern, cell.as_str())) {
            let names: Vec<&str> = cells.iter().take(20).map(CellName::as_str).collect();
            let (name, instead) = (quoted(pattern), instead(pattern, &names));
            section.wrong("cells", format!("names {name}, which is no cell{instead}"));
        }
    }
    let named = |cell: &&CellName| patterns.iter().any(|one| fits(one, cell.as_str()));
    cells.iter().filter(named).cloned().collect()
}

/// Whether a pattern, in which `*` stands for anything, is the whole of a name.
fn fits(pattern: &str, name: &str) -> bool {
    let Some((first, others)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let Some(mut rest) = name.strip_prefix(first) else {
        return false;
    };
    let (inner, last) = others.rsplit_once('*').unwrap_or(("", others));
    for part in inner.split('*') {
        let Some((_, after)) = rest.split_once(part) else {
            return false;
        };
        rest = after;
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::table::{Figure, Take};

    #[test]
    fn every_word_has_a_meaning_of_its_own() {
        fn read<T: DeserializeOwned>(word: &str) -> T {
            let word: StrDeserializer<'_, value::Error> = word.into_deserializer();
            T::deserialize(word).unwrap()
        }
        let figures = Figure::WORDS.map(read::<Figure>);
        let takes = Take::WORDS.map(read::<Take>);
        assert!((1..8).all(|index| !figures[..index].contains(&figures[index])));
        assert!((1..4).all(|index| !takes[..index].contains(&takes[index])));
    }

    #[test]
    fn a_star_stands_for_anything() {
        let yes = [
            ("react", "react"),
            ("react-*", "react-p0"),
            ("*-p0", "react-p0"),
            ("re*-p*", "react-p0"),
            ("*", ""),
            ("a*a", "aa"),
            ("*b*", "abc"),
        ];
        for (pattern, name) in yes {
            assert!(fits(pattern, name), "{pattern} {name}");
        }
        let no = [("react", "react-p0"), ("react-*", "respact-p0"), ("*-p1", "react-p0"), ("a*a", "a"), ("", "a")];
        for (pattern, name) in no {
            assert!(!fits(pattern, name), "{pattern} {name}");
        }
    }
}
