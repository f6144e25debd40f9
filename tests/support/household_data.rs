//! Where the recordings and official games are, if they are; and built-in games.

use std::env;
use std::path::PathBuf;

use rolecall::environments::household::generate::{Generator, Split, Wishes};

/// A folder named by an environment variable; says so when the test is skipped.
fn folder(variable: &str) -> Option<PathBuf> {
    let found = env::var_os(variable).map(|root| PathBuf::from(root).join("household"));
    if found.is_none() {
        println!("skipped: `{variable}` is not set");
    }
    found
}

/// The recordings of the original program.
#[allow(dead_code, reason = "not every test uses both folders")]
pub(crate) fn oracle() -> Option<PathBuf> {
    folder("ROLECALL_ORACLE")
}

/// The official games.
#[allow(dead_code, reason = "not every test uses both folders")]
pub(crate) fn data() -> Option<PathBuf> {
    folder("ROLECALL_DATA")
}

/// The first of the built-in games: id and text of the file.
#[allow(dead_code, reason = "not every test plays them")]
pub(crate) fn generated(count: usize) -> Vec<(String, String)> {
    let generator = Generator::new(Wishes::new(Split::Unseen, 1)).unwrap();
    let games = (0..count).map(|index| generator.game(index).unwrap());
    games.map(|game| (game.id, game.game)).collect()
}
