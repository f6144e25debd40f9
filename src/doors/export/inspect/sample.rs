//! An episode as a sample.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::messages::usage;
use super::transcript::Transcript;
use super::{Names, RULES, TARGET, error, time, verdict};
use crate::export::PlayedEpisode;
use crate::export::origin::Origin;
use rolecall_core::domain::{Ending, Limit, Message, Usage};
use rolecall_core::evaluation::{EpisodeResult, SeatUsage, Standing};
use rolecall_core::ports::Measurement;
use rolecall_run::config::Limits;

/// The longest text of a summary, in bytes.
const SUMMARY_TEXT: usize = 1024;

/// A sample, and what lists show of it, as JSON.
pub(super) struct Sample {
    /// Its name and repeat, as its file is called.
    pub(super) name: String,
    pub(super) text: String,
    pub(super) summary: String,
}

/// The sample of an episode.
pub(super) fn of(names: &Names<'_>, origin: &Origin, episode: &PlayedEpisode) -> Sample {
    let result = &episode.result;
    let transcript = Transcript::of(names, origin, episode);
    let (id, epoch) = (names.sample(result), result.episode.repeat + 1);
    let text = episode.opened().map_or("", |opened| &opened.task.text);
    let (model_usage, role_usage) = tokens(names, [result]);
    let seconds = origin.seconds(&episode.id);
    let times = origin.times(&episode.id, episode.events.len());
    let mut sample = json!({
        "id": id, "epoch": epoch, "input": text, "target": TARGET,
        "metadata": metadata(origin, episode, transcript.from_view),
        "scores": scores(result),
        "model_usage": model_usage, "role_usage": role_usage,
        "started_at": time(times.at(0)), "completed_at": time(times.at(episode.events.len())),
        "total_time": seconds, "working_time": seconds,
        "uuid": transcript.name("sample"),
    });
    let mut summary = sample.clone();
    summary["input"] = cut(text).into();
    if let Some(problem) = problem(episode) {
        summary["error"] = cut(&problem).into();
        sample["error"] = error(&problem);
    }
    if let Some((kind, limit)) = limit(result, &names.cell.limits) {
        summary["limit"] = kind.into();
        sample["limit"] = json!({ "type": kind, "limit": limit });
    }
    let (messages, output) = ending_of(&transcript);
    summary["completed"] = true.into();
    summary["message_count"] = messages.len().into();
    let Transcript { events, pool, .. } = transcript;
    sample["messages"] = messages.into();
    sample["output"] = output;
    sample["store"] = json!({});
    sample["events"] = events.into();
    sample["events_data"] = json!({ "messages": pool.messages, "calls": [] });
    Sample { name: format!("{id}_epoch_{epoch}"), text: sample.to_string(), summary: summary.to_string() }
}

/// The conversation that the seat which acts was in at last, and its last output.
fn ending_of(transcript: &Transcript<'_>) -> (Vec<Value>, Value) {
    let Some((refs, output)) = &transcript.last else {
        return (Vec::new(), json!({ "model": RULES, "choices": [] }));
    };
    let mut messages = transcript.pool.of(refs);
    let answer = &output["choices"][0]["message"];
    messages.extend((!answer.is_null()).then(|| answer.clone()));
    (messages, output.clone())
}

/// The figures of the episode; none of one that says nothing about the agent.
fn scores(result: &EpisodeResult) -> Value {
    if result.standing() != Standing::Counted {
        return json!({});
    }
    let ending = result.ending.as_ref().map(Ending::label);
    let score = |name: &str| match result.measures.get(name) {
        Measurement::Rate(yes) if name == TARGET => Some(json!({ "value": verdict(yes), "explanation": ending })),
        measured => measured.number().map(|value| json!({ "value": value })),
    };
    result.measures.names().filter_map(|name| Some((name.to_owned(), score(name)?))).collect::<Map<_, _>>().into()
}

fn metadata(origin: &Origin, episode: &PlayedEpisode, from_view: bool) -> Value {
    let result = &episode.result;
    let times = origin.times(&episode.id, episode.events.len());
    let prompts = if from_view || episode.calls.is_empty() { "view" } else { "rebuilt" };
    let mut metadata = json!({
        "cell": result.episode.cell,
        "rolecall_episode": result.episode.to_string(),
        "kind": cut(&result.kind),
        "ending": result.ending.as_ref().map(Ending::label),
        "prompts": prompts,
        "times": if times.known { "spread" } else { "order" },
    });
    for (name, value) in &result.groups {
        metadata[name] = cut(value).into();
    }
    if let Some(user) = &result.user {
        metadata["user"] = user.as_str().into();
    }
    let fork = episode.opened().and_then(|opened| opened.fork.as_ref());
    if let Some(fork) = fork {
        metadata["fork"] = format!("{} after event {}", fork.run, fork.events).into();
    }
    metadata
}

/// Tokens by model, and by seat.
pub(super) fn tokens<'a>(names: &Names<'_>, results: impl IntoIterator<Item = &'a EpisodeResult>) -> (Value, Value) {
    let mut models: BTreeMap<String, Sum> = BTreeMap::new();
    let mut seats: BTreeMap<String, Sum> = BTreeMap::new();
    for usage in results.into_iter().flat_map(|result| &result.usage) {
        models.entry(names.model(&usage.model)).or_default().add(usage);
        seats.entry(usage.seat.to_string()).or_default().add(usage);
    }
    let written = |sums: BTreeMap<String, Sum>| {
        sums.into_iter().map(|(name, sum)| (name, usage(&sum.usage, sum.cost))).collect::<Map<_, _>>().into()
    };
    (written(models), written(seats))
}

/// Tokens of several calls.
#[derive(Default)]
struct Sum {
    usage: Usage,
    cost: Option<f64>,
}

impl Sum {
    fn add(&mut self, more: &SeatUsage) {
        let usage = &mut self.usage;
        usage.prompt = usage.prompt.saturating_add(more.prompt);
        usage.completion = usage.completion.saturating_add(more.completion);
        if let Some(cost) = more.cost {
            *self.cost.get_or_insert(0.0) += cost;
        }
    }
}

/// The cause that ended a broken episode.
fn problem(episode: &PlayedEpisode) -> Option<String> {
    let ending = episode.result.ending.as_ref()?;
    let broken = ending.is_broken().then(|| ending.label())?;
    let faults = episode.events.iter().rev().find_map(|event| match &event.message {
        Message::Fault(fault) => Some(&fault.message),
        _ => None,
    });
    Some(match faults {
        Some(message) => format!("{broken}: {message}"),
        None => broken,
    })
}

/// The limit that ended an episode, in Inspect's words.
fn limit(result: &EpisodeResult, limits: &Limits) -> Option<(&'static str, f64)> {
    let Some(Ending::OutOf { limit }) = &result.ending else {
        return None;
    };
    let (kind, limit) = match limit {
        Limit::Steps => ("turn", Some(f64::from(limits.steps))),
        Limit::Questions => ("custom", limits.questions.map(f64::from)),
        Limit::Turns => ("custom", None),
        Limit::ModelCalls => ("custom", limits.model_calls.map(f64::from)),
        Limit::Tokens => ("token", limits.tokens.map(|tokens| tokens as f64)),
        Limit::Cost => ("cost", limits.cost),
        Limit::Time => ("time", limits.episode.map(|time| time.as_secs_f64())),
        Limit::Repeats => ("custom", Some(f64::from(limits.repeats))),
    };
    Some((kind, limit.unwrap_or_default()))
}

/// A text of a list, which is short.
fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(SUMMARY_TEXT)]
}
