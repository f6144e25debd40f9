//! A part: what came of the episodes of one job, as it travels and is kept by a queue.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::JobId;
use rolecall_core::domain::{EpisodeId, Event};
use rolecall_core::log::{Batch, Digest, decode_event};

/// Number of the format.
const FORMAT: u32 = 1;
/// Zstd's level: parts are small and written once.
const LEVEL: i32 = 3;
/// No part unpacks to more, whatever it says of itself.
const LARGEST: u64 = 1 << 30;

/// The played episodes of a job.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Part {
    /// The run's id.
    pub run: String,
    /// The job.
    pub job: JobId,
    /// How often the job had been handed out.
    pub attempt: u32,
    /// Who played it.
    pub worker: String,
    /// The version of its program.
    pub version: String,
    /// The episodes.
    pub episodes: Vec<PlayedEpisode>,
}

/// An episode of a part.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedEpisode {
    /// Which one.
    pub id: EpisodeId,
    /// Its lines. Without a result, it is open.
    pub lines: Batch,
}

impl PlayedEpisode {
    /// One of which nothing was played.
    pub fn new(id: EpisodeId) -> Self {
        Self { id, lines: Batch::default() }
    }

    /// Whether it has no result yet.
    pub fn is_open(&self) -> bool {
        self.lines.result.is_empty()
    }

    /// Its events.
    ///
    /// # Errors
    /// If a line is none, or one of another episode.
    pub fn events(&self) -> Result<Vec<Event>, PartError> {
        let lines = self.lines.events.split_inclusive(|byte| *byte == b'\n');
        lines
            .map(|line| {
                let line = line.strip_suffix(b"\n").unwrap_or(line);
                let (id, event) = decode_event(Path::new("part"), 1, line).map_err(unreadable)?;
                if id == self.id { Ok(event) } else { Err(PartError::Lines(self.id.clone())) }
            })
            .collect()
    }

    /// The digest of its events.
    pub fn digest(&self) -> Digest {
        let mut digest = Digest::default();
        self.lines.events.split_inclusive(|byte| *byte == b'\n').for_each(|line| digest.add(line));
        digest
    }
}

/// The reason why bytes are no part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PartError {
    /// They cannot be unpacked or read.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
    /// Lines are missing, or more than it says.
    #[error("it does not hold the lines that it says of episode `{0}`")]
    Lines(EpisodeId),
    /// The events are not those of which it has the digest.
    #[error("the events of episode `{0}` are not those of their digest")]
    Digest(EpisodeId),
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct Header {
    part: u32,
    run: String,
    job: JobId,
    attempt: u32,
    worker: String,
    program: String,
    episodes: Vec<EpisodeHeader>,
}

/// An episode in the first line: the numbers of its lines, in their order.
#[derive(Serialize, Deserialize)]
struct EpisodeHeader {
    episode: EpisodeId,
    events: usize,
    digest: String,
    results: usize,
    timings: usize,
}

impl Part {
    /// Packs it.
    ///
    /// # Errors
    /// If memory is short.
    pub fn encode(&self) -> Result<Vec<u8>, PartError> {
        let header = Header {
            part: FORMAT,
            run: self.run.clone(),
            job: self.job,
            attempt: self.attempt,
            worker: self.worker.clone(),
            program: self.version.clone(),
            episodes: self
                .episodes
                .iter()
                .map(|episode| EpisodeHeader {
                    episode: episode.id.clone(),
                    events: count(&episode.lines.events),
                    digest: episode.digest().to_string(),
                    results: count(&episode.lines.result),
                    timings: count(&episode.lines.timing),
                })
                .collect(),
        };
        let mut lines = serde_json::to_vec(&header).map_err(unreadable)?;
        lines.push(b'\n');
        for Batch { events, result, timing } in self.episodes.iter().map(|episode| &episode.lines) {
            for part in [events, result, timing] {
                lines.extend_from_slice(part);
            }
        }
        let mut packer = zstd::bulk::Compressor::new(LEVEL).map_err(unreadable)?;
        packer.include_checksum(true).map_err(unreadable)?;
        packer.compress(&lines).map_err(unreadable)
    }

    /// Unpacks it, and checks that it holds what it says.
    ///
    /// # Errors
    /// If it does not.
    pub fn decode(packed: &[u8]) -> Result<Self, PartError> {
        let lines = unpacked(packed)?;
        let (first, mut rest) = split(&lines, 1);
        let header: Header = serde_json::from_slice(first).map_err(unreadable)?;
        if header.part != FORMAT {
            let format = header.part;
            return Err(unreadable(format!("it has the format {format}, this version reads {FORMAT}")));
        }
        let mut part = Self {
            run: header.run,
            job: header.job,
            attempt: header.attempt,
            worker: header.worker,
            version: header.program,
            episodes: Vec::new(),
        };
        for header in header.episodes {
            let mut take = |lines: usize| {
                let (taken, after) = split(rest, lines);
                rest = after;
                (count(taken) == lines).then(|| taken.to_vec())
            };
            let taken = take(header.events).zip(take(header.results)).zip(take(header.timings));
            let Some(((events, result), timing)) = taken else {
                return Err(PartError::Lines(header.episode));
            };
            let episode = PlayedEpisode { id: header.episode, lines: Batch { events, result, timing } };
            if episode.digest().to_string() != header.digest {
                return Err(PartError::Digest(episode.id));
            }
            part.episodes.push(episode);
        }
        match (rest, part.episodes.last()) {
            ([], _) => Ok(part),
            (_, Some(last)) => Err(PartError::Lines(last.id.clone())),
            (_, None) => Err(unreadable("it has lines of no episode")),
        }
    }
}

fn unpacked(packed: &[u8]) -> Result<Vec<u8>, PartError> {
    use std::io::Read;
    let mut lines = Vec::new();
    let mut reader = zstd::stream::read::Decoder::with_buffer(packed).map_err(unreadable)?.take(LARGEST);
    reader.read_to_end(&mut lines).map_err(unreadable)?;
    if (lines.len() as u64) < LARGEST { Ok(lines) } else { Err(unreadable("it is larger than a gigabyte")) }
}

fn unreadable(error: impl ToString) -> PartError {
    PartError::Unreadable(error.to_string())
}

/// Number of lines that end.
fn count(lines: &[u8]) -> usize {
    lines.iter().filter(|byte| **byte == b'\n').count()
}

/// The first lines, so many of them, and what comes after.
fn split(lines: &[u8], count: usize) -> (&[u8], &[u8]) {
    let end = match count {
        0 => 0,
        _ => lines
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte == b'\n')
            .nth(count - 1)
            .map_or(lines.len(), |(at, _)| at + 1),
    };
    lines.split_at(end)
}
