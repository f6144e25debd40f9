//! A city: its databases, and its conversations. One copy is shared by all who play in it.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fs::Metadata;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::api::{Api, Domain};
use super::conversations::{Faults, Source, Split};
use super::database::Database;
use super::files::{DataError, DatabaseFiles, digest};
use super::generate;
use super::goal::Dialogue;
use super::score::Venues;
use super::sql::Tables;
use rolecall_core::files;
use rolecall_core::ports::load_shared;
use rolecall_core::text::joined;

/// The word for the city that needs no data.
pub const BUILTIN: &str = "builtin";

/// A city.
#[derive(Debug)]
pub struct City {
    /// The databases.
    pub database: Arc<Database>,
    /// Venues as the scorer sees them.
    pub venues: Venues,
    /// The conversations, in order.
    pub dialogues: Vec<Dialogue>,
    /// Conversations that were left out because they cannot be played.
    pub left_out: Faults,
    /// Conversations that are played although nothing can be found for them.
    pub odd: Faults,
    /// A hash of all files that were read; empty for the built-in city.
    pub digest: String,
    /// The databases as SQL sees them, made when they are asked for.
    tables: OnceLock<Result<Tables, String>>,
}

impl City {
    /// The built-in city: [generated](generate), with all of its conversations. Made once while it is in use.
    pub fn builtin() -> Arc<Self> {
        let made = load_shared("booking builtin", || {
            let (database, dialogues) = generate::city(generate::CONVERSATIONS, generate::SEED);
            Ok(Self::new(database, dialogues))
        });
        made.unwrap_or_else(|never: Infallible| match never {})
    }

    /// The city of these databases and conversations.
    pub fn new(database: Database, dialogues: Vec<Dialogue>) -> Self {
        let database = Arc::new(database);
        Self {
            venues: Venues::new(Arc::clone(&database)),
            database,
            dialogues,
            left_out: Faults::default(),
            odd: Faults::default(),
            digest: String::new(),
            tables: OnceLock::new(),
        }
    }

    /// The databases as SQL sees them.
    ///
    /// # Errors
    /// When this build has no SQL, or SQLite does not make the tables.
    pub fn tables(&self) -> Result<&Tables, &str> {
        self.tables.get_or_init(|| Tables::new(&self.database)).as_ref().map_err(String::as_str)
    }

    /// The city of a folder of official files, with the conversations of a [split](Split). A copy that is in use is
    /// shared.
    ///
    /// # Errors
    /// When a file is missing, unreadable or malformed; when no conversation can be played.
    pub fn load(folder: &Path, split: &str) -> Result<Arc<Self>, DataError> {
        let split = Split::named(split).ok_or_else(|| {
            let all = joined(Split::ALL.map(Split::as_str));
            DataError::data(folder, format!("there is no split `{split}`; there are {all}"))
        })?;
        let found = files::if_there(folder.metadata()).map_err(|source| DataError::io(folder, source))?;
        if !found.as_ref().is_some_and(Metadata::is_dir) {
            let problem = found.map_or("it is not there", |_| "it is a file");
            let remedy = "name the folder with the databases and goals of MultiWOZ, or `builtin`";
            return Err(DataError::data(folder, format!("{problem}; {remedy}")));
        }
        let databases = DatabaseFiles::find(folder)?;
        let source = Source::find(folder, split)?;
        let all: Vec<&Path> = databases.all().chain(source.files()).collect();
        let stamps: Vec<String> = all.iter().map(|file| files::stamp(file)).collect();
        load_shared(&format!("booking {} {}", split.as_str(), stamps.join(" ")), || {
            let digest = digest(all.iter().copied())?;
            let (dialogues, left_out) = source.read(split)?;
            if dialogues.is_empty() && !left_out.is_empty() {
                return Err(DataError::data(folder, format!("no conversation can be played, {left_out}")));
            }
            let mut city = Self { left_out, digest, ..Self::new(databases.read()?, dialogues) };
            city.odd = city.unknown_slots(folder);
            Ok(city)
        })
    }

    /// Remarks on the conversations, for whoever plays here.
    pub fn remarks(&self) -> Vec<String> {
        let odd = "played although nothing can be found or scored for it";
        let told = [(&self.left_out, "left out; repair or remove what is named"), (&self.odd, odd)];
        told.into_iter()
            .filter(|(faults, _)| !faults.is_empty())
            .map(|(faults, what)| format!("{faults}; {what}"))
            .collect()
    }

    /// The conversations whose goals have slots that neither records nor calls have.
    fn unknown_slots(&self, folder: &Path) -> Faults {
        let mut odd = Faults::default();
        for dialogue in &self.dialogues {
            for (domain, wanted) in &dialogue.goal.domains {
                let unknown: BTreeSet<&str> = wanted.slots().filter(|slot| !self.knows(*domain, slot)).collect();
                if !unknown.is_empty() {
                    let unknown = joined(unknown);
                    odd.add(folder, &dialogue.id, &format!("its goal of `{domain}` has unknown slots: {unknown}"));
                }
            }
        }
        odd
    }

    fn knows(&self, domain: Domain, slot: &str) -> bool {
        let table = self.database.table(domain);
        let in_records = table.and_then(|table| table.column(slot));
        let mut calls = Api::ALL.into_iter().filter(|api| api.domain() == domain);
        let of_taxi = domain == Domain::Taxi && matches!(slot, "car type" | "phone");
        in_records.is_some() || of_taxi || calls.any(|api| api.keys().contains(&slot))
    }
}

#[cfg(test)]
#[path = "city_tests.rs"]
mod tests;
