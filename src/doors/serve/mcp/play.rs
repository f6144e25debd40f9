//! The tools at work.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use super::McpServer;
use super::tools::world_name;
use crate::serve::openenv::{Seen, read_move, sections, world_of};
use crate::serve::{Order, Session, SessionError};
use rolecall_core::domain::{Answer, Message, Move, MoveKind, Outcome};
use rolecall_core::roles::reader::{self, Commands, Reading};
use rolecall_core::text::{joined, visible};

/// The most tasks that one call lists.
const MOST_TASKS: usize = 100;

/// An episode that was begun.
pub(super) struct Held {
    state: State,
    /// The last call of it.
    pub(super) used: Instant,
}

enum State {
    Open {
        session: Box<Session>,
        /// The event from which on the client has seen nothing before its last move.
        since: usize,
        /// The sections of the brief before that.
        before: u64,
    },
    Over(Outcome),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Begin {
    task: Option<u32>,
    split: Option<String>,
    seed: Option<u64>,
    user: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Perform {
    action: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Assess {
    #[serde(default)]
    answer: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tasks {
    split: Option<String>,
    #[serde(default)]
    start: usize,
    stop: Option<usize>,
}

fn read<T: DeserializeOwned>(tool: &str, arguments: Map<String, Value>) -> Result<T, String> {
    serde_json::from_value(Value::Object(arguments))
        .map_err(|error| format!("the arguments of `{tool}`: {}", visible(&error.to_string())))
}

fn reason(error: SessionError) -> String {
    match error {
        SessionError::Over => "the episode is over: `begin` begins another one".to_owned(),
        other => other.to_string(),
    }
}

impl McpServer {
    /// Does what a tool is for; the error says to the model what to do.
    pub(super) async fn play(&self, tool: &str, mut arguments: Map<String, Value>) -> Result<Value, String> {
        match tool {
            "begin" => return self.begin(read(tool, arguments)?).await,
            "tasks" => return self.tasks(read(tool, arguments)?).await,
            _ => {}
        }
        let Some(Value::String(episode)) = arguments.remove("episode") else {
            return Err("`episode` is missing: give the one that `begin` gave".to_owned());
        };
        let held = self.held(&episode).ok_or_else(|| {
            let (shown, idle) = (visible(&episode), self.0.idle.as_secs());
            format!(
                "there is no episode `{shown}`: `begin` gives one, which is closed when nothing is done in it \
                 for {idle} seconds"
            )
        })?;
        let mut held = held.lock().await;
        held.touch();
        let played = match tool {
            "perform" => {
                let Perform { action } = read(tool, arguments)?;
                self.act(&mut held, tool, Move::act(action)).await
            }
            "think" => {
                let Text { text } = read(tool, arguments)?;
                self.act(&mut held, tool, Move::think(text)).await
            }
            "speak" => {
                let Text { text } = read(tool, arguments)?;
                self.speak(&mut held, &text).await
            }
            "assess" => self.assess(&mut held, read(tool, arguments)?).await,
            listed => {
                self.call(&mut held, json!({ "tool": world_name(listed).unwrap_or(listed), "arguments": arguments }))
                    .await
            }
        };
        held.touch();
        played
    }

    async fn begin(&self, wanted: Begin) -> Result<Value, String> {
        let session = self
            .0
            .sessions
            .begin(Order {
                split: wanted.split,
                task: wanted.task,
                seed: wanted.seed,
                user: wanted.user,
                ..Order::default()
            })
            .await
            .map_err(reason)?;
        let episode = session.id().to_string();
        let state = State::Open { session: Box::new(session), since: 0, before: 0 };
        let mut held = Held { state, used: Instant::now() };
        let seen = self.seen(&mut held)?;
        self.hold(episode.clone(), held);
        Ok(json!({ "episode": episode, "text": seen.text }))
    }

    async fn tasks(&self, wanted: Tasks) -> Result<Value, String> {
        let sessions = &self.0.sessions;
        let split = sessions.split(wanted.split.as_deref()).map_err(reason)?;
        let last = wanted.stop.unwrap_or(split.tasks).min(split.tasks).min(wanted.start.saturating_add(MOST_TASKS));
        let mut tasks = Vec::new();
        for index in wanted.start..last {
            let task = sessions.task(&split.name, index).await.map_err(reason)?;
            tasks.push(json!({ "task": index, "id": task.id, "kind": task.kind, "text": task.text }));
        }
        Ok(json!({
            "split": split.name,
            "total": split.tasks,
            "splits": sessions
            .splits()
            .iter()
            .map(|split| json!({ "name": split.name, "type": split.kind, "tasks": split.tasks })).collect::<Vec<_>>(),
            "tasks": tasks,
        }))
    }

    /// Makes a move, and tells what is seen then.
    async fn act(&self, held: &mut Held, tool: &str, made: Move) -> Result<Value, String> {
        held.may(made.kind(), tool)?;
        held.answer(made.into()).await?;
        Ok(self.seen(held)?.shown())
    }

    /// Calls a tool of the world.
    async fn call(&self, held: &mut Held, call: Value) -> Result<Value, String> {
        held.may(MoveKind::Act, "a tool of the world")?;
        let session = held.session()?;
        let turn = session.turn().ok_or_else(|| reason(SessionError::Over))?;
        let answer = read_move(
            call,
            turn.brief().ok_or_else(|| reason(SessionError::Over))?,
            turn.task(),
            world_of(&self.0.worlds, &self.0.sessions, session),
        )?;
        held.answer(answer).await?;
        Ok(self.seen(held)?.shown())
    }

    async fn speak(&self, held: &mut Held, text: &str) -> Result<Value, String> {
        held.may(MoveKind::Speak, "speak")?;
        let said = {
            let brief =
                held.session()?.turn().and_then(|turn| turn.brief()).ok_or_else(|| reason(SessionError::Over))?;
            reader::said(
                text,
                &Reading {
                    open: brief.open,
                    commands: &Commands::default(),
                    bare_commands: true,
                    acts: &brief.acts,
                    natural: false,
                },
            )
            .map_err(|problem| problem.to_string())?
        };
        held.answer(said.into()).await?;
        let seen = self.seen(held)?;
        Ok(json!({ "reply": seen.text, "leaving": seen.leaving, "done": seen.outcome.is_some() }))
    }

    async fn assess(&self, held: &mut Held, wanted: Assess) -> Result<Value, String> {
        if let State::Open { .. } = held.state {
            let open = held.may(MoveKind::Finish, "assess");
            if let Err(goes_on) = open {
                return match wanted.answer {
                    Value::Null => Ok(json!({ "over": false, "text": goes_on })),
                    _ => Err(goes_on),
                };
            }
            held.answer(Move::Finish { answer: Box::new(wanted.answer) }.into()).await?;
            let seen = self.seen(held)?;
            if seen.outcome.is_none() {
                return Ok(json!({ "over": false, "text": seen.text }));
            }
        }
        let State::Over(outcome) = &held.state else {
            return Err(reason(SessionError::Stopping));
        };
        Ok(json!({
            "over": true,
            "success": outcome.success,
            "reward": outcome.reward,
            "ending": outcome.ending.label(),
        }))
    }

    /// The client's observation now. An episode that is over lets go of its session.
    fn seen(&self, held: &mut Held) -> Result<Now, String> {
        let State::Open { session, since, before } = &held.state else {
            return Err(reason(SessionError::Over));
        };
        let seen = Seen::of(
            session,
            *since,
            *before,
            self.0.sessions.seat(),
            world_of(&self.0.worlds, &self.0.sessions, session),
        );
        let leaving = session
            .view()
            .into_iter()
            .flat_map(|view| view.starting_at(*since))
            .filter_map(|event| match &event.message {
                Message::Replied(reply) => Some(reply.leaving),
                _ => None,
            })
            .last();
        let now = Now {
            text: seen.text,
            invalid: seen.invalid,
            leaving: leaving.unwrap_or_default(),
            outcome: session.outcome().cloned(),
        };
        if let Some(outcome) = &now.outcome {
            held.state = State::Over(outcome.clone());
        }
        Ok(now)
    }
}

/// A client's observation after its move.
struct Now {
    text: String,
    invalid: bool,
    leaving: bool,
    outcome: Option<Outcome>,
}

impl Now {
    fn shown(self) -> Value {
        let mut shown = json!({ "text": self.text, "done": self.outcome.is_some() });
        if self.invalid {
            shown["invalid"] = true.into();
        }
        if let Some(outcome) = self.outcome {
            shown["reward"] = outcome.reward.into();
        }
        shown
    }
}

impl Held {
    fn session(&mut self) -> Result<&mut Session, String> {
        match &mut self.state {
            State::Open { session, .. } => Ok(session),
            State::Over(_) => {
                Err("the episode is over: `assess` tells what it came to, `begin` begins another one".to_owned())
            }
        }
    }

    /// Whether a move of this kind is open; the error says which are.
    fn may(&mut self, kind: MoveKind, tool: &str) -> Result<(), String> {
        let brief = self.session()?.turn().and_then(|turn| turn.brief());
        let open = brief.map(|brief| brief.open).unwrap_or_default();
        if open.contains(kind) {
            return Ok(());
        }
        let tools = open.iter().map(|kind| match kind {
            MoveKind::Act => "`perform`",
            MoveKind::Think => "`think` (where it is listed)",
            MoveKind::Speak => "`speak`",
            MoveKind::Finish => "`assess`",
            MoveKind::Plan => "a plan (no tool here: use `rolecall serve env`)",
            MoveKind::Judge => "a judgement (no tool here: use `rolecall serve env`)",
            MoveKind::Learn => "a lesson (no tool here: use `rolecall serve env`)",
        });
        let tools = joined(tools);
        Err(format!("the episode goes on, and `{tool}` is not open now; open: {tools}"))
    }

    async fn answer(&mut self, answer: Answer) -> Result<(), String> {
        let State::Open { session, since, before } = &mut self.state else {
            return Err(reason(SessionError::Over));
        };
        *before = session.turn().and_then(|turn| turn.brief()).map_or(0, sections);
        let view = session.view();
        *since = view.and_then(|view| view.starting_at(*since).last()).map_or(*since, |event| event.seq as usize + 1);
        session.answer(answer).await.map_err(reason)
    }
}
