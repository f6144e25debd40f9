//! The program as it is started from a shell.

#![allow(dead_code, reason = "each test uses a part")]

use std::path::Path;
use std::process::Command;

/// `rolecall` with the arguments, in the folder, whatever the tests were started with.
pub(crate) fn rolecall(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rolecall"));
    command.current_dir(folder).args(arguments).env_remove("RUST_LOG");
    command
}

/// What the program printed.
#[allow(dead_code, reason = "not every test reads it as text")]
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}
