//! A recorded episode, played through its strategy.

use std::sync::Arc;

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::recorded::{Flow, Retrieval};
use rolecall_core::domain::{
    Action, Begun, Brief, CellName, Event, Message, Move, Observation, Opened, PlanStep, PublicTask, RoleName, Seat,
    Seed,
};
use rolecall_core::ports::{Asked, Directive, Format, ParameterValue, Parameters, Strategy};
use rolecall_core::roles::reader::read_format;
use rolecall_core::text::bm25::{Bm25, Ties, Tokeniser};
use rolecall_dialogue::ENTRIES;
use rolecall_dialogue::formats::DialogueFormat;
use rolecall_dialogue::language::Dataset;

/// The outcome of an episode.
#[derive(Default)]
pub(super) struct EpisodeTrace {
    /// The roles that were briefed, as recordings call them, with the words of the brief.
    pub(super) prompts: Vec<(&'static str, String)>,
    /// The thought in the brief of a later role.
    pub(super) thought: Option<String>,
    pub(super) retrievals: Vec<Retrieval>,
    /// The observations, each with the number of prompts before it.
    pub(super) observations: Vec<(usize, String)>,
    /// The words of strategies, each with the number of prompts before them and their own.
    pub(super) said: Vec<(usize, String)>,
    /// The strategies that were planned.
    pub(super) strategies: Vec<String>,
    /// The steps of plans over sources.
    steps: Vec<PlanStep>,
    /// The texts at which the answer of the last prompt may end.
    pub(super) stops: &'static [&'static str],
    pub(super) response: Option<String>,
}

/// Plays until the response is given.
pub(super) fn play(flow: &Flow) -> anyhow::Result<EpisodeTrace> {
    let (name, cast) = method(&flow.method)?;
    let mut strategy = strategy(name, cast)?;
    let dataset = match flow.task.has_sources() {
        true => Dataset::Focus,
        false => Dataset::Cima,
    };
    let mut tell = |message: Message| {
        strategy.apply(&Event { seq: 0, cause: None, from: Seat::Conductor, to: Seat::Conductor, message });
        strategy.next()
    };
    let task = Arc::new(task(flow, dataset));
    tell(opened(Arc::clone(&task), name)?)?;
    tell(Message::Begun(Begun { trial: 0, round: 0, keep_world: false, seed: Seed(0) }))?;
    let mut directive = tell(Message::Observed(Observation::default()))?;
    let mut played = EpisodeTrace::default();
    let mut replies = flow.replies();
    loop {
        match directive {
            Directive::Brief(_, brief) => {
                let format = brief.notation.and_then(DialogueFormat::of);
                let format = format.context("a brief names no format of dialogue")?;
                let acts = brief.acts.clone();
                played.briefed(role(&flow.method, format), &brief);
                played.stops = format.stops();
                tell(Message::Brief(brief))?;
                // A role that nobody recorded ends the episode without a response.
                let Some(reply) = replies.next() else {
                    return Ok(played);
                };
                let asked = Asked { task: Some(&task), acts: &acts, natural: false };
                directive = Directive::Close;
                for made in read_format(&format, reply, &asked)?.moves {
                    played.moved(format, &made);
                    directive = tell(Message::Moved(made))?;
                }
            }
            Directive::Perform(action) => {
                let Some(seen) = played.performed(flow, &action)? else {
                    return Ok(played);
                };
                tell(Message::Perform(action))?;
                directive = tell(Message::Observed(seen))?;
            }
            _ => return Ok(played),
        }
    }
}

