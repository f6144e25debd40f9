//! JSON texts: reading one, the reason why one cannot be read, and the depth of its nesting.

use std::borrow::Cow;
use std::fmt::Write;

use serde::de::DeserializeOwned;

use super::hides;

/// Reads a text by the same reader as bytes are: the compiler makes one for each type, not two.
pub fn read<T: DeserializeOwned>(text: &str) -> serde_json::Result<T> {
    serde_json::from_slice(text.as_bytes())
}

/// The message of the JSON reader, without the place that it adds at the end: each caller knows a better
/// one, such as the line of the file that the text is.
pub fn reason(error: &serde_json::Error) -> String {
    let whole = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let said = whole.strip_suffix(&place).unwrap_or(&whole);
    match said.strip_prefix("EOF while parsing") {
        Some(what) => format!("it ends within{what}"),
        None => said.to_owned(),
    }
}

/// A JSON text that is harmless to a terminal: what could steer one or turn the direction of text (C1
/// controls, marks of direction and the like; C0 controls JSON does not have) is written as `\u009b`. It is
/// the same value to whoever reads it.
pub fn harmless(json: &str) -> Cow<'_, str> {
    // Such letters stand within texts only, where they may be escaped.
    let steers = |letter: char| letter > '\u{1f}' && hides(letter);
    if !json.contains(steers) {
        return json.into();
    }
    let mut shown = String::with_capacity(json.len() + 16);
    for letter in json.chars() {
        if steers(letter) {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                // Writing to a text cannot fail.
                let _ = write!(shown, "\\u{unit:04x}");
            }
        } else {
            shown.push(letter);
        }
    }
    shown.into()
}

/// Appends a text as JSON has it, as `serde_json` writes it but several bytes at a time: prompts are long.
pub fn append_text(json: &mut Vec<u8>, text: &str) {
    json.push(b'"');
    let mut rest = text.as_bytes();
    loop {
        let (plain, after) = rest.split_at(unescaped(rest));
        json.extend_from_slice(plain);
        let Some((byte, after)) = after.split_first() else {
            break;
        };
        match byte {
            b'"' => json.extend(br#"\""#),
            b'\\' => json.extend(br"\\"),
            b'\n' => json.extend(br"\n"),
            b'\r' => json.extend(br"\r"),
            b'\t' => json.extend(br"\t"),
            0x08 => json.extend(br"\b"),
            0x0c => json.extend(br"\f"),
            other => json.extend(format!("\\u{other:04x}").as_bytes()),
        }
        rest = after;
    }
    json.push(b'"');
}

/// The number of bytes before the first one that is escaped.
fn unescaped(bytes: &[u8]) -> usize {
    /// Each byte is 1.
    const ONES: u64 = u64::MAX / 255;
    // The first byte that is marked is below the limit; further marks may be wrong.
    let below = |word: u64, limit: u8| word.wrapping_sub(ONES * u64::from(limit)) & !word & (ONES << 7);
    let equal = |word: u64, byte: u8| below(word ^ (ONES * u64::from(byte)), 1);
    let (words, rest) = bytes.as_chunks::<8>();
    for (number, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let marked = below(word, b' ') | equal(word, b'"') | equal(word, b'\\');
        if marked != 0 {
            return 8 * number + marked.trailing_zeros() as usize / 8;
        }
    }
    let is_escaped = |byte: &u8| *byte < b' ' || matches!(byte, b'"' | b'\\');
    let before = rest.iter().position(is_escaped).unwrap_or(rest.len());
    8 * words.len() + before
}

/// Whether lists and objects lie within each other deeper than that many levels.
pub fn nests_deeper(json: &[u8], levels: usize) -> bool {
    // In chunks whose sums fit into a byte: many bytes are looked at at once.
    let opening = json.chunks(128).map(|chunk| {
        let opens = chunk.iter().map(|byte| u8::from(matches!(byte, b'{' | b'[')));
        usize::from(opens.sum::<u8>())
    });
    // Counts brackets inside texts as well, and so never too few.
    if opening.sum::<usize>() <= levels {
        return false;
    }
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > levels {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    proptest! {
        #[test]
        fn what_is_made_harmless_stays_equal(text in "(?s).*[\u{7f}\u{9b}\u{202e}\u{2028}\u{e0041}]?\\PC*") {
            let value = Value::from(vec![Value::from(&*text), serde_json::json!({&*text: 1})]);
            for json in [value.to_string(), format!("{value:#}\n")] {
                let shown = harmless(&json);
                prop_assert!(!shown.contains(|letter| letter != '\n' && hides(letter)), "{}", shown);
                prop_assert_eq!(&serde_json::from_str::<Value>(&shown).unwrap(), &value);
            }
        }
    }

    proptest! {
        #[test]
        fn texts_are_written_as_by_the_library(text in "(?s)([a-zü🙂]{0,9}[\"\\\\\n\u{0}-\u{1f} \u{7f}\u{9b}]|.){0,20}") {
            let mut json = b"x".to_vec();
            append_text(&mut json, &text);
            let expected = format!("x{}", serde_json::to_string(&text).unwrap());
            prop_assert_eq!(String::from_utf8(json).unwrap(), expected);
        }
    }

    fn reason_of(text: &str) -> String {
        reason(&serde_json::from_str::<Vec<u8>>(text).unwrap_err())
    }

    #[test]
    fn the_place_is_left_to_the_caller() {
        assert_eq!(reason_of("[1,"), "it ends within a value");
        assert_eq!(reason_of("x"), "expected value");
        assert!(!reason_of("[\"x\"]").contains("line"));
    }
}
