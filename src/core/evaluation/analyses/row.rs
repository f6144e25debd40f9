//! The analysis of one cell with one user.

use std::any::Any;
use std::sync::Arc;

use super::games::{Figures, Games, Tasks};
use super::read::{EpisodeReader, ReadEpisode};
use super::{ActionCounts, AnalysisPart, Histogram, Said, Saved, Tagger, Tally};
use crate::domain::CellName;
use crate::evaluation::simulator::{SimulatedUser, UserCard, UserFault, UserFigures};
use crate::evaluation::variance::{Levels, Scores, Variance};
use crate::evaluation::{CellUsage, Estimate, ModelUse, wilson};
use crate::ports::{EpisodeLog, Metric};

/// The question to judges about users.
pub(in crate::evaluation) const USER_FAULTS: &str = "user_faults";

/// Whose episodes a row is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowName {
    /// The run, as it was named.
    pub run: String,
    /// The cell.
    pub cell: CellName,
    /// The kind of user, if there is one.
    pub user: Option<String>,
}

/// Conversations in solved episodes (ReSpAct Table 11).
#[derive(Clone, Debug, PartialEq)]
pub struct Turns {
    /// Utterances to the user per solved episode.
    pub turns: Histogram,
    /// The share of episodes that were solved, of those that count.
    pub success: Estimate,
}

/// The analysis of one cell with one user. Figures are over the episodes that count. All that
/// belongs to parts that nobody asked for is empty.
#[derive(Clone, Debug)]
pub struct Row {
    /// Whose episodes.
    pub name: RowName,
    /// Episodes in the log.
    pub episodes: usize,
    /// Episodes that count.
    pub counted: usize,
    /// Types of actions (Figure 5).
    pub actions: ActionCounts,
    /// Refused actions per episode (Figure 9).
    pub invalid: Histogram,
    /// Utterances to the user (Figures 6, 7 and 10).
    pub said: Said,
    /// Conversations of solved episodes (Table 11).
    pub turns: Turns,
    /// Questions per episode.
    pub questions: Estimate,
    /// The step of the first question, of episodes with one.
    pub first_question: Estimate,
    /// Questions per episode that were asked before.
    pub repeated: Estimate,
    /// Questions per episode whose answer changed nothing.
    pub idle: Estimate,
    /// The share of usable advice that the next action follows.
    pub followed: Estimate,
    /// Steps that questions saved; none without something to compare with.
    pub saved: Option<Saved>,
    /// The card of the user; none if it never spoke.
    pub user: Option<UserFigures>,
    /// Of each fault that somebody labelled, whether the rules and the label see it in an episode (0 if so, else 1).
    pub user_labels: Vec<(UserFault, Vec<(usize, usize)>)>,
    /// The collections for parts that worlds bring.
    pub tallies: Vec<Arc<dyn Tally>>,
    /// Calls of models, by seat and model; over all episodes, of whatever standing.
    pub usage: Vec<CellUsage>,
}

impl Row {
    /// Whether nobody was asked anything.
    pub fn is_silent(&self) -> bool {
        self.said.utterances == 0
    }

    /// The collection for the part whose type this is; none if it is not shown.
    pub fn tally<T: Tally>(&self) -> Option<&T> {
        self.tallies.iter().map(|tally| &**tally as &dyn Any).find_map(<dyn Any>::downcast_ref)
    }
}

/// Takes episodes, those of a cell in the order of their numbers, and makes rows of them. Of each episode
/// some numbers are kept at most, and none that belong to parts that nobody asked for.
pub struct Collector {
    reader: EpisodeReader,
    rows: Vec<(RowName, Collected)>,
}

#[derive(Default)]
struct Collected {
    episodes: usize,
    counted: usize,
    games: Games,
    figures: Figures,
    tasks: Tasks,
    actions: ActionCounts,
    invalid: Histogram,
    turns: Histogram,
    said: Said,
    user: SimulatedUser,
    user_labels: Vec<(UserFault, Vec<(usize, usize)>)>,
    tallies: Vec<Box<dyn Tally>>,
    usage: ModelUse,
}

