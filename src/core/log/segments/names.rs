//! The names of closed segments.

use std::fs;
use std::path::{Path, PathBuf};

use crate::files::PART;
use crate::log::LogError;
use crate::log::folder::{EVENTS, RESULTS};

/// The rest of the name of a segment that is not compressed yet.
const PLAIN: &str = ".jsonl";
/// The rest of the name of a compressed one.
const PACKED: &str = ".jsonl.zst";

/// Lines that go on in another file whenever one is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Series {
    Events,
    /// Of runs of many episodes.
    Results,
}

impl Series {
    pub(crate) const ALL: [Self; 2] = [Self::Events, Self::Results];

    /// The file that grows.
    pub(crate) const fn growing(self) -> &'static str {
        match self {
            Self::Events => EVENTS,
            Self::Results => RESULTS,
        }
    }

    /// The beginning of the names of segments, before the number.
    const fn start(self) -> &'static str {
        match self {
            Self::Events => "events-",
            Self::Results => "results-",
        }
    }
}

/// A closed segment that is not compressed yet.
pub(crate) fn unpacked(folder: &Path, series: Series, number: u32) -> PathBuf {
    folder.join(format!("{}{number:06}{PLAIN}", series.start()))
}

/// A compressed one.
pub(crate) fn packed(folder: &Path, series: Series, number: u32) -> PathBuf {
    folder.join(format!("{}{number:06}{PACKED}", series.start()))
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
pub(crate) fn read(name: &str) -> Option<(Series, u32, SegmentForm)> {
    Series::ALL.into_iter().find_map(|series| {
        let (number, form) = number_and_form(name.strip_prefix(series.start())?)?;
        Some((series, number, form))
    })
}

fn number_and_form(rest: &str) -> Option<(u32, SegmentForm)> {
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
    is_of(name, Series::Events)
}

/// Whether a file of that name in a run's folder holds results.
pub fn is_results_file(name: &str) -> bool {
    is_of(name, Series::Results)
}

fn is_of(name: &str, series: Series) -> bool {
    let is_segment = |(of, _, form)| of == series && form != SegmentForm::Part;
    read(name).is_some_and(is_segment) || name == series.growing()
}

/// The segments of a series in a folder, in the order of their numbers. A run that goes on may change them
/// meanwhile.
pub(crate) fn list(folder: &Path, series: Series) -> Result<Vec<(u32, SegmentForm)>, LogError> {
    let failed = |error| LogError::read(folder, &error);
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        let segment = name.to_str().and_then(read).filter(|(of, ..)| *of == series);
        found.extend(segment.map(|(_, number, form)| (number, form)));
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
        let here = Path::new("");
        for (series, number) in [(Series::Events, 1), (Series::Events, 999_999), (Series::Results, 1_000_000)] {
            let plain = unpacked(here, series, number);
            let packed = packed(here, series, number);
            let part = crate::files::part_of(&packed);
            for (path, form) in
                [(plain, SegmentForm::Unpacked), (packed, SegmentForm::Packed), (part, SegmentForm::Part)]
            {
                assert_eq!(read(&name(path)), Some((series, number, form)));
            }
        }
        assert!(is_results_file("results-000001.jsonl.zst") && is_results_file("results.jsonl"));
        assert!(!is_events_file("results-000001.jsonl.zst") && is_events_file("events.jsonl"));
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
