//! The cards of many episodes, summed up.

use rustc_hash::FxHashMap;

use super::{UserCard, UserFault};
use crate::evaluation::bootstrap::{Figure, figure};
use crate::evaluation::{Estimate, estimate_of};
use crate::ports::Measurement;

/// The number of kinds of faults.
const KINDS: usize = UserFault::ALL.len();

/// The episodes of a row that count, each with its card.
#[derive(Clone, Debug, Default)]
pub struct SimulatedUser {
    tasks: FxHashMap<Box<str>, usize>,
    /// The number of the task, whether it was solved, and the card.
    episodes: Vec<(usize, bool, UserCard)>,
}

/// Figures of the user of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct UserFigures {
    /// Episodes in which it spoke.
    pub episodes: usize,
    /// Its replies.
    pub replies: u64,
    /// Words per reply.
    pub words: Estimate,
    /// By fault, in the order of [`UserFault::ALL`]: the share of episodes that it left early, of answers to questions
    /// for facts that answer something else, and of replies with any other fault. Empty where nobody can know.
    pub faults: [Estimate; KINDS],
    /// The share of episodes that the user spoiled, of those that count.
    pub faulty: Estimate,
    /// The share that was solved of all episodes that count.
    pub success: Estimate,
    /// Success without the spoiled episodes.
    pub kept: Estimate,
    /// The second less the first, with a bootstrap interval over tasks; none without episodes that are kept.
    pub difference: Option<Figure>,
    /// How the agent asked; none where the world knows no facts.
    pub asking: Option<Asking>,
}

/// How well questions hit what is missing: Ask-F1 (HiL-Bench, arXiv 2604.09408).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Asking {
    /// The share of questions that ask for a fact which the user holds and has not said.
    pub precision: Estimate,
    /// The share of the facts that users hold that were asked for.
    pub recall: Estimate,
    /// The harmonic mean of the two, with a bootstrap interval over tasks.
    pub f1: Option<Figure>,
}

/// Sums over the episodes of a task.
#[derive(Clone, Copy, Debug, Default)]
struct TaskCounts {
    episodes: f64,
    solved: f64,
    kept: f64,
    kept_solved: f64,
    questions: f64,
    hits: f64,
    held: f64,
    asked_for: f64,
}

impl SimulatedUser {
    /// Adds an episode that counts.
    pub fn add(&mut self, task: &str, success: bool, card: UserCard) {
        let next = self.tasks.len();
        let task = *self.tasks.entry(task.into()).or_insert(next);
        self.episodes.push((task, success, card));
    }

    /// The figures; none if the user never spoke.
    pub fn figures(&self) -> Option<UserFigures> {
        let spoken = |(_, _, card): &&(usize, bool, UserCard)| card.replies > 0;
        let spoken = self.episodes.iter().filter(spoken);
        let replies = |(_, _, card): &(usize, bool, UserCard)| u64::from(card.replies);
        let replies = spoken.clone().map(replies).sum();
        if replies == 0 {
            return None;
        }
        let words = |card: &UserCard, _| Measurement::Sum { sum: f64::from(card.words), n: card.replies.into() };
        let rate = |success: bool| Measurement::Rate(success);
        let counts = self.counts();
        Some(UserFigures {
            episodes: spoken.count(),
            replies,
            words: self.estimate(words),
            faults: UserFault::ALL.map(|fault| self.estimate(|card, _| of_fault(fault, card))),
            faulty: self.estimate(|card, _| rate(card.is_faulty())),
            success: self.estimate(|_, success| rate(success)),
            kept: self.estimate(|card, success| match card.is_faulty() {
                true => Measurement::Absent,
                false => rate(success),
            }),
            difference: figure(&counts, |all| {
                let all = sum(all);
                (all.kept > 0.0).then(|| all.kept_solved / all.kept - all.solved / all.episodes)
            }),
            asking: self.asking(&counts),
        })
    }

    fn asking(&self, counts: &[TaskCounts]) -> Option<Asking> {
        self.episodes.iter().map(|(_, _, card)| card).any(|card| card.has_facts).then(|| Asking {
            precision: self.estimate(|card, _| share(card.has_facts, card.hits, card.questions)),
            recall: self.estimate(|card, _| share(card.has_facts, card.asked_for, card.held)),
            f1: figure(counts, |all| {
                let all = sum(all);
                let (precision, recall) = (all.hits / all.questions, all.asked_for / all.held);
                let both = precision + recall;
                // Without a question nothing is known of precision.
                both.is_finite().then(|| 2.0 * precision * recall / both.max(f64::MIN_POSITIVE))
            }),
        })
    }

    /// The estimate of a measurement of each episode, by its card and whether it was solved.
    fn estimate(&self, of: impl Fn(&UserCard, bool) -> Measurement) -> Estimate {
        let measured = self.episodes.iter().map(|(task, success, card)| (*task, of(card, *success).sound()));
        estimate_of(self.tasks.len(), measured, true)
    }

    /// The sums of each task.
    fn counts(&self) -> Vec<TaskCounts> {
        let mut all = vec![TaskCounts::default(); self.tasks.len()];
        for (task, success, card) in &self.episodes {
            if let Some(sum) = all.get_mut(*task) {
                sum.join(&TaskCounts::of(*success, card));
            }
        }
        all
    }
}

impl TaskCounts {
    fn of(success: bool, card: &UserCard) -> Self {
        let one = |is_so: bool| f64::from(u8::from(is_so));
        let kept = !card.is_faulty();
        let asked = |count: u32| {
            if card.has_facts { f64::from(count) } else { 0.0 }
        };
        Self {
            episodes: 1.0,
            solved: one(success),
            kept: one(kept),
            kept_solved: one(kept && success),
            questions: asked(card.questions),
            hits: asked(card.hits),
            held: asked(card.held),
            asked_for: asked(card.asked_for),
        }
    }

    fn join(&mut self, other: &Self) {
        self.episodes += other.episodes;
        self.solved += other.solved;
        self.kept += other.kept;
        self.kept_solved += other.kept_solved;
        self.questions += other.questions;
        self.hits += other.hits;
        self.held += other.held;
        self.asked_for += other.asked_for;
    }
}

fn sum(counts: &[TaskCounts]) -> TaskCounts {
    let mut all = TaskCounts::default();
    counts.iter().for_each(|count| all.join(count));
    all
}

/// Whether, or how often, a fault is in an episode.
fn of_fault(fault: UserFault, card: &UserCard) -> Measurement {
    let (knows, n) = match fault {
        UserFault::LeftEarly if card.replies > 0 => {
            return Measurement::Rate(card.count(fault) > 0);
        }
        UserFault::LeftEarly => return Measurement::Absent,
        UserFault::Leaked => (card.has_secrets, card.replies),
        UserFault::Beside => (card.has_facts, card.answers),
        UserFault::Unasked => (card.has_facts, card.replies),
        UserFault::Contradicted | UserFault::ActedAsAgent | UserFault::Overhelped | UserFault::Repeated => {
            (true, card.replies)
        }
    };
    share(knows, card.count(fault), n)
}

fn share(knows: bool, hits: u32, n: u32) -> Measurement {
    match knows {
        true => Measurement::Share { hits: hits.into(), n: n.into() },
        false => Measurement::Absent,
    }
}
