//! What was wrong with entries that were left out.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::text::{counted, harmless};

/// The most faults that are kept with their reasons.
const KEPT: usize = 100;
/// The most that a message tells.
const SHOWN: usize = 5;

/// An entry that was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Where it stands: the file's name and the entry's number (from 0) or key.
    pub place: String,
    /// ASIN of the product; empty if it has none.
    pub asin: String,
    /// What is wrong with it.
    pub reason: String,
}

/// The entries of a data set that were left out, with the reasons.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Faults {
    /// The first of them.
    pub first: Vec<Fault>,
    /// How many there are.
    pub total: usize,
    /// Copies of products that were there already, which are left out as the original does.
    pub duplicates: usize,
    /// Products whose ASIN is `nan` or longer than ten letters, which are left out as the original does.
    pub unnumbered: usize,
}

impl Faults {
    /// Notes an entry that is left out.
    pub fn add(&mut self, position: String, asin: &str, reason: String) {
        self.total += 1;
        if self.first.len() < KEPT {
            let asin = asin.to_owned();
            self.first.push(Fault {
                place: position,
                asin,
                reason,
            });
        }
    }

    /// Adds those of another file.
    pub fn extend(&mut self, others: Self) {
        self.total += others.total;
        self.duplicates += others.duplicates;
        self.unnumbered += others.unnumbered;
        let room = KEPT.saturating_sub(self.first.len());
        self.first.extend(others.first.into_iter().take(room));
    }

    /// Whether every entry could be used.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} left out",
            counted(self.total as u64, "entry", "entries")
        )?;
        for (fault, mark) in self.first.iter().take(SHOWN).zip([":", ";", ";", ";", ";"]) {
            let (place, reason) = (harmless(&fault.place), harmless(&fault.reason));
            write!(formatter, "{mark} {place}")?;
            if !fault.asin.is_empty() {
                write!(formatter, " (`{}`)", harmless(&fault.asin))?;
            }
            write!(formatter, ": {reason}")?;
        }
        if self.total > SHOWN {
            formatter.write_str("; and more")?;
        }
        Ok(())
    }
}
