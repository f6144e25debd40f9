//! Closing `events.jsonl` and compressing what was closed, in steps after each of which the machine
//! may fail.
//!
//! Events are the example; results go the same way.
//!
//! 1. `events.jsonl` becomes `events-000001.jsonl`, and a new `events.jsonl` is made.
//! 2. Its lines are compressed into `events-000001.jsonl.zst.part`.
//! 3. Once that is on the disk, it becomes `events-000001.jsonl.zst`.
//! 4. Once that name is on the disk too, `events-000001.jsonl` is removed.
//!
//! As long as the lines are there as they were written, they are what is read.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};

use super::frames;
use super::names::{self, SegmentForm, Series};
use super::pieces::Piece;
use crate::files;
use crate::log::LogError;

/// Step 1; gives the new `events.jsonl`, open for appending. What is in the old one must be on the
/// disk already, unless the run does without that.
pub(crate) fn close_tail(folder: &Path, series: Series, number: u32, sync: bool) -> Result<File, LogError> {
    let tail = folder.join(series.growing());
    let closed = names::unpacked(folder, series, number);
    let next = || {
        // A segment is never written over another.
        if closed.exists() || names::packed(folder, series, number).exists() {
            return Err(io::Error::from(ErrorKind::AlreadyExists));
        }
        files::step();
        fs::rename(&tail, &closed)?;
        files::step();
        let next = OpenOptions::new().append(true).create_new(true).open(&tail)?;
        files::step();
        if sync {
            files::sync_folder(folder)?;
        }
        Ok(next)
    };
    next().map_err(|error| LogError::change(&closed, &error))
}

/// Steps 2 to 4.
pub(crate) fn pack_segment(folder: &Path, series: Series, number: u32) -> Result<(), LogError> {
    let plain = names::unpacked(folder, series, number);
    let packed = names::packed(folder, series, number);
    let part = files::part_of(&packed);
    write_part(&plain, &part)
        .and_then(|()| {
            files::step();
            fs::rename(&part, &packed)?;
            files::sync_folder(folder)?;
            files::step();
            fs::remove_file(&plain)?;
            files::step();
            Ok(())
        })
        .map_err(|error| {
            // What cannot be written can perhaps not be removed; the error of writing is told.
            let _ = fs::remove_file(&part);
            LogError::change(&packed, &error)
        })
}

fn write_part(unpacked: &Path, part: &Path) -> io::Result<()> {
    let mut lines = files::open(unpacked)?;
    let mut output = BufWriter::new(File::create(part)?);
    frames::pack(&mut lines, &mut output)?;
    output.flush()?;
    output.get_ref().sync_all()
}

/// Keeps one of the two forms of a segment whose compression was interrupted: the compressed one if
/// it is whole and says the same. Gives the one that is gone; none if there are not two of them.
pub(crate) fn settle(folder: &Path, series: Series, number: u32) -> Result<Option<PathBuf>, LogError> {
    let plain = names::unpacked(folder, series, number);
    let packed = names::packed(folder, series, number);
    if !plain.exists() || !packed.exists() {
        return Ok(None);
    }
    let (kept, unwanted) = match has_the_lines_of(&packed, &plain) {
        true => (packed, plain),
        false => (plain, packed),
    };
    // Before one is removed, the other must be more than a name.
    let removed = File::open(kept)
        .and_then(|kept| kept.sync_all())
        .and_then(|()| files::sync_folder(folder))
        .and_then(|()| fs::remove_file(&unwanted));
    removed.map_err(|error| LogError::change(&unwanted, &error))?;
    Ok(Some(unwanted))
}

/// Removes a segment in whatever forms it is there.
pub(crate) fn remove(folder: &Path, series: Series, number: u32) -> Result<(), LogError> {
    // In this order, no reader takes one for missing that has another form.
    for path in [names::packed(folder, series, number), names::unpacked(folder, series, number)] {
        files::step();
        let removed = files::if_there(fs::remove_file(&path));
        removed.map_err(|error| LogError::change(&path, &error))?;
    }
    Ok(())
}

/// Whether the compressed segment is whole and has the lines of the other.
fn has_the_lines_of(packed: &Path, unpacked: &Path) -> bool {
    let lines = Piece::packed(packed, 0).and_then(|piece| piece.reader(0).map_err(io::Error::other));
    lines.and_then(|mut lines| are_equal(&mut lines, &mut files::open(unpacked)?)).unwrap_or(false)
}

fn are_equal(one: &mut impl Read, other: &mut impl Read) -> io::Result<bool> {
    /// Bytes that are compared at once.
    const CHUNK: u64 = 1 << 16;
    let (mut left, mut right) = (Vec::new(), Vec::new());
    loop {
        left.clear();
        right.clear();
        one.by_ref().take(CHUNK).read_to_end(&mut left)?;
        other.by_ref().take(CHUNK).read_to_end(&mut right)?;
        if left != right {
            return Ok(false);
        }
        if left.is_empty() {
            return Ok(true);
        }
    }
}

/// Compresses what it is given, one segment after the other. Dropping it waits for the last.
#[derive(Debug)]
pub(crate) struct Packer {
    queue: Option<Sender<(Series, u32)>>,
    thread: Option<JoinHandle<()>>,
}

impl Packer {
    /// Starts the thread, with what was left uncompressed in the folder.
    pub(crate) fn start(folder: &Path) -> Result<Self, LogError> {
        let (queue, segments) = channel();
        for series in Series::ALL {
            let listed = names::list(folder, series)?;
            let left = |(_, form): &&(u32, SegmentForm)| *form == SegmentForm::Unpacked;
            for (number, _) in listed.iter().filter(left) {
                // The other end is here.
                let _ = queue.send((series, *number));
            }
        }
        let run = folder.to_owned();
        let builder = thread::Builder::new().name("log packer".to_owned());
        let thread = builder.spawn(move || {
            for (series, number) in segments {
                // Nothing is lost: the lines are there as they were written, and the next one who
                // writes the run, or `rolecall logs compact`, compresses them.
                if let Err(error) = pack_segment(&run, series, number) {
                    tracing::warn!(%error, "a segment of the log stays uncompressed");
                }
            }
        });
        let thread = thread.map_err(|error| LogError::create(folder, error))?;
        Ok(Self { queue: Some(queue), thread: Some(thread) })
    }

    /// Has a closed segment compressed.
    pub(crate) fn pack(&self, series: Series, number: u32) {
        if let Some(queue) = &self.queue {
            // A thread that is gone compresses nothing: see above.
            let _ = queue.send((series, number));
        }
    }
}

impl Drop for Packer {
    fn drop(&mut self) {
        self.queue = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
