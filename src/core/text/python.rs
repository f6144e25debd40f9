//! Texts and values as Python writes them.

mod literal;

use std::fmt::Write;

use serde_json::{Map, Value};
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

pub use self::literal::literal;
pub use super::overlap::is_space;

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
        Value::Array(items) => push_items(out, ['[', ']'], items, push_json_value),
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
    push_dict(out, fields, push_json, push_json_value);
}

/// A dictionary, with its keys and values as these write them.
pub fn push_dict<K: AsRef<str>, V>(
    out: &mut String,
    fields: impl IntoIterator<Item = (K, V)>,
    push_key: impl Fn(&mut String, &str),
    push_value: impl Fn(&mut String, V),
) {
    push_items(out, ['{', '}'], fields, |out, (name, field)| {
        push_key(out, name.as_ref());
        out.push_str(": ");
        push_value(out, field);
    });
}

/// Items in brackets, with commas between them.
fn push_items<T>(
    out: &mut String,
    [open, close]: [char; 2],
    items: impl IntoIterator<Item = T>,
    push: impl Fn(&mut String, T),
) {
    out.push(open);
    for (place, item) in items.into_iter().enumerate() {
        out.push_str(if place > 0 { ", " } else { "" });
        push(out, item);
    }
    out.push(close);
}

/// The text as `repr` writes it: in single quotes, or double ones where it has single ones alone; what cannot
/// be printed is escaped.
pub fn push_repr(out: &mut String, text: &str) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
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
        Value::Array(items) => push_items(out, ['[', ']'], items, push_repr_value),
        Value::Object(fields) => push_dict(out, fields, push_repr, push_repr_value),
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

/// A float as `repr` writes it: the fewest digits that read as the same number, `10.0`, `1e-05`, `1e+16`.
pub fn python_float(number: f64) -> String {
    if !number.is_finite() {
        return format!("{number}").to_lowercase();
    }
    let scientific = format!("{number:e}");
    let is_plain = number == 0.0 || (1e-4..1e16).contains(&number.abs());
    let (digits, exponent) = match scientific.split_once('e') {
        Some(parts) if !is_plain => parts,
        _ => return format!("{number:?}"),
    };
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    format!("{digits}e{sign}{exponent:0>2}")
}

/// Digits that are no decimal ones: raised, lowered, in circles and the like.
const OTHER_DIGITS: &[(char, char)] = &[
    ('\u{b2}', '\u{b3}'),
    ('\u{b9}', '\u{b9}'),
    ('\u{1369}', '\u{1371}'),
    ('\u{19da}', '\u{19da}'),
    ('\u{2070}', '\u{2070}'),
    ('\u{2074}', '\u{2079}'),
    ('\u{2080}', '\u{2089}'),
    ('\u{2460}', '\u{2468}'),
    ('\u{2474}', '\u{247c}'),
    ('\u{2488}', '\u{2490}'),
    ('\u{24ea}', '\u{24ea}'),
    ('\u{24f5}', '\u{24fd}'),
    ('\u{24ff}', '\u{24ff}'),
    ('\u{2776}', '\u{277e}'),
    ('\u{2780}', '\u{2788}'),
    ('\u{278a}', '\u{2792}'),
    ('\u{10a40}', '\u{10a43}'),
    ('\u{10e60}', '\u{10e68}'),
    ('\u{11052}', '\u{1105a}'),
    ('\u{1f100}', '\u{1f10a}'),
];

/// The first of the mathematical digits, the only decimal ones that do not begin at a sixteenth place or six
/// behind one.
const MATHEMATICAL: u32 = 0x1d7ce;

/// Whether the text is of digits alone, and has some (`str.isdigit`).
pub fn is_digits(text: &str) -> bool {
    let is_other = |letter: char| OTHER_DIGITS.iter().any(|(first, last)| (*first..=*last).contains(&letter));
    let is_digit = |letter: char| decimal(letter).is_some() || is_other(letter);
    !text.is_empty() && text.chars().all(is_digit)
}

/// The whole number that a text says, as `int` reads it: with blanks around it, a sign, decimal digits of any
/// script, and single underscores between them. None if it says none, or one beyond 128 bits.
pub fn python_int(text: &str) -> Option<i128> {
    let text = strip(text);
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let mut number: i128 = 0;
    let mut after_digit = false;
    for letter in digits.chars() {
        if letter == '_' && after_digit {
            after_digit = false;
            continue;
        }
        number = number.checked_mul(10)?.checked_add(i128::from(decimal(letter)?))?;
        after_digit = true;
    }
    after_digit.then_some(sign * number)
}

/// The value of a decimal digit of any script.
fn decimal(letter: char) -> Option<u32> {
    if let Some(value) = letter.to_digit(10) {
        return Some(value);
    }
    let is_decimal = |letter: char| letter.general_category() == GeneralCategory::DecimalNumber;
    if letter.is_ascii() || !is_decimal(letter) {
        return None;
    }
    let code = u32::from(letter);
    if (MATHEMATICAL..MATHEMATICAL + 50).contains(&code) {
        return Some((code - MATHEMATICAL) % 10);
    }
    let begins_at_sixteenth = char::from_u32(code - code % 16).is_some_and(is_decimal);
    Some(if begins_at_sixteenth { code % 16 } else { (code % 16).checked_sub(6)? })
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

    #[test]
    fn floats_are_written_as_by_repr() {
        let cases = [
            (10.0, "10.0"),
            (10.99, "10.99"),
            (0.1 + 0.2, "0.30000000000000004"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (1.5e-7, "1.5e-07"),
            (1e15, "1000000000000000.0"),
            (123_456_789_012_345_680.0, "1.2345678901234568e+17"),
            (1e100, "1e+100"),
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (-2.5, "-2.5"),
            (f64::INFINITY, "inf"),
            (f64::NAN, "nan"),
        ];
        for (number, shown) in cases {
            assert_eq!(python_float(number), shown);
        }
    }

    #[test]
    fn numbers_are_read_as_by_int() {
        for (text, number) in [
            ("07", Some(7)),
            (" -12\n", Some(-12)),
            ("+3", Some(3)),
            ("1_000", Some(1000)),
            ("1__0", None),
            ("_1", None),
            ("1_", None),
            ("", None),
            ("- 1", None),
            ("00orso", None),
            ("１７", Some(17)),
            ("٣", Some(3)),
            ("۴", Some(4)),
            ("𝟗", Some(9)),
            ("²", None),
        ] {
            assert_eq!(python_int(text), number, "{text}");
        }
    }

    #[test]
    fn digits_are_those_of_isdigit() {
        for text in ["915", "１７", "²", "①", "𝟗"] {
            assert!(is_digits(text), "{text}");
        }
        for text in ["", "1 ", "-1", "½", "x", "⑩"] {
            assert!(!is_digits(text), "{text}");
        }
    }
}
