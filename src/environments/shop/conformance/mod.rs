//! The shop beside recordings of the original programs.

mod chatshop;
mod goals;
mod nouns;
mod rewards;
mod search;
mod sessions;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::conformance::{Comparison, Tally, shown};

/// Compares one recording: the file, the folder of official data, and the tally that counts.
type Check = fn(&Path, &Path, &mut Tally) -> anyhow::Result<()>;

/// The recordings by the beginning of their names, each with its comparison.
const CHECKS: &[(&str, Check)] = &[
    ("chatshop_agent", chatshop::agents),
    ("chatshop_env", chatshop::sessions),
    ("chatshop_search", rewards::searches),
    ("prim_normalize_color", rewards::colors),
    ("prim_parse_action", sessions::actions),
    ("prim_pos_stub", nouns::titles),
    ("prim_price_parse", goals::prices),
    ("prim_shuffle233", goals::orders),
    ("prim_token_set_ratio", rewards::ratios),
    ("rewards_", rewards::rewards),
    ("search_", search::searches),
    ("sessions_", sessions::sessions),
];

/// The files of a folder, in the order of their names; none if it cannot be read.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|file| file.is_file());
    files.sort();
    files
}

/// Every recording of a folder with its comparison, and the parts of the real data set that are there.
fn recordings(oracle: &Path, data: &Path) -> Vec<(PathBuf, Check)> {
    let name = |file: &Path| {
        file.file_name()
            .map(|name| name.to_string_lossy().into_owned())
    };
    let check = |file: PathBuf| {
        let name = name(&file)?;
        let (_, check) = CHECKS.iter().find(|(start, _)| name.starts_with(start))?;
        Some((file, *check))
    };
    let mut all: Vec<(PathBuf, Check)> = files(oracle).into_iter().filter_map(check).collect();
    let others = ["colors", "chatshop_tools"];
    let worlds = files(&oracle.join("world")).into_iter().filter(|file| {
        name(file).is_some_and(|name| !others.iter().any(|other| name.starts_with(other)))
    });
    all.extend(worlds.map(|file| {
        let lists = name(&file).is_some_and(|name| name.starts_with("nouns_"));
        let check: Check = if lists {
            nouns::catalogues
        } else {
            goals::worlds
        };
        (file, check)
    }));
    let real = data.join("real/chatshop_goals.json");
    all.extend(real.is_file().then_some((real, goals::real as Check)));
    all
}

/// Compares every recording, and the parts of the real data set that are there.
///
/// # Errors
/// When a recording cannot be read, or the folder holds none that is known.
pub fn compare(oracle: &Path, data: &Path) -> anyhow::Result<Comparison> {
    let mut text = String::new();
    let mut all = Tally::default();
    for (file, check) in recordings(oracle, data) {
        let name = file.strip_prefix(oracle).or(file.strip_prefix(data));
        let name = name.unwrap_or(&file).display().to_string();
        let mut tally = Tally::default();
        check(&file, data, &mut tally).with_context(|| format!("`{}`", file.display()))?;
        text.push_str(&format!("{name}: {tally}\n"));
        all.add(tally);
    }
    if all.is_empty() {
        bail!("`{}` holds no recording that is known", oracle.display());
    }
    text.push_str(&shown(all.differences.iter().cloned()));
    text.push_str(&all.to_string());
    Ok(Comparison {
        text,
        differing: all.differing,
    })
}
