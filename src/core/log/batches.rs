//! All lines of a run, worked on by all cores.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io::{BufReader, Read};
use std::sync::mpsc::{Receiver, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{iter, thread};

use super::LogError;
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

/// Bytes of lines that a core is given at once.
pub(super) const BATCH: usize = 1 << 18;

/// Does `work` with each input, on all cores, and hands what comes of it to `take`, on this thread and
/// in the order of the inputs. They are made on a thread of their own, a few for each core ahead of what
/// was taken.
///
/// Fails with the first error of `take`; what comes after it is not taken.
pub(super) fn in_order<I: Send, T: Send, E>(
    inputs: impl Iterator<Item = I> + Send,
    work: impl Fn(I) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let work = &work;
    let places = Mutex::new(VecDeque::new());
    let mut jobs = inputs.map(|input| -> Job<'_> {
        let place = Arc::new(Mutex::new(None));
        locked(&places).push_back(Arc::clone(&place));
        Box::new(move || *locked(&place) = Some(work(input)))
    });
    let mut taken = Ok(());
    drive(&mut jobs, &mut || {
        let place = locked(&places).pop_front();
        let Some(result) = place.and_then(|place| locked(&place).take()) else { return false };
        taken = take(result);
        taken.is_ok()
    });
    taken
}

type Job<'a> = Box<dyn FnOnce() + Send + 'a>;

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does all jobs, and calls `done` for each in their order as long as it says to go on. It knows no types of inputs
/// and results, so that it is compiled once.
fn drive(jobs: &mut (dyn Iterator<Item = Job<'_>> + Send), done: &mut dyn FnMut() -> bool) {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let (expect, expected) = sync_channel::<Receiver<()>>(2 * cores);
        let (give, given) = channel();
        scope.spawn(move || {
            for job in jobs {
                let (answer, finished) = sync_channel(1);
                if expect.send(finished).is_err() || give.send((job, answer)).is_err() {
                    return;
                }
            }
        });
        let given = Arc::new(Mutex::new(given));
        for _ in 0..cores {
            let given = Arc::clone(&given);
            scope.spawn(move || {
                loop {
                    let next = locked(&given).recv();
                    let Ok((job, answer)) = next else { return };
                    job();
                    // Nobody waits for it if an earlier one was refused.
                    let _ = answer.send(());
                }
            });
        }
        // Without an answer, a thread has panicked, and so does the scope.
        for finished in expected {
            if finished.recv().is_err() || !done() {
                break;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn results_come_in_the_order_of_inputs_up_to_the_first_that_is_refused() {
        let made = AtomicUsize::new(0);
        let inputs = (0..10_000_usize).inspect(|_| {
            made.fetch_add(1, Ordering::Relaxed);
        });
        let mut taken = Vec::new();
        let refused = in_order(
            inputs,
            |input| input * 2,
            |result| match result {
                200 => Err(result),
                _ => {
                    taken.push(result);
                    Ok(())
                }
            },
        );
        assert_eq!(refused, Err(200));
        assert!(taken.into_iter().eq((0..100).map(|input| input * 2)));
        let cores = thread::available_parallelism().map_or(1, usize::from);
        assert!(made.into_inner() <= 101 + 2 * cores + 1);
    }

    #[test]
    fn nothing_comes_of_nothing() {
        let none = std::iter::empty::<()>();
        assert_eq!(in_order(none, |()| (), |()| Err(())), Ok(()));
    }
}
