//! The parts of `run.toml` that readers need. The rest of the file, which `config::Record` writes, is for
//! people.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::folder::{EVENTS, RESULTS, RUN, RUNNING, TIMINGS, TRACE};
use super::tables::{WorkerRecord, external_cells, workers_of};
use super::{Digest, LogError};
use crate::domain::{CellName, EpisodeId, RoleName, SCHEMA, Seat, Seed, Steering};
use crate::files;
use crate::maps::ordered;
use crate::text::unique;

/// The most letters of a run's id.
const LONGEST_ID: usize = 64;

/// The description of a run: the keys `schema`, `name`, `id`, `rolecall`, `seed`, `repeats`,
/// `episodes`, `models` with the currency of their prices, and `cells` with their `roles` and
/// `users`. All of them may be absent but none may be of another type.
#[derive(Clone, Debug, PartialEq)]
pub struct RunRecord {
    /// Number of the format of the run's folder.
    pub schema: u32,
    /// The run's name; that of the folder if the file gives none.
    pub name: String,
    /// The id that tells the run from all others; absent in runs of older versions.
    pub id: Option<String>,
    /// The version of the program that played it.
    pub version: Option<String>,
    /// The seed of the run.
    pub seed: Option<Seed>,
    /// The number of times that each cell plays each task.
    pub repeats: Option<u64>,
    /// The number of episodes that were planned; of a branch, those that it continues.
    pub episodes: Option<u64>,
    /// The run that it continues, if it is a branch.
    pub parent: Option<Parent>,
    /// The cells in the order of the config; empty if the file does not say.
    pub cells: Vec<CellName>,
    /// Changes that were accepted when the run was resumed, in this order.
    pub changes: Vec<Accepted>,
    /// Who played its episodes elsewhere; empty if nobody did.
    pub workers: Vec<WorkerRecord>,
    /// Cells some of whose participants are people or programs whose answers cannot be had again.
    pub external: Vec<CellName>,
    /// The currency of the prices of the models, if they have prices.
    pub currency: Option<String>,
    /// The seats of all cells: the roles in the order of the config, then the user if some cell has
    /// one, the environment and the conductor. Without roles if the file does not name them.
    pub seats: Vec<Seat>,
}

/// Changes with which a run was resumed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accepted {
    /// Episodes that were closed by then, if the file says so.
    pub closed: Option<u64>,
    /// Episodes that were open.
    pub open: Option<u64>,
    /// The changes, in words.
    pub what: Vec<String>,
}

/// The run that a branch continues: the table `parent`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parent {
    /// Its name.
    pub run: String,
    /// Its folder when the branch was made.
    pub folder: PathBuf,
    /// The point where the branch leaves it, as it was asked for.
    pub at: String,
    /// How the episodes were chosen, in the words of the command; none in branches of older versions.
    pub chosen: Option<String>,
    /// The choice looked at what the episodes came to, such as whether they failed.
    pub by_outcome: bool,
    /// The episodes of the branch, each with the number of events that it takes over.
    pub episodes: BTreeMap<EpisodeId, u32>,
    /// Steering of the episodes where they leave those of the parent.
    pub steering: Steering,
    /// Digests of the lines of these events when the branch was made; empty in branches of older
    /// versions.
    pub digests: BTreeMap<EpisodeId, Digest>,
}

