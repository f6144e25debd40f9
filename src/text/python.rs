//! Texts and values as Python writes them.

mod literal;

use std::fmt::Write;

use serde_json::{Map, Value};
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

pub use self::literal::literal;
pub use super::overlap::is_space;
use super::python_float;

/// The text as `json.dumps` writes it: in double quotes, everything but ASCII escaped.
pub fn push_json(out: &mut String, text: &str) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            ' '..='~' => out.push(letter),
            _ => {
                for unit in letter.encode_utf16(&mut [0; 2]) {
                    // Writing to a text cannot fail.
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
    out.push('"');
}

/// A value as `json.dumps` writes it: a blank behind each comma and colon, everything but ASCII escaped.
pub fn push_json_value(out: &mut String, value: &Value) {
    match value {
        Value::String(text) => push_json(out, text),
        Value::Array(items) => {
            out.push('[');
            for (place, item) in items.iter().enumerate() {
                out.push_str(if place > 0 { ", " } else { "" });
                push_json_value(out, item);
            }
            out.push(']');
        }
        Value::Object(fields) => push_json_object(out, fields),
        Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
            Some(float) => out.push_str(&python_float(float)),
            None => out.push_str(&number.to_string()),
        },
        Value::Bool(_) | Value::Null => out.push_str(&value.to_string()),
    }
}

/// An object as `json.dumps` writes it.
pub fn push_json_object(out: &mut String, fields: &Map<String, Value>) {
    out.push('{');
    for (place, (name, field)) in fields.iter().enumerate() {
        out.push_str(if place > 0 { ", " } else { "" });
        push_json(out, name);
        out.push_str(": ");
        push_json_value(out, field);
    }
    out.push('}');
}

/// The text as `repr` writes it: in single quotes, or double ones where it has single ones alone; what cannot
/// be printed is escaped.
pub fn push_repr(out: &mut String, text: &str) {
    let quote = match text.contains('\'') && !text.contains('"') {
        true => '"',
        false => '\'',
    };
    out.push(quote);
    for letter in text.chars() {
        // Writing to a text cannot fail.
        let _ = match letter {
            '\\' => out.write_str("\\\\"),
            '\n' => out.write_str("\\n"),
            '\r' => out.write_str("\\r"),
            '\t' => out.write_str("\\t"),
            _ if letter == quote => write!(out, "\\{letter}"),
            _ if is_printable(letter) => out.write_char(letter),
            _ => match u32::from(letter) {
                code @ ..0x100 => write!(out, "\\x{code:02x}"),
                code @ ..0x1_0000 => write!(out, "\\u{code:04x}"),
                code => write!(out, "\\U{code:08x}"),
            },
        };
    }
    out.push(quote);
}

/// A value as `repr` writes it.
pub fn repr(value: &Value) -> String {
    let mut out = String::new();
    push_repr_value(&mut out, value);
    out
}

fn push_repr_value(out: &mut String, value: &Value) {
    match value {
        Value::String(text) => push_repr(out, text),
        Value::Array(items) => {
            out.push('[');
            for (place, item) in items.iter().enumerate() {
                out.push_str(if place > 0 { ", " } else { "" });
                push_repr_value(out, item);
            }
            out.push(']');
        }
        Value::Object(fields) => {
            out.push('{');
            for (place, (name, field)) in fields.iter().enumerate() {
                out.push_str(if place > 0 { ", " } else { "" });
                push_repr(out, name);
                out.push_str(": ");
                push_repr_value(out, field);
            }
            out.push('}');
        }
        Value::Null => out.push_str("None"),
        Value::Bool(true) => out.push_str("True"),
        Value::Bool(false) => out.push_str("False"),
        Value::Number(_) => push_json_value(out, value),
    }
}

/// Whether Python prints the letter as it is: no control, no mark of format, no blank but the usual one.
fn is_printable(letter: char) -> bool {
    use GeneralCategoryGroup::{Other, Separator};
    letter == ' ' || !matches!(letter.general_category_group(), Other | Separator)
}

/// Whether `pandas.read_csv` takes a cell as missing.
pub fn is_missing(cell: &str) -> bool {
    matches!(
        cell,
        "" | "#N/A"
            | "#N/A N/A"
            | "#NA"
            | "-1.#IND"
            | "-1.#QNAN"
            | "-NaN"
            | "-nan"
            | "1.#IND"
            | "1.#QNAN"
            | "<NA>"
            | "N/A"
            | "NA"
            | "NULL"
            | "NaN"
            | "None"
            | "n/a"
            | "nan"
            | "null"
    )
}

/// The text without blanks around it, as `strip` leaves it.
pub fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(push: fn(&mut String, &str), text: &str) -> String {
        let mut out = String::new();
        push(&mut out, text);
        out
    }

    #[test]
    fn json_is_ascii() {
        let text = "12\" ’é\u{1f600}\\\n\r\t\u{8}\u{c}\u{1}\u{7f}/<";
        let expected = r#""12\" \u2019\u00e9\ud83d\ude00\\\n\r\t\b\f\u0001\u007f/<""#;
        assert_eq!(written(push_json, text), expected);
    }

    #[test]
    fn quotes_and_escapes_are_those_of_repr() {
        let cases = [
            ("a", "'a'"),
            ("it's", "\"it's\""),
            ("it's 12\"", "'it\\'s 12\"'"),
            ("é★\u{1f600}", "'é★\u{1f600}'"),
            ("a\\b\n\r\t\u{1}\u{7f}", r"'a\\b\n\r\t\x01\x7f'"),
            ("\u{a0}\u{ad}\u{200b}\u{2028}\u{e0041}", r"'\xa0\xad\u200b\u2028\U000e0041'"),
            ("e\u{301}\u{301}", "'e\u{301}\u{301}'"),
        ];
        for (text, expected) in cases {
            assert_eq!(written(push_repr, text), expected);
        }
    }

    #[test]
    fn values_are_written_as_by_repr() {
        let value = serde_json::json!({ "it's": ["a", -1, 2.0, null], "": {}, "b": [true, false, []] });
        let text = r#"{"it's": ['a', -1, 2.0, None], '': {}, 'b': [True, False, []]}"#;
        assert_eq!(repr(&value), text);
    }

    #[test]
    fn strip_takes_what_python_calls_space() {
        assert_eq!(strip("\u{1c}\u{a0} a b\u{85}\n"), "a b");
    }
}
