//! Recorded runs of executors who go step by step: single steps, and episodes by the running strategy and model role.
//! Sentences of prompts are ours; what stands between them is compared.

use std::collections::{BTreeSet, VecDeque};
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use async_trait::async_trait;
use serde::Deserialize;
use serde_json::{Value, json};

use super::country;
use crate::kit::{Cast, Check, Episode, RecordedModel, Step, Tally, each_line};
use rolecall_core::domain::{Answer, Choice, Move, PublicTask, RoleName, Utterance};
use rolecall_core::ports::model::{ChatRole, Completion, Models, Prompt};
use rolecall_core::ports::{
    ParameterValue, Parameters, Persona, Role, RoleError, RoleSetup, Turn, UserError, UserSimulator, Words, World,
};
use rolecall_core::roles::model;
use rolecall_travel::calls::{Tool, parts};
use rolecall_travel::country::Country;
use rolecall_travel::environment::TravelEnvironment;
use rolecall_travel::formats::FORMATS;
use rolecall_travel::request::{Conversation, Request};
use rolecall_travel::score::Quirks;
use rolecall_travel::seen::status;
use rolecall_travel::steps::{Limits, Run, Status};
use rolecall_travel::strategy;
use rolecall_travel::words::TravelWords;

/// The recordings.
pub(super) const RECORDINGS: &[(&str, Check)] =
    &[("action_steps.jsonl", action_steps), ("dynamic_episodes.jsonl", episodes)];

/// The prompt of the card that plays.
const PROMPT: &str = include_str!("../../../agents/cep/executor.md");

#[derive(Deserialize)]
struct Recording {
    id: String,
    conversation: Vec<Value>,
    model_outputs_in_order: Vec<String>,
    reflect_outputs_in_order: Option<Vec<String>>,
    past_memory: Option<Vec<String>>,
    scratchpad: String,
    logs: Vec<Value>,
    extracted_actions: String,
    calls_made: usize,
    prompts_seen: Vec<String>,
    #[serde(default)]
    rationales_sorted: Vec<String>,
    #[serde(default)]
    reflect_prompts: Vec<String>,
}

#[derive(Deserialize)]
struct ActionStep {
    id: String,
    raw_action: String,
    parse_tool: Value,
    log: Value,
    done: bool,
    retry_count: Value,
    scratchpad: String,
}

/// The executor, and a clarifier who asks whenever it is asked.
struct Seats(Box<dyn Role>);

#[async_trait]
impl Role for Seats {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        let notation = turn.brief().and_then(|brief| brief.notation);
        if notation.is_some_and(|name| name.as_str() == "clarify-need") {
            return Ok(Move::speak("?").into());
        }
        self.0.take_turn(turn).await
    }
}

/// A user who has an answer to everything.
struct Answers;

#[async_trait]
impl UserSimulator for Answers {
    async fn reply(&mut self, _: &Turn) -> Result<Utterance, UserError> {
        Ok(Utterance::text("."))
    }
}

/// A run of steps as it was played.
struct Played {
    run: Run,
    /// The model's requests for thoughts and actions, and for lessons.
    asked: Vec<String>,
    lessons: Vec<String>,
}

fn action_steps(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let country = country(data)?;
    each_line(file, |step: ActionStep| {
        let id = &step.id;
        let at = |what: &'static str| move || format!("{id}, {what}");
        let action = step.raw_action.as_str();
        let parsed = parts(action).map_or([None; 2], |(name, rest)| [Some(name), Some(rest)]);
        tally.check(at("parts"), &step.parse_tool, &json!(parsed));
        let outputs = ["think".to_owned(), action.to_owned()];
        let settings = [("steps", ParameterValue::Integer(1))];
        let run = played(&country, "hi", &outputs, &settings, false)?.run;
        compare_logs(tally, at("log"), std::slice::from_ref(&step.log), &run);
        tally.check(at("scratchpad"), &step.scratchpad, &run.scratchpad());
        let done = run.log().last().is_some_and(|last| ends(last.status));
        tally.check(at("done"), &step.done, &done);
        tally.check(at("failures"), &step.retry_count, &failures(&run));
        Ok(())
    })
}

fn episodes(file: &Path, data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    let country = country(data)?;
    each_line(file, |recording: Recording| episode(&recording, &country, tally).with_context(|| recording.id.clone()))
}

