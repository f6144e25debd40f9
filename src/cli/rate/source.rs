//! The items of a run.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::bail;

use super::arguments::ItemArguments;
use crate::cli::output::shown;
use crate::cli::runs;
use crate::domain::{EpisodeId, Seed};
use crate::evaluation::labels::{Item, ItemKind, JudgeQuestion, What, chosen, id_of, items_of};
use crate::log::RunLog;
use crate::ports::EpisodeLog;
use crate::registry::Registry;

/// The place of an item in the log.
pub(super) type TurnId = (EpisodeId, u32);

/// The names of all items of a run and where they are. Of episodes that broke, what was said before counts
/// as well.
pub(super) fn places(
    run: &RunLog,
    kind: ItemKind,
    question: Option<&JudgeQuestion>,
) -> anyhow::Result<BTreeMap<String, TurnId>> {
    places_with(run, kind, question, |_, _| {})
}

/// The same, with a look at each item.
fn places_with(
    run: &RunLog,
    kind: ItemKind,
    question: Option<&JudgeQuestion>,
    mut look: impl FnMut(&str, &Item),
) -> anyhow::Result<BTreeMap<String, TurnId>> {
    let mut places = BTreeMap::new();
    let registry = Registry::standard();
    for episode in run.episodes()? {
        let episode = episode?;
        let known = |log: &EpisodeLog<'_>| registry.response(log);
        for item in items_of(question, &episode.log(), kind, known) {
            let id = name(run, &episode.id, item.seq);
            look(&id, &item);
            if let Some((other, _)) = places.insert(id, (episode.id.clone(), item.seq)) {
                bail!("two items of {other} and {} have the same name", episode.id);
            }
        }
    }
    Ok(places)
}

/// An item's name for raters.
pub(super) fn name(run: &RunLog, episode: &EpisodeId, seq: u32) -> String {
    id_of(&run.record().name, run.record().seed, episode, seq)
}

/// The items of a run that are to be labelled.
pub(super) struct Wanted {
    /// The run.
    pub(super) run: RunLog,
    /// Their names, in the order of the draw.
    pub(super) ids: Vec<String>,
    /// Their places in the log.
    pub(super) places: BTreeMap<String, TurnId>,
    /// The fields that are asked of an item, where a question names parts.
    fields: BTreeMap<String, Vec<&'static str>>,
    kind: ItemKind,
    question: Option<&'static JudgeQuestion>,
}

impl Wanted {
    /// Opens the run and draws.
    pub(super) fn open(arguments: &ItemArguments) -> anyhow::Result<Self> {
        let run = runs::open(&arguments.run)?;
        let kind = arguments.kind();
        let question = arguments.what.question();
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
            bail!("{what} in `{}`", shown(&arguments.run));
        }
        let all = places.keys().cloned().collect();
        let most = arguments.sample.and_then(|most| usize::try_from(most).ok());
        let ids = chosen(all, most, Seed(arguments.seed));
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
    pub(super) fn has_field(&self, id: &str, part: &What) -> bool {
        let fields = self.fields.get(id);
        fields.is_none_or(|fields| fields.contains(&part.key()))
    }

    /// The items of these names with them, in the order of the log.
    pub(super) fn read(&self, ids: &[String]) -> anyhow::Result<Vec<(String, Item)>> {
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
