//! Finds games: one file, one folder, or a whole `json_2.1.1` tree with a split; and reads a `game.tw-pddl` file, the
//! JSON around the texts of a game.
//!
//! Listing reads no game: it looks at paths, at the end of each file for its `solvable` key and, when
//! task types are asked for, at `traj_data.json`. A folder without `traj_data.json` is accepted, since
//! published archives leave it out; its task type is then read from the goal.

use std::borrow::Cow;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{Defect, Game, HouseholdError, Rules, TaskType, compile};
use rolecall_core::files;
use rolecall_core::text::json;
use rolecall_core::text::mt19937::NumpyRandom;

/// The name every game file has.
pub const GAME_FILE: &str = "game.tw-pddl";

/// Paths that contain one of these are no games of the text world.
const EXCLUDED: [&str; 2] = ["movable", "Sliced"];

/// How much of the end of a file is searched for its `solvable` key.
const TAIL: u64 = 4096;

/// Which games of a tree are played, and in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// Folder below the root: `train`, `valid_seen`, `valid_unseen`, …; none: everything below it.
    pub split: Option<String>,
    /// Task types to keep; empty: all.
    pub task_types: Vec<TaskType>,
    /// Seed of the official shuffle (`numpy.random.RandomState(seed).shuffle`); none: sorted by path.
    pub shuffle: Option<u32>,
    /// At most so many games, cut before shuffling as the original does; none: all.
    pub limit: Option<usize>,
    /// The rules that they are read by.
    pub rules: Rules,
}

/// The files of the games that `selection` takes from `path`: a game file, the folder of one game, or
/// a tree of them. Sorted by path, then shuffled if asked for.
///
/// # Errors
/// When something cannot be read, the split does not exist, or no game is left.
pub fn list(path: &Path, selection: &Selection) -> Result<Vec<PathBuf>, HouseholdError> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    let root = match &selection.split {
        Some(split) => split_folder(path, split)?,
        None => path.to_owned(),
    };
    let mut found = Vec::new();
    walk(&root, &mut found)?;
    let total = found.len();
    found.sort_by(|one, two| one.as_os_str().as_encoded_bytes().cmp(two.as_os_str().as_encoded_bytes()));
    let mut files = Vec::with_capacity(found.len());
    for file in found {
        if selection.limit.is_some_and(|limit| files.len() == limit) {
            break;
        }
        if is_selected(&file, &root, selection)? {
            files.push(file);
        }
    }
    if files.is_empty() {
        let hint = match total {
            0 => String::new(),
            _ => format!(
                "; {total} were found and left out: not marked as solvable, of another task type, or below \
                 a folder of `movable` or `Sliced` things"
            ),
        };
        return Err(HouseholdError::NoGames { path: root.display().to_string(), hint });
    }
    if let Some(seed) = selection.shuffle {
        NumpyRandom::new(seed).shuffle(&mut files);
    }
    Ok(files)
}

fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> HouseholdError {
    let path = path.display().to_string();
    move |source| HouseholdError::Read { path, source }
}

/// The folder of a split, below the root or the root itself.
fn split_folder(root: &Path, split: &str) -> Result<PathBuf, HouseholdError> {
    let folder = root.join(split);
    if folder.is_dir() {
        return Ok(folder);
    }
    if root.is_dir() && root.file_name().is_some_and(|name| name == split) {
        return Ok(root.to_owned());
    }
    let mut names = Vec::new();
    for entry in std::fs::read_dir(root).map_err(unreadable(root))? {
        let entry = entry.map_err(unreadable(root))?;
        if entry.path().is_dir() {
            names.push(format!("`{}`", entry.file_name().to_string_lossy()));
        }
    }
    names.sort();
    let available = if names.is_empty() { "no folders".to_owned() } else { names.join(", ") };
    Err(HouseholdError::NoSplit { path: root.display().to_string(), split: split.to_owned(), available })
}

