//! An episode as a reader sees it: what happened, without the conductor's bookkeeping.

use std::collections::BTreeMap;

use super::{Paint, figures};
use crate::domain::{
    Brief, Event, Finish, Fork, Message, ModelCall, Move, Observation, PlanStep, Seat,
};
use crate::log::RecordedEpisode;
use crate::text::counted;

/// One thing that happened. The text is as it was written, not yet escaped.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Position of the event.
    pub seq: u32,
    /// Number of the move, from 1, if it is one.
    pub step: Option<u32>,
    /// Who it comes from.
    pub seat: String,
    /// What it is, in one word.
    pub kind: &'static str,
    /// What was thought, done, said or seen.
    pub text: String,
    /// What it is, as far as colour goes.
    pub paint: Paint,
    /// It was not for everybody's eyes while the episode ran.
    pub private: bool,
}

/// The entries of an episode in order, private ones included.
pub fn entries(episode: &RecordedEpisode) -> Vec<Entry> {
    let mut reader = EntryReader::default();
    let both = |event| [reader.fork(event), reader.read(event)];
    episode.events.iter().flat_map(both).flatten().collect()
}

/// Makes entries of the events of one episode, one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct EntryReader {
    thorough: bool,
    step: u32,
    /// What was moved and is passed on as it is would only be said twice.
    passed_on: Option<String>,
    /// The sections that each seat was told last in this go: lessons come with every brief, and are to
    /// be read once.
    utterances: BTreeMap<Seat, String>,
    /// Where the episode leaves that of another run, until it has.
    fork: Option<Fork>,
}

impl EntryReader {
    /// A thorough one leaves nothing out: somebody asked for certain kinds of messages.
    pub(super) fn new(thorough: bool) -> Self {
        Self {
            thorough,
            ..Self::default()
        }
    }

    /// The mark before the next event, if it is the first that is not another run's.
    pub(super) fn fork(&mut self, event: &Event) -> Option<Entry> {
        if let Message::Opened(opened) = &event.message {
            self.fork = opened.fork.as_deref().cloned();
        }
        let fork = self.fork.take_if(|fork| fork.events <= event.seq)?;
        Some(Entry {
            seq: event.seq,
            step: None,
            seat: Seat::Conductor.to_string(),
            kind: "fork",
            text: format!(
                "what stands above is that of run {}; from here on it is played by this run's cast",
                fork.run
            ),
            paint: Paint::Heading,
            private: false,
        })
    }

    /// The entry of the next event, if a reader is to see it.
    pub(super) fn read(&mut self, event: &Event) -> Option<Entry> {
        if let Message::Begun(_) = &event.message {
            self.utterances.clear();
        }
        if let Message::Moved(made) = &event.message {
            self.step += 1;
            self.passed_on = match made {
                Move::Act { action } => Some(action.text.clone()),
                Move::Speak { text, .. } => Some(text.clone()),
                Move::Think { .. } | Move::Plan { .. } | Move::Judge { .. } => None,
                Move::Learn { .. } | Move::Finish { .. } => None,
            };
        }
        let usual = match &event.message {
            Message::Brief(brief) => self.brief(&event.to, brief),
            _ => {
                let passed_on = self.passed_on.as_deref().filter(|_| !self.thorough);
                content(event, passed_on)
            }
        };
        let content = usual.or_else(|| self.thorough.then(|| bookkeeping(event)))?;
        let (kind, text, paint) = content;
        Some(Entry {
            seq: event.seq,
            step: matches!(event.message, Message::Moved(_)).then_some(self.step),
            seat: event.from.to_string(),
            kind,
            text,
            paint,
            private: is_private(&event.message),
        })
    }

    /// What a role is told with its turn, as far as it is news.
    fn brief(&mut self, to: &Seat, brief: &Brief) -> Option<Content> {
        // `OK.` answers every thought and tells a reader nothing.
        let notice = brief.notice.as_deref().filter(|notice| *notice != "OK.");
        let notice = notice.map(str::to_owned);
        let sections = brief.sections.iter();
        let sections = sections.map(|section| format!("{}: {}", section.name, section.text));
        let sections = sections.collect::<Vec<String>>().join("\n");
        let before = self.utterances.insert(to.clone(), sections.clone());
        let news = self.thorough || before.as_ref() != Some(&sections);
        let sections = (news && !sections.is_empty()).then_some(sections);
        let parts: Vec<String> = notice.into_iter().chain(sections).collect();
        (!parts.is_empty()).then(|| ("brief", parts.join("\n"), Paint::Dim))
    }
}

/// Whether a message was not for everybody's eyes while the episode ran: a private part of the
/// task, or a model call.
pub fn is_private(message: &Message) -> bool {
    matches!(message, Message::Entrusted(_) | Message::ModelCalled(_))
}

/// What is said of an event that transcripts usually leave out.
fn bookkeeping(event: &Event) -> Content {
    let text = match &event.message {
        Message::Opened(opened) => opened.task.text.clone(),
        Message::Closed(outcome) => outcome.ending.label(),
        Message::Begun(_) => "trial 1, round 1".to_owned(),
        Message::Brief(brief) => brief.notice.as_deref().unwrap_or_default().to_owned(),
        Message::Assess | Message::Entrusted(_) | Message::Moved(_) => String::new(),
        Message::Repaired(_) | Message::Perform(_) | Message::Observed(_) => String::new(),
        Message::Told(_) | Message::Replied(_) | Message::ModelCalled(_) => String::new(),
        Message::Scored(_) | Message::Fault(_) => String::new(),
    };
    (event.message.kind(), text, Paint::Dim)
}

