//! The running text of an episode as one seat reads it: a fold over its view, kept between turns as
//! a cache, so that a turn costs what is new.

use std::collections::VecDeque;
use std::ops::Range;

use super::line::{LineNotation, OBSERVATION, Style, block, shown_text};
use crate::domain::{Action, Event, Message, Move, MoveKind, Observation, Seat, Utterance, View};
use crate::text::one_line;

/// The kind of an entry of the script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A role's move.
    Move(MoveKind),
    /// An observation of the environment.
    Observation,
    /// A reply of the user.
    Reply,
    /// A word about one's own last move.
    Notice,
    /// The result of a trial or round.
    Status,
}

impl EntryKind {
    /// The word that prompts use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Move(kind) => kind.as_str(),
            Self::Observation => "observation",
            Self::Reply => "reply",
            Self::Notice => "notice",
            Self::Status => "status",
        }
    }
}

/// One entry of the script.
#[derive(Clone, Debug)]
pub struct ScriptEntry {
    /// Who it comes from.
    pub from: Box<str>,
    /// Its kind.
    pub kind: EntryKind,
    /// The turn that it belongs to, from 0: a move begins a turn, what answers it belongs to it.
    pub turn: u32,
    /// Which of the seat's own answers was the last, its own moves included, from 1.
    pub answer: u32,
    /// The event that it stems from.
    pub seq: u32,
    /// Where its line begins in the running text.
    start: usize,
    /// Where its own text begins, after the label.
    text: usize,
    /// Bytes of observations before it.
    observed: usize,
}

/// The running text of an episode.
#[derive(Clone, Debug, Default)]
pub struct Script {
    notation: LineNotation,
    /// Events before this position are folded.
    folded: usize,
    text: String,
    entries: Vec<ScriptEntry>,
    /// Actions and utterances that were decided on and not yet performed or said.
    pending: VecDeque<(Seat, String)>,
    turns: u32,
    /// How often the seat was briefed.
    pub(super) answers: u32,
    /// The last event.
    seq: u32,
    /// The seat's own last action or utterance.
    last: Option<Move>,
    /// The trial has shown its first observation.
    begun: bool,
    /// The next observation states the task of a further round.
    next_round: bool,
    /// Bytes of all observations.
    observed: usize,
    /// Somebody else is the user.
    has_user: bool,
    /// The world has handed a question on to the user: of it and its reply others read what the world shows.
    handed_on: bool,
}

impl Script {
    /// An empty script that is written in this notation.
    pub fn new(notation: LineNotation) -> Self {
        Self { notation, ..Self::default() }
    }

    /// Writes down what is new in the view, and tells `each` of every event.
    pub fn catch_up(&mut self, view: &View, mut each: impl FnMut(&Self, &Event)) {
        for event in view.starting_at(self.folded) {
            self.fold(event, view.viewer());
            each(self, event);
        }
        self.folded = view.end();
    }

    /// The whole text, without a line break at the end.
    pub fn text(&self) -> &str {
        self.text.trim_end_matches('\n')
    }

    /// The entries in order.
    pub fn entries(&self) -> &[ScriptEntry] {
        &self.entries
    }

    /// The number of turns that have begun.
    pub fn turns(&self) -> u32 {
        self.turns
    }

    /// The text of an entry, without its label.
    pub fn text_of(&self, index: usize) -> &str {
        self.part(index, |entry| entry.text..self.end_of(index))
    }

    /// The lines of an entry, with its label.
    pub fn line_of(&self, index: usize) -> &str {
        self.part(index, |entry| entry.start..self.end_of(index))
    }

    /// The text from an entry on.
    pub fn text_from(&self, index: usize) -> &str {
        self.part(index, |entry| entry.start..self.text.len())
    }

    fn part(&self, index: usize, range: impl Fn(&ScriptEntry) -> Range<usize>) -> &str {
        let range = self.entries.get(index).map(range);
        range.and_then(|range| self.text.get(range)).unwrap_or_default().trim_end_matches('\n')
    }

    /// The first entry of the turn; the number of entries if there is none.
    pub fn first_of(&self, turn: u32) -> usize {
        self.entries.partition_point(|entry| entry.turn < turn)
    }

