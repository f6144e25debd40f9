//! Where configs and persona cards are looked for: beside what names them, upwards, in the working folder
//! and above, and at last among those inside the program.

use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use serde::Serialize;

use super::error::{did_you_mean, listed, quoted};
use super::origin::shown;
use rolecall_core::files::{self, shipped};

/// The folder of configs that are named without their folder.
const CONFIGS: &str = "configs";
/// The folder of persona cards.
const AGENTS: &str = "agents";
const TOML: &str = ".toml";

/// The config that a name means: a path from `folder`, with or without its `.toml`; else the same below a
/// folder `configs` there or above, or in the working folder or above; else a shipped one. Of a shipped
/// one the last part of its path is enough where no other ends like it.
///
/// # Errors
/// The end of a sentence about the name: it does not exist, and where it was looked for.
pub(super) fn config(name: &Path, folder: &Path, working: &Path) -> Result<PathBuf, String> {
    let written = match shipped::is_shipped(name) {
        true => shipped::simplified(name),
        false => folder.join(name),
    };
    let forms = forms(&written);
    if let Some(found) = forms.iter().find(|form| is_file(form)) {
        return Ok(found.clone());
    }
    // What is there, but no file, is refused by whoever reads it.
    let below = if written.exists() { Vec::new() } else { below_configs(name) };
    let ends: Vec<&str> = name.to_str().filter(|name| !name.contains('/')).map(ending).unwrap_or_default();
    let short = match ends[..] {
        [one] => Some(PathBuf::from(format!("{one}{TOML}"))),
        _ => None,
    };
    let wanted: Vec<&PathBuf> = below.iter().chain(&short).collect();
    let folders = folders(&[folder, working], CONFIGS);
    let mut candidates = folders
        .iter()
        .cloned()
        .chain([shipped::path(CONFIGS)])
        .flat_map(|folder| wanted.iter().map(move |name| folder.join(name)));
    if let Some(found) = candidates.find(|candidate| is_file(candidate)) {
        return Ok(found);
    }
    if written.exists() {
        return Ok(written);
    }
    let mut problem = String::from("does not exist");
    if ends.len() > 1 {
        problem = format!("may be any of {}", listed(ends));
    } else if !below.is_empty() {
        let searched = searched(&folders, &[folder, working], CONFIGS, working);
        let beside = quoted(&shown(folder, working));
        problem += &format!("; looked in {beside}, {searched} and among the shipped configs");
        let known = shipped::below(CONFIGS, TOML).map(|(name, _)| name);
        problem += &did_you_mean(&name.with_extension("").to_string_lossy(), known);
    }
    Err(problem + "; `rolecall list configs` lists them")
}

/// A path as it was written, and with the ending of configs if it has none.
fn forms(written: &Path) -> Vec<PathBuf> {
    let mut forms = vec![written.to_owned()];
    if written.extension().is_none_or(|ending| ending != "toml") {
        let mut longer = written.as_os_str().to_owned();
        longer.push(TOML);
        forms.push(longer.into());
    }
    forms
}

/// The paths below a folder of configs that a name can mean; none for a path that says where it begins.
fn below_configs(name: &Path) -> Vec<PathBuf> {
    let inside = |part: Component<'_>| matches!(part, Component::Normal(_));
    if shipped::is_shipped(name) || !name.components().all(inside) || name.as_os_str().is_empty() {
        return Vec::new();
    }
    let below = name.strip_prefix(CONFIGS).unwrap_or(name);
    if below.as_os_str().is_empty() { Vec::new() } else { forms(below) }
}

/// The shipped configs whose path ends with this name.
fn ending(name: &str) -> Vec<&'static str> {
    let name = name.strip_suffix(TOML).unwrap_or(name);
    let known = shipped::below(CONFIGS, TOML).map(|(known, _)| known);
    known.filter(|known| known.rsplit('/').next() == Some(name)).collect()
}

/// Whether there is such a file, shipped or on the disk.
fn is_file(path: &Path) -> bool {
    match shipped::is_shipped(path) {
        true => shipped::read(path).is_some(),
        false => path.is_file(),
    }
}

/// The folders with this name in or above any of these, on the disk, the nearest first.
fn folders(starts: &[&Path], name: &str) -> Vec<PathBuf> {
    let starts = starts.iter().filter(|start| !shipped::is_shipped(start));
    let mut found: Vec<PathBuf> = Vec::new();
    for folder in starts.flat_map(|start| start.ancestors()).map(|above| above.join(name)) {
        if folder.is_dir() && !found.contains(&folder) {
            found.push(folder);
        }
    }
    found
}

