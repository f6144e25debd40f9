//! When a question is worth it: episodes that were left at several points of time, each time with the most helpful
//! fact handed over, with the agent free to ask, and with questions forbidden.

use std::collections::{BTreeMap, BTreeSet};

use super::{CellEpisodes, Comparison, EpisodeResult, Estimate, MeanDifference, Pairs, estimate, wilson};
use crate::domain::{EpisodeId, Event, Message};
use crate::ports::Measurement;
use crate::ports::held::FactKind;

/// The metric of what an episode came to, less the price of its questions and moves.
pub const UTILITY: &str = "utility";
/// The other metrics that are compared.
const COMPARED: [&str; 4] = ["steps", "questions", "cost", UTILITY];

/// Price of a question and of a move, in solved episodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// A question, also one whose answer was handed over.
    pub question: f64,
    /// A move.
    pub step: f64,
}

/// Episodes that were left after a share of their moves, as they went on.
#[derive(Clone, Debug, Default)]
pub struct Forked {
    /// The share, in percent.
    pub percent: u32,
    /// With the fact handed over that helps most.
    pub given: Vec<EpisodeResult>,
    /// With an agent that may ask.
    pub free: Vec<EpisodeResult>,
    /// With an agent that may not.
    pub silent: Vec<EpisodeResult>,
    /// The kinds of the facts that were handed over; without one, there was none that helps.
    pub handed: BTreeMap<EpisodeId, FactKind>,
}

/// The figures of the episodes that went on in one way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arm {
    /// The share of solved ones.
    pub success: Estimate,
    /// Moves.
    pub steps: Estimate,
    /// Cost of models; empty without prices.
    pub cost: Estimate,
    /// Success less the price of questions and moves.
    pub utility: Estimate,
}

/// One point of time.
#[derive(Clone, Debug, PartialEq)]
pub struct TimingPoint {
    /// The share of the moves before it, in percent.
    pub percent: u32,
    /// Episodes in which there was a fact to be handed over.
    pub facts: usize,
    /// With it.
    pub given: Arm,
    /// With an agent that may ask.
    pub free: Arm,
    /// With an agent that may not.
    pub silent: Arm,
    /// The fact against no question from there on, in pairs of episodes with a fact: what knowing is worth at that
    /// time.
    pub worth: Option<Comparison>,
    /// Worth by kind of the fact.
    pub kinds: Vec<(FactKind, Comparison)>,
}

/// The time at which a fact was worth most.
#[derive(Clone, Debug, PartialEq)]
pub struct BestTime {
    /// The share of the moves before it, in percent; none: never.
    pub percent: Option<u32>,
    /// The utility then.
    pub utility: Estimate,
    /// It less that of the agent's own questions, in pairs. The best of several times is chosen by the same episodes:
    /// for a single time it is too high.
    pub regret: Option<MeanDifference>,
}

/// Worth of asking in one cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// The cell.
    pub cell: String,
    /// The episodes as they were played.
    pub played: Arm,
    /// The points of time in order.
    pub points: Vec<TimingPoint>,
    /// The best time; none without points.
    pub best: Option<BestTime>,
    /// Episodes in which the agent asked.
    pub asked: Estimate,
    /// Of these, those that are solved in no more moves without its questions: it asked too much.
    pub over: Estimate,
    /// Of those that were not solved, those that a fact would have solved at some time: it asked too little.
    pub under: Estimate,
    /// The times of the agent's own questions, as shares of its moves, in order.
    pub questions: Vec<f64>,
}

/// The times of an episode's questions: the share of its moves before each, 0 to 1.
pub fn question_times(events: &[Event]) -> Vec<f64> {
    let moved = |event: &&Event| matches!(event.message, Message::Moved(_));
    let all = events.iter().filter(moved).count().max(1) as f64;
    let questions = events.iter().filter(|event| event.message.is_question());
    // The move that asks comes right before the question.
    let before = questions.map(|asked| {
        let moves = events.iter().take(asked.seq as usize).filter(moved).count();
        moves.saturating_sub(1) as f64 / all
    });
    before.collect()
}

impl Timing {
    /// The figures of a cell: its episodes as they were played, and as they went on from points of time.
    pub fn of(cell: &str, played: &[EpisodeResult], forks: &[Forked], price: Price, mut questions: Vec<f64>) -> Self {
        questions.sort_by(f64::total_cmp);
        let played = priced(played, price, &BTreeMap::new());
        let forks: Vec<Forked> = forks.iter().map(|fork| fork.priced(price)).collect();
        Self {
            cell: cell.to_owned(),
            played: Arm::of(&played),
            points: forks.iter().map(TimingPoint::of).collect(),
            best: BestTime::of(&played, &forks),
            asked: share(played.iter().map(|result| result.counts.questions > 0)),
            over: over(&played, &forks),
            under: under(&played, &forks),
            questions,
        }
    }
}

