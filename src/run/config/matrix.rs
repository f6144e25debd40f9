//! `[matrix]`: cells as a product of axes. It is turned into `[[cells]]` before anything is checked,
//! so that everything else knows cells only.

use std::collections::BTreeSet;

use toml::de::{DeTable, DeValue};

use super::error::{instead, listed};
use super::merge::merge;
use super::node::{CELL_KEYS, CELLS, Kind, MATRIX, Node, Table, join, name_of};
use super::origin::{Origin, Problem, Sources};
use rolecall_core::domain::CellName;

/// The most cells that a matrix may make.
const MOST_CELLS: usize = 10_000;

/// The axes with their points, in the order in which the files name them: the merged tables know
/// no order.
#[derive(Debug, Default)]
pub(super) struct Axes(Vec<(String, Vec<String>)>);

impl Axes {
    /// Notes what one file says.
    pub(super) fn add(&mut self, document: &DeTable<'_>) {
        for (axis, points) in inner(document.get(MATRIX).map(toml::Spanned::get_ref)) {
            let index = self.0.iter().position(|(known, _)| *known == axis).unwrap_or_else(|| {
                self.0.push((axis, Vec::new()));
                self.0.len() - 1
            });
            let known = &mut self.0[index].1;
            for (point, _) in inner(Some(points)) {
                if !known.contains(&point) {
                    known.push(point);
                }
            }
        }
    }

    /// The keys of a table in the noted order; those that only the command line names come last.
    fn order<'a>(known: &[String], table: &'a Table) -> Vec<(&'a str, &'a Node)> {
        let noted = known.iter().filter_map(|key| table.get_key_value(key));
        let others = table.iter().filter(|(key, _)| !known.contains(key));
        noted.chain(others).map(|(key, node)| (key.as_str(), node)).collect()
    }
}

/// The entries of a table in the order of the file.
fn inner<'a, 'b>(value: Option<&'a DeValue<'b>>) -> Vec<(String, &'a DeValue<'b>)> {
    let Some(DeValue::Table(table)) = value else {
        return Vec::new();
    };
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    let named = |(key, value): (&toml::Spanned<_>, &'a toml::Spanned<DeValue<'b>>)| {
        let key: &std::borrow::Cow<'_, str> = key.get_ref();
        (key.to_string(), value.get_ref())
    };
    entries.into_iter().map(named).collect()
}

/// Turns the matrix of a config into its cells. Each written cell is crossed with all axes.
///
/// # Errors
/// Everything that is wrong with the axes; of what is wrong within a point, only keys that no cell
/// has.
pub(super) fn expand(root: &mut Table, axes: &Axes, sources: &Sources) -> Result<(), Vec<Problem>> {
    let Some(matrix) = root.remove(MATRIX) else {
        return Ok(());
    };
    let mut checked = Checked { sources, problems: Vec::new() };
    let axes = checked.axes(&matrix, axes);
    let mut items = match root.get(CELLS).map(|cells| &cells.kind) {
        None => vec![Node::of_table(Origin::default(), Table::new())],
        Some(Kind::List(cells)) if !cells.is_empty() => cells.clone(),
        // What stands there is refused as without a matrix.
        Some(_) => return checked.done(),
    };
    let made = axes.iter().map(|axis| axis.len()).try_fold(items.len(), usize::checked_mul);
    if made.is_none_or(|made| made > MOST_CELLS) {
        checked.wrong(matrix.origin, MATRIX, format!("makes more than {MOST_CELLS} cells"));
    }
    if !checked.problems.is_empty() {
        return checked.done();
    }
    for axis in &axes {
        items = items.iter().flat_map(|item| axis.iter().map(move |point| crossed(item, point))).collect();
    }
    checked.names(&items, matrix.origin);
    root.insert(CELLS.to_owned(), Node { origin: matrix.origin, kind: Kind::List(items) });
    checked.done()
}

/// A point of an axis.
struct Point<'a> {
    name: &'a str,
    origin: Origin,
    table: Table,
}

