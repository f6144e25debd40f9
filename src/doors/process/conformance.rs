//! Holds a program against the rules of `rolecall/1` (`rolecall conformance process`).

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::client::{Client, Kind};
use super::errors::NEED_VIEW;
use super::seats::{ProcessRole, ProcessUser};
use super::setup::Whereabouts;
use super::source::ProcessTasks;
use super::stand_in::StandIn;
use crate::wire::{Peer, RpcError, pause, wait};
use rolecall_core::domain::{
    Action, Brief, EpisodeId, Event, InvalidId, Message, MoveKind, MoveKinds, Observation, PublicTask, RoleName, Seat,
    Seed, Transcript, Utterance, Visibility,
};
use rolecall_core::ports::model::Calls;
use rolecall_core::ports::{Role, TaskSource, Turn, UserSimulator, conformance};

/// The most tasks of an environment that are opened.
const MOST_TASKS: usize = 3;
/// How long one check may take.
const LONGEST: Duration = Duration::from_secs(60);
/// How long a call that was taken back may stay unanswered.
const CANCELLED: Duration = Duration::from_secs(5);

/// One rule, and what is wrong if it is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The rule.
    pub rule: &'static str,
    /// What was found instead; none if it holds.
    pub problem: Option<String>,
}

/// Checks a program; without a kind, as the first that it takes part as.
pub fn check(program: &Whereabouts, kind: Option<Kind>) -> (Option<Kind>, Vec<Check>) {
    let mut checks = Checks::default();
    let kinds = [Kind::Role, Kind::User, Kind::Environment];
    let wanted = kinds.into_iter().filter(|own| kind.is_none_or(|kind| kind == *own));
    let mut refused = String::new();
    let found = wanted.into_iter().find_map(|kind| match started(program, kind) {
        Ok(both) => Some((kind, both)),
        Err(problem) => {
            refused = problem;
            None
        }
    });
    let Some((kind, (client, peer))) = found else {
        checks.add("it starts and says what it is", Err(refused));
        return (None, checks.0);
    };
    checks.add("it starts and says what it is", Ok(()));
    let suite = Suite { client, peer, kind };
    checks.add("an unknown method is error -32601", suite.unknown_method());
    match kind {
        Kind::Environment => checks.add("its worlds pass the suite of environments", suite.worlds()),
        Kind::Role | Kind::User => {
            checks.add("a turn that is asked twice is answered alike", suite.twice());
            checks.add("two episodes at once do not mix", suite.interleaved());
            checks.add("a lost view is error -32010", suite.lost_view());
            checks.add("unknown fields are ignored", suite.unknown_fields());
            checks.add("a call that is cancelled is answered all the same", suite.cancelled());
        }
    }
    (Some(kind), checks.0)
}

#[derive(Default)]
struct Checks(Vec<Check>);

impl Checks {
    fn add(&mut self, rule: &'static str, result: Result<(), String>) {
        let problem = result.err();
        self.0.push(Check { rule, problem });
    }
}

/// A client and a bare connection, if the program takes part as that.
fn started(program: &Whereabouts, kind: Kind) -> Result<(Arc<Client>, Peer), String> {
    let mut client = Client::new(program.clone(), kind, seat(kind), &json!({}));
    client.stand_in = Some(Arc::new(StandIn::default()));
    client.introduction().map_err(|error| error.to_string())?;
    let live = client.blocking(client.live(0)).map_err(|error| error.to_string())?;
    let method = match kind {
        Kind::Role => "take_turn",
        Kind::User => "reply",
        Kind::Environment => "tasks",
    };
    match call(&live.peer, method, &json!({})) {
        Err(error) if error.code == RpcError::UNKNOWN_METHOD => {
            let kind = kind.as_str();
            Err(format!("it has no method `{method}`, and so does not play the {kind}"))
        }
        // Only what is not of the protocol has no code.
        Err(error) if error.code == 0 => {
            let problem = error.message;
            Err(format!("`{method}` without parameters must be answered by error -32602: {problem}"))
        }
        _ => Ok((Arc::new(client), live.peer)),
    }
}

