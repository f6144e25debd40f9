//! What was wrong with entries that were left out.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::text::{counted, harmless};

/// The most faults that are kept and told.
const SHOWN: usize = 5;

/// The entries of a data set that were left out, with the reasons.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Faults {
    /// The first of them: where each stands, its product, and what is wrong with it.
    pub first: Vec<String>,
    /// How many there are.
    pub total: usize,
}

impl Faults {
    /// Notes an entry that is left out: its position, which is the file's name and the entry's number (from 0) or key;
    /// the ASIN of its product, empty if it has none; and what is wrong with it.
    pub fn add(&mut self, position: &str, asin: &str, reason: &str) {
        self.total += 1;
        if self.first.len() < SHOWN {
            let product = match asin {
                "" => String::new(),
                _ => format!(" (`{asin}`)"),
            };
            let told = format!("{position}{product}: {reason}");
            self.first.push(harmless(&told));
        }
    }

    /// Adds those of another file.
    pub fn extend(&mut self, others: Self) {
        self.total += others.total;
        self.first.extend(others.first);
        self.first.truncate(SHOWN);
    }

    /// Whether every entry could be used.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = counted(self.total as u64, "entry", "entries");
        write!(formatter, "{total} left out")?;
        if self.total == 0 {
            return Ok(());
        }
        let more = if self.total > SHOWN { "; and more" } else { "" };
        let first = self.first.join("; ");
        write!(formatter, ": {first}{more}; repair or remove them")
    }
}