impl RunRecord {
    /// Reads `run.toml` in the folder.
    pub fn read(folder: &Path) -> Result<Self, LogError> {
        let path = folder.join(RUN);
        let text = fs::read_to_string(&path).map_err(|error| match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => LogError::NoRun { folder: folder.to_owned() },
            _ => LogError::read(&path, &error),
        })?;
        let fallback = folder.file_name().unwrap_or_default().to_string_lossy();
        Self::parse(&text, &fallback).map_err(|reason| {
            let again = match Self::is_unbegun(folder) {
                true => "; nothing was played here: give the command again that was to begin the run",
                false => "",
            };
            LogError::file(&path, LogError::USED, reason + again)
        })
    }

    /// Whether the folder holds nothing of a run but what a process leaves behind that was killed
    /// before it could write any event, and `run.toml` is not there or not whole: nothing would be lost
    /// if the run was begun again.
    pub fn is_unbegun(folder: &Path) -> bool {
        let is_nothing = |entry: io::Result<fs::DirEntry>| {
            let path = entry?.path();
            let found = fs::symlink_metadata(&path)?;
            let name = path.file_name().and_then(OsStr::to_str);
            let is_nothing = match name.unwrap_or_default() {
                RUNNING | TRACE => true,
                RUN => !ends_whole(&path)?,
                EVENTS | RESULTS | TIMINGS => found.len() == 0,
                _ => path == files::part_of(&folder.join(RUN)),
            };
            io::Result::Ok(found.is_file() && is_nothing)
        };
        let entries = fs::read_dir(folder);
        entries.is_ok_and(|entries| entries.map(is_nothing).all(|is| is.unwrap_or(false)))
    }

    pub(super) fn parse(text: &str, fallback: &str) -> Result<Self, String> {
        let table: Table = text.parse().map_err(|error| not_toml(text, &error))?;
        if table.is_empty() {
            return Err("empty: it does not say what was played".to_owned());
        }
        let number = |key| match table.get(key) {
            None => Ok(None),
            Some(Value::Integer(number)) => match u64::try_from(*number) {
                Ok(number) => Ok(Some(number)),
                Err(_) => Err(format!("`{key}` must not be negative")),
            },
            Some(_) => Err(format!("`{key}` must be a whole number")),
        };
        let string = |key| match table.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(_) => Err(format!("`{key}` must be a text")),
        };
        let schema = number("schema")?.map_or(Ok(SCHEMA), known_schema)?;
        let parent = parent(&table)?;
        let branched = parent.as_ref().map(|parent| parent.episodes.len() as u64);
        Ok(Self {
            schema,
            name: string("name")?.unwrap_or_else(|| fallback.to_owned()),
            id: string("id")?.map(own_id).transpose()?,
            version: string("rolecall")?,
            seed: number("seed")?.map(Seed),
            repeats: number("repeats")?,
            episodes: branched.or(number("episodes")?),
            parent,
            cells: cells(&table)?,
            changes: changes(&table),
            workers: workers_of(&table)?,
            external: external_cells(&table),
            currency: currency(&table),
            seats: seats(&table),
        })
    }

    /// Whether the results may be in compressed files, too.
    pub fn has_many(&self) -> bool {
        self.schema >= SCHEMA_OF_MANY
    }

    /// The index of the cell in the order of the config; cells that it does not name come last.
    pub fn position(&self, cell: &CellName) -> usize {
        position(&self.cells, cell)
    }
}

/// Whether a `run.toml` goes up to its last key, which names the files that the run was resolved from.
fn ends_whole(path: &Path) -> io::Result<bool> {
    let bytes = fs::read(path)?;
    // Half a file may end amid a letter.
    let text = std::str::from_utf8(&bytes).ok();
    let table: Option<Table> = text.and_then(|text| text.parse().ok());
    Ok(table.is_some_and(|table| table.contains_key("files")))
}

/// The index of a cell among others; one that is not listed comes last.
pub fn position(cells: &[CellName], cell: &CellName) -> usize {
    let index = cells.iter().position(|listed| listed == cell);
    index.unwrap_or(cells.len())
}

/// An id is sent to servers in a header.
fn own_id(id: String) -> Result<String, String> {
    let sendable = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    match sendable && id.len() <= LONGEST_ID {
        true => Ok(id),
        false => Err(format!("`id` must be 1 to {LONGEST_ID} letters and digits; without the line, the run has none")),
    }
}

/// The reader's own text draws the place over several lines; here a line's number is enough.
fn not_toml(text: &str, error: &toml::de::Error) -> String {
    let line = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default().matches('\n').count() + 1;
    let said = error.message().lines().collect::<Vec<_>>().join(", ");
    format!("not TOML: line {line}: {said}")
}

fn cells(table: &Table) -> Result<Vec<CellName>, String> {
    let Some(value) = table.get("cells") else {
        return Ok(Vec::new());
    };
    let cells = value.as_array().ok_or("`cells` must be a list")?;
    let name = |cell: &Value| {
        let name = cell.get("name").and_then(Value::as_str).ok_or("`cells` must hold tables with a `name`")?;
        CellName::new(name).map_err(|error| error.to_string())
    };
    cells.iter().map(name).collect()
}

