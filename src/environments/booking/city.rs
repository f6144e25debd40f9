//! A city: its databases, and the conversations that people would have about them. One copy for all who play in it.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fs::Metadata;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::api::{Api, Domain};
use super::conversations::{Source, Split};
use super::database::Database;
use super::faults::Faults;
use super::files::{DataError, DatabaseFiles, digest};
use super::generate;
use super::goal::Dialogue;
use super::score::Venues;
use super::sql::Tables;
use crate::files;
use crate::ports::load_shared;
use crate::text::joined;

/// The word for the city that needs no data.
pub const BUILTIN: &str = "builtin";

/// A city.
#[derive(Debug)]
pub struct City {
    /// The databases.
    pub database: Arc<Database>,
    /// The same as the scorer sees them.
    pub venues: Venues,
    /// The conversations, in order.
    pub dialogues: Vec<Dialogue>,
    /// What was left out because it cannot be played.
    pub left_out: Faults,
    /// What is played although nothing can be found for it.
    pub odd: Faults,
    /// A hash of the files that everything was read from; empty for the built-in city.
    pub digest: String,
    /// The databases as SQL sees them, made when they are asked for.
    tables: OnceLock<Result<Tables, String>>,
}

impl City {
    /// The built-in city: [generated](generate), with all of its conversations. Made once while somebody holds it.
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
        let tables = self.tables.get_or_init(|| Tables::new(&self.database));
        tables.as_ref().map_err(String::as_str)
    }

    /// The city of a folder of official files, with the conversations of a [split](Split). Who loads the same files
    /// while somebody holds them shares one copy.
    ///
    /// # Errors
    /// When a file is missing, cannot be read, or is not what it has to be; when no conversation can be played.
    pub fn load(folder: &Path, split: &str) -> Result<Arc<Self>, DataError> {
        let split = Split::named(split).ok_or_else(|| {
            let all = joined(Split::ALL.map(Split::as_str));
            let problem = format!("there is no split `{split}`; there are {all}");
            DataError::data(folder, problem)
        })?;
        let found = files::if_there(folder.metadata());
        let found = found.map_err(|source| DataError::io(folder, source))?;
        if !found.as_ref().is_some_and(Metadata::is_dir) {
            let problem = found.map_or("it is not there", |_| "it is a file");
            let remedy = "name the folder with the databases and goals of MultiWOZ, or `builtin`";
            return Err(DataError::data(folder, format!("{problem}; {remedy}")));
        }
        let databases = DatabaseFiles::find(folder)?;
        let source = Source::find(folder, split)?;
        let all: Vec<&Path> = databases.all().chain(source.files()).collect();
        let stamps: Vec<String> = all.iter().map(|file| files::stamp(file)).collect();
        let key = format!("booking {} {}", split.as_str(), stamps.join(" "));
        load_shared(&key, || {
            let digest = digest(all.iter().copied())?;
            let (dialogues, left_out) = source.read(split)?;
            if dialogues.is_empty() && !left_out.is_empty() {
                let problem = format!("no conversation can be played, {left_out}");
                return Err(DataError::data(folder, problem));
            }
            let mut city = Self { left_out, digest, ..Self::new(databases.read()?, dialogues) };
            city.odd = city.unknown_slots(folder);
            Ok(city)
        })
    }

    /// What whoever plays here should know of the conversations.
    pub fn remarks(&self) -> Vec<String> {
        let odd = "played although nothing can be found or scored for it";
        let left_out = "left out; repair or remove what is named";
        let told = [(&self.left_out, left_out), (&self.odd, odd)];
        let told = told.into_iter().filter(|(faults, _)| !faults.is_empty());
        told.map(|(faults, what)| format!("{faults}; {what}")).collect()
    }

    /// The conversations that want slots which neither records nor calls have.
    fn unknown_slots(&self, folder: &Path) -> Faults {
        let mut odd = Faults::default();
        for dialogue in &self.dialogues {
            for (domain, wanted) in &dialogue.goal.domains {
                let slots = wanted.slots();
                let unknown: BTreeSet<&str> = slots.filter(|slot| !self.knows(*domain, slot)).collect();
                if !unknown.is_empty() {
                    let unknown = joined(unknown);
                    let reason = format!("its goal of `{domain}` has unknown slots: {unknown}");
                    odd.add(folder, &dialogue.id, &reason);
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
