//! The configs of the papers' tables: finding one by its name, and listing them.

use std::path::{Path, PathBuf};

use anyhow::bail;

use crate::configs::{KnownConfig, known};
use crate::output::instead;
use rolecall_core::reports::aligned;
use rolecall_core::text::{joined, visible};

/// Their folder below `configs`, which is in the working folder or above, or inside the program.
const FOLDER: &str = "papers";

/// The config that a name stands for: a file as such, or one of the tables, whose paper may be left
/// out where that is enough.
pub(super) fn find(name: &Path, working: &Path) -> anyhow::Result<PathBuf> {
    let is_file = name.extension().is_some_and(|end| end == "toml") || name.components().count() > 1;
    if is_file {
        return Ok(name.to_owned());
    }
    let shown = visible(&name.to_string_lossy()).into_owned();
    let tables = tables(working);
    let end = format!("-{shown}");
    let same = tables.iter().filter(|own| own.0 == shown);
    let ends = tables.iter().filter(|own| own.0.ends_with(&end));
    let found: Vec<&(String, KnownConfig)> = same.chain(ends).collect();
    match found.as_slice() {
        [(own, config), rest @ ..] if *own == shown || rest.is_empty() => Ok(PathBuf::from(&config.name)),
        [_, ..] => {
            let meant = joined(found.iter().map(|(own, _)| own));
            bail!("`{shown}` may be any of {meant}")
        }
        [] => {
            let known: Vec<&str> = tables.iter().map(|(own, _)| own.as_str()).collect();
            bail!("there is no table `{shown}`{}", instead(&shown, &known))
        }
    }
}

/// Every table with the first line of its config.
pub(super) fn list(working: &Path) -> String {
    let row = |(name, config): (String, KnownConfig)| vec![name, config.about];
    let rows: Vec<Vec<String>> = tables(working).into_iter().map(row).collect();
    aligned(&rows, "")
}

/// The tables by name, with their configs.
fn tables(working: &Path) -> Vec<(String, KnownConfig)> {
    let has = |folder: &&Path| folder.join("configs").join(FOLDER).is_dir();
    let folder = working.ancestors().find(has).unwrap_or(working);
    let named = |config: KnownConfig| {
        let name = config.name.rsplit('/').next().unwrap_or_default();
        (name.trim_end_matches(".toml").to_owned(), config)
    };
    let mut tables: Vec<(String, KnownConfig)> = known(folder, FOLDER).into_iter().map(named).collect();
    tables.sort_by(|(one, _), (other, _)| one.cmp(other));
    tables
}
