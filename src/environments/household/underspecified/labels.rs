//! Underspecified games of a run: what each of them leaves out, and who is entrusted with that.

use std::sync::Arc;

use serde::Deserialize;

use super::search::{Readings, Weight};
use super::{Detail, sentence_without};
use crate::classic::first_observation;
use crate::{Game, Variant, World};
use rolecall_core::domain::PrivateInfo;
use rolecall_core::ports::{EnvironmentError, Parameter, Parameters, SetupError};
use rolecall_core::world::underspecified::{self, Drawn, NOTHING, WHAT};

/// The parameters, besides those that worlds share.
pub const PARAMETERS: [Parameter; 2] = [
    Parameter::choice(
        WHAT,
        &[NOTHING, "object", "receptacle", "object-or-receptacle"],
        "what the task sentences of labelled tasks leave out, and the user `revealer` tells: the object, the receptacle \
         (or the lamp), or either; with each the state that is asked for (ALFWorld-Clarification)",
    ),
    Parameter::choice(
        "label",
        &["stripped", "critical"],
        "when a question is called for, by the metric `clarification`: whenever something is left out, or only if \
         nothing else that the sentence may mean in this room does what is meant",
    ),
];

/// The details that are left out of the task sentences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum What {
    Object,
    Receptacle,
    ObjectOrReceptacle,
}

/// The labels of a run.
#[derive(Clone, Debug)]
pub struct Labels {
    what: What,
    drawn: underspecified::Labels,
    by_search: bool,
}

impl Labels {
    /// The labels of so many games, as the parameters ask for them; none if nothing is left out.
    ///
    /// # Errors
    /// When something is to be left out of games that are no standard ones.
    pub fn of(parameters: &Parameters, games: usize, variant: Variant) -> Result<Option<Self>, SetupError> {
        let drawn = underspecified::Labels::of(parameters, games, true);
        let (Some(drawn), Some(what)) = (drawn, parameters.word(WHAT)) else {
            return Ok(None);
        };
        if variant != Variant::Standard {
            let problem = "it leaves details out of standard games only; set variant = \"standard\", or leave it out";
            return Err(SetupError::at(WHAT, problem));
        }
        Ok(Some(Self { what, drawn, by_search: parameters.text("label") == Some("critical") }))
    }

    /// The detail that the sentence of a game leaves out.
    ///
    /// # Errors
    /// When the game has no label.
    pub fn dropped(&self, index: usize) -> Result<Option<Detail>, EnvironmentError> {
        let Drawn { underspecified, heads } = self.drawn.task(index)?;
        let detail = match (self.what, heads) {
            (What::Object, _) | (What::ObjectOrReceptacle, true) => Detail::Object,
            (What::Receptacle, _) | (What::ObjectOrReceptacle, false) => Detail::Receptacle,
        };
        Ok(underspecified.then_some(detail))
    }

    /// The game as it is asked for, and the private parts that say what is meant.
    ///
    /// # Errors
    /// When the game has no label, or the whole sentence can still be read in its first observation.
    pub fn apply(&self, index: usize, game: Arc<Game>) -> Result<(Arc<Game>, [PrivateInfo; 2]), EnvironmentError> {
        let full = game.task_sentence().to_owned();
        let Some(detail) = self.dropped(index)? else {
            return Ok((game, underspecified::parts(&full, false, None)));
        };
        let lost = detail.lost_with(game.task_type());
        let asked = Arc::new(game.reworded(&sentence_without(game.goal(), &lost)));
        let shown = first_observation(&World::new(Arc::clone(&asked)).reset_observation());
        if shown.contains(full.trim_end_matches('.')) {
            return Err(EnvironmentError::Data(format!(
                "`{}`: its whole task `{full}` can still be read in the first observation, so that it cannot be \
                 underspecified; leave the game out, or set environment.{WHAT} = \"{NOTHING}\"",
                game.name()
            )));
        }
        let matters = || Readings::of(&World::new(game), &lost).weight() == Weight::Critical;
        let needed = !self.by_search || matters();
        let parts = underspecified::parts(&full, needed, Some(lost[0].as_str()));
        Ok((asked, parts))
    }
}
