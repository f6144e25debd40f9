//! Traces as OpenTelemetry has them: each episode is one, with spans by the conventions for generative AI.
//! They go to a collector, or as lines of OTLP's JSON into a file. Ids are functions of the run, so that a backend
//! which gets a trace twice has it once.

mod content;
mod names;
mod send;
mod spans;
mod wire;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde_json::Value;
use tokio::runtime::Runtime;

pub use self::send::{Collector, SendError};
use self::spans::Tracer;
use super::origin::Origin;
use super::{ExportError, PlayedEpisode, PlayedRun};
use rolecall_core::domain::EpisodeId;
use rolecall_core::log::LogError;

/// The file of traces.
pub const FILE: &str = "traces.jsonl";
/// Spans of one request; fewer where they hold what was said.
const SPANS: usize = 500;
const SPANS_WITH_CONTENT: usize = 50;

/// Options of traces.
#[derive(Clone, Debug)]
pub struct TraceOptions {
    /// With content: prompts, replies, arguments and results.
    pub content: bool,
    /// The name under which backends list the traces.
    pub service: String,
}

/// Why traces cannot be had or sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TraceError {
    /// An episode cannot be exported.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// The collector did not take them.
    #[error(transparent)]
    Send(#[from] SendError),
}

impl From<LogError> for TraceError {
    fn from(error: LogError) -> Self {
        Self::Export(error.into())
    }
}

/// Counts of spans.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sent {
    /// Spans that were sent.
    pub spans: u64,
    /// Spans of these that the collector did not take.
    pub rejected: u64,
}

/// Adds the traces of these episodes to a file, a line for each, and gives the number of their spans. Says
/// `done` after each episode.
///
/// # Errors
/// As [`PlayedRun::over_episodes`], and when the file cannot be written.
pub fn write(
    run: &PlayedRun,
    ids: &[EpisodeId],
    options: &TraceOptions,
    folder: &Path,
    done: &dyn Fn(),
) -> Result<u64, ExportError> {
    let path = folder.join(FILE);
    let wrong = |error: io::Error| ExportError::write(&path, &error);
    let mut file = BufWriter::new(File::options().create(true).append(true).open(&path).map_err(wrong)?);
    let mut count = 0;
    over(
        run,
        ids,
        options,
        |spans: Vec<Value>| (spans.len() as u64, request(options, spans).to_string()),
        |(spans, line)| {
            count += spans;
            done();
            writeln!(file, "{line}").map_err(wrong)
        },
    )?;
    file.flush().map_err(wrong)?;
    Ok(count)
}

/// Sends the traces of these episodes to a collector, waiting on this thread. Says `done` after each episode.
///
/// # Errors
/// As [`PlayedRun::over_episodes`], and when the collector does not take them.
pub fn send(
    run: &PlayedRun,
    ids: &[EpisodeId],
    options: &TraceOptions,
    collector: &Collector,
    runtime: &Runtime,
    done: &dyn Fn(),
) -> Result<Sent, TraceError> {
    let most = if options.content { SPANS_WITH_CONTENT } else { SPANS };
    let mut sent = Sent::default();
    let mut give = |spans: Vec<Value>| {
        sent.spans += spans.len() as u64;
        sent.rejected += runtime.block_on(collector.send(&request(options, spans)))?;
        Ok::<_, TraceError>(())
    };
    let mut waiting: Vec<Value> = Vec::new();
    over(
        run,
        ids,
        options,
        |spans| spans,
        |spans| {
            waiting.extend(spans);
            while waiting.len() >= most {
                give(waiting.drain(..most).collect())?;
            }
            done();
            Ok::<_, TraceError>(())
        },
    )?;
    if !waiting.is_empty() {
        give(waiting)?;
    }
    Ok(sent)
}

fn request(options: &TraceOptions, spans: Vec<Value>) -> Value {
    wire::request(&options.service, names::SCHEMA_URL, spans)
}

/// Makes something of the spans of each episode, and takes it in their order.
fn over<T: Send, E: From<ExportError> + From<LogError> + Send>(
    run: &PlayedRun,
    ids: &[EpisodeId],
    options: &TraceOptions,
    made: impl Fn(Vec<Value>) -> T + Sync,
    take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let origin = Origin::of(run.log());
    let tracer = Tracer { plan: run.plan(), origin: &origin, run: &run.log().record().name, content: options.content };
    run.over_episodes(ids, |episode: PlayedEpisode| Ok(made(tracer.spans(&episode))), take)
}
