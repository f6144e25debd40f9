//! Wall times, read back from `timings.jsonl`. No result may depend on them.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use serde::Deserialize;

use super::folder::TIMINGS;
use super::lines::Lines;
use crate::domain::{EpisodeId, SCHEMA};

/// How long an episode took.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// Which episode.
    pub episode: EpisodeId,
    /// Milliseconds from its beginning to its end, with all waiting for others.
    pub wall_ms: f64,
}

#[derive(Deserialize)]
struct Written {
    schema: u32,
    episode: EpisodeId,
    wall_ms: f64,
}

/// The timings in the folder, in the order of writing; none if there is no such file. What is no
/// timing is left out: they explain a run, and nothing is computed from them.
pub(super) fn read(folder: &Path) -> Vec<Timing> {
    let Ok(file) = File::open(folder.join(TIMINGS)) else {
        return Vec::new();
    };
    let mut lines = Lines::new(BufReader::new(file));
    let mut timings = Vec::new();
    while let Ok(Some(line)) = lines.next() {
        let written: Option<Written> = serde_json::from_slice(line.bytes).ok();
        let sane = |written: &Written| written.schema == SCHEMA && written.wall_ms >= 0.0;
        timings.extend(written.filter(sane).map(|written| Timing {
            episode: written.episode,
            wall_ms: written.wall_ms,
        }));
    }
    timings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_timing_is_left_out() {
        let folder = tempfile::tempdir().unwrap();
        assert!(read(folder.path()).is_empty());
        let lines = "{\"schema\":1,\"episode\":\"a:0:0\",\"wall_ms\":2.5}\nnonsense\n\
                     {\"schema\":9,\"episode\":\"a:1:0\",\"wall_ms\":1}\n\
                     {\"schema\":1,\"episode\":\"a:2:0\",\"wall_ms\":-1}\n\
                     {\"schema\":1,\"episode\":\"a:3:0\",\"wall_ms\":7}\n{\"sch";
        std::fs::write(folder.path().join(TIMINGS), lines).unwrap();
        let found = read(folder.path());
        let found: Vec<_> = found
            .iter()
            .map(|timing| (timing.episode.to_string(), timing.wall_ms))
            .collect();
        assert_eq!(
            found,
            [("a:0:0".to_owned(), 2.5), ("a:3:0".to_owned(), 7.0)]
        );
    }
}
