//! Tables as pandas prints them, and how what was printed is read.

use crate::country::{Cells, Column, Country};
use rolecall_core::text::python::is_space;

/// Rows as they were printed: texts by the names of their columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Printed {
    /// The columns.
    pub columns: Vec<&'static str>,
    /// The cells of each row, without blanks before them.
    pub rows: Vec<Vec<String>>,
}

/// Prints rows: cells right-justified under their headers, one blank between columns, numbers of a column with equally
/// many decimals, and no blank before the first header.
pub fn print(cells: &Cells, rows: &[usize]) -> String {
    let columns = cells.columns;
    let mut widths = [0; Column::MOST];
    let mut decimals = [0; Column::MOST];
    for row in rows {
        for (most, cell) in decimals.iter_mut().zip(cells.row(*row)) {
            *most = cell.decimals.max(*most);
        }
    }
    for row in rows {
        for ((width, most), cell) in widths.iter_mut().zip(&decimals).zip(cells.row(*row)) {
            *width = (cell.width + missing(*most, cell.decimals)).max(*width);
        }
    }
    for (width, column) in widths.iter_mut().zip(columns) {
        // Headers of numbers have a blank before them.
        *width = (column.name.len() + usize::from(column.is_number)).max(*width);
    }
    let line: usize = widths.iter().map(|width| width + 1).sum();
    let mut out = String::with_capacity((line + 16) * (rows.len() + 1));
    for (number, (column, width)) in columns.iter().zip(widths).enumerate() {
        if number > 0 {
            pad(&mut out, 1 + width - column.name.len());
        }
        out.push_str(column.name);
    }
    for row in rows {
        out.push('\n');
        let layout = widths.iter().zip(decimals);
        for (number, (cell, (width, most))) in cells.row(*row).zip(layout).enumerate() {
            let zeros = missing(most, cell.decimals);
            pad(&mut out, usize::from(number > 0) + width - cell.width - zeros);
            out.push_str(cell.text);
            out.extend(std::iter::repeat_n('0', zeros));
        }
    }
    out.truncate(out.trim_end_matches(is_space).len());
    out
}

/// The zeros that a number lacks of the decimals of its column. Texts have no decimals, nor has their column.
fn missing(most: usize, decimals: usize) -> usize {
    most.saturating_sub(decimals)
}

fn pad(out: &mut String, count: usize) {
    const BLANKS: &str = "                                                                ";
    let mut left = count;
    while left > 0 {
        let blanks = BLANKS.get(..left).unwrap_or(BLANKS);
        out.push_str(blanks);
        left -= blanks.len();
    }
}

/// Reads a table that was printed, also a view; none if the text does not begin with the header of a table.
///
/// Each column ends where its header does, so that cells may hold anything but blanks in front.
pub fn read_table(text: &str) -> Option<Printed> {
    let mut lines = text.split('\n');
    let header = lines.next()?;
    let (columns, ends) =
        Country::columns().into_iter().find_map(|columns| Some((columns, header_ends(header, columns)?)))?;
    let is_row = |line: &&str| {
        let is_remark = line.starts_with("There is no ") && line.ends_with(" restaurant in this city.");
        !is_remark && *line != "..."
    };
    let lines: Vec<Vec<char>> = lines.filter(is_row).map(|line| line.chars().collect()).collect();
    // The widest row is whole; the header has lost as many blanks as it is shorter, and the last row may have lost
    // some.
    let widest = lines.iter().map(Vec::len).max().unwrap_or_default();
    let lost = widest.saturating_sub(*ends.last()?);
    let read_row = |line: &Vec<char>| {
        let mut start = 0;
        ends.iter()
            .map(|end| {
                let end = (end + lost).min(line.len());
                let cell = line.get(start.min(end)..end).unwrap_or_default();
                start = end + 1;
                unescaped(cell.iter().skip_while(|letter| **letter == ' ').collect())
            })
            .collect()
    };
    Some(Printed {
        columns: columns.iter().map(|column| column.name).collect(),
        rows: lines.iter().map(read_row).collect(),
    })
}

/// A cell with the breaks and tabs that are printed as two letters.
fn unescaped(cell: String) -> String {
    match cell.contains('\\') {
        true => cell.replace("\\n", "\n").replace("\\t", "\t").replace("\\r", "\r"),
        false => cell,
    }
}

/// Where the headers of columns end in a line that holds them and nothing else.
fn header_ends(line: &str, columns: &[Column]) -> Option<Vec<usize>> {
    let mut rest = line;
    let ends = columns.iter().map(|column| {
        rest = rest.trim_start_matches(' ').strip_prefix(column.name)?;
        Some(line.len() - rest.len())
    });
    let ends: Vec<usize> = ends.collect::<Option<_>>()?;
    rest.is_empty().then_some(ends)
}

impl Printed {
    /// The cells of a column by its name, from the first row to the last.
    pub fn column(&self, name: &str) -> impl Iterator<Item = &str> {
        let place = self.columns.iter().position(|column| *column == name);
        self.rows.iter().filter_map(move |row| row.get(place?).map(String::as_str))
    }
}