impl Collector {
    /// Collects what the given parts need, measured with these metrics.
    pub fn of(parts: &[AnalysisPart], metrics: &[&'static dyn Metric]) -> Self {
        Self { reader: EpisodeReader::of(parts, metrics), rows: Vec::new() }
    }

    /// Who reads episodes for it.
    pub fn reader(&self) -> EpisodeReader {
        self.reader.clone()
    }

    /// The row that an episode belongs to. Episodes of a cell come one after the other.
    fn row_of(&mut self, run: &str, log: &EpisodeLog<'_>) -> usize {
        let user = log.opened().and_then(|opened| opened.user.as_ref());
        let same = |(name, _): &(RowName, Collected)| {
            name.run == run && name.cell == log.id.cell && name.user.as_ref() == user
        };
        if let Some(place) = self.rows.iter().rposition(same) {
            return place;
        }
        let name = RowName { run: run.to_owned(), cell: log.id.cell.clone(), user: user.cloned() };
        self.rows.push((name, Collected::new(&self.reader.parts)));
        self.rows.len() - 1
    }

    /// Takes an episode of the run that goes by that name. Rows stand in the order in which their first
    /// episodes come.
    pub fn add(&mut self, run: &str, log: &EpisodeLog<'_>, tagger: &Tagger) {
        let read = self.reader.read(log, tagger);
        self.add_read(run, log, read, tagger);
    }

    /// Takes an episode that its [`reader`](Self::reader) has read.
    pub fn add_read(&mut self, run: &str, log: &EpisodeLog<'_>, read: ReadEpisode, tagger: &Tagger) {
        let index = self.row_of(run, log);
        let is_saved = self.reader.wants(&[AnalysisPart::Saved]);
        let Some((name, row)) = self.rows.get_mut(index) else {
            return;
        };
        row.episodes += 1;
        if let Some(game) = read.game {
            row.games.push(game);
        }
        row.usage.add(&name.cell, &read.usage);
        let Some(counted) = read.counted else {
            return;
        };
        row.counted += 1;
        if let Some(opened) = log.opened().filter(|_| is_saved) {
            row.tasks.add(&opened.task);
        }
        if let Some((actions, invalid)) = counted.actions {
            row.actions.join(&actions);
            row.invalid.add(invalid);
        }
        row.said.join(&counted.said);
        row.tallies.iter_mut().for_each(|tally| tally.add(log, tagger));
        if let Some(card) = read.card {
            row.add_card(log, card, tagger);
        }
        if let Some(turns) = counted.turns {
            row.turns.add(turns);
        }
        row.figures.add(&counted.figures);
    }

    /// The rows. Each is compared with `base`, episodes under a name; without one, with the first row of
    /// its run that asked nothing in the same games, if there is one.
    pub fn finish(self, base: Option<(&str, &Games)>) -> Vec<Row> {
        let saved: Vec<Option<Saved>> = match self.reader.wants(&[AnalysisPart::Saved]) {
            true => self.rows.iter().map(|(name, row)| self.saved(name, row, base)).collect(),
            false => Vec::new(),
        };
        let mut saved = saved.into_iter();
        self.rows
            .into_iter()
            .map(|(name, row)| Row { saved: saved.next().flatten(), ..row.row(name, &self.reader.metrics) })
            .collect()
    }

    /// Where the variance of success comes from, over all rows; each has the levels that this gives.
    pub fn variance(&self, levels: impl Fn(&RowName) -> Levels) -> Variance {
        let rows =
            self.rows.iter().map(|(name, row)| Scores { levels: levels(name), scores: row.games.scores().collect() });
        Variance::of(&rows.collect::<Vec<_>>())
    }

    fn saved(&self, name: &RowName, row: &Collected, base: Option<(&str, &Games)>) -> Option<Saved> {
        if let Some((name, base)) = base {
            return Some(Saved::of(name, base, &row.games));
        }
        if row.is_silent() {
            return None;
        }
        let (base_name, base) = self.rows.iter().find(|(base_name, base)| {
            let silent = base.is_silent() && base.counted > 0;
            silent && base_name.run == name.run && row.tasks.share_one_with(&base.tasks)
        })?;
        Some(Saved::of(base_name.cell.as_str(), &base.games, &row.games))
    }
}

impl Collected {
    fn new(parts: &[AnalysisPart]) -> Self {
        let tally = |part: &AnalysisPart| match part {
            AnalysisPart::Own(part) => Some((part.tally)()),
            _ => None,
        };
        Self { tallies: parts.iter().filter_map(tally).collect(), ..Self::default() }
    }

    fn is_silent(&self) -> bool {
        self.said.utterances == 0
    }

    /// Adds the card of an episode, with what somebody said of its user (`user_faults`).
    fn add_card(&mut self, log: &EpisodeLog<'_>, card: UserCard, tagger: &Tagger) {
        let task = log.opened().map_or("", |opened| &opened.task.id);
        let solved = log.outcome().is_some_and(|outcome| outcome.success);
        self.user.add(task, solved, card);
        for fault in UserFault::ALL {
            let Some(label) = tagger.answer(USER_FAULTS, fault.key(), log.id, 0) else {
                continue;
            };
            let pair = (usize::from(card.count(fault) == 0), label);
            match self.user_labels.iter_mut().find(|(known, _)| *known == fault) {
                Some((_, pairs)) => pairs.push(pair),
                None => self.user_labels.push((fault, vec![pair])),
            }
        }
    }

    /// The row, without what questions saved.
    fn row(self, name: RowName, metrics: &[&'static dyn Metric]) -> Row {
        let estimate = |metric: &str| {
            let place = metrics.iter().position(|known| known.name() == metric);
            place.map_or(Estimate::Empty, |place| self.figures.estimate(place, self.games.played()))
        };
        let solved = usize::try_from(self.turns.episodes()).unwrap_or(usize::MAX);
        let success = match estimate("success") {
            // It knows of tasks that were played several times.
            found @ Estimate::Rate { .. } => found,
            _ => wilson(solved, self.counted),
        };
        Row {
            questions: estimate("questions"),
            first_question: estimate("first_question"),
            repeated: estimate("repeated_questions"),
            idle: estimate("idle_questions"),
            followed: estimate("advice_followed"),
            episodes: self.episodes,
            counted: self.counted,
            actions: self.actions,
            invalid: self.invalid,
            said: self.said,
            turns: Turns { turns: self.turns, success },
            saved: None,
            user: self.user.figures(),
            user_labels: self.user_labels,
            tallies: self.tallies.into_iter().map(Arc::from).collect(),
            usage: self.usage.calls,
            name,
        }
    }
}
