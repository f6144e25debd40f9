//! Rows as their cells are printed, which is worked out once.

use std::fmt::Write;

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name in the file.
    pub name: &'static str,
    /// Whether it holds numbers.
    pub is_number: bool,
    /// Whether they are whole ones where rows are made here.
    pub(super) is_whole: bool,
}

impl Column {
    /// The most columns of a table.
    pub const MOST: usize = 9;
}

/// A column of texts.
pub(super) const fn texts(name: &'static str) -> Column {
    let (is_number, is_whole) = (false, false);
    Column { name, is_number, is_whole }
}

/// A column of numbers.
pub(super) const fn numbers(name: &'static str) -> Column {
    Column { is_number: true, ..texts(name) }
}

/// A column of numbers that are whole where rows are made here.
pub(super) const fn whole_numbers(name: &'static str) -> Column {
    Column { is_whole: true, ..numbers(name) }
}

/// Cells of rows, in the order of the columns.
#[derive(Clone, Debug)]
pub struct Cells {
    /// The columns.
    pub columns: &'static [Column],
    /// Which columns hold whole numbers.
    pub(super) whole: Vec<bool>,
    text: String,
    spans: Vec<Span>,
}

#[derive(Clone, Copy, Debug)]
struct Span {
    start: usize,
    end: usize,
    width: u32,
    decimals: u32,
}

/// A cell: texts as they are shown, numbers with the decimals that they need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell<'c> {
    /// The text.
    pub text: &'c str,
    /// Its letters.
    pub width: usize,
    /// The decimals it has; none for texts and in columns of whole numbers.
    pub decimals: usize,
}

impl Cells {
    /// No cells. For each column `whole` says whether it is one of whole numbers, as pandas takes it to be.
    pub(super) fn new(columns: &'static [Column], whole: &[bool]) -> Self {
        Self { columns, whole: whole.to_vec(), text: String::new(), spans: Vec::new() }
    }

    /// Adds the next cell: a text, where breaks and tabs are written as two letters.
    pub(super) fn add_text(&mut self, text: &str) {
        let start = self.text.len();
        match text.contains(['\t', '\r', '\n']) {
            false => self.text.push_str(text),
            true => {
                let escaped = text.replace('\t', "\\t").replace('\r', "\\r");
                self.text.push_str(&escaped.replace('\n', "\\n"));
            }
        }
        self.end(start, 0);
    }

    /// Adds the next cell: a number, with six decimals at most.
    pub(super) fn add_number(&mut self, number: f64) {
        let start = self.text.len();
        let column = self.spans.len() % self.columns.len().max(1);
        let is_whole = self.whole.get(column).copied().unwrap_or_default();
        // Writing to a text cannot fail.
        if is_whole || number.fract() == 0.0 {
            let _ = write!(self.text, "{number:.0}{}", if is_whole { "" } else { ".0" });
            return self.end(start, u32::from(!is_whole));
        }
        let _ = write!(self.text, "{number:.6}");
        let zeros = self.text.bytes().rev().take_while(|byte| *byte == b'0').count().min(5);
        self.text.truncate(self.text.len() - zeros);
        self.end(start, 6 - zeros as u32);
    }

    fn end(&mut self, start: usize, decimals: u32) {
        let text = self.text.get(start..).unwrap_or_default();
        let width = match text.is_ascii() {
            true => text.len(),
            false => text.chars().count(),
        };
        self.spans.push(Span {
            start,
            end: self.text.len(),
            width: u32::try_from(width).unwrap_or(u32::MAX),
            decimals,
        });
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.spans.len() / self.columns.len().max(1)
    }

    /// The cells of a row; none if there is no such row.
    pub fn row(&self, row: usize) -> impl Iterator<Item = Cell<'_>> {
        let (start, count) = (row * self.columns.len(), self.columns.len());
        self.spans.get(start..start + count).unwrap_or_default().iter().map(|span| Cell {
            text: self.text.get(span.start..span.end).unwrap_or_default(),
            width: span.width as usize,
            decimals: span.decimals as usize,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_hold_the_decimals_that_they_need() {
        const COLUMNS: &[Column] = &[numbers("a"), numbers("b"), texts("c")];
        let mut cells = Cells::new(COLUMNS, &[true, false, false]);
        for number in [2.0, 0.1 + 0.2, -71.070_092_4, 1e-9, 131.0, -0.0] {
            cells.add_number(number);
            cells.add_number(number);
            cells.add_text("é\t\r\n");
        }
        let shown: Vec<Vec<_>> = (0..cells.rows())
            .map(|row| {
                let row = cells.row(row);
                row.map(|cell| (cell.text, cell.width, cell.decimals)).collect()
            })
            .collect();
        let text = ("é\\t\\r\\n", 7, 0);
        assert_eq!(shown[0], [("2", 1, 0), ("2.0", 3, 1), text]);
        assert_eq!(shown[1][1], ("0.3", 3, 1));
        assert_eq!(shown[2][1], ("-71.070092", 10, 6));
        assert_eq!(shown[3][1], ("0.0", 3, 1));
        assert_eq!(shown[4][..2], [("131", 3, 0), ("131.0", 5, 1)]);
        assert_eq!(shown[5][1], ("-0.0", 4, 1));
        assert!(cells.row(6).next().is_none());
    }
}
