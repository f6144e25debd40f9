//! The items of a run.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::bail;

use super::arguments::ItemArguments;
use crate::cli::output::shown;
use crate::cli::runs;
use crate::domain::{EpisodeId, Seed};
use crate::evaluation::labels::{Item, ItemKind, chosen, id_of, items};
use crate::log::RunLog;
use crate::registry::Registry;

/// The place of an item in the log.
pub(super) type TurnId = (EpisodeId, u32);

/// The names of all items of a run and where they are. Of episodes that broke, what was said before counts
/// as well.
pub(super) fn places(run: &RunLog, kind: ItemKind) -> anyhow::Result<BTreeMap<String, TurnId>> {
    let mut places = BTreeMap::new();
    let registry = Registry::standard();
    for episode in run.episodes()? {
        let episode = episode?;
        for item in items(&episode.log(), kind, |log| registry.response(log)) {
            let id = name(run, &episode.id, item.seq);
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
    kind: ItemKind,
}

impl Wanted {
    /// Opens the run and draws.
    pub(super) fn open(arguments: &ItemArguments) -> anyhow::Result<Self> {
        let run = runs::open(&arguments.run)?;
        let kind = arguments.kind();
        let mut places = places(&run, kind)?;
        if places.is_empty() {
            let what = match kind {
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
            kind,
        })
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
            for item in items(&episode.log(), self.kind, |log| registry.response(log)) {
                let mut own = wanted.into_iter().flatten();
                if let Some((_, id)) = own.find(|(seq, _)| *seq == item.seq) {
                    found.push(((*id).clone(), item));
                }
            }
        }
        Ok(found)
    }
}
