//! The part of an analysis that is read of each episode by itself, so that several cores can read episodes.

use super::games::{Game, standing};
use super::said::Wanted;
use super::{ActionCounts, AnalysisPart, Said, Tagger};
use crate::evaluation::metrics::turns;
use crate::evaluation::simulator::UserCard;
use crate::evaluation::{SeatUsage, Standing, usage};
use crate::ports::{EpisodeLog, Measurement, Metric};

/// The metrics whose figures are shown, and the parts that show them.
const MEASURED: [(&str, AnalysisPart); 6] = [
    ("success", AnalysisPart::Turns),
    ("questions", AnalysisPart::Questions),
    ("first_question", AnalysisPart::Questions),
    ("repeated_questions", AnalysisPart::Questions),
    ("idle_questions", AnalysisPart::Questions),
    ("advice_followed", AnalysisPart::Questions),
];

/// Findings of an episode for a [`Collector`](super::Collector).
#[derive(Debug)]
pub struct ReadEpisode {
    pub(super) game: Option<Game>,
    pub(super) usage: Vec<SeatUsage>,
    /// None if the episode does not count.
    pub(super) counted: Option<ReadCounted>,
    /// The card of its user, where there is one and it is wanted.
    pub(super) card: Option<UserCard>,
}

impl ReadEpisode {
    /// Adds the card of its user, which takes what its world knows.
    #[must_use]
    pub fn with_card(self, card: Option<UserCard>) -> Self {
        Self { card, ..self }
    }
}

#[derive(Debug)]
pub(super) struct ReadCounted {
    /// The actions, and how many of them were refused.
    pub(super) actions: Option<(ActionCounts, u32)>,
    pub(super) said: Said,
    /// None if it was not solved.
    pub(super) turns: Option<u32>,
    /// By metric.
    pub(super) figures: Vec<Measurement>,
}

/// Reads episodes for a [`Collector`](super::Collector): nothing that is read depends on other episodes.
#[derive(Clone)]
pub struct EpisodeReader {
    /// Metrics whose figures are wanted.
    pub(super) metrics: Vec<&'static dyn Metric>,
    pub(super) parts: Vec<AnalysisPart>,
}

impl EpisodeReader {
    pub(super) fn of(parts: &[AnalysisPart], metrics: &[&'static dyn Metric]) -> Self {
        let wanted = |metric: &&dyn Metric| {
            MEASURED.iter().filter(|(_, part)| parts.contains(part)).any(|(name, _)| *name == metric.name())
        };
        Self { metrics: metrics.iter().copied().filter(wanted).collect(), parts: parts.to_vec() }
    }

    /// Whether one of the parts is wanted.
    pub fn wants(&self, parts: &[AnalysisPart]) -> bool {
        parts.iter().any(|part| self.parts.contains(part))
    }

    /// Reads an episode.
    pub fn read(&self, log: &EpisodeLog<'_>, tagger: &Tagger) -> ReadEpisode {
        let is_saved = self.wants(&[AnalysisPart::Saved]);
        let has_games = is_saved || self.wants(&[AnalysisPart::Variance]) || !self.metrics.is_empty();
        let pays = self.wants(&[AnalysisPart::Costs]);
        let counts = standing(log) == Standing::Counted;
        ReadEpisode {
            game: has_games.then(|| Game::of(log)),
            usage: match pays {
                true => usage(log.events.iter().copied()),
                false => Vec::new(),
            },
            counted: counts.then(|| self.read_counted(log, tagger)),
            card: None,
        }
    }

    fn read_counted(&self, log: &EpisodeLog<'_>, tagger: &Tagger) -> ReadCounted {
        let wanted =
            Wanted { categories: self.wants(&[AnalysisPart::Categories]), acts: self.wants(&[AnalysisPart::Acts]) };
        let acts = self.wants(&[AnalysisPart::Actions, AnalysisPart::Invalid]);
        let solved = log.outcome().is_some_and(|outcome| outcome.success);
        ReadCounted {
            actions: acts.then(|| (ActionCounts::of_log(log), log.counts().invalid)),
            said: Said::of(log, tagger, wanted),
            turns: solved.then(|| turns(log)),
            figures: self.metrics.iter().map(|metric| metric.measure(log)).collect(),
        }
    }
}
