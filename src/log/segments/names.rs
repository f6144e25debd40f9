//! What closed segments are called.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::files::PART;
use crate::log::folder::EVENTS;

/// What the names begin with, before the number.
const START: &str = "events-";
/// The rest of the name of a segment that is not compressed yet.
const PLAIN: &str = ".jsonl";
/// The rest of the name of a compressed one.
const PACKED: &str = ".jsonl.zst";

/// A closed segment that is not compressed yet.
pub(in crate::log) fn unpacked(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("{START}{number:06}{PLAIN}"))
}

/// A compressed one.
pub(in crate::log) fn packed(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("{START}{number:06}{PACKED}"))
}

/// What a name in a run's folder says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::log) enum Kind {
    Unpacked,
    Packed,
    /// One that is being compressed, or never was to the end.
    Part,
}

/// The number of a segment and what is there of it, if the file of that name is one.
pub(in crate::log) fn read(name: &str) -> Option<(u32, Kind)> {
    let rest = name.strip_prefix(START)?;
    let digits = rest.find(|letter: char| !letter.is_ascii_digit())?;
    let (number, ending) = rest.split_at(digits);
    let kind = match ending {
        PLAIN => Kind::Unpacked,
        PACKED => Kind::Packed,
        _ if ending.strip_suffix(PART) == Some(PACKED) => Kind::Part,
        _ => return None,
    };
    let number = number.parse().ok().filter(|number| *number > 0)?;
    // As it is written, and in no other way.
    (digits == number_width(number)).then_some((number, kind))
}

fn number_width(number: u32) -> usize {
    format!("{number:06}").len()
}

/// Whether a file of that name in a run's folder holds events.
pub fn is_events_file(name: &str) -> bool {
    let segment = read(name).is_some_and(|(_, kind)| kind != Kind::Part);
    segment || name == EVENTS
}

/// The segments in a folder, in the order of their numbers. A run that goes on may change them
/// meanwhile.
pub(in crate::log) fn list(folder: &Path) -> io::Result<Vec<(u32, Kind)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        found.extend(entry?.file_name().to_str().and_then(read));
    }
    found.sort_unstable();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_made() {
        let name = |path: PathBuf| path.to_str().unwrap().to_owned();
        for number in [1, 999_999, 1_000_000] {
            let (plain, packed) = (
                unpacked(Path::new(""), number),
                packed(Path::new(""), number),
            );
            let part = crate::files::part_of(&packed);
            assert_eq!(read(&name(plain)), Some((number, Kind::Unpacked)));
            assert_eq!(read(&name(packed)), Some((number, Kind::Packed)));
            assert_eq!(read(&name(part)), Some((number, Kind::Part)));
        }
        for other in [
            "events.jsonl",
            "events-000000.jsonl",
            "events-1.jsonl",
            "events-0000001.jsonl",
            "events-00000x.jsonl",
            "events-000001.jsonl.gz",
            "events-000001.jsonl.part",
            "events-99999999999.jsonl",
            "events-",
        ] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
