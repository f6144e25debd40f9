//! Recorded turns: what the user is told, the state, and what the model reads, by the running strategy and model role.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::calls::masked;
use crate::conformance::{Cast, Episode, RecordedModel, Step, Tally, each_line};
use crate::domain::{Choice, PublicTask, RoleName, Utterance};
use crate::environments::booking::city::City;
use crate::environments::booking::desk::Profile;
use crate::environments::booking::environment::{BookingEnvironment, Rules};
use crate::environments::booking::files::read_database;
use crate::environments::booking::formats::FORMATS;
use crate::environments::booking::goal::{Dialogue, Goal};
use crate::environments::booking::strategy;
use crate::environments::booking::words::BookingWords;
use crate::ports::model::{ChatMessage, Models, Prompt};
use crate::ports::{
    ParameterValue, Parameters, Persona, Role, RoleSetup, Strategy, Turn, UserError, UserSimulator,
    Words, World,
};
use crate::roles::model;

/// The prompt of the card that plays.
const PROMPT: &str = include_str!("../../../../agents/respact-booking/executor.md");

#[derive(Deserialize)]
struct Session {
    id: String,
    user_turns: Vec<String>,
    model_outputs: Vec<String>,
    turns: Vec<RecordedTurn>,
    messages_after: Vec<ChatMessage>,
}

#[derive(Deserialize)]
struct RecordedTurn {
    result: Option<String>,
    #[serde(default)]
    action_inputs: Vec<Map<String, Value>>,
    #[serde(default)]
    action_outputs: Vec<Value>,
    response: Option<String>,
    #[serde(default)]
    state_delta: Map<String, Value>,
    exception: Option<String>,
    state_exception: Option<String>,
    model_calls: usize,
}

/// Says what was recorded, and then leaves.
struct RecordedUser(VecDeque<String>);

#[async_trait]
impl UserSimulator for RecordedUser {
    async fn reply(&mut self, _: &Turn) -> Result<Utterance, UserError> {
        Ok(match self.0.pop_front() {
            Some(text) => Utterance::text(text),
            None => Utterance::leaving("", false),
        })
    }
}

/// Compares every turn of every session.
pub(super) fn sessions(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let city = Arc::new(City::of(read_database(data)?, Vec::new(), String::new()));
    each_line(file, |session: Session| {
        play(&session, &city, tally).with_context(|| session.id.clone())
    })
}

fn play(session: &Session, city: &Arc<City>, tally: &mut Tally) -> anyhow::Result<()> {
    let replies = session.model_outputs.iter().map(|text| {
        vec![Choice {
            text: text.clone(),
            ..Choice::default()
        }]
    });
    let agent = RecordedModel::chat("agent", 1000, replies);
    let mut episode = opened(session, city, &agent)?;
    episode.step()?;
    let mut state = Map::new();
    let mut last = None;
    for (number, turn) in session.turns.iter().enumerate() {
        let at = |what: &'static str| move || format!("{} turn {number}, {what}", session.id);
        let (steps, aborted) = played(&mut episode)?;
        let mut asked = agent.asked();
        tally.check(at("requests"), &turn.model_calls, &asked.len());
        last = asked.pop().or(last);
        let stops = turn.exception.is_some() || turn.state_exception.is_some();
        tally.check(at("aborted"), &stops, &aborted);
        if turn.exception.is_none() {
            compare_turn(
                tally,
                &format!("{} turn {number}", session.id),
                turn,
                &steps,
                &mut state,
            );
        }
    }
    let last = last.context("the model was asked nothing")?;
    let Prompt::Chat(messages) = &last.prompt else {
        bail!("the model was asked for no conversation");
    };
    // The first is the system's, which is ours; the last was the answer to this request.
    let count = messages.len() - 1;
    let recorded = session.messages_after.iter().skip(1).take(count);
    let at = || format!("{}, messages", session.id);
    tally.check(at, &recorded.len(), &count);
    for (recorded, found) in recorded.zip(messages.iter().skip(1)) {
        let found = (found.role, masked(&found.content));
        tally.check(at, &(recorded.role, recorded.content.clone()), &found);
    }
    Ok(())
}

