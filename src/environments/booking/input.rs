//! The input of a call: a JSON object somewhere in what an agent wrote. Profile `reference` reads it as Python does
//! (spec section 1.1).

use std::borrow::Cow;
use std::str::Chars;

use serde_json::{Map, Value};

use rolecall_core::text::json;

/// The deepest nesting of values.
const DEEPEST: usize = 400;

/// The keys of an input, each once with its last value, in the order of their first occurrence. A value that is no
/// text is none.
pub type Pairs<'i> = Vec<(Cow<'i, str>, Option<Cow<'i, str>>)>;

/// The part of a text from its first to its last brace; none if it has no such part.
fn object(text: &str) -> Option<&str> {
    let (first, last) = (text.find('{')?, text.rfind('}')?);
    text.get(first..=last)
}

/// The JSON object of an input.
///
/// # Errors
/// The reason why there is none.
pub fn fields(input: &str) -> Result<Map<String, Value>, String> {
    let text = object(input).ok_or("there are no braces")?;
    json::read(text).map_err(|error| json::reason(&error))
}

/// The JSON object of an input as Python reads it, with numbers such as NaN, and with lone surrogates, which become
/// U+FFFD; none if there is none.
pub fn pairs(input: &str) -> Option<Pairs<'_>> {
    let mut reader = Reader { rest: object(input)?.strip_prefix('{')?, depth: 0 };
    let pairs = reader.fields()?;
    reader.rest.is_empty().then_some(pairs)
}

/// Reader of the text that is left, with its depth in brackets.
struct Reader<'i> {
    rest: &'i str,
    depth: usize,
}

impl<'i> Reader<'i> {
    /// Skips blanks, and then this sign if it comes next.
    fn takes(&mut self, sign: char) -> bool {
        let rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
        let behind = rest.strip_prefix(sign);
        self.rest = behind.unwrap_or(rest);
        behind.is_some()
    }

    /// Reads items up to the closing sign.
    fn each(&mut self, end: char, mut one: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        if self.takes(end) {
            return Some(());
        }
        one(self)?;
        while self.takes(',') {
            one(self)?;
        }
        self.takes(end).then_some(())
    }

    /// The fields of an object behind its first brace.
    fn fields(&mut self) -> Option<Pairs<'i>> {
        let mut pairs = Pairs::with_capacity(8);
        self.each('}', |reader| {
            let key = reader.takes('"').then(|| reader.text())??;
            let value = reader.takes(':').then(|| reader.value())??;
            match pairs.iter_mut().find(|(known, _)| *known == key) {
                Some((_, old)) => *old = value,
                None => pairs.push((key, value)),
            }
            Some(())
        })?;
        Some(pairs)
    }

    /// A value: its text, if it is one.
    fn value(&mut self) -> Option<Option<Cow<'i, str>>> {
        if self.takes('"') {
            return self.text().map(Some);
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        if self.takes('{') {
            self.fields()?;
        } else if self.takes('[') {
            self.each(']', |reader| reader.value().map(drop))?;
        } else {
            let words = ["true", "false", "null", "NaN", "Infinity", "-Infinity"];
            let word = words.into_iter().find_map(|word| self.rest.strip_prefix(word));
            self.rest = word.or_else(|| behind_number(self.rest))?;
        }
        self.depth -= 1;
        Some(None)
    }

    /// A text behind its opening quotation mark, borrowed if nothing in it is escaped.
    fn text(&mut self) -> Option<Cow<'i, str>> {
        let ends = |letter: char| matches!(letter, '"' | '\\' | '\0'..='\u{1f}');
        let (text, rest) = self.rest.split_at(self.rest.find(ends)?);
        if let Some(rest) = rest.strip_prefix('"') {
            self.rest = rest;
            return Some(text.into());
        }
        let mut units: Vec<u16> = Vec::new();
        let mut letters = self.rest.chars();
        loop {
            match letters.next()? {
                '"' => break,
                '\\' => units.push(escaped(&mut letters)?),
                '\0'..='\u{1f}' => return None,
                letter => units.extend_from_slice(letter.encode_utf16(&mut [0; 2])),
            }
        }
        self.rest = letters.as_str();
        Some(String::from_utf16_lossy(&units).into())
    }
}

