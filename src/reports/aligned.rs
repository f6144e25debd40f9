//! Texts in columns, aligned by their width on the screen.

use crate::text::visible;
use crate::text::wrap::columns;

/// On which side a column's texts stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// For names.
    Left,
    /// For numbers.
    Right,
}

/// The space between two columns.
pub(super) const GAP: &str = "  ";

/// Columns that the text takes once it is made visible.
pub(super) fn width(text: &str) -> usize {
    columns(&visible(text))
}

/// Cells side by side, each made visible and as wide as said. Nothing is padded at the end.
pub(super) fn line<'a>(cells: impl Iterator<Item = (&'a str, usize, Align)>) -> String {
    let cell = |(text, width, align): (&str, usize, Align)| {
        let shown = visible(text);
        let padding = " ".repeat(width.saturating_sub(columns(&shown)));
        match align {
            Align::Left => format!("{shown}{padding}"),
            Align::Right => format!("{padding}{shown}"),
        }
    };
    let cells: Vec<String> = cells.map(cell).collect();
    cells.join(GAP).trim_end().to_owned()
}

/// Rows without heads, each line after `indent`. Texts may come from anywhere.
pub fn aligned(rows: &[Vec<String>], indent: &str) -> String {
    let most = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |column: usize| {
        let texts = rows.iter().filter_map(|row| row.get(column));
        texts.map(|text| width(text)).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..most).map(widest).collect();
    let lines = rows.iter().map(|row| {
        let cells = row.iter().zip(&widths);
        let cells = cells.map(|(text, width)| (text.as_str(), *width, Align::Left));
        let text = format!("{indent}{}", line(cells));
        format!("{}\n", text.trim_end())
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let rows = [row(["a", "b"]), row(["世界", "c\u{1b}"]), row(["", ""])];
        assert_eq!(aligned(&rows, "  "), "  a     b\n  世界  c\\u{1b}\n\n");
    }
}
