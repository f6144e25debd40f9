//! Where the tools find countries and conversations: in official folders and files, or in what is built in.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;

use super::files::SPLITS;
use crate::environments::travel::DataError;
use crate::environments::travel::country::{Country, load_shared};
use crate::environments::travel::generate::{self, SEED, Tables};
use crate::environments::travel::rows::{self, Rows};
use crate::environments::travel::tasks::{self, BUILTIN};

/// The country of a folder, or the built-in one.
pub(super) fn country(data: &Path) -> Result<Arc<Country>, DataError> {
    match data == Path::new(BUILTIN) {
        true => Ok(generate::builtin()),
        false => load_shared(data, &()),
    }
}

/// The conversations of a split of a folder, of the built-in country, or of a file.
pub(super) fn conversations(data: &Path, split: &str) -> Result<Arc<Rows>, DataError> {
    if data == Path::new(BUILTIN) {
        return Ok(tasks::builtin(split));
    }
    let file = match data.is_file() {
        true => data.to_owned(),
        false => tasks::find(data, split)?,
    };
    Ok(Arc::new(rows::load(&file)?))
}

/// The conversations of both splits, or of the only one that there is, with their names; of a file, those of the file.
pub(super) fn all(data: &Path) -> anyhow::Result<Vec<(String, Arc<Rows>)>> {
    if data.is_file() {
        let name = data.file_stem().unwrap_or_default().to_string_lossy();
        return Ok(vec![(name.into_owned(), conversations(data, "")?)]);
    }
    let is_there = |split: &&str| data == Path::new(BUILTIN) || tasks::find(data, split).is_ok();
    let splits: Vec<&str> = SPLITS.into_iter().filter(is_there).collect();
    let splits = if splits.is_empty() { SPLITS.to_vec() } else { splits };
    let found = splits.into_iter().map(|split| {
        let rows = conversations(data, split)?;
        Ok((split.to_owned(), rows))
    });
    found.collect()
}

/// Every city of a country with its state; all are of one state if the tables do not say.
pub(super) fn states(data: &Path, country: &Country) -> anyhow::Result<Vec<(String, String)>> {
    let pair = |(city, state): (&str, &str)| (city.trim().to_owned(), state.trim().to_owned());
    if data == Path::new(BUILTIN) {
        return Ok(Tables::new(SEED).cities().map(pair).collect());
    }
    let files = ["database/background", "background"];
    let files = files.map(|folder| data.join(folder).join("citySet_with_states.txt"));
    let Some(file) = files.iter().find(|file| file.is_file()) else {
        return Ok(country.cities().iter().map(|city| pair((city, ""))).collect());
    };
    let text = fs::read_to_string(file);
    let text = text.with_context(|| format!("`{}` cannot be read", file.display()))?;
    let lines = text.lines().filter_map(|line| line.split_once('\t'));
    Ok(lines.map(pair).collect())
}
