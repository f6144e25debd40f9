//! Whole numbers as Python reads them, in the digits of any script.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use super::python::strip;

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
    let is_other = |letter: char| {
        let mut ranges = OTHER_DIGITS.iter();
        ranges.any(|(first, last)| (*first..=*last).contains(&letter))
    };
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
    Some(match begins_at_sixteenth {
        true => code % 16,
        false => (code % 16).checked_sub(6)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
