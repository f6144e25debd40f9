//! Ranges of whole numbers, as they are written in configs and on the command line.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A range of whole numbers, both ends included; written `A..B`, or `A` for one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    least: usize,
    most: usize,
}

impl Span {
    /// From `least` to `most`; an empty range becomes the number `least`.
    pub const fn new(least: usize, most: usize) -> Self {
        Self { least, most: if most < least { least } else { most } }
    }

    /// The smallest number.
    pub const fn least(self) -> usize {
        self.least
    }

    /// The largest number.
    pub const fn most(self) -> usize {
        self.most
    }

    /// Whether the number lies within.
    pub fn contains(self, number: usize) -> bool {
        (self.least..=self.most).contains(&number)
    }

    /// The range that both have in common.
    pub(super) fn and(self, other: Self) -> Option<Self> {
        let (least, most) = (self.least.max(other.least), self.most.min(other.most));
        (least <= most).then_some(Self { least, most })
    }
}

impl fmt::Display for Span {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}..{}", self.least, self.most)
    }
}

impl FromStr for Span {
    type Err = SpanError;

    fn from_str(text: &str) -> Result<Self, SpanError> {
        let error = || SpanError { text: text.to_owned() };
        let number = |text: &str| match text.trim().parse::<u16>() {
            Ok(number) => Ok(usize::from(number)),
            Err(_) => Err(error()),
        };
        let (least, most) = match text.split_once("..") {
            Some((least, most)) => (number(least)?, number(most.trim_start_matches('='))?),
            None => (number(text)?, number(text)?),
        };
        (least <= most).then_some(Self { least, most }).ok_or_else(error)
    }
}

/// A text that is no range.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{text}` is no range; write A..B with whole numbers, A not above B, both included")]
pub struct SpanError {
    /// The text.
    pub text: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_and_written() {
        assert_eq!("3..9".parse(), Ok(Span::new(3, 9)));
        assert_eq!(" 3 ..=9".parse(), Ok(Span::new(3, 9)));
        assert_eq!("7".parse(), Ok(Span::new(7, 7)));
        assert_eq!(Span::new(3, 9).to_string(), "3..9");
        for wrong in ["", "..", "3..", "9..3", "-1..3", "a..b", "1..99999"] {
            assert!(wrong.parse::<Span>().is_err(), "{wrong}");
        }
    }
}
