//! Rows as AutoTOD shows them: a table in Markdown, of few lines.

use crate::environments::booking::account::Outcome;
use crate::environments::booking::desk::Done;

/// The most rows.
const ROWS: usize = 5;

/// The most letters, each line with its end.
const LETTERS: usize = 500;

/// The rows of a result. Those that are not shown are counted.
pub(super) struct Listing {
    /// The head, a line below it, and the rows that are shown.
    lines: Vec<String>,
    letters: usize,
    rows: usize,
}

impl Listing {
    /// A result of these columns.
    pub(super) fn new(columns: &[&str]) -> Self {
        let lines = vec![line(columns), line(&vec!["---"; columns.len()])];
        Self { letters: lines.iter().map(|line| line.chars().count() + 1).sum(), lines, rows: 0 }
    }

    /// Adds a row. It is not shown if there are enough or it is too long, and no later one is then.
    ///
    /// # Errors
    /// Where the values cannot be had.
    pub(super) fn add<E>(&mut self, values: impl FnOnce() -> Result<Vec<String>, E>) -> Result<(), E> {
        let is_open = self.lines.len() == self.rows + 2 && self.rows < ROWS;
        self.rows += 1;
        if is_open {
            let line = line(&values()?);
            self.letters += line.chars().count() + 1;
            self.lines.extend((self.letters <= LETTERS).then_some(line));
        }
        Ok(())
    }

    /// The text, and what was found.
    pub(super) fn finish(self) -> Done {
        let shown = self.lines.len() - 2;
        let mut text = self.lines.join("\n");
        match self.rows - shown {
            _ if self.rows == 0 => "No results found.".clone_into(&mut text),
            0 => {}
            left => text.push_str(&format!("\n\n{left} more records ...")),
        }
        let more = shown < self.rows;
        (text, Outcome::Found { count: shown, more })
    }
}

fn line<T: AsRef<str>>(cells: &[T]) -> String {
    let cells: Vec<&str> = cells.iter().map(AsRef::as_ref).collect();
    format!("| {} |", cells.join(" | "))
}