/// Code unit of an escape, read behind its backslash.
fn escaped(letters: &mut Chars<'_>) -> Option<u16> {
    Some(match letters.next()? {
        letter @ ('"' | '\\' | '/') => letter as u16,
        'b' => 0x8,
        'f' => 0xc,
        'n' => 0xa,
        'r' => 0xd,
        't' => 0x9,
        'u' => {
            let (digits, rest) = letters.as_str().split_at_checked(4)?;
            let is_number = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
            *letters = rest.chars();
            u16::from_str_radix(digits, 16).ok().filter(|_| is_number)?
        }
        _ => return None,
    })
}

/// Text behind a number at the beginning; none if the number is malformed.
fn behind_number(text: &str) -> Option<&str> {
    let behind_digits = |text| -> Option<&str> {
        let rest = str::trim_start_matches(text, |digit: char| digit.is_ascii_digit());
        (rest.len() < text.len()).then_some(rest)
    };
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let mut rest = unsigned.strip_prefix('0').or_else(|| behind_digits(unsigned))?;
    if let Some(fraction) = rest.strip_prefix('.') {
        rest = behind_digits(fraction)?;
    }
    if let Some(power) = rest.strip_prefix(['e', 'E']) {
        rest = behind_digits(power.strip_prefix(['+', '-']).unwrap_or(power))?;
    }
    Some(rest)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    /// The pairs, a value that is no text as `-`.
    fn shown(text: &str) -> Option<String> {
        let pairs = pairs(text)?.into_iter().map(|(key, value)| format!("{key}={}", value.as_deref().unwrap_or("-")));
        Some(pairs.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn inputs_are_read_as_by_python() {
        for (text, read) in [
            (r#"```JSON {"area": "west"}``` end"#, Some("area=west")),
            (r#"{"a": "1", "b": "2", "a": "3"}"#, Some("a=3 b=2")),
            (r#"{"a": 5, "b": null, "c": [1, {"d": 2}], "e":{} , "f": []}"#, Some("a=- b=- c=- e=- f=-")),
            (r#"{"a": NaN, "b": -Infinity, "c": 1e999, "d": -0.5E+3}"#, Some("a=- b=- c=- d=-")),
            (r#"{"a": "\ud800x", "b": "\ud83d\ude00\\", "\u0063": "\"\n\/"}"#, Some("a=\u{fffd}x b=😀\\ c=\"\n/")),
            (r#"{"a": "NaN", "b": NaN}"#, Some("a=NaN b=-")),
            ("{}", Some("")),
            (r#"{"a": "b",}"#, None),
            ("{'a': 'b'}", None),
            (r#"{"a": 01}"#, None),
            (r#"{"a": 1.}"#, None),
            (r#"{"a": 1e}"#, None),
            (r#"{"a": -}"#, None),
            (r#"{"a": -NaN}"#, None),
            (r#"{"a": [1,]}"#, None),
            (r#"{"a": "\x"}"#, None),
            (r#"{"a": "\u+123"}"#, None),
            ("{\"a\": \"\n\"}", None),
            ("{\"a\": \"\\n\n\"}", None),
            (r#"{"a"}"#, None),
            (r#"{"a": "b"} and {"c": "d"}"#, None),
            ("} {", None),
            ("no braces", None),
        ] {
            assert_eq!(shown(text).as_deref(), read, "{text}");
        }
        let deep = |levels: usize| format!("{{\"a\": {}{}}}", "[".repeat(levels), "]".repeat(levels));
        assert_eq!(shown(&deep(300)).as_deref(), Some("a=-"));
        assert_eq!(shown(&deep(100_000)), None);
    }

    proptest! {
        #[test]
        fn what_json_is_comes_out_as_it_was_put_in(key in any::<String>(), text in any::<String>(), number in any::<f64>()) {
            let input = json!({ "first": [{ &key: &text }, number], &key: &text }).to_string();
            let read = pairs(&input).unwrap();
            prop_assert_eq!(read.last(), Some(&(key.into(), Some(text.into()))));
        }

        #[test]
        fn any_text_is_read_as_by_another_reader(text in r#"[{}\[\]":,\\u0-9a-e.+ -]{0,12}"#) {
            let input = format!("{{\"a\": {text}}}");
            let other: Option<Map<String, Value>> = serde_json::from_str(&input).ok();
            let is_half = text.contains("\\u") || text.contains('e');
            prop_assert!(is_half || pairs(&input).is_some() == other.is_some(), "{}", input);
        }
    }
}
