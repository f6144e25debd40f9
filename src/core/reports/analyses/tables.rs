//! The tables of the analyses.

use super::{Analyses, AnalysisPart};
use crate::domain::DialogueAct;
use crate::evaluation::Estimate;
use crate::evaluation::analyses::{ActionType, Category, Row};
use crate::reports::Table;
use crate::reports::figures::{interval, or_none, percent, range, value};

/// Bars of a histogram that a table holds; what lies beyond is one.
const MOST_BARS: u32 = 12;

/// The tables of a part that is about any environment.
pub(super) fn of(analyses: &Analyses, part: AnalysisPart) -> Vec<Table> {
    match part {
        AnalysisPart::Actions | AnalysisPart::Categories | AnalysisPart::Acts => {
            shares(analyses, part).iter().map(Shares::table).collect()
        }
        AnalysisPart::Invalid => vec![refused(analyses), spread(analyses)],
        AnalysisPart::Turns => vec![turns(analyses)],
        AnalysisPart::Questions => vec![questions(analyses)],
        AnalysisPart::Saved => vec![saved(analyses)],
        AnalysisPart::Own(_) | AnalysisPart::Costs | AnalysisPart::Simulator | AnalysisPart::Variance => Vec::new(),
    }
}

/// The division of something into parts, row by row.
#[derive(Clone, Debug)]
pub struct Shares {
    /// The heading of the table.
    pub title: &'static str,
    /// The word for one part.
    pub unit: &'static str,
    /// The names of the parts.
    pub labels: Vec<String>,
    /// Each row with how much of each part it has.
    pub rows: Vec<(String, Vec<u64>)>,
}

/// The shares of a part that is one of shares; rows that have none of it are left out.
pub(in super::super) fn shares(analyses: &Analyses, part: AnalysisPart) -> Option<Shares> {
    let of = |title, unit, labels: &[&str], counts: &dyn Fn(&Row) -> Vec<u64>| {
        let rows = analyses.rows.iter().map(|row| (analyses.name(row), counts(row)));
        let labels = labels.iter().map(|label| (*label).to_owned());
        Some(Shares {
            title,
            unit,
            labels: labels.collect(),
            rows: rows.filter(|(_, counts)| counts.iter().any(|count| *count > 0)).collect(),
        })
    };
    match part {
        AnalysisPart::Actions => {
            let labels = ActionType::ALL.map(ActionType::label);
            let counts = |row: &Row| ActionType::ALL.map(|kind| row.actions.of(kind)).to_vec();
            let title = "What the agents do: types of actions";
            of(title, "action", &labels, &counts)
        }
        AnalysisPart::Categories => {
            let labels = Category::ALL.map(Category::label);
            let counts = |row: &Row| row.said.categories.to_vec();
            let title = "What the agents say: categories";
            of(title, "category", &labels, &counts)
        }
        AnalysisPart::Acts => {
            let labels = DialogueAct::SCHEMA.map(|(name, _)| name);
            let counts = |row: &Row| row.said.acts.to_vec();
            let title = "What the agents say: dialogue acts";
            of(title, "act", &labels, &counts)
        }
        _ => None,
    }
}

impl Shares {
    /// A line for each row and each part of it that occurs.
    pub fn table(&self) -> Table {
        let mut table = Table::new(self.title).keys_of(["cell", self.unit]).numbers(["n", "%"]).texts([""]);
        for (name, counts) in &self.rows {
            let total = counts.iter().sum::<u64>().max(1) as f64;
            for (label, count) in self.labels.iter().zip(counts) {
                if *count > 0 {
                    let share = *count as f64 / total;
                    let texts = [label.clone(), count.to_string(), percent(share), bar(share)];
                    table.row(std::iter::once(name.clone()).chain(texts).collect());
                }
            }
        }
        table
    }
}

/// Episodes by the number of refused actions.
fn refused(analyses: &Analyses) -> Table {
    let mut table =
        Table::new("Refused actions per game").keys_of(["cell", "refused"]).numbers(["games", "%"]).texts([""]);
    let none = |row: &Row| row.invalid.largest().unwrap_or(0) == 0;
    if analyses.rows.iter().all(none) {
        return table;
    }
    for row in &analyses.rows {
        let total = row.invalid.episodes().max(1) as f64;
        let mut line = |text: String, games: u64| {
            let share = games as f64 / total;
            let texts = [text, games.to_string(), percent(share), bar(share)];
            table.row(std::iter::once(analyses.name(row)).chain(texts).collect());
        };
        let mut many = 0;
        for (count, games) in row.invalid.bars() {
            match count {
                ..MOST_BARS => line(count.to_string(), games),
                _ => many += games,
            }
        }
        if many > 0 {
            line(format!("{MOST_BARS} and more"), many);
        }
    }
    table
}