    /// Bytes of all that was written before a turn.
    pub fn bytes_before(&self, turn: u32) -> usize {
        self.entries.get(self.first_of(turn)).map_or(self.text.len(), |entry| entry.start)
    }

    /// Bytes of the observations before a turn.
    pub fn observed_before(&self, turn: u32) -> usize {
        self.entries.get(self.first_of(turn)).map_or(self.observed, |entry| entry.observed)
    }

    /// The moves before an entry that its answer has already made.
    pub(super) fn moves_before(&self, index: usize) -> usize {
        let entries = self.entries.get(..=index).unwrap_or_default();
        let Some((last, before)) = entries.split_last() else {
            return 0;
        };
        let same = before.iter().rev().take_while(|entry| entry.answer == last.answer);
        same.filter(|entry| entry.from == last.from).count()
    }

    /// Whether the seat has done and said nothing so far.
    pub fn is_first(&self) -> bool {
        self.last.is_none()
    }

    /// Whether the seat would do or say the same once more with these moves.
    pub fn repeats(&self, moves: &[Move]) -> bool {
        let next = moves.iter().find(|made| is_outward(made));
        next.is_some_and(|next| self.last.as_ref().is_some_and(|last| same(last, next)))
    }

    fn end_of(&self, index: usize) -> usize {
        let next = self.entries.get(index + 1);
        next.map_or(self.text.len(), |next| next.start)
    }

    fn fold(&mut self, event: &Event, viewer: &Seat) {
        self.seq = event.seq;
        match &event.message {
            Message::Begun(begun) if !begun.keep_world => {
                *self = Self {
                    folded: self.folded,
                    answers: self.answers,
                    has_user: self.has_user,
                    text: std::mem::take(&mut self.text),
                    ..Self::new(self.notation)
                };
                self.text.clear();
            }
            Message::Begun(_) => self.next_round = true,
            Message::Observed(seen) if seen.asks.is_some() && self.has_user => {
                self.handed_on = true;
            }
            Message::Told(_) if self.handed_on => {}
            Message::Replied(_) if std::mem::take(&mut self.handed_on) => {}
            Message::Observed(seen) => self.observed(seen),
            Message::Moved(made) => self.moved(made, &event.from, viewer),
            Message::Perform(action) => self.performed(action, viewer),
            Message::Told(utterance) => self.add_utterance(utterance, viewer),
            Message::Replied(utterance) => {
                let label = if *viewer == Seat::User { "You: " } else { self.notation.reply_label() };
                let text = one_line(&utterance.text);
                // It cannot look like a move where no label stands before it.
                let text = if label.is_empty() { shown_text(text.trim_start_matches(['>', ' '])) } else { text };
                self.push(&event.from, EntryKind::Reply, label, &text);
            }
            Message::Brief(brief) => {
                self.answers += 1;
                if let Some(notice) = &brief.notice {
                    let label = self.world_label();
                    self.push(&event.from, EntryKind::Notice, label, &one_line(notice));
                }
            }
            Message::Scored(scored) => {
                let solved = scored.score.success;
                let how = if solved { "solved" } else { "not solved" };
                self.push(&event.from, EntryKind::Status, "Status: ", how);
            }
            Message::Opened(opened) => {
                self.has_user = opened.user.is_some() && *viewer != Seat::User;
            }
            Message::Entrusted(_) => {}
            Message::Repaired(_) | Message::ModelCalled(_) | Message::Assess => {}
            Message::Fault(_) | Message::Closed(_) => {}
        }
    }

    fn observed(&mut self, seen: &Observation) {
        let before = self.entries.last().map(|entry| entry.kind);
        // A world that hears a reply may have nothing to show.
        if before == Some(EntryKind::Reply) && seen.text.is_empty() {
            return;
        }
        let after_observation = before == Some(EntryKind::Observation);
        if std::mem::take(&mut self.next_round) && self.begun && after_observation {
            // The next task stands after what solved the last one (ABA appendix F).
            let end = self.text.trim_end_matches('\n').len();
            let text = block(seen.text.trim());
            self.observed += text.len() + 1;
            self.text.truncate(end);
            self.text.push(' ');
            self.text.push_str(&text);
            self.text.push('\n');
            if let Some(entry) = self.entries.last_mut() {
                entry.seq = self.seq;
            }
            return;
        }
        // The first one states the task and stands apart.
        if std::mem::replace(&mut self.begun, true) {
            let label = self.world_label();
            let text = if label.is_empty() { shown_text(&seen.text) } else { block(seen.text.trim()) };
            self.push(&Seat::Environment, EntryKind::Observation, label, &text);
        }
    }

