//! All lines of a run, worked on by all cores.

use std::convert::Infallible;
use std::io::{BufReader, Read};
use std::iter;

use super::LogError;
use super::cores::{BATCH, in_order};
use super::error::REMEDY;
use super::lines::{Line, Lines};
use super::segments::{Piece, Pieces};

/// Some lines of a file.
pub(super) struct Batch<'a> {
    pub(super) piece: &'a Piece,
    /// The number of the file, from 0.
    pub(super) number: usize,
    /// Lines of the file that come before.
    before: u64,
    pub(super) bytes: Vec<u8>,
    /// Why the lines after these cannot be read.
    pub(super) unreadable: Option<String>,
}

impl Batch<'_> {
    pub(super) fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        let lines = self.bytes.split_inclusive(|byte| *byte == b'\n');
        (self.before + 1..).zip(lines).map(|(number, whole)| Line::new(number, whole))
    }
}

/// Does `work` with each line, on all cores, and hands what comes of each batch to `take`, in their order.
pub(super) fn over_lines<'a, T: Send>(
    pieces: &'a Pieces,
    work: impl Fn(&Piece, &Line<'_>) -> T + Sync,
    mut take: impl FnMut(&Batch<'a>, Vec<T>),
) {
    let batches = pieces.iter().enumerate().flat_map(|(number, piece)| batches(piece, number));
    let work = |batch: Batch<'a>| {
        let results = batch.lines().map(|line| work(batch.piece, &line)).collect();
        (batch, results)
    };
    let Ok(()) = in_order(batches, work, |(batch, results)| {
        take(&batch, results);
        Ok::<_, Infallible>(())
    });
}

/// The lines of a file. What is appended from now on is not looked at.
fn batches(piece: &Piece, number: usize) -> impl Iterator<Item = Batch<'_>> {
    let mut opened = Some(piece.reader(0));
    let mut lines: Option<Lines<_>> = None;
    let mut before = 0;
    iter::from_fn(move || {
        let mut batch = Batch { piece, number, before, bytes: Vec::new(), unreadable: None };
        match opened.take() {
            Some(Ok(reader)) => lines = Some(Lines::new(BufReader::new(reader.take(piece.lines)))),
            Some(Err(error)) => batch.unreadable = Some(reason(&error)),
            None => {}
        }
        while batch.bytes.len() < BATCH
            && let Some(reading) = &mut lines
        {
            match reading.next() {
                Ok(Some(line)) => {
                    before = line.number;
                    batch.bytes.extend_from_slice(line.whole);
                    continue;
                }
                Ok(None) => {}
                Err(error) => batch.unreadable = Some(error.to_string()),
            }
            lines = None;
        }
        (!batch.bytes.is_empty() || batch.unreadable.is_some()).then_some(batch)
    })
}

/// The text of an error without the file and line, which are named beside it.
pub(super) fn reason(error: &LogError) -> String {
    match error {
        LogError::Line { reason, .. } | LogError::File { reason, .. } => {
            reason.strip_suffix(REMEDY).unwrap_or(reason).to_owned()
        }
        LogError::Missing { .. } => "it is missing, but later segments are there: restore it from a copy".to_owned(),
        error => error.to_string(),
    }
}
