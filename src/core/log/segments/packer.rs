//! The thread that compresses closed segments while the run goes on.

use std::path::Path;
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};

use super::close::pack_segment;
use super::names::{self, SegmentForm, Series};
use crate::log::LogError;

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
