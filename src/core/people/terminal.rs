//! People at the terminal: turns are printed on standard error, answers are read from standard input, one line each.
//!
//! The terminal belongs to one thread that serves one turn after the other, so that those of concurrent episodes
//! never mix and no arbiter ever waits for a keyboard.

use std::io::{self, BufRead, Write};
use std::sync::{OnceLock, mpsc};
use std::thread;

use async_trait::async_trait;
use tokio::sync::oneshot;

use super::question::{Question, Said};
use super::seat::Reception;
use super::sheet::{Line, Sheet};
use crate::domain::Seat;
use crate::text::wrap;

/// The most that is told of what happened before a turn.
const NEWS: usize = 60;

/// The most lines of one text.
const LINES: usize = 200;

/// Hint for the user, once in each episode.
const LEAVING: &str = "/quit at the end of a line leaves the conversation, /done leaves it with what you came for";

/// Hint for a role, once in each episode.
const HELP: &str = "/help says what you can write, /quit gives up";

/// The columns where there is no terminal: nothing is broken.
const ENDLESS: usize = 1 << 20;

/// A question that waits for the person.
struct Waiting {
    question: Question,
    answer: oneshot::Sender<Result<Said, String>>,
}

type Desk = mpsc::Sender<Waiting>;

/// The process has one standard input, so it has one thread that reads it; it starts with the
/// first question.
static TERMINAL: OnceLock<Desk> = OnceLock::new();

/// The terminal of the process.
pub(super) struct Terminal;

#[async_trait]
impl Reception for Terminal {
    async fn ask(&self, question: Question) -> Result<Said, String> {
        let desk = TERMINAL.get_or_init(|| open_desk(|| io::stdin().lock(), io::stderr(), columns));
        let gone = || "the terminal is not read any more".to_owned();
        let (answer, answered) = oneshot::channel();
        desk.send(Waiting { question, answer }).map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?
    }
}

/// The columns of the terminal that questions are printed on.
fn columns() -> usize {
    let size = terminal_size::terminal_size_of(io::stderr());
    size.map_or(ENDLESS, |(width, _)| usize::from(width.0))
}

/// Starts the thread that serves questions.
fn open_desk<R: BufRead>(
    input: impl FnOnce() -> R + Send + 'static,
    output: impl Write + Send + 'static,
    columns: fn() -> usize,
) -> Desk {
    let (desk, questions) = mpsc::channel();
    // A thread that cannot be started drops the queue's end, and asking reports that.
    let thread = thread::Builder::new().name("terminal".to_owned());
    let _ = thread.spawn(move || serve(&questions, &mut input(), output, columns));
    desk
}

fn serve(
    questions: &mpsc::Receiver<Waiting>,
    input: &mut impl BufRead,
    mut output: impl Write,
    columns: fn() -> usize,
) {
    let mut ended = false;
    for Waiting { question, answer } in questions {
        if answer.is_closed() {
            continue;
        }
        let said = if ended {
            Err(nobody())
        } else {
            let screen =
                Screen { before: format!("[{}] ", question.turn.episode), columns: columns(), output: &mut output };
            let put =
                put(&question, input, screen, || answer.is_closed()).map_err(|error| format!("the terminal: {error}"));
            put.and_then(|said| {
                ended = said.is_none();
                said.ok_or_else(nobody)
            })
        };
        if answer.send(said).is_err() {
            let notice = "(that question was withdrawn; the answer is not used)";
            let _ = writeln!(output, "{notice}");
        }
    }
}

/// Standard input does not begin again once it has ended: nobody is asked any more.
fn nobody() -> String {
    "standard input has ended; seat somebody else in runs without a person".to_owned()
}

/// The screen, with what stands before each line.
struct Screen<'a, W> {
    before: String,
    columns: usize,
    output: &'a mut W,
}

impl<W: Write> Screen<'_, W> {
    /// Writes a text in lines that break no word.
    fn say(&mut self, indent: &str, text: &str) -> io::Result<()> {
        let before = format!("{}{indent}", self.before);
        let width = self.columns.saturating_sub(wrap::columns(&before));
        wrap::lines(text, width, LINES).into_iter().try_for_each(|line| writeln!(self.output, "{before}{line}"))
    }

    fn line(&mut self, line: &Line) -> io::Result<()> {
        let Line { from, text } = line;
        match from.as_str() {
            "" | "environment" => self.say("  ", text),
            "action" => self.say("  ", &format!("> {text}")),
            from => self.say("  ", &format!("{from}: {text}")),
        }
    }
}

