//! What it costs to write the prompt of one turn, by the length of the episode: the running text is
//! kept between turns, so a turn costs the bytes of its prompt and not those of all prompts before.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a bench may stop at once, reads the clock and prints figures"
)]

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use rolecall::domain::{
    Action, Brief, CellName, EpisodeId, Event, Message, Move, MoveKind, MoveKinds, Observation, RoleName, Seat, Seed,
    Transcript, Visibility,
};
use rolecall::ports::model::{Calls, ModelProfile};
use rolecall::ports::{Persona, Turn};
use rolecall::prompts::{Context, Exemplars, Knowledge, LineNotation, Prompter};
use tokio_util::sync::CancellationToken;

const TURNS: [usize; 3] = [50, 500, 2_000];

const TRANSCRIPT: &str = "{{ first_observation }}\n{{ transcript }}\n>";

const LOOP: &str = "{{ first_observation }}\n{% for turn in turns %}{{ turn.kind }}: {{ turn.text }}\n\
                    {% endfor %}>";

fn main() {
    for (name, prompt) in [("transcript", TRANSCRIPT), ("a loop over turns", LOOP)] {
        println!("a prompt with {name}:");
        println!("  turns     bytes  last turn  per byte  made anew  whole episode");
        for turns in TURNS {
            report(prompt, turns);
        }
    }
}

/// An episode that grows, and the role that plays it.
struct Episode {
    transcript: Transcript,
    events: u32,
    seat: Seat,
    turns: u32,
}

impl Episode {
    fn new() -> Self {
        let mut episode = Self {
            transcript: Transcript::new(Visibility::default()),
            events: 0,
            seat: Seat::Role(RoleName::new("executor").unwrap()),
            turns: 0,
        };
        let room = "You are in the middle of a room. Looking quickly around you, you see a bed 1.";
        episode.push(Seat::Environment, Seat::Conductor, Message::Observed(Observation::text(room)));
        episode
    }

    fn push(&mut self, from: Seat, to: Seat, message: Message) {
        let event = Event { seq: self.events, cause: self.events.checked_sub(1), from, to, message };
        self.transcript.append(event).unwrap();
        self.events += 1;
    }

    /// The brief of the next turn.
    fn brief(&mut self) -> Turn {
        let since = self.events as usize;
        let open = MoveKinds::of(&[MoveKind::Think, MoveKind::Act]);
        let brief = Brief { open, ..Brief::default() };
        self.push(Seat::Conductor, self.seat.clone(), Message::Brief(brief));
        self.turns += 1;
        Turn {
            episode: EpisodeId { cell: CellName::new("main").unwrap(), task: 0, repeat: 0 },
            seat: self.seat.clone(),
            number: self.turns - 1,
            attempt: 0,
            view: self.transcript.visible_to(self.seat.clone(), since, self.events as usize),
            seed: Seed(1),
            deadline: std::time::Duration::from_secs(120),
            cancel: CancellationToken::new(),
            calls: Calls::default(),
        }
    }

    fn answer(&mut self) {
        let number = self.turns % 40;
        let action = Action::text(format!("go to cabinet {number}"));
        let moved = Message::Moved(Move::Act { action: action.clone() });
        self.push(self.seat.clone(), Seat::Conductor, moved);
        self.push(Seat::Conductor, Seat::Environment, Message::Perform(action));
        let seen = format!(
            "On the cabinet {number}, you see a cloth 1, a dishsponge 2, a soapbottle {number}, \
             and a toiletpaper 1."
        );
        self.push(Seat::Environment, Seat::Conductor, Message::Observed(Observation::text(seen)));
    }
}

/// Writes the prompt; gives its bytes and the time.
fn write(prompter: &Prompter, knowledge: &mut Knowledge, turn: &Turn) -> (usize, Duration) {
    let start = Instant::now();
    prompter.catch_up(knowledge, turn, |_, _, _| None);
    let profile = ModelProfile::default();
    let prompt = prompter.whole(knowledge, turn, &profile).unwrap();
    (prompt.bytes(), start.elapsed())
}

fn report(prompt: &str, turns: usize) {
    let persona = Persona { prompt: prompt.to_owned(), ..Persona::default() };
    let exemplars = Exemplars::new(&BTreeMap::new(), 2, 0);
    let prompter = Prompter::new(
        &persona,
        exemplars,
        LineNotation::default(),
        Context::All,
        0,
        &rolecall::worlds().world(Some("household")),
    );
    let prompter = prompter.unwrap();
    let mut episode = Episode::new();
    let mut knowledge = prompter.fresh();
    let mut whole = Duration::ZERO;
    let mut last = episode.brief();
    for number in 0..turns {
        let (_, time) = write(&prompter, &mut knowledge, &last);
        whole += time;
        if number + 1 < turns {
            episode.answer();
            last = episode.brief();
        }
    }
    // The last turn again and again: nothing in its view is new any more but to a fresh role.
    let mut median = |fresh: bool| {
        let mut bytes = 0;
        let mut times: Vec<Duration> = (0..51)
            .map(|_| {
                let mut anew = prompter.fresh();
                let knowledge = if fresh { &mut anew } else { &mut knowledge };
                let (written, time) = write(&prompter, knowledge, &last);
                bytes = written;
                time
            })
            .collect();
        times.sort_unstable();
        (bytes, times[times.len() / 2])
    };
    let ((bytes, lived), (_, anew)) = (median(false), median(true));
    println!(
        "  {turns:5} {bytes:9} {:7.3} ms {:6.2} ns {:7.3} ms {:11.1} ms",
        lived.as_secs_f64() * 1e3,
        lived.as_secs_f64() * 1e9 / bytes as f64,
        anew.as_secs_f64() * 1e3,
        whole.as_secs_f64() * 1e3,
    );
}
