//! The events of a sample, as Inspect's viewer goes through them.

use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::messages::{Pool, config, conversation, moved, named, output, said, tool_call, tools};
use super::{Names, TARGET};
use crate::export::PlayedEpisode;
use crate::export::origin::{Origin, Times, tool_name};
use rolecall_core::domain::{Action, Brief, Event, Message, ModelCall, Move, Observation, Scored, Seat};
use rolecall_core::prompts::written;

/// The model of turns in which none was asked.
pub(super) const RULES: &str = "rolecall/rules";

/// The transcript of an episode as it is written.
pub(super) struct Transcript<'a> {
    names: &'a Names<'a>,
    origin: &'a Origin,
    episode: &'a PlayedEpisode,
    id: String,
    times: Times,
    pub(super) pool: Pool,
    pub(super) events: Vec<Value>,
    /// Messages that seats without a model saw so far.
    views: FxHashMap<Seat, Vec<Value>>,
    /// Calls of tools that the last output has and that nobody performed yet.
    open: Vec<Value>,
    /// The span of the trial or round that is played, if it is not the first.
    span: Option<String>,
    /// The event that it is about.
    seq: u32,
    /// Whose turn it was last.
    turn: &'a str,
    /// The last turn of the seat that acts: what it read, and its output.
    pub(super) last: Option<(Vec<[usize; 2]>, Value)>,
    /// A prompt could not be had again as it was sent.
    pub(super) from_view: bool,
}

impl<'a> Transcript<'a> {
    /// Writes the transcript of an episode.
    pub(super) fn of(names: &'a Names<'a>, origin: &'a Origin, episode: &'a PlayedEpisode) -> Self {
        let mut transcript = Self {
            names,
            origin,
            episode,
            id: episode.id.to_string(),
            times: origin.times(&episode.id, episode.events.len()),
            pool: Pool::default(),
            events: Vec::new(),
            views: FxHashMap::default(),
            open: Vec::new(),
            span: None,
            seq: 0,
            turn: "",
            last: None,
            from_view: false,
        };
        transcript.write();
        transcript
    }

    fn write(&mut self) {
        let strategy = &self.episode.result.strategy;
        self.begin("solvers", "solvers", None);
        self.begin(strategy, "solver", Some("solvers"));
        let events = &self.episode.events;
        for (index, event) in events.iter().enumerate() {
            self.seq = event.seq;
            self.event(index, event);
            self.see(event);
        }
        self.leave();
        self.end(strategy);
        self.end("solvers");
    }

    /// A name of something of the episode.
    pub(super) fn name(&self, what: &str) -> String {
        self.origin.name(&[&self.id, what])
    }

    /// Adds an event of this kind, whose own fields are an object.
    pub(super) fn add(&mut self, kind: &str, fields: Value) {
        let strategy = &self.episode.result.strategy;
        let uuid = self.name(&format!("event {}", self.events.len()));
        let span = self.span.clone().unwrap_or_else(|| self.name(strategy));
        let index = self.seq as usize;
        let mut event = json!({
            "event": kind, "uuid": uuid, "span_id": span, "timestamp": super::time(self.times.at(index)),
            "working_start": self.times.since(index) as f64 / 1e9,
        });
        extend(&mut event, fields);
        self.events.push(event);
    }

    fn begin(&mut self, name: &str, kind: &str, parent: Option<&str>) {
        let id = self.name(name);
        let parent = parent.map(|parent| self.name(parent));
        self.add("span_begin", json!({ "span_id": id, "id": id, "parent_id": parent, "type": kind, "name": name }));
    }

    fn end(&mut self, name: &str) {
        let id = self.name(name);
        self.add("span_end", json!({ "span_id": id, "id": id }));
    }

    /// Leaves the span of a trial or round.
    fn leave(&mut self) {
        if let Some(id) = self.span.take() {
            self.add("span_end", json!({ "span_id": id, "id": id }));
        }
    }

