//! Observations of clients after a move: all that its seat saw since its last one, and nothing else.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use serde::Serialize;
use serde_json::{Value, json};

use crate::capped;
use crate::serve::Session;
use rolecall_core::domain::{Brief, Event, Message, MoveKind, MoveKinds, Notation, Seat, View};
use rolecall_core::ports::World;
use rolecall_core::prompts::{LineNotation, Speech, Style};

/// A seat's news as clients get them. Absent fields are left out.
#[derive(Debug, Default, Serialize)]
pub(in crate::serve) struct Seen<'a> {
    /// All of it as running text.
    pub(in crate::serve) text: String,
    /// Who spoke last.
    from: &'static str,
    /// The last action was refused, or the last move could not be used.
    pub(in crate::serve) invalid: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    open: Option<MoveKinds>,
    #[serde(skip_serializing_if = "Option::is_none")]
    admissible: Option<&'a Value>,
    /// The newest observation in parts, where the world gives them.
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps_left: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    questions_left: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<&'a str>,
    /// The answer format of the turn, where it is not moves with labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    notation: Option<&'a str>,
    /// Named texts for this turn: lessons, knowledge, another's thought.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    sections: BTreeMap<&'a str, &'a str>,
    /// Facts that are entrusted to this seat.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    entrusted: BTreeMap<&'a str, &'a Value>,
    metadata: BTreeMap<&'static str, Value>,
}

/// The words for moves of other roles.
const NOTATION: LineNotation = LineNotation { style: Style::Labels, speech: Speech::Speak };

impl<'a> Seen<'a> {
    /// The news of a session's seat from an event on, given the [sections](sections) that it had before.
    pub(in crate::serve) fn of(session: &'a Session, since: usize, before: u64, seat: &Seat, world: &World) -> Self {
        let mut seen = Self { from: "conductor", ..Self::default() };
        let view = session.view().into_iter();
        view.flat_map(|view| view.starting_at(since)).for_each(|event| seen.fold(event, seat, world));
        if let Some(turn) = session.turn() {
            match turn.brief() {
                Some(brief) => seen.brief(brief, before),
                None => seen.open = Some(MoveKinds::of(&[MoveKind::Speak])),
            }
        }
        if let Some(outcome) = session.outcome() {
            seen.tell("ending", json!(outcome.ending.label()));
            seen.tell("success", json!(outcome.success));
            seen.tell("counts", json!(outcome.counts));
        }
        seen
    }

    /// Adds a fact about the episode.
    pub(super) fn tell(&mut self, name: &'static str, value: Value) {
        self.metadata.insert(name, value);
    }

    fn fold(&mut self, event: &'a Event, seat: &Seat, world: &World) {
        match &event.message {
            Message::Opened(opened) => {
                self.line(&opened.task.text);
                self.tell("task", json!({ "id": opened.task.id, "kind": opened.task.kind }));
                if !world.tools.is_empty() {
                    self.tell(
                        "tools",
                        world
                            .tools
                            .iter()
                            .map(|tool| {
                                json!({
                                    "name": tool.name,
                                    "description": tool.description,
                                    "parameters": tool.parameters,
                                })
                            })
                            .collect(),
                    );
                }
            }
            Message::Entrusted(part) => {
                self.entrusted.insert(&part.label, &part.value);
            }
            Message::Observed(observation) => {
                self.from = "environment";
                // Worlds that state the task in their first words have said it.
                if observation.text.contains(&self.text) {
                    self.text.clear();
                }
                self.line(&observation.text);
                self.invalid = observation.invalid;
                let data = observation.data.as_deref();
                self.admissible = data.and_then(|data| data.get("admissible"));
                self.data = data.filter(|_| self.admissible.is_none());
            }
            Message::Replied(reply) if *seat != Seat::User => {
                self.from = "user";
                self.line(&reply.text);
            }
            Message::Told(said) if *seat == Seat::User => {
                self.from = "agent";
                self.line(&said.text);
            }
            Message::Moved(made) if event.from != *seat => {
                self.line(&format!("{}: {}", event.from, NOTATION.line(made)));
            }
            Message::Fault(_) => self.invalid = true,
            _ => {}
        }
    }

    fn brief(&mut self, brief: &'a Brief, before: u64) {
        self.open = Some(brief.open);
        self.steps_left = brief.steps_left;
        self.questions_left = brief.questions_left;
        self.notice = brief.notice.as_deref();
        self.notation = brief.notation.as_ref().map(Notation::as_str);
        // After a thought, or a move that could not be used, there is nothing else to read.
        if let Some(notice) = self.notice.filter(|_| self.text.is_empty()) {
            self.line(notice);
        }
        let changed = sections(brief) != before;
        for section in brief.sections.iter() {
            self.sections.insert(&section.name, &section.text);
            if changed && !self.text.contains(&section.text) {
                self.line(&format!("{}:\n{}", section.name, section.text));
            }
        }
    }

    fn line(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(text);
    }
}

/// A number by which the sections of a brief are known: they stand in the text when they are new.
pub(in crate::serve) fn sections(brief: &Brief) -> u64 {
    let mut hasher = FxHasher::default();
    for section in brief.sections.iter() {
        (&section.name, &section.text).hash(&mut hasher);
    }
    hasher.finish()
}

/// How many questions the seat asked from an event on: what the user was told because of its move, at once or by
/// way of the world.
pub(super) fn questions(view: &View, since: usize, seat: &Seat) -> u32 {
    let new = || view.starting_at(since);
    let by_seat = |asked: &&Event| {
        let mut cause = asked.cause;
        while let Some(event) = cause.and_then(|seq| new().find(|event| event.seq == seq)) {
            if matches!(event.message, Message::Moved(_)) {
                return event.from == *seat;
            }
            cause = event.cause;
        }
        false
    };
    capped(new().filter(|event| event.message.is_question()).filter(by_seat).count())
}
