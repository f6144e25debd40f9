//! Steps that questions save.

use super::super::bootstrap::{self, TaskSum, whole};
use super::super::{CellEpisodes, Estimate, Pairs};
use super::games::{Game, Games};

/// Two episodes of one task.
type Pair<'a> = super::super::Pair<'a, Game>;

/// Steps saved per question, against the same games played without asking.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved {
    /// The name of the cell that it is compared with.
    pub base: String,
    /// Pairs of episodes: the same task, played for the same time by both, both of which count.
    pub pairs: usize,
    /// Questions in these pairs: what was asked here less what the base asked.
    pub questions: i64,
    /// Steps of the base less steps here, over these pairs.
    pub steps: i64,
    /// Steps saved per question: the ratio of the two, with a bootstrap interval over tasks. Empty where
    /// nothing was asked.
    pub per_question: Estimate,
    /// Steps saved per question over the pairs that both solved, so that no limit of steps cuts either.
    pub both_solved: Estimate,
    /// Pairs that both solved.
    pub pairs_solved: usize,
}

impl Saved {
    /// Compares the episodes of a cell with those of one that does not ask.
    pub fn of(name: &str, base: &Games, asking: &Games) -> Self {
        let [base, asking] = [base, asking].map(|games| CellEpisodes::new(games.played()));
        let pairs = Pairs::of(&base, &asking);
        let all = |_: &Pair<'_>| true;
        let solved = |pair: &Pair<'_>| pair.first.success && pair.second.success;
        let (mut questions, mut steps) = (0, 0);
        for pair in &pairs.pairs {
            let (saved, asked) = difference(pair.first, pair.second);
            steps += saved;
            questions += asked;
        }
        Self {
            base: name.to_owned(),
            pairs: pairs.pairs.len(),
            questions,
            steps,
            per_question: ratio(&pairs, all),
            both_solved: ratio(&pairs, solved),
            pairs_solved: pairs.pairs.iter().filter(|pair| solved(pair)).count(),
        }
    }
}

/// Steps that were saved, and questions that were asked more.
fn difference(base: &Game, asking: &Game) -> (i64, i64) {
    let less = |one: u32, other: u32| i64::from(one) - i64::from(other);
    let questions = less(asking.questions, base.questions);
    (less(base.steps, asking.steps), questions)
}

/// The ratio of sums over the pairs that are wanted and in which more was asked. A pair without a question
/// says nothing of what one saves.
fn ratio(pairs: &Pairs<'_, Game>, wanted: impl Fn(&Pair<'_>) -> bool) -> Estimate {
    let (mut parts, mut n) = (Vec::new(), 0);
    for task in pairs.tasks() {
        let mut part = TaskSum::default();
        for pair in task.iter().filter(|pair| wanted(pair)) {
            let (saved, asked) = difference(pair.first, pair.second);
            if asked > 0 {
                part.sum += saved as f64;
                part.n += asked as f64;
                n += 1;
            }
        }
        parts.push(part);
    }
    let all = whole(&parts);
    if n == 0 {
        return Estimate::Empty;
    }
    Estimate::Mean { n, mean: all.sum / all.n, interval: bootstrap::interval(&parts) }
}
