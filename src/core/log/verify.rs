//! Checking a whole log: every file, every line, every episode.

use std::collections::BTreeMap;
use std::io::BufReader;
use std::path::Path;

use rustc_hash::{FxHashMap, FxHashSet};

use super::batches::{over_lines, reason};
use super::folder::{INDEX, TIMINGS};
use super::index::Index;
use super::line::{OTHERWISE, decode_event, is_as_written};
use super::lines::{Line, Lines};
use super::repair::name_of;
use super::segments::{Content, Piece, Pieces};
use super::timings::timing_of;
use super::{Digest, LogError, RunLog, RunRecord};
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
    /// Episodes that are closed.
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
    Ok(verify_and_open(folder, |_, _| {})?.0)
}

/// Checks the log, telling how many bytes of so many were checked, and opens it without looking at the index file, if
/// its events can be read.
pub fn verify_and_open(folder: &Path, progress: impl Fn(u64, u64)) -> Result<(Verified, Option<RunLog>), LogError> {
    RunRecord::read(folder)?;
    let (pieces, wrong) = Pieces::open_some(folder)?;
    let mut checker = Checker::default();
    for error in &wrong {
        let (LogError::Missing { path } | LogError::File { path, .. }) = error else {
            return Err(error.clone());
        };
        checker.wrong(Check::Files, path, None, reason(error));
    }
    checker.files(&pieces, progress);
    checker.timings(&folder.join(TIMINGS));
    checker.forms(&pieces);
    checker.digests();
    let run = RunLog::open_afresh(folder).ok();
    if wrong.is_empty() {
        checker.index(folder, &pieces, run.as_ref());
    }
    Ok((checker.found, run))
}

#[derive(Default)]
struct Checker {
    found: Verified,
    episodes: FxHashMap<EpisodeId, Seen>,
    /// The digests that were noted, with their lines.
    noted: BTreeMap<EpisodeId, (u64, Digest)>,
}

/// Fields of an event that are checked.
#[derive(Clone, Copy)]
struct Head {
    seq: u32,
    cause: Option<u32>,
    closes: bool,
}

impl Head {
    fn of(event: &Event) -> Self {
        Self { seq: event.seq, cause: event.cause, closes: matches!(event.message, Message::Closed(_)) }
    }
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
            self.found.problems.push(Problem { check, file: name_of(path), line, what: what.to_string() });
        }
    }

    /// Reads every line; what is wrong is told in their order.
    fn files(&mut self, pieces: &Pieces, progress: impl Fn(u64, u64)) {
        for piece in pieces.iter() {
            self.found.files += 1;
            if let Content::Packed(table) = &piece.content {
                self.found.frames += table.frames.len() as u64;
            }
        }
        let decoded = |piece: &Piece, line: &Line<'_>| {
            let event = decode_event(&piece.path, line.number, line.bytes);
            event.map(|(id, event)| (id, Head::of(&event)))
        };
        let (last, mut read) = (pieces.len().saturating_sub(1), 0);
        over_lines(pieces, decoded, |batch, heads| {
            let path = &batch.piece.path;
            for (line, head) in batch.lines().zip(heads) {
                self.line(path, &line, head, batch.number == last);
            }
            if let Some(why) = &batch.unreadable {
                self.wrong(Check::Files, path, None, why);
            }
            read += batch.bytes.len() as u64;
            progress(read, pieces.end());
        });
    }

    fn line(&mut self, path: &Path, line: &Line<'_>, head: Result<(EpisodeId, Head), LogError>, last: bool) {
        self.found.lines += 1;
        let number = Some(line.number);
        if !line.complete {
            let what = match (&head, last) {
                (Ok(_), true) => "the newline at its end is missing",
                (Err(_), true) => "it was cut off",
                (_, false) => "it was cut off, although the file is closed",
            };
            self.wrong(Check::Lines, path, number, what);
        }
        match head {
            Ok((id, head)) => self.event(path, line, id, head),
            Err(error) if line.complete => self.wrong(Check::Lines, path, number, reason(&error)),
            Err(_) => {}
        }
    }

    fn event(&mut self, path: &Path, line: &Line<'_>, id: EpisodeId, head: Head) {
        let seen = self.episodes.entry(id.clone()).or_default();
        let what = seen.event(head);
        seen.digest.add(line.whole);
        if let Some(what) = what {
            let what = format!("event {} of `{id}` {what}", head.seq);
            self.wrong(Check::Episodes, path, Some(line.number), what);
        }
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

    /// Tells the first line of an episode that is not what writing its event again gives. Of one that is
    /// closed, the digest says more: its lines may be those of another version.
    fn forms(&mut self, pieces: &Pieces) {
        let open = self.episodes.iter().filter(|(_, seen)| !seen.closed);
        let open: FxHashSet<EpisodeId> = open.map(|(id, _)| id.clone()).collect();
        if open.is_empty() {
            return;
        }
        let mut otherwise: BTreeMap<EpisodeId, (&Path, u64)> = BTreeMap::new();
        let edited = |piece: &Piece, line: &Line<'_>| {
            let (id, event) = decode_event(&piece.path, line.number, line.bytes).ok()?;
            (open.contains(&id) && !is_as_written(line.bytes, &id, &event)).then_some(id)
        };
        over_lines(pieces, edited, |batch, edited| {
            let found = batch.lines().zip(edited);
            for (line, id) in found.filter_map(|(line, id)| Some((line, id?))) {
                let found = (batch.piece.path.as_path(), line.number);
                otherwise.entry(id).or_insert(found);
            }
        });
        for (path, line) in otherwise.into_values() {
            self.wrong(Check::Lines, path, Some(line), OTHERWISE);
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

    fn index(&mut self, folder: &Path, pieces: &Pieces, run: Option<&RunLog>) {
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
        let Some(run) = run else { return };
        let built = run.index();
        if stored.covered == built.covered {
            self.found.index = IndexState::Whole;
            if stored.in_order(run.record()).episodes != built.episodes {
                let what = "it does not say what the events say; `rolecall logs index` makes it again";
                self.wrong(Check::Index, &path, None, what);
            }
        }
    }
}

impl Seen {
    /// Adds an event; says what is wrong with its place.
    fn event(&mut self, Head { seq, cause, closes }: Head) -> Option<String> {
        let expected = self.next;
        self.next = seq.saturating_add(1);
        let what = if seq != expected {
            Some(format!("stands where event {expected} belongs"))
        } else if let Some(cause) = cause.filter(|cause| *cause >= seq) {
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
