//! A person at the terminal: questions are printed on standard error, answers are read from
//! standard input, one line each.
//!
//! The terminal belongs to one thread that serves one question after the other, so that prompts
//! of concurrent episodes never mix and no arbiter ever waits for a keyboard.

use std::io::{self, BufRead, Write};
use std::mem;
use std::sync::{Arc, OnceLock, mpsc};
use std::thread;

use async_trait::async_trait;
use tokio::sync::oneshot;

use super::length::{Length, MOST_TOKENS, MOST_WORDS, TOO_LONG};
use crate::domain::{Message, Utterance};
use crate::ports::{
    Parameter, SetupError, Turn, UserError, UserFactory, UserSetup, UserSimulator, Words,
};
use crate::prompts::lines;
use crate::text::visible;

/// The name of this kind of user.
pub const NAME: &str = "human";

/// The most actions and observations that are told with a question.
const NEWS: usize = 12;

/// What is told once in each episode.
const LEAVING: &str =
    "/quit at the end of a line leaves the conversation, /done leaves it with what you came for";

/// A question that waits for the person.
struct Question {
    episode: String,
    /// The task of the episode, told with its first question and with the first after `rolecall resume`.
    task: Option<String>,
    /// This person was asked nothing in the episode so far.
    is_first: bool,
    /// The dialogue that the person goes on with (`USER: ...`, one a line) and what the person wants, told with the
    /// task.
    so_far: String,
    /// The actions and observations since the last question that the person may know.
    news: Vec<String>,
    text: String,
    /// How long the answer may be.
    length: Length,
    answer: oneshot::Sender<Result<String, UserError>>,
}

type Desk = mpsc::Sender<Question>;

/// The process has one standard input, so it has one thread that reads it; it starts with the
/// first question.
static TERMINAL: OnceLock<Desk> = OnceLock::new();

/// The parameters of the user.
pub const PARAMETERS: &[Parameter] = &[MOST_WORDS, MOST_TOKENS, TOO_LONG];

/// Builds the user (registry entry `human`).
pub fn build(setup: &UserSetup) -> Result<UserFactory, SetupError> {
    let words = setup.world.words;
    let length = Length::of(&setup.parameters);
    Ok(Arc::new(move || {
        Box::new(HumanUser {
            words,
            length,
            told: false,
        }) as Box<dyn UserSimulator>
    }))
}

/// The person at the terminal.
pub struct HumanUser {
    words: &'static dyn Words,
    length: Length,
    /// The person was told what the episode is about; whoever goes on with it is told again.
    told: bool,
}

#[async_trait]
impl UserSimulator for HumanUser {
    async fn reply(&mut self, turn: &Turn) -> Result<Utterance, UserError> {
        let asked = turn.question();
        let asked = asked.ok_or_else(|| UserError::Failed("nothing was asked".to_owned()))?;
        let desk = TERMINAL.get_or_init(|| open_desk(|| io::stdin().lock(), io::stderr()));
        self.ask(desk, turn, &asked.text).await
    }

    fn is_external(&self) -> bool {
        true
    }
}

impl HumanUser {
    async fn ask(&mut self, desk: &Desk, turn: &Turn, text: &str) -> Result<Utterance, UserError> {
        let gone = || UserError::Unavailable("the terminal is not read any more".to_owned());
        let (answer, answered) = oneshot::channel();
        let first = !mem::replace(&mut self.told, true);
        let task = turn.task().filter(|_| first);
        let so_far = task.map(|task| lines(&self.words.conversation(task).said));
        let mut so_far = so_far.unwrap_or_default();
        // The request of a dialogue task is the last line of its dialogue.
        let request = task.filter(|task| so_far.is_empty() && !task.text.is_empty());
        let wanted = task.map(|_| self.words.wanted(&turn.view));
        for line in wanted.iter().flatten() {
            so_far.push_str(line);
            so_far.push('\n');
        }
        let question = Question {
            episode: turn.episode.to_string(),
            task: request.map(|task| task.text.clone()),
            is_first: first,
            so_far,
            news: news(turn),
            text: text.to_owned(),
            length: self.length,
            answer,
        };
        desk.send(question).map_err(|_| gone())?;
        let line = tokio::select! {
            biased;
            () = turn.cancel.cancelled() => {
                return Err(UserError::Failed("the question was withdrawn".to_owned()));
            }
            line = answered => line.map_err(|_| gone())??,
        };
        Ok(match left(&line) {
            Some((text, satisfied)) => self.length.held(Utterance::leaving(text, satisfied)),
            None => self.length.held(Utterance::text(line)),
        })
    }
}

