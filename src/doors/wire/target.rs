//! Where the other side is.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use super::program::Program;

/// Where the other side is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A program that is started, over its standard input and output.
    Program(Program),
    /// Somebody who listens already.
    Address(Address),
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
            return match path.is_empty() || path.contains('\0') {
                true => Err(BadAddress),
                false => Ok(Self::Unix(path.into())),
            };
        }
        let (host, port) = text.rsplit_once(':').ok_or(BadAddress)?;
        let usable = port.parse::<u16>().is_ok_and(|port| port > 0);
        match usable && !host.is_empty() && !host.contains(char::is_whitespace) {
            true => Ok(Self::Tcp(text.to_owned())),
            false => Err(BadAddress),
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
