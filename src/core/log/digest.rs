//! The digest of an episode's event lines.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// A chained hash of the event lines of one episode, in order, newlines included.
///
/// Finds out that a log was changed or mixed up, not that somebody meant to deceive: whoever can
/// change the lines can compute it again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Digest(pub(super) u64);

impl Digest {
    /// Adds the next line, newline included.
    pub fn add(&mut self, line: &[u8]) {
        self.0 = xxh3_64_with_seed(line, self.0);
    }
}

/// 16 digits.
impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:016x}", self.0)
    }
}

/// A text that is no digest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a digest is 16 digits of base 16")]
pub struct InvalidDigest;

impl FromStr for Digest {
    type Err = InvalidDigest;

    fn from_str(text: &str) -> Result<Self, InvalidDigest> {
        let is_hex = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        u64::from_str_radix(text, 16).ok().filter(|_| is_hex).map(Self).ok_or(InvalidDigest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(lines: &[&[u8]]) -> Digest {
        let mut digest = Digest::default();
        lines.iter().for_each(|line| digest.add(line));
        digest
    }

    #[test]
    fn every_line_and_their_order_count() {
        let all = of(&[b"one\n", b"two\n"]);
        // What was written once must be read by every later version.
        assert_eq!(all.to_string(), "c164290628f0bb11");
        for other in [
            of(&[b"two\n", b"one\n"]),
            of(&[b"one\n"]),
            of(&[b"one\ntwo\n"]),
            of(&[b"one\n", b"two"]),
            of(&[b"one\n", b"two\n", b"\n"]),
        ] {
            assert_ne!(other, all);
        }
    }

    #[test]
    fn it_is_read_as_it_is_written() {
        let digest = of(&[b"x\n"]);
        assert_eq!(digest.to_string().parse(), Ok(digest));
        assert_eq!(Digest(7).to_string(), "0000000000000007");
        for wrong in ["", "7", "00000000000000070", "+000000000000007", "000000000000000g"] {
            assert_eq!(wrong.parse::<Digest>(), Err(InvalidDigest), "{wrong}");
        }
    }
}
