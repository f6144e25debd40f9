//! Sessions for tests, written by hand.

use serde_json::{Value, json};

use rolecall_core::domain::*;
use rolecall_core::ports::EpisodeLog;

/// A step of a session.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Line<'a> {
    /// A search that finds [`PRODUCTS`].
    Search(&'a str),
    /// A question of the agent, handed on to the shopper.
    Ask(&'a str),
    /// A question about products.
    Compare(&'a str),
    /// Its answer.
    Answer(&'a str),
    /// A product is selected.
    Select(usize),
    /// An action that is refused.
    Refused(&'a str),
}

/// The products that any search finds: the second is what is wanted.
const PRODUCTS: [&str; 3] = [
    "Ostcove Floor Lamp\nPrice: 20.0, Attributes: easy assemble, dimmable\ncolor: red, white\n",
    "Fenlume Clip on Desk Lamp\nPrice: 12.5, Attributes: dimmable, energy efficient\ncolor: blue, dark green\n",
    "Elmbury Desk Lamp\nPrice: 9.0, Attributes: energy efficient\ncolor: blue\n",
];

/// The log of a session that failed, or, of a selection of product 1, was solved.
pub(crate) fn with<T>(lines: &[Line<'_>], of: impl FnOnce(&EpisodeLog<'_>) -> T) -> T {
    log(lines, json!({ "game": "chatshop" }), of)
}

/// Made-up log of another world.
pub(crate) fn elsewhere<T>(lines: &[Line<'_>], of: impl FnOnce(&EpisodeLog<'_>) -> T) -> T {
    log(lines, Value::Null, of)
}

fn log<T>(lines: &[Line<'_>], data: Value, of: impl FnOnce(&EpisodeLog<'_>) -> T) -> T {
    let mut messages = opening(data);
    let (mut left, mut solved, mut detail) = (5, false, Value::Null);
    for line in lines {
        if matches!(line, Line::Ask(_) | Line::Compare(_)) {
            left -= 1;
        }
        if let Line::Select(number) = *line {
            solved = number == 1;
            let shares = if solved { (1.0, 1.0) } else { (0.5, 0.0) };
            detail = json!({
                "selected": "B0",
                "reward": { "r_type": 1.0, "r_att": shares.0, "r_option": shares.1, "r_price": true },
            });
        }
        messages.extend(line.messages(left));
    }
    let ending = if solved { Ending::Solved } else { Ending::Failed };
    let reward = if solved { 1.0 } else { 0.5 };
    let scored =
        Scored { trial: 0, round: 0, ending: ending.clone(), score: Score { success: solved, reward, detail } };
    messages.push(Message::Scored(Box::new(scored)));
    messages.push(Message::Closed(Outcome { ending, success: solved, reward, counts: Counts::default() }));
    let events = Event::numbered(messages);
    let id = "main:0:0".parse().unwrap();
    of(&EpisodeLog::new(&id, events.iter().collect()))
}

/// The beginning of a session.
fn opening(data: Value) -> Vec<Message> {
    let task = PublicTask { data, ..PublicTask::new("goal-1", "garden", "i need a lamp") };
    let opened = Message::Opened(Box::new(Opened {
        task: task.into(),
        cell: CellName::new("c").unwrap(),
        strategy: "chatshop".to_owned(),
        roles: vec![RoleName::new("executor").unwrap()],
        user: Some("helpful".to_owned()),
        fork: None,
        served: None,
    }));
    let part = Message::Entrusted(Box::new(PrivateInfo {
        audience: Seat::Conductor,
        label: "goal_product".to_owned(),
        value: json!({
            "asin": "B01", "name": "Fenlume Clip on Desk Lamp", "price_upper": 30.0,
            "attributes": ["dimmable", "energy efficient"], "options": ["dark green"],
            "instruction": "i need a dimmable and energy efficient lamp in dark green",
        })
        .into(),
    }));
    let goal = "Goal: i need a lamp, and price lower than 30.00 dollars";
    vec![opened, part, seen(goal, 5, false)]
}

impl Line<'_> {
    /// Messages of the step in the log, with so many questions left after it.
    fn messages(self, left: u32) -> Vec<Message> {
        let asked = |name: &str, question: &str| {
            let handed = Message::Observed(Observation::question(question));
            let mut asked = acted(format!("{name}[{question}]"), handed);
            asked.push(Message::Told(Utterance::text(question)));
            asked
        };
        match self {
            Self::Search(query) => acted(format!("search[{query}]"), seen(&listing(None), left, false)),
            Self::Ask(question) => asked("question", question),
            Self::Compare(question) => asked("opinion", question),
            Self::Answer(answer) => {
                let shown = format!("{answer} (You have {left} questions left) ");
                vec![Message::Replied(Utterance::text(answer)), seen(&shown, left, false)]
            }
            Self::Select(number) => acted(format!("select[{number}]"), seen(&listing(Some(number)), left, true)),
            Self::Refused(action) => {
                let refused = Observation::refused("\n\nInvalid action!");
                acted(action.to_owned(), Message::Observed(refused))
            }
        }
    }
}

fn acted(text: String, after: Message) -> Vec<Message> {
    let action = Action::text(text);
    let moved = Message::Moved(Move::act(action.text.clone()));
    vec![moved, Message::Perform(action), after]
}

fn seen(text: &str, left: u32, done: bool) -> Message {
    Message::Observed(Observation {
        data: Some(Box::new(json!({ "questions_left": left }))),
        done,
        ..Observation::text(text)
    })
}

fn listing(only: Option<usize>) -> String {
    let shown = PRODUCTS
        .iter()
        .enumerate()
        .filter(|(number, _)| only.is_none_or(|only| only == *number))
        .map(|(number, product)| format!("\n{number}.{product}"));
    format!("\n\nProducts:{}", shown.collect::<String>())
}
