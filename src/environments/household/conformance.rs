//! Replays recordings of the original program and collects every difference.
//!
//! A recording is a `*.jsonl` file, one step a line: `game` (a path below the data folder),
//! `episode`, `step`, `command` (null for a reset), `observation`, `admissible_commands`, `won`,
//! `score`, `done`. Fields that a line lacks are not compared. Every episode is played in a room of
//! its own, so that lines of several episodes may be mixed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

use super::{Commands, Game, HouseholdError, World};
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
    pub differences: Vec<String>,
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
    let mut text = shown(report.differences.into_iter());
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

/// Rooms by game and episode.
type Rooms = BTreeMap<(String, String), World>;

/// A replay under way.
struct Replay<'d> {
    data: &'d Path,
    /// Games read so far, or why they cannot be played.
    games: BTreeMap<String, Result<Arc<Game>, String>>,
    report: Report,
    commands: Commands,
}

/// Where something was recorded.
struct RecordedAt<'a> {
    file: &'a Path,
    /// Line in it, from 1; 0 for the whole file.
    line: usize,
    /// The recorded number of the step, if it has one.
    step: Option<u64>,
}

impl RecordedAt<'_> {
    /// That a field came out differently; `game`, `line` and `file` stand for what could not be replayed.
    fn differs(&self, field: &str, expected: &str, got: &str) -> String {
        let Self { file, line, step } = self;
        let step = step.map_or(String::new(), |step| format!(" step {step}"));
        let file = file.display();
        format!("{file}:{line}{step} {field}: expected {expected:?}, got {got:?}")
    }
}

impl Replay<'_> {
    fn file(&mut self, file: &Path) {
        self.report.files += 1;
        let at = |line| RecordedAt {
            file,
            line,
            step: None,
        };
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(fault) => {
                return self.broken(&at(0), "file", "a readable recording", &fault.to_string());
            }
        };
        let mut rooms: Rooms = BTreeMap::new();
        let lines = (1..).zip(text.lines());
        let mut lines = lines.filter(|(_, line)| !line.trim().is_empty()).peekable();
        if lines.peek().is_none() {
            self.broken(&at(0), "file", "recorded steps", "an empty file");
        }
        for (line, text) in lines {
            let at = at(line);
            match serde_json::from_str::<Row>(text) {
                Ok(row) => self.row(at, &row, &mut rooms),
                Err(fault) => {
                    self.broken(&at, "line", "a JSON object of a step", &fault.to_string());
                }
            }
        }
    }

    /// Records something that could not be replayed.
    fn broken(&mut self, at: &RecordedAt<'_>, field: &str, expected: &str, got: &str) {
        self.report.differing += 1;
        let difference = at.differs(field, expected, got);
        self.report.differences.push(difference);
    }

    fn row(&mut self, at: RecordedAt<'_>, row: &Row, rooms: &mut Rooms) {
        let game = match self.game(&row.game) {
            Ok(game) => game,
            Err(fault) => return self.broken(&at, "game", "a playable game", &fault),
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
                let expected = "a reset before the first command of an episode";
                return self.broken(&at, "line", expected, "none");
            }
        };
        let Some(world) = rooms.get(&key) else { return };
        self.report.steps += 1;
        let at = RecordedAt {
            step: row.step,
            ..at
        };
        self.compare(&at, row, world, observation);
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

    fn compare(&mut self, at: &RecordedAt<'_>, row: &Row, world: &World, observation: String) {
        let before = self.report.differences.len();
        let differences = &mut self.report.differences;
        let mut check = |field: &str, expected: Option<String>, got: String| {
            if let Some(expected) = expected.filter(|expected| *expected != got) {
                differences.push(at.differs(field, &expected, &got));
            }
        };
        check("observation", row.observation.clone(), observation);
        if let Some(expected) = &row.admissible_commands {
            world.admissible_into(&mut self.commands);
            if !self.commands.iter().eq(expected.iter().map(String::as_str)) {
                let (wanted, found) = first_difference(expected, &self.commands);
                check("admissible_commands", Some(wanted), found);
            }
        }
        let won = world.won();
        let score = f64::from(u8::from(won));
        check("won", row.won.map(|won| won.to_string()), won.to_string());
        let recorded = row.score.map(|score| score.to_string());
        check("score", recorded, score.to_string());
        check(
            "done",
            row.done.map(|done| done.to_string()),
            won.to_string(),
        );
        self.report.differing += usize::from(self.report.differences.len() > before);
    }
}

/// The first place where two lists of commands part, with its position.
fn first_difference(expected: &[String], got: &Commands) -> (String, String) {
    let pairs = expected.iter().zip(got.iter());
    let same = pairs.take_while(|(one, two)| one == two).count();
    let show = |command: Option<&str>| match command {
        Some(command) => format!("#{same} {command}"),
        None => format!("#{same} end of the list"),
    };
    let expected = expected.get(same).map(String::as_str);
    (show(expected), show(got.iter().nth(same)))
}
