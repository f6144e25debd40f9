//! JSON of untrusted depth.

use serde::de::DeserializeOwned;

/// Lists and objects may lie within each other so deep.
pub(crate) const DEPTH: usize = 64;

/// Why JSON cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unreadable {
    /// It ends in the middle.
    Ends,
    /// It is none, or not of the shape that is expected.
    Wrong,
    /// Its parts lie within each other deeper than [`DEPTH`].
    Deep,
}

impl Unreadable {
    /// What is wrong, for people.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Ends => "the JSON ends in the middle",
            Self::Wrong => "it is not the JSON that is expected",
            Self::Deep => "the JSON is nested too deeply",
        }
    }
}

/// Reads JSON that is nested no deeper than [`DEPTH`].
pub(crate) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Unreadable> {
    if depth(bytes) > DEPTH {
        return Err(Unreadable::Deep);
    }
    serde_json::from_slice(bytes).map_err(|error| {
        if error.is_eof() {
            Unreadable::Ends
        } else {
            Unreadable::Wrong
        }
    })
}

/// How deep lists and objects lie within each other.
fn depth(bytes: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let (mut in_text, mut escaped) = (false, false);
    for byte in bytes {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'{' | b'[' if !in_text => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
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
    fn what_ends_early_is_told_from_what_is_wrong() {
        assert_eq!(parse::<Value>(b"{\"a\": [1,"), Err(Unreadable::Ends));
        assert_eq!(parse::<Value>(b""), Err(Unreadable::Ends));
        assert_eq!(parse::<Value>(b"<html>"), Err(Unreadable::Wrong));
        assert_eq!(parse::<Vec<u8>>(b"{}"), Err(Unreadable::Wrong));
    }
}
