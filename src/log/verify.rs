//! Checking a whole log: every file, every line, every episode.

use std::collections::BTreeMap;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use super::error::REMEDY;
use super::folder::{INDEX, TIMINGS};
use super::index::Index;
use super::line::{OTHERWISE, decode_event, is_as_written};
use super::lines::{Line, Lines};
use super::repair::name_of;
use super::segments::{Content, Piece, Pieces};
use super::timings::timing_of;
use super::{Digest, LogError, RunRecord};
use crate::domain::{EpisodeId, Event, Message};

/// The subject of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Check {
    /// Files of events are there and can be read; of compressed ones every frame is whole.
    Files,
    /// Lines of events are events.
    Lines,
    /// Events of an episode are numbered without gaps, their causes point back, at most one closes
    /// it, and none comes after that.
    Episodes,
    /// Events are those that were there when the episode closed.
    Digests,
    /// Lines of `timings.jsonl` can be read.
    Timings,
    /// The index says what the events say, if it is one of these events.
    Index,
}

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The check that found it.
    pub check: Check,
    /// The name of the file.
    pub file: String,
    /// Number of the line, from 1, if it is in one line.
    pub line: Option<u64>,
    /// The problem in words.
    pub what: String,
}

/// The state of the index file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IndexState {
    /// There is none.
    #[default]
    Absent,
    /// It is of other events, or damaged: nobody uses it.
    Unused,
    /// It goes up to some event before the last.
    Behind,
    /// It goes up to the last event.
    Whole,
}

/// The findings of a verification.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verified {
    /// Files of events.
    pub files: u64,
    /// Frames of those that are compressed.
    pub frames: u64,
    /// Lines of events.
    pub lines: u64,
    /// Episodes.
    pub episodes: u64,
    /// Those of them that are closed.
    pub closed: u64,
    /// Closed episodes whose digest was noted, and so could be compared.
    pub digests: u64,
    /// Lines of `timings.jsonl`.
    pub timings: u64,
    /// The index file.
    pub index: IndexState,
    /// The number of problems, by check.
    pub wrong: BTreeMap<Check, u64>,
    /// The problems, up to [`MOST_PROBLEMS`].
    pub problems: Vec<Problem>,
}

/// The most problems that are kept of one log.
pub const MOST_PROBLEMS: usize = 1000;

/// Checks the log in a folder. Nobody should be writing it.
///
/// Fails if there is no run.
pub fn verify(folder: &Path) -> Result<Verified, LogError> {
    let record = RunRecord::read(folder)?;
    let (pieces, wrong) = Pieces::open_some(folder)?;
    let mut checker = Checker::default();
    for error in &wrong {
        let (LogError::Missing { path } | LogError::File { path, .. }) = error else {
            return Err(error.clone());
        };
        checker.wrong(Check::Files, path, None, reason(error));
    }
    for (number, piece) in pieces.iter().enumerate() {
        checker.file(piece, number + 1 == pieces.len());
    }
    checker.timings(&folder.join(TIMINGS));
    checker.forms();
    checker.digests();
    if wrong.is_empty() {
        checker.index(folder, &pieces, &record);
    }
    Ok(checker.found)
}

#[derive(Default)]
struct Checker {
    found: Verified,
    episodes: FxHashMap<EpisodeId, Seen>,
    /// The first line of an episode that is not what writing its event again gives.
    otherwise: BTreeMap<EpisodeId, (PathBuf, u64)>,
    /// The digests that were noted, with their lines.
    noted: BTreeMap<EpisodeId, (u64, Digest)>,
}

/// The state of an episode after the lines so far.
#[derive(Clone, Copy, Default)]
struct Seen {
    next: u32,
    digest: Digest,
    closed: bool,
    /// Something is wrong already; what follows from that is not told.
    wrong: bool,
}

impl Checker {
    fn wrong(&mut self, check: Check, path: &Path, line: Option<u64>, what: impl ToString) {
        *self.found.wrong.entry(check).or_default() += 1;
        if self.found.problems.len() < MOST_PROBLEMS {
            self.found.problems.push(Problem {
                check,
                file: name_of(path),
                line,
                what: what.to_string(),
            });
        }
    }

    fn file(&mut self, piece: &Piece, last: bool) {
        self.found.files += 1;
        if let Content::Packed(table) = &piece.content {
            self.found.frames += table.frames.len() as u64;
        }
        let path = &piece.path;
        let reader = match piece.reader(0) {
            // What is appended from now on is not looked at.
            Ok(reader) => BufReader::new(reader.take(piece.lines)),
            Err(error) => return self.wrong(Check::Files, path, None, reason(&error)),
        };
        let mut lines = Lines::new(reader);
        loop {
            match lines.next() {
                Ok(Some(line)) => self.line(path, &line, last),
                Ok(None) => return,
                Err(error) => return self.wrong(Check::Files, path, None, error),
            }
        }
    }

