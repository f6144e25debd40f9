//! Printing: whole texts at once, colours on terminals only.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use tokio::runtime::{Builder, Runtime};

use rolecall_core::files;
use rolecall_core::reports::{Layout, Paint, Style};
pub(crate) use rolecall_core::text::harmless;
pub(crate) use rolecall_core::text::json::harmless as harmless_json;
use rolecall_core::text::visible;
use rolecall_run::config::{did_you_mean, listed};

/// Set once the terminal was closed.
static HUNG_UP: AtomicBool = AtomicBool::new(false);

/// Notes that the terminal was closed: that nothing can be printed there is no error any more.
pub(crate) fn expect_no_reader() {
    HUNG_UP.store(true, Ordering::Relaxed);
}

/// Writes a text to standard output. A reader that has gone away (`| head`) is no problem.
pub(crate) fn emit(text: &str) -> anyhow::Result<()> {
    offer(text).map(|_| ())
}

/// Writes a JSON value as a line to standard output: what models, users and data sets wrote steers no terminal there.
pub(crate) fn emit_json(value: impl Display) -> anyhow::Result<()> {
    emit(&json_line(value))
}

/// Formats a JSON value as a line that steers no terminal.
pub(crate) fn json_line(value: impl Display) -> String {
    harmless_json(&format!("{value}\n")).into_owned()
}

/// A writer of JSON lines that steer no terminal.
pub(crate) struct JsonLines<W> {
    output: W,
    /// The beginning of a line.
    held: Vec<u8>,
}

impl<W: Write> JsonLines<W> {
    /// Writes to the output.
    pub(crate) fn new(output: W) -> Self {
        Self { output, held: Vec::new() }
    }

    fn flush_held(&mut self) -> io::Result<()> {
        let lines = String::from_utf8_lossy(&self.held);
        self.output.write_all(harmless_json(&lines).as_bytes())?;
        self.held.clear();
        Ok(())
    }
}

impl<W: Write> Write for JsonLines<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A long line comes in many small pieces: only what is new can end it.
        let end = bytes.iter().rposition(|byte| *byte == b'\n');
        let (ended, rest) = bytes.split_at(end.map_or(0, |end| end + 1));
        if !ended.is_empty() {
            self.held.extend_from_slice(ended);
            self.flush_held()?;
        }
        self.held.extend_from_slice(rest);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.flush_held()?;
        self.output.flush()
    }
}

/// Writes the text of a command that did what it was asked to.
pub(crate) fn succeed(text: &str) -> anyhow::Result<ExitCode> {
    emit(text)?;
    Ok(ExitCode::SUCCESS)
}

/// Exit code 1 if something failed, else 0.
pub(crate) fn exit_code(failed: bool) -> anyhow::Result<ExitCode> {
    Ok(ExitCode::from(u8::from(failed)))
}

/// Replaces a file; `noun` names it in the error, with a blank behind: `the page `.
pub(crate) fn save(noun: &str, file: &Path, content: impl AsRef<[u8]>) -> anyhow::Result<()> {
    files::replace(file, content.as_ref()).with_context(|| format!("{noun}`{}` cannot be written", file.display()))
}

/// A path for a message or a line of output: it steers no terminal.
pub(crate) fn shown(path: &Path) -> String {
    visible(&path.display().to_string()).into_owned()
}

/// A runtime on this thread, for the requests of a command that plays nothing.
pub(crate) fn runtime() -> anyhow::Result<Runtime> {
    Builder::new_current_thread().enable_all().build().context("no runtime for requests")
}

/// Writes a text to standard output. False if the reader has gone away (`| head`).
pub(crate) fn offer(text: &str) -> anyhow::Result<bool> {
    // A terminal that was closed is no problem either.
    delivered(&mut io::stdout().lock(), text).or_else(|error| match HUNG_UP.load(Ordering::Relaxed) {
        true => Ok(false),
        false => Err(error),
    })
}

/// Writes a text to a reader. False if the reader has gone away.
pub(super) fn delivered(output: &mut dyn Write, text: &str) -> anyhow::Result<bool> {
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
        written => Ok(written.map(|()| true)?),
    }
}

/// Writes a remark to standard error.
pub(crate) fn remark(text: &str) {
    // Nobody is left to be told if this fails.
    let _ = writeln!(io::stderr(), "{}", harmless(text));
}

/// The layout of results on standard output: as wide as the terminal, in colour if wanted.
pub(crate) fn layout() -> Layout {
    let width = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    Layout { style: style(&io::stdout()), width: width.unwrap_or(Layout::default().width).max(40) }
}

/// The layout of lists, whose lines are not broken: without a terminal, that of a narrow one.
pub(crate) fn list_layout() -> Layout {
    const NARROW: usize = 80;
    match terminal_size::terminal_size() {
        Some(_) => layout(),
        None => Layout { width: NARROW, ..layout() },
    }
}

/// Writes an error and its causes to standard error.
pub(crate) fn complain(error: &anyhow::Error) {
    let word = style(&io::stderr()).paint(Paint::Bad, "error:");
    // Nobody is left to be told if this fails.
    let _ = writeln!(io::stderr(), "{word} {}", error_text(error));
}

/// An error and its causes. A cause that the message before it has already told is not repeated;
/// names of files and words of configs come from elsewhere and must not steer a terminal.
fn error_text(error: &anyhow::Error) -> String {
    let mut parts: Vec<String> = Vec::new();
    for cause in error.chain().map(ToString::to_string) {
        if !parts.last().is_some_and(|before| before.contains(&cause)) {
            parts.push(cause);
        }
    }
    harmless(&parts.join(": "))
}

/// The end of a message about an unknown word: what may have been meant, and what there is.
pub(crate) fn instead(word: &str, known: &[&str]) -> String {
    if known.is_empty() {
        return "; it has none".to_owned();
    }
    let words = known.iter().copied();
    format!("{}; there is {}", did_you_mean(word, words.clone()), listed(words))
}

/// Colour if the reader of the stream wants it: on a terminal, and not with `NO_COLOR`.
pub(crate) fn style(stream: &impl IsTerminal) -> Style {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    match stream.is_terminal() && !unwanted {
        true => Style::Ansi,
        false => Style::Unstyled,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_json_are_harmless_however_they_come() {
        let whole = "{\"a\":\"\u{9b}2J\"}\n[\"\u{202e}\"]\n\"é";
        for size in 1..=whole.len() {
            let mut lines = JsonLines::new(Vec::new());
            for piece in whole.as_bytes().chunks(size) {
                lines.write_all(piece).unwrap();
            }
            lines.flush().unwrap();
            let written = String::from_utf8(lines.output).unwrap();
            assert_eq!(written, "{\"a\":\"\\u009b2J\"}\n[\"\\u202e\"]\n\"é");
        }
    }

    #[test]
    fn causes_are_told_once_and_steer_no_terminal() {
        let cause = io::Error::other("no\u{1b}[2J room");
        let error = anyhow::Error::from(cause).context("`x` failed: no\u{1b}[2J room\nelse");
        assert_eq!(error_text(&error), "`x` failed: no\\u{1b}[2J room\nelse");
        let error = anyhow::anyhow!("why").context("what");
        assert_eq!(error_text(&error), "what: why");
    }
}
