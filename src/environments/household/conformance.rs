//! Replays recordings of the original program and collects every difference.
//!
//! A recording is a `*.jsonl` file, one step a line: `game` (a path below the data folder),
//! `episode`, `step`, `command` (null for a reset), `observation`, `admissible_commands`, `won`,
//! `score`, `done`. Fields that a line lacks are not compared. Every episode is played in a room of
//! its own, so that lines of several episodes may be mixed.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

use super::admissible::Commands;
use super::error::HouseholdError;
use super::game::Game;
use super::world::World;
use crate::conformance::{Comparison, shown};

/// One line of a recording, as far as it is compared.
#[derive(Debug, Deserialize)]
struct Row {
    game: String,
    #[serde(default)]
    episode: serde_json::Value,
    step: Option<u64>,
    command: Option<String>,
    observation: Option<String>,
    admissible_commands: Option<Vec<String>>,
    won: Option<bool>,
    score: Option<f64>,
    done: Option<bool>,
}

/// A field of a recorded step that came out differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The recording.
    pub file: PathBuf,
    /// Line in it, from 1.
    pub line: usize,
    /// The recorded number of the step, if it has one.
    pub step: Option<u64>,
    /// The field, or `game`, `line`, `file` for what could not be replayed.
    pub field: &'static str,
    /// What was recorded.
    pub expected: String,
    /// What this crate gives.
    pub got: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}", self.file.display(), self.line)?;
        if let Some(step) = self.step {
            write!(formatter, " step {step}")?;
        }
        write!(
            formatter,
            " {}: expected {:?}, got {:?}",
            self.field, self.expected, self.got
        )
    }
}

/// The outcome of a replay.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Recordings read.
    pub files: usize,
    /// Steps replayed and compared, resets included.
    pub steps: usize,
    /// Steps with at least one difference, and lines or files that could not be replayed.
    pub differing: usize,
    /// Every difference, in the order of files and lines.
    pub differences: Vec<Difference>,
}

/// Replays every recording in `oracle` with the games below `data`.
///
/// # Errors
/// When the folder of recordings cannot be read or holds none. Anything wrong with a single
/// recording or game is a difference in the report.
pub fn replay(oracle: &Path, data: &Path) -> Result<Report, HouseholdError> {
    let files = recordings(oracle)?;
    let mut replay = Replay {
        data,
        games: BTreeMap::new(),
        report: Report::default(),
        commands: Commands::default(),
    };
    for file in files {
        replay.file(&file);
    }
    Ok(replay.report)
}

/// Replays the recordings, for `rolecall conformance`.
///
/// # Errors
/// As [`replay`].
pub fn compare(oracle: &Path, data: &Path) -> anyhow::Result<Comparison> {
    let report = replay(oracle, data)?;
    let differing = report.differing;
    let mut text = shown(report.differences.iter().map(ToString::to_string));
    text.push_str(&format!(
        "{} steps checked, {differing} differ",
        report.steps
    ));
    Ok(Comparison { text, differing })
}

