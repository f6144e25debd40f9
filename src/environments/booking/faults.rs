//! What was wrong with conversations of a data set, told in one line.

use std::fmt;
use std::path::Path;

use crate::text::{counted, harmless};

/// The most faults that are kept and told.
const SHOWN: usize = 5;

/// Conversations of which something is to be told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    first: Vec<String>,
    /// How many there are.
    pub total: usize,
}

impl Faults {
    /// Notes a conversation: the file, its name there, and what is wrong with it.
    pub fn add(&mut self, file: &Path, id: &str, reason: &str) {
        self.total += 1;
        if self.first.len() < SHOWN {
            let file = file.file_name().unwrap_or_default().to_string_lossy();
            self.first.push(harmless(&format!("`{file}`, `{id}`: {reason}")));
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = counted(self.total as u64, "conversation", "conversations");
        let more = match self.total > self.first.len() {
            true => "; and more",
            false => "",
        };
        write!(formatter, "{total}: {}{more}", self.first.join("; "))
    }
}
