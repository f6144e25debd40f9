//! The actions and utterances of agents, as tables with small bars, as JSON and as Markdown: `rolecall analyse`.

mod costs;
mod json;
mod labelled;
pub(super) mod simulator;
mod tables;
mod variance;

use std::fmt::Write;

use serde_json::Value;

use super::markdown::escaped;
use super::{Layout, Paint, Table};
use crate::evaluation::analyses::{OwnPart, Row, Tally};
use crate::evaluation::variance::Variance;
use crate::text::{counted, joined};

pub use crate::evaluation::analyses::AnalysisPart;
pub use json::object;
pub use labelled::LabelledPart;
pub(super) use tables::shares;
pub use tables::{Shares, bar};

/// A part that a world brings, with its tables and its chart.
#[derive(Debug)]
pub struct AnalysisEntry {
    /// Its word on the command line, and the collector of each row.
    pub part: OwnPart,
    /// Its heading on the page.
    pub heading: &'static str,
    /// Its tables; those without rows are left out.
    pub tables: fn(&Analyses) -> Vec<Table>,
    /// The value for programs of a row, under the name of the part; null if there is none.
    pub object: fn(&Row) -> Value,
    /// The chart above the tables, one bar a row.
    pub shares: Option<fn(&Analyses) -> Shares>,
}

/// Analyses of cells, ready to be shown.
#[derive(Clone, Debug)]
pub struct Analyses {
    /// The runs, as they were named.
    pub runs: Vec<String>,
    /// The rows.
    pub rows: Vec<Row>,
    /// The parts that are shown.
    pub parts: Vec<AnalysisPart>,
    /// The parts of worlds, shown or not.
    pub own: Vec<&'static AnalysisEntry>,
    /// Where the variance of success comes from, if that is asked for.
    pub variance: Option<Variance>,
    /// Who gave categories and dialogue acts, if not the rules.
    pub raters: (Option<String>, Option<String>),
}

impl Analyses {
    /// Whether a part is shown.
    pub(super) fn shows(&self, part: AnalysisPart) -> bool {
        self.parts.contains(&part)
    }

