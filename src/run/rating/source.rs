//! The items of a run.

use std::collections::{BTreeMap, BTreeSet};

use super::RatingError;
use super::pairs::{Candidate, pairs, swapped};
use crate::registry::Registry;
use rolecall_core::domain::{CellName, EpisodeId, Seed};
use rolecall_core::evaluation::labels::{
    Against, Item, ItemKind, JudgeQuestion, LabelLine, What, chosen, id_of, items_of,
};
use rolecall_core::log::RunLog;
use rolecall_core::ports::EpisodeLog;
use rolecall_core::text::visible;

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
    registry: &Registry,
) -> Result<BTreeMap<String, TurnId>, RatingError> {
    places_with(run, kind, question, registry, |_, _, _| {})
}

/// As [`places`], with a look at the name of each item, at the item and at the name of its task.
fn places_with(
    run: &RunLog,
    kind: ItemKind,
    question: Option<&JudgeQuestion>,
    registry: &Registry,
    mut look: impl FnMut(&str, &Item, &str),
) -> Result<BTreeMap<String, TurnId>, RatingError> {
    let mut places = BTreeMap::new();
    for episode in run.episodes()? {
        let episode = episode?;
        let (log, known) = (episode.log(), |log: &EpisodeLog<'_>| registry.response(log));
        let task = log.opened().map_or("", |opened| &opened.task.id);
        for item in items_of(question, &log, kind, known) {
            let id = item_name(run, &episode.id, item.seq);
            look(&id, &item, task);
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
pub struct ItemChoice {
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
    /// Their names, in the order of the draw; those of pairs, where two are compared.
    pub ids: Vec<String>,
    /// The places of all items in the log.
    pub places: BTreeMap<String, TurnId>,
    /// The names of the items of each pair, in the order of the run's cells.
    pairs: BTreeMap<String, [String; 2]>,
    seed: Seed,
    /// The fields that are asked of an item, where a question names parts.
    fields: BTreeMap<String, Vec<&'static str>>,
    kind: ItemKind,
    question: Option<&'static JudgeQuestion>,
    registry: Registry,
}

/// The subject of one question to a rater: an item, or two of them.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Where the item is.
    pub turn: TurnId,
    /// The item; of a pair the one that is shown as A.
    pub item: Item,
    /// The one that is shown as B.
    pub against: Option<(TurnId, Item)>,
}

impl Asked {
    /// Swaps the sides of a pair.
    #[must_use]
    pub fn swapped(self) -> Self {
        match self.against {
            Some((turn, item)) => Self { turn, item, against: Some((self.turn, self.item)) },
            None => self,
        }
    }

    /// The line of a label; of a pair it says which item was on which side.
    pub fn line(&self, id: &str, label: String) -> LabelLine {
        let (episode, seq) = self.turn.clone();
        let mut line = LabelLine::new(id.to_owned(), episode, seq, label);
        line.against = self.against.as_ref().map(|((episode, seq), _)| Against { episode: episode.clone(), seq: *seq });
        line
    }
}

impl Wanted {
    /// Draws the items of a run.
    ///
    /// # Errors
    /// When the run cannot be read, or has no such items.
    pub fn of(run: RunLog, choice: &ItemChoice, registry: &Registry) -> Result<Self, RatingError> {
        let kind = choice.kind;
        let question = choice.what.question();
        let (mut fields, mut tasks) = (BTreeMap::new(), BTreeMap::new());
        let mut places = places_with(&run, kind, question, registry, |id, item, task| {
            fields.extend(item.fields.clone().map(|fields| (id.to_owned(), fields)));
            tasks.insert(id.to_owned(), task.to_owned());
        })?;
        if places.is_empty() {
            let what = match kind {
                _ if question.is_some_and(|asked| asked.about.is_some() || asked.parts.is_some()) => {
                    "there is no episode that the question is about"
                }
                ItemKind::Responses => "no response on a dialogue task was given",
                _ => "nothing was said to a user",
            };
            let folder = run.folder().display().to_string();
            return Err(RatingError::Unusable(format!("{what} in `{}`", visible(&folder))));
        }
        let paired = match choice.what {
            What::Pair { .. } => paired(&run, choice, &places, tasks)?,
            _ => BTreeMap::new(),
        };
        let all = match paired.is_empty() {
            true => places.keys().cloned().collect(),
            false => paired.keys().cloned().collect(),
        };
        let most = choice.sample.and_then(|most| usize::try_from(most).ok());
        let ids = chosen(all, most, choice.seed);
        if most.is_some() && paired.is_empty() {
            let drawn: BTreeSet<&str> = ids.iter().map(String::as_str).collect();
            places.retain(|id, _| drawn.contains(id.as_str()));
        }
        let (seed, registry) = (choice.seed, registry.clone());
        Ok(Self { run, ids, places, pairs: paired, seed, fields, kind, question, registry })
    }

    /// Where an item is; of a pair the one of the earlier cell.
    pub fn turn(&self, id: &str) -> Option<&TurnId> {
        self.places.get(self.pairs.get(id).map_or(id, |[first, _]| first))
    }

    /// The pairs whose sides are swapped for a rater: half of those of any two cells, by the seed.
    pub fn swapped(&self, rater: &str) -> BTreeSet<String> {
        let turns = self.ids.iter().filter_map(|id| {
            let [first, second] = self.pairs.get(id)?;
            Some((id.clone(), [self.places.get(first)?, self.places.get(second)?].map(Clone::clone)))
        });
        swapped(&turns.collect(), rater, self.seed)
    }

    /// Reads the items and pairs of these names, the items of pairs in the order of cells. Single items come in the
    /// order of the log.
    ///
    /// # Errors
    /// When the run cannot be read.
    pub fn asked(&self, ids: &[String]) -> Result<Vec<(String, Asked)>, RatingError> {
        let items = match self.pairs.is_empty() {
            true => ids.to_vec(),
            false => ids.iter().filter_map(|id| self.pairs.get(id)).flatten().cloned().collect(),
        };
        let read = self.read(&items)?.into_iter().filter_map(|(id, item)| {
            let turn = self.places.get(&id)?.clone();
            Some((id, (turn, item)))
        });
        let asked = |first: (TurnId, Item), against| Asked { turn: first.0, item: first.1, against };
        if self.pairs.is_empty() {
            return Ok(read.map(|(id, item)| (id, asked(item, None))).collect());
        }
        let read: BTreeMap<String, (TurnId, Item)> = read.collect();
        let pairs = ids.iter().filter_map(|id| {
            let [first, second] = self.pairs.get(id)?;
            let [first, second] = [read.get(first)?.clone(), read.get(second)?.clone()];
            Some((id.clone(), asked(first, Some(second))))
        });
        Ok(pairs.collect())
    }

    /// Whether a part of what is asked is asked of an item.
    pub fn has_field(&self, id: &str, part: &What) -> bool {
        self.fields.get(id).is_none_or(|fields| fields.contains(&part.key()))
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
        for episode in self.run.episodes_of(by_episode.keys().copied())? {
            let episode = episode?;
            let wanted = by_episode.get(&episode.id);
            let known = |log: &EpisodeLog<'_>| self.registry.response(log);
            for item in items_of(self.question, &episode.log(), self.kind, known) {
                if let Some((_, id)) = wanted.into_iter().flatten().find(|(seq, _)| *seq == item.seq) {
                    found.push(((*id).clone(), item));
                }
            }
        }
        Ok(found)
    }
}

/// The pairs of a run's items.
fn paired(
    run: &RunLog,
    choice: &ItemChoice,
    places: &BTreeMap<String, TurnId>,
    mut tasks: BTreeMap<String, String>,
) -> Result<BTreeMap<String, [String; 2]>, RatingError> {
    if choice.kind == ItemKind::Utterances {
        let problem = "two utterances of different episodes cannot be compared: say `--items dialogues` or `responses`";
        return Err(RatingError::Unusable(problem.to_owned()));
    }
    let candidates = places.iter().map(|(id, turn)| Candidate {
        task: tasks.remove(id).unwrap_or_default(),
        id: id.clone(),
        turn: turn.clone(),
    });
    let candidates: Vec<Candidate> = candidates.collect();
    let cells: BTreeSet<&CellName> = candidates.iter().map(|item| &item.turn.0.cell).collect();
    let mut cells: Vec<CellName> = cells.into_iter().cloned().collect();
    cells.sort_by_key(|cell| run.record().position(cell));
    let found = pairs(&candidates, &cells, choice.seed);
    if found.is_empty() {
        let folder = run.folder().display().to_string();
        return Err(RatingError::Unusable(format!("no task was played by two cells in `{}`", visible(&folder))));
    }
    Ok(found)
}
