//! The items of a run.

use std::collections::{BTreeMap, BTreeSet};

use super::RatingError;
use crate::domain::{EpisodeId, Seed};
use crate::evaluation::labels::{Item, ItemKind, JudgeQuestion, What, chosen, id_of, items_of};
use crate::log::RunLog;
use crate::ports::EpisodeLog;
use crate::registry::Registry;
use crate::text::visible;

/// The place of an item in the log.
pub type TurnId = (EpisodeId, u32);

/// The names of all items of a run and where they are. Of episodes that broke, what was said before counts
/// as well.
///
/// # Errors
/// When the run cannot be read.
pub fn places(
    run: &RunLog,
    kind: ItemKind,
    question: Option<&JudgeQuestion>,
) -> Result<BTreeMap<String, TurnId>, RatingError> {
    places_with(run, kind, question, |_, _| {})
}

/// The same, with a look at each item.
fn places_with(
    run: &RunLog,
    kind: ItemKind,
    question: Option<&JudgeQuestion>,
    mut look: impl FnMut(&str, &Item),
) -> Result<BTreeMap<String, TurnId>, RatingError> {
    let mut places = BTreeMap::new();
    let registry = Registry::standard();
    for episode in run.episodes()? {
        let episode = episode?;
        let known = |log: &EpisodeLog<'_>| registry.response(log);
        for item in items_of(question, &episode.log(), kind, known) {
            let id = item_name(run, &episode.id, item.seq);
            look(&id, &item);
            if let Some((other, _)) = places.insert(id, (episode.id.clone(), item.seq)) {
                let problem = format!("two items of {other} and {} have the same name", episode.id);
                return Err(RatingError::Unusable(problem));
            }
        }
    }
    Ok(places)
}

/// An item's name for raters.
pub fn item_name(run: &RunLog, episode: &EpisodeId, seq: u32) -> String {
    id_of(&run.record().name, run.record().seed, episode, seq)
}

/// Which items of a run are labelled, and by what.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The labels.
    pub what: What,
    /// The kind of the items.
    pub kind: ItemKind,
    /// The most of them, drawn by the seed; none for all.
    pub sample: Option<u32>,
    /// The seed of the draw.
    pub seed: Seed,
}

/// The items of a run that are to be labelled.
pub struct Wanted {
    /// The run.
    pub run: RunLog,
    /// Their names, in the order of the draw.
    pub ids: Vec<String>,
    /// Their places in the log.
    pub places: BTreeMap<String, TurnId>,
    /// The fields that are asked of an item, where a question names parts.
    fields: BTreeMap<String, Vec<&'static str>>,
    kind: ItemKind,
    question: Option<&'static JudgeQuestion>,
}

impl Wanted {
    /// Draws the items of a run.
    ///
    /// # Errors
    /// When the run cannot be read, or has no such items.
    pub fn of(run: RunLog, choice: &Choice) -> Result<Self, RatingError> {
        let kind = choice.kind;
        let question = choice.what.question();
        let mut fields = BTreeMap::new();
        let mut places = places_with(&run, kind, question, |id, item| {
            if let Some(own) = &item.fields {
                fields.insert(id.to_owned(), own.clone());
            }
        })?;
        if places.is_empty() {
            let what = match kind {
                _ if question
                    .is_some_and(|asked| asked.about.is_some() || asked.parts.is_some()) =>
                {
                    "there is no episode that the question is about"
                }
                ItemKind::Responses => "no response on a dialogue task was given",
                _ => "nothing was said to a user",
            };
            let folder = run.folder().display().to_string();
            let problem = format!("{what} in `{}`", visible(&folder));
            return Err(RatingError::Unusable(problem));
        }
        let all = places.keys().cloned().collect();
        let most = choice.sample.and_then(|most| usize::try_from(most).ok());
        let ids = chosen(all, most, choice.seed);
        if most.is_some() {
            let drawn: BTreeSet<&str> = ids.iter().map(String::as_str).collect();
            places.retain(|id, _| drawn.contains(id.as_str()));
        }
        Ok(Self {
            run,
            ids,
            places,
            fields,
            kind,
            question,
        })
    }

    /// Whether a part of what is asked is asked of an item.
    pub fn has_field(&self, id: &str, part: &What) -> bool {
        let fields = self.fields.get(id);
        fields.is_none_or(|fields| fields.contains(&part.key()))
    }

    /// The items of these names with them, in the order of the log.
    ///
    /// # Errors
    /// When the run cannot be read.
    pub fn read(&self, ids: &[String]) -> Result<Vec<(String, Item)>, RatingError> {
        let mut found = Vec::new();
        let mut by_episode: BTreeMap<&EpisodeId, Vec<(u32, &String)>> = BTreeMap::new();
        for id in ids {
            if let Some((episode, seq)) = self.places.get(id) {
                by_episode.entry(episode).or_default().push((*seq, id));
            }
        }
        let registry = Registry::standard();
        for episode in self.run.episodes_of(by_episode.keys().copied())? {
            let episode = episode?;
            let wanted = by_episode.get(&episode.id);
            let known = |log: &EpisodeLog<'_>| registry.response(log);
            for item in items_of(self.question, &episode.log(), self.kind, known) {
                let mut own = wanted.into_iter().flatten();
                if let Some((_, id)) = own.find(|(seq, _)| *seq == item.seq) {
                    found.push(((*id).clone(), item));
                }
            }
        }
        Ok(found)
    }
}