type Content = (&'static str, String, Paint);

fn content(event: &Event, passed_on: Option<&str>) -> Option<Content> {
    let unless_passed_on =
        |kind, text: &str, paint| (passed_on != Some(text)).then(|| (kind, text.to_owned(), paint));
    match &event.message {
        Message::Opened(_) | Message::Assess | Message::Closed(_) | Message::Brief(_) => None,
        Message::Begun(begun) if begun.trial == 0 && begun.round == 0 => None,
        Message::Begun(begun) => {
            let text = format!(
                "trial {}, round {}",
                begun.trial.saturating_add(1),
                begun.round.saturating_add(1)
            );
            Some(("begin", text, Paint::Heading))
        }
        Message::Entrusted(part) => {
            let text = format!("for {}: {}: {}", part.audience, part.label, part.value);
            Some(("private", text, Paint::Dim))
        }
        Message::Moved(made) => Some(moved(made)),
        Message::Repaired(repair) => {
            let text = format!("{}: {}", repair.code, repair.note);
            Some(("repaired", text, Paint::Dim))
        }
        Message::Perform(action) => unless_passed_on("perform", &action.text, Paint::Action),
        Message::Observed(observation) => Some(observed(observation)),
        Message::Told(told) => unless_passed_on("tell", &told.text, Paint::Speech),
        Message::Replied(reply) => Some(("reply", reply.text.clone(), Paint::Speech)),
        Message::ModelCalled(call) => {
            let text = model_call(call);
            Some(("model", text, Paint::Dim))
        }
        Message::Scored(scored) => {
            let text = format!("{}, reward {}", scored.ending.label(), scored.score.reward);
            Some(("score", text, Paint::Dim))
        }
        Message::Fault(fault) => {
            let (kind, number) = (figures::fault(fault.kind), fault.attempt.saturating_add(1));
            let text = format!(
                "{kind} of {}, attempt {number}: {}",
                fault.seat, fault.message
            );
            Some(("fault", text, Paint::Bad))
        }
    }
}

fn moved(made: &Move) -> Content {
    let kind = made.kind().as_str();
    match made {
        Move::Think { text } => (kind, text.clone(), Paint::Thought),
        Move::Plan { steps } => {
            let steps: Vec<String> = steps.iter().map(plan_step).collect();
            (kind, steps.join("\n"), Paint::Thought)
        }
        Move::Act { action } => (kind, action.text.clone(), Paint::Action),
        Move::Speak { text, act } => {
            let act = act.as_ref().map(|act| format!("[{}] ", act.0));
            (kind, act.unwrap_or_default() + text, Paint::Speech)
        }
        Move::Judge { clarify, reason } => {
            let verdict = if *clarify { "unclear" } else { "clear" };
            let reason = reason.as_ref().map(|reason| format!(": {reason}"));
            let text = verdict.to_owned() + &reason.unwrap_or_default();
            (kind, text, Paint::Thought)
        }
        Move::Learn { lesson } => (kind, lesson.clone(), Paint::Thought),
        Move::Finish { answer } => {
            let text = answer.as_str().map(str::to_owned);
            (
                kind,
                text.unwrap_or_else(|| answer.to_string()),
                Paint::Action,
            )
        }
    }
}

fn plan_step(step: &PlanStep) -> String {
    let variable = step.variable.as_ref().map(|name| format!("{name} = "));
    let text = variable.unwrap_or_default() + &step.action.text;
    if step.description.is_empty() {
        return text;
    }
    format!("{text}  ({})", step.description)
}

fn observed(observation: &Observation) -> Content {
    if observation.invalid {
        return ("refused", observation.text.clone(), Paint::Bad);
    }
    let paint = if observation.done {
        Paint::Good
    } else {
        Paint::Text
    };
    ("observe", observation.text.clone(), paint)
}
/// What a model answered, in one entry: what it took, then its texts or scores.
fn model_call(call: &ModelCall) -> String {
    let usage = call.reply.usage;
    let about = if usage.estimated { "about " } else { "" };
    let (model, prompt, completion) = (&call.model, usage.prompt, usage.completion);
    let mut text = format!("{model}: {about}{prompt} tokens in, {completion} out");
    if let Some(cost) = call.cost {
        text.push_str(&format!(", cost {}", figures::money(cost)));
    }
    let choices = &call.reply.choices;
    for (index, choice) in choices.iter().enumerate() {
        text.push('\n');
        if choices.len() > 1 {
            text.push_str(&format!("{}. ", index + 1));
        }
        text.push_str(&choice.text);
        for tool in &choice.tool_calls {
            text.push_str(&format!("[{} {}]", tool.name, tool.arguments));
        }
        text.push_str(finish(choice.finish));
    }
    let scores = call.reply.scores.iter().enumerate();
    for (index, score) in scores {
        let (logprob, tokens) = (score.logprob, score.tokens);
        let tokens = counted(tokens.into(), "token", "tokens");
        text.push_str(&format!("\nscore {}: {logprob:.4} ({tokens})", index + 1));
    }
    text
}

/// Why a completion ends, where a reader would not expect it.
fn finish(finish: Finish) -> &'static str {
    match finish {
        Finish::Stop | Finish::ToolCalls | Finish::Other => "",
        Finish::Length => " [cut at the limit of tokens]",
        Finish::ContentFilter => " [cut by the server's filter]",
    }
}