impl Forked {
    fn priced(&self, price: Price) -> Self {
        let none = BTreeMap::new();
        Self {
            percent: self.percent,
            given: priced(&self.given, price, &self.handed),
            free: priced(&self.free, price, &none),
            silent: priced(&self.silent, price, &none),
            handed: self.handed.clone(),
        }
    }
}

/// The episodes with their utility.
fn priced(results: &[EpisodeResult], price: Price, handed: &BTreeMap<EpisodeId, FactKind>) -> Vec<EpisodeResult> {
    results
        .iter()
        .cloned()
        .map(|mut result| {
            let counts = &result.counts;
            let asked = f64::from(counts.questions) + f64::from(u8::from(handed.contains_key(&result.episode)));
            let success = f64::from(u8::from(result.success));
            let utility = success - asked * price.question - f64::from(counts.steps) * price.step;
            result.measures.add(UTILITY, Measurement::Value(utility));
            result
        })
        .collect()
}

impl Arm {
    fn of(results: &[EpisodeResult]) -> Self {
        let results: Vec<&EpisodeResult> = results.iter().collect();
        let of = |metric| estimate(&results, metric);
        Self { success: of("success"), steps: of("steps"), cost: of("cost"), utility: of(UTILITY) }
    }
}

impl TimingPoint {
    fn of(fork: &Forked) -> Self {
        let kinds: BTreeSet<FactKind> = fork.handed.values().copied().collect();
        let worth = |wanted: &dyn Fn(FactKind) -> bool| {
            let is_wanted = |result: &&EpisodeResult| {
                let kind = fork.handed.get(&result.episode);
                kind.is_some_and(|kind| wanted(*kind))
            };
            let [silent, given] =
                [&fork.silent, &fork.given].map(|arm| arm.iter().filter(is_wanted).collect::<Vec<_>>());
            compared(silent, given)
        };
        Self {
            percent: fork.percent,
            facts: fork.handed.len(),
            given: Arm::of(&fork.given),
            free: Arm::of(&fork.free),
            silent: Arm::of(&fork.silent),
            worth: worth(&|_| true),
            kinds: kinds.into_iter().filter_map(|kind| Some((kind, worth(&|sought| sought == kind)?))).collect(),
        }
    }
}

/// The second less the first.
fn compared<'a>(
    first: impl IntoIterator<Item = &'a EpisodeResult>,
    second: impl IntoIterator<Item = &'a EpisodeResult>,
) -> Option<Comparison> {
    let (first, second) = (CellEpisodes::new(first), CellEpisodes::new(second));
    let pairs = Pairs::of(&first, &second);
    Comparison::of("first".to_owned(), "second".to_owned(), &pairs, &COMPARED)
}

impl BestTime {
    fn of(played: &[EpisodeResult], forks: &[Forked]) -> Option<Self> {
        let never = forks.first().map(|fork| (None, &fork.silent));
        let at = forks.iter().map(|fork| (Some(fork.percent), &fork.given));
        let mut best: Option<(f64, Self, &Vec<EpisodeResult>)> = None;
        for (percent, results) in never.into_iter().chain(at) {
            let utility = Arm::of(results).utility;
            let Some(mean) = utility.value() else {
                continue;
            };
            // Of equal ones the first: the least questions, and the earliest.
            if best.as_ref().is_none_or(|(most, ..)| mean > *most) {
                let found = Self { percent, utility, regret: None };
                best = Some((mean, found, results));
            }
        }
        let (_, found, results) = best?;
        let compared = compared(played, results);
        let mut means = compared.into_iter().flat_map(|compared| compared.means);
        Some(Self { regret: means.find(|found| found.metric == UTILITY), ..found })
    }
}

/// Of the episodes in which the agent asked, those that were solved in no more moves where it was not allowed to
/// from the first point of time on.
fn over(played: &[EpisodeResult], forks: &[Forked]) -> Estimate {
    let silent = forks.first().map_or(&[][..], |fork| &fork.silent);
    let of: BTreeMap<_, _> = silent.iter().map(|result| (&result.episode, result)).collect();
    let needless = played.iter().filter(|result| result.counts.questions > 0).filter_map(|result| {
        let silent = of.get(&result.episode)?;
        Some(silent.success && silent.counts.steps <= result.counts.steps)
    });
    share(needless)
}

/// Of the episodes that were not solved, those that a fact would have solved at some time.
fn under(played: &[EpisodeResult], forks: &[Forked]) -> Estimate {
    let solved = forks.iter().flat_map(|fork| &fork.given).filter(|result| result.success);
    let solved: BTreeSet<&EpisodeId> = solved.map(|result| &result.episode).collect();
    let failed = played.iter().filter(|result| !result.success);
    share(failed.map(|result| solved.contains(&result.episode)))
}

fn share(all: impl Iterator<Item = bool>) -> Estimate {
    let all: Vec<bool> = all.collect();
    match all.len() {
        0 => Estimate::Empty,
        n => wilson(all.iter().filter(|yes| **yes).count(), n),
    }
}