    fn event(&mut self, index: usize, event: &'a Event) {
        let seat = event.from.as_str();
        match &event.message {
            Message::Opened(opened) => {
                let task = &opened.task;
                self.add(
                    "sample_init",
                    json!({ "sample": { "input": task.text, "target": TARGET, "id": task.id }, "state": {} }),
                );
            }
            Message::Begun(begun) => {
                self.leave();
                if (begun.trial, begun.round) != (0, 0) {
                    let name = format!("trial {}, round {}", begun.trial + 1, begun.round + 1);
                    self.begin(&name, "agent", Some(&self.episode.result.strategy.clone()));
                    self.span = Some(self.name(&name));
                }
            }
            Message::Brief(brief) => {
                self.turn = event.to.as_str();
                self.briefed(index, &event.to, brief);
            }
            Message::ModelCalled(call) => self.called(&event.from, call),
            Message::Perform(action) => self.performed(index, action),
            Message::Told(words) => {
                let kind = if words.response { "response" } else { "question" };
                self.info(self.turn, json!({ "kind": kind, "text": words.text, "act": words.act }));
            }
            Message::Replied(words) => {
                self.info(seat, json!({ "kind": "reply", "text": words.text }));
            }
            Message::Scored(scored) => self.scored(index, scored),
            Message::Fault(fault) => {
                let text = format!("{}: {}", fault.seat, fault.message);
                if self.is_broken_by(index) {
                    self.add("error", json!({ "error": super::error(&text) }))
                } else {
                    self.info(seat, json!({ "kind": "fault", "text": text }))
                }
            }
            Message::Repaired(repair) => {
                self.info(seat, json!({ "kind": "repair", "code": repair.code, "text": repair.note.as_str() }));
            }
            // Moves are in outputs, observations in results of tools; private parts are for nobody.
            Message::Entrusted(_) | Message::Moved(_) | Message::Observed(_) => {}
            Message::Assess | Message::Closed(_) => {}
        }
    }

    /// The score of a trial or round, which is the episode's own if none follows.
    fn scored(&mut self, index: usize, scored: &Scored) {
        let mut later = self.episode.events.iter().skip(index + 1);
        let score = super::score(&scored.score, &scored.ending.label());
        self.add(
            "score",
            json!({
                "score": score,
                "scorer": TARGET,
                "target": TARGET,
                "intermediate": later.any(|event| matches!(event.message, Message::Scored(_))),
            }),
        );
    }

    fn info(&mut self, source: &str, data: Value) {
        self.add("info", json!({ "source": source, "data": data }));
    }

    /// Whether the episode breaks off with the event at this index.
    fn is_broken_by(&self, index: usize) -> bool {
        let next = self.episode.events.get(index + 1).map(|event| &event.message);
        matches!(next, Some(Message::Closed(outcome)) if outcome.ending.is_broken())
    }

    /// A turn that asks no model is one, too: what the seat saw, and its moves.
    fn briefed(&mut self, index: usize, seat: &Seat, brief: &Brief) {
        let turn: Vec<&Event> = self
            .episode
            .events
            .iter()
            .skip(index + 1)
            .take_while(|event| !matches!(event.message, Message::Brief(_) | Message::Perform(_)))
            .filter(|event| event.from == *seat)
            .collect();
        if turn.iter().any(|event| matches!(event.message, Message::ModelCalled(_))) {
            return;
        }
        let moves: Vec<(&Move, Value)> = turn
            .into_iter()
            .filter_map(|event| match &event.message {
                Message::Moved(made) => Some((made, tool_of(made, event.seq))),
                _ => None,
            })
            .collect();
        if moves.is_empty() {
            return;
        }
        let mut read = self.views.get(seat).cloned().unwrap_or_default();
        read.extend(brief.notice.as_deref().map(|notice| said("user", notice)));
        self.model(
            seat,
            RULES,
            read,
            json!({ "tools": [], "tool_choice": "auto", "config": {} }),
            moved(RULES, &moves),
        );
    }

