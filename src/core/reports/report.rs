//! Everything that a report says, gathered once: the Markdown and the page only write it down.

use std::collections::BTreeMap;
use std::path::Path;

use super::picks::{self, Picks, Timed};
use super::{Table, setup};
use crate::domain::{CellName, EpisodeId, Scene};
use crate::evaluation::simulator::UserFigures;
use crate::evaluation::{Comparison, EpisodeResult, Group, Standing, Summary, in_order};
use crate::log::{LogError, Parent, RecordedEpisode, RunLog, WorkerRecord};
use crate::text::{joined, unique};

/// The metric by which cells are compared beside success or the measures of their tasks.
pub(super) const STEPS: &str = "steps";

/// The user of a row, and what is known of it.
pub type ReportedUser = ((CellName, Option<String>), UserFigures);

/// A run as reports show it. A function of the log, apart from its slowest episodes and what it took
/// to get the answers of models.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// The run's name: that of its folder.
    pub name: String,
    /// Facts of the run's record, as name and value.
    pub facts: Vec<(String, String)>,
    /// The day on which it began, in UTC.
    pub began: Option<String>,
    /// The setup: models, seats and personas, data.
    pub setup: Vec<Table>,
    /// Who played it, if it was played on several machines.
    pub workers: Vec<WorkerRecord>,
    /// Remarks about the log that a reader must know.
    pub notes: Vec<String>,
    /// The figures.
    pub summary: Summary,
    /// The users that spoke, by cell and kind; none where nobody read their cards.
    pub users: Vec<ReportedUser>,
    /// The results in canonical order.
    pub results: Vec<&'a EpisodeResult>,
    /// The cells in pairs.
    pub comparisons: Vec<Comparison>,
    /// The episodes that are worth a look.
    pub picks: Picks,
    /// The episodes that took longest by the clock. Not deterministic.
    pub slowest: Vec<Timed>,
    /// The picked episodes with their events, in canonical order.
    pub transcripts: Vec<RecordedEpisode>,
    /// How some of these are shown, where their world stages them.
    pub scenes: BTreeMap<EpisodeId, Scene>,
}

impl<'a> Report<'a> {
    /// Gathers the report of a run from its log, its results, which may be in any order, and their summary.
    pub fn of(run: &RunLog, results: &'a [EpisodeResult], summary: Summary) -> Result<Self, LogError> {
        let cells = &run.record().cells;
        let mut report = Self::without_transcripts(results, cells, summary);
        report.name = name(run);
        report.facts = facts(run);
        report.began = setup::began(run);
        report.setup = setup::tables(run);
        report.notes = notes(run);
        report.workers.clone_from(&run.record().workers);
        let timings = run.timings();
        let currency = run.record().currency.clone();
        report.summary.models.explain(currency, &timings, cells);
        report.slowest = Timed::slowest(timings, &report.results);
        let slowest = report.slowest.iter().map(|timed| timed.place);
        let mut wanted: Vec<usize> = report.picks.places().chain(slowest).collect();
        wanted.sort_unstable();
        wanted.dedup();
        for place in wanted {
            if let Some(result) = report.results.get(place) {
                report.transcripts.push(run.episode(&result.episode)?);
            }
        }
        Ok(report)
    }

    /// Adds the scenes of its episodes, as their worlds stage them.
    #[must_use]
    pub fn staged(mut self, scene: impl Fn(&RecordedEpisode) -> Option<Scene>) -> Self {
        let staged = self.transcripts.iter().filter_map(|episode| Some((episode.id.clone(), scene(episode)?)));
        self.scenes = staged.collect();
        self
    }

    /// The figures alone.
    pub fn without_transcripts(results: &'a [EpisodeResult], cells: &[CellName], summary: Summary) -> Self {
        let ordered = in_order(results, cells);
        let measures = unique(summary.measures.values().flatten().map(String::as_str));
        let metrics: Vec<&str> = measures.into_iter().chain([STEPS]).collect();
        let played = summary.rows.iter().filter_map(|row| row.cell.clone());
        let mut played: Vec<CellName> = played.collect();
        played.dedup();
        Self {
            name: String::new(),
            facts: Vec::new(),
            began: None,
            setup: Vec::new(),
            notes: Vec::new(),
            workers: Vec::new(),
            users: Vec::new(),
            comparisons: Comparison::all(&ordered, &played, &metrics),
            picks: Picks::of(&ordered, &summary),
            results: ordered,
            summary,
            slowest: Vec::new(),
            transcripts: Vec::new(),
            scenes: BTreeMap::new(),
        }
    }

    /// Remarks about the figures, and about the log.
    pub(super) fn remarks(&self) -> impl Iterator<Item = String> {
        super::tables::remarks(&self.summary).chain(self.notes.iter().cloned())
    }

    /// The table of the slowest episodes.
    pub(super) fn slowest(&self, title: &str) -> Table {
        let (places, wall): (Vec<usize>, Vec<f64>) =
            self.slowest.iter().map(|timed| (timed.place, timed.wall_ms)).unzip();
        picks::table(title, &self.results, &places, &wall)
    }

    /// Figures of the user of a row, if it spoke.
    pub(super) fn user(&self, row: &Group) -> Option<&UserFigures> {
        let is_own = |((cell, user), _): &&ReportedUser| row.cell.as_ref() == Some(cell) && row.user == *user;
        self.users.iter().find(is_own).map(|(_, figures)| figures)
    }

    /// The episodes of a row that count.
    pub(super) fn counted(&self, row: &Group) -> impl Iterator<Item = &'a EpisodeResult> {
        self.all(row).filter(|result| result.standing() == Standing::Counted)
    }

    /// The episodes of a row.
    pub(super) fn all(&self, row: &Group) -> impl Iterator<Item = &'a EpisodeResult> {
        let of_row =
            |result: &&&'a EpisodeResult| row.cell.as_ref() == Some(&result.episode.cell) && row.user == result.user;
        self.results.iter().filter(of_row).copied()
    }
}

/// The name of the folder, which stays the same wherever a command is given.
fn name(run: &RunLog) -> String {
    let last = |path: &Path| Some(path.file_name()?.to_string_lossy().into_owned());
    let found = run.folder().canonicalize().ok().as_deref().and_then(last);
    found.unwrap_or_else(|| run.record().name.clone())
}

/// Names and values of the run's record: version, seed, cells, and the size of the log.
pub fn facts(run: &RunLog) -> Vec<(String, String)> {
    let record = run.record();
    let cells = Some(joined(&record.cells)).filter(|cells| !cells.is_empty());
    let branch = |parent: &Parent| format!("run {}, at {}", parent.run, parent.at);
    let facts = [
        ("version", record.version.clone()),
        ("goes on from", record.parent.as_ref().map(branch)),
        ("seed", record.seed.map(|seed| seed.0.to_string())),
        ("cells", cells),
        ("episodes", Some(run.ids().len().to_string())),
        ("events", Some(run.event_count().to_string())),
    ];
    let known = facts.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    known.collect()
}

/// Remarks about the log that a reader must know, such as a last line that was cut off.
pub fn notes(run: &RunLog) -> Vec<String> {
    let torn = run.torn().map(|torn| {
        format!("the last line of the events (line {}, {} bytes) was cut off and is left out", torn.line, torn.bytes)
    });
    let nothing = run.ids().len() == 0;
    let empty = nothing.then(|| "the log holds no episode".to_owned());
    let workers = setup::about_workers(&run.record().workers);
    torn.into_iter().chain(empty).chain(workers).collect()
}
