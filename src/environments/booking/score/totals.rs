//! Totals of verdicts: by domain, over all domains, and by dialogue (spec section 6.4).

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value;

use super::Verdict;
use crate::api::Domain;
use rolecall_core::evaluation::{Estimate, estimate_of};
use rolecall_core::ports::Measurement;

/// The verdicts on the domains of a dialogue.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdicts(pub Vec<(Domain, Verdict)>);

/// Scope of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Dialogues that want something of this domain.
    Domain(Domain),
    /// All domains of all dialogues.
    Domains,
    /// Dialogues.
    Dialogues,
}

/// Part of a verdict that is summed up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// [`Verdict::inform`].
    Inform,
    /// [`Verdict::success`].
    Success,
    /// [`Verdict::book`].
    Book,
    /// [`Verdict::combine`].
    Combine,
}

rolecall_core::names! { Part, as_str: Inform => "inform", Success => "success", Book => "book", Combine => "combine" }

impl Scope {
    /// All scopes, in the order of tables.
    pub fn all() -> impl Iterator<Item = Self> {
        [Self::Dialogues, Self::Domains].into_iter().chain(Domain::ALL.map(Self::Domain))
    }

    /// A word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Domain(domain) => domain.as_str(),
            Self::Domains => "domain",
            Self::Dialogues => "dialogue",
        }
    }
}

impl Part {
    /// Number of parts in which a score over domains is counted, so that it is a fraction.
    fn each(self) -> u8 {
        if self == Self::Combine { 4 } else { 1 }
    }
}

impl Verdicts {
    /// The verdicts in the detail of a score. None of a dialogue that was aborted, is left out, or has a domain
    /// that cannot be judged.
    pub fn of_detail(detail: &Value) -> Option<Self> {
        let is_there = |key: &&str| detail.get(*key).is_some();
        if ["left_out", "unjudged"].iter().any(is_there) {
            return None;
        }
        let verdicts = detail
            .get("domains")?
            .as_object()?
            .iter()
            .filter_map(|(name, parts)| Some((Domain::named(name)?, Verdict::deserialize(parts).ok()?)));
        Some(Self(verdicts.collect())).filter(|verdicts| !verdicts.0.is_empty())
    }

    /// The verdict on the dialogue: a part is reached if it is in every domain that has it.
    pub fn dialogue(&self) -> Verdict {
        let all = |part: fn(&Verdict) -> Option<bool>| {
            self.0.iter().filter_map(|(_, verdict)| part(verdict)).reduce(|one, other| one && other)
        };
        Verdict {
            inform: all(|verdict| verdict.inform),
            success: all(|verdict| verdict.success),
            book: all(|verdict| verdict.book),
        }
    }

    /// Values that the dialogue adds to a score: 0 or 1, or of `combine` its value; over domains one for each.
    fn shares(&self, scope: Scope, part: Part) -> impl Iterator<Item = f64> {
        let dialogue = (scope == Scope::Dialogues).then(|| self.dialogue());
        let is_meant = move |domain| [Scope::Domains, Scope::Domain(domain)].contains(&scope);
        let all =
            self.0.iter().filter(move |(domain, _)| is_meant(*domain)).map(|(_, verdict)| *verdict).chain(dialogue);
        all.filter_map(move |verdict| verdict.share(part))
    }

    /// Measurement of the dialogue. Over domains, `combine` is counted in quarters.
    pub fn measured(&self, scope: Scope, part: Part) -> Measurement {
        let mut shares = self.shares(scope, part);
        if scope == Scope::Domains {
            let (hits, n) = summed(shares);
            return Measurement::Share { hits: (hits * f64::from(part.each())) as u64, n: n * u64::from(part.each()) };
        }
        match (shares.next(), part) {
            (None, _) => Measurement::Absent,
            (Some(share), Part::Combine) => Measurement::Value(share),
            (Some(share), _) => Measurement::Rate(share > 0.5),
        }
    }
}

/// The sum of shares, and how many there are.
fn summed(shares: impl Iterator<Item = f64>) -> (f64, u64) {
    shares.fold((0.0, 0), |(sum, n), share| (sum + share, n + 1))
}

