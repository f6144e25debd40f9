//! The input of a call: a JSON object somewhere in what an agent wrote, read as Python reads it (spec section 1.1).

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

use super::goal::Slots;

/// The keys of an input with their values, in the order in which they were written first. A value that is no
/// text is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Input<'i> {
    /// Each key once, with its last value.
    pub pairs: Vec<(Cow<'i, str>, Option<Cow<'i, str>>)>,
}

/// The part of a text from its first to its last brace; none if it has no such part.
pub fn object(text: &str) -> Option<&str> {
    let (first, last) = (text.find('{')?, text.rfind('}')?);
    text.get(first..=last)
}

impl<'i> Input<'i> {
    /// Reads what stands between the braces of a text; none if that is no JSON object. `mended` holds the object
    /// if it has what only Python takes: numbers such as NaN, and half of a pair of surrogates.
    pub fn read(text: &'i str, mended: &'i mut String) -> Option<Self> {
        let object = object(text)?;
        if let Ok(input) = serde_json::from_str(object) {
            return Some(input);
        }
        *mended = as_python_reads(object);
        serde_json::from_str(mended).ok()
    }

    /// The keys whose values are texts.
    pub fn slots(&self) -> Slots {
        let pairs = self.pairs.iter();
        let texts =
            pairs.filter_map(|(key, value)| Some((key.to_string(), value.as_deref()?.into())));
        texts.collect()
    }
}

impl<'de: 'i, 'i> Deserialize<'de> for Input<'i> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Pairs)
    }
}

struct Pairs;

impl<'de> Visitor<'de> for Pairs {
    type Value = Input<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Input<'de>, A::Error> {
        let mut pairs: Vec<(Cow<'de, str>, Option<Cow<'de, str>>)> = Vec::with_capacity(8);
        while let Some((Name(key), value)) = map.next_entry::<Name<'de>, Text<'de>>()? {
            match pairs.iter_mut().find(|(own, _)| *own == key) {
                Some((_, old)) => *old = value.0,
                None => pairs.push((key, value.0)),
            }
        }
        Ok(Input { pairs })
    }
}

/// A key, borrowed if nothing in it is escaped.
#[derive(Deserialize)]
struct Name<'i>(#[serde(borrow)] Cow<'i, str>);

/// A text, borrowed if nothing in it is escaped; none for a value of another type.
struct Text<'i>(Option<Cow<'i, str>>);

impl<'de: 'i, 'i> Deserialize<'de> for Text<'i> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue).map(Self)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Option<Cow<'de, str>>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("any value")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Some(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Some(Cow::Owned(text.to_owned())))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(None)
    }

    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(None)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(None)
    }
}

/// The object with 0 in place of every number and of NaN and Infinity, and with U+FFFD in place of each half of a
/// pair of surrogates.
fn as_python_reads(object: &str) -> String {
    let mut out = String::with_capacity(object.len());
    let mut rest = object;
    let mut in_text = false;
    while let Some(letter) = rest.chars().next() {
        let taken = match letter {
            '"' => {
                in_text = !in_text;
                1
            }
            '\\' if in_text => match surrogate(rest) {
                Some(length) => {
                    out.push('\u{fffd}');
                    rest = &rest[length..];
                    continue;
                }
                None if rest.starts_with("\\u") && is_pair(rest) => 12,
                None => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            },
            '-' | 'N' | 'I' | '0'..='9' if !in_text => match number(rest) {
                Some(length) => {
                    out.push('0');
                    rest = &rest[length..];
                    continue;
                }
                // Python knows no negative NaN, and neither shall the reader after it.
                None if rest.starts_with("-NaN") => 4,
                None => 1,
            },
            other => other.len_utf8(),
        };
        out.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    out
}

/// The code of an escape `\uXXXX` at the beginning.
fn unit(text: &str) -> Option<u16> {
    u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

fn is_pair(text: &str) -> bool {
    let second = text.get(6..).and_then(unit);
    unit(text).is_some_and(|first| (0xd800..0xdc00).contains(&first))
        && second.is_some_and(|second| (0xdc00..0xe000).contains(&second))
}

/// The length of half of a pair at the beginning, if there is one.
fn surrogate(text: &str) -> Option<usize> {
    let is_half = (0xd800..0xe000).contains(&unit(text)?);
    (is_half && !is_pair(text)).then_some(6)
}

/// The length of a number at the beginning as Python takes it, if there is one.
fn number(text: &str) -> Option<usize> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let sign = text.len() - unsigned.len();
    for word in ["Infinity", "NaN"] {
        if unsigned.starts_with(word) && (word == "Infinity" || sign == 0) {
            return Some(sign + word.len());
        }
    }
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut length = match unsigned.starts_with('0') {
        true => 1,
        false => digits(unsigned),
    };
    if length == 0 {
        return None;
    }
    if let Some(fraction) = unsigned[length..].strip_prefix('.') {
        let count = digits(fraction);
        length += if count > 0 { 1 + count } else { 0 };
    }
    if let Some(exponent) = unsigned[length..].strip_prefix(['e', 'E']) {
        let power = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let count = digits(power);
        length += match count {
            0 => 0,
            count => 1 + exponent.len() - power.len() + count,
        };
    }
    Some(sign + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pairs, a value that is no text as `-`.
    fn pairs(text: &str) -> Option<String> {
        let mut mended = String::new();
        let input = Input::read(text, &mut mended)?;
        let pairs = input.pairs.iter();
        let pairs = pairs.map(|(key, value)| format!("{key}={}", value.as_deref().unwrap_or("-")));
        Some(pairs.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn inputs_are_read_as_by_python() {
        for (text, read) in [
            (r#"```JSON {"area": "west"}``` end"#, Some("area=west")),
            (r#"{"a": "1", "b": "2", "a": "3"}"#, Some("a=3 b=2")),
            (
                r#"{"a": 5, "b": null, "c": [1, {"d": 2}]}"#,
                Some("a=- b=- c=-"),
            ),
            (
                r#"{"a": NaN, "b": -Infinity, "c": 1e999}"#,
                Some("a=- b=- c=-"),
            ),
            (
                r#"{"a": "\ud800x", "b": "\ud83d\ude00\\"}"#,
                Some("a=\u{fffd}x b=😀\\"),
            ),
            (r#"{"a": "NaN", "b": NaN}"#, Some("a=NaN b=-")),
            ("{}", Some("")),
            (r#"{"a": "b",}"#, None),
            ("{'a': 'b'}", None),
            (r#"{"a": 01}"#, None),
            (r#"{"a": -NaN}"#, None),
            (r#"{"a": "b"} and {"c": "d"}"#, None),
            ("} {", None),
            ("no braces", None),
        ] {
            assert_eq!(pairs(text).as_deref(), read, "{text}");
        }
    }
}
