//! The five types of errors of ChatShop's agents in sessions that failed (appendix C.1, Figure 2). A session may have
//! several.
//!
//! Rules name three of them, where the log decides; without labels of a judge, the other two are not known.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::judged::ERRORS;
use super::{played, source, user};
use crate::domain::EpisodeId;
use crate::environments::shop::account::{Account, SessionEvent, Wanted, names, shows};
use crate::environments::shop::chatshop::Listing;
use crate::evaluation::analyses::{Row, Tagger, Tally};
use crate::evaluation::{normalise, wilson};
use crate::ports::EpisodeLog;
use crate::reports::analyses::{Analyses, Shares};
use crate::reports::{NONE, Table, percent};

/// A type of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ErrorType {
    /// The agent loses track of what the shopper wants.
    Reversion,
    /// The agent does not understand what the shopper wants.
    Misinterpretation,
    /// The agent does not find out enough.
    Insufficient,
    /// The agent asks or searches the same again.
    Repetition,
    /// The shopper errs, or is not clear.
    Misleading,
}

impl ErrorType {
    /// All of them, in the order of the question to judges.
    const ALL: [Self; 5] = [
        Self::Reversion,
        Self::Misinterpretation,
        Self::Insufficient,
        Self::Repetition,
        Self::Misleading,
    ];

    /// Its name in tables.
    fn label(self) -> &'static str {
        match self {
            Self::Reversion => "reversion",
            Self::Misinterpretation => "misinterpretation",
            Self::Insufficient => "insufficient information",
            Self::Repetition => "repetition",
            Self::Misleading => "misleading user",
        }
    }

    /// Whether a log can decide that there is one.
    fn has_rule(self) -> bool {
        matches!(
            self,
            Self::Reversion | Self::Insufficient | Self::Repetition
        )
    }
}

/// The errors of a session that failed, by rules. None of another world, and of one that was solved.
pub(super) fn by_rules(log: &EpisodeLog<'_>) -> Option<Vec<ErrorType>> {
    log.outcome().filter(|outcome| !outcome.success)?;
    let (account, wanted) = (Account::of(log)?, Wanted::of(log)?);
    let rules = [
        (ErrorType::Reversion, account.reverts(&wanted)),
        (ErrorType::Insufficient, account.lacks_information(&wanted)),
        (ErrorType::Repetition, account.repeats()),
    ];
    let found = rules.into_iter().filter(|(_, holds)| *holds);
    Some(found.map(|(error, _)| error).collect())
}

impl Account {
    /// The agent searched for the same words in whatever order, or asked the same, once more.
    fn repeats(&self) -> bool {
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
    /// some of these are missing, those that its listing does not show. Without a selection, all of them.
    fn missed<'a>(&self, wanted: &'a Wanted) -> Vec<&'a str> {
        let short = |part: &str| self.parts[part].as_f64().is_none_or(|share| share < 1.0);
        let attributes = wanted.attributes.iter().filter(|_| short("r_att"));
        let options = wanted.options.iter().filter(|_| short("r_option"));
        let lacks = |value: &&String| {
            let selected = self.selected.as_ref();
            selected.is_none_or(|selected| !shows(selected, value))
        };
        attributes
            .chain(options)
            .filter(lacks)
            .map(String::as_str)
            .collect()
    }

    /// A value is missed that the agent was never told.
    fn lacks_information(&self, wanted: &Wanted) -> bool {
        self.missed(wanted)
            .into_iter()
            .any(|value| self.told_at(value).is_none())
    }

    /// A value is missed that the agent was told: although a product that was listed then or later has it, or after a
    /// search for it, which the last search does not name any more.
    fn reverts(&self, wanted: &Wanted) -> bool {
        if self.selected.is_none() {
            return false;
        }
        let missed = self.missed(wanted).into_iter();
        let mut told = missed.filter_map(|value| Some((value, self.told_at(value)?)));
        told.any(|(value, index)| self.had(value, index) || self.dropped(value, index))
    }

    fn had(&self, value: &str, index: usize) -> bool {
        let (before, after) = self.happened.split_at(index.min(self.happened.len()));
        let listed = |event: &SessionEvent| match event {
            SessionEvent::Listed(products) => {
                products.iter().any(|own: &Listing| shows(own, value))
            }
            _ => false,
        };
        // The last list before still stands when the value is told.
        let standing = before
            .iter()
            .rev()
            .find(|event| matches!(event, SessionEvent::Listed(_)));
        standing.into_iter().chain(after).any(listed)
    }

    fn dropped(&self, value: &str, index: usize) -> bool {
        let searches = self
            .happened
            .iter()
            .skip(index)
            .filter_map(|event| match event {
                SessionEvent::Searched(query) => Some(names(query, value)),
                _ => None,
            });
        let named: Vec<bool> = searches.collect();
        named.contains(&true) && named.last() == Some(&false)
    }
}