struct Checked<'a> {
    sources: &'a Sources,
    problems: Vec<Problem>,
}

impl Checked<'_> {
    fn wrong(&mut self, origin: Origin, key: &str, problem: String) {
        self.problems.push(self.sources.problem(origin, Some(key), problem));
    }

    fn done(self) -> Result<(), Vec<Problem>> {
        match self.problems.is_empty() {
            true => Ok(()),
            false => Err(self.problems),
        }
    }

    /// The table of a node, which must hold at least one of what it `holds` if that is said.
    fn table<'b>(&mut self, node: &'b Node, key: &str, holds: &str) -> Option<&'b Table> {
        let problem = match &node.kind {
            Kind::Table(table) if holds.is_empty() || !table.is_empty() => return Some(table),
            Kind::Table(_) => format!("is empty; it must hold at least one {holds}"),
            other => format!("is {}; it must be a table", other.describe()),
        };
        self.wrong(node.origin, key, problem);
        None
    }

    fn axes<'b>(&mut self, matrix: &'b Node, order: &Axes) -> Vec<Vec<Point<'b>>> {
        let names: Vec<String> = order.0.iter().map(|(axis, _)| axis.clone()).collect();
        let Some(table) = self.table(matrix, MATRIX, "axis") else {
            return Vec::new();
        };
        let axis = |(axis, node): (&str, &'b Node)| {
            let known = order.0.iter().find(|(name, _)| name == axis).map_or(&[][..], |(_, points)| points);
            self.axis(node, &join(MATRIX, axis), known)
        };
        Axes::order(&names, table).into_iter().map(axis).collect()
    }

    fn axis<'b>(&mut self, node: &'b Node, key: &str, known: &[String]) -> Vec<Point<'b>> {
        let Some(table) = self.table(node, key, "point, such as `short = { limits.steps = 20 }`") else {
            return Vec::new();
        };
        let mut points = Vec::new();
        for (name, node) in Axes::order(known, table) {
            let key = join(key, name);
            if let Some(table) = self.table(node, &key, "") {
                points.push(Point { name, origin: node.origin, table: self.point(table, &key) });
            }
        }
        points
    }

    /// The values of a point, marked as such.
    fn point(&mut self, table: &Table, key: &str) -> Table {
        let mut marked = table.clone();
        for (name, node) in &mut marked {
            if !CELL_KEYS.contains(&name.as_str()) {
                self.wrong(node.origin, &join(key, name), format!("is unknown{}", instead(name, &CELL_KEYS)));
            }
            node.mark(&|origin| origin.point = true);
        }
        marked
    }

    /// Checks the names of the cells.
    fn names(&mut self, items: &[Node], origin: Origin) {
        let mut seen = BTreeSet::new();
        let mut twice = BTreeSet::new();
        for name in items.iter().filter_map(name_of) {
            if let Err(error) = CellName::new(name) {
                self.wrong(origin, MATRIX, format!("makes a cell whose name cannot be one: {error}"));
            }
            if !seen.insert(name) {
                twice.insert(name);
            }
        }
        if !twice.is_empty() {
            let problem = format!(
                "makes several cells of one name: {}; name the points so that their names, joined \
                 by `-`, differ",
                listed(twice)
            );
            self.wrong(origin, MATRIX, problem);
        }
    }
}

/// A cell with a point laid over it. A written cell without a name stays without, which is refused
/// later.
fn crossed(item: &Node, point: &Point<'_>) -> Node {
    let Some(table) = item.table() else {
        return item.clone();
    };
    let name = match (name_of(item), table.is_empty()) {
        (Some(name), _) => Some(format!("{name}-{}", point.name)),
        (None, true) => Some(point.name.to_owned()),
        (None, false) => None,
    };
    let mut over = point.table.clone();
    over.extend(name.map(|name| ("name".to_owned(), Node::of_text(point.origin, &name))));
    Node::of_table(point.origin, merge(table.clone(), over))
}