    /// A call of a model.
    fn called(&mut self, seat: &Seat, call: &ModelCall) {
        let request = self.episode.request(self.seq);
        self.from_view |= request.is_none();
        let read = match request {
            Some(sent) => conversation(&sent.request),
            None => self.views.get(seat).cloned().unwrap_or_default(),
        };
        let model = self.names.model(&call.model);
        let (tools, tool_choice) = tools(request.map(|sent| &sent.request));
        let config = request.map(|sent| config(&sent.settings)).unwrap_or_else(|| json!({}));
        self.model(
            seat,
            &model,
            read,
            json!({ "tools": tools, "tool_choice": tool_choice, "config": config }),
            output(call.reply.served.as_deref().unwrap_or(&model), &call.reply, call.cost, self.seq),
        );
    }

    fn model(&mut self, seat: &Seat, model: &str, read: Vec<Value>, fields: Value, mut output: Value) {
        let (origin, id) = (self.origin, &self.id);
        let refs = self.pool.refer(read, |index| origin.name(&[id, "message", &index.to_string()]));
        for (index, choice) in output["choices"].as_array_mut().into_iter().flatten().enumerate() {
            choice["message"]["id"] = origin.name(&[id, "output", &format!("{} {index}", self.seq)]).into();
        }
        self.open = output["choices"][0]["message"]["tool_calls"].as_array().cloned().unwrap_or_default();
        let mut event = json!({ "model": model, "role": seat.as_str(), "input": [], "input_refs": refs });
        extend(&mut event, fields);
        event["output"] = output.clone();
        event["completed"] = super::time(self.times.at(self.seq as usize + 1));
        self.add("model", event);
        if self.names.acts(seat) {
            self.last = Some((refs, output));
        }
    }

    fn performed(&mut self, index: usize, action: &Action) {
        let observed = self
            .episode
            .events
            .iter()
            .skip(index + 1)
            .take_while(|event| !matches!(event.message, Message::Perform(_)))
            .into_iter()
            .find_map(|event| match &event.message {
                Message::Observed(observation) => Some((event.seq, observation)),
                _ => None,
            });
        let call = tool_call("", tool_name(action), &arguments(action));
        let is_same = |open: &Value| open["function"] == call["function"];
        let id = match self.open.iter().position(is_same) {
            Some(open) => self.open.remove(open)["id"].clone(),
            None => format!("c{}_0", self.seq).into(),
        };
        let mut fields = json!({ "id": id, "function": call["function"], "arguments": call["arguments"] });
        fields["type"] = "function".into();
        if let Some((seq, Observation { text, invalid, .. })) = observed {
            fields["result"] = text.as_str().into();
            fields["completed"] = super::time(self.times.at(seq as usize));
            if *invalid {
                fields["metadata"] = json!({ "invalid": true });
            }
        }
        self.add("tool", fields);
    }

    /// Adds what an event shows to who may see it.
    fn see(&mut self, event: &Event) {
        let roles = &self.names.roles;
        for seat in roles.iter().filter(|seat| self.episode.visibility.allows(event, seat, None)) {
            let by_seat = event.from == *seat;
            let message = match &event.message {
                Message::Opened(opened) if opened.task.text.is_empty() => continue,
                Message::Opened(opened) => said("user", &opened.task.text),
                Message::Observed(observation) => said("user", &observation.text),
                Message::Replied(words) => said("user", &words.text),
                Message::Moved(made) if by_seat => said("assistant", &line(made)),
                Message::Moved(made) => said("user", &format!("{}: {}", event.from, line(made))),
                _ => continue,
            };
            self.views.entry(seat.clone()).or_default().push(message);
        }
    }
}

/// Adds the fields of one object to another.
fn extend(event: &mut Value, fields: Value) {
    if let (Some(event), Value::Object(fields)) = (event.as_object_mut(), fields) {
        event.extend(fields);
    }
}

/// A move in one text.
fn line(made: &Move) -> String {
    format!("{}: {}", made.kind().as_str(), written(made))
}

/// An action as a call of a tool; nothing of other moves.
fn tool_of(made: &Move, seq: u32) -> Value {
    match made {
        Move::Act { action } => tool_call(&format!("c{seq}_0"), tool_name(action), &arguments(action)),
        _ => Value::Null,
    }
}

fn arguments(action: &Action) -> Value {
    match &action.call {
        Some(call) => named(&call.arguments),
        None => json!({ "action": action.text }),
    }
}
