//! Where the other side is: a program that is started, or an address.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::str::FromStr;

use tokio::process::{Child, Command};

use rolecall_core::text::{joined_by, shell_word};

/// Where the other side is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A program that is started, over its standard input and output.
    Program(Program),
    /// Somebody who listens already.
    Address(Address),
}

impl Target {
    /// A text without the values of variables that a program is given beside the usual ones.
    pub(super) fn without_secrets(&self, text: &str) -> String {
        /// The shortest value that is hidden; a shorter one stands in any text.
        const SHORTEST: usize = 8;
        let names = match self {
            Self::Program(program) => &program.env[..],
            Self::Address(_) => &[],
        };
        names
            .iter()
            .filter_map(|name| std::env::var(name).ok())
            .filter(|value| value.len() >= SHORTEST)
            .fold(text.to_owned(), |text, value| text.replace(&value, "(secret)"))
    }
}

impl fmt::Display for Target {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program(program) => write!(to, "`{program}`"),
            Self::Address(address) => write!(to, "`{address}`"),
        }
    }
}

/// Where somebody listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// `host:port`.
    Tcp(String),
    /// `unix:/path`.
    Unix(PathBuf),
}

/// A text is no address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write \"host:port\" or \"unix:/path\"")]
pub struct BadAddress;

impl FromStr for Address {
    type Err = BadAddress;

    fn from_str(text: &str) -> Result<Self, BadAddress> {
        if let Some(path) = text.strip_prefix("unix:") {
            return if path.is_empty() || path.contains('\0') { Err(BadAddress) } else { Ok(Self::Unix(path.into())) };
        }
        let (host, port) = text.rsplit_once(':').ok_or(BadAddress)?;
        if port.parse::<u16>().is_ok_and(|port| port > 0) && !host.is_empty() && !host.contains(char::is_whitespace) {
            Ok(Self::Tcp(text.to_owned()))
        } else {
            Err(BadAddress)
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => to.write_str(address),
            Self::Unix(path) => write!(to, "unix:{}", path.display()),
        }
    }
}

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
        to.write_str(&joined_by(" ", self.command.iter().map(|word| shell_word(word))))
    }
}

impl Program {
    /// Starts it in a group of its own, so that Ctrl-C in a terminal is ours alone.
    pub(super) fn start(&self) -> std::io::Result<Child> {
        let mut words = self.command.iter();
        let name = words.next().map_or("", String::as_str);
        let name = if name.contains('/') { self.folder.join(name).into_os_string() } else { OsString::from(name) };
        let mut command = Command::new(name);
        command.args(words).env_clear().kill_on_drop(true);
        if self.folder != Path::new("") {
            command.current_dir(&self.folder);
        }
        command.envs(
            ALWAYS
                .into_iter()
                .chain(self.env.iter().map(String::as_str))
                .filter_map(|name| Some((name, std::env::var_os(name)?))),
        );
        let [input, output, error] = [Stdio::piped(), Stdio::piped(), Stdio::piped()];
        command.stdin(input).stdout(output).stderr(error);
        #[cfg(unix)]
        command.process_group(0);
        command.spawn()
    }
}
