//! The analysis of one cell with one user.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::dialogue::{self, ByDataset};
use super::{ActionCounts, Histogram, Said, Saved, Tagger};
use crate::domain::{CellName, PublicTask};
use crate::evaluation::{
    CellUsage, EpisodeResult, Estimate, Played, Standing, Summary, measure, wilson,
};
use crate::ports::{EpisodeLog, Metric};

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

/// What was found out about one cell with one user. Figures are over the episodes that count.
#[derive(Clone, Debug)]
pub struct Row {
    /// Whose episodes.
    pub name: RowName,
    /// Episodes in the log.
    pub episodes: usize,
    /// Those that count.
    pub counted: usize,
    /// What was done (Figure 5).
    pub actions: ActionCounts,
    /// Refused actions per episode (Figure 9).
    pub invalid: Histogram,
    /// What was said (Figures 6, 7 and 10).
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
    /// Samples of dialogue tasks, by data set.
    pub dialogues: ByDataset,
    /// What models were asked for, by seat and model; over all episodes, of whatever standing.
    pub usage: Vec<CellUsage>,
    results: Vec<EpisodeResult>,
    games: BTreeMap<String, Arc<PublicTask>>,
}

impl Row {
    /// Compares with the same games played without asking.
    pub fn compare(&mut self, name: &str, base: &[EpisodeResult]) {
        let (base, own) = (Played::new(base), Played::new(&self.results));
        self.saved = Some(Saved::of(name, &base, &own));
    }

    /// Its results, in the order of the log.
    pub fn results(&self) -> &[EpisodeResult] {
        &self.results
    }

    /// Whether both played some game alike: the same task, of which the public part is the same. Cells
    /// may differ in their tasks, and in what is made of them.
    fn shares_games_with(&self, other: &Self) -> bool {
        let mut games = self.games.iter();
        games.any(|(task, data)| other.games.get(task) == Some(data))
    }

    /// Whether nobody was asked anything.
    pub fn is_silent(&self) -> bool {
        self.said.utterances == 0
    }
}

/// Takes episodes and makes rows of them.
pub struct Collector<'a> {
    metrics: &'a [&'static dyn Metric],
    rows: Vec<Collected>,
}

struct Collected {
    name: RowName,
    results: Vec<EpisodeResult>,
    games: BTreeMap<String, Arc<PublicTask>>,
    actions: ActionCounts,
    invalid: Histogram,
    turns: Histogram,
    said: Said,
    dialogues: ByDataset,
}

impl<'a> Collector<'a> {
    /// Measures with these metrics.
    pub fn new(metrics: &'a [&'static dyn Metric]) -> Self {
        Self {
            metrics,
            rows: Vec::new(),
        }
    }

    /// Takes an episode of the run that goes by that name. Rows stand in the order in which their first
    /// episodes come.
    pub fn add(&mut self, run: &str, log: &EpisodeLog<'_>, tagger: &Tagger) {
        let result = measure(log, self.metrics);
        let same = |row: &Collected| {
            let name = &row.name;
            name.run == run && name.cell == log.id.cell && name.user == result.user
        };
        // Episodes of a cell come one after the other.
        let place = self.rows.iter().rposition(same);
        let place = place.unwrap_or_else(|| {
            self.rows.push(Collected {
                name: RowName {
                    run: run.to_owned(),
                    cell: log.id.cell.clone(),
                    user: result.user.clone(),
                },
                results: Vec::new(),
                games: BTreeMap::new(),
                actions: ActionCounts::default(),
                invalid: Histogram::default(),
                turns: Histogram::default(),
                said: Said::default(),
                dialogues: ByDataset::new(),
            });
            self.rows.len() - 1
        });
        let Some(row) = self.rows.get_mut(place) else {
            return;
        };
        if result.standing() == Standing::Counted {
            if let Some(opened) = log
                .opened()
                .filter(|_| !row.games.contains_key(&result.task))
            {
                row.games
                    .insert(result.task.clone(), Arc::clone(&opened.task));
            }
            row.actions.add(log);
            row.invalid.add(result.counts.invalid);
            row.said.add(log, tagger);
            dialogue::add(&mut row.dialogues, log);
            if result.success {
                row.turns.add(result.counts.questions);
            }
        }
        row.results.push(result);
    }

    /// The rows. Each is compared with `base`, results under a name; without one, with the first row of
    /// its run that asked nothing in the same games, if there is one.
    pub fn finish(self, base: Option<(&str, &[EpisodeResult])>) -> Vec<Row> {
        let mut rows: Vec<Row> = self.rows.into_iter().map(Collected::row).collect();
        if let Some((name, base)) = base {
            rows.iter_mut().for_each(|row| row.compare(name, base));
            return rows;
        }
        let silent = |row: &Row| row.is_silent() && row.counted > 0;
        let bases: Vec<Row> = rows.iter().filter(|row| silent(row)).cloned().collect();
        for row in rows.iter_mut().filter(|row| !row.is_silent()) {
            let same = |base: &&Row| base.name.run == row.name.run && row.shares_games_with(base);
            if let Some(base) = bases.iter().find(same) {
                row.compare(base.name.cell.as_str(), &base.results);
            }
        }
        rows
    }
}

impl Collected {
    fn row(self) -> Row {
        let summary = Summary::of(&self.results, std::slice::from_ref(&self.name.cell));
        let estimate = |metric| summary.estimate(&summary.total, metric);
        let solved = usize::try_from(self.turns.episodes()).unwrap_or(usize::MAX);
        let success = match estimate("success") {
            // It knows of tasks that were played several times.
            found @ Estimate::Rate { .. } => found,
            _ => wilson(solved, summary.total.counted),
        };
        Row {
            episodes: summary.total.episodes,
            counted: summary.total.counted,
            actions: self.actions,
            invalid: self.invalid,
            said: self.said,
            turns: Turns {
                turns: self.turns,
                success,
            },
            questions: estimate("questions"),
            first_question: estimate("first_question"),
            repeated: estimate("repeated_questions"),
            idle: estimate("idle_questions"),
            followed: estimate("advice_followed"),
            saved: None,
            dialogues: self.dialogues,
            usage: summary.models.calls,
            name: self.name,
            results: self.results,
            games: self.games,
        }
    }
}
