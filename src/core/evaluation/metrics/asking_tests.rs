use super::*;
use crate::domain::*;
use crate::ports::Metric;

/// Events that follow each other, with those that open an episode before them.
fn events(user: bool, roles: &[&str], messages: Vec<Message>) -> Vec<Event> {
    let opened = Opened {
        task: std::sync::Arc::new(PublicTask::new("t", "put", "put a mug in desk")),
        cell: "main:0:0".parse::<EpisodeId>().unwrap().cell,
        strategy: "respact".to_owned(),
        roles: roles.iter().map(|role| RoleName::new(role).unwrap()).collect(),
        user: user.then(|| "helpful".to_owned()),
        fork: None,
        served: None,
    };
    let all = std::iter::once(Message::Opened(Box::new(opened))).chain(messages);
    Event::numbered(all)
}

fn measured(metric: &dyn Metric, events: &[Event]) -> Measurement {
    let id = "main:0:0".parse().unwrap();
    let log = EpisodeLog::new(&id, events.iter().collect());
    metric.measure(&log)
}

/// A conversation: `?` is said, `!` is answered, `>` is done, anything else is observed.
fn talk(lines: &[&str]) -> Vec<Event> {
    let message = |line: &&str| {
        let (mark, text) = line.split_at(1);
        match mark {
            "?" => Message::Told(Utterance::text(text)),
            "!" => Message::Replied(Utterance::text(text)),
            ">" => Message::Perform(Action::text(text)),
            _ => Message::Observed(Observation::text(*line)),
        }
    };
    events(true, &["executor"], lines.iter().map(message).collect())
}

const ROOM: &str = "You see a desk 1, a drawer 1, a drawer 2, and a shelf 1.";

/// A conversation, its idle questions, and how often advice was followed.
const TABLE: &[(&[&str], f64, Measurement)] = &[
    // Thanks are no question, and what is answered to them is no advice.
    (
        &[
            ROOM,
            "?Where is the mug?",
            "!Check drawer 2.",
            "?Thank you. I will have a look there.",
            "!Good, go ahead to the shelf.",
            ">go to drawer 2",
        ],
        0.0,
        Measurement::Value(1.0),
    ),
    (
        &[ROOM, "?It could be at desk 1, shelf 1 or drawer 2. Where?", "!The desk.", ">go to desk 1"],
        0.0,
        Measurement::Value(1.0),
    ),
    (&[ROOM, "?Where is the mug?", "!Check drawer 2.", ">go to drawer 2"], 0.0, Measurement::Value(1.0)),
    (&[ROOM, "?Where is the mug?", "!Check drawer 2.", ">go to desk 1"], 1.0, Measurement::Value(0.0)),
    (&[ROOM, "?Where?", "!Drawer 2.", ">go to desk 1", ">go to drawer 2"], 0.0, Measurement::Value(0.0)),
    (&[ROOM, "?Where?", "!In the drawers.", ">go to drawer 1"], 0.0, Measurement::Value(1.0)),
    (&[ROOM, "?Where?", "!I do not know.", ">go to drawer 1"], 1.0, Measurement::Absent),
    (&[ROOM, "?Is it in desk 1?", "!Yes, desk 1.", ">go to desk 1"], 1.0, Measurement::Absent),
    (&[ROOM, "?Drawer 1 or drawer 2?", "!Drawer 2.", ">go to drawer 2"], 0.0, Measurement::Value(1.0)),
    (&[ROOM, "?And now?", "!Just look.", ">look"], 0.0, Measurement::Absent),
    (&[ROOM, "?Where?", "!Drawer 2.", "?Where?", "!Desk 1.", ">go to drawer 2"], 2.0, Measurement::Value(0.0)),
    (&[ROOM, "?Where?"], 0.0, Measurement::Absent),
];

#[test]
fn answers_are_idle_if_nothing_of_them_is_taken_up() {
    use Measurement::Value;
    for (lines, idle, followed) in TABLE {
        let events = talk(lines);
        assert_eq!(measured(&IDLE_QUESTIONS, &events), Value(*idle), "{lines:?}");
        assert_eq!(measured(&ADVICE_FOLLOWED, &events), *followed, "{lines:?}");
    }
}

#[test]
fn a_question_is_repeated_if_its_words_and_numbers_are() {
    let asked = ["?Is it in Drawer 1?", "!No.", "?is it in drawer 1", "!No.", "?Is it in drawer 2?"];
    assert_eq!(measured(&REPEATED_QUESTIONS, &talk(&asked)), Measurement::Value(1.0));
    let alone = events(false, &["executor"], Vec::new());
    assert_eq!(measured(&REPEATED_QUESTIONS, &alone), Measurement::Absent);
    assert_eq!(measured(&IDLE_QUESTIONS, &alone), Measurement::Absent);
}

fn begun(trial: u32, round: u32) -> Message {
    Message::Begun(Begun { trial, round, keep_world: round > 0, seed: Seed(0) })
}

fn scored(trial: u32, round: u32, success: bool) -> Message {
    Message::Scored(Box::new(Scored { trial, round, ending: Ending::Failed, score: Score::all_or_nothing(success) }))
}

#[test]
fn trials_and_rounds_are_counted_where_there_are_some() {
    use Measurement::{Absent, Value};
    let plain = events(true, &["executor"], vec![begun(0, 0), scored(0, 0, true)]);
    for metric in [&TRIALS as &dyn Metric, &SOLVED_TRIAL, &ROUNDS_SOLVED] {
        assert_eq!(measured(metric, &plain), Absent, "{}", metric.name());
    }
    let first = vec![begun(0, 0), scored(0, 0, true)];
    let first = events(false, &["executor", "reflector"], first);
    assert_eq!(measured(&TRIALS, &first), Value(1.0));
    assert_eq!(measured(&SOLVED_TRIAL, &first), Value(1.0));
    let second = vec![begun(0, 0), scored(0, 0, false), begun(1, 0), scored(1, 0, true)];
    let second = events(false, &["executor"], second);
    assert_eq!(measured(&TRIALS, &second), Value(2.0));
    assert_eq!(measured(&SOLVED_TRIAL, &second), Value(2.0));
    let rounds = [scored(0, 0, true), begun(0, 1), scored(0, 1, true), begun(0, 2), scored(0, 2, false)];
    let rounds = events(false, &["executor"], [&[begun(0, 0)][..], &rounds].concat());
    assert_eq!(measured(&ROUNDS_SOLVED, &rounds), Value(2.0));
}

#[test]
fn figures_of_solved_episodes_need_one() {
    use Measurement::{Absent, Value};
    let closed = |success| {
        Message::Closed(Outcome {
            ending: if success { Ending::Solved } else { Ending::Failed },
            success,
            reward: 0.0,
            counts: Counts::default(),
        })
    };
    let told = || Message::Told(Utterance::text("?"));
    for (user, success, turns) in [(true, true, Value(2.0)), (true, false, Absent), (false, true, Absent)] {
        let messages = vec![told(), told(), closed(success)];
        let events = events(user, &["executor"], messages);
        assert_eq!(measured(&DIALOGUE_TURNS, &events), turns);
    }
}
