//! Where the recordings and official games are, if they are.

use std::env;
use std::path::PathBuf;

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
