//! Rows as AutoTOD shows them: a table in Markdown, of few lines.

use super::Selected;
use crate::environments::booking::account::Outcome;

/// The most rows.
const ROWS: usize = 5;

/// The most letters, each line with its end.
const LETTERS: usize = 500;

/// The rows of a result. Those that are not shown are counted.
#[derive(Debug, Default)]
pub(super) struct Listing {
    lines: Vec<String>,
    letters: usize,
    shown: usize,
    rows: usize,
}

impl Listing {
    /// A result of these columns.
    pub(super) fn new(columns: &[&str]) -> Self {
        let mut listing = Self::default();
        for line in [line(columns), line(&vec!["---"; columns.len()])] {
            listing.letters += line.chars().count() + 1;
            listing.lines.push(line);
        }
        listing
    }

    /// Whether the next row may be shown; otherwise [`skip`](Self::skip) it.
    pub(super) fn is_open(&self) -> bool {
        self.shown == self.rows && self.rows < ROWS
    }

    /// Adds a row. It is not shown, and no later one is, if it is too long.
    pub(super) fn add(&mut self, values: &[String]) {
        let line = line(values);
        self.letters += line.chars().count() + 1;
        self.rows += 1;
        if self.letters <= LETTERS {
            self.lines.push(line);
            self.shown += 1;
        }
    }

    /// Counts a row.
    pub(super) fn skip(&mut self) {
        self.rows += 1;
    }

    /// The text, and what was found.
    pub(super) fn finish(mut self) -> Selected {
        let outcome = Outcome::Found {
            count: self.shown,
            more: self.shown < self.rows,
        };
        if self.rows == 0 {
            return ("No results found.".to_owned(), outcome);
        }
        if self.shown < self.rows {
            let left = self.rows - self.shown;
            self.lines.push(format!("\n{left} more records ..."));
        }
        (self.lines.join("\n"), outcome)
    }
}

fn line<T: AsRef<str>>(cells: &[T]) -> String {
    let cells: Vec<&str> = cells.iter().map(AsRef::as_ref).collect();
    format!("| {} |", cells.join(" | "))
}