fn parent(table: &Table) -> Result<Option<Parent>, String> {
    let Some(parent) = table.get("parent") else {
        return Ok(None);
    };
    let text = |key| parent.get(key).and_then(Value::as_str).ok_or_else(|| format!("`parent.{key}` must be a text"));
    let episodes = parent.get("episodes").and_then(Value::as_table).ok_or("`parent.episodes` must be a table")?;
    let episode = |(id, events): (&String, &Value)| {
        let id: EpisodeId = id.parse().ok()?;
        Some((id, u32::try_from(events.as_integer()?).ok()?))
    };
    let episodes = episodes
        .iter()
        .map(episode)
        .collect::<Option<Vec<_>>>()
        .ok_or("`parent.episodes` must name episodes and numbers of events")?;
    let digest = |(id, digest): (&String, &Value)| Some((id.parse().ok()?, digest.as_str()?.parse().ok()?));
    let digests = match parent.get("digests").map(Value::as_table) {
        None => Some(BTreeMap::new()),
        Some(table) => table.and_then(|table| table.iter().map(digest).collect()),
    };
    let digests = digests.ok_or("`parent.digests` must name episodes and their digests")?;
    let chosen = match parent.get("chosen") {
        None => None,
        Some(_) => Some(text("chosen")?.to_owned()),
    };
    let by_outcome = parent.get("by_outcome").map(Value::as_bool).unwrap_or(Some(false));
    let steering = parent.clone().try_into().map_err(|error| {
        let problem = error.message();
        format!("`parent` does not say what happens where episodes leave it: {problem}")
    })?;
    Ok(Some(Parent {
        steering,
        digests,
        chosen,
        by_outcome: by_outcome.ok_or("`parent.by_outcome` must be true or false")?,
        run: text("run")?.to_owned(),
        folder: text("folder")?.into(),
        at: text("at")?.to_owned(),
        episodes: ordered(episodes),
    }))
}

fn changes(table: &Table) -> Vec<Accepted> {
    let entries = table.get("changes").and_then(Value::as_array);
    let accepted = |entry: &Value| {
        let number = |key| entry.get(key)?.as_integer()?.try_into().ok();
        let what = entry.get("what").and_then(Value::as_array);
        let texts = what.into_iter().flatten().filter_map(Value::as_str);
        Accepted {
            closed: number("episodes_closed"),
            open: number("episodes_open"),
            what: texts.map(str::to_owned).collect(),
        }
    };
    entries.into_iter().flatten().map(accepted).collect()
}

/// All models of a run have the same one.
fn currency(table: &Table) -> Option<String> {
    let models = table.get("models")?.as_array()?;
    let currency = |model: &Value| Some(model.get("prices")?.get("currency")?.as_str()?.to_owned());
    models.iter().find_map(currency)
}

/// The seats that the file names. Whatever it leaves out or says in another way names none: whoever
/// looks for a seat there learns which are known.
fn seats(table: &Table) -> Vec<Seat> {
    let cells = table.get("cells").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let parts = |key| cells.iter().filter_map(move |cell: &Value| cell.get(key)).filter_map(Value::as_array).flatten();
    let roles =
        parts("roles").filter_map(|role| role.get("role")?.as_str()).filter_map(|name| RoleName::new(name).ok());
    let mut seats = unique(roles.map(Seat::Role));
    seats.extend(parts("users").next().map(|_| Seat::User));
    seats.extend([Seat::Environment, Seat::Conductor]);
    seats
}

/// Episodes that are many: results are closed and compressed as events are, and `run.toml` says so by its schema.
pub(super) const MANY: u64 = 10_000;

/// The schema of such a run.
const SCHEMA_OF_MANY: u32 = 2;

/// The schema of a run of so many planned episodes; none are planned where clients ask for them.
pub fn schema_of(planned: Option<usize>) -> u32 {
    match planned.is_some_and(|planned| planned as u64 >= MANY) {
        true => SCHEMA_OF_MANY,
        false => SCHEMA,
    }
}

/// The number of a schema, if this program knows it.
fn known_schema(schema: u64) -> Result<u32, String> {
    let mut known = [SCHEMA, SCHEMA_OF_MANY].into_iter();
    known.find(|known| u64::from(*known) == schema).ok_or_else(|| {
        format!("written in schema {schema}, but this version reads schema {SCHEMA} and {SCHEMA_OF_MANY}")
    })
}

