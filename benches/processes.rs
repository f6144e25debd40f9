//! What a turn of a role in another process costs us beyond one here: processor time of this process alone,
//! with lines of about 2 kB each way. Run with `cargo bench --bench processes`.
//!
//! The other process is this program, started again: what it spends is not counted.

#![allow(missing_docs, clippy::unwrap_used, clippy::print_stdout, clippy::expect_used)]

mod measure;

use std::io::{BufRead, Write};
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use measure::{is_possible, measured, row};
use rolecall::domain::{
    Answer, Brief, Event, Message, Move, MoveKind, MoveKinds, Observation, RoleName, Seat, Seed, Transcript, Visibility,
};
use rolecall::ports::model::Calls;
use rolecall::ports::{Role, Turn};
use rolecall::process::{Client, Kind, ProcessSeat, Whereabouts};
use rolecall::wire::{Program, Target};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

const ECHO: &str = "--echo";
const LINE: usize = 1_500;

/// The other process.
fn echo() {
    let mut out = std::io::stdout().lock();
    let words = "x".repeat(LINE);
    for line in std::io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let result = match message["method"].as_str().unwrap() {
            "initialize" => json!({ "protocol": 1, "name": "echo" }),
            _ => json!({ "moves": [{ "kind": "think", "text": words }] }),
        };
        writeln!(out, "{}", json!({ "jsonrpc": "2.0", "id": message["id"], "result": result })).unwrap();
        out.flush().unwrap();
    }
}

struct Local(String);

#[async_trait::async_trait]
impl Role for Local {
    async fn take_turn(&mut self, _: &Turn) -> Result<Answer, rolecall::ports::RoleError> {
        Ok(Move::think(self.0.clone()).into())
    }
}

/// An episode in which a role takes turns, each after an observation.
async fn episode(number: u32, mut role: Box<dyn Role>, turns: u32) {
    let seat = Seat::Role(RoleName::new("executor").unwrap());
    let transcript = Transcript::new(Visibility::default());
    let mut seq = 0;
    let mut add = |from: &Seat, to: &Seat, message| {
        let (from, to, cause) = (from.clone(), to.clone(), None);
        transcript.append(Event { seq, cause, from, to, message }).unwrap();
        seq += 1;
        seq as usize
    };
    let mut since = 0;
    for turn in 0..turns {
        let shown = Message::Observed(Observation::text("y".repeat(LINE)));
        add(&Seat::Environment, &Seat::Conductor, shown);
        let open = MoveKinds::of(&[MoveKind::Think]);
        let brief = Message::Brief(Brief { open, ..Brief::default() });
        let end = add(&Seat::Conductor, &seat, brief);
        let turn = Turn {
            episode: format!("main:{number}:0").parse().unwrap(),
            seat: seat.clone(),
            number: turn,
            attempt: 0,
            view: transcript.visible_to(seat.clone(), since, end),
            seed: Seed(1),
            deadline: Duration::from_secs(60),
            cancel: CancellationToken::new(),
            calls: Calls::default(),
        };
        let answer = role.take_turn(&turn).await.unwrap();
        add(&seat, &Seat::Conductor, Message::Moved(answer.moves[0].clone()));
        since = end;
    }
}

/// Processor time of a turn in microseconds, and turns per second by the clock.
fn costs(episodes: u32, turns: u32, make: &dyn Fn() -> Box<dyn Role>) -> (f64, f64) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let playing = async { join_all((0..episodes).map(|number| episode(number, make(), turns))).await };
    let (_, spent) = measured(|| runtime.block_on(playing));
    let all = f64::from(episodes) * f64::from(turns);
    (spent.processor * 1e6 / all, all / spent.wall)
}

fn main() {
    if std::env::args().any(|argument| argument == ECHO) {
        return echo();
    }
    if !is_possible() {
        return;
    }
    let program = std::env::current_exe().unwrap().display().to_string();
    let client = Arc::new(Client::new(
        Whereabouts {
            target: Target::Program(Program {
                command: vec![program, ECHO.to_owned()],
                folder: std::env::current_dir().unwrap(),
                env: Vec::new(),
            }),
            workers: 1,
            start: Duration::from_secs(30),
        },
        Kind::Role,
        "executor",
        &json!({}),
    ));
    client.introduction().unwrap();
    for (episodes, turns) in [(1, 20_000), (64, 500), (1_000, 50)] {
        let words = "x".repeat(LINE);
        let (here, _) = costs(episodes, turns, &|| Box::new(Local(words.clone())));
        let (there, speed) = costs(episodes, turns, &|| Box::new(ProcessSeat::new(Arc::clone(&client))));
        let what = format!("{episodes} episodes: processor time of a turn");
        row(&format!("{what}, here"), here, "us");
        row(&format!("{what}, elsewhere"), there, "us");
        row(&format!("{episodes} episodes: what elsewhere costs"), there - here, "us");
        row(&format!("{episodes} episodes: turns by the clock"), speed, "/s");
    }
}
