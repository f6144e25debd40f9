//! The names of closed segments.

use std::fs;
use std::path::{Path, PathBuf};

use crate::files::PART;
use crate::log::LogError;
use crate::log::folder::EVENTS;

/// The beginning of the names, before the number.
const START: &str = "events-";
/// The rest of the name of a segment that is not compressed yet.
const PLAIN: &str = ".jsonl";
/// The rest of the name of a compressed one.
const PACKED: &str = ".jsonl.zst";

/// A closed segment that is not compressed yet.
pub(crate) fn unpacked(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("{START}{number:06}{PLAIN}"))
}

/// A compressed one.
pub(crate) fn packed(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("{START}{number:06}{PACKED}"))
}

/// The form of a segment, as its file's name says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SegmentForm {
    Unpacked,
    Packed,
    /// One that is being compressed, or never was to the end.
    Part,
}

/// The number of a segment and what is there of it, if the file of that name is one.
pub(crate) fn read(name: &str) -> Option<(u32, SegmentForm)> {
    let rest = name.strip_prefix(START)?;
    let digits = rest.find(|letter: char| !letter.is_ascii_digit())?;
    let (number, ending) = rest.split_at(digits);
    let kind = match ending {
        PLAIN => SegmentForm::Unpacked,
        PACKED => SegmentForm::Packed,
        _ if ending.strip_suffix(PART) == Some(PACKED) => SegmentForm::Part,
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
    let segment = read(name).is_some_and(|(_, kind)| kind != SegmentForm::Part);
    segment || name == EVENTS
}

/// The segments in a folder, in the order of their numbers. A run that goes on may change them
/// meanwhile.
pub(crate) fn list(folder: &Path) -> Result<Vec<(u32, SegmentForm)>, LogError> {
    let failed = |error| LogError::read(folder, &error);
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        found.extend(name.to_str().and_then(read));
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
            assert_eq!(read(&name(plain)), Some((number, SegmentForm::Unpacked)));
            assert_eq!(read(&name(packed)), Some((number, SegmentForm::Packed)));
            assert_eq!(read(&name(part)), Some((number, SegmentForm::Part)));
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
