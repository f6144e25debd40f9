//! Where recordings of the original programs and official data are, if they are.

use std::env;
use std::path::PathBuf;

/// A folder named by an environment variable; says so when the test is skipped.
fn folder(variable: &str, of: &str) -> Option<PathBuf> {
    let found = env::var_os(variable).map(|root| PathBuf::from(root).join(of));
    if found.is_none() {
        println!("skipped: `{variable}` is not set");
    }
    found
}

/// The recordings of an original program, such as `household`.
pub fn oracle(of: &str) -> Option<PathBuf> {
    folder("ROLECALL_ORACLE", of)
}

/// The official data of a world.
pub fn data(of: &str) -> Option<PathBuf> {
    folder("ROLECALL_DATA", of)
}
