//! `[table]`: a table of a paper, and which cells of the config stand for its rows. `rolecall
//! reproduce` fills it in; whatever else reads the config only checks it.

mod read;

use std::fmt;

use serde::Deserialize;

use rolecall_core::domain::CellName;

pub(super) use read::table;

/// A table of a paper with its published figures.
#[derive(Clone, Debug, PartialEq)]
pub struct PaperTable {
    /// Its title.
    pub title: String,
    /// The paper, such as `ReSpAct, Table 1`.
    pub paper: String,
    /// Its columns.
    pub columns: Vec<TableColumn>,
    /// Its rows.
    pub rows: Vec<TableRow>,
    /// The orders of rows that the paper reports.
    pub order: Vec<TableOrder>,
    /// Notes for readers, a sentence or more each.
    pub notes: Vec<String>,
    /// Further notes, true only where players by rules sit on all seats of all rows.
    pub by_rules: Vec<String>,
}

/// A column: which figure of which episodes.
#[derive(Clone, Debug, PartialEq)]
pub struct TableColumn {
    /// Its heading.
    pub name: String,
    /// Only tasks of this type.
    pub kind: Option<String>,
    /// Only these cells of a row; all if empty.
    pub cells: Vec<CellName>,
    /// The metric.
    pub metric: String,
    /// The figure of it that is shown.
    pub figure: Figure,
    /// The factor that a mean is multiplied by before it is shown; a rate is shown in percent without it.
    pub scale: Option<f64>,
    /// With [`Figure::Combination`]: the strategies, with blanks between them; `several` for any with
    /// more than one, `rest` for all that no other column names.
    pub combination: Option<String>,
    /// With [`Figure::Rating`]: what people rated, such as `scale:1-5:quality`.
    pub rating: Option<String>,
    /// Whether the lower of two figures is the better one.
    pub lower_is_better: bool,
}

/// A column's figure of its metric.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Figure {
    /// The rate in percent, or the mean.
    #[default]
    Mean,
    /// The standard deviation over episodes, of a sample (n - 1).
    Deviation,
    /// In how many of the tasks it was so.
    Count,
    /// The largest value.
    Largest,
    /// Of all responses together, where the metric is one of responses (corpus BLEU).
    Corpus,
    /// In how many percent of the responses just these strategies were planned (TPE Figures 4 and 6).
    Combination,
    /// The average of what people gave on a scale (`rolecall rate`).
    Rating,
    /// BERTScore's F1 of responses, by the vectors of a model that is asked for.
    #[serde(rename = "bert_score")]
    BertScore,
    /// Nothing of ours: the published figures alone.
    Published,
}

impl Figure {
    /// The words of configs.
    pub(super) const WORDS: [&str; 9] =
        ["mean", "deviation", "count", "largest", "corpus", "combination", "rating", "bert_score", "published"];
}

/// The way in which several cells, or several repeats, become one figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Take {
    /// All episodes together: with equally many tasks, the mean over the cells.
    #[default]
    Mean,
    /// The cell that solved the largest share of its tasks, in every column the same; the first of
    /// several.
    Best,
    /// The mean over the repeats, and the standard deviation of a sample between them.
    Repeats,
    /// In columns of strategies: what people saw in the references, instead of what was planned.
    Annotated,
}

impl Take {
    /// The words of configs.
    pub(super) const WORDS: [&str; 4] = ["mean", "best", "repeats", "annotated"];
}

/// A row: what the paper says, and which cells say it here.
#[derive(Clone, Debug, PartialEq)]
pub struct TableRow {
    /// Its name in the paper; unique in the table.
    pub label: String,
    /// The model or policy of the published figures.
    pub model: Option<String>,
    /// One figure for each column.
    pub published: Vec<Published>,
    /// The published standard deviations: one for each column, or none at all.
    pub deviation: Vec<f64>,
    /// The cells; empty if nothing here can fill the row.
    pub cells: Vec<CellName>,
    /// The reason why the config may lack the cells that the row names.
    pub missing: Option<String>,
    /// The way in which they become one figure.
    pub take: Take,
}

/// A figure as it was published.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Published {
    /// None: the paper does not say it.
    Nothing,
    /// A percentage or a mean.
    Value(f64),
    /// So many of so many.
    Count(u32, u32),
    /// Less than this.
    Below(f64),
}

impl Published {
    /// The figure as a number in the unit of its column, if it is one.
    pub fn value(self) -> Option<f64> {
        match self {
            Self::Value(value) => Some(value),
            Self::Count(some, all) => Some(100.0 * f64::from(some) / f64::from(all.max(1))),
            Self::Nothing | Self::Below(_) => None,
        }
    }

    /// Whether an interval of ours leaves the figure out.
    pub fn is_outside(self, interval: (f64, f64)) -> bool {
        let (low, high) = interval;
        match self {
            Self::Below(bound) => low >= bound,
            other => other.value().is_some_and(|value| value < low || value > high),
        }
    }
}

impl fmt::Display for Published {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => formatter.write_str("-"),
            Self::Value(value) => write!(formatter, "{value}"),
            Self::Count(some, all) => write!(formatter, "{some}/{all}"),
            Self::Below(bound) => write!(formatter, "<{bound}"),
        }
    }
}

/// Two rows of which the paper's figures say that one is better.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableOrder {
    /// The index of the better row.
    pub better: usize,
    /// The index of the worse row.
    pub worse: usize,
    /// The index of the column.
    pub column: usize,
    /// The reason why it may come out otherwise here, whoever plays.
    pub otherwise: Option<String>,
    /// The reason why it may come out otherwise where players by rules sit on all seats of both rows.
    pub by_rules: Option<String>,
}