impl Verdict {
    /// Half of `inform` and half of the mean of the other parts; `inform` alone if there are none. None if
    /// there is no `inform`.
    pub fn combine(self) -> Option<f64> {
        let inform = self.share(Part::Inform)?;
        let (sum, n) = summed([Part::Success, Part::Book].into_iter().filter_map(|part| self.share(part)));
        Some(match n {
            0 => inform,
            _ => 0.5 * inform + 0.5 * sum / n as f64,
        })
    }

    /// A part as a number: 0 or 1, or the value of `combine`.
    pub fn share(self, part: Part) -> Option<f64> {
        let reached = match part {
            Part::Inform => self.inform,
            Part::Success => self.success,
            Part::Book => self.book,
            Part::Combine => return self.combine(),
        };
        reached.map(|reached| f64::from(u8::from(reached)))
    }
}

/// Verdicts on many dialogues.
#[derive(Clone, Debug, Default)]
pub struct Totals {
    dialogues: Vec<(usize, Verdicts)>,
    tasks: HashMap<String, usize>,
}

impl Totals {
    /// Takes a dialogue of a task.
    pub fn add(&mut self, task: &str, verdicts: Verdicts) {
        let next = self.tasks.len();
        let task = *self.tasks.entry(task.to_owned()).or_insert(next);
        self.dialogues.push((task, verdicts));
    }

    /// How many dialogues there are.
    pub fn len(&self) -> usize {
        self.dialogues.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.dialogues.is_empty()
    }

    /// A score with its interval, in which the dialogues of a task are one sample.
    pub fn estimate(&self, scope: Scope, part: Part) -> Estimate {
        let measured = self.dialogues.iter().map(|(task, verdicts)| (*task, verdicts.measured(scope, part)));
        estimate_of(self.tasks.len(), measured, true)
    }

    /// The sum of a part, and the number of dialogues or domains.
    pub fn sum(&self, scope: Scope, part: Part) -> (f64, u64) {
        summed(self.dialogues.iter().flat_map(|(_, verdicts)| verdicts.shares(scope, part)))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_dialogue_needs_all_of_its_domains_and_domains_are_pooled() {
        let of = |inform, success, book| Verdict { inform: Some(inform), success, book };
        let mut totals = Totals::default();
        let both = [(Domain::Hotel, of(true, None, Some(false))), (Domain::Taxi, of(true, Some(true), None))];
        totals.add("a", Verdicts(both.into()));
        totals.add("b", Verdicts(vec![(Domain::Hotel, of(false, Some(false), None))]));
        let sum = |scope, part| totals.sum(scope, part);
        assert_eq!(sum(Scope::Dialogues, Part::Inform), (1.0, 2));
        assert_eq!(sum(Scope::Dialogues, Part::Success), (1.0, 2));
        assert_eq!(sum(Scope::Dialogues, Part::Book), (0.0, 1));
        assert_eq!(sum(Scope::Dialogues, Part::Combine), (0.75, 2));
        assert_eq!(sum(Scope::Domains, Part::Inform), (2.0, 3));
        assert_eq!(sum(Scope::Domains, Part::Combine), (1.5, 3));
        assert_eq!(sum(Scope::Domain(Domain::Hotel), Part::Combine), (0.5, 2));
        assert_eq!(sum(Scope::Domain(Domain::Train), Part::Inform), (0.0, 0));
        let pooled = totals.estimate(Scope::Domains, Part::Inform);
        assert!(matches!(pooled, Estimate::Pooled { hits: 2, of: 3, n: 2, .. }), "{pooled:?}");
    }

    #[test]
    fn details_of_scores_are_read_back() {
        let detail = json!({ "domains": { "taxi": { "inform": true, "success": null, "book": false }, "police": {} } });
        let verdict = Verdict { inform: Some(true), success: None, book: Some(false) };
        assert_eq!(Verdicts::of_detail(&detail), Some(Verdicts(vec![(Domain::Taxi, verdict)])));
        for (key, value) in [("left_out", json!("why")), ("unjudged", json!({ "taxi": "why" }))] {
            let mut other = detail.clone();
            other[key] = value;
            assert_eq!(Verdicts::of_detail(&other), None);
        }
        assert_eq!(Verdicts::of_detail(&json!({ "aborted": "why" })), None);
        assert_eq!(Verdicts::of_detail(&json!({ "domains": {} })), None);
    }
}