/// An episode with what was recorded of the user and the model.
fn opened(
    session: &Session,
    city: &Arc<City>,
    agent: &Arc<RecordedModel>,
) -> anyhow::Result<Episode> {
    let mut said = session.user_turns.iter().cloned();
    let dialogue = Dialogue {
        id: session.id.clone(),
        goal: Goal::default(),
        message: Vec::new(),
        first: said.next().unwrap_or_default(),
    };
    let task = PublicTask {
        data: json!({ "profile": "reference" }),
        ..PublicTask::new(&*session.id, "", &*dialogue.first)
    };
    let rules = Rules {
        profile: Profile::Reference,
        ..Rules::default()
    };
    let world = BookingEnvironment::new(Arc::clone(city), Arc::new(dialogue), rules);
    let cast = Cast {
        strategy: strategy()?,
        environment: Box::new(world),
        role: (RoleName::new("executor")?, executor(agent)?),
        user: Box::new(RecordedUser(said.collect())),
    };
    Episode::open(cast, task, Vec::new())
}

/// Compares what the user was told in a turn, the calls before it, and the state after it.
fn compare_turn(
    tally: &mut Tally,
    position: &str,
    turn: &RecordedTurn,
    steps: &[Step],
    state: &mut Map<String, Value>,
) {
    let at = |what: &'static str| move || format!("{position}, {what}");
    let told = steps.last().and_then(|step| step.told.as_deref());
    // A user who is told nothing is shown all that was written.
    let reply = turn.response.as_ref().or(turn.result.as_ref());
    tally.check(at("reply"), &reply, &told.map(masked).as_ref());
    let calls = || steps.iter().filter(|step| step.action.is_some());
    let inputs: Vec<Value> = calls().map(input).collect();
    let recorded: Vec<Value> = turn
        .action_inputs
        .iter()
        .map(|input| json!(input))
        .collect();
    tally.check(at("inputs"), &recorded, &inputs);
    let outputs: Vec<Value> = calls().map(output).collect();
    tally.check(at("outputs"), &turn.action_outputs, &outputs);
    if turn.state_exception.is_none() {
        state.extend(turn.state_delta.clone());
        let data = steps.last().and_then(|step| step.seen.data.as_deref());
        let found = data.map(|data| &data["state"]);
        tally.check(at("state"), &Some(&json!(state)), &found);
    }
}

/// The steps up to the next words of the user, and whether the conversation was aborted there.
fn played(episode: &mut Episode) -> anyhow::Result<(Vec<Step>, bool)> {
    let mut steps = Vec::new();
    while let Some(step) = episode.step()? {
        let ends = step.told.is_some() || step.seen.done;
        steps.push(step);
        if ends {
            break;
        }
    }
    let data = steps.last().and_then(|step| step.seen.data.as_deref());
    let aborted = data.is_some_and(|data| !data["aborted"].is_null());
    Ok((steps, aborted))
}

/// The input of a call, with its name as it was recorded.
fn input(step: &Step) -> Value {
    let call = step.seen.data.as_deref().map(|data| &data["call"]);
    let mut input = call.map(|call| call["input"].clone()).unwrap_or_default();
    input["action"] = call.map(|call| call["api"].clone()).unwrap_or_default();
    input
}

fn output(step: &Step) -> Value {
    serde_json::from_str(&masked(&step.seen.text)).unwrap_or_default()
}

fn strategy() -> anyhow::Result<Box<dyn Strategy>> {
    let parameters = Parameters::defaults(strategy::PARAMETERS);
    Ok(strategy::build(&[RoleName::new("executor")?], &parameters)?())
}

fn executor(model: &Arc<RecordedModel>) -> anyhow::Result<Box<dyn Role>> {
    let mut models = Models::default();
    models.add(Arc::clone(model) as _);
    let setup = RoleSetup {
        role: RoleName::new("executor")?,
        parameters: Parameters::defaults(model::PARAMETERS)
            .with("model", ParameterValue::Text("agent".to_owned())),
        persona: Persona {
            prompt: PROMPT.to_owned(),
            ..Persona::default()
        },
        models,
        world: World {
            words: &BookingWords,
            formats: FORMATS.into(),
            variables: BookingWords.variables().into(),
            ..World::default()
        },
    };
    Ok(model::build(&setup)?())
}