/// The last words of a person who leaves with this line, and whether they have what they came for: a command stands at
/// its end, as a word of its own.
fn left(line: &str) -> Option<(&str, bool)> {
    let (before, last) = line.rsplit_once(char::is_whitespace).unwrap_or(("", line));
    match last {
        "/quit" => Some((before.trim(), false)),
        "/done" => Some((before.trim(), true)),
        _ => None,
    }
}

/// The last actions and observations that are new to the person, if its view holds any.
fn news(turn: &Turn) -> Vec<String> {
    let events = turn.view.new_events();
    let lines = events.filter_map(|event| match &event.message {
        Message::Perform(action) => Some(format!("> {}", action.text)),
        Message::Observed(observation) => Some(observation.text.clone()),
        _ => None,
    });
    let mut lines: Vec<String> = lines.collect();
    lines.split_off(lines.len().saturating_sub(NEWS))
}

/// Starts the thread that serves questions.
fn open_desk<R: BufRead>(
    input: impl FnOnce() -> R + Send + 'static,
    output: impl Write + Send + 'static,
) -> Desk {
    let (desk, questions) = mpsc::channel();
    // A thread that cannot be started drops the queue's end, and asking reports that.
    let thread = thread::Builder::new().name("terminal".to_owned());
    let _ = thread.spawn(move || serve(&questions, &mut input(), output));
    desk
}

fn serve(questions: &mpsc::Receiver<Question>, input: &mut impl BufRead, mut output: impl Write) {
    let mut ended = false;
    for question in questions {
        if question.answer.is_closed() {
            continue;
        }
        let line = if ended {
            Err(nobody())
        } else {
            put(&question, input, &mut output).and_then(|line| {
                ended = line.is_none();
                line.ok_or_else(nobody)
            })
        };
        if question.answer.send(line).is_err() {
            let notice = "(that question was withdrawn; the answer is not used)";
            let _ = writeln!(output, "{notice}");
        }
    }
}

/// Standard input does not begin again once it has ended: nobody is asked any more.
fn nobody() -> UserError {
    let why = "standard input has ended; use another kind of user for runs without a person";
    UserError::Unavailable(why.to_owned())
}