fn episode(recording: &Recording, country: &Arc<Country>, tally: &mut Tally) -> anyhow::Result<()> {
    let reflects = recording.reflect_outputs_in_order.is_some();
    let carried = recording.past_memory.is_some();
    let memory = if carried { "carried" } else { "cleared" };
    let settings =
        [("reflection", ParameterValue::Flag(reflects)), ("memory", ParameterValue::Text(memory.to_owned()))];
    let query = recording.conversation.first();
    let query = query.and_then(|said| said["user"].as_str());
    let outputs = outputs(recording);
    let played = played(country, query.unwrap_or_default(), &outputs, &settings, carried)?;
    let Played { run, asked, lessons } = played;
    let id = &recording.id;
    let at = |what: &'static str| move || format!("{id}, {what}");
    compare_logs(tally, at("log"), &recording.logs, &run);
    tally.check(at("scratchpad"), &recording.scratchpad, &run.scratchpad());
    let calls = run.calls().join("\n");
    tally.check(at("calls"), &recording.extracted_actions, &calls);
    tally.check(at("requests"), &recording.calls_made, &asked.len());
    let ends = |prompts: &[String]| -> Vec<_> {
        let ends = [prompts.first(), prompts.last()].into_iter().flatten();
        ends.map(|prompt| read(prompt, carried)).collect()
    };
    tally.check(at("prompts"), &ends(&recording.prompts_seen), &ends(&asked));
    let reflections = |prompts: &[String]| -> Vec<_> {
        let prompts = prompts.iter();
        prompts.map(|prompt| reflection(prompt)).collect()
    };
    let recorded = reflections(&recording.reflect_prompts);
    tally.check(at("reflections"), &recorded, &reflections(&lessons));
    if reflects {
        let last = asked.last().map(|prompt| read(prompt, carried).0);
        let recorded = recording.rationales_sorted.iter().cloned().collect();
        tally.check(at("lessons"), &Some(recorded), &last);
    }
    Ok(())
}

/// Texts that the model writes, in the order in which it is asked: what is remembered is written in a turn before.
fn outputs(recording: &Recording) -> Vec<String> {
    let mut all = Vec::new();
    let mut say = |text: &str| all.push(text.to_owned());
    if recording.past_memory.is_some() {
        // The list has what was learnt in this turn too; the first prompt has what was known before.
        let first = recording.prompts_seen.first();
        let first = first.map(|prompt| read(prompt, true).0);
        for (number, lesson) in first.unwrap_or_default().iter().enumerate() {
            say("t");
            say(&format!("Finish({number})"));
            say(lesson);
        }
        say("t");
        say("Finish()");
    }
    let mut lessons = recording.reflect_outputs_in_order.iter().flatten();
    let mut statuses = { recording.logs.iter() }.map(|log| Status::named(log["status"].as_str()?));
    for pair in recording.model_outputs_in_order.chunks(2) {
        pair.iter().for_each(|text| say(text));
        let status = statuses.next().flatten();
        if status.is_some_and(|status| status != Status::Successful && !ends(status))
            && let Some(lesson) = lessons.next()
        {
            say(lesson);
        }
    }
    all
}

