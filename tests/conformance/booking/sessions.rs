//! Recorded turns: what the user is told, the state, and what the model reads, by the running strategy and model role.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, bail};
use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::calls::masked;
use super::city;
use crate::kit::{Cast, Episode, RecordedModel, Step, Tally, each_line};
use rolecall_booking::city::City;
use rolecall_booking::desk::Profile;
use rolecall_booking::environment::{BookingEnvironment, Rules};
use rolecall_booking::formats::FORMATS;
use rolecall_booking::goal::{Dialogue, Goal};
use rolecall_booking::strategy;
use rolecall_booking::words::BookingWords;
use rolecall_core::domain::{Choice, PublicTask, RoleName, Utterance};
use rolecall_core::ports::model::{ChatMessage, Models, Prompt};
use rolecall_core::ports::{
    ParameterValue, Parameters, Persona, RoleSetup, Turn, UserError, UserSimulator, Words, World,
};
use rolecall_core::roles::model;

/// The prompt of the card that plays.
const PROMPT: &str = include_str!("../../../agents/respact-booking/executor.md");

#[derive(Deserialize)]
struct Session {
    id: String,
    user_turns: Vec<String>,
    model_outputs: Vec<String>,
    turns: Vec<Value>,
    messages_after: Vec<ChatMessage>,
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
    let city = city(data)?;
    each_line(file, |session: Session| play(&session, &city, tally).with_context(|| session.id.clone()))
}

fn play(session: &Session, city: &Arc<City>, tally: &mut Tally) -> anyhow::Result<()> {
    let replies = session.model_outputs.iter().map(|text| Choice { text: text.clone(), ..Choice::default() });
    let agent = RecordedModel::chat("agent", 1000, replies.map(|reply| vec![reply]));
    let mut episode = opened(session, city, &agent)?;
    episode.step()?;
    let mut state = Map::new();
    let mut last = None;
    for (number, turn) in session.turns.iter().enumerate() {
        let position = format!("{} turn {number}", session.id);
        let steps = played(&mut episode)?;
        let mut asked = agent.asked();
        let at = || format!("{position}, requests");
        tally.check(at, &turn["model_calls"], &json!(asked.len()));
        last = asked.pop().or(last);
        let raised = |what: &str| !turn[what].is_null();
        let stops = raised("exception") || raised("state_exception");
        let aborted = !data(&steps)["aborted"].is_null();
        tally.check(|| format!("{position}, aborted"), &stops, &aborted);
        if !raised("exception") {
            compare_turn(tally, &position, turn, &steps, &mut state);
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
fn opened(session: &Session, city: &Arc<City>, agent: &Arc<RecordedModel>) -> anyhow::Result<Episode> {
    let mut said = session.user_turns.iter().cloned();
    let dialogue = Dialogue {
        id: session.id.clone(),
        goal: Goal::default(),
        message: Vec::new(),
        first: said.next().unwrap_or_default(),
    };
    let task =
        PublicTask { data: json!({ "profile": "reference" }), ..PublicTask::new(&*session.id, "", &*dialogue.first) };
    let rules = Rules { profile: Profile::Reference, ..Rules::default() };
    let world = BookingEnvironment::new(Arc::clone(city), Arc::new(dialogue), rules);
    let name = RoleName::new("executor")?;
    let parameters = Parameters::defaults(strategy::PARAMETERS);
    let mut models = Models::default();
    models.add(Arc::clone(agent) as _);
    let model = ParameterValue::Text("agent".to_owned());
    let role = RoleSetup {
        role: name.clone(),
        parameters: Parameters::defaults(model::PARAMETERS).with("model", model),
        persona: Persona { prompt: PROMPT.to_owned(), ..Persona::default() },
        models,
        world: World {
            words: &BookingWords,
            formats: FORMATS.into(),
            variables: BookingWords.variables().into(),
            ..World::default()
        },
    };
    let cast = Cast {
        strategy: strategy::build(std::slice::from_ref(&name), &parameters)?(),
        environment: Box::new(world),
        role: (name, model::build(&role)?()),
        user: Box::new(RecordedUser(said.collect())),
    };
    Episode::open(cast, task, Vec::new())
}

/// The steps up to the next words of the user.
fn played(episode: &mut Episode) -> anyhow::Result<Vec<Step>> {
    let mut steps = Vec::new();
    while let Some(step) = episode.step()? {
        let ends = step.told.is_some() || step.seen.done;
        steps.push(step);
        if ends {
            break;
        }
    }
    Ok(steps)
}

/// The data of the last observation.
fn data(steps: &[Step]) -> &Value {
    let data = steps.last().and_then(|step| step.seen.data.as_deref());
    data.unwrap_or(&Value::Null)
}

/// Compares what the user was told in a turn, the calls before it, and the state after it.
fn compare_turn(tally: &mut Tally, position: &str, turn: &Value, steps: &[Step], state: &mut Map<String, Value>) {
    let at = |what: &'static str| move || format!("{position}, {what}");
    let told = steps.last().and_then(|step| step.told.as_deref());
    // A user who is told nothing is shown all that was written.
    let reply = turn["response"].as_str().or(turn["result"].as_str());
    tally.check(at("reply"), &reply, &told.map(masked).as_deref());
    let calls = || steps.iter().filter(|step| step.action.is_some());
    let inputs: Value = calls().map(input).collect();
    tally.check(at("inputs"), &turn["action_inputs"], &inputs);
    let outputs = calls().map(|step| serde_json::from_str(&masked(&step.seen.text)));
    let outputs: Value = outputs.map(Result::<Value, _>::unwrap_or_default).collect();
    tally.check(at("outputs"), &turn["action_outputs"], &outputs);
    if turn["state_exception"].is_null() {
        let told = turn["state_delta"].as_object().into_iter().flatten();
        state.extend(told.map(|(slot, value)| (slot.clone(), value.clone())));
        tally.check(at("state"), &json!(state), &data(steps)["state"]);
    }
}

/// The input of a call, with its name as it was recorded.
fn input(step: &Step) -> Value {
    let call = data(std::slice::from_ref(step))["call"].clone();
    let mut input = call["input"].clone();
    input["action"] = call["api"].clone();
    input
}
