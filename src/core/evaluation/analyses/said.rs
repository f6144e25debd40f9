//! Utterances of agents, by category and by dialogue act.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::{Category, acts, categories};
use crate::domain::{DialogueAct, EpisodeId, Message, Utterance};
use crate::ports::EpisodeLog;

/// Labels that somebody gave: the place of the label by episode and number of the event.
pub type Given = FxHashMap<(EpisodeId, u32), usize>;

/// Who says what utterances are.
#[derive(Clone, Debug, Default)]
pub struct Tagger {
    /// Categories of utterances, instead of the rules'.
    pub categories: Option<Given>,
    /// Dialogue acts of utterances, instead of what is declared and of the rules'.
    pub acts: Option<Given>,
    /// Answers to questions of worlds, by the names of their fields (`question.field`). A whole episode has
    /// the number 0.
    pub answers: BTreeMap<String, Given>,
    /// Answers in fields that take any text.
    pub texts: BTreeMap<String, FxHashMap<(EpisodeId, u32), String>>,
}

impl Tagger {
    /// The place of the answer that somebody gave in a field of a question of a world.
    pub fn answer(&self, question: &str, field: &str, episode: &EpisodeId, seq: u32) -> Option<usize> {
        self.answers.get(&format!("{question}.{field}"))?.get(&(episode.clone(), seq)).copied()
    }

    /// The text that somebody gave in a field that any text answers.
    pub fn text(&self, question: &str, field: &str, episode: &EpisodeId, seq: u32) -> Option<&str> {
        self.texts.get(&format!("{question}.{field}"))?.get(&(episode.clone(), seq)).map(String::as_str)
    }
}

/// Counts of utterances.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// Utterances to the user.
    pub utterances: u64,
    /// By category, in the order of [`Category::ALL`] (ReSpAct Figures 6 and 7).
    pub categories: [u64; Category::ALL.len()],
    /// By dialogue act, in the order of [`DialogueAct::SCHEMA`] (ReSpAct Figure 10).
    pub acts: [u64; DialogueAct::SCHEMA.len()],
    /// Utterances whose speaker declared the act.
    pub declared: u64,
}

/// The figures that are wanted of utterances beside their number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pub(super) categories: bool,
    pub(super) acts: bool,
}

impl Said {
    /// Counts what was said in an episode. With given labels, what has none is in no category.
    pub(super) fn of(log: &EpisodeLog<'_>, tagger: &Tagger, wanted: Wanted) -> Self {
        let mut counts = Self::default();
        for event in &log.events {
            let Message::Told(utterance) = &event.message else {
                continue;
            };
            counts.utterances += 1;
            let key = || (log.id.clone(), event.seq);
            if wanted.categories {
                let category = match &tagger.categories {
                    Some(given) => given.get(&key()).copied(),
                    None => Some(categories::category(&utterance.text) as usize),
                };
                add(&mut counts.categories, category);
            }
            if wanted.acts {
                let act = match &tagger.acts {
                    Some(given) => given.get(&key()).copied(),
                    None => Some(counts.declared_or_tagged(utterance)),
                };
                add(&mut counts.acts, act);
            }
        }
        counts
    }

    /// Adds those of another episode.
    pub(super) fn join(&mut self, other: &Self) {
        self.utterances += other.utterances;
        self.declared += other.declared;
        let categories = self.categories.iter_mut().zip(other.categories);
        let acts = self.acts.iter_mut().zip(other.acts);
        categories.chain(acts).for_each(|(count, more)| *count += more);
    }

    fn declared_or_tagged(&mut self, utterance: &Utterance) -> usize {
        match acts::declared(utterance) {
            Some(act) => {
                self.declared += 1;
                act
            }
            None => acts::act(&utterance.text),
        }
    }
}

fn add(counts: &mut [u64], position: Option<usize>) {
    if let Some(count) = position.and_then(|place| counts.get_mut(place)) {
        *count += 1;
    }
}
