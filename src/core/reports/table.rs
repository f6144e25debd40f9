//! Tables of plain text and of Markdown.

use super::markdown::inline;
use super::{Layout, Paint};
use crate::text::visible;
use crate::text::wrap::columns;

/// A table: a heading, columns, rows of text. Texts may come from anywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    title: String,
    heads: Vec<(String, Align)>,
    keys: usize,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without columns and rows.
    pub fn new(title: &str) -> Self {
        Self { title: title.to_owned(), heads: Vec::new(), keys: 0, rows: Vec::new() }
    }

    /// Adds a column that says what a row is about. Key columns come before the others; a table
    /// that is too wide repeats them.
    #[must_use]
    pub fn key(mut self, head: &str) -> Self {
        self.heads.insert(self.keys, (head.to_owned(), Align::Left));
        self.keys += 1;
        self
    }

    /// Adds a column.
    #[must_use]
    pub fn column(mut self, head: &str, align: Align) -> Self {
        self.heads.push((head.to_owned(), align));
        self
    }

    /// Adds columns that say what a row is about.
    #[must_use]
    pub fn keys_of<'a>(self, heads: impl IntoIterator<Item = &'a str>) -> Self {
        heads.into_iter().fold(self, Self::key)
    }

    /// Adds columns of numbers, or of what stands in place of some.
    #[must_use]
    pub fn numbers<'a>(self, heads: impl IntoIterator<Item = &'a str>) -> Self {
        heads.into_iter().fold(self, |table, head| table.column(head, Align::Right))
    }

    /// Adds columns of texts.
    #[must_use]
    pub fn texts<'a>(self, heads: impl IntoIterator<Item = &'a str>) -> Self {
        heads.into_iter().fold(self, |table, head| table.column(head, Align::Left))
    }

    /// Adds a row; missing texts are empty, further ones are dropped.
    pub fn row(&mut self, mut texts: Vec<String>) {
        texts.resize(self.heads.len(), String::new());
        self.rows.push(texts);
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The heading.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The heads of the columns.
    pub fn heads(&self) -> &[(String, Align)] {
        &self.heads
    }

    /// Number of columns that say what a row is about.
    pub fn keys(&self) -> usize {
        self.keys
    }

    /// The rows.
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// The table as aligned text. What does not fit into the width follows below, with the key
    /// columns repeated.
    pub fn text(&self, layout: &Layout) -> String {
        let widths = self.widths();
        let mut text = String::new();
        if !self.title.is_empty() {
            text.push_str(&layout.style.paint(Paint::Heading, &visible(&self.title)));
            text.push('\n');
        }
        for (place, block) in self.blocks(&widths, layout.width).iter().enumerate() {
            if place > 0 {
                text.push('\n');
            }
            self.block(block, &widths, layout, &mut text);
        }
        text
    }

    /// The table as Markdown, everything in it escaped.
    pub fn markdown(&self) -> String {
        let rules = self.heads.iter().map(|(_, align)| match align {
            Align::Left => " --- |",
            Align::Right => " ---: |",
        });
        let rules: String = rules.collect();
        let heads = markdown_row(self.heads.iter().map(|(head, _)| head));
        let rows: String = self.rows.iter().map(markdown_row).collect();
        format!("{heads}|{rules}\n{rows}")
    }

    /// A section of a Markdown page with the table; nothing if there are no rows.
    pub(super) fn section(&self) -> String {
        if self.is_empty() {
            return String::new();
        }
        format!("\n## {}\n\n{}", inline(&self.title), self.markdown())
    }

    fn widths(&self) -> Vec<usize> {
        let mut widths: Vec<usize> = self.heads.iter().map(|(head, _)| width(head)).collect();
        for row in &self.rows {
            for (widest, text) in widths.iter_mut().zip(row) {
                *widest = width(text).max(*widest);
            }
        }
        widths
    }

    /// Columns in blocks that fit; every block begins with the keys and has at least one more.
    fn blocks(&self, widths: &[usize], width: usize) -> Vec<Vec<usize>> {
        let space = |column: usize| widths.get(column).map_or(0, |width| width + GAP.len());
        let keys: usize = (0..self.keys).map(space).sum();
        let mut blocks = Vec::new();
        let mut block: Vec<usize> = (0..self.keys).collect();
        let mut used = keys;
        for column in self.keys..widths.len() {
            if block.len() > self.keys && used + space(column) > width + GAP.len() {
                blocks.push(std::mem::replace(&mut block, (0..self.keys).collect()));
                used = keys;
            }
            block.push(column);
            used += space(column);
        }
        blocks.push(block);
        blocks
    }

    fn block(&self, block: &[usize], widths: &[usize], layout: &Layout, text: &mut String) {
        let dim = |line: &str| layout.style.paint(Paint::Dim, line).into_owned() + "\n";
        let heads: Vec<String> = self.heads.iter().map(|(head, _)| head.clone()).collect();
        text.push_str(&dim(&self.line(block, widths, &heads)));
        let rules = block.iter().filter_map(|column| widths.get(*column));
        let rules: Vec<String> = rules.map(|width| "─".repeat(*width)).collect();
        text.push_str(&dim(&rules.join(GAP)));
        for row in &self.rows {
            text.push_str(&self.line(block, widths, row));
            text.push('\n');
        }
    }

    fn line(&self, block: &[usize], widths: &[usize], texts: &[String]) -> String {
        line(block.iter().filter_map(|column| {
            let text = texts.get(*column).map_or("", String::as_str);
            let (_, align) = self.heads.get(*column)?;
            Some((text, *widths.get(*column)?, *align))
        }))
    }
}

fn markdown_row<'a>(cells: impl IntoIterator<Item = &'a String>) -> String {
    let cells = cells.into_iter().map(|cell| format!(" {} |", inline(cell)));
    format!("|{}\n", cells.collect::<String>())
}

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
    let widest =
        |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|text| width(text)).max().unwrap_or(0);
    let widths: Vec<usize> = (0..most).map(widest).collect();
    rows.iter()
        .map(|row| {
            let cells = row.iter().zip(&widths);
            let cells = cells.map(|(text, width)| (text.as_str(), *width, Align::Left));
            let text = format!("{indent}{}", line(cells));
            format!("{}\n", text.trim_end())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::wrap::columns;

    fn table() -> Table {
        let mut table = Table::new("Figures").key("cell");
        for head in ["put", "clean", "heat"] {
            table = table.column(head, Align::Right);
        }
        table.row(["世界", "9.0", "10.5", "\u{1b}["].map(str::to_owned).to_vec());
        table.row(["react", "1"].map(str::to_owned).to_vec());
        table
    }

    #[test]
    fn columns_are_aligned_by_their_width_on_the_screen() {
        let expected = [
            "Figures",
            "cell   put  clean     heat",
            "─────  ───  ─────  ───────",
            "世界   9.0   10.5  \\u{1b}[",
            "react    1",
            "",
        ];
        assert_eq!(table().text(&Layout::default()), expected.join("\n"));
    }

    #[test]
    fn what_is_too_wide_follows_below_with_its_keys() {
        let narrow = Layout { width: 18, ..Layout::default() };
        let text = table().text(&narrow);
        assert!(text.lines().all(|line| columns(line) <= 18), "{text}");
        assert_eq!(text.matches("react").count(), 2);
        assert_eq!(text.matches("heat").count(), 1);
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let rows = [row(["a", "b"]), row(["世界", "c\u{1b}"]), row(["", ""])];
        assert_eq!(aligned(&rows, "  "), "  a     b\n  世界  c\\u{1b}\n\n");
    }
}
