//! JSON of untrusted depth.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use serde::de::DeserializeOwned;

use crate::text::json::{self, nests_deeper};

/// Lists and objects may lie within each other so deep.
pub(crate) const DEPTH: usize = 64;

/// The reason why JSON cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unreadable {
    /// It ends in the middle.
    #[error("the JSON ends in the middle")]
    Ends,
    /// It is none, or not of the shape that is expected.
    #[error("it is not the JSON that is expected")]
    Wrong,
    /// Its parts lie within each other deeper than [`DEPTH`].
    #[error("the JSON is nested too deeply")]
    Deep,
}

/// Reads JSON that is nested no deeper than [`DEPTH`]. Halves of letters, which weak models write and
/// servers pass on, become `\u{fffd}`: the same request would bring them again.
pub(crate) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Unreadable> {
    if nests_deeper(bytes, DEPTH) {
        return Err(Unreadable::Deep);
    }
    serde_json::from_slice(bytes).or_else(|error| {
        if error.is_eof() {
            return Err(Unreadable::Ends);
        }
        let mended = without_halves(bytes).ok_or(Unreadable::Wrong)?;
        json::read(&mended).map_err(|_| Unreadable::Wrong)
    })
}

/// The JSON with what is no letter replaced: bytes that are no UTF-8, and halves of pairs that are
/// written as `\ud83d`. None if it holds neither.
fn without_halves(bytes: &[u8]) -> Option<String> {
    const HIGH: RangeInclusive<u16> = 0xd800..=0xdbff;
    const LOW: RangeInclusive<u16> = 0xdc00..=0xdfff;
    let text = String::from_utf8_lossy(bytes);
    let mut changed = matches!(text, Cow::Owned(_));
    let mut mended = String::with_capacity(text.len());
    let mut rest = text.as_ref();
    // Only texts hold a `\`, and what it escapes is one letter, or `u` and four digits.
    while let Some(start) = rest.find('\\') {
        let (before, escape) = rest.split_at(start);
        mended.push_str(before);
        let second = || escape.get(6..).and_then(unit).unwrap_or_default();
        let (length, is_letter) = match unit(escape) {
            Some(high) if HIGH.contains(&high) && LOW.contains(&second()) => (12, true),
            Some(half) if HIGH.contains(&half) || LOW.contains(&half) => (6, false),
            Some(_) => (6, true),
            None => (1 + escape.chars().nth(1).map_or(0, char::len_utf8), true),
        };
        let (escape, after) = escape.split_at(length);
        mended.push_str(if is_letter { escape } else { "\u{fffd}" });
        changed |= !is_letter;
        rest = after;
    }
    mended.push_str(rest);
    changed.then_some(mended)
}

/// The number in `\u1234`, if the text begins so.
fn unit(escape: &str) -> Option<u16> {
    let digits = escape.strip_prefix("\\u")?.get(..4)?;
    digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then(|| u16::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn depth_is_bounded() {
        let nested = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        assert!(parse::<Value>(nested(DEPTH).as_bytes()).is_ok());
        let deep = parse::<Value>(nested(DEPTH + 1).as_bytes());
        assert_eq!(deep, Err(Unreadable::Deep));
        let text = format!(r#"{{"a":"{}\"{}"}}"#, "[".repeat(99), "{".repeat(99));
        assert!(parse::<Value>(text.as_bytes()).is_ok());
    }

    #[test]
    fn halves_of_letters_are_replaced() {
        let read = |json: &[u8]| parse::<String>(json);
        assert_eq!(read(br#""a \ud83d""#).unwrap(), "a \u{fffd}");
        assert_eq!(read(br#""\udE00\ud83d\n""#).unwrap(), "\u{fffd}\u{fffd}\n");
        assert_eq!(read(br#""\ud83d\ud83d\ude00 \\ud83d \u00fc""#).unwrap(), "\u{fffd}\u{1f600} \\ud83d \u{fc}");
        assert_eq!(read(b"\"look \xf0\x9f\"").unwrap(), "look \u{fffd}");
        assert_eq!(read(b"\"\xff\\\xc3\""), Err(Unreadable::Wrong));
        assert_eq!(read(b"\"\\ud83d"), Err(Unreadable::Ends));
        assert_eq!(read(b"\xff\xfe"), Err(Unreadable::Wrong));
    }

    #[test]
    fn what_ends_early_is_told_from_what_is_wrong() {
        assert_eq!(parse::<Value>(b"{\"a\": [1,"), Err(Unreadable::Ends));
        assert_eq!(parse::<Value>(b""), Err(Unreadable::Ends));
        assert_eq!(parse::<Value>(b"<html>"), Err(Unreadable::Wrong));
        assert_eq!(parse::<Vec<u8>>(b"{}"), Err(Unreadable::Wrong));
    }
}
