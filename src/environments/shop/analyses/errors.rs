//! The five types of errors of ChatShop's agents in sessions that failed (appendix C.1, Figure 2). A session may have
//! several.
//!
//! Rules name three of them, where the log decides; without labels of a judge, the other two are not known.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::judged::ERRORS;
use crate::account::{Account, SessionEvent, Wanted, names, shows};
use rolecall_core::evaluation::analyses::{Labelled, Row, Tagger, Tally};
use rolecall_core::evaluation::{Estimate, normalise, wilson};
use rolecall_core::ports::EpisodeLog;
use rolecall_core::reports::analyses::{Analyses, Shares};
use rolecall_core::reports::{NONE, Table, percent};

/// Says whether a session has an error.
type Rule = fn(&Account, &Wanted) -> bool;

/// The types of errors, in the order of the question to judges: the agent loses track of what the shopper wants, does
/// not understand it, does not find out enough, or asks or searches the same again; the shopper errs or is not clear.
/// Types that a log can decide have a rule.
const TYPES: [(&str, Option<Rule>); 5] = [
    ("reversion", Some(Account::reverts)),
    ("misinterpretation", None),
    ("insufficient information", Some(Account::lacks_information)),
    ("repetition", Some(Account::repeats)),
    ("misleading user", None),
];

/// The places of the errors that a session that failed has by rules. None of another world, and of one that was
/// solved.
fn by_rules(log: &EpisodeLog<'_>) -> Option<Vec<usize>> {
    log.outcome().filter(|outcome| !outcome.success)?;
    let (account, wanted) = (Account::of(log)?, Wanted::of(log)?);
    let holds = |place: &usize| TYPES[*place].1.is_some_and(|rule| rule(&account, &wanted));
    Some((0..TYPES.len()).filter(holds).collect())
}

impl Account {
    /// The agent searched for the same words in whatever order, or asked the same, once more.
    fn repeats(&self, _: &Wanted) -> bool {
        let mut made = BTreeSet::new();
        let mut actions = self.happened.iter().filter_map(|event| match event {
            SessionEvent::Searched(query) => {
                let words = normalise(query);
                let mut words: Vec<&str> = words.split(' ').collect();
                words.sort_unstable();
                Some((true, words.join(" ")))
            }
            SessionEvent::Asked { question, .. } => Some((false, normalise(question))),
            SessionEvent::Listed(_) | SessionEvent::Answered(_) => None,
        });
        !actions.all(|event| made.insert(event))
    }

    /// The wanted values that the selected product does not have: of attributes or of options, if its score says that
    /// some of these are missing, those that its listing does not show. Without a selection, all of them. Each comes
    /// with the place from which on the agent knew it.
    fn missed<'a>(&self, wanted: &'a Wanted) -> impl Iterator<Item = (&'a str, Option<usize>)> {
        let short = |part: &str| self.parts[part].as_f64().is_none_or(|share| share < 1.0);
        let values = [("r_att", &wanted.attributes), ("r_option", &wanted.options)];
        let values = values.into_iter().filter(move |(part, _)| short(part));
        let values = values.flat_map(|(_, values)| values.iter().map(String::as_str));
        let selected = self.selected.as_ref();
        values
            .filter(move |value| selected.is_none_or(|selected| !shows(selected, value)))
            .map(|value| (value, self.told_at(value)))
    }

    /// A value is missed that the agent was never told.
    fn lacks_information(&self, wanted: &Wanted) -> bool {
        self.missed(wanted).any(|(_, told)| told.is_none())
    }

    /// A value is missed that the agent was told: although a product that was listed then or later has it, or after a
    /// search for it, which the last search does not name any more.
    fn reverts(&self, wanted: &Wanted) -> bool {
        let lost = |(value, told): (&str, Option<usize>)| {
            told.is_some_and(|place| self.had(value, place) || self.dropped(value, place))
        };
        self.selected.is_some() && self.missed(wanted).any(lost)
    }

    fn had(&self, value: &str, index: usize) -> bool {
        let (before, after) = self.happened.split_at(index.min(self.happened.len()));
        let lists = |event: &SessionEvent| match event {
            SessionEvent::Listed(products) => Some(products.iter().any(|product| shows(product, value))),
            _ => None,
        };
        // The last list before still stands when the value is told.
        let last = before.iter().rev().find_map(lists);
        last == Some(true) || after.iter().any(|event| lists(event) == Some(true))
    }

    fn dropped(&self, value: &str, index: usize) -> bool {
        let named: Vec<bool> = self
            .happened
            .iter()
            .skip(index)
            .filter_map(|event| match event {
                SessionEvent::Searched(query) => Some(names(query, value)),
                _ => None,
            })
            .collect();
        named.contains(&true) && named.last() == Some(&false)
    }
}

