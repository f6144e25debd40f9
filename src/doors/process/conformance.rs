//! Holds a program against the rules of `rolecall/1` (`rolecall conformance process`).

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::client::{Client, Kind};
use super::errors::NEED_VIEW;
use super::seat::ProcessSeat;
use super::setup::Whereabouts;
use super::source::ProcessTasks;
use crate::wire::{Peer, RpcError, pause, wait};
use rolecall_core::domain::{
    Action, Brief, Choice, EpisodeId, Event, Message, ModelReply, MoveKind, MoveKinds, Observation, PublicTask,
    RoleName, Seat, Seed, Transcript, Utterance, Visibility,
};
use rolecall_core::ports::model::{CallContext, CallTrace, Calls, EncodedRequest, ModelProfile, RequestHash};
use rolecall_core::ports::{ModelClient, ModelError, ModelRequest, Role, TaskSource, Turn, UserSimulator, conformance};

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
    /// Problem that was found; none if the rule holds.
    pub problem: Option<String>,
}

/// Checks a program; without a kind, as the first that it takes part as.
pub fn check(program: &Whereabouts, kind: Option<Kind>) -> (Option<Kind>, Vec<Check>) {
    let mut checks = Checks::default();
    let wanted =
        [Kind::Role, Kind::User, Kind::Environment].into_iter().filter(|known| kind.is_none_or(|kind| kind == *known));
    let mut refused = String::new();
    let found = wanted.into_iter().find_map(|kind| match started(program, kind) {
        Ok(both) => Some((kind, both)),
        Err(problem) => {
            refused = problem.to_string();
            None
        }
    });
    let Some((kind, (client, peer))) = found else {
        checks.add("it starts and says what it is", Err(refused.into()));
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

/// The reason why a rule is broken.
type Problem = Box<dyn std::error::Error>;

#[derive(Default)]
struct Checks(Vec<Check>);

impl Checks {
    fn add(&mut self, rule: &'static str, result: Result<(), Problem>) {
        self.0.push(Check { rule, problem: result.err().map(|problem| problem.to_string()) });
    }
}

/// A client and a bare connection, if the program takes part as that.
fn started(program: &Whereabouts, kind: Kind) -> Result<(Arc<Client>, Peer), Problem> {
    let mut client = Client::new(program.clone(), kind, seat(kind), &json!({}));
    client.stand_in = Some(Arc::new(StandIn::default()));
    client.introduction()?;
    let live = client.blocking(client.live(0))?;
    let method = method(kind);
    match call(&live.peer, method, &json!({})) {
        Err(error) if error.code == RpcError::UNKNOWN_METHOD => {
            let kind = kind.as_str();
            Err(format!("it has no method `{method}`, and so does not play the {kind}").into())
        }
        // Only what is not of the protocol has no code.
        Err(error) if error.code == 0 => {
            let problem = error.message;
            Err(format!("`{method}` without parameters must be answered by error -32602: {problem}").into())
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

/// The method that the part is played by.
fn method(kind: Kind) -> &'static str {
    match kind {
        Kind::Role => "take_turn",
        Kind::User => "reply",
        Kind::Environment => "tasks",
    }
}

/// A call outside of any turn.
fn call(peer: &Peer, method: &str, params: &Value) -> Result<Value, RpcError> {
    let gone = |text: String| RpcError::new(0, text);
    match wait(peer.call(method, params).result(), LONGEST) {
        Some(Ok(answer)) => serde_json::from_str(answer?.get()).map_err(|error| gone(error.to_string())),
        Some(Err(reason)) => Err(gone(reason.to_string())),
        None => Err(gone("it does not answer".to_owned())),
    }
}

struct Suite {
    client: Arc<Client>,
    peer: Peer,
    kind: Kind,
}

impl Suite {
    fn player(&self) -> ProcessSeat {
        ProcessSeat::new(Arc::clone(&self.client))
    }

    /// The answer to a turn as JSON.
    fn answer(&self, player: &mut ProcessSeat, turn: &Turn) -> Result<Value, Problem> {
        let answered = async {
            if self.kind == Kind::User {
                return Ok(json!(player.reply(turn).await?));
            }
            let answer = player.take_turn(turn).await?;
            let open = turn.brief().map(|brief| brief.open).unwrap_or_default();
            match answer.moves.iter().find(|made| !open.contains(made.kind())) {
                Some(made) => Err(format!("`{}` is not open", made.kind().as_str()).into()),
                None => Ok(json!(answer)),
            }
        };
        wait(answered, LONGEST).unwrap_or_else(|| Err("it does not answer".into()))
    }

    fn unknown_method(&self) -> Result<(), Problem> {
        match call(&self.peer, "no_such_method", &json!({})) {
            Err(error) if error.code == RpcError::UNKNOWN_METHOD => Ok(()),
            other => Err(format!("it answers {other:?}").into()),
        }
    }

    fn twice(&self) -> Result<(), Problem> {
        let mut lived = self.player();
        for turn in self.turns("twice")? {
            let [first, second] = [self.answer(&mut lived, &turn)?, self.answer(&mut self.player(), &turn)?];
            self.same(&first, &second, "one that lived", "a fresh one")?;
        }
        Ok(())
    }

    fn interleaved(&self) -> Result<(), Problem> {
        let turns = [self.turns("first")?, self.turns("second")?];
        let mut players = [self.player(), self.player()];
        let mut mixed = [Vec::new(), Vec::new()];
        let [first, second] = &turns;
        for both in first.iter().zip(second) {
            mixed[0].push(self.answer(&mut players[0], both.0)?);
            mixed[1].push(self.answer(&mut players[1], both.1)?);
        }
        for (turns, mixed) in turns.iter().zip(&mixed) {
            let mut alone = self.player();
            for (turn, mixed) in turns.iter().zip(mixed) {
                self.same(mixed, &self.answer(&mut alone, turn)?, "beside another episode", "alone")?;
            }
        }
        Ok(())
    }

    fn same(&self, first: &Value, second: &Value, one: &str, other: &str) -> Result<(), Problem> {
        if self.client.introduced().is_some_and(|said| said.is_taken()) || first == second {
            Ok(())
        } else {
            Err(format!("{one} answers {first}, {other} {second}; if that must be, say `\"deterministic\": false`")
                .into())
        }
    }

    /// A turn as it is written, of an episode of this name.
    fn written(&self, name: &str) -> Result<Value, Problem> {
        let turn = &self.turns(name)?[0];
        let events: Vec<&Event> = turn.view.all().collect();
        Ok(json!({
            "episode": turn.episode, "seat": turn.seat, "number": 0, "attempt": 0, "seed": turn.seed,
            "deadline_ms": 60_000, "brief": turn.brief(), "question": turn.question(),
            "view": { "since": 0, "events": events }, "digest": "0",
        }))
    }

    fn lost_view(&self) -> Result<(), Problem> {
        let mut turn = self.written("lost")?;
        turn["view"] = json!({ "since": 7, "events": [] });
        match call(&self.peer, method(self.kind), &turn) {
            Err(error) if error.code == NEED_VIEW => Ok(()),
            other => Err(format!("it answers {other:?}").into()),
        }
    }

    fn unknown_fields(&self) -> Result<(), Problem> {
        let mut turn = self.written("fields")?;
        turn["no_such_field"] = json!({ "a": [1] });
        call(&self.peer, method(self.kind), &turn)?;
        Ok(())
    }

    fn cancelled(&self) -> Result<(), Problem> {
        drop(self.peer.call(method(self.kind), &self.written("cancelled")?));
        let answered = async {
            while self.peer.unanswered() > 0 {
                pause(Duration::from_millis(10)).await;
            }
        };
        wait(answered, CANCELLED).ok_or("it is not")?;
        self.peer.gone().map_or(Ok(()), |gone| Err(gone.into()))
    }

    fn worlds(&self) -> Result<(), Problem> {
        let tasks = ProcessTasks::start(Arc::clone(&self.client))?;
        if tasks.is_empty() {
            return Err("it has no tasks".into());
        }
        for index in 0..tasks.len().min(MOST_TASKS) {
            let opened = tasks.open(index)?;
            let actions = ["look", "help", "inventory"].map(Action::text);
            wait(conformance::environment(&opened.environment, &actions), LONGEST)
                .unwrap_or_else(|| Err("it does not answer".to_owned()))
                .map_err(|problem| format!("task {index}: {problem}"))?;
        }
        match tasks.open(tasks.len()) {
            Ok(_) => Err(format!("it opens task {}, of {}", tasks.len(), tasks.len()).into()),
            Err(_) => Ok(()),
        }
    }

    /// Three turns of an episode.
    fn turns(&self, name: &str) -> Result<Vec<Turn>, Problem> {
        let episode: EpisodeId = format!("{name}:0:0").parse()?;
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
            let shown = Message::Observed(Observation::text(format!("You see shelf {number}. {}", task.text)));
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

/// A model that says the same whatever it is asked, for programs that ask one.
#[derive(Default)]
struct StandIn(ModelProfile);

#[async_trait]
impl ModelClient for StandIn {
    fn profile(&self) -> &ModelProfile {
        &self.0
    }

    fn encode(&self, _: &ModelRequest) -> Result<EncodedRequest, ModelError> {
        Ok(EncodedRequest {
            hash: RequestHash::of(&[]),
            endpoint: "none",
            body: Bytes::new(),
            choices: 1,
            estimated_tokens: 0,
        })
    }

    async fn send(&self, _: &EncodedRequest, _: &CallContext, _: &mut CallTrace) -> Result<ModelReply, ModelError> {
        Ok(ModelReply {
            choices: vec![Choice { text: "look".to_owned(), ..Choice::default() }],
            ..ModelReply::default()
        })
    }
}
