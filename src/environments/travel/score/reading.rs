//! How the texts of a plan are read: cities, names, ways to travel and numbers of flights, as the original's patterns
//! read them.

use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

use rolecall_core::text::python::{is_space, strip};

/// How somebody travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// By taxi.
    Taxi,
    /// By one's own car.
    SelfDriving,
    /// By plane.
    Flight,
}

impl Mode {
    /// The first mode in this order whose word occurs, whatever its case.
    pub fn of(text: &str) -> Option<Self> {
        let small = text.to_lowercase();
        let modes = [("taxi", Self::Taxi), ("self-driving", Self::SelfDriving), ("flight", Self::Flight)];
        modes.into_iter().find_map(|(word, mode)| small.contains(word).then_some(mode))
    }
}

/// The text behind a number of bytes.
fn behind(text: &str, at: usize) -> &str {
    text.get(at..).unwrap_or_default()
}

/// The bytes of the blanks with which a text begins.
fn blanks(text: &str) -> usize {
    text.len() - text.trim_start_matches(is_space).len()
}

/// A `to` between blanks with a city behind it.
struct Arrival<'a> {
    /// Where the blanks before it begin.
    gap: usize,
    /// Where it stands.
    at: usize,
    /// The text from the city on.
    rest: &'a str,
}

impl<'a> Arrival<'a> {
    fn at(text: &'a str, at: usize) -> Option<Self> {
        let gap = text.get(..at)?.trim_end_matches(is_space).len();
        let rest = behind(text, at + 2);
        let run = blanks(rest);
        let city = behind(rest, run);
        // Without a city the last of several blanks is taken for one.
        let rest = match city.is_empty() || city.starts_with(',') {
            false => city,
            true => {
                let last = rest.get(..run)?.char_indices().next_back()?.0;
                (last > 0).then(|| behind(rest, last))?
            }
        };
        (gap < at && run > 0).then_some(Self { gap, at, rest })
    }

    /// The city, up to a comma.
    fn city(&self) -> &'a str {
        self.rest.split(',').next().unwrap_or_default()
    }
}

/// The cities of `from A to B`, the second up to a comma; none if the text has nothing of this form. Reads each part
/// of a text once, however often `from` occurs.
pub fn from_to(text: &str) -> Option<(&str, &str)> {
    let mut arrivals = text.match_indices("to").filter_map(|(at, _)| Arrival::at(text, at)).peekable();
    let mut line_end = 0;
    for (from, _) in text.match_indices("from") {
        let begin = from + 4;
        let run = blanks(behind(text, begin));
        let start = begin + run;
        if run == 0 {
            continue;
        }
        let mut nameless = None;
        while let Some(passed) = arrivals.next_if(|arrival| arrival.gap <= start) {
            nameless = (passed.at == start).then_some(passed).or(nameless);
        }
        if line_end <= start {
            let end = behind(text, start).find('\n');
            line_end = end.map_or(text.len(), |end| start + end);
        }
        if let Some(arrival) = arrivals.peek().filter(|arrival| arrival.gap <= line_end) {
            return Some((text.get(start..arrival.gap)?, arrival.city()));
        }
        // Where nothing else is named, one of three blanks or more is taken for the first city.
        let between = text.get(begin..start)?.char_indices().rev().skip(1);
        let mut between = between.filter(|(at, letter)| *at > 0 && *letter != '\n');
        if let Some((arrival, (at, letter))) = nameless.zip(between.next()) {
            let end = begin + at + letter.len_utf8();
            return Some((text.get(begin + at..end)?, arrival.city()));
        }
    }
    None
}

/// The text before the first bracket that is closed again, if both stand in its first line; else all of it.
pub fn before_parenthesis(text: &str) -> &str {
    match text.split_once('(') {
        Some((before, behind)) if behind.contains(')') && !before.contains('\n') => before,
        _ => text,
    }
}

/// The name and the city of `Name, City`: before and behind the last comma. Both are `-` without one.
pub fn name_and_city(text: &str) -> (&str, &str) {
    match text.rsplit_once(',').filter(|(_, city)| !city.is_empty()) {
        Some((name, city)) => {
            let name = name.rsplit('\n').next().unwrap_or_default();
            (strip(name), strip(before_parenthesis(strip(city))))
        }
        None => ("-", "-"),
    }
}

/// The text behind `Flight Number: ` up to a comma.
pub fn flight_number(text: &str) -> Option<&str> {
    const MARK: &str = "Flight Number: ";
    text.split(MARK).nth(1)?.split(',').next()
}

/// The first letter of A to Z with digits behind it.
pub fn flight_code(text: &str) -> Option<&str> {
    let is_digit = |letter: char| letter.general_category() == GeneralCategory::DecimalNumber;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().is_some_and(|(_, next)| is_digit(*next));
        if letter.is_ascii_alphabetic() && next {
            let digits = behind(text, at + 1);
            let end = digits.find(|letter| !is_digit(letter));
            return text.get(at..at + 1 + end.unwrap_or(digits.len()));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn cities_are_read_like_the_original_pattern() {
        let cases = [
            ("from A to B", Some(("A", "B"))),
            ("Taxi, from New York to Bo ston, duration: 1", Some(("New York", "Bo ston"))),
            ("from A to B to C", Some(("A", "B to C"))),
            ("from  A \n to\tB(X)\n,", Some(("A", "B(X)\n"))),
            ("from A\nB to C", None),
            ("from A\nB, from D to E", Some(("D", "E"))),
            ("from to B", None),
            ("from to B to C", Some(("to B", "C"))),
            ("from   to B", Some((" ", "B"))),
            ("from A to ,", None),
            ("from A to  ,", Some(("A", " "))),
            ("from A to", None),
            ("fromA to B", None),
            ("from A to B, from C to D", Some(("A", "B"))),
            ("x from from A to B", Some(("from A", "B"))),
        ];
        for (text, expected) in cases {
            assert_eq!(from_to(text), expected, "{text:?}");
        }
    }

    #[test]
    fn names_stand_before_the_last_comma() {
        let cases = [
            ("Cafe, Boston", ("Cafe", "Boston")),
            ("Bed, big , Boston (MA) ", ("Bed, big", "Boston")),
            ("Boston", ("-", "-")),
            ("Cafe,", ("-", "-")),
            ("Cafe, ", ("Cafe", "")),
            ("a\nb, c", ("b", "c")),
        ];
        for (text, expected) in cases {
            assert_eq!(name_and_city(text), expected, "{text:?}");
        }
        assert_eq!(before_parenthesis("a(b(c"), "a(b(c");
        assert_eq!(before_parenthesis("a(b(c)"), "a");
    }

    #[test]
    fn flights_have_numbers() {
        assert_eq!(flight_code("Flight Number: F12x, G3"), Some("F12"));
        assert_eq!(flight_code("Flight 12"), None);
        assert_eq!(flight_number("Flight Number: F1, Flight Number: F2"), Some("F1"));
        assert_eq!(Mode::of("a FLIGHT by Taxi"), Some(Mode::Taxi));
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(from|to|[ ,\n(){}A\u{a0}é1-])*") {
            let _ = (from_to(&text), name_and_city(&text), flight_code(&text));
        }
    }
}
