//! An episode as a reader sees it: what happened, without the conductor's bookkeeping.

use std::collections::BTreeMap;

use super::{Paint, figures};
use crate::domain::{
    Brief, Event, Finish, Fork, Message, ModelCall, Move, Observation, PlanStep, Scene, SceneLine, Seat,
};
use crate::log::RecordedEpisode;
use crate::text::counted;

/// One thing that happened. The text is as it was written, not yet escaped.
#[derive(Clone, Debug, PartialEq)]
pub struct TranscriptEntry {
    /// Position of the event.
    pub seq: u32,
    /// Number of the move, from 1, if it is one.
    pub step: Option<u32>,
    /// Who it comes from.
    pub seat: String,
    /// Its kind, in one word.
    pub kind: &'static str,
    /// The thought, action, utterance or observation.
    pub text: String,
    /// The sort of text, by which it has its colour.
    pub paint: Paint,
    /// It was not for everybody's eyes while the episode ran.
    pub private: bool,
}

/// The entries of an episode in order, private ones included.
pub fn entries(episode: &RecordedEpisode) -> Vec<TranscriptEntry> {
    let mut reader = EntryReader::default();
    let both = |event| [reader.fork(event), reader.read(event)];
    episode.events.iter().flat_map(both).flatten().collect()
}

/// The entries as a world stages them. The number of a move that is not shown stands at what is shown next.
pub(super) fn staged(entries: Vec<TranscriptEntry>, scene: &Scene) -> Vec<TranscriptEntry> {
    let mut step = None;
    entries
        .into_iter()
        .filter_map(|mut entry| {
            match scene.lines.get(&entry.seq) {
                Some(SceneLine::Hidden) => {
                    step = entry.step.or(step);
                    return None;
                }
                Some(SceneLine::Short(text)) => entry.text.clone_from(text),
                Some(SceneLine::Said(text)) => {
                    entry.text.clone_from(text);
                    entry.paint = Paint::Speech;
                }
                None => {}
            }
            entry.step = entry.step.or(step.take());
            Some(entry)
        })
        .collect()
}

/// Makes entries of the events of one episode, one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct EntryReader {
    thorough: bool,
    step: u32,
    /// The text of the last move, which would be said twice when it is passed on as it is.
    passed_on: Option<String>,
    /// The sections that each seat was given last in this round: lessons come with every brief, and are to
    /// be read once.
    sections: BTreeMap<Seat, String>,
    /// The place at which the episode leaves that of another run, until it has.
    fork: Option<Fork>,
}

impl EntryReader {
    /// A thorough one leaves nothing out: somebody asked for certain kinds of messages.
    pub(super) fn new(thorough: bool) -> Self {
        Self { thorough, ..Self::default() }
    }