    /// The entry of a part that a world brings.
    pub(super) fn own(&self, part: OwnPart) -> Option<&'static AnalysisEntry> {
        self.own.iter().copied().find(|entry| entry.part.name == part.name)
    }

    /// Each row that has a collection of a type, in the order of rows.
    pub fn collected<T: Tally>(&self) -> impl Iterator<Item = (&Row, &T)> {
        self.rows.iter().filter_map(|row| Some((row, row.tally::<T>()?)))
    }

    /// The name of a row, as short as is clear.
    pub fn name(&self, row: &Row) -> String {
        let name = &row.name;
        let mut text = self.cell(row);
        let same = |other: &&Row| other.name.run == name.run && other.name.cell == name.cell;
        let shared = self.rows.iter().filter(same).count() > 1;
        if let Some(user) = name.user.as_ref().filter(|_| shared) {
            text.push_str(&format!(", user {user}"));
        }
        text
    }

    /// The cell of a row and the kind of its user, for tables that have a column for each.
    pub fn keys(&self, row: &Row) -> Vec<String> {
        let user = row.name.user.as_deref().unwrap_or("nobody");
        vec![self.cell(row), user.to_owned()]
    }

    /// The cell of a row, with its run where there are several.
    fn cell(&self, row: &Row) -> String {
        match self.runs.len() {
            0 | 1 => row.name.cell.to_string(),
            _ => format!("{}:{}", row.name.run, row.name.cell),
        }
    }

    /// The tables of all parts that are shown and have anything to show.
    pub(super) fn tables(&self) -> Vec<Table> {
        let tables = self.parts.iter().flat_map(|part| match part {
            AnalysisPart::Own(part) => {
                let part = self.own(*part);
                part.map_or_else(Vec::new, |part| (part.tables)(self))
            }
            AnalysisPart::Costs => vec![costs::costs(self)],
            AnalysisPart::Simulator => simulator::tables(self),
            AnalysisPart::Variance => vec![variance::table(self)],
            other => tables::of(self, *other),
        });
        tables.filter(|table| !table.is_empty()).collect()
    }

    /// The reason for which there are no costs, if they are asked for and not only everything is.
    fn without_calls(&self) -> Option<String> {
        let asked = self.shows(AnalysisPart::Costs) && self.parts.len() < AnalysisPart::SHARED.len() + self.own.len();
        let none = self.rows.iter().all(|row| row.usage.is_empty());
        (asked && none).then(|| {
            "costs: no model was called in these episodes; name a run in which a role or user is one \
             (`implementation = \"model\"`, `kind = \"model\"`; docs/models.md)"
                .to_owned()
        })
    }

    /// The reason for which there is nothing to show, if it is known.
    fn missing(&self) -> Option<String> {
        self.without_calls().or_else(|| variance::remarks(self))
    }

    /// The explanations of the tables.
    pub(super) fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        let sum = |of: fn(&Row) -> u64| self.rows.iter().map(of).sum::<u64>();
        let utterances = sum(|row| row.said.utterances);
        let labelled = |part, rater: &Option<String>, given: u64, rules: &str| {
            (self.shows(part) && utterances > 0).then(|| match rater {
                Some(rater) => format!("{}: labels of {rater}, for {given} of {utterances} utterances", part.name()),
                None => format!("{}: {rules}", part.name()),
            })
        };
        let (by_category, by_act) = (&self.raters.0, &self.raters.1);
        let given = sum(|row| row.said.categories.iter().sum());
        let part = AnalysisPart::Categories;
        remarks.extend(labelled(part, by_category, given, "by rules"));
        let acted = sum(|row| row.said.acts.iter().sum());
        let declared = sum(|row| row.said.declared);
        let rules = format!("{declared} of {utterances} declared, the others by rules");
        remarks.extend(labelled(AnalysisPart::Acts, by_act, acted, &rules));
        remarks.extend(variance::remarks(self));
        remarks.extend(self.without_calls());
        let apart: usize = self.rows.iter().map(|row| row.episodes - row.counted).sum();
        if apart > 0 {
            remarks.push(format!(
                "not in any figure: {} that broke or did not end",
                counted(apart as u64, "episode", "episodes")
            ));
        }
        remarks
    }
}

/// The text where no part has anything to show.
const NOTHING: &str = "nothing was done or said that these analyses are about";

/// The analyses as text.
pub fn text(analyses: &Analyses, layout: &Layout) -> String {
    let tables = analyses.tables();
    if tables.is_empty() {
        return match analyses.missing() {
            None => format!("{NOTHING}\n"),
            Some(missing) if analyses.parts.len() == 1 => missing + "\n",
            Some(missing) => format!("{NOTHING}\n{missing}\n"),
        };
    }
    let texts: Vec<String> = tables.iter().map(|table| table.text(layout)).collect();
    let mut text = texts.join("\n");
    let remarks = analyses.remarks();
    if !remarks.is_empty() {
        text.push('\n');
    }
    for remark in remarks {
        text.push_str(&layout.style.line(Paint::Dim, &remark));
    }
    text
}

/// The analyses as Markdown. Everything is escaped.
pub fn markdown(analyses: &Analyses) -> String {
    let runs = joined(analyses.runs.iter().map(|run| escaped(run)));
    let mut text = format!("# Analysis of {runs}\n");
    let tables = analyses.tables();
    text.extend(tables.iter().map(Table::section));
    if tables.is_empty() && analyses.missing().is_none() {
        let _ = writeln!(text, "\n{NOTHING}");
    }
    for remark in analyses.remarks() {
        let _ = writeln!(text, "\n{}", escaped(&remark));
    }
    text
}