    fn world_label(&self) -> &'static str {
        match self.notation.style {
            Style::Papers => "",
            Style::Labels => OBSERVATION,
        }
    }

    /// Actions and utterances are written down when they are performed and said: an answer may hold
    /// several of them, and each is followed by what it brought about.
    fn moved(&mut self, made: &Move, from: &Seat, viewer: &Seat) {
        if from == viewer && is_outward(made) {
            self.last = Some(made.clone());
        }
        match made {
            Move::Act { action } => self.pending.push_back((from.clone(), action.text.clone())),
            Move::Speak { text, .. } => self.pending.push_back((from.clone(), text.clone())),
            Move::Think { .. } | Move::Plan { .. } | Move::Judge { .. } => self.add_move(made, from, viewer),
            Move::Learn { .. } | Move::Finish { .. } => self.add_move(made, from, viewer),
        }
    }

    fn performed(&mut self, action: &Action, viewer: &Seat) {
        let from = self.decided(&action.text, viewer);
        self.add_move(&Move::act(action.text.clone()), &from, viewer);
    }

    fn add_utterance(&mut self, utterance: &Utterance, viewer: &Seat) {
        let Utterance { text, act, .. } = utterance.clone();
        if *viewer == Seat::User {
            self.turns += 1;
            let kind = EntryKind::Move(MoveKind::Speak);
            return self.push(&Seat::Conductor, kind, "Agent: ", &one_line(&text));
        }
        let from = self.decided(&text, viewer);
        self.add_move(&Move::Speak { text, act }, &from, viewer);
    }

    /// Who decided on an action or utterance; oneself if nobody is known.
    fn decided(&mut self, text: &str, viewer: &Seat) -> Seat {
        let place = self.pending.iter().position(|(_, decided)| decided == text);
        place
            .and_then(|place| self.pending.drain(..=place).next_back())
            .map_or_else(|| viewer.clone(), |(seat, _)| seat)
    }

    /// A move as a line; another role's with its name.
    fn add_move(&mut self, made: &Move, from: &Seat, viewer: &Seat) {
        self.turns += 1;
        let mut label = self.notation.label(made.kind()).to_owned();
        if from != viewer && *viewer != Seat::User {
            label.insert_str(0, &format!("[{from}] "));
        }
        let kind = EntryKind::Move(made.kind());
        self.push(from, kind, &label, &super::written(made));
    }

    fn push(&mut self, from: &Seat, kind: EntryKind, label: &str, text: &str) {
        let start = self.text.len();
        self.text.push_str(label);
        let text_start = self.text.len();
        self.text.push_str(text);
        self.text.push('\n');
        self.entries.push(ScriptEntry {
            from: from.as_str().into(),
            kind,
            turn: self.turns.saturating_sub(1),
            answer: self.answers,
            seq: self.seq,
            start,
            text: text_start,
            observed: self.observed,
        });
        if kind == EntryKind::Observation {
            self.observed += self.text.len() - start;
        }
    }
}

/// Whether others notice the move.
fn is_outward(made: &Move) -> bool {
    matches!(made, Move::Act { .. } | Move::Speak { .. })
}

fn same(one: &Move, other: &Move) -> bool {
    one.kind() == other.kind() && super::written(one) == super::written(other)
}

/// A reply of the seat's own model, which stands for the moves that were read from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OwnReply {
    /// Which of the seat's answers it was.
    pub(super) answer: u32,
    /// The event of the call.
    pub(super) seq: u32,
    /// Which of its choices was taken.
    pub(super) choice: usize,
}

/// The observation of an event.
pub(super) fn observed(view: &View, seq: u32) -> Option<&Observation> {
    let event = view.starting_at(seq as usize).next()?;
    match &event.message {
        Message::Observed(seen) if event.seq == seq => Some(seen),
        _ => None,
    }
}

#[cfg(test)]
#[path = "script_tests.rs"]
mod tests;
