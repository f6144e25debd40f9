//! Whether two cells solve about as much: that a difference was not found says nothing of this.

use super::Fourfold;
use super::distributions::{NORMAL, bisect, normal_below, normal_quantile, student_quantile};

/// The level of each one-sided test, and of the test of a difference.
const LEVEL: f64 = 0.05;

/// Two one-sided tests of the difference of success (Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics
/// 15, 1987, 657-680): it is more than minus the margin, and less than the margin, each at 5 %. They say so just
/// where its interval of 90 % lies within the margin.
///
/// Both tests, and the interval that they make, are Tango's score tests for pairs (Statistics in Medicine 17, 1998,
/// 891-908), with repeats of the effective number of pairs: at a margin, Newcombe's interval errs in more than 5 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Equivalence {
    /// The difference that does not matter any more, as a share.
    pub margin: f64,
    /// The 90 % interval of the difference.
    pub interval: (f64, f64),
    /// The greater p value of the two tests.
    pub p: f64,
    /// The answer.
    pub verdict: Verdict,
}

/// Verdict on a difference and a margin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is within the margin, whether it is 0 or not.
    Equivalent,
    /// It is not 0, and may be beyond the margin.
    Different,
    /// Neither is known.
    Undecided,
}

/// The numbers of pairs, as far as independent ones say as much.
struct Counts {
    /// Pairs that only the second solved.
    gained: f64,
    /// Pairs that only the first solved.
    lost: f64,
    all: f64,
}

impl Equivalence {
    /// For pairs which say as much as `alike` pairs of different tasks, with the p value of their difference; none
    /// without pairs.
    pub(super) fn of(margin: f64, solved: &Fourfold, alike: f64, p: f64) -> Option<Self> {
        let counts = Counts::of(solved, alike)?;
        let below = normal_below(-counts.score(-margin));
        let above = normal_below(counts.score(margin));
        let tested = below.max(above);
        let verdict = match (tested < LEVEL, p < LEVEL) {
            (true, _) => Verdict::Equivalent,
            (false, true) => Verdict::Different,
            (false, false) => Verdict::Undecided,
        };
        Some(Self { margin, interval: counts.interval(), p: tested, verdict })
    }
}

/// Fewer pairs that differ than this make no interval wider: then it is the others that say something.
const FEWEST: u32 = 10;

impl Counts {
    /// The pairs that differ carry the variance: where they are few, they count for Student's quantile, as tasks do
    /// that were played several times. In simulations both tests then err in 5 % at most.
    fn of(solved: &Fourfold, alike: f64) -> Option<Self> {
        let pairs = solved.pairs() as f64;
        let differing = u32::try_from(solved.first + solved.second).unwrap_or(u32::MAX);
        let few = NORMAL / student_quantile(differing.max(FEWEST));
        let weight = (alike / pairs).min(few * few);
        (pairs > 0.0).then_some(Self {
            gained: solved.second as f64 * weight,
            lost: solved.first as f64 * weight,
            all: pairs * weight,
        })
    }

    /// How far the difference lies above another one, in its standard errors if that was true (Tango 1998).
    fn score(&self, difference: f64) -> f64 {
        let Self { gained, lost, all } = self;
        let linear = gained + lost + difference * (gained - lost - 2.0 * all);
        let square = linear * linear + 8.0 * all * lost * difference * (1.0 - difference);
        // The likeliest share of pairs that only the first solves.
        let loss = (linear + square.max(0.0).sqrt()) / (4.0 * all);
        let variance = all * (2.0 * loss + difference * (1.0 - difference));
        let above = gained - lost - all * difference;
        // Nothing varies where all or no pairs must differ.
        let error = variance.max(1e-12).sqrt();
        above / error
    }

    /// The differences that neither test rejects.
    fn interval(&self) -> (f64, f64) {
        let quantile = normal_quantile(1.0 - LEVEL);
        let found = (self.gained - self.lost) / self.all;
        let low = bisect(-1.0, found, |difference| self.score(difference) > quantile).1;
        let high = bisect(found, 1.0, |difference| self.score(difference) > -quantile).0;
        (low, high)
    }
}

impl Verdict {
    /// It in a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Equivalent => "equivalent",
            Self::Different => "different",
            Self::Undecided => "undecided",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tested(margin: f64, first: usize, second: usize, same: usize) -> Equivalence {
        let solved = Fourfold { both: same / 2, first, second, neither: same - same / 2 };
        let pairs = solved.pairs() as f64;
        Equivalence::of(margin, &solved, pairs, solved.mcnemar()).unwrap()
    }

    #[test]
    fn a_difference_is_within_the_margin_beyond_it_or_not_known() {
        let cases = [
            (0.05, 40, 42, 1_918, Verdict::Equivalent),
            // A difference that is there and does not matter.
            (0.05, 20, 60, 1_920, Verdict::Equivalent),
            (0.05, 20, 60, 320, Verdict::Different),
            (0.05, 10, 12, 78, Verdict::Undecided),
            // Nothing differs, and that is not enough of it.
            (0.05, 0, 0, 10, Verdict::Undecided),
        ];
        for (margin, first, second, same, verdict) in cases {
            let found = tested(margin, first, second, same);
            assert_eq!(found.verdict, verdict, "{found:?}");
            let (low, high) = found.interval;
            assert_eq!(found.p < LEVEL, -margin < low && high < margin, "{found:?}");
            let turned = tested(margin, second, first, same);
            assert!((turned.interval.0 + high).abs() < 1e-9 && (turned.p - found.p).abs() < 1e-9);
        }
        assert!(tested(0.05, 20, 60, 320).p > 0.5);
        assert_eq!(Equivalence::of(0.05, &Fourfold::default(), 0.0, 1.0), None);
    }

    #[test]
    fn the_score_is_that_of_the_constrained_likelihood() {
        let counts = Counts { gained: 7.0, lost: 12.0, all: 100.0 };
        // At a difference of 0 it is McNemar's.
        assert!((counts.score(0.0) + 5.0 / 19.0_f64.sqrt()).abs() < 1e-12);
        // Elsewhere, the likeliest share is found by trying all.
        let (difference, mut best) = (0.1, (f64::NEG_INFINITY, 0.0));
        for step in 1..90_000 {
            let loss = f64::from(step) / 200_000.0;
            let rest = 1.0 - 2.0 * loss - difference;
            let likelihood = 7.0 * (loss + difference).ln() + 12.0 * loss.ln() + 81.0 * rest.ln();
            best = if likelihood > best.0 { (likelihood, loss) } else { best };
        }
        let variance = 100.0 * (2.0 * best.1 + difference - difference * difference);
        let expected = (-5.0 - 10.0) / variance.sqrt();
        assert!((counts.score(difference) - expected).abs() < 1e-3);
    }
}
