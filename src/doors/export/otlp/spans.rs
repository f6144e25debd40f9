//! An episode as a trace: one span of its own, below it the turns of seats, actions and replies, and below these
//! the calls of models. At most one request is open in an episode, so that spans nest.

use std::collections::BTreeSet;

use reqwest::Url;
use serde_json::{Value, json};

use super::content::{finish_reason, replied, sent, words};
use super::names;
use super::wire::attribute;
use crate::export::PlayedEpisode;
use crate::export::origin::{Origin, Times, tool_name};
use rolecall_core::domain::{Action, Ending, Event, Fault, Message, ModelCall, Observation, Seat};
use rolecall_core::ports::model::{Completion, Format, ModelRequest};
use rolecall_run::config::Plan;
use rolecall_run::runtime::SentRequest;

/// The provider of seats that ask no model.
const OWN: &str = "rolecall";

// Kinds of spans.
const INTERNAL: u32 = 1;
const CLIENT: u32 = 3;
/// The status of what failed.
const ERROR: u32 = 2;

/// Settings that the spans of a run have in common.
pub(super) struct Tracer<'a> {
    pub(super) plan: &'a Plan,
    pub(super) origin: &'a Origin,
    pub(super) run: &'a str,
    /// Content is written, too.
    pub(super) content: bool,
}

/// A trace that is being written.
struct Trace<'a> {
    tracer: &'a Tracer<'a>,
    episode: &'a PlayedEpisode,
    id: String,
    times: Times,
    /// Seats that know something which nobody else may read.
    entrusted: BTreeSet<&'a Seat>,
    open: Option<Open<'a>>,
    spans: Vec<Value>,
}

/// The request that is open: its index among the events, and what is known of the answer.
struct Open<'a> {
    start: usize,
    end: usize,
    asked: Asked<'a>,
    attributes: Vec<Value>,
    moves: Vec<&'static str>,
    fault: Option<&'a Fault>,
    /// Somebody answered, or a model was called.
    answered: bool,
}

enum Asked<'a> {
    Role(&'a Seat),
    World(&'a Action),
    User,
}

impl Tracer<'_> {
    /// The spans of an episode, the last of which is its own.
    pub(super) fn spans(&self, episode: &PlayedEpisode) -> Vec<Value> {
        let mut trace = Trace {
            tracer: self,
            episode,
            id: episode.id.to_string(),
            times: self.origin.times(&episode.id, episode.events.len()),
            entrusted: episode
                .events
                .iter()
                .filter_map(|event| match &event.message {
                    Message::Entrusted(part) => Some(&part.audience),
                    _ => None,
                })
                .collect(),
            open: None,
            spans: Vec::new(),
        };
        for (index, event) in episode.events.iter().enumerate() {
            trace.event(index, event);
        }
        trace.close();
        trace.root();
        trace.spans
    }
}

impl<'a> Trace<'a> {
    fn event(&mut self, index: usize, event: &'a Event) {
        match &event.message {
            Message::Brief(_) => self.ask(index, Asked::Role(&event.to)),
            Message::Perform(action) => self.ask(index, Asked::World(action)),
            Message::Told(_) => self.ask(index, Asked::User),
            Message::Begun(_) | Message::Assess | Message::Closed(_) => self.close(),
            Message::ModelCalled(call) => self.called(index, event, call),
            Message::Moved(made) => self.answer(index, |open, _| {
                open.moves.push(made.kind().as_str());
            }),
            Message::Observed(observation) => self.answer(index, |open, content| {
                observed(open, observation, content);
            }),
            Message::Replied(said) => self.answer(index, |open, content| {
                open.attributes.extend(content.then(|| words(&said.text)));
            }),
            Message::Fault(fault) => self.answer(index, |open, _| open.fault = Some(fault)),
            Message::Repaired(_) => self.answer(index, |_, _| {}),
            // What was entrusted to somebody is in no trace.
            Message::Opened(_) | Message::Entrusted(_) | Message::Scored(_) => {}
        }
    }

    fn ask(&mut self, index: usize, asked: Asked<'a>) {
        self.close();
        self.open = Some(Open {
            start: index,
            end: index,
            asked,
            attributes: Vec::new(),
            moves: Vec::new(),
            fault: None,
            answered: false,
        });
    }