/// The strategy and the cast of a recorded method.
fn method(name: &str) -> anyhow::Result<(&'static str, &'static [&'static str])> {
    Ok(match name {
        "tpe" => ("tpe", &["thinker", "planner", "executor"]),
        "tpe_strategy" => ("tpe", &["thinker", "executor"]),
        "rewoo" => ("rewoo", &["planner", "executor"]),
        "react_source" | "react_strategy" => ("react", &["executor"]),
        "chameleon_source" | "chameleon_strategy" => ("chameleon", &["planner", "executor"]),
        "cot_source" | "cot_strategy" => ("cot", &["executor"]),
        "cue_cot" => ("cue-cot", &["thinker", "executor"]),
        other => bail!("`{other}` is no method that is known"),
    })
}

fn strategy(name: &str, cast: &[&str]) -> anyhow::Result<Box<dyn Strategy>> {
    let mut entries = ENTRIES.strategies.iter();
    let entry = entries.find(|entry| entry.name == name);
    let entry = entry.context("there is no such strategy")?;
    let cast = cast.iter().map(|name| RoleName::new(name));
    let cast: Vec<RoleName> = cast.collect::<Result<_, _>>()?;
    let parameters = Parameters::new([
        ("cast", ParameterValue::Roles(cast.clone())),
        ("status", ParameterValue::Flag(true)),
        ("reasons", ParameterValue::Flag(true)),
    ]);
    Ok(entry.factory(&cast, &parameters, None)?())
}

fn task(flow: &Flow, dataset: Dataset) -> PublicTask {
    let tools = dataset.tools().iter();
    let tools = tools.map(|tool| json!({"name": tool.name}));
    let data = json!({
        "dataset": dataset.name(),
        "language": dataset.language(),
        "dialogue": flow.task.dialogue(),
        "tools": tools.collect::<Value>(),
    });
    PublicTask { data, ..PublicTask::new(flow.task.id.as_str(), dataset.name(), "") }
}

fn opened(task: Arc<PublicTask>, strategy: &str) -> anyhow::Result<Message> {
    Ok(Message::Opened(Box::new(Opened {
        task,
        cell: CellName::new("main")?,
        strategy: strategy.to_owned(),
        roles: Vec::new(),
        user: None,
        fork: None,
        served: None,
    })))
}

/// The recordings' name of a role that writes in the format.
fn role(method: &str, format: DialogueFormat) -> &'static str {
    match (format, method) {
        (DialogueFormat::Thought, _) => "thinker",
        (DialogueFormat::Status, _) => "status",
        (DialogueFormat::SourcePlan | DialogueFormat::RewooPlan, _) => "planner",
        (DialogueFormat::Modules | DialogueFormat::Strategies, _) => "policy",
        (DialogueFormat::PlanDo, _) => "planner_executor",
        (DialogueFormat::ReactSource | DialogueFormat::ReactStrategy, _) => "react_step",
        (DialogueFormat::SubResponse, _) => "strategy_module",
        (_, "tpe") => "executor",
        (_, "rewoo") => "solver",
        (_, "chameleon_source") => "answer_generator",
        _ => "responder",
    }
}

impl EpisodeTrace {
    fn briefed(&mut self, role: &'static str, brief: &Brief) {
        let mut sections = brief.sections.iter();
        if let Some(thought) = sections.find(|section| section.name == "thought") {
            self.thought.get_or_insert_with(|| thought.text.clone());
        }
        let texts = brief.sections.iter().map(|section| &*section.text);
        let texts: Vec<&str> = texts.collect();
        self.prompts.push((role, texts.join("\n")));
    }

    fn moved(&mut self, format: DialogueFormat, made: &Move) {
        match (made, format) {
            (Move::Plan { steps }, DialogueFormat::SourcePlan | DialogueFormat::RewooPlan) => {
                self.steps.extend(steps.iter().cloned());
            }
            (Move::Plan { .. }, DialogueFormat::Modules) => {}
            (Move::Plan { steps }, _) => {
                let names = steps.iter().map(|step| step.action.text.clone());
                self.strategies.extend(names);
            }
            (Move::Speak { text, .. }, DialogueFormat::SubResponse) => {
                self.said.push((self.prompts.len(), text.clone()));
            }
            _ => {}
        }
    }

    /// The observation of a source; none if the action is the response.
    fn performed(&mut self, flow: &Flow, action: &Action) -> anyhow::Result<Option<Observation>> {
        let call = action.call.as_deref().context("an action holds no call")?;
        let argument = |name: &str| {
            let value = call.arguments.get(name).and_then(Value::as_str);
            value.with_context(|| format!("`{}` has no `{name}`", action.text))
        };
        if call.tool == "respond" {
            self.response = Some(argument("text")?.to_owned());
            return Ok(None);
        }
        let query = argument("query")?;
        let texts = flow.task.texts(&call.tool);
        let tokeniser = Tokeniser::named(&flow.tokenizer).context("no such tokeniser")?;
        let ties = match flow.tie_break.as_str() {
            "index_asc" => Ties::IndexAsc,
            "stable_reversed" => Ties::StableReversed,
            other => bail!("`{other}` is no order of ties that is known"),
        };
        let ranked = Bm25::new(texts, tokeniser).top(query, flow.top_k, ties);
        let (top, scores): (Vec<usize>, Vec<f64>) = ranked.into_iter().unzip();
        let found = top.iter().filter_map(|place| texts.get(*place));
        let found: Vec<&str> = found.map(String::as_str).collect();
        let seen = Observation { data: Some(Box::new(json!({"texts": found}))), ..Observation::text(found.join(" ")) };
        let observation = (self.prompts.len(), seen.text.clone());
        self.observations.push(observation);
        let step = self.steps.get(self.retrievals.len());
        self.retrievals.push(Retrieval {
            var: step.and_then(|step| step.variable.clone()),
            source: call.tool.clone(),
            query: query.to_owned(),
            top,
            scores,
        });
        Ok(Some(seen))
    }
}