    /// The mark before the next event, if it is the first that is not another run's.
    pub(super) fn fork(&mut self, event: &Event) -> Option<TranscriptEntry> {
        if let Message::Opened(opened) = &event.message {
            self.fork = opened.fork.as_deref().cloned();
        }
        let fork = self.fork.take_if(|fork| fork.events <= event.seq)?;
        Some(TranscriptEntry {
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
    pub(super) fn read(&mut self, event: &Event) -> Option<TranscriptEntry> {
        if let Message::Begun(_) = &event.message {
            self.sections.clear();
        }
        if let Message::Moved(made) = &event.message {
            self.step += 1;
            self.passed_on = match made {
                Move::Act { action } => Some(action.text.clone()),
                Move::Speak { text, .. } => Some(text.clone()),
                _ => None,
            };
        }
        let passed_on = self.passed_on.as_deref().filter(|_| !self.thorough);
        let usual = match &event.message {
            Message::Brief(brief) => self.brief(&event.to, brief),
            _ => content(event, passed_on),
        };
        let content = usual.or_else(|| self.thorough.then(|| bookkeeping(event)));
        let (kind, text, paint) = content?;
        Some(TranscriptEntry {
            seq: event.seq,
            step: matches!(event.message, Message::Moved(_)).then_some(self.step),
            seat: event.from.to_string(),
            kind,
            text,
            paint,
            private: is_private(&event.message),
        })
    }

    /// The brief of a role's turn, as far as it is news.
    fn brief(&mut self, to: &Seat, brief: &Brief) -> Option<Content> {
        // `OK.` answers every thought and tells a reader nothing.
        let notice = brief.notice.as_deref().filter(|notice| *notice != "OK.");
        let notice = notice.map(str::to_owned);
        let sections = brief.sections.iter().map(|section| format!("{}: {}", section.name, section.text));
        let sections = sections.collect::<Vec<String>>().join("\n");
        let before = self.sections.insert(to.clone(), sections.clone());
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

/// The content of an event that transcripts usually leave out.
fn bookkeeping(event: &Event) -> Content {
    let text = match &event.message {
        Message::Opened(opened) => opened.task.text.clone(),
        Message::Closed(outcome) => outcome.ending.label(),
        Message::Begun(_) => "trial 1, round 1".to_owned(),
        Message::Brief(brief) => brief.notice.as_deref().unwrap_or_default().to_owned(),
        _ => String::new(),
    };
    (event.message.kind(), text, Paint::Dim)
}

type Content = (&'static str, String, Paint);

fn content(event: &Event, passed_on: Option<&str>) -> Option<Content> {
    Some(match &event.message {
        Message::Opened(_) | Message::Assess | Message::Closed(_) | Message::Brief(_) => {
            return None;
        }
        Message::Begun(begun) if begun.trial == 0 && begun.round == 0 => return None,
        Message::Begun(begun) => {
            let (trial, round) = (begun.trial.saturating_add(1), begun.round.saturating_add(1));
            let text = format!("trial {trial}, round {round}");
            ("begin", text, Paint::Heading)
        }
        Message::Entrusted(part) => {
            let text = format!("for {}: {}: {}", part.audience, part.label, part.value);
            ("private", text, Paint::Dim)
        }
        Message::Moved(made) => moved(made),
        Message::Repaired(repair) => {
            let text = format!("{}: {}", repair.code, repair.note);
            ("repaired", text, Paint::Dim)
        }
        Message::Perform(action) if passed_on == Some(&action.text) => return None,
        Message::Perform(action) => ("perform", action.text.clone(), Paint::Action),
        Message::Observed(observation) => observed(observation),
        Message::Told(said) if passed_on == Some(&said.text) => return None,
        Message::Told(said) => ("tell", said.text.clone(), Paint::Speech),
        Message::Replied(reply) => ("reply", reply.text.clone(), Paint::Speech),
        Message::ModelCalled(call) => ("model", model_call(call), Paint::Dim),
        Message::Scored(scored) => {
            let text = format!("{}, reward {}", scored.ending.label(), scored.score.reward);
            ("score", text, Paint::Dim)
        }
        Message::Fault(fault) => {
            let (kind, number) = (figures::fault(fault.kind), fault.attempt.saturating_add(1));
            let (seat, message) = (&fault.seat, &fault.message);
            let text = format!("{kind} of {seat}, attempt {number}: {message}");
            ("fault", text, Paint::Bad)
        }
    })
}

fn moved(made: &Move) -> Content {
    let (text, paint) = match made {
        Move::Think { text } => (text.clone(), Paint::Thought),
        Move::Plan { steps } => {
            let steps: Vec<String> = steps.iter().map(plan_step).collect();
            (steps.join("\n"), Paint::Thought)
        }
        Move::Act { action } => (action.text.clone(), Paint::Action),
        Move::Speak { text, act } => {
            let act = act.as_ref().map(|act| format!("[{}] ", act.0));
            (act.unwrap_or_default() + text, Paint::Speech)
        }
        Move::Judge { clarify, reason } => {
            let verdict = if *clarify { "unclear" } else { "clear" };
            let reason = reason.as_ref().map(|reason| format!(": {reason}"));
            let text = verdict.to_owned() + &reason.unwrap_or_default();
            (text, Paint::Thought)
        }
        Move::Learn { lesson } => (lesson.clone(), Paint::Thought),
        Move::Finish { answer } => {
            let text = answer.as_str().map(str::to_owned);
            (text.unwrap_or_else(|| answer.to_string()), Paint::Action)
        }
    };
    (made.kind().as_str(), text, paint)
}

fn plan_step(step: &PlanStep) -> String {
    let text = step.variable.as_ref().map(|name| format!("{name} = ")).unwrap_or_default() + &step.action.text;
    if step.description.is_empty() {
        return text;
    }
    format!("{text}  ({})", step.description)
}

fn observed(observation: &Observation) -> Content {
    let (kind, paint) = match observation {
        Observation { invalid: true, .. } => ("refused", Paint::Bad),
        Observation { done: true, .. } => ("observe", Paint::Good),
        _ => ("observe", Paint::Text),
    };
    (kind, observation.text.clone(), paint)
}

/// A model's answer in one entry: tokens and cost, then its texts or scores.
fn model_call(call: &ModelCall) -> String {
    let usage = call.reply.usage;
    let about = if usage.estimated { "about " } else { "" };
    let (model, prompt, completion) = (&call.model, usage.prompt, usage.completion);
    let mut text = format!("{model}: {about}{prompt} tokens in, {completion} out");
    if let Some(cost) = call.cost {
        text.push_str(&format!(", cost {}", figures::money(cost)));
    }
    if let Some(served) = &call.reply.served {
        text.push_str(&format!(", from {served}"));
    }
    let choices = &call.reply.choices;
    for (number, choice) in (1..).zip(choices) {
        text.push('\n');
        if choices.len() > 1 {
            text.push_str(&format!("{number}. "));
        }
        if !choice.thinking.is_empty() {
            text.push_str(&format!("[thinking: {}] ", choice.thinking));
        }
        text.push_str(&choice.text);
        for tool in &choice.tool_calls {
            text.push_str(&format!("[{} {}]", tool.name, tool.arguments));
        }
        text.push_str(finish(choice.finish));
    }
    for (number, score) in (1..).zip(&call.reply.scores) {
        let tokens = counted(score.tokens.into(), "token", "tokens");
        let logprob = score.logprob;
        text.push_str(&format!("\nscore {number}: {logprob:.4} ({tokens})"));
    }
    text
}

/// The end of a completion, where a reader would not expect it.
fn finish(finish: Finish) -> &'static str {
    match finish {
        Finish::Stop | Finish::ToolCalls | Finish::Other => "",
        Finish::Length => " [cut at the limit of tokens]",
        Finish::ContentFilter => " [cut by the server's filter]",
    }
}
