//! One episode, read back.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use super::LogError;
use super::index::{Indexed, Span};
use super::line::decode_event;
use crate::domain::{EpisodeId, Event};
use crate::ports::EpisodeLog;

/// The events of one episode as the log has them.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedEpisode {
    /// Which episode.
    pub id: EpisodeId,
    /// Its events in order, numbered from 0 without gaps.
    pub events: Vec<Event>,
}

impl RecordedEpisode {
    /// The episode as metrics are given it.
    pub fn log(&self) -> EpisodeLog<'_> {
        EpisodeLog {
            id: &self.id,
            events: self.events.iter().collect(),
        }
    }

    pub(super) fn read(path: &Path, file: &mut File, place: &Indexed) -> Result<Self, LogError> {
        place.check()?;
        let mut episode = Self {
            id: place.id.clone(),
            events: Vec::new(),
        };
        let mut buffer = Vec::new();
        for span in &place.spans {
            read_span(path, file, span, &mut buffer)?;
            for (number, line) in (span.line..).zip(lines(&buffer)) {
                let (_, event) = decode_event(path, number, line)?;
                episode.add(event)?;
            }
        }
        Ok(episode)
    }

    fn add(&mut self, event: Event) -> Result<(), LogError> {
        if let Some(cause) = event.cause
            && cause >= event.seq
        {
            return Err(LogError::Cause {
                episode: self.id.clone(),
                seq: event.seq,
                cause,
            });
        }
        self.events.push(event);
        Ok(())
    }
}

fn read_span(
    path: &Path,
    file: &mut File,
    span: &Span,
    buffer: &mut Vec<u8>,
) -> Result<(), LogError> {
    buffer.clear();
    file.seek(SeekFrom::Start(span.offset))
        .and_then(|_| file.take(span.length).read_to_end(buffer))
        .map_err(|error| LogError::read(path, &error))?;
    if buffer.len() as u64 == span.length {
        return Ok(());
    }
    Err(LogError::line(
        path,
        span.line,
        "the file became shorter while it was read",
    ))
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let whole = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    whole.split(|byte| *byte == b'\n')
}