/// The errors of the sessions of a row.
#[derive(Debug, Default)]
pub(super) struct Errors {
    /// Sessions that failed.
    failed: usize,
    /// Those that somebody labelled; without any, rules do.
    labelled: usize,
    by_rules: [usize; ErrorType::ALL.len()],
    by_labels: [usize; ErrorType::ALL.len()],
    /// Those in which rules find none.
    none: usize,
}

impl Tally for Errors {
    fn add(&mut self, log: &EpisodeLog<'_>, tagger: &Tagger) {
        let Some(found) = by_rules(log) else {
            return;
        };
        self.failed += 1;
        self.none += usize::from(found.is_empty());
        for error in found {
            self.by_rules[error as usize] += 1;
        }
        let labels = ErrorType::ALL.map(|error| label(error, log.id, tagger));
        self.labelled += usize::from(labels.iter().any(Option::is_some));
        for (count, label) in self.by_labels.iter_mut().zip(labels) {
            *count += usize::from(label == Some(true));
        }
    }
}

/// Whether somebody says that a session has an error.
fn label(error: ErrorType, id: &EpisodeId, tagger: &Tagger) -> Option<bool> {
    let field = ERRORS.fields.get(error as usize)?;
    let answers = tagger
        .answers
        .get(&format!("{}.{}", ERRORS.name, field.name))?;
    // Of `true` and `false`, in this order.
    answers.get(&(id.clone(), 0)).map(|place| *place == 0)
}

impl Errors {
    /// The sessions that are judged, and how many have each error, as far as it is known.
    fn counts(&self) -> (usize, [Option<usize>; ErrorType::ALL.len()]) {
        let counts = ErrorType::ALL.map(|error| match self.labelled {
            0 => error.has_rule().then_some(self.by_rules[error as usize]),
            _ => Some(self.by_labels[error as usize]),
        });
        (self.failed_or_labelled(), counts)
    }

    fn failed_or_labelled(&self) -> usize {
        if self.labelled > 0 {
            self.labelled
        } else {
            self.failed
        }
    }
}

/// The errors of each kind of user and cell.
pub(super) fn tables(analyses: &Analyses) -> Vec<Table> {
    let title = "Types of errors in sessions that failed (a session may have several)";
    let table = Table::new(title).keys_of(["cell", "user", "error"]);
    let table = table.numbers([
        "failed",
        "with it",
        "% of failed",
        "95 % interval",
        "% of errors",
    ]);
    let mut table = table.texts(["by"]);
    for (row, own) in played::<Errors>(analyses).filter(|(_, own)| own.failed > 0) {
        let (failed, counts) = own.counts();
        let all: usize = counts.iter().flatten().sum();
        let mut line = |name: &str, count: Option<usize>, is_error: bool| {
            let rate = count.map(|count| wilson(count, failed));
            let or_none = |text: Option<String>| text.unwrap_or_else(|| NONE.to_owned());
            let ends = rate.as_ref().and_then(|rate| rate.interval());
            let of_all = count.filter(|_| is_error && all > 0);
            let of_all = of_all.map(|count| count as f64 / all as f64);
            table.row(vec![
                row.name.cell.to_string(),
                user(row),
                name.to_owned(),
                failed.to_string(),
                or_none(count.map(|count| count.to_string())),
                or_none(rate.as_ref().and_then(|rate| rate.value()).map(percent)),
                or_none(ends.map(|(low, high)| format!("{}-{}", percent(low), percent(high)))),
                or_none(of_all.map(percent)),
                source(own.labelled > 0),
            ]);
        };
        for (error, count) in ErrorType::ALL.into_iter().zip(counts) {
            line(error.label(), count, true);
        }
        if own.labelled == 0 {
            line("no rule finds one", Some(own.none), false);
        }
    }
    vec![table]
}

/// The errors of each row as parts of a bar (Figure 2).
pub(super) fn shares(analyses: &Analyses) -> Shares {
    let rows = played::<Errors>(analyses).filter(|(_, own)| own.failed > 0);
    let rows = rows.map(|(row, own)| {
        let counts = own.counts().1.map(|count| count.unwrap_or(0) as u64);
        (
            format!("{}, user {}", row.name.cell, user(row)),
            counts.to_vec(),
        )
    });
    Shares {
        title: "Types of errors",
        unit: "error",
        labels: ErrorType::ALL.map(|error| error.label().to_owned()).into(),
        rows: rows.collect(),
    }
}

/// `failed` sessions, those `labelled`, and `errors` by type with null for what is not known.
pub(super) fn object(row: &Row) -> Value {
    let Some(own) = row.tally::<Errors>().filter(|own| own.failed > 0) else {
        return Value::Null;
    };
    let (judged, counts) = own.counts();
    let errors = ErrorType::ALL.into_iter().zip(counts);
    let errors = errors.map(|(error, count)| (error.label().to_owned(), json!(count)));
    json!({
        "user": row.name.user, "failed": own.failed, "labelled": own.labelled, "judged": judged,
        "errors": errors.collect::<serde_json::Map<_, _>>(), "without_rule": own.none,
    })
}

#[cfg(test)]
mod tests;
