//! Where a server is, and what it wants to see.

use std::fmt;
use std::path::Path;

use crate::machines::QueueError;
use rolecall_core::files;

/// Letters of a seed of an nkey.
const SEED: usize = 58;
/// A file that holds more is no key.
const LONGEST_KEY: u64 = 64 << 10;

/// An address such as `nats://host:4222/RUN` or `tls://host:4222/RUN`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// The address of the server.
    pub server: String,
    /// The name or id of the run, if it is said.
    pub run: Option<String>,
    /// Whether the server has to speak TLS.
    pub tls: bool,
}

impl Address {
    /// Reads an address.
    ///
    /// # Errors
    /// If it is none, or holds a password: everybody sees the arguments of a process.
    pub fn parse(text: &str) -> Result<Self, QueueError> {
        let wrong = |reason: &str| {
            // What comes before an `@` may be a secret.
            let shown = text.rsplit_once('@').map_or_else(|| text.to_owned(), |(_, after)| format!("...@{after}"));
            let form = "`nats://HOST:PORT/RUN` or `tls://HOST:PORT/RUN`";
            Err(QueueError::Unusable { queue: shown, reason: format!("{reason}; an address is {form}") })
        };
        let (scheme, rest) = text.split_once("://").unwrap_or_default();
        if !["nats", "tls"].contains(&scheme) {
            return wrong("it does not begin with `nats://` or `tls://`");
        }
        if rest.contains('@') {
            return wrong("it holds a password or token, which belongs into a file of its own");
        }
        let (host, run) = rest.split_once('/').unwrap_or((rest, ""));
        if host.is_empty() {
            return wrong("it names no host");
        }
        if !run.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter)) {
            return wrong("the name of a run has letters, digits, `-` and `_`");
        }
        Ok(Self {
            server: format!("{scheme}://{host}"),
            run: (!run.is_empty()).then(|| run.to_owned()),
            tls: scheme == "tls",
        })
    }
}

/// As it is shown, with the run.
impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.run {
            Some(run) => write!(formatter, "{}/{run}", self.server),
            None => formatter.write_str(&self.server),
        }
    }
}

/// Credentials for a server. Never shown.
#[derive(Clone, Default, PartialEq, Eq)]
pub enum Credentials {
    /// Nothing.
    #[default]
    None,
    /// A token.
    Token(String),
    /// The seed of an nkey of a user, which signs and does not travel.
    Seed(String),
}

impl fmt::Debug for Credentials {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::None => "none",
            Self::Token(_) => "a token",
            Self::Seed(_) => "an nkey",
        })
    }
}

impl Credentials {
    /// Reads a file that holds a token, or the seed of an nkey.
    ///
    /// # Errors
    /// If it cannot be read, or holds neither.
    pub fn read(file: &Path) -> Result<Self, QueueError> {
        let wrong = |reason: String| QueueError::Unusable { queue: file.display().to_string(), reason };
        let text =
            files::read(file, LONGEST_KEY).map_err(|error| wrong(format!("the key file cannot be read: {error}")))?;
        let text = String::from_utf8_lossy(&text);
        let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        match (lines.next(), lines.next()) {
            (Some(seed), None) if seed.len() == SEED && seed.starts_with("SU") => Ok(Self::Seed(seed.to_owned())),
            (Some(token), None) => Ok(Self::Token(token.to_owned())),
            _ => Err(wrong("the key file must hold one line, a token or the seed of an nkey".to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_server_and_perhaps_a_run() {
        let address = Address::parse("nats://host:4222/big-2").unwrap();
        assert_eq!(address.server, "nats://host:4222");
        assert_eq!(address.run.as_deref(), Some("big-2"));
        assert_eq!((address.tls, address.to_string().as_str()), (false, "nats://host:4222/big-2"));
        let address = Address::parse("tls://[::1]:4222").unwrap();
        assert_eq!((address.run, address.tls), (None, true));
        for wrong in ["host:4222", "http://host", "nats://", "nats:///big", "nats://host/a/b", "nats://host/a b"] {
            let error = Address::parse(wrong).unwrap_err().to_string();
            assert!(error.contains("nats://HOST:PORT/RUN"), "{error}");
        }
    }

    #[test]
    fn secrets_are_not_shown() {
        let error = Address::parse("nats://hidden@host:4222/big").unwrap_err();
        assert!(!format!("{error} {error:?}").contains("hidden"));
        let shown = format!("{:?}", Credentials::Token("hidden".to_owned()));
        assert_eq!(shown, "a token");
    }

    #[test]
    fn a_key_file_holds_a_token_or_a_seed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("key");
        let read = |text: &str| {
            std::fs::write(&file, text).unwrap();
            Credentials::read(&file)
        };
        assert_eq!(read(" abc \n\n").unwrap(), Credentials::Token("abc".to_owned()));
        let seed = format!("SU{}", "A".repeat(56));
        assert_eq!(read(&seed).unwrap(), Credentials::Seed(seed));
        for wrong in ["", "\n", "hidden\nhidden2"] {
            let error = read(wrong).unwrap_err().to_string();
            assert!(error.contains("one line") && !error.contains("hidden"), "{error}");
        }
        let error = Credentials::read(&folder.path().join("none")).unwrap_err();
        assert!(error.to_string().contains("cannot be read"), "{error}");
    }
}
