//! Replays recordings of the original program and collects every difference.
//!
//! A recording is a `*.jsonl` file, one step a line: `game` (a path below the data folder),
//! `episode`, `step`, `command` (null for a reset), `observation`, `admissible_commands`, `won`,
//! `score`, `done`. Fields that a line lacks are not compared. Every episode is played in a room of
//! its own, so that lines of several episodes may be mixed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use serde::Deserialize;

use crate::kit::{Comparison, shown};
use rolecall_core::text::json;
use rolecall_household::{Commands, Game, World};

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

/// Replays every recording in `oracle` with the games below `data`.
///
/// # Errors
/// When the folder of recordings cannot be read or holds none. Anything wrong with a single
/// recording or game is a difference.
pub fn compare(oracle: &Path, data: &Path) -> anyhow::Result<Comparison> {
    let mut replay = Replay {
        data,
        games: BTreeMap::new(),
        commands: Commands::default(),
        steps: 0,
        differing: 0,
        differences: Vec::new(),
    };
    recordings(oracle)?.iter().for_each(|file| replay.file(file));
    let Replay { steps, differing, differences, .. } = replay;
    let shown = shown(differences.into_iter());
    Ok(Comparison { text: format!("{shown}{steps} steps checked, {differing} differ"), differing })
}

/// The recordings of a folder, or the one file, sorted by path.
fn recordings(oracle: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if oracle.is_file() {
        return Ok(vec![oracle.to_owned()]);
    }
    let paths = std::fs::read_dir(oracle).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
    let mut files: Vec<PathBuf> = paths.with_context(|| format!("`{}` cannot be read", oracle.display()))?;
    files.retain(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
    files.sort();
    if files.is_empty() {
        bail!("no recording was found in `{}`; expected files named `*.jsonl`", oracle.display());
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
    commands: Commands,
    /// Steps replayed and compared, resets included.
    steps: usize,
    /// Steps with at least one difference, and lines or files that could not be replayed.
    differing: usize,
    /// Every difference, in the order of files and lines.
    differences: Vec<String>,
}

/// A line that could not be replayed: the field, the expected value, and the value found.
type Broken = (&'static str, &'static str, String);

/// Text of a value that came out differently.
fn difference(at: &str, field: &str, expected: &str, got: &str) -> String {
    format!("{at} {field}: expected {expected:?}, got {got:?}")
}

impl Replay<'_> {
    fn file(&mut self, file: &Path) {
        let file_name = file.display();
        let text = match std::fs::read_to_string(file) {
            Ok(text) if text.trim().is_empty() => Err(("file", "recorded steps", "an empty file".to_owned())),
            Ok(text) => Ok(text),
            Err(fault) => Err(("file", "a readable recording", fault.to_string())),
        };
        let text = match text {
            Ok(text) => text,
            Err(broken) => return self.broken(&format!("{file_name}:0"), broken),
        };
        let mut rooms = Rooms::new();
        let lines = (1..).zip(text.lines());
        for (line, text) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let at = format!("{file_name}:{line}");
            if let Err(broken) = self.row(&at, text, &mut rooms) {
                self.broken(&at, broken);
            }
        }
    }

    /// Records something that could not be replayed.
    fn broken(&mut self, at: &str, broken: Broken) {
        let (field, expected, got) = broken;
        self.differing += 1;
        let difference = difference(at, field, expected, &got);
        self.differences.push(difference);
    }

    fn row(&mut self, at: &str, text: &str, rooms: &mut Rooms) -> Result<(), Broken> {
        let row = json::read(text);
        let no_step = |fault: serde_json::Error| fault.to_string();
        let row: Row = row.map_err(|fault| ("line", "a JSON object of a step", no_step(fault)))?;
        let game = self.game(&row.game);
        let game = game.map_err(|fault| ("game", "a playable game", fault))?;
        let key = (row.game.clone(), row.episode.to_string());
        if row.command.is_none() {
            rooms.insert(key.clone(), World::new(game));
        }
        let no_reset = || {
            let expected = "a reset before the first command of an episode";
            ("line", expected, "none".to_owned())
        };
        let world = rooms.get_mut(&key).ok_or_else(no_reset)?;
        let observation = match &row.command {
            Some(command) => world.perform(command),
            None => world.reset_observation(),
        };
        self.steps += 1;
        let step = row.step.map_or(String::new(), |step| format!(" step {step}"));
        self.compare(&format!("{at}{step}"), &row, world, observation);
        Ok(())
    }

    fn game(&mut self, name: &str) -> Result<Arc<Game>, String> {
        let load = || match Game::load(&self.data.join(name)) {
            Ok(game) => Ok(Arc::new(game)),
            Err(fault) => Err(fault.to_string()),
        };
        let games = &mut self.games;
        games.entry(name.to_owned()).or_insert_with(load).clone()
    }

    fn compare(&mut self, at: &str, row: &Row, world: &World, observation: String) {
        let before = self.differences.len();
        let differences = &mut self.differences;
        let mut check = |field: &str, expected: Option<String>, got: String| {
            if let Some(expected) = expected.filter(|expected| *expected != got) {
                differences.push(difference(at, field, &expected, &got));
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
        let texts = |flag: Option<bool>| flag.map(|flag| flag.to_string());
        check("won", texts(row.won), won.to_string());
        let recorded = row.score.map(|score| score.to_string());
        check("score", recorded, score.to_string());
        check("done", texts(row.done), won.to_string());
        self.differing += usize::from(self.differences.len() > before);
    }
}

/// The first place where two lists of commands part, with its position.
fn first_difference(expected: &[String], got: &Commands) -> (String, String) {
    let pairs = expected.iter().zip(got.iter());
    let same = pairs.take_while(|(one, two)| one == two).count();
    let show = |command: Option<&str>| {
        let command = command.unwrap_or("end of the list");
        format!("#{same} {command}")
    };
    let expected = expected.get(same).map(String::as_str);
    (show(expected), show(got.iter().nth(same)))
}
