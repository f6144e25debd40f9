//! An episode of travel as its log tells of it, with the figures of each turn and of the plan.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::Value;

use crate::calls::{Call, Tool, parts};
use crate::labels;
use crate::request::{Attribute, Conversation, Detail, Operation, Request};
use crate::score::clarification::{Clarified, clarified};
use crate::score::execution::{Executed, executed, well_formed};
use crate::score::{Commonsense, Hard};
use crate::seen::{COLLECT, status};
use crate::steps::{Limits, Status};
use crate::tasks::REFERENCE;
use rolecall_core::domain::{Action, Ending, Message, Move, MoveKind, Observation, Seat};
use rolecall_core::ports::EpisodeLog;

/// An episode, by its figures.
#[derive(Clone, Debug)]
pub(super) struct Played {
    /// The turns of executor and clarifier.
    pub(super) turns: Vec<TurnFigures>,
    /// The traits of the conversation: level, length of the trip, and the details to be clarified.
    pub(super) traits: Vec<String>,
    /// The outcome of the plan; none in episodes that are about the turns before it.
    pub(super) planned: Option<Planned>,
}

/// The figures of a turn.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TurnFigures {
    /// Of the clarifier; none if it was not asked.
    pub(super) clarified: Option<Clarified>,
    /// Of the calls.
    pub(super) executed: Executed,
    /// Share of the calls whose form is one of the tools'; 1 without any.
    pub(super) well_formed: f64,
    /// How each step came out, of an executor that makes one call a step.
    pub(super) statuses: Vec<Status>,
    /// Calls that were performed.
    pub(super) calls: u64,
    /// Calls that failed.
    pub(super) errors: u64,
    /// Calls that failed as one of an earlier turn did.
    pub(super) repeated: u64,
}

/// A turn as it went.
#[derive(Debug, Default)]
struct Turn<'a> {
    /// Whether somebody was asked for a move.
    begun: bool,
    /// Whether the calls were laid out at once.
    at_once: bool,
    steps: Vec<Step<'a>>,
    /// Whether the clarifier judged, and its question.
    asked: Option<Option<&'a str>>,
}

/// A call.
#[derive(Debug)]
struct Step<'a> {
    text: Cow<'a, str>,
    /// How it came out; none if it was not performed.
    seen: Option<(Status, &'a str)>,
}

impl<'a> Step<'a> {
    fn new(text: &'a str) -> Self {
        Self { text: text.into(), seen: None }
    }

    fn status(&self) -> Option<Status> {
        self.seen.map(|(status, _)| status)
    }
}

impl Played {
    /// An episode, of several trials the last; none of another world, and without a turn.
    pub(super) fn of(log: &EpisodeLog<'_>) -> Option<Self> {
        let fold = Fold::of(log);
        let conversation = fold.conversation.as_ref()?;
        let detail = fold.score?;
        let mut errors = BTreeSet::new();
        let mut turns = Vec::new();
        fold.each_turn(|turn, conversation| turns.push(turn.figures(conversation, &mut errors)));
        let last = conversation.state(conversation.details.len());
        let planned = fold.was_to_plan(detail).then(|| Planned::of(&conversation.level, &last, detail));
        let traits = traits(conversation, last.days);
        (!turns.is_empty()).then_some(Self { turns, traits, planned })
    }
}

/// The traits of a conversation, such as `level_easy`, `3_days`, `missing_org` and `unfeasible_housing`.
fn traits(conversation: &Conversation, days: Option<i64>) -> Vec<String> {
    let details = conversation.details.iter().map(|detail| {
        let operation = match detail.operation {
            Operation::Add => "missing",
            Operation::Replace => "unfeasible",
        };
        format!("{operation}_{}", detail.attribute.key())
    });
    let days = days.map(|days| format!("{days}_days"));
    let level = [format!("level_{}", conversation.level)];
    details.chain(days).chain(level).collect()
}

/// The conversation of the data set that an episode is about; none of another world.
pub(super) fn conversation(log: &EpisodeLog<'_>) -> Option<Conversation> {
    Fold::of(log).conversation
}

/// The questions that were asked while details were open, each with these details.
pub(super) fn questions(log: &EpisodeLog<'_>) -> Vec<(String, Vec<Detail>)> {
    let mut questions = Vec::new();
    Fold::of(log).each_turn(|turn, conversation| {
        let question = turn.asked.flatten().filter(|_| !conversation.details.is_empty());
        questions.extend(question.map(|text| (text.to_owned(), conversation.details.clone())));
    });
    questions
}

