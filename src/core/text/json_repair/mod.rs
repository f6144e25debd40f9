//! Reads the JSON that models write: in fences, between sentences, with single quotes, Python's
//! words, commas too many or too few, line breaks in texts, or cut off in the middle. What had to be
//! mended is told.

mod reader;

use std::collections::BTreeSet;

use serde_json::Value;

use super::json::{self, nests_deeper};
use reader::Reader;

/// The deepest nesting that is read.
const DEEPEST: usize = 64;

/// Something that had to be mended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Fix {
    /// Text around the value, or a fence.
    Around,
    /// Quotation marks that JSON does not know, or none.
    Quotes,
    /// A comma or colon too many or too few.
    Commas,
    /// A control character within a text, or a backslash that means nothing.
    Escapes,
    /// Words such as `True` and `None`, or numbers that JSON does not know.
    Words,
    /// A comment.
    Comment,
    /// The end is missing.
    End,
}

names! { Fix, code:
    Around => "json_around", Quotes => "json_quotes", Commas => "json_commas",
    Escapes => "json_escapes", Words => "json_words", Comment => "json_comment", End => "json_end",
}

impl Fix {
    /// The repair, in words.
    pub fn description(self) -> &'static str {
        match self {
            Self::Around => "the text around the JSON value was left out",
            Self::Quotes => "texts of the JSON value were put into double quotes",
            Self::Commas => "commas and colons of the JSON value were put right",
            Self::Escapes => "control characters and backslashes in the JSON value were written out",
            Self::Words => "words and numbers of the JSON value were put right",
            Self::Comment => "comments in the JSON value were left out",
            Self::End => "the end of the JSON value was missing and was added",
        }
    }
}

/// A value with what had to be mended to read it.
#[derive(Clone, Debug, PartialEq)]
pub struct Repaired {
    /// The value.
    pub value: Value,
    /// The repairs, each kind once.
    pub fixes: BTreeSet<Fix>,
}

/// Why no value was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoJson {
    /// There is neither `{` nor `[`.
    #[error("it holds no JSON object or list")]
    Absent,
    /// It is nested too deep.
    #[error("it is nested deeper than {DEEPEST} levels")]
    TooDeep,
}

/// Reads the first JSON object or list in the text.
pub fn repair(text: &str) -> Result<Repaired, NoJson> {
    let trimmed = text.trim();
    if let Ok(value) = json::read::<Value>(trimmed)
        && (value.is_object() || value.is_array())
        && !nests_deeper(trimmed.as_bytes(), DEEPEST)
    {
        let fixes = BTreeSet::new();
        return Ok(Repaired { value, fixes });
    }
    let start = trimmed.find(['{', '[']).ok_or(NoJson::Absent)?;
    let (before, rest) = trimmed.split_at(start);
    let mut reader = Reader::new(rest);
    let value = reader.value(0)?;
    if !reader.is_at_end() || !before.is_empty() {
        reader.fixes.insert(Fix::Around);
    }
    let fixes = reader.fixes;
    Ok(Repaired { value, fixes })
}

#[cfg(test)]
mod tests;
