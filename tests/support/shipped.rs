//! What comes with the crate: its configs, resolved with its own registry, and its built-in games.

use std::fs;
use std::path::{Path, PathBuf};

use rolecall::config::{ConfigErrors, Plan, Request, Resolved, load};
use rolecall::environments::household::generate::{Generator, Split, Wishes};

/// The folder of the crate.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A config below `configs`, named without its ending, with settings.
pub fn request(config: &str, sets: &[impl AsRef<str>]) -> Request {
    Request {
        file: root().join(format!("configs/{config}.toml")),
        sets: sets.iter().map(|set| set.as_ref().to_owned()).collect(),
        working: root().to_owned(),
        ..Request::default()
    }
}

/// The config with its settings, or every problem that it has.
pub fn resolved(config: &str, sets: &[impl AsRef<str>]) -> Result<Resolved, ConfigErrors> {
    load(&request(config, sets), rolecall::worlds())
}

/// The plan of a config that has no problem.
pub fn plan(config: &str, sets: &[impl AsRef<str>]) -> Plan {
    resolved(config, sets).unwrap_or_else(|errors| panic!("{config}: {errors}")).plan
}

/// Every config below a folder.
pub fn configs(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(configs(&path));
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The first of the built-in games of household: id and text of the file.
pub fn household_games(count: usize) -> Vec<(String, String)> {
    let generator = Generator::new(Wishes::new(Split::Unseen, 1)).unwrap();
    let games = (0..count).map(|index| generator.game(index).unwrap());
    games.map(|game| (game.id, game.game)).collect()
}