fn seat(kind: Kind) -> &'static str {
    match kind {
        Kind::User => "user",
        Kind::Role | Kind::Environment => "executor",
    }
}

/// A call outside of any turn.
fn call(peer: &Peer, method: &str, params: &Value) -> Result<Value, RpcError> {
    let gone = |text: String| RpcError::new(0, text);
    match wait(peer.call(method, params).result(), LONGEST) {
        Some(Ok(answer)) => {
            let read = serde_json::from_str(answer?.get());
            read.map_err(|error| gone(error.to_string()))
        }
        Some(Err(reason)) => Err(gone(reason.to_string())),
        None => Err(gone("it does not answer".to_owned())),
    }
}

struct Suite {
    client: Arc<Client>,
    peer: Peer,
    kind: Kind,
}

/// Somebody who takes turns.
enum Player {
    Role(ProcessRole),
    User(ProcessUser),
}

impl Player {
    /// The answer as JSON.
    fn answer(&mut self, turn: &Turn) -> Result<Value, String> {
        let answered = async {
            match self {
                Self::Role(role) => {
                    let answer = role.take_turn(turn).await.map_err(|error| error.to_string())?;
                    let open = turn.brief().map(|brief| brief.open).unwrap_or_default();
                    match answer.moves.iter().find(|made| !open.contains(made.kind())) {
                        Some(made) => Err(format!("`{}` is not open", made.kind().as_str())),
                        None => Ok(json!(answer)),
                    }
                }
                Self::User(user) => {
                    let said = user.reply(turn).await;
                    said.map(|said| json!(said)).map_err(|error| error.to_string())
                }
            }
        };
        wait(answered, LONGEST).unwrap_or_else(|| Err("it does not answer".to_owned()))
    }
}

impl Suite {
    fn player(&self) -> Player {
        let client = Arc::clone(&self.client);
        match self.kind {
            Kind::User => Player::User(ProcessUser::new(client)),
            Kind::Role | Kind::Environment => Player::Role(ProcessRole::new(client)),
        }
    }

    fn unknown_method(&self) -> Result<(), String> {
        match call(&self.peer, "no_such_method", &json!({})) {
            Err(error) if error.code == RpcError::UNKNOWN_METHOD => Ok(()),
            other => Err(format!("it answers {other:?}")),
        }
    }

    fn twice(&self) -> Result<(), String> {
        let mut lived = self.player();
        for turn in self.turns("twice")? {
            let [first, second] = [lived.answer(&turn)?, self.player().answer(&turn)?];
            self.same(&first, &second, "one that lived", "a fresh one")?;
        }
        Ok(())
    }

    fn interleaved(&self) -> Result<(), String> {
        let turns = [self.turns("first")?, self.turns("second")?];
        let mut players = [self.player(), self.player()];
        let mut mixed = [Vec::new(), Vec::new()];
        let [first, second] = &turns;
        for both in first.iter().zip(second) {
            mixed[0].push(players[0].answer(both.0)?);
            mixed[1].push(players[1].answer(both.1)?);
        }
        for (turns, mixed) in turns.iter().zip(&mixed) {
            let mut alone = self.player();
            for (turn, mixed) in turns.iter().zip(mixed) {
                self.same(mixed, &alone.answer(turn)?, "beside another episode", "alone")?;
            }
        }
        Ok(())
    }

    fn same(&self, first: &Value, second: &Value, one: &str, other: &str) -> Result<(), String> {
        let told = self.client.introduced().is_some_and(|own| own.is_taken());
        match told || first == second {
            true => Ok(()),
            false => {
                Err(format!("{one} answers {first}, {other} {second}; if that must be, say `\"deterministic\": false`"))
            }
        }
    }