/// Puts one question to the person. An empty line is an answer; the end of the input is none.
fn put(
    question: &Question,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> Result<Option<String>, UserError> {
    let unavailable = |error: io::Error| UserError::Unavailable(format!("the terminal: {error}"));
    prompt(question, output).map_err(unavailable)?;
    loop {
        let mut line = Vec::new();
        let read = input.read_until(b'\n', &mut line).map_err(unavailable)?;
        if read == 0 {
            writeln!(output, "(standard input has ended)").map_err(unavailable)?;
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line).trim().to_owned();
        let Question {
            episode, length, ..
        } = question;
        let limit = length.limit().filter(|_| length.asks);
        let Some(limit) = limit.filter(|_| {
            length
                .cut(left(&line).map_or(&line, |(text, _)| text))
                .is_some()
        }) else {
            return Ok(Some(line));
        };
        write!(output, "[{episode}] that is longer than {limit}; you: ").map_err(unavailable)?;
        output.flush().map_err(unavailable)?;
    }
}

fn prompt(question: &Question, output: &mut impl Write) -> io::Result<()> {
    let Question { episode, text, .. } = question;
    writeln!(output)?;
    if let Some(task) = &question.task {
        writeln!(output, "[{episode}] task: {}", visible(task))?;
    }
    if question.is_first {
        writeln!(output, "[{episode}] ({LEAVING})")?;
    }
    for line in question.so_far.lines() {
        writeln!(output, "[{episode}]   {}", visible(line))?;
    }
    for line in question.news.iter().flat_map(|line| line.lines()) {
        writeln!(output, "[{episode}]   {}", visible(line))?;
    }
    writeln!(output, "[{episode}] agent: {}", visible(text))?;
    match question.length.limit() {
        Some(limit) => write!(output, "[{episode}] you (at most {limit}): ")?,
        None => write!(output, "[{episode}] you: ")?,
    }
    output.flush()
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::sync::Mutex;

    use super::*;

    #[derive(Clone, Default)]
    struct Screen(Arc<Mutex<Vec<u8>>>);

    impl Write for Screen {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn question(text: &str) -> (Question, oneshot::Receiver<Result<String, UserError>>) {
        let (answer, answered) = oneshot::channel();
        let question = Question {
            episode: "main:0:0".to_owned(),
            task: (text == "and now?").then(|| "look\u{202e}".to_owned()),
            is_first: text == "and now?",
            so_far: match text {
                "and again?" => "Teacher: Ciao\u{1b}!\nStudent: Sì.".to_owned(),
                _ => String::new(),
            },
            news: vec!["> look\u{7}".to_owned(), "You see\na desk 1.".to_owned()],
            text: text.to_owned(),
            length: Length::default(),
            answer,
        };
        (question, answered)
    }

    #[test]
    fn questions_are_served_one_after_the_other_and_the_end_is_told() {
        let screen = Screen::default();
        let desk = open_desk(|| Cursor::new("desk 1\r\n\n"), screen.clone());
        let (withdrawn, dropped) = question("withdrawn");
        drop(dropped);
        desk.send(withdrawn).unwrap();
        let mut answers = Vec::new();
        for text in ["where?\u{1b}[2J", "and now?", "nobody there?", "and again?"] {
            let (question, answered) = question(text);
            desk.send(question).unwrap();
            answers.push(answered.blocking_recv().unwrap());
        }
        assert_eq!(answers[0], Ok("desk 1".to_owned()));
        assert_eq!(answers[1], Ok(String::new()));
        for unanswered in &answers[2..] {
            assert!(matches!(unanswered, Err(UserError::Unavailable(_))));
        }
        let shown = String::from_utf8(screen.0.lock().unwrap().clone()).unwrap();
        assert!(
            shown.contains("where?\\u{1b}[2J") && !shown.contains("withdrawn"),
            "{shown}"
        );
        assert!(
            shown.contains("  > look\\u{7}\n") && shown.contains("  a desk 1.\n"),
            "{shown}"
        );
        assert!(
            shown.matches("/quit").count() == 1
                && shown.contains("task: look\\u{202e}\n")
                && !shown.contains("and again?"),
            "{shown}"
        );
    }

    #[test]
    fn a_command_at_the_end_of_a_line_leaves() {
        let table = [
            ("/quit", Some(("", false))),
            ("Bye, and thanks! /quit", Some(("Bye, and thanks!", false))),
            ("Grazie\t/done", Some(("Grazie", true))),
            ("I would /quit now", None),
            ("and/or/quit", None),
            ("", None),
        ];
        for (line, expected) in table {
            assert_eq!(left(line), expected, "{line}");
        }
    }

    #[test]
    fn a_person_is_told_the_limit_and_asked_until_the_answer_fits() {
        let screen = Screen::default();
        let desk = open_desk(
            || Cursor::new("a red shoe of size nine\na red shoe\n"),
            screen.clone(),
        );
        let (mut question, answered) = question("which?");
        let words = crate::ports::ParameterValue::Integer(3);
        let parameters = crate::ports::Parameters::default().with("most_words", words);
        question.length = Length::of(&parameters);
        desk.send(question).unwrap();
        assert_eq!(
            answered.blocking_recv().unwrap(),
            Ok("a red shoe".to_owned())
        );
        let shown = String::from_utf8(screen.0.lock().unwrap().clone()).unwrap();
        assert!(
            shown.contains("you (at most 3 words): [main:0:0] that is longer than 3 words; you: ")
        );
    }
}