/// Collects all game files below a folder, whatever they turn out to be. Links to folders are
/// followed, but not back to a folder that they are in, and no deeper than real trees are.
fn walk(root: &Path, found: &mut Vec<PathBuf>) -> Result<(), HouseholdError> {
    const DEPTH_LIMIT: usize = 16;
    let mut folders = vec![(root.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        for entry in std::fs::read_dir(&folder).map_err(unreadable(&folder))? {
            let entry = entry.map_err(unreadable(&folder))?;
            let path = entry.path();
            let kind = entry.file_type().map_err(unreadable(&path))?;
            let is_link = kind.is_symlink();
            if entry.file_name() == GAME_FILE {
                found.push(path);
            } else if (kind.is_dir() || is_link && path.is_dir() && !leads_back(&path)) && depth < DEPTH_LIMIT {
                folders.push((path, depth + 1));
            }
        }
    }
    Ok(())
}

/// Whether a link to a folder leads to one that it is in. One that cannot be followed does not.
fn leads_back(link: &Path) -> bool {
    let holder = link.parent().map(Path::canonicalize);
    match (link.canonicalize(), holder) {
        (Ok(target), Some(Ok(holder))) => holder.starts_with(target),
        _ => false,
    }
}

/// The rules of `collect_game_files` in the original. Only the part of the path below the root
/// decides about excluded words, so that games may lie anywhere.
fn is_selected(file: &Path, root: &Path, selection: &Selection) -> Result<bool, HouseholdError> {
    let below = file.strip_prefix(root).unwrap_or(file).to_string_lossy();
    if EXCLUDED.iter().any(|word| below.contains(word)) {
        return Ok(false);
    }
    // What cannot be read is kept, so that its episode says why and the others are played.
    if !is_solvable(file).unwrap_or(true) {
        return Ok(false);
    }
    if selection.task_types.is_empty() {
        return Ok(true);
    }
    let task_type = match recorded_task_type(&file.with_file_name("traj_data.json"))? {
        Some(recorded) => TaskType::from_prefix(&recorded),
        None => Some(Game::load_by(file, selection.rules)?.task_type()),
    };
    Ok(task_type.is_some_and(|found| selection.task_types.contains(&found)))
}

/// Whether the file says that its game can be solved. Usually the end of the file tells. A game
/// without the key is left out, as in the original; a file that is no game at all counts as
/// solvable, so that loading it reports what is wrong.
fn is_solvable(path: &Path) -> io::Result<bool> {
    #[derive(Deserialize)]
    struct Solvable {
        pddl_problem: Option<IgnoredAny>,
        solvable: Option<bool>,
    }
    let mut file = files::open(path)?;
    let length = file.metadata()?.len();
    let mut tail = Vec::new();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    file.take(TAIL).read_to_end(&mut tail)?;
    if let Some(solvable) = solvable_key(&tail) {
        return Ok(solvable);
    }
    let found = serde_json::from_slice::<Solvable>(&files::read_text(path, BYTE_LIMIT)?);
    Ok(found.map_or(true, |found| found.solvable.unwrap_or(found.pddl_problem.is_none())))
}

/// The value after `"solvable":`. Within a JSON string its quotes would be escaped.
fn solvable_key(tail: &[u8]) -> Option<bool> {
    const KEY: &[u8] = b"\"solvable\"";
    let start = tail.windows(KEY.len()).rposition(|window| window == KEY)?;
    let rest = tail.get(start + KEY.len()..)?.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
    let is = |word: &[u8]| rest.starts_with(word);
    if is(b"true") { Some(true) } else { is(b"false").then_some(false) }
}

/// The `task_type` of a `traj_data.json`; none when there is no such file or key.
fn recorded_task_type(path: &Path) -> Result<Option<String>, HouseholdError> {
    #[derive(Deserialize)]
    struct Trajectory {
        task_type: Option<String>,
    }
    match files::read_text(path, BYTE_LIMIT) {
        Ok(bytes) => Ok(serde_json::from_slice::<Trajectory>(&bytes).ok().and_then(|found| found.task_type)),
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(fault) => Err(unreadable(path)(fault)),
    }
}

/// The largest game file, in bytes; official ones take some 60 kB.
const BYTE_LIMIT: u64 = 16 << 20;

/// The JSON of a `game.tw-pddl` file.
#[derive(Deserialize)]
struct File<'a> {
    #[serde(borrow)]
    pddl_domain: Option<Cow<'a, str>>,
    #[serde(borrow)]
    grammar: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pddl_problem: Option<Cow<'a, str>>,
    solvable: Option<bool>,
    walkthrough: Option<Vec<String>>,
}

impl Game {
    /// Compiles the bytes of a `game.tw-pddl` file; `name` stands for it in errors and logs.
    ///
    /// # Errors
    /// When the bytes are not a game, or one whose rules or goal are not supported.
    pub fn from_json(name: &str, bytes: &[u8]) -> Result<Self, HouseholdError> {
        Self::from_json_by(name, bytes, Rules::Recognise)
    }

    /// Compiles the bytes of a `game.tw-pddl` file by these rules.
    ///
    /// # Errors
    /// As [`Game::from_json`].
    pub fn from_json_by(name: &str, bytes: &[u8], rules: Rules) -> Result<Self, HouseholdError> {
        let name_of = || name.to_owned();
        let in_game = |defect| HouseholdError::NotPlayable { name: name_of(), defect };
        let unreadable = |fault: serde_json::Error| Defect::Json {
            line: fault.line(),
            column: fault.column(),
            reason: json::reason(&fault),
        };
        let file = serde_json::from_slice(bytes).map_err(unreadable);
        let file: File<'_> = file.map_err(in_game)?;
        let missing = |key| move || in_game(Defect::MissingKey { key });
        let domain = file.pddl_domain.ok_or_else(missing("pddl_domain"))?;
        let grammar = file.grammar.ok_or_else(missing("grammar"))?;
        let problem = file.pddl_problem.ok_or_else(missing("pddl_problem"))?;
        match file.solvable {
            Some(true) => {}
            Some(false) => {
                return Err(HouseholdError::NotSolvable { name: name_of() });
            }
            None => return Err(missing("solvable")()),
        }
        let walkthrough = file.walkthrough.map(Vec::into_boxed_slice);
        let texts = [&*domain, &*grammar, &*problem];
        compile::game(name, texts, walkthrough, rules).map_err(in_game)
    }

    /// Reads and compiles one game file.
    ///
    /// # Errors
    /// When the file cannot be read, or as [`Game::from_json`].
    pub fn load(path: &Path) -> Result<Self, HouseholdError> {
        Self::load_by(path, Rules::Recognise)
    }

    /// Reads and compiles one game file by these rules.
    ///
    /// # Errors
    /// As [`Game::load`].
    pub fn load_by(path: &Path, rules: Rules) -> Result<Self, HouseholdError> {
        let name = path.display().to_string();
        match files::read_text(path, BYTE_LIMIT) {
            Ok(bytes) => Self::from_json_by(&name, &bytes, rules),
            Err(source) => Err(HouseholdError::Read { path: name, source }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_found_and_not_its_mention() {
        assert_eq!(solvable_key(br#"..", "solvable": true, "walkthrough": []}"#), Some(true));
        assert_eq!(solvable_key(br#"{"solvable":false}"#), Some(false));
        assert_eq!(solvable_key(br#"{"grammar": "\"solvable\": true"}"#), None);
        assert_eq!(solvable_key(br#"{"solvable": 1}"#), None);
    }
}