/// The spread of refused actions.
fn spread(analyses: &Analyses) -> Table {
    let mut table = Table::new("Refused actions: spread")
        .key("cell")
        .numbers(["games", "refused", "% of actions"])
        .numbers(["mean", "SD", "median", "most"]);
    for row in &analyses.rows {
        let found = &row.invalid;
        let all = row.actions.of(ActionType::Act) + row.actions.of(ActionType::Refused);
        let share = found.total() as f64 / all.max(1) as f64;
        table.row(vec![
            analyses.name(row),
            found.episodes().to_string(),
            found.total().to_string(),
            percent(share),
            number(found.mean()),
            number(found.deviation()),
            number(found.median()),
            or_none(found.largest().map(|most| most.to_string())),
        ]);
    }
    table
}

fn number(value: Option<f64>) -> String {
    or_none(value.map(|value| format!("{value:.2}")))
}

/// Conversations of solved episodes.
fn turns(analyses: &Analyses) -> Table {
    let mut table = Table::new("Dialogue turns in solved episodes").key("cell").numbers([
        "solved",
        "mean",
        "SD",
        "success %",
        "95 % interval",
    ]);
    for row in analyses.rows.iter().filter(|row| !row.is_silent()) {
        let found = &row.turns;
        table.row(vec![
            analyses.name(row),
            found.turns.episodes().to_string(),
            number(found.turns.mean()),
            number(found.turns.deviation()),
            value(&found.success),
            interval(&found.success),
        ]);
    }
    table
}

/// Questions, and the use of their answers.
fn questions(analyses: &Analyses) -> Table {
    let mut table = Table::new("Questions per episode")
        .key("cell")
        .numbers(["questions", "95 % interval", "first at step"])
        .numbers(["asked before", "idle"])
        .numbers(["advice followed %", "95 % interval"]);
    for row in analyses.rows.iter().filter(|row| !row.is_silent()) {
        let ends = row.followed.interval();
        table.row(vec![
            analyses.name(row),
            value(&row.questions),
            interval(&row.questions),
            value(&row.first_question),
            value(&row.repeated),
            value(&row.idle),
            or_none(row.followed.value().map(percent)),
            or_none(ends.map(|ends| range(ends, percent))),
        ]);
    }
    table
}

/// Steps that questions saved.
fn saved(analyses: &Analyses) -> Table {
    let mut table = Table::new("Steps saved per question")
        .keys_of(["cell", "against"])
        .numbers(["pairs", "questions", "steps saved"])
        .numbers(["per question", "95 % interval", "both solved"])
        .numbers(["per question", "95 % interval"]);
    let ratio = |estimate: &Estimate| [value(estimate), interval(estimate)];
    for row in &analyses.rows {
        let Some(saved) = &row.saved else {
            continue;
        };
        let mut texts = vec![analyses.name(row), saved.base.clone()];
        texts.extend([saved.pairs.to_string(), saved.questions.to_string()]);
        texts.push(saved.steps.to_string());
        texts.extend(ratio(&saved.per_question));
        texts.push(saved.pairs_solved.to_string());
        texts.extend(ratio(&saved.both_solved));
        table.row(texts);
    }
    table
}

/// Columns of the longest bar.
const LONGEST: usize = 24;
/// Parts of a column, from none.
const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// A bar that stands for a share, 0 to 1; anything above nothing can be seen.
pub fn bar(share: f64) -> String {
    if share.is_nan() || share <= 0.0 {
        return String::new();
    }
    let eighths = (share.min(1.0) * (LONGEST * PARTS.len()) as f64).round();
    let eighths = (eighths as usize).max(1);
    let (whole, rest) = (eighths / PARTS.len(), eighths % PARTS.len());
    format!("{}{}", "█".repeat(whole), PARTS[rest])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_shares() {
        assert_eq!(bar(0.0), "");
        assert_eq!(bar(f64::NAN), "");
        assert_eq!(bar(1e-9), "▏");
        assert_eq!(bar(0.5), "█".repeat(12));
        assert_eq!(bar(2.0), "█".repeat(24));
        assert_eq!(bar(1.5 / 24.0), "█▌");
    }
}
