//! The choice among several candidates: sampled answers, or scored actions.

use crate::domain::{Answer, Move};
use crate::prompts::Script;

/// An answer that could be given.
#[derive(Clone, Debug)]
pub(super) struct Candidate<A = Answer> {
    /// The answer.
    pub(super) answer: A,
    /// Its text, for rules that look at it.
    pub(super) text: String,
    /// The sum of its tokens' log-probabilities and the number of tokens, if they are known.
    pub(super) logprob: Option<(f64, u32)>,
    /// It does or says what was done or said before.
    pub(super) repeats: bool,
}

/// The rule by which a candidate is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// The first.
    First,
    /// The first that does not repeat what was done or said before; if all do, the first.
    New,
    /// The first that does not repeat what was done or said before and is a call where one was asked for; else
    /// the last, and so at the beginning.
    NewOrLast,
    /// The one that comes most often; of several, the one that comes first.
    Majority,
    /// The one with the largest log-probability.
    Likeliest {
        /// Divided by the number of tokens.
        normalise: bool,
    },
    /// The one with the longest text.
    Longest,
}

impl Rule {
    /// Whether moves are taken after others by a rule for new ones: they repeat the last one, or were not `called`
    /// where a call of a tool was asked for.
    pub(super) fn puts_back(self, script: &Script, moves: &[Move], called: bool) -> bool {
        match self {
            Self::New => script.repeats(moves),
            // Before the first move there is nothing that it could be compared with.
            Self::NewOrLast => !called || script.is_first() || script.repeats(moves),
            Self::First | Self::Majority | Self::Likeliest { .. } | Self::Longest => false,
        }
    }
}

/// The place of the candidate that the rule takes; none if there is none.
pub(super) fn pick<A: PartialEq>(rule: Rule, candidates: &[Candidate<A>]) -> Option<usize> {
    let weight = |candidate: &Candidate<A>| match rule {
        Rule::First => 0.0,
        Rule::New | Rule::NewOrLast => f64::from(u8::from(!candidate.repeats)),
        Rule::Majority => candidates.iter().filter(|other| other.answer == candidate.answer).count() as f64,
        Rule::Likeliest { normalise } => likelihood(candidate.logprob, normalise),
        Rule::Longest => candidate.text.chars().count() as f64,
    };
    let mut best: Option<(usize, f64)> = None;
    for (place, candidate) in candidates.iter().enumerate() {
        let weight = weight(candidate);
        let last = rule == Rule::NewOrLast && weight == 0.0;
        if best.is_none_or(|(_, most)| weight > most || (last && most == 0.0)) {
            best = Some((place, weight));
        }
    }
    best.map(|(place, _)| place)
}

/// The log-probability as it is compared; what has none, or no number, comes last.
fn likelihood(logprob: Option<(f64, u32)>, normalise: bool) -> f64 {
    let Some((sum, tokens)) = logprob.filter(|(sum, _)| !sum.is_nan()) else {
        return f64::NEG_INFINITY;
    };
    if normalise { sum / f64::from(tokens.max(1)) } else { sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picked(rule: Rule, rows: &[(&str, f64, u32)]) -> Option<usize> {
        let candidates = rows.iter().map(|(text, sum, tokens)| Candidate {
            answer: *text,
            text: (*text).to_owned(),
            logprob: Some((*sum, *tokens)),
            repeats: *text == "aa",
        });
        pick(rule, &candidates.collect::<Vec<_>>())
    }

    #[test]
    fn rules_pick_as_they_say() {
        let rows = [("aa", -4.0, 1), ("b", -5.0, 5), ("c", -9.0, 1), ("b", -5.0, 5)];
        assert_eq!(picked(Rule::First, &rows), Some(0));
        assert_eq!(picked(Rule::Majority, &rows), Some(1));
        assert_eq!(picked(Rule::Longest, &rows), Some(0));
        let likeliest = |normalise| picked(Rule::Likeliest { normalise }, &rows);
        assert_eq!((likeliest(false), likeliest(true)), (Some(0), Some(1)));
        assert_eq!(picked(Rule::New, &rows), Some(1));
        assert_eq!(picked(Rule::New, &[rows[0], rows[0]]), Some(0));
        assert_eq!(picked(Rule::First, &[]), None);
        assert_eq!(picked(Rule::Likeliest { normalise: true }, &[("a", f64::NAN, 0)]), Some(0));
    }

    #[test]
    fn where_nothing_is_new_the_last_is_taken_if_the_rule_says_so() {
        let candidate = |text: &str, repeats| Candidate {
            answer: Answer::default(),
            text: text.to_owned(),
            logprob: None,
            repeats,
        };
        let old = [candidate("a", true), candidate("b", true)];
        assert_eq!(pick(Rule::New, &old), Some(0));
        assert_eq!(pick(Rule::NewOrLast, &old), Some(1));
        let some = [candidate("a", true), candidate("b", false), candidate("c", false)];
        assert_eq!(pick(Rule::NewOrLast, &some), Some(1));
        let moves = [Move::act("look")];
        let script = Script::default();
        assert!(Rule::NewOrLast.puts_back(&script, &moves, true));
        assert!(!Rule::New.puts_back(&script, &moves, true));
    }
}