/// The errors of the sessions of a row that failed.
#[derive(Debug, Default)]
pub(super) struct Errors {
    sessions: Labelled<{ TYPES.len() }>,
    /// Failed sessions in which rules find no error.
    none: usize,
}

impl Tally for Errors {
    fn add(&mut self, log: &EpisodeLog<'_>, tagger: &Tagger) {
        let Some(found) = by_rules(log) else {
            return;
        };
        self.none += usize::from(found.is_empty());
        let answers: Vec<Option<usize>> =
            ERRORS.fields.iter().map(|field| tagger.answer(ERRORS.name, field.name, log.id, 0)).collect();
        // Of `true` and `false`, in this order.
        let labels = (0..answers.len()).filter(|place| answers[*place] == Some(0));
        let labels: Vec<usize> = labels.collect();
        let is_labelled = answers.iter().any(Option::is_some);
        self.sessions.add(&found, is_labelled.then_some(&labels));
    }
}

impl Errors {
    /// The sessions that are judged, and how many have each error, as far as it is known.
    fn counts(&self) -> (usize, Vec<Option<usize>>) {
        let (judged, counts) = self.sessions.counts();
        let is_known = |rule: Option<Rule>| self.sessions.is_labelled() || rule.is_some();
        let counts = TYPES.iter().zip(counts).map(|((_, rule), count)| is_known(*rule).then_some(count));
        (judged, counts.collect())
    }
}

/// The rows in which sessions failed.
fn failed(analyses: &Analyses) -> impl Iterator<Item = (&Row, &Errors)> {
    let rows = analyses.collected::<Errors>();
    rows.filter(|(_, tally)| tally.sessions.all > 0)
}

/// The errors of each kind of user and cell.
pub(super) fn tables(analyses: &Analyses) -> Vec<Table> {
    let title = "Types of errors in sessions that failed (a session may have several)";
    let mut table = Table::new(title)
        .keys_of(["cell", "user", "error"])
        .numbers(["failed", "with it", "% of failed"])
        .numbers(["95 % interval", "% of errors"])
        .texts(["by"]);
    for (row, tally) in failed(analyses) {
        let (failed, counts) = tally.counts();
        let all: usize = counts.iter().flatten().sum();
        let errors = TYPES.iter().zip(counts).map(|((name, _), count)| (*name, count, all));
        let none = (!tally.sessions.is_labelled()).then_some(tally.none);
        let none = none.map(|none| ("no rule finds one", Some(none), 0));
        for (name, count, all) in errors.chain(none) {
            let rate = count.map(|count| wilson(count, failed));
            let ends = rate.as_ref().and_then(Estimate::interval);
            let of_all = count.filter(|_| all > 0);
            let figures = [
                count.map(|count| count.to_string()),
                rate.and_then(|rate| rate.value()).map(percent),
                ends.map(|(low, high)| format!("{}-{}", percent(low), percent(high))),
                of_all.map(|count| percent(count as f64 / all as f64)),
            ];
            let figures = figures.map(|figure| figure.unwrap_or_else(|| NONE.to_owned()));
            let mut texts = analyses.keys(row);
            texts.extend([name.to_owned(), failed.to_string()]);
            texts.extend(figures);
            texts.push(tally.sessions.source().to_owned());
            table.row(texts);
        }
    }
    vec![table]
}

/// The errors of each row as parts of a bar (Figure 2).
pub(super) fn shares(analyses: &Analyses) -> Shares {
    let rows = failed(analyses).map(|(row, tally)| {
        let counts = tally.counts().1.into_iter().map(|count| count.unwrap_or(0) as u64);
        (analyses.keys(row).join(", user "), counts.collect())
    });
    Shares {
        title: "Types of errors",
        unit: "error",
        labels: TYPES.map(|(name, _)| name.to_owned()).into(),
        rows: rows.collect(),
    }
}

/// `failed` sessions, those `labelled`, and `errors` by type with null for what is not known.
pub(super) fn object(row: &Row) -> Value {
    let Some(tally) = row.tally::<Errors>().filter(|tally| tally.sessions.all > 0) else {
        return Value::Null;
    };
    let (judged, counts) = tally.counts();
    let errors: Value = TYPES.iter().zip(counts).map(|((name, _), count)| (*name, count)).collect();
    json!({
        "user": row.name.user, "failed": tally.sessions.all, "labelled": tally.sessions.labelled, "judged": judged,
        "errors": errors, "without_rule": tally.none,
    })
}

#[cfg(test)]
mod tests;