/// The text of `run.toml` with the schema of such a run.
pub(super) fn with_many(text: &str) -> String {
    let is_schema = |line: &str| line.split('=').next().is_some_and(|key| key.trim() == "schema");
    // It is the first key of the file, before all tables.
    let rest = match text.split_once('\n') {
        Some((first, rest)) if is_schema(first) => rest,
        None if is_schema(text) => "",
        _ => text,
    };
    format!("schema = {SCHEMA_OF_MANY}\n{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_written_is_absent() {
        let whole = "schema = 1\nname = \"a\"\nid = \"4f\"\nrolecall = \"0.1.0\"\nseed = 7\n\
                     [[cells]]\nname = \"react\"\n[[cells.roles]]\nrole = \"executor\"\n\
                     [[cells]]\nname = \"act\"\n[[cells.roles]]\nrole = \"executor\"\n\
                     [[cells.users]]\nkind = \"helpful\"";
        let record = RunRecord::parse(whole, "folder").unwrap();
        assert_eq!((record.name.as_str(), record.seed), ("a", Some(Seed(7))));
        assert_eq!(record.version.as_deref(), Some("0.1.0"));
        assert_eq!(record.id.as_deref(), Some("4f"));
        let cells: Vec<&str> = record.cells.iter().map(CellName::as_str).collect();
        assert_eq!(cells, ["react", "act"]);
        let seats: Vec<&str> = record.seats.iter().map(Seat::as_str).collect();
        assert_eq!(seats, ["executor", "user", "environment", "conductor"]);
        let short = RunRecord::parse("schema = 1", "folder").unwrap();
        assert_eq!((short.name.as_str(), short.seed), ("folder", None));
        assert!(short.version.is_none() && short.cells.is_empty());
    }

    #[test]
    fn a_branch_names_its_parent_and_plays_what_it_takes_over() {
        let text = "episodes = 12\n[parent]\nrun = \"a\"\nfolder = \"logs/a\"\nat = \"last\"\n\
                    [parent.episodes]\n\"main:3:0\" = 7\n\
                    [parent.digests]\n\"main:3:0\" = \"0000000000000007\"";
        let record = RunRecord::parse(text, "b").unwrap();
        assert_eq!(record.episodes, Some(1));
        let parent = record.parent.unwrap();
        assert_eq!((parent.run.as_str(), parent.at.as_str()), ("a", "last"));
        let id: EpisodeId = "main:3:0".parse().unwrap();
        assert_eq!(parent.episodes, BTreeMap::from([(id.clone(), 7)]));
        assert_eq!(parent.digests, BTreeMap::from([(id, Digest(7))]));
    }

    #[test]
    fn changes_that_were_accepted_are_told_apart() {
        let text = "[[changes]]\nepisodes_closed = 2\nepisodes_open = 1\nwhat = [\"a\", \"b\"]\n\
                    [[changes]]\nwhat = [\"c\"]";
        let changes = RunRecord::parse(text, "a").unwrap().changes;
        assert_eq!((changes[0].closed, changes[0].open), (Some(2), Some(1)));
        assert_eq!(changes[0].what, ["a", "b"]);
        assert_eq!((changes[1].closed, changes[1].what.len()), (None, 1));
    }

    #[test]
    fn what_makes_no_sense_is_said() {
        let wrong = [
            ("schema = 3", "schema 3"),
            ("seed = \"x\"", "`seed` must be a whole number"),
            ("id = \"a b\"", "`id` must be 1 to 64 letters and digits"),
            ("cells = 3", "`cells` must be a list"),
            ("seed = -1", "`seed` must not be negative"),
            ("cells = [\"react\"]", "`cells` must hold tables"),
            ("name", "not TOML"),
            ("parent = 1", "`parent.episodes` must be a table"),
            (
                "[parent]\nrun = \"a\"\nfolder = \"a\"\nat = \"1\"\nepisodes.x = 1",
                "must name episodes and numbers of events",
            ),
            ("[parent.episodes]", "`parent.run` must be a text"),
            ("[parent]\nseed = -1\n[parent.episodes]", "`parent` does not say what happens where episodes leave it"),
            (
                "[parent]\nrun = \"a\"\nfolder = \"a\"\nat = \"1\"\nepisodes = {}\n\
                 digests = { \"a:0:0\" = \"x\" }",
                "must name episodes and their digests",
            ),
        ];
        for (text, part) in wrong {
            let error = RunRecord::parse(text, "folder").unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn the_schema_rises_with_ten_thousand_episodes() {
        let planned = [None, Some(9_999), Some(10_000)];
        assert_eq!(planned.map(schema_of), [1, 1, 2]);
        assert!(known_schema(1).is_ok() && known_schema(2).is_ok() && known_schema(3).is_err());
        for (was, is) in [
            ("schema = 1\nname = \"a\"\n", "schema = 2\nname = \"a\"\n"),
            ("name = \"a\"\n", "schema = 2\nname = \"a\"\n"),
            ("schema = 1", "schema = 2\n"),
        ] {
            assert_eq!(with_many(was), is);
        }
    }
}
