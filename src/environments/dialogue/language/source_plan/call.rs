//! Calls of sources in a plan.

use super::super::clean::{after_blanks, after_bullet, after_word};
use super::super::{Dataset, Variable};
use rolecall_core::text::overlap::is_word;

/// A call as it stands in a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call<'a> {
    /// The number of its variable; absent if it has none.
    pub(super) digits: Option<&'a str>,
    /// The name of the source.
    pub(super) name: &'a str,
    /// The text in the brackets.
    pub(super) input: &'a str,
    /// The bracket was closed.
    pub(super) closed: bool,
    /// The byte at which it begins.
    pub(super) from: usize,
    /// The byte behind it.
    pub(super) to: usize,
}

/// The calls of a text, one after another.
pub(super) fn calls(text: &str, variable: Variable, dataset: Dataset) -> Vec<Call<'_>> {
    let mut found = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        in_line(line, offset, variable, dataset, &mut found);
        offset += line.len();
    }
    found
}

fn in_line<'a>(line: &'a str, offset: usize, variable: Variable, dataset: Dataset, found: &mut Vec<Call<'a>>) {
    let call = |digits, name, inside, at| {
        let (input, after) = bracketed(inside);
        Call {
            digits,
            name,
            input,
            closed: after.is_some(),
            from: offset + at,
            to: offset + line.len() - after.map_or(0, str::len),
        }
    };
    let start = after_bullet(line);
    let unnamed = named(start).filter(|(name, _)| dataset.source(name).is_some());
    found.extend(unnamed.map(|(name, inside)| call(None, name, inside, line.len() - start.len())));
    let mut before = None;
    for (at, letter) in line.char_indices() {
        let is_free = found.last().is_none_or(|last| last.to <= offset + at);
        let begins = is_free && !before.is_some_and(is_word);
        before = Some(letter);
        let may_call = letter == '#' || letter.is_ascii_alphabetic();
        let text = line.get(at..).filter(|_| begins && may_call);
        if let Some((digits, name, inside)) = text.and_then(|text| head(text, variable)) {
            found.push(call(Some(digits), name, inside, at));
        }
    }
}

/// `#So1 = NAME[` in front of a text: the digits, the name, and the rest behind the bracket.
fn head(text: &str, variable: Variable) -> Option<(&str, &str, &str)> {
    let text = text.strip_prefix('#').map_or(text, after_blanks);
    let text = after_blanks(after_word(text, variable.prefix())?);
    let (digits, rest) = run(text, |letter| letter.is_ascii_digit())?;
    let rest = after_blanks(rest);
    let rest = rest.strip_prefix(":=").or(rest.strip_prefix(['=', ':']))?;
    let (name, inside) = named(after_blanks(rest))?;
    Some((digits, name, inside))
}

/// `NAME[` in front of a text.
fn named(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = run(text, is_word)?;
    Some((name, after_blanks(rest).strip_prefix('[')?))
}

/// The letters of a kind in front of a text, at least one, and the rest.
fn run(text: &str, kind: impl Fn(char) -> bool) -> Option<(&str, &str)> {
    let rest = text.trim_start_matches(kind);
    let run = text.get(..text.len() - rest.len())?;
    (!run.is_empty()).then_some((run, rest))
}

/// The text after an opened bracket up to the one that balances it on the same line, and the rest after
/// that; the whole line and no rest if it is not there.
pub(in crate::language) fn bracketed(inside: &str) -> (&str, Option<&str>) {
    let mut depth = 0_usize;
    for (at, letter) in inside.char_indices() {
        match letter {
            '\n' => return (inside.get(..at).unwrap_or_default(), None),
            '[' => depth += 1,
            ']' if depth == 0 => {
                return (inside.get(..at).unwrap_or_default(), inside.get(at + 1..));
            }
            ']' => depth -= 1,
            _ => {}
        }
    }
    (inside, None)
}