/// The state of an episode after the events so far.
#[derive(Default)]
struct Fold<'a> {
    conversation: Option<Conversation>,
    turns: Vec<Turn<'a>>,
    planning: bool,
    performing: bool,
    score: Option<&'a Value>,
    /// The ending is not that of a strategy which came to its end.
    cut_short: bool,
}

impl<'a> Fold<'a> {
    /// Whether there was to be a plan: it was begun or delivered, or something ended the episode before.
    fn was_to_plan(&self, detail: &Value) -> bool {
        self.planning || self.cut_short || detail["delivered"] == true
    }

    fn of(log: &EpisodeLog<'a>) -> Self {
        let mut fold = Self::default();
        log.events.iter().for_each(|event| fold.event(&event.message));
        fold
    }

    /// Each turn that somebody was asked for a move in, with the conversation as it was then: its request, and the
    /// details that were open.
    fn each_turn(&self, mut each: impl FnMut(&Turn<'a>, &Conversation)) {
        let Some((mut conversation, score)) = self.conversation.clone().zip(self.score) else {
            return;
        };
        let mut settled = score["settled"].as_array().into_iter().flatten().map(|key| Attribute::named(key.as_str()?));
        for turn in self.turns.iter().filter(|turn| turn.begun) {
            each(turn, &conversation);
            let attribute = settled.next().flatten();
            let mut open = conversation.details.iter();
            if let Some(place) = open.position(|detail| Some(detail.attribute) == attribute) {
                let detail = conversation.details.remove(place);
                // Checked when the row was read.
                let _ = conversation.request.apply(&detail);
            }
        }
    }

    fn event(&mut self, message: &'a Message) {
        match message {
            Message::Entrusted(part) if part.audience == Seat::Conductor && part.label == REFERENCE => {
                self.conversation = Conversation::deserialize(&*part.value).ok();
            }
            Message::Begun(_) => {
                (self.turns, self.planning) = (vec![Turn::default()], false);
            }
            Message::Scored(scored) => {
                self.score = Some(&scored.score.detail);
                self.cut_short = !matches!(scored.ending, Ending::Failed | Ending::Solved);
            }
            Message::Replied(reply) if !reply.leaving => self.turns.push(Turn::default()),
            _ if self.planning => {}
            Message::Brief(brief) => self.turn(|turn| {
                turn.begun = true;
                // Native calls of a chain are moves of one answer.
                turn.at_once |= brief.several && brief.open.contains(MoveKind::Act);
            }),
            Message::Moved(made) => self.turn(|turn| turn.moved(made)),
            Message::Perform(action) => self.perform(action),
            Message::Observed(seen) if std::mem::take(&mut self.performing) => {
                self.turn(|turn| turn.observed(seen));
            }
            _ => {}
        }
    }

    fn turn(&mut self, change: impl FnOnce(&mut Turn<'a>)) {
        if let Some(turn) = self.turns.last_mut() {
            change(turn);
        }
    }

    fn perform(&mut self, action: &'a Action) {
        let tool = action.call.as_deref().map(|call| call.tool.as_str());
        self.planning = tool == Some(COLLECT);
        self.performing = !self.planning;
        if self.performing {
            self.turn(|turn| {
                let is_seen = turn.steps.last().is_none_or(|step| step.seen.is_some());
                if turn.at_once || is_seen {
                    turn.steps.push(Step::new(&action.text));
                }
            });
        }
    }
}

impl<'a> Turn<'a> {
    fn moved(&mut self, made: &'a Move) {
        match made {
            Move::Plan { .. } => self.at_once = true,
            Move::Act { action } if !self.at_once => self.steps.push(Step::new(&action.text)),
            Move::Finish { .. } if !self.at_once => self.steps.push(Step::new("Finish()")),
            Move::Judge { clarify, .. } => self.asked = Some(clarify.then_some("")),
            Move::Speak { text, .. } => self.asked = Some(Some(text)),
            _ => {}
        }
    }

    fn observed(&mut self, seen: &'a Observation) {
        let data = seen.data.as_deref().unwrap_or(&Value::Null);
        if let Some(step) = self.steps.last_mut() {
            step.seen = Some((status(data, seen.invalid), &seen.text));
            // Native calls have no text of their own.
            let call = data["call"].as_str();
            if let Some(call) = call.filter(|_| parts(&step.text).is_none()) {
                step.text = call.into();
            }
        }
    }

    fn figures(&self, conversation: &Conversation, errors: &mut BTreeSet<(Status, &'a str)>) -> TurnFigures {
        let labels = labels::truth(&conversation.request);
        let labels: Vec<String> = labels.iter().map(Call::canonical).collect();
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        let counts = |step: &&Step<'_>| self.at_once || step.status() == Some(Status::Successful);
        let texts = self.steps.iter().filter(counts);
        let texts: Vec<&str> = texts.map(|step| step.text.trim()).collect();
        let formed = self.steps.iter().filter(|step| !is_finish(&step.text));
        let open: Vec<_> = conversation.details.iter().collect();
        let seen = self.steps.iter().filter_map(|step| step.seen);
        let is_error = |seen: &(Status, &str)| !matches!(seen.0, Status::Successful | Status::Finish);
        let failed: Vec<(Status, &str)> = seen.clone().filter(is_error).collect();
        let repeated = failed.iter().filter(|error| errors.contains(*error)).count();
        errors.extend(failed.iter().copied());
        TurnFigures {
            clarified: self.asked.map(|question| clarified(question, &open)),
            executed: executed(&texts, &labels),
            well_formed: well_formed(formed.map(|step| &*step.text)),
            statuses: self.statuses(),
            calls: seen.count() as u64,
            errors: failed.len() as u64,
            repeated: repeated as u64,
        }
    }

    /// How each step came out. One that was not performed ended the run: the log does not say with which limit, so that
    /// the usual ones are taken.
    fn statuses(&self) -> Vec<Status> {
        let statuses = self.steps.iter().filter(|_| !self.at_once).enumerate().map(|(place, step)| {
            step.status().unwrap_or_else(|| {
                let before = self.steps.iter().take(place);
                let same = before.filter(|before| before.text == step.text).count();
                match is_finish(&step.text) {
                    true => Status::Finish,
                    false if same >= Limits::TOOLS.repeats as usize => Status::Repeated,
                    false => Status::Retried,
                }
            })
        });
        statuses.collect()
    }
}

fn is_finish(text: &str) -> bool {
    parts(text.trim()).is_some_and(|(name, _)| Tool::named(name) == Some(Tool::Finish))
}

/// A plan that was to be delivered.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Planned {
    /// Whether one was.
    pub(super) delivered: bool,
    /// As the original program judges it.
    pub(super) reference: Judged,
    /// As the constraints are worded.
    pub(super) worded: Judged,
}

/// A judged plan. One that was not delivered meets nothing.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Judged {
    /// Which constraints of common sense are met.
    pub(super) commonsense: [bool; 8],
    /// Which constraints of the request are met; none of those that it does not have.
    pub(super) hard: [Option<bool>; 4],
    /// How many of the request are met, of how many that count.
    pub(super) hard_of: (u64, u64),
    /// Whether all of the request are.
    pub(super) fits: bool,
    /// Whether the plan passes.
    pub(super) passes: bool,
}

impl Planned {
    /// The outcome that a score tells, for a request of this level.
    pub(super) fn of(level: &str, request: &Request, detail: &Value) -> Self {
        Self {
            delivered: detail["delivered"] == true,
            reference: Judged::of(request, &detail["reference"], |constraint| constraint.is_expected(level)),
            worded: Judged::of(request, &detail["worded"], |_| true),
        }
    }
}

impl Judged {
    fn of(request: &Request, verdict: &Value, counts: impl Fn(Hard) -> bool) -> Self {
        let is_met = |part: &str, key: &str| verdict[part][key][0] == true;
        let hard = Hard::ALL.map(|constraint| {
            let is_met = || is_met("hard", constraint.key());
            constraint.is_of(request).then(is_met)
        });
        let counted = Hard::ALL
            .into_iter()
            .filter(|constraint| constraint.is_of(request))
            .filter(|constraint| counts(*constraint))
            .count();
        let met = hard.iter().filter(|met| **met == Some(true)).count();
        Self {
            commonsense: Commonsense::ALL.map(|constraint| is_met("commonsense", constraint.key())),
            fits: met == hard.iter().flatten().count(),
            hard,
            hard_of: (met as u64, counted as u64),
            passes: verdict["final"] == true,
        }
    }
}
