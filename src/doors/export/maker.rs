//! Makes the rows of an episode.

use super::row::{Content, Row};
use super::seat_rows::model_rows;
use super::view_rows::Views;
use super::{ExportError, PlayedEpisode, PlayedRun};
use rolecall_core::domain::{Event, Message, Seat, Seed};
use rolecall_core::text::unique;
use rolecall_run::config::Cell;
use rolecall_run::registry::Registry;

/// The word in place of a model's name for a seat by rules.
const RULES: &str = "rules";

/// Which seats are exported, and whose turns are trained.
#[derive(Clone, Debug, Default)]
pub struct Marking {
    /// These seats; all roles if there are none.
    pub seats: Vec<Seat>,
    /// Turns that these models answered; of all if there are none.
    pub models: Vec<String>,
}

impl Marking {
    /// Whether turns of this model are trained.
    pub(super) fn trains(&self, model: &str) -> bool {
        self.models.is_empty() || self.models.iter().any(|known| known == model)
    }

    pub(super) fn takes(&self, seat: &Seat) -> bool {
        if self.seats.is_empty() { matches!(seat, Seat::Role(_)) } else { self.seats.contains(seat) }
    }
}

/// The rows of an episode.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EpisodeRows {
    /// The rows, seat by seat.
    pub rows: Vec<Row>,
    /// Turns of these seats that called models and are not trained.
    pub left_out: u64,
}

/// Makes rows of the episodes of a run.
pub struct RowMaker<'a> {
    run: &'a PlayedRun,
    views: Views,
    marking: Marking,
}

impl<'a> RowMaker<'a> {
    /// Rows of this run.
    ///
    /// # Errors
    /// When the prompt of seats by rules cannot be compiled.
    pub fn new(run: &'a PlayedRun, marking: Marking, registry: &Registry) -> Result<Self, ExportError> {
        Ok(Self { run, views: Views::of(run.plan(), registry)?, marking })
    }

    /// The rows of an episode.
    ///
    /// # Errors
    /// When a prompt cannot be proved to be the one that was sent.
    pub fn rows(&self, episode: &PlayedEpisode) -> Result<EpisodeRows, ExportError> {
        episode.prove()?;
        let mut made = EpisodeRows::default();
        for seat in self.seats(episode) {
            let calls = episode.calls.iter().any(|call| call.seat == seat);
            let contents = if calls {
                let (rows, left_out) = model_rows(episode, &seat, &self.marking);
                made.left_out += left_out;
                rows
            } else {
                let mut contents = self.view(episode, &seat)?;
                // A model that was never asked wrote nothing.
                contents.retain(|(name, _)| name != "model" && self.marking.trains(name));
                contents
            };
            made.rows.extend(self.numbered(episode, &seat, contents));
        }
        Ok(made)
    }

    /// The views of all seats, whether they asked a model or not.
    pub(super) fn views(&self, episode: &PlayedEpisode) -> Result<Vec<(Seat, Row)>, ExportError> {
        let mut all = Vec::new();
        for seat in self.seats(episode) {
            let mut contents = self.view(episode, &seat)?;
            let called = episode.calls.iter().rfind(|call| call.seat == seat);
            if let Some(called) = called {
                let model = &called.call.model;
                contents.iter_mut().for_each(|(name, _)| name.clone_from(model));
            }
            all.extend(self.numbered(episode, &seat, contents).into_iter().map(|row| (seat.clone(), row)));
        }
        Ok(all)
    }

    /// The exported seats that did something, in the order in which they first did.
    fn seats(&self, episode: &PlayedEpisode) -> Vec<Seat> {
        let acts = |event: &&Event| {
            matches!(event.message, Message::ModelCalled(_) | Message::Moved(_) | Message::Replied(_))
                && self.marking.takes(&event.from)
        };
        unique(episode.events.iter().filter(acts).map(|event| event.from.clone()))
    }

    /// The view of a seat, with the word for who sits there.
    fn view(&self, episode: &PlayedEpisode, seat: &Seat) -> Result<Vec<(String, Content)>, ExportError> {
        let cell = self.run.cell(&episode.id)?;
        let name = player(cell, seat);
        Ok(self.views.rows(episode, &cell.environment, seat)?.into_iter().map(|row| (name.to_owned(), row)).collect())
    }

    fn numbered(&self, episode: &PlayedEpisode, seat: &Seat, contents: Vec<(String, Content)>) -> Vec<Row> {
        let several = contents.len() > 1;
        contents
            .into_iter()
            .enumerate()
            .map(|(number, (model, content))| {
                let mut row = self.row(episode, seat, model, content);
                if several {
                    row.id.push_str(&format!("#{number}"));
                }
                row
            })
            .collect()
    }

    fn row(&self, episode: &PlayedEpisode, seat: &Seat, model: String, content: Content) -> Row {
        let result = &episode.result;
        let served = episode.opened().and_then(|opened| opened.served.as_ref());
        let Seed(seed) = (served.and_then(|served| served.seed)).unwrap_or(self.run.plan().seed);
        Row {
            id: format!("{}/{seat}", episode.id),
            episode: episode.id.to_string(),
            seat: seat.to_string(),
            cell: episode.id.cell.to_string(),
            task: result.task.clone(),
            kind: result.kind.clone(),
            model,
            trainable: true,
            content,
            reward: result.reward,
            success: result.success,
            ending: result.ending_label(),
            steps: result.counts.steps,
            questions: result.counts.questions,
            seed,
            weight: 1.0,
        }
    }
}

/// Who sits there, in a word: what is played by rules of any kind is `rules`.
fn player<'a>(cell: &'a Cell, seat: &Seat) -> &'a str {
    let Seat::Role(name) = seat else {
        return RULES;
    };
    let role = cell.roles.iter().find(|role| role.role == *name);
    match role.map(|role| role.implementation.as_str()) {
        Some(kind @ ("model" | "human" | "external" | "scripted")) => kind,
        _ => RULES,
    }
}