/// The recordings of a folder, or the one file, sorted by path.
fn recordings(oracle: &Path) -> Result<Vec<PathBuf>, HouseholdError> {
    let read = |source| HouseholdError::Read {
        path: oracle.display().to_string(),
        source,
    };
    if oracle.is_file() {
        return Ok(vec![oracle.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(oracle).map_err(read)? {
        let path = entry.map_err(read)?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "jsonl")
        {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(HouseholdError::NoRecordings {
            path: oracle.display().to_string(),
        });
    }
    Ok(files)
}

/// A replay under way.
struct Replay<'d> {
    data: &'d Path,
    /// Games read so far, or why they cannot be played.
    games: BTreeMap<String, Result<Arc<Game>, String>>,
    report: Report,
    commands: Commands,
}

impl Replay<'_> {
    fn file(&mut self, file: &Path) {
        self.report.files += 1;
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(fault) => {
                self.broken(file, 0, "file", "a readable recording", &fault.to_string());
                return;
            }
        };
        let mut rooms: BTreeMap<(String, String), World> = BTreeMap::new();
        let mut rows = 0;
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            rows += 1;
            match serde_json::from_str::<Row>(line) {
                Ok(row) => self.row(file, index + 1, &row, &mut rooms),
                Err(fault) => self.broken(
                    file,
                    index + 1,
                    "line",
                    "a JSON object of a step",
                    &fault.to_string(),
                ),
            }
        }
        if rows == 0 {
            self.broken(file, 0, "file", "recorded steps", "an empty file");
        }
    }

    /// Records something that could not be replayed.
    fn broken(&mut self, file: &Path, line: usize, field: &'static str, expected: &str, got: &str) {
        self.report.differing += 1;
        let (expected, got) = (expected.to_owned(), got.to_owned());
        self.report.differences.push(Difference {
            file: file.to_owned(),
            line,
            step: None,
            field,
            expected,
            got,
        });
    }

    fn row(
        &mut self,
        file: &Path,
        line: usize,
        row: &Row,
        rooms: &mut BTreeMap<(String, String), World>,
    ) {
        let game = match self.game(&row.game) {
            Ok(game) => game,
            Err(fault) => return self.broken(file, line, "game", "a playable game", &fault),
        };
        let key = (row.game.clone(), row.episode.to_string());
        let observation = match (&row.command, rooms.get_mut(&key)) {
            (None, _) => {
                let world = World::new(game);
                let observation = world.reset_observation();
                rooms.insert(key.clone(), world);
                observation
            }
            (Some(command), Some(world)) => world.perform(command),
            (Some(_), None) => {
                return self.broken(
                    file,
                    line,
                    "line",
                    "a reset before the first command of an episode",
                    "none",
                );
            }
        };
        let Some(world) = rooms.get(&key) else { return };
        self.report.steps += 1;
        self.compare(file, line, row, world, &observation);
    }

    fn game(&mut self, name: &str) -> Result<Arc<Game>, String> {
        let load = || {
            Game::load(&self.data.join(name))
                .map(Arc::new)
                .map_err(|fault| fault.to_string())
        };
        self.games
            .entry(name.to_owned())
            .or_insert_with(load)
            .clone()
    }

    fn compare(&mut self, file: &Path, line: usize, row: &Row, world: &World, observation: &str) {
        let before = self.report.differences.len();
        let differences = &mut self.report.differences;
        let mut differs = |field: &'static str, expected: String, got: String| {
            let (file, step) = (file.to_owned(), row.step);
            differences.push(Difference {
                file,
                line,
                step,
                field,
                expected,
                got,
            });
        };
        if let Some(expected) = row
            .observation
            .as_deref()
            .filter(|expected| *expected != observation)
        {
            differs("observation", expected.to_owned(), observation.to_owned());
        }
        if let Some(expected) = &row.admissible_commands {
            world.admissible_into(&mut self.commands);
            if !self.commands.iter().eq(expected.iter().map(String::as_str)) {
                let (wanted, found) = first_difference(expected, &self.commands);
                differs("admissible_commands", wanted, found);
            }
        }
        let won = world.won();
        if let Some(expected) = row.won.filter(|expected| *expected != won) {
            differs("won", expected.to_string(), won.to_string());
        }
        let score = f64::from(u8::from(won));
        if let Some(expected) = row
            .score
            .filter(|expected| expected.to_bits() != score.to_bits())
        {
            differs("score", expected.to_string(), score.to_string());
        }
        if let Some(expected) = row.done.filter(|expected| *expected != won) {
            differs("done", expected.to_string(), won.to_string());
        }
        self.report.differing += usize::from(self.report.differences.len() > before);
    }
}

/// The first place where two lists of commands part, with its position.
fn first_difference(expected: &[String], got: &Commands) -> (String, String) {
    let same = expected
        .iter()
        .zip(got.iter())
        .take_while(|(one, two)| one == two)
        .count();
    let show = |command: Option<&str>| match command {
        Some(command) => format!("#{same} {command}"),
        None => format!("#{same} end of the list"),
    };
    (
        show(expected.get(same).map(String::as_str)),
        show(got.get(same)),
    )
}
