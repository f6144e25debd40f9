//! The list of a run's episodes: `show RUN`.

use super::aligned::{line, width};
use super::figures::or_none;
use super::{Align, Layout, Paint, Table};
use crate::evaluation::EpisodeResult;

/// The columns: the head of each, and the side on which its texts stand.
const COLUMNS: [(&str, Align); 10] = [
    ("episode", Align::Left),
    ("type", Align::Left),
    ("user", Align::Left),
    ("ending", Align::Left),
    ("reward", Align::Right),
    ("steps", Align::Right),
    ("questions", Align::Right),
    ("invalid", Align::Right),
    ("faults", Align::Right),
    ("task", Align::Left),
];

/// The column that is left out where there are no users.
const USER: usize = 2;

fn texts(result: &EpisodeResult) -> [String; COLUMNS.len()] {
    let counts = &result.counts;
    [
        result.episode.to_string(),
        result.kind.clone(),
        or_none(result.user.clone()),
        result.ending_label(),
        result.reward.to_string(),
        counts.steps.to_string(),
        counts.questions.to_string(),
        counts.invalid.to_string(),
        counts.faults.to_string(),
        result.task.clone(),
    ]
}

/// One line per episode, in the order given.
pub fn episodes(results: &[EpisodeResult], layout: &Layout) -> String {
    let users = results.iter().any(|result| result.user.is_some());
    let shown = |column: usize| users || column != USER;
    let mut table = Table::new("");
    for (column, (head, align)) in COLUMNS.into_iter().enumerate() {
        table = match column {
            0 => table.key(head),
            _ if shown(column) => table.column(head, align),
            _ => table,
        };
    }
    for result in results {
        let texts = texts(result).into_iter().enumerate();
        let texts = texts.filter(|(column, _)| shown(*column));
        table.row(texts.map(|(_, text)| text).collect());
    }
    table.text(&layout.unbroken())
}

/// The same list, line by line while a run goes on: a column becomes wider when something wide
/// comes.
#[derive(Clone, Copy, Debug)]
pub struct EpisodeLines {
    layout: Layout,
    widths: [usize; COLUMNS.len()],
}

impl EpisodeLines {
    /// Columns that fit most lists.
    pub fn new(layout: Layout) -> Self {
        let mut widths = COLUMNS.map(|(head, _)| head.len());
        for (width, usual) in widths.iter_mut().zip([14, 10, 10, 16]) {
            *width = usual;
        }
        Self { layout, widths }
    }

    /// The line above the list.
    pub fn head(&self) -> String {
        let heads = self.joined(&COLUMNS.map(|(head, _)| head.to_owned()));
        self.layout.style.paint(Paint::Dim, &heads).into_owned() + "\n"
    }

    /// The line of an episode.
    pub fn line(&mut self, result: &EpisodeResult) -> String {
        let texts = texts(result);
        for (own, text) in self.widths.iter_mut().zip(&texts) {
            *own = width(text).max(*own);
        }
        self.joined(&texts) + "\n"
    }

    fn joined(&self, texts: &[String; COLUMNS.len()]) -> String {
        let cells = texts.iter().zip(self.widths).zip(COLUMNS);
        line(cells.map(|((text, width), (_, align))| (text.as_str(), width, align)))
    }
}