    fn answer(&mut self, index: usize, read: impl FnOnce(&mut Open<'a>, bool)) {
        if let Some(open) = &mut self.open {
            open.end = index;
            open.answered = true;
            read(open, self.tracer.content);
        }
    }

    /// Writes the span of the request that was open. What is said without a reply has none.
    fn close(&mut self) {
        let Some(mut open) = self.open.take() else {
            return;
        };
        let mut attributes = Vec::new();
        let mut put = |name: &str, value: Value| attributes.push(attribute(name, value));
        let name = match &open.asked {
            Asked::User if !open.answered => return,
            Asked::User => {
                put(names::OPERATION, "invoke_agent".into());
                put(names::AGENT, "user".into());
                "invoke_agent user".to_owned()
            }
            Asked::Role(seat) => {
                let operation = if open.moves.contains(&"plan") { "plan" } else { "invoke_agent" };
                put(names::OPERATION, operation.into());
                put(names::AGENT, seat.as_str().into());
                put(names::PROVIDER, self.provider_of(open.start).into());
                if !open.moves.is_empty() {
                    put(names::MOVE, open.moves.join(", ").into());
                }
                format!("{operation} {seat}")
            }
            Asked::World(action) => {
                let tool = tool_name(action);
                put(names::OPERATION, "execute_tool".into());
                put(names::TOOL, tool.into());
                put(names::TOOL_CALL, format!("c{}_0", self.seq(open.start)).into());
                put(names::TOOL_TYPE, "function".into());
                if self.tracer.content {
                    let arguments = match &action.call {
                        Some(call) => call.arguments.to_string(),
                        None => action.text.clone(),
                    };
                    put(names::TOOL_ARGUMENTS, arguments.into());
                }
                format!("execute_tool {tool}")
            }
        };
        put(names::CONVERSATION, self.conversation().into());
        attributes.append(&mut open.attributes);
        let parent = self.span_id("episode");
        let id = self.span_id(&self.seq(open.start).to_string());
        let mut span = self.span(&id, &name, INTERNAL, [open.start, open.end], attributes);
        span["parentSpanId"] = parent.into();
        if let Some(fault) = open.fault {
            self.fail(&mut span, fault);
        }
        self.spans.push(span);
    }

    /// Marks a span as one that failed.
    fn fail(&self, span: &mut Value, fault: &Fault) {
        let kind = serde_json::to_value(fault.kind).unwrap_or_default();
        if let Some(attributes) = span["attributes"].as_array_mut() {
            attributes.push(attribute(names::ERROR_TYPE, kind));
        }
        span["status"] = json!({ "code": ERROR });
        if self.tracer.content && !self.entrusted.contains(&fault.seat) {
            span["status"]["message"] = fault.message.as_str().into();
        }
    }

    /// Writes the span of a call of a model.
    fn called(&mut self, index: usize, event: &Event, call: &ModelCall) {
        let start = self.open.as_mut().map(|open| {
            open.end = index;
            open.answered = true;
            open.start
        });
        let request = self.episode.request(event.seq);
        let served = Served::of(self.tracer.plan, &call.model);
        let operation =
            if request.map_or(served.chat, |sent| sent.endpoint.contains("chat")) { "chat" } else { "text_completion" };
        let mut attributes = Vec::new();
        let mut put = |name: &str, value: Value| attributes.push(attribute(name, value));
        put(names::OPERATION, operation.into());
        put(names::PROVIDER, served.provider.into());
        put(names::REQUEST_MODEL, served.model.as_str().into());
        if let Some(answered) = &call.reply.served {
            put(names::RESPONSE_MODEL, answered.as_str().into());
        }
        put(names::CONVERSATION, self.conversation().into());
        put(names::AGENT, event.from.as_str().into());
        if let Some(url) = &served.url {
            put(names::SERVER_ADDRESS, url.host_str().into());
            put(names::SERVER_PORT, url.port_or_known_default().into());
        }
        let finished: Vec<&str> = call.reply.choices.iter().map(|choice| finish_reason(choice.finish)).collect();
        if !finished.is_empty() {
            put(names::FINISH_REASONS, finished.into());
        }
        put(names::INPUT_TOKENS, call.reply.usage.prompt.into());
        put(names::OUTPUT_TOKENS, call.reply.usage.completion.into());
        attributes.extend(request.into_iter().flat_map(drawn));
        if self.tracer.content && !self.entrusted.contains(&event.from) {
            attributes.extend(request.into_iter().flat_map(|request| sent(&request.request)));
            attributes.push(replied(&call.reply, event.seq));
        }
        let parent = self.span_id(&start.map_or_else(|| "episode".to_owned(), |start| self.seq(start).to_string()));
        let id = self.span_id(&event.seq.to_string());
        let mut span = self.span(
            &id,
            &format!("{operation} {}", served.model),
            CLIENT,
            [index.saturating_sub(1), index],
            attributes,
        );
        span["parentSpanId"] = parent.into();
        self.spans.push(span);
    }

    /// Writes the span of the episode.
    fn root(&mut self) {
        let result = &self.episode.result;
        let cell = result.episode.cell.as_str();
        let mut attributes = Vec::new();
        let mut put = |name: &str, value: Value| attributes.push(attribute(name, value));
        put(names::OPERATION, "invoke_workflow".into());
        put(names::WORKFLOW, cell.into());
        put(names::CONVERSATION, self.conversation().into());
        put(names::RUN, self.tracer.run.into());
        put(names::TASK, result.task.as_str().into());
        put(names::KIND, result.kind.as_str().into());
        if let Some(ending) = &result.ending {
            put(names::ENDING, ending.label().into());
        }
        put(names::SUCCESS, result.success.into());
        put(names::REWARD, result.reward.into());
        let times = if self.times.known { "spread" } else { "order" };
        put(names::TIMES, times.into());
        let id = self.span_id("episode");
        let mut span =
            self.span(&id, &format!("invoke_workflow {cell}"), INTERNAL, [0, self.episode.events.len()], attributes);
        if result.ending.as_ref().is_some_and(Ending::is_broken) {
            span["status"] = json!({ "code": ERROR });
        }
        self.spans.push(span);
    }

    fn span(&self, id: &str, name: &str, kind: u32, during: [usize; 2], attributes: Vec<Value>) -> Value {
        let [start, end] = during.map(|index| self.times.at(index).as_nanosecond().to_string());
        json!({
            "traceId": &self.tracer.origin.hash(&[&self.id]).to_hex().as_str()[..32],
            "spanId": id, "name": name, "kind": kind, "startTimeUnixNano": start, "endTimeUnixNano": end,
            "attributes": attributes,
        })
    }

    fn span_id(&self, what: &str) -> String {
        self.tracer.origin.hash(&[&self.id, "span", what]).to_hex().as_str()[..16].to_owned()
    }

    fn seq(&self, index: usize) -> u32 {
        self.episode.events.get(index).map_or(0, |event| event.seq)
    }

    fn conversation(&self) -> String {
        format!("{}/{}", self.tracer.run, self.id)
    }

    /// The provider of the model that was called in the turn which began here.
    fn provider_of(&self, start: usize) -> String {
        self.episode
            .events
            .iter()
            .skip(start + 1)
            .take_while(|event| !matches!(event.message, Message::Brief(_)))
            .into_iter()
            .find_map(|event| match &event.message {
                Message::ModelCalled(call) => Some(Served::of(self.tracer.plan, &call.model).provider),
                _ => None,
            })
            .unwrap_or_else(|| OWN.to_owned())
    }
}

/// Adds what the world showed.
fn observed(open: &mut Open<'_>, observation: &Observation, content: bool) {
    if observation.invalid {
        open.attributes.push(attribute(names::INVALID, true.into()));
    }
    if content {
        open.attributes.push(attribute(names::TOOL_RESULT, observation.text.as_str().into()));
    }
}

/// Who is a provider by the host of its server.
const KNOWN: [(&str, &str); 2] = [("api.openai.com", "openai"), ("api.deepseek.com", "deepseek")];

/// How an answer was drawn.
pub(super) fn drawn(sent: &SentRequest) -> Vec<Value> {
    let mut drawn = Vec::new();
    for (field, name) in names::SAMPLING {
        if let Some(value) = sent.settings.get(field).filter(|value| value.is_number()) {
            drawn.push(attribute(name, value.clone()));
        }
    }
    if let Some(stop) = sent.settings.get("stop").filter(|stop| stop.is_array()) {
        drawn.push(attribute(names::STOP_SEQUENCES, stop.clone()));
    }
    drawn.push(attribute(
        names::OUTPUT_TYPE,
        if matches!(&sent.request, ModelRequest::Complete(Completion { format: Format::Json { .. }, .. })) {
            "json"
        } else {
            "text"
        }
        .into(),
    ));
    drawn
}

/// A model as its server knows it.
pub(super) struct Served {
    pub(super) model: String,
    pub(super) provider: String,
    pub(super) url: Option<Url>,
    pub(super) chat: bool,
}

impl Served {
    pub(super) fn of(plan: &Plan, name: &str) -> Self {
        let settings = plan.model_settings.iter().find(|settings| settings.profile.name == name);
        let url = settings.and_then(|settings| Url::parse(&settings.base_url).ok());
        let host = url.as_ref().and_then(Url::host_str);
        let known = KNOWN.iter().find(|(known, _)| Some(*known) == host);
        let model = settings.map(|settings| settings.profile.model.clone());
        Self {
            model: model.filter(|model| !model.is_empty()).unwrap_or_else(|| name.to_owned()),
            provider: known.map_or(name, |(_, provider)| provider).to_owned(),
            url,
            chat: settings.is_none_or(|settings| settings.profile.chat),
        }
    }
}