/// Plays the steps of a turn, the second one where something is remembered from the first.
fn played(
    country: &Arc<Country>,
    query: &str,
    outputs: &[String],
    settings: &[(&'static str, ParameterValue)],
    second: bool,
) -> anyhow::Result<Played> {
    let replies = outputs.iter().map(|text| Choice { text: text.clone(), ..Choice::default() });
    let agent = RecordedModel::chat("agent", 1000, replies.map(|reply| vec![reply]));
    let mut episode = opened(country, query, settings, &agent)?;
    episode.step()?;
    while second && episode.step()?.is_some_and(|step| step.told.is_none()) {}
    let before = agent.asked().len();
    let mut steps = VecDeque::new();
    while let Some(step) = episode.step()? {
        if step.action.as_deref() == Some("Collect()") || step.told.is_some() {
            break;
        }
        steps.push_back(step);
    }
    let (lessons, asked): (Vec<String>, Vec<String>) =
        agent.asked().iter().map(said).partition(|prompt| prompt.ends_with("Reflection:"));
    let mut limits = Limits::TOOLS;
    if settings.iter().any(|(name, _)| *name == "steps") {
        limits.steps = 1;
    }
    // The steps as the strategy took them: without lessons, which stand between them.
    let own = outputs.get(before..).unwrap_or_default();
    Ok(Played { run: run(limits, own, &lessons, steps), asked, lessons })
}

/// The run of these outputs, with what the world showed.
fn run(limits: Limits, outputs: &[String], lessons: &[String], mut steps: VecDeque<Step>) -> Run {
    let mut run = Run::new(limits);
    let mut outputs = outputs.iter();
    let mut lessons = lessons.len();
    while let (false, Some(thought), Some(action)) = (run.is_over(), outputs.next(), outputs.next()) {
        run.think(thought);
        if !run.act(action) {
            break;
        }
        let Some(step) = steps.pop_front() else {
            break;
        };
        let data = step.seen.data.as_deref().unwrap_or(&Value::Null);
        let status = status(data, step.seen.invalid);
        run.observe(&step.seen.text, status);
        if status != Status::Successful && lessons > 0 {
            lessons -= 1;
            outputs.next();
        }
    }
    run
}

/// An episode with what was recorded of the model.
fn opened(
    country: &Arc<Country>,
    query: &str,
    settings: &[(&'static str, ParameterValue)],
    agent: &Arc<RecordedModel>,
) -> anyhow::Result<Episode> {
    let conversation = Conversation {
        id: "recorded".to_owned(),
        level: "easy".to_owned(),
        query: query.to_owned(),
        request: Request::default(),
        details: Vec::new(),
    };
    let world = TravelEnvironment::new(Arc::clone(country), Arc::new(conversation), Quirks::Reference);
    let names = strategy::ROLES.iter().map(|role| RoleName::new(role));
    let names = names.collect::<Result<Vec<RoleName>, _>>()?;
    let mut parameters =
        Parameters::defaults(strategy::PARAMETERS).with("execution", ParameterValue::Text("dynamic".to_owned()));
    for (name, value) in settings {
        parameters = parameters.with(name, value.clone());
    }
    let mut models = Models::default();
    models.add(Arc::clone(agent) as _);
    let executor = RoleName::new("executor")?;
    let role = RoleSetup {
        role: executor.clone(),
        // The original program performs whatever stands behind a label.
        parameters: Parameters::defaults(model::PARAMETERS)
            .with("model", ParameterValue::Text("agent".to_owned()))
            .with("reader", ParameterValue::Text("plain".to_owned())),
        persona: Persona { prompt: PROMPT.to_owned(), ..Persona::default() },
        models,
        world: World {
            words: &TravelWords,
            formats: FORMATS.into(),
            variables: TravelWords.variables().into(),
            ..World::default()
        },
    };
    let cast = Cast {
        strategy: strategy::build(&names, &parameters)?(),
        environment: Box::new(world),
        role: (executor, Box::new(Seats(model::build(&role)?()))),
        user: Box::new(Answers),
    };
    Episode::open(cast, PublicTask::new("recorded", "easy", query), Vec::new())
}

/// Last message of the user in a request.
fn said(request: &Completion) -> String {
    let Prompt::Chat(messages) = &request.prompt else {
        return String::new();
    };
    let mut messages = messages.iter().rev();
    let last = messages.find(|message| message.role == ChatRole::User);
    last.map(|message| message.content.clone()).unwrap_or_default()
}

/// The lessons of a prompt, and what follows them: the conversation, unless it was led up to what is remembered, and the
/// scratchpad.
fn read(prompt: &str, second: bool) -> (BTreeSet<String>, String) {
    let lessons = prompt.split_once("Reflections:\n").and_then(|(_, rest)| rest.split_once("\nConversation:"));
    let lessons = lessons.map_or("", |(lessons, _)| lessons).lines();
    let lessons = lessons.map(|line| line.trim_start_matches("- ").to_owned()).collect();
    let mark = match second {
        true => "\n\nThought 0:",
        false => "Conversation: ",
    };
    let rest = prompt.split_once(mark).map_or(prompt, |(_, rest)| rest);
    (lessons, rest.to_owned())
}

/// The tools whose documentation a prompt for a lesson has, and what follows it.
fn reflection(prompt: &str) -> (Vec<Tool>, String) {
    let parts = prompt.split_once("\n\nObservation: ");
    let (before, rest) = parts.unwrap_or((prompt, ""));
    let names = before.lines().filter_map(|line| line.split_once('('));
    let tools = names.filter_map(|(name, _)| Tool::named(name));
    (tools.collect(), rest.to_owned())
}

fn compare_logs(tally: &mut Tally, at: impl FnOnce() -> String, recorded: &[Value], run: &Run) {
    let found = run.log().iter().enumerate().map(|(step, log)| {
        json!({
            "step": step, "thought": log.thought, "action": log.action, "observation": log.observation,
            "status": log.status.as_str(),
        })
    });
    let found: Vec<Value> = found.collect();
    tally.check(at, &recorded, &found.as_slice());
}

/// Whether a run is over by a step of this status.
fn ends(status: Status) -> bool {
    matches!(status, Status::Finish | Status::Repeated | Status::Retried)
}

/// The failures of each tool under the name of its table.
fn failures(run: &Run) -> Value {
    json!({
        "accommodations": run.failed(Some(Tool::Accommodation)),
        "attractions": run.failed(Some(Tool::Attraction)),
        "flights": run.failed(Some(Tool::Flight)),
        "googleDistanceMatrix": run.failed(Some(Tool::Distance)),
        "restaurants": run.failed(Some(Tool::Restaurant)),
        "budget": run.failed(Some(Tool::Budget)),
        "None": run.failed(None),
        "finish": run.failed(Some(Tool::Finish)),
    })
}
