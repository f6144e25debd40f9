//! Output that is longer than the screen goes through a pager, as that of git does.

use std::io::{self, IsTerminal};
use std::process::{Child, Command, Stdio};

use super::{output, signals};

/// The pager if no variable names another one: `-R` shows colours, `-F` quits if one screen is
/// enough, `-X` leaves the text on the screen.
const USUAL: &str = "less -RFX";

/// The variables that can name another pager, strongest first.
const VARIABLES: [&str; 2] = ["ROLECALL_PAGER", "PAGER"];

/// A screen of text.
#[derive(Clone, Copy, Debug)]
struct Screen {
    width: usize,
    height: usize,
}

/// The output of a text that may become long: held back until it fills the screen, then handed to a
/// pager; without a terminal, straight to standard output.
pub(crate) struct Pager {
    screen: Option<Screen>,
    command: String,
    held: String,
    lines: usize,
    child: Option<Child>,
}

impl Pager {
    /// Pages on a terminal unless it is not wanted.
    pub(crate) fn new(wanted: bool) -> Self {
        let command = VARIABLES.iter().find_map(|name| std::env::var(name).ok()).unwrap_or_else(|| USUAL.to_owned());
        let terminal = wanted && io::stdout().is_terminal();
        let screen = terminal_size::terminal_size()
            .filter(|_| terminal)
            .map(|(width, height)| Screen { width: usize::from(width.0).max(1), height: usize::from(height.0) });
        Self::with(screen, &command)
    }

    fn with(screen: Option<Screen>, command: &str) -> Self {
        let passes_on = ["", "cat"].contains(&command.trim());
        Self {
            screen: screen.filter(|_| !passes_on),
            command: command.to_owned(),
            held: String::new(),
            lines: 0,
            child: None,
        }
    }

    /// The next part of the text. False if nobody reads any more, which is no error.
    pub(crate) fn write(&mut self, text: &str) -> anyhow::Result<bool> {
        if let Some(child) = &mut self.child {
            return pipe(child, text);
        }
        let Some(screen) = self.screen else {
            return output::offer(text);
        };
        self.held.push_str(text);
        let rows = |line: &str| columns(line).div_ceil(screen.width).max(1);
        self.lines += text.lines().map(rows).sum::<usize>();
        // The prompt of the shell needs a line too.
        if self.lines < screen.height {
            return Ok(true);
        }
        let held = std::mem::take(&mut self.held);
        match start(&self.command) {
            Ok(mut child) => {
                signals::leave_interrupts_to_a_pager();
                let read = pipe(&mut child, &held);
                self.child = Some(child);
                read
            }
            Err(error) => {
                let command = &self.command;
                output::remark(&format!("the pager `{command}` does not start: {error}"));
                self.screen = None;
                output::offer(&held)
            }
        }
    }

    /// Writes what was held back, and waits until the reader has seen enough.
    pub(crate) fn finish(mut self) -> anyhow::Result<()> {
        match self.child.take() {
            // Dropping its input, which `wait` does, tells the pager that this was all.
            Some(mut child) => Ok(child.wait().map(drop)?),
            None => output::emit(&self.held),
        }
    }
}

/// Shows a whole text.
pub(crate) fn page(text: &str, wanted: bool) -> anyhow::Result<()> {
    let mut pager = Pager::new(wanted);
    pager.write(text)?;
    pager.finish()
}

/// A reader that quits early is no error.
fn pipe(child: &mut Child, text: &str) -> anyhow::Result<bool> {
    let Some(input) = &mut child.stdin else {
        return Ok(false);
    };
    output::delivered(input, text)
}

/// Starts the pager: by a shell if its command is more than words.
fn start(command: &str) -> io::Result<Child> {
    let simple = |letter: char| letter.is_alphanumeric() || " -_+=./\\:,@%".contains(letter);
    let mut pager = if cfg!(unix) && !command.chars().all(simple) {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(command);
        shell
    } else {
        let mut words = command.split_whitespace();
        let mut pager = Command::new(words.next().unwrap_or_default());
        pager.args(words);
        pager
    };
    if std::env::var_os("LESS").is_none() {
        pager.env("LESS", "FRX");
    }
    pager.stdin(Stdio::piped()).spawn()
}

/// Columns of a line, its colours left out.
fn columns(line: &str) -> usize {
    let mut parts = line.split('\u{1b}');
    let first = parts.next().map_or(0, |text| text.chars().count());
    let rest = parts.filter_map(|part| part.split_once('m'));
    first + rest.map(|(_, text)| text.chars().count()).sum::<usize>()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const SCREEN: Option<Screen> = Some(Screen { width: 10, height: 4 });

    #[test]
    fn colours_take_no_room() {
        assert_eq!(columns("\u{1b}[31mab\u{1b}[0mc"), 3);
        assert_eq!(columns("abc"), 3);
    }

    #[test]
    fn what_fills_the_screen_goes_through_the_pager_and_less_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("paged");
        let command = format!("cat > '{}'", file.display());
        let mut pager = Pager::with(SCREEN, &command);
        assert!(pager.write("one\ntwo\n").unwrap());
        assert!(!file.exists() && pager.child.is_none());
        // Breaks over two rows of this screen.
        assert!(pager.write("a line of 17 cols\n").unwrap());
        assert!(pager.write("more\n").unwrap());
        pager.finish().unwrap();
        let paged = std::fs::read_to_string(&file).unwrap();
        assert_eq!(paged, "one\ntwo\na line of 17 cols\nmore\n");
    }

    #[test]
    fn a_pager_that_quits_early_is_no_error() {
        let mut pager = Pager::with(SCREEN, "true");
        let long = "line\n".repeat(100_000);
        assert!(!(pager.write(&long).unwrap() && pager.write(&long).unwrap()));
        pager.finish().unwrap();
    }

    #[test]
    fn a_pager_that_is_not_there_or_not_wanted_is_done_without() {
        let mut pager = Pager::with(SCREEN, "no-such-pager-anywhere");
        assert!(pager.write("\n\n\n\n\n").unwrap());
        assert!(pager.child.is_none() && pager.screen.is_none());
        for command in ["", " cat "] {
            assert!(Pager::with(SCREEN, command).screen.is_none());
        }
    }
}
