use std::io::Cursor;
use std::sync::{Arc, Mutex};

use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::*;
use crate::domain::{
    Answer, Brief, CellName, EpisodeId, Event, Message, Move, MoveKind, MoveKinds, Observation, Opened, PrivateInfo,
    PublicTask, RoleName, Seed, Transcript, Utterance, Visibility,
};
use crate::ports::model::{Calls, NoBook};
use crate::ports::{ParameterValue, Parameters, Turn, World};
use crate::users::length::Length;

#[derive(Clone, Default)]
struct Printed(Arc<Mutex<Vec<u8>>>);

impl Write for Printed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Printed {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

fn executor() -> Seat {
    Seat::Role(RoleName::new("executor").unwrap())
}

/// A question to the seat after these events.
fn question(seat: Seat, messages: Vec<(Seat, Seat, Message)>) -> Question {
    let transcript = Transcript::new(Visibility::default());
    let opened = Opened {
        task: Arc::new(PublicTask::new("t", "find", "Find the mug\u{202e}.")),
        cell: CellName::new("main").unwrap(),
        strategy: "react".to_owned(),
        roles: Vec::new(),
        user: None,
        fork: None,
        served: None,
    };
    let conductor = || Seat::Conductor;
    let first = (conductor(), conductor(), Message::Opened(Box::new(opened)));
    let all = std::iter::once(first).chain(messages);
    for (seq, (from, to, message)) in (0..).zip(all) {
        let event = Event { seq, cause: None, from, to, message };
        transcript.append(event).unwrap();
    }
    let end = transcript.events(100).count();
    Question {
        turn: Turn {
            episode: EpisodeId { cell: CellName::new("main").unwrap(), task: 0, repeat: 0 },
            view: transcript.visible_to(seat.clone(), 0, end),
            seat,
            number: 0,
            attempt: 0,
            seed: Seed(1),
            deadline: std::time::Duration::from_secs(120),
            cancel: CancellationToken::new(),
            calls: Calls::new(Arc::new(NoBook), 0),
        },
        world: World::default(),
        first: true,
        patience: None,
        length: Length::default(),
    }
}

fn private_part(audience: Seat, secret: &str) -> (Seat, Seat, Message) {
    let part = PrivateInfo { audience: audience.clone(), label: "goal".to_owned(), value: Arc::new(json!(secret)) };
    (Seat::Conductor, audience, Message::Entrusted(Box::new(part)))
}

fn asked(text: &str) -> Question {
    let told = Message::Told(Utterance::text(text));
    let told = (Seat::Conductor, Seat::User, told);
    let (user_part, other) = (private_part(Seat::User, "red mug"), private_part(executor(), "blue mug"));
    question(Seat::User, vec![user_part, other, told])
}

fn briefed(open: &[MoveKind]) -> Question {
    let brief = Brief { open: MoveKinds::of(open), steps_left: Some(7), ..Brief::default() };
    let seen = Message::Observed(Observation::text("You see\na desk 1\u{7}."));
    let messages = vec![
        private_part(Seat::User, "red mug"),
        (Seat::Environment, Seat::Conductor, seen),
        (Seat::Conductor, executor(), Message::Brief(brief)),
    ];
    question(executor(), messages)
}

/// Asks all of them, with this on standard input.
fn answers(questions: Vec<Question>, input: &'static str) -> (Vec<Result<Said, String>>, String) {
    let printed = Printed::default();
    let desk = open_desk(move || Cursor::new(input), printed.clone(), || 60);
    let ask = |question| {
        let (answer, answered) = oneshot::channel();
        desk.send(Waiting { question, answer }).unwrap();
        answered.blocking_recv().unwrap()
    };
    let said = questions.into_iter().map(ask).collect();
    (said, printed.text())
}

#[test]
fn turns_are_served_one_after_the_other_and_the_end_is_told() {
    let printed = Printed::default();
    let desk = open_desk(|| Cursor::new("desk 1\r\n"), printed.clone(), || 60);
    let (answer, dropped) = oneshot::channel();
    drop(dropped);
    let question = asked("withdrawn");
    desk.send(Waiting { question, answer }).unwrap();
    let mut said = Vec::new();
    for text in ["where?\u{1b}[2J", "and now?", "nobody there?"] {
        let (answer, answered) = oneshot::channel();
        let question = asked(text);
        desk.send(Waiting { question, answer }).unwrap();
        said.push(answered.blocking_recv().unwrap());
    }
    assert_eq!(said[0], Ok(Said::Words(Utterance::text("desk 1"))));
    assert!(said[1..].iter().all(Result::is_err));
    let shown = printed.text();
    assert!(shown.contains("agent: where?\\u{1b}[2J\n"), "{shown}");
    assert!(!shown.contains("withdrawn") && shown.contains("task: Find the mug\\u{202e}."));
    assert!(!shown.contains("nobody there?"), "{shown}");
}

#[test]
fn an_empty_line_is_no_answer_and_what_others_know_is_not_shown() {
    let (said, shown) = answers(vec![asked("Which mug?")], "\n   \nthe red one /done\n");
    let left = Utterance::leaving("the red one", true);
    assert_eq!(said, [Ok(Said::Words(left))]);
    assert_eq!(shown.matches("you: ").count(), 3, "{shown}");
    assert!(shown.contains("goal: red mug") && !shown.contains("blue mug"), "{shown}");
}

#[test]
fn a_role_sees_its_view_and_moves_by_lines() {
    let open = [MoveKind::Think, MoveKind::Act];
    let turns = vec![briefed(&open), briefed(&open), briefed(&open), briefed(&open)];
    let input = "\nfinish: x\n/done\n/help\ngo to desk 1\nthink: It is\\\nhere.\n{\"moves\":[]}\n/quit\n";
    let (said, shown) = answers(turns, input);
    let moves = |made: Move| Ok(Said::Moves(Answer::from(made)));
    assert_eq!(said[0], moves(Move::act("go to desk 1")));
    assert_eq!(said[1], moves(Move::think("It is here.")));
    assert_eq!(said[2], Ok(Said::GivesUp));
    assert!(said[3].is_err());
    assert!(shown.contains("  a desk 1\\u{7}.\n") && !shown.contains("red mug"), "{shown}");
    assert!(shown.contains("open: act, think; steps left: 7"), "{shown}");
    assert!(shown.contains("/quit gives it up") && shown.contains("`think:"), "{shown}");
}

#[test]
fn lines_break_no_word_at_the_width_of_the_terminal() {
    let text = "Could you please tell me where exactly you have put the mug yesterday?";
    let (_, shown) = answers(vec![asked(text)], "here\n");
    assert!(shown.lines().all(|line| line.chars().count() <= 60), "{shown}");
    let words: Vec<&str> = shown.split_whitespace().collect();
    assert!(text.split(' ').all(|word| words.contains(&word)), "{shown}");
}

#[test]
fn a_person_is_told_the_limit_and_asked_until_the_answer_fits() {
    let words = ParameterValue::Integer(3);
    let mut question = asked("which?");
    question.length = Length::of(&Parameters::default().with("most_words", words));
    let input = "a red shoe of size nine\na red shoe\n";
    let (said, shown) = answers(vec![question], input);
    assert_eq!(said, [Ok(Said::Words(Utterance::text("a red shoe")))]);
    assert!(shown.contains("you (at most 3 words): "), "{shown}");
    assert!(shown.contains("longer than 3 words"), "{shown}");
}
