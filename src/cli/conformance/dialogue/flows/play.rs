//! A recorded episode, played through its strategy.

use std::sync::Arc;

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::recorded::{Flow, Retrieval};
use crate::domain::{
    Action, Begun, Brief, CellName, Event, Message, Move, Notation, Observation, Opened, PlanStep,
    PublicTask, RoleName, Seat, Seed,
};
use crate::ports::{Directive, ParameterValue, Parameters, Strategy};
use crate::registry::{Registry, StrategyEntry};
use crate::roles::reader::notation::{Written, read, stops};
use crate::text::bm25::{Bm25, Ties, Tokeniser};
use crate::text::dialogue::Dataset;

/// What happened in an episode.
#[derive(Default)]
pub(super) struct Played {
    /// Who was briefed, as recordings call the roles, with all that the brief said.
    pub(super) prompts: Vec<(&'static str, String)>,
    /// The thought that a later role was told.
    pub(super) thought: Option<String>,
    pub(super) retrievals: Vec<Retrieval>,
    /// What sources showed, each with the number of prompts before it.
    pub(super) observations: Vec<(usize, String)>,
    /// What strategies said, each with the number of prompts before it and its own.
    pub(super) said: Vec<(usize, String)>,
    /// The strategies that were planned.
    pub(super) strategies: Vec<String>,
    /// The steps of plans over sources.
    steps: Vec<PlanStep>,
    /// Where the last prompt lets its answer end.
    pub(super) stops: &'static [&'static str],
    pub(super) response: Option<String>,
}

/// Plays until the response is given.
pub(super) fn play(flow: &Flow) -> anyhow::Result<Played> {
    let (name, cast) = method(&flow.method)?;
    let mut strategy = strategy(name, cast)?;
    let dataset = if flow.task.has_sources() {
        Dataset::Focus
    } else {
        Dataset::Cima
    };
    let mut tell = |message: Message| {
        strategy.apply(&Event {
            seq: 0,
            cause: None,
            from: Seat::Conductor,
            to: Seat::Conductor,
            message,
        });
        strategy.next()
    };
    tell(opened(flow, name, dataset)?)?;
    tell(Message::Begun(Begun {
        trial: 0,
        round: 0,
        keep_world: false,
        seed: Seed(0),
    }))?;
    let mut directive = tell(Message::Observed(Observation::default()))?;
    let mut played = Played::default();
    let mut replies = flow.replies();
    loop {
        match directive {
            Directive::Brief(_, brief) => {
                let notation = brief.notation.context("a brief names no notation")?;
                let acts = brief.acts.clone();
                played.briefed(role(&flow.method, notation), &brief);
                played.stops = stops(notation);
                tell(Message::Brief(brief))?;
                // A role that nobody recorded ends the episode without a response.
                let Some(reply) = replies.next() else {
                    return Ok(played);
                };
                let written = Written {
                    notation,
                    dataset,
                    acts: &acts,
                };
                directive = Directive::Close;
                for made in read(reply, &written)?.moves {
                    played.moved(notation, &made);
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
    let mut entries = Registry::standard().strategies.into_iter();
    let is_it =
        |entry: &&StrategyEntry| entry.name == name && entry.environments.contains(&"dialogue");
    let entry = entries.find(is_it).context("there is no such strategy")?;
    let cast: Result<Vec<RoleName>, _> = cast.iter().map(|name| RoleName::new(name)).collect();
    let cast = cast?;
    let told = [
        ("cast", ParameterValue::Roles(cast.clone())),
        ("status", ParameterValue::Flag(true)),
    ];
    let factory = (entry.build)(&cast, &Parameters::new(told.into()))?;
    Ok(factory())
}

fn opened(flow: &Flow, strategy: &str, dataset: Dataset) -> anyhow::Result<Message> {
    let tools = dataset
        .tools()
        .iter()
        .map(|tool| json!({"name": tool.name}));
    let data = json!({
        "dataset": dataset.name(),
        "language": dataset.language(),
        "dialogue": flow.task.dialogue(),
        "tools": tools.collect::<Value>(),
    });
    let task = PublicTask {
        data,
        ..PublicTask::new(flow.task.id.as_str(), dataset.name(), "")
    };
    Ok(Message::Opened(Box::new(Opened {
        task: Arc::new(task),
        cell: CellName::new("main")?,
        strategy: strategy.to_owned(),
        roles: Vec::new(),
        user: None,
        fork: None,
    })))
}

/// What recordings call a role that writes in the notation.
fn role(method: &str, notation: Notation) -> &'static str {
    match (notation, method) {
        (Notation::Thought, _) => "thinker",
        (Notation::Status, _) => "status",
        (Notation::SourcePlan | Notation::RewooPlan, _) => "planner",
        (Notation::Modules | Notation::Strategies, _) => "policy",
        (Notation::PlanDo, _) => "planner_executor",
        (Notation::ReactSource | Notation::ReactStrategy, _) => "react_step",
        (Notation::SubResponse, _) => "strategy_module",
        (_, "tpe") => "executor",
        (_, "rewoo") => "solver",
        (_, "chameleon_source") => "answer_generator",
        _ => "responder",
    }
}

impl Played {
    fn briefed(&mut self, role: &'static str, brief: &Brief) {
        let mut sections = brief.sections.iter();
        if let Some(thought) = sections.find(|section| section.name == "thought") {
            self.thought.get_or_insert_with(|| thought.text.clone());
        }
        let texts: Vec<&str> = brief
            .sections
            .iter()
            .map(|section| &*section.text)
            .collect();
        self.prompts.push((role, texts.join("\n")));
    }

    fn moved(&mut self, notation: Notation, made: &Move) {
        match (made, notation) {
            (Move::Plan { steps }, Notation::SourcePlan | Notation::RewooPlan) => {
                self.steps.extend(steps.iter().cloned());
            }
            (Move::Plan { .. }, Notation::Modules) => {}
            (Move::Plan { steps }, _) => {
                let names = steps.iter().map(|step| step.action.text.clone());
                self.strategies.extend(names);
            }
            (Move::Speak { text, .. }, Notation::SubResponse) => {
                self.said.push((self.prompts.len(), text.clone()));
            }
            _ => {}
        }
    }

    /// What a source shows; nothing if the action is the response.
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
        let found: Vec<&str> = top
            .iter()
            .filter_map(|place| texts.get(*place))
            .map(|text| &**text)
            .collect();
        let seen = Observation {
            data: Some(Box::new(json!({"texts": found}))),
            ..Observation::text(found.join(" "))
        };
        self.observations
            .push((self.prompts.len(), seen.text.clone()));
        self.retrievals.push(Retrieval {
            var: self
                .steps
                .get(self.retrievals.len())
                .and_then(|step| step.variable.clone()),
            source: call.tool.clone(),
            query: query.to_owned(),
            top,
            scores,
        });
        Ok(Some(seen))
    }
}
