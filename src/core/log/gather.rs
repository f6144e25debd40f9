//! Reading the lines of many episodes at once, in the order of the files.
//!
//! Episodes that ran side by side have their lines mixed. Read one after the other, each of them
//! would have the same compressed frames unpacked again.

use std::collections::VecDeque;
use std::path::PathBuf;

use super::LogError;
use super::index::Indexed;
use super::segments::Source;

/// Bytes of lines that are read at once: at first, for whoever wants one episode only, and at most.
const BYTES: (u64, u64) = (1 << 16, 16 << 20);

/// Reads ahead.
#[derive(Debug)]
pub(super) struct Gatherer {
    bytes: u64,
    /// The lines of the next episodes, in their order.
    ready: VecDeque<Result<Vec<u8>, LogError>>,
}

impl Gatherer {
    pub(super) fn new() -> Self {
        Self { bytes: BYTES.0, ready: VecDeque::new() }
    }

    /// The lines of the first of these episodes; whoever asks next asks for the one after it.
    pub(super) fn next(&mut self, source: &mut Source, entries: &[&Indexed]) -> Option<Result<Vec<u8>, LogError>> {
        if self.ready.is_empty() {
            self.ready = read(source, some(entries, self.bytes));
            self.bytes = (self.bytes * 4).min(BYTES.1);
        }
        self.ready.pop_front()
    }
}

/// The first episodes that have so many bytes together, but one at least.
fn some<'a, 'b>(entries: &'a [&'b Indexed], bytes: u64) -> &'a [&'b Indexed] {
    let mut sum = 0_u64;
    let fits = |entry: &&Indexed| {
        let first = sum == 0;
        sum = sum.saturating_add(entry.bytes().max(1));
        first || sum <= bytes
    };
    let count = entries.iter().map(fits).take_while(|fits| *fits).count();
    entries.get(..count).unwrap_or_default()
}

/// The lines of the episodes. An episode whose events are not all there is an error of its own.
pub(super) fn read(source: &mut Source, entries: &[&Indexed]) -> VecDeque<Result<Vec<u8>, LogError>> {
    let mut all: VecDeque<_> = {
        let path = |offset| source.path(offset).to_owned();
        entries.iter().map(|entry| room(entry, path)).collect()
    };
    let mut parts = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        let mut from = 0;
        for span in entry.spans.iter() {
            let length = usize::try_from(span.length).unwrap_or_default();
            parts.push((span.offset, number, from, length));
            from += length;
        }
    }
    parts.sort_unstable();
    for (offset, number, from, length) in parts {
        let Some(lines) = all.get_mut(number) else {
            continue;
        };
        let room = lines.as_mut().ok();
        let Some(room) = room.and_then(|room| room.get_mut(from..from + length)) else {
            continue;
        };
        if let Err(error) = source.read(offset, room) {
            *lines = Err(error);
        }
    }
    all
}

fn room(entry: &Indexed, path: impl Fn(u64) -> PathBuf) -> Result<Vec<u8>, LogError> {
    entry.check(path)?;
    Ok(vec![0; usize::try_from(entry.bytes()).unwrap_or_default()])
}
