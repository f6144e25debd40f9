//! An episode as a reader sees it: what happened, without the conductor's bookkeeping.

use super::{Paint, figures};
use crate::domain::{Event, Message, Move, Observation, PlanStep};
use crate::log::RecordedEpisode;

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
    let mut entries = Vec::new();
    let mut step = 0;
    // What was moved and is passed on as it is would only be said twice.
    let mut passed_on = None;
    for event in &episode.events {
        if let Message::Moved(made) = &event.message {
            step += 1;
            passed_on = match made {
                Move::Act { action } => Some(action.text.as_str()),
                Move::Speak { text, .. } => Some(text.as_str()),
                Move::Think { .. } | Move::Plan { .. } | Move::Judge { .. } => None,
                Move::Learn { .. } | Move::Finish { .. } => None,
            };
        }
        if let Some((kind, text, paint)) = content(event, passed_on) {
            entries.push(Entry {
                seq: event.seq,
                step: matches!(event.message, Message::Moved(_)).then_some(step),
                seat: event.from.to_string(),
                kind,
                text,
                paint,
                private: is_private(&event.message),
            });
        }
    }
    entries
}

fn is_private(message: &Message) -> bool {
    matches!(message, Message::Entrusted(_) | Message::ModelCalled(_))
}

type Content = (&'static str, String, Paint);

fn content(event: &Event, passed_on: Option<&str>) -> Option<Content> {
    let unless_passed_on =
        |kind, text: &str, paint| (passed_on != Some(text)).then(|| (kind, text.to_owned(), paint));
    match &event.message {
        Message::Opened(_) | Message::Assess | Message::Closed(_) => None,
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
        Message::Brief(brief) => {
            // `OK.` answers every thought and tells a reader nothing.
            let notice = brief.notice.as_deref().filter(|notice| *notice != "OK.");
            let sections = brief.sections.iter();
            let sections = sections.map(|section| format!("{}: {}", section.name, section.text));
            let parts: Vec<String> = notice
                .map(str::to_owned)
                .into_iter()
                .chain(sections)
                .collect();
            (!parts.is_empty()).then(|| ("brief", parts.join("\n"), Paint::Dim))
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
            let text = format!("call {} of turn {}: {}", call.call, call.turn, call.reply);
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
