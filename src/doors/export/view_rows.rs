//! Rows of seats that ask no model: what they saw and did, as a model in their place would read and write it.

use std::collections::BTreeMap;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::row::{Content, RowMessage, messages_of};
use super::{ExportError, PlayedEpisode};
use rolecall_core::domain::{Message, Seat, Seed, Transcript};
use rolecall_core::ports::model::{Calls, ChatRole, ModelProfile, Prompt};
use rolecall_core::ports::{Persona, Turn};
use rolecall_core::prompts::{Context, EntryKind, Exemplars, Knowledge, LineNotation, Prompter};
use rolecall_run::config::Plan;
use rolecall_run::registry::Registry;

/// The prompt of these rows. Who trains on them plays with it.
pub const VIEW_PROMPT: &str = include_str!("view.md");

/// The prompters of the environments of a plan.
pub(super) struct Views(BTreeMap<String, Prompter>);

impl Views {
    /// Compiles the prompt for each environment.
    ///
    /// # Errors
    /// When it cannot be compiled.
    pub(super) fn of(plan: &Plan, registry: &Registry) -> Result<Self, ExportError> {
        let persona = Persona { prompt: VIEW_PROMPT.to_owned(), ..Persona::default() };
        let mut all = BTreeMap::new();
        for cell in &plan.cells {
            let world = registry.world(Some(&cell.environment));
            let exemplars = Exemplars::new(&BTreeMap::new(), 0, 0);
            let prompter = Prompter::new(&persona, exemplars, LineNotation::default(), Context::All, 0, &world)
                .map_err(|error| ExportError::View(error.problem))?;
            all.insert(cell.environment.clone(), prompter);
        }
        Ok(Self(all))
    }

    /// The rows of a seat: one for each trial in which it did something.
    pub(super) fn rows(
        &self,
        episode: &PlayedEpisode,
        environment: &str,
        seat: &Seat,
    ) -> Result<Vec<Content>, ExportError> {
        let Some(prompter) = self.0.get(environment) else {
            return Ok(Vec::new());
        };
        let transcript = episode.transcript()?;
        let mut rows = Vec::new();
        let mut knowledge = prompter.fresh();
        for end in trial_ends(episode) {
            let turn = turn(episode, &transcript, seat, end);
            prompter.catch_up(&mut knowledge, &turn, |_, _, _| None);
            let whole =
                prompter.whole(&knowledge, &turn, &chat()).map_err(|error| ExportError::View(error.to_string()))?;
            let Prompt::Chat(messages) = whole else {
                continue;
            };
            rows.extend(row(episode, seat, &knowledge, messages_of(&messages)));
        }
        Ok(rows)
    }
}

fn chat() -> ModelProfile {
    ModelProfile { chat: true, ..ModelProfile::default() }
}

/// The ends of the trials, as numbers of events.
fn trial_ends(episode: &PlayedEpisode) -> Vec<usize> {
    let begins = (0..).zip(&episode.events).filter_map(|(index, event)| {
        matches!(&event.message, Message::Begun(begun) if !begun.keep_world).then_some(index)
    });
    begins.skip(1).chain([episode.events.len()]).collect()
}

fn turn(episode: &PlayedEpisode, transcript: &Transcript, seat: &Seat, end: usize) -> Turn {
    Turn {
        episode: episode.id.clone(),
        seat: seat.clone(),
        number: 0,
        attempt: 0,
        view: transcript.visible_to(seat.clone(), 0, end),
        seed: Seed(0),
        deadline: Duration::MAX,
        cancel: CancellationToken::new(),
        calls: Calls::default(),
    }
}

/// The conversation up to what the seat did last, with its own moves marked; none if it did nothing.
fn row(episode: &PlayedEpisode, seat: &Seat, knowledge: &Knowledge, mut messages: Vec<RowMessage>) -> Option<Content> {
    let shown =
        knowledge.script.entries().iter().enumerate().filter(|(index, _)| !knowledge.script.line_of(*index).is_empty());
    let shown: Vec<_> = shown.map(|(_, entry)| entry).collect();
    let head = messages.len().checked_sub(shown.len())?;
    let mut last = None;
    for (index, (message, entry)) in (head..).zip(messages[head..].iter_mut().zip(shown)) {
        if message.role == ChatRole::Assistant {
            last = Some(index + 1);
            message.mark(entry.seq >= episode.branch_point());
            message.turn = Some(entry.answer.saturating_sub(1));
        } else if *entry.from != *Seat::Conductor.as_str() {
            message.from = Some(entry.from.to_string());
        }
        message.move_kind = match entry.kind {
            EntryKind::Move(kind) => Some(kind),
            EntryKind::Reply if *entry.from == *seat.as_str() => Some(rolecall_core::domain::MoveKind::Speak),
            _ => None,
        };
    }
    messages.truncate(last?);
    messages.iter().any(RowMessage::is_trained).then_some(Content::Chat { messages, tools: Vec::new() })
}
