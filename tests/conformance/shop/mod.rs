//! The shop beside recordings of the original programs.

mod chatshop;
mod goals;
mod nouns;
mod rewards;
mod search;
mod sessions;
mod world;

use std::fs;
use std::path::{Path, PathBuf};

use crate::kit::{Check, Comparison, compare_each};

/// The recordings by the beginning of their names, each with its comparison; none for lists that others use.
const CHECKS: &[(&str, Option<Check>)] = &[
    ("chatshop_agent", Some(chatshop::agents)),
    ("chatshop_env", Some(chatshop::sessions)),
    ("chatshop_search", Some(rewards::searches)),
    ("prim_normalize_color", Some(rewards::colors)),
    ("prim_parse_action", Some(sessions::actions)),
    ("prim_pos_stub", Some(nouns::titles)),
    ("prim_price_parse", Some(goals::prices)),
    ("prim_shuffle233", Some(goals::orders)),
    ("prim_token_set_ratio", Some(rewards::ratios)),
    ("rewards_", Some(rewards::rewards)),
    ("search_", Some(search::searches)),
    ("sessions_", Some(sessions::sessions)),
    ("world/chatshop_tools", None),
    ("world/colors", None),
    ("world/nouns_", Some(nouns::catalogues)),
    ("world/", Some(goals::worlds)),
    ("real/chatshop_goals", Some(goals::real)),
];

/// The files of a folder, in the order of their names; none if it cannot be read.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|file| file.is_file());
    files.sort();
    files
}

/// Compares every recording, and the parts of the real data set that are there.
///
/// # Errors
/// When a recording cannot be read, or the folder holds none that is known.
pub fn compare(oracle: &Path, data: &Path) -> anyhow::Result<Comparison> {
    let folders = [(oracle, ""), (oracle, "world"), (data, "real")];
    let recordings = folders.into_iter().flat_map(|(root, folder)| {
        let known = move |file: PathBuf| {
            let name = file.strip_prefix(root).ok()?.display().to_string();
            let (_, check) = CHECKS.iter().find(|(start, _)| name.starts_with(start))?;
            Some((name, file, (*check)?))
        };
        files(&root.join(folder)).into_iter().filter_map(known)
    });
    compare_each(recordings, oracle, data, "sessions_catalog1k_human.jsonl")
}
