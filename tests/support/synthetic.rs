//! Episodes made up for tests and benches of the log, the metrics and the reports.
#![allow(dead_code, reason = "each test binary uses a part")]
#![allow(clippy::unwrap_used, unreachable_pub, reason = "made-up episodes of tests, shared by several binaries")]

use std::sync::Arc;

use rolecall::domain::*;
use rolecall::log::{Batch, EventEncoder, LogSettings, LogWriter};
use serde_json::Value;

pub fn role(name: &str) -> Seat {
    Seat::Role(RoleName::new(name).unwrap())
}

pub fn id(text: &str) -> EpisodeId {
    text.parse().unwrap()
}

/// How a made-up episode goes.
#[derive(Clone, Debug)]
pub struct Story {
    pub id: EpisodeId,
    pub kind: &'static str,
    pub user: Option<&'static str>,
    pub questions: u32,
    pub actions: u32,
    /// The last of the actions are refused.
    pub invalid: u32,
    pub faults: u32,
    /// Without an ending the run was interrupted.
    pub ending: Option<Ending>,
    pub reward: f64,
}

impl Story {
    pub fn new(id: &str, kind: &'static str, ending: Ending) -> Self {
        Self {
            id: self::id(id),
            kind,
            user: None,
            questions: 0,
            actions: 3,
            invalid: 0,
            faults: 0,
            reward: f64::from(u8::from(ending == Ending::Solved)),
            ending: Some(ending),
        }
    }
}

/// Appends events with the right `seq`.
#[derive(Default)]
struct Tape(Vec<Event>);

impl Tape {
    fn add(&mut self, from: Seat, to: Seat, message: Message) {
        let seq = self.0.len() as u32;
        self.0.push(Event { seq, cause: seq.checked_sub(1), from, to, message });
    }

    fn moved(&mut self, made: Move) {
        self.add(role("executor"), Seat::Conductor, Message::Moved(made));
    }
}

/// The events of a story: a thought, then the questions, then the actions.
pub fn events(story: &Story) -> Vec<Event> {
    use Seat::{Conductor, Environment, User};
    let mut tape = Tape::default();
    tape.add(Conductor, Conductor, opened(story));
    let part = |audience, value: &str| {
        Message::Entrusted(Box::new(PrivateInfo {
            audience,
            label: "oracle_plan".to_owned(),
            value: std::sync::Arc::new(Value::from(value)),
        }))
    };
    tape.add(Conductor, User, part(User, "SECRET: look in drawer 1"));
    let begun = Begun { trial: 0, round: 0, keep_world: false, seed: Seed(9) };
    tape.add(Conductor, Environment, Message::Begun(begun));
    let first = Observation::text("You are in the middle of a room.");
    tape.add(Environment, Conductor, Message::Observed(first));
    tape.add(Conductor, role("executor"), Message::Brief(Brief::default()));
    tape.moved(Move::think("I must find a mug."));
    for number in 0..story.faults {
        let fault = Fault::new(User, FaultKind::Panic, "it fell over", number);
        tape.add(User, Conductor, Message::Fault(fault));
    }
    for _ in 0..story.questions {
        tape.moved(Move::speak("Where is the mug?"));
        tape.add(Conductor, User, Message::Told(Utterance::text("Where is the mug?")));
        tape.add(User, Conductor, Message::Replied(Utterance::text("In drawer 1.")));
    }
    for number in 0..story.actions {
        tape.moved(Move::act("go to drawer 1"));
        let action = Action::text("go to drawer 1");
        tape.add(Conductor, Environment, Message::Perform(action));
        let observation = Observation {
            invalid: number + story.invalid >= story.actions,
            ..Observation::text("The drawer 1 is closed.")
        };
        tape.add(Environment, Conductor, Message::Observed(observation));
    }
    if let Some(ending) = &story.ending {
        tape.add(Conductor, Conductor, closed(story, ending.clone()));
    }
    tape.0
}

fn opened(story: &Story) -> Message {
    Message::Opened(Box::new(Opened {
        task: Arc::new(PublicTask::new(format!("task-{}", story.id.task), story.kind, "put a mug in the cabinet")),
        cell: story.id.cell.clone(),
        strategy: "respact".to_owned(),
        roles: vec![RoleName::new("executor").unwrap()],
        user: story.user.map(str::to_owned),
        fork: None,
        served: None,
    }))
}

fn closed(story: &Story, ending: Ending) -> Message {
    Message::Closed(Outcome {
        success: ending == Ending::Solved,
        ending,
        reward: story.reward,
        counts: Counts {
            model_calls: 0,
            tokens: 0,
            steps: 1 + story.questions + story.actions,
            questions: story.questions,
            actions: story.actions,
            invalid: story.invalid,
            faults: story.faults,
        },
    })
}

pub fn encode(id: &EpisodeId, events: &[Event]) -> Vec<u8> {
    let mut lines = Vec::new();
    let encoder = EventEncoder::new(id);
    for event in events {
        encoder.encode(event, &mut lines).unwrap();
    }
    lines
}

/// Appends the batches to a new run folder, in order.
pub fn write_run(folder: &std::path::Path, run_toml: &str, batches: Vec<Batch>) {
    let writer = LogWriter::create(folder, run_toml, &LogSettings::default()).unwrap();
    let handle = writer.handle();
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    runtime.unwrap().block_on(async {
        for batch in batches {
            handle.append(batch).await.unwrap();
        }
    });
    writer.close().unwrap();
}