    fn line(&mut self, path: &Path, line: &Line<'_>, last: bool) {
        self.found.lines += 1;
        let number = Some(line.number);
        let decoded = decode_event(path, line.number, line.bytes);
        if !line.complete {
            let what = match (&decoded, last) {
                (Ok(_), true) => "the newline at its end is missing",
                (Err(_), true) => "it was cut off",
                (_, false) => "it was cut off, although the file is closed",
            };
            self.wrong(Check::Lines, path, number, what);
        }
        match decoded {
            Ok((id, event)) => {
                if !is_as_written(line.bytes, &id, &event) {
                    let place = || (path.to_owned(), line.number);
                    self.otherwise.entry(id.clone()).or_insert_with(place);
                }
                self.event(path, line, &id, &event);
            }
            Err(error) if line.complete => self.wrong(Check::Lines, path, number, reason(&error)),
            Err(_) => {}
        }
    }

    fn event(&mut self, path: &Path, line: &Line<'_>, id: &EpisodeId, event: &Event) {
        let mut seen = self.episodes.get(id).copied().unwrap_or_default();
        if let Some(what) = seen.event(event) {
            let what = format!("event {} of `{id}` {what}", event.seq);
            self.wrong(Check::Episodes, path, Some(line.number), what);
        }
        seen.digest.add(line.whole);
        self.episodes.insert(id.clone(), seen);
    }

    fn timings(&mut self, path: &Path) {
        let Ok(file) = crate::files::open(path) else {
            // Nothing is computed from them: a run without them is whole.
            return;
        };
        let mut lines = Lines::new(BufReader::new(file));
        loop {
            match lines.next() {
                Ok(Some(line)) => {
                    self.found.timings += 1;
                    let number = Some(line.number);
                    match timing_of(line.bytes) {
                        Ok(Some((id, digest))) => {
                            self.noted.insert(id, (line.number, digest));
                        }
                        Ok(None) => {}
                        Err(what) => self.wrong(Check::Timings, path, number, what),
                    }
                }
                Ok(None) => return,
                Err(error) => return self.wrong(Check::Timings, path, None, error),
            }
        }
    }

    /// Of an episode that is closed, the digest says more: its lines may be those of another version.
    fn forms(&mut self) {
        for (id, (path, line)) in std::mem::take(&mut self.otherwise) {
            if !self.episodes.get(&id).is_some_and(|seen| seen.closed) {
                self.wrong(Check::Lines, &path, Some(line), OTHERWISE);
            }
        }
    }

    fn digests(&mut self) {
        self.found.episodes = self.episodes.len() as u64;
        let closed = self.episodes.values().filter(|seen| seen.closed);
        self.found.closed = closed.count() as u64;
        for (id, (line, noted)) in std::mem::take(&mut self.noted) {
            let seen = self.episodes.get(&id).copied().unwrap_or_default();
            if seen.wrong {
                continue;
            }
            self.found.digests += 1;
            let what = if seen.next == 0 {
                format!("`{id}` has no events")
            } else if !seen.closed {
                format!("`{id}` is not closed, but was when this was written")
            } else if seen.digest != noted {
                let computed = seen.digest;
                format!("the events of `{id}` come to {computed}, but came to {noted}")
            } else {
                continue;
            };
            self.wrong(Check::Digests, Path::new(TIMINGS), Some(line), what);
        }
    }

    fn index(&mut self, folder: &Path, pieces: &Pieces, record: &RunRecord) {
        let path = folder.join(INDEX);
        if !path.exists() {
            return;
        }
        let Some(stored) = Index::load(folder, pieces) else {
            self.found.index = IndexState::Unused;
            return;
        };
        self.found.index = IndexState::Behind;
        // Where lines are no events, that is what is wrong.
        let Ok(mut built) = Index::build(pieces, record) else {
            return;
        };
        built.scanned = 0;
        if stored.covered == built.covered {
            self.found.index = IndexState::Whole;
            if stored.in_order(record).episodes != built.episodes {
                let what =
                    "it does not say what the events say; `rolecall logs index` makes it again";
                self.wrong(Check::Index, &path, None, what);
            }
        }
    }
}

impl Seen {
    /// Adds an event; says what is wrong with its place.
    fn event(&mut self, event: &Event) -> Option<String> {
        let expected = self.next;
        self.next = event.seq.saturating_add(1);
        let closes = matches!(event.message, Message::Closed(_));
        let what = if event.seq != expected {
            Some(format!("stands where event {expected} belongs"))
        } else if let Some(cause) = event.cause.filter(|cause| *cause >= event.seq) {
            let text = format!("names event {cause} as its cause, which is no earlier one");
            Some(text)
        } else if self.closed && closes {
            Some("closes the episode a second time".to_owned())
        } else if self.closed {
            Some("comes after the one that closes the episode".to_owned())
        } else {
            None
        };
        self.closed |= closes;
        self.wrong |= what.is_some();
        what
    }
}

/// The text of an error without the file and line, which are named beside it.
fn reason(error: &LogError) -> String {
    match error {
        LogError::Line { reason, .. } | LogError::File { reason, .. } => {
            reason.strip_suffix(REMEDY).unwrap_or(reason).to_owned()
        }
        LogError::Missing { .. } => {
            "it is missing, but later segments are there: restore it from a copy".to_owned()
        }
        error => error.to_string(),
    }
}
