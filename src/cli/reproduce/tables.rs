//! The configs of the papers' tables: finding one by its name, and listing them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::cli::list::first_comment;
use crate::cli::output::instead;
use crate::reports::aligned;
use crate::text::{joined, visible};

/// Their folder, in the working folder or above.
const FOLDER: &str = "configs/papers";

/// The config that a name stands for: a file as such, or one of the tables, whose paper may be left
/// out where that is enough.
pub(super) fn find(name: &Path, working: &Path) -> anyhow::Result<PathBuf> {
    let is_file =
        name.extension().is_some_and(|end| end == "toml") || name.components().count() > 1;
    if is_file {
        return Ok(name.to_owned());
    }
    let shown = visible(&name.to_string_lossy()).into_owned();
    let tables = tables(working)?;
    if let Some((_, file)) = tables.iter().find(|(own, _)| *own == shown) {
        return Ok(file.clone());
    }
    let end = format!("-{shown}");
    let ends = tables.iter().filter(|(own, _)| own.ends_with(&end));
    let ends: Vec<&(String, PathBuf)> = ends.collect();
    match ends.as_slice() {
        [(_, file)] => Ok(file.clone()),
        [_, ..] => {
            let meant = joined(ends.iter().map(|(own, _)| own));
            bail!("`{shown}` may be any of {meant}")
        }
        [] => {
            let known: Vec<&str> = tables.iter().map(|(own, _)| own.as_str()).collect();
            bail!("there is no table `{shown}`{}", instead(&shown, &known))
        }
    }
}

/// Every table with the first line of its config.
pub(super) fn list(working: &Path) -> anyhow::Result<String> {
    let row = |(name, file): &(String, PathBuf)| vec![name.clone(), first_comment(file)];
    let rows: Vec<Vec<String>> = tables(working)?.iter().map(row).collect();
    Ok(aligned(&rows, ""))
}

/// The tables by name, with their configs.
fn tables(working: &Path) -> anyhow::Result<Vec<(String, PathBuf)>> {
    let mut folders = working.ancestors().map(|folder| folder.join(FOLDER));
    let Some(folder) = folders.find(|folder| folder.is_dir()) else {
        bail!(
            "there is no folder `{FOLDER}` here or above; go to a checkout of rolecall, or give the \
             path of a config with a `[table]`"
        );
    };
    let unreadable = || format!("the folder `{}` cannot be read", folder.display());
    let mut tables = Vec::new();
    for entry in fs::read_dir(&folder).with_context(unreadable)? {
        let entry = entry.with_context(unreadable)?;
        let name = entry.file_name();
        if let Some(stem) = name.to_str().and_then(|name| name.strip_suffix(".toml")) {
            tables.push((stem.to_owned(), entry.path()));
        }
    }
    tables.sort();
    Ok(tables)
}