/// Puts one question to the person, until what comes can be read; the end of the input is no answer.
fn put(
    question: &Question,
    input: &mut impl BufRead,
    mut screen: Screen<'_, impl Write>,
    withdrawn: impl Fn() -> bool,
) -> io::Result<Option<Said>> {
    let sheet = question.sheet(question.first);
    show(question, &sheet, &mut screen)?;
    loop {
        write!(screen.output, "{}{}: ", screen.before, name(question))?;
        screen.output.flush()?;
        let Some(text) = typed(input, &mut screen)? else {
            writeln!(screen.output, "(standard input has ended)")?;
            return Ok(None);
        };
        if text.trim() == "/help" {
            help(&question.sheet(true), &mut screen)?;
            continue;
        }
        match question.read(&text) {
            Ok(said) => return Ok(Some(said)),
            // Who is too late need not be told what was wrong.
            Err(_) if withdrawn() => return Ok(Some(Said::GivesUp)),
            Err(why) => {
                let said = if why.contains("open") { why } else { format!("{why}; {}", open(&sheet)) };
                screen.say("", &said)?;
            }
        }
    }
}

/// A line, and those that follow while each ends with `\`; none at the end of the input.
fn typed(input: &mut impl BufRead, screen: &mut Screen<'_, impl Write>) -> io::Result<Option<String>> {
    let mut text = String::new();
    loop {
        let mut line = Vec::new();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        text.push_str(String::from_utf8_lossy(&line).trim_end());
        let Some(length) = text.strip_suffix('\\').map(str::len) else {
            return Ok(Some(text));
        };
        text.truncate(length);
        text.push('\n');
        write!(screen.output, "{}...: ", screen.before)?;
        screen.output.flush()?;
    }
}

/// Who is asked, and how much the answer may be.
fn name(question: &Question) -> String {
    let who = match &question.turn.seat {
        Seat::User => "you".to_owned(),
        seat => seat.to_string(),
    };
    let limit = question.limit().map(|limit| format!("at most {limit}"));
    let time = question.patience.map(|patience| {
        let seconds = patience.as_secs();
        format!("within {}:{:02}", seconds / 60, seconds % 60)
    });
    let limits: Vec<String> = limit.into_iter().chain(time).collect();
    if limits.is_empty() { who } else { format!("{who} ({})", limits.join(", ")) }
}

fn show(question: &Question, sheet: &Sheet, screen: &mut Screen<'_, impl Write>) -> io::Result<()> {
    writeln!(screen.output)?;
    if !sheet.task.is_empty() {
        screen.say("", &format!("task: {}", sheet.task))?;
    }
    let is_user = question.turn.seat == Seat::User;
    if question.first {
        let hint = if is_user { LEAVING } else { HELP };
        screen.say("", &format!("({hint})"))?;
    }
    sheet.conversation.iter().chain(&sheet.private).into_iter().try_for_each(|line| screen.line(line))?;
    // What one typed oneself stands on the screen.
    let news = sheet.news.iter();
    let news: Vec<&Line> = news.filter(|line| question.first || line.from != "you").collect();
    let left_out = news.len().saturating_sub(NEWS);
    if left_out > 0 {
        screen.say("  ", &format!("... ({left_out} earlier lines)"))?;
    }
    news[left_out..].iter().try_for_each(|line| screen.line(line))?;
    sheet.sections.iter().try_for_each(|line| screen.line(line))?;
    if let Some(notice) = &sheet.notice {
        screen.say("", notice)?;
    }
    match &sheet.question {
        Some(asked) => screen.say("", &format!("agent: {asked}")),
        None => screen.say("", &open(sheet)),
    }
}

/// Line of what is open.
fn open(sheet: &Sheet) -> String {
    if sheet.open.is_empty() {
        return "write what you answer".to_owned();
    }
    let mut text = format!("open: {}", sheet.open.join(", "));
    let left = [(sheet.steps_left, "steps"), (sheet.questions_left, "questions")];
    for (count, what) in left {
        if let Some(count) = count {
            text.push_str(&format!("; {what} left: {count}"));
        }
    }
    text
}

fn help(sheet: &Sheet, screen: &mut Screen<'_, impl Write>) -> io::Result<()> {
    let Some((usual, others)) = sheet.open.split_first() else {
        return screen.say("", LEAVING);
    };
    let others: Vec<String> = others.iter().map(|kind| format!("`{kind}: ...`")).collect();
    let others =
        if others.is_empty() { String::new() } else { format!(", and {} begins another move", others.join(" or ")) };
    screen.say(
        "",
        &format!(
            "a line is a move of the kind `{usual}`{others}; a line that ends with \\ goes on in the next; \
             /quit gives up"
        ),
    )?;
    if !sheet.acts.is_empty() {
        let acts = sheet.acts.join(", ");
        screen.say("", &format!("what is spoken begins with one of <{acts}> and a colon"))?;
    }
    for Line { from, text } in &sheet.forms {
        screen.say("  ", format!("{from}  {text}").trim_end())?;
    }
    if !sheet.admissible.is_empty() {
        screen.say("", &format!("possible now: {}", sheet.admissible.join(", ")))?;
    }
    Ok(())
}

#[cfg(test)]
#[path = "terminal_tests.rs"]
mod tests;