/// The folders that were searched, as messages list them: those that were found at or above the starts.
fn searched(found: &[PathBuf], starts: &[&Path], name: &str, working: &Path) -> String {
    let listed = |folders: &mut dyn Iterator<Item = &Path>| {
        let folders: Vec<String> = folders.map(|folder| quoted(&shown(folder, working))).collect();
        folders.join(", ")
    };
    match found.is_empty() {
        true => {
            let mut starts = starts.to_vec();
            starts.dedup();
            let starts = listed(&mut starts.into_iter().filter(|start| !shipped::is_shipped(start)));
            format!("for a folder `{name}` in {starts} and above (there is none)")
        }
        false => format!("in {}", listed(&mut found.iter().map(PathBuf::as_path))),
    }
}

/// The folders in which persona cards are looked for, in this order; the shipped cards come after all.
pub(super) struct Agents {
    folders: Vec<PathBuf>,
    /// Where the search for these folders began.
    starts: [PathBuf; 2],
    /// The shipped cards are not looked at.
    without_shipped: bool,
}

impl Agents {
    /// The `agents` folders beside a config, above it, and in the working folder and above; or the first of
    /// these alone.
    pub(super) fn around(config: &Path, working: &Path, first_only: bool) -> Self {
        let real = config.canonicalize().unwrap_or_else(|_| config.to_owned());
        let starts = [real.parent().unwrap_or(Path::new("")), working];
        let mut folders = folders(&starts, AGENTS);
        folders.truncate(if first_only { 1 } else { usize::MAX });
        Self { folders, starts: starts.map(Path::to_owned), without_shipped: first_only }
    }

    /// The folder that the config names, and no other.
    pub(super) fn named(folder: PathBuf, working: &Path, without_shipped: bool) -> Self {
        Self { starts: [folder.clone(), working.to_owned()], folders: vec![folder], without_shipped }
    }

    /// The file of the first of these cards in the first folder that has one.
    pub(super) fn find<'a>(&self, cards: &'a [String]) -> Option<(&'a str, PathBuf)> {
        let shipped = Some(shipped::path(AGENTS)).filter(|_| !self.without_shipped);
        self.folders.iter().chain(&shipped).find_map(|folder| {
            let mut files = cards.iter().map(|card| (&**card, folder.join(format!("{card}{TOML}"))));
            // What is there, but no file, is refused by whoever reads it.
            files.find(|(_, file)| is_file(file) || file.exists())
        })
    }

    /// The end of the message about a card that is nowhere.
    pub(super) fn nowhere(&self, card: &str) -> String {
        let near = did_you_mean(card, shipped::below(AGENTS, TOML).map(|(name, _)| name));
        let [beside, working] = &self.starts;
        let searched = searched(&self.folders, &[beside, working], AGENTS, working);
        format!("which is no card{near}; looked {searched} and among the shipped cards")
    }
}

/// The largest config file and the largest persona card, in bytes.
pub(super) const LARGEST_CONFIG: u64 = 1024 * 1024;
/// The largest prompt and the largest exemplar, in bytes.
pub(super) const LARGEST_TEXT: u64 = 4 * 1024 * 1024;

/// Reads a regular file of at most `largest` bytes of UTF-8, or a shipped one. The error says what is wrong with
/// it, without its name.
pub(super) fn read_text(path: &Path, largest: u64) -> Result<String, String> {
    let bytes = files::read(path, largest).map_err(|error| match error.kind() {
        ErrorKind::NotFound => "does not exist".to_owned(),
        ErrorKind::IsADirectory => "is a folder, not a file".to_owned(),
        ErrorKind::InvalidInput => "is not a regular file".to_owned(),
        ErrorKind::FileTooLarge => format!("is larger than {} KiB", largest / 1024),
        _ => format!("cannot be read: {error}"),
    })?;
    String::from_utf8(bytes).map_err(|error| {
        let end = error.utf8_error().valid_up_to();
        format!("is not UTF-8: the bytes from {end} on are no text")
    })
}

/// A file that the run was resolved from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileRecord {
    /// Its kind: `config`, `card`, `prompt` or `exemplars`.
    pub kind: &'static str,
    /// Its path, relative to the working folder if it lies below.
    pub path: String,
    /// Hash of its content.
    pub blake3: String,
}

impl FileRecord {
    pub(super) fn of(kind: &'static str, path: &str, content: &[u8]) -> Self {
        Self { kind, path: path.to_owned(), blake3: blake3::hash(content).to_hex().to_string() }
    }
}
