//! The configs that a command can name: those of the working folder, and the shipped ones.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::bail;

use crate::output::instead;
use rolecall_core::files::{self, shipped};
use rolecall_core::reports::aligned;
use rolecall_core::text::{joined, visible};

/// The folder of configs.
const FOLDER: &str = "configs";

/// The folder of papers' tables below it, which is in the working folder or above, or inside the program.
const PAPERS: &str = "papers";

/// The largest config whose first lines are looked at, in bytes.
const LARGEST: u64 = 1 << 20;

/// A config by the name that commands take, with what its first line says.
pub(crate) struct KnownConfig {
    /// A path in the working folder, or the name of a shipped one, such as `models/openai`.
    pub(crate) name: String,
    /// Whether it is a shipped one.
    pub(crate) shipped: bool,
    /// The comment at its top.
    pub(crate) about: String,
}

/// The configs below `configs/<below>` in the working folder, then the shipped ones of that folder that are not
/// there. What cannot be read is left out.
pub(crate) fn known(working: &Path, below: &str) -> Vec<KnownConfig> {
    let folder = match below {
        "" => FOLDER.to_owned(),
        below => format!("{FOLDER}/{below}"),
    };
    let mut here = Vec::new();
    find(working, Path::new(&folder), &mut here);
    here.sort();
    let local = here.iter().map(|file| KnownConfig {
        name: file.display().to_string(),
        shipped: false,
        about: first_comment(&files::read(&working.join(file), LARGEST).unwrap_or_default()),
    });
    let inside = shipped::below(&folder, ".toml").map(|(name, content)| (format!("{folder}/{name}.toml"), content));
    let named = inside.filter(|(file, _)| !here.iter().any(|path| path == Path::new(file))).map(|(file, content)| {
        let name = file.trim_start_matches(FOLDER).trim_start_matches('/');
        KnownConfig { name: name.trim_end_matches(".toml").to_owned(), shipped: true, about: first_comment(content) }
    });
    local.chain(named).collect()
}

/// The configs below a folder, as paths from the working folder.
fn find(working: &Path, folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(working.join(folder)).into_iter().flatten();
    for entry in entries.flatten() {
        let path = folder.join(entry.file_name());
        // Links are not followed: they could lead in a circle.
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => find(working, &path, found),
            Ok(kind) if kind.is_file() && path.extension().is_some_and(|end| end == "toml") => {
                found.push(path);
            }
            _ => {}
        }
    }
}

/// The comment in the first line that does not speak to editors (`#:schema`); empty if there is none.
fn first_comment(content: &[u8]) -> String {
    let start = String::from_utf8_lossy(&content[..content.len().min(1000)]);
    let line = start.lines().find(|line| !line.starts_with("#:"));
    line.and_then(|line| line.strip_prefix('#')).unwrap_or_default().trim().to_owned()
}

/// Config that a name of a paper's table stands for: a file as such, or one of the tables, whose paper may be left
/// out where that is enough.
pub(crate) fn paper_table(name: &Path, working: &Path) -> anyhow::Result<PathBuf> {
    if name.extension().is_some_and(|end| end == "toml") || name.components().count() > 1 {
        return Ok(name.to_owned());
    }
    let shown = visible(&name.to_string_lossy()).into_owned();
    let tables = tables(working);
    let end = format!("-{shown}");
    let same = tables.iter().filter(|(title, _)| *title == shown);
    let ends = tables.iter().filter(|(title, _)| title.ends_with(&end));
    match &same.chain(ends).collect::<Vec<_>>()[..] {
        [(title, config), rest @ ..] if *title == shown || rest.is_empty() => Ok(PathBuf::from(&config.name)),
        [] => {
            let known: Vec<&str> = tables.iter().map(|(title, _)| title.as_str()).collect();
            bail!("there is no table `{shown}`{}", instead(&shown, &known))
        }
        found => bail!("`{shown}` may be any of {}", joined(found.iter().map(|(title, _)| title))),
    }
}

/// Every table of a paper with the first line of its config.
pub(crate) fn list_paper_tables(working: &Path) -> String {
    let rows = tables(working).into_iter().map(|(name, config)| vec![name, config.about]);
    aligned(&rows.collect::<Vec<_>>(), "")
}

/// The tables of papers by name, with their configs.
fn tables(working: &Path) -> Vec<(String, KnownConfig)> {
    let has = |folder: &&Path| folder.join(FOLDER).join(PAPERS).is_dir();
    let named = |config: KnownConfig| {
        let name = config.name.rsplit('/').next().unwrap_or_default();
        (name.trim_end_matches(".toml").to_owned(), config)
    };
    let folder = working.ancestors().find(has).unwrap_or(working);
    let mut tables: Vec<_> = known(folder, PAPERS).into_iter().map(named).collect();
    tables.sort_by(|(one, _), (other, _)| one.cmp(other));
    tables
}