    fn method(&self) -> &'static str {
        match self.kind {
            Kind::User => "reply",
            Kind::Role | Kind::Environment => "take_turn",
        }
    }

    /// A turn as it is written, of an episode of this name.
    fn written(&self, name: &str) -> Result<Value, String> {
        let turn = &self.turns(name)?[0];
        let events: Vec<&Event> = turn.view.all().collect();
        Ok(json!({
            "episode": turn.episode, "seat": turn.seat, "number": 0, "attempt": 0, "seed": turn.seed,
            "deadline_ms": 60_000, "brief": turn.brief(), "question": turn.question(),
            "view": { "since": 0, "events": events }, "digest": "0",
        }))
    }

    fn lost_view(&self) -> Result<(), String> {
        let mut turn = self.written("lost")?;
        turn["view"] = json!({ "since": 7, "events": [] });
        match call(&self.peer, self.method(), &turn) {
            Err(error) if error.code == NEED_VIEW => Ok(()),
            other => Err(format!("it answers {other:?}")),
        }
    }

    fn unknown_fields(&self) -> Result<(), String> {
        let mut turn = self.written("fields")?;
        turn["no_such_field"] = json!({ "a": [1] });
        let answered = call(&self.peer, self.method(), &turn);
        answered.map(drop).map_err(|error| error.to_string())
    }

    fn cancelled(&self) -> Result<(), String> {
        drop(self.peer.call(self.method(), &self.written("cancelled")?));
        let answered = async {
            while self.peer.unanswered() > 0 {
                pause(Duration::from_millis(10)).await;
            }
        };
        wait(answered, CANCELLED).ok_or_else(|| "it is not".to_owned())?;
        self.peer.gone().map_or(Ok(()), |gone| Err(gone.to_string()))
    }

    fn worlds(&self) -> Result<(), String> {
        let tasks = ProcessTasks::start(Arc::clone(&self.client)).map_err(|error| error.to_string())?;
        if tasks.is_empty() {
            return Err("it has no tasks".to_owned());
        }
        for index in 0..tasks.len().min(MOST_TASKS) {
            let opened = tasks.open(index).map_err(|error| error.to_string())?;
            let actions = ["look", "help", "inventory"].map(Action::text);
            let suite = conformance::environment(&opened.environment, &actions);
            let passed = wait(suite, LONGEST).unwrap_or_else(|| Err("it does not answer".to_owned()));
            passed.map_err(|problem| format!("task {index}: {problem}"))?;
        }
        match tasks.open(tasks.len()) {
            Ok(_) => Err(format!("it opens task {}, of {}", tasks.len(), tasks.len())),
            Err(_) => Ok(()),
        }
    }

    /// Three turns of an episode.
    fn turns(&self, name: &str) -> Result<Vec<Turn>, String> {
        let episode: EpisodeId = format!("{name}:0:0").parse().map_err(|error: InvalidId| error.to_string())?;
        let seat = match self.kind {
            Kind::User => Seat::User,
            // The name is one.
            Kind::Role | Kind::Environment => RoleName::new(seat(self.kind)).map_or(Seat::Conductor, Seat::Role),
        };
        let transcript = Transcript::new(Visibility::default());
        let (mut turns, mut since) = (Vec::new(), 0);
        let mut seq = 0;
        let mut add = |from: &Seat, to: &Seat, message: Message| {
            let (from, to) = (from.clone(), to.clone());
            let cause = u32::checked_sub(seq, 1);
            // Numbered without gaps.
            let _ = transcript.append(Event { seq, cause, from, to, message });
            seq += 1;
            seq as usize
        };
        let task = PublicTask::new(name, "sample", "Find the mug.");
        for number in 0..3_u32 {
            let text = format!("You see shelf {number}. {}", task.text);
            let shown = Message::Observed(Observation::text(text));
            add(&Seat::Environment, &Seat::Conductor, shown);
            let asked = match self.kind {
                Kind::User => Message::Told(Utterance::text("Where is the mug?")),
                Kind::Role | Kind::Environment => Message::Brief(Brief {
                    open: MoveKinds::of(&[MoveKind::Think, MoveKind::Act, MoveKind::Speak]),
                    ..Brief::default()
                }),
            };
            let end = add(&Seat::Conductor, &seat, asked);
            turns.push(Turn {
                episode: episode.clone(),
                seat: seat.clone(),
                number,
                attempt: 0,
                view: transcript.visible_to(seat.clone(), since, end),
                seed: Seed(u64::from(number)),
                deadline: LONGEST,
                cancel: CancellationToken::new(),
                calls: Calls::default(),
            });
            since = end;
        }
        Ok(turns)
    }
}
