//! Printing: whole texts at once, tables, colours on terminals only.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write as _};

use crate::reports::{Layout, Style};
use crate::text::visible;

/// Writes a text to standard output. A reader that has gone away (`| head`) is no problem.
pub(crate) fn emit(text: &str) -> anyhow::Result<()> {
    let mut output = io::stdout().lock();
    let written = output
        .write_all(text.as_bytes())
        .and_then(|()| output.flush());
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

/// Writes a remark to standard error.
pub(crate) fn note(text: &str) {
    // Nobody is left to be told if this fails.
    let _ = writeln!(io::stderr(), "{}", harmless(text));
}

/// How results are laid out on standard output: as wide as the terminal, in colour if wanted.
pub(crate) fn layout() -> Layout {
    let width = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let style = if Paint::new(&io::stdout()).is_on() {
        Style::Ansi
    } else {
        Style::Plain
    };
    Layout {
        style,
        width: width.unwrap_or(Layout::default().width).max(40),
    }
}

/// Writes an error and its causes to standard error.
pub(crate) fn complain(error: &anyhow::Error) {
    let paint = Paint::new(&io::stderr());
    // Nobody is left to be told if this fails.
    let _ = writeln!(io::stderr(), "{} {}", paint.red("error:"), told(error));
}

/// An error and its causes. A cause that the message before it has already told is not repeated;
/// names of files and words of configs come from elsewhere and must not steer a terminal.
fn told(error: &anyhow::Error) -> String {
    let mut parts: Vec<String> = Vec::new();
    for cause in error.chain().map(ToString::to_string) {
        if !parts.last().is_some_and(|before| before.contains(&cause)) {
            parts.push(cause);
        }
    }
    harmless(&parts.join(": "))
}

/// The text with every line made harmless for a terminal.
pub(crate) fn harmless(text: &str) -> String {
    let lines = text.lines().map(visible);
    lines.collect::<Vec<_>>().join("\n")
}

/// Colours, if the reader wants them: on a terminal, and not with `NO_COLOR`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Paint(bool);

impl Paint {
    /// For one of the standard streams.
    pub(crate) fn new(stream: &impl IsTerminal) -> Self {
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Self(stream.is_terminal() && !unwanted)
    }

    /// No colours.
    pub(crate) fn none() -> Self {
        Self(false)
    }

    /// Whether there are colours.
    pub(crate) fn is_on(self) -> bool {
        self.0
    }

    /// For headings.
    pub(crate) fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// For errors.
    pub(crate) fn red(self, text: &str) -> String {
        self.wrap("1;31", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.0 {
            format!("\u{1b}[{code}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }
}

/// Rows as aligned columns, each line after `indent`. The last column is not padded. Cells are shown
/// as they are, colours would be written out.
pub(crate) fn aligned(rows: &[Vec<String>], indent: &str) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        let widths = cells.map(|cell| visible(cell).chars().count());
        widths.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = indent.to_owned();
        for (cell, width) in row.iter().zip(&widths) {
            // Writing to a text cannot fail.
            let _ = write!(line, "{:width$}  ", visible(cell));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        let text = aligned(&[row(["a", "b"]), row(["äöü", "c"])], "  ");
        assert_eq!(text, "  a    b\n  äöü  c\n");
    }

    #[test]
    fn causes_are_told_once_and_steer_no_terminal() {
        let cause = io::Error::other("no\u{1b}[2J room");
        let error = anyhow::Error::from(cause).context("`x` failed: no\u{1b}[2J room\nelse");
        assert_eq!(told(&error), "`x` failed: no\\u{1b}[2J room\nelse");
        let error = anyhow::anyhow!("why").context("what");
        assert_eq!(told(&error), "what: why");
    }

    #[test]
    fn no_colours_unless_wanted() {
        assert_eq!(Paint(false).red("x"), "x");
        assert_eq!(Paint(true).bold("x"), "\u{1b}[1mx\u{1b}[0m");
    }
}
