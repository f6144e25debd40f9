//! How calls of the executor are scored (Ask-before-Plan section 5.2).

use rustc_hash::FxHashSet;

use crate::calls::{Kind, Tool, parts};
use rolecall_core::text::python::is_space;

/// The figures of a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Executed {
    /// Share of the expected tools that were called.
    pub api_match: f64,
    /// Share of the calls that are expected.
    pub precision: f64,
    /// Share of the expected calls that were made.
    pub recall: f64,
    /// Both together.
    pub f1: f64,
    /// Share of the calls that were made before.
    pub repeat_rate: f64,
    /// Whether just the expected calls were made.
    pub pass: bool,
}

/// Scores the lines of a turn beside the calls that are expected. Quotes of both kinds are the same, blanks are not.
pub fn executed(lines: &[&str], labels: &[&str]) -> Executed {
    let set = |all: &[&str]| -> FxHashSet<String> { all.iter().map(|line| line.replace('\'', "\"")).collect() };
    let (made, expected) = (set(lines), set(labels));
    let repeat_rate = match lines.len() {
        0 => 0.0,
        all => 1.0 - made.len() as f64 / all as f64,
    };
    let names = |all: &FxHashSet<String>| -> FxHashSet<String> {
        all.iter().filter_map(|line| parts(line)).map(|(name, _)| name.to_owned()).collect()
    };
    let (called, tools) = (names(&made), names(&expected));
    let nothing = made.is_empty() && expected.is_empty();
    let share = |part: usize, whole: usize| match whole {
        0 => f64::from(u8::from(nothing)),
        whole => part as f64 / whole as f64,
    };
    let both = made.intersection(&expected).count();
    Executed {
        api_match: share(called.intersection(&tools).count(), tools.len()),
        precision: share(both, made.len()),
        recall: share(both, expected.len()),
        f1: share(2 * both, made.len() + expected.len()),
        repeat_rate,
        pass: made == expected,
    }
}

/// The share of lines that have the form of a call; 1 without lines.
pub fn well_formed<'l>(lines: impl Iterator<Item = &'l str>) -> f64 {
    let formed: Vec<bool> = lines.map(is_well_formed).collect();
    let hits = formed.iter().filter(|is_formed| **is_formed).count();
    match formed.len() {
        0 => 1.0,
        all => hits as f64 / all as f64,
    }
}

/// Whether a line has the form of a call of one of the six tools, as far as patterns tell it.
pub fn is_well_formed(line: &str) -> bool {
    let Some((name, parameters)) = parts(line) else {
        return false;
    };
    let tool = Tool::named(name).filter(|tool| *tool != Tool::Finish);
    tool.and_then(|tool| follows(parameters, tool.parameters())).is_some_and(|rest| rest.is_empty() || rest == "\n")
}

/// The rest behind texts in quotes, lists and numbers parted by commas.
fn follows<'a>(parameters: &'a str, form: &[(&str, Kind)]) -> Option<&'a str> {
    let mut rest = parameters;
    for (place, (_, kind)) in form.iter().enumerate() {
        if place > 0 {
            rest = rest.strip_prefix(',')?.trim_start_matches(is_space);
        }
        rest = match kind {
            Kind::Text => {
                let quote = rest.chars().next()?;
                rest.strip_prefix(['"', '\''])?.split_once(quote)?.1
            }
            Kind::List => rest.strip_prefix('[')?.split_once(']')?.1,
            Kind::Number => {
                let behind = rest.trim_start_matches(|letter: char| letter.is_ascii_digit());
                (behind.len() < rest.len()).then_some(behind)?
            }
        };
    }
    Some(rest)
}
