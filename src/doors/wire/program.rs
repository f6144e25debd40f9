//! Programs that are started.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::process::{Child, Command};

use rolecall_core::text::shell_word;

/// Variables of the environment that every program is given.
const ALWAYS: [&str; 3] = ["PATH", "HOME", "LANG"];

/// A program that is started without a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Its working folder; a program that is named by a relative path is looked for there.
    pub folder: PathBuf,
    /// Names of the variables of our environment that it is given beside `PATH`, `HOME` and `LANG`.
    pub env: Vec<String>,
}

impl fmt::Display for Program {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.command.iter().map(|word| shell_word(word)).collect();
        to.write_str(&words.join(" "))
    }
}

impl Program {
    /// Starts it in a group of its own, so that Ctrl-C in a terminal is ours alone.
    pub(super) fn start(&self) -> std::io::Result<Child> {
        let mut words = self.command.iter();
        let name = words.next().map_or("", String::as_str);
        let name = match name.contains('/') {
            true => self.folder.join(name).into_os_string(),
            false => OsString::from(name),
        };
        let mut command = Command::new(name);
        command.args(words).env_clear().kill_on_drop(true);
        if self.folder != Path::new("") {
            command.current_dir(&self.folder);
        }
        let names = ALWAYS.into_iter().chain(self.env.iter().map(String::as_str));
        command.envs(names.filter_map(|name| Some((name, std::env::var_os(name)?))));
        let [input, output, error] = [Stdio::piped(), Stdio::piped(), Stdio::piped()];
        command.stdin(input).stdout(output).stderr(error);
        #[cfg(unix)]
        command.process_group(0);
        command.spawn()
    }
}
