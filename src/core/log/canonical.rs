//! The canonical log: the same bytes for the same episodes, whatever the order of writing was.

use std::io::{self, Write};

use super::{EncodeError, EventEncoder, LogError, RecordedEpisode, RunLog};

/// The reason why the canonical log cannot be written out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CanonicalError {
    /// The log cannot be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// An event cannot be written as it was read.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The output takes no more.
    #[error("the canonical log cannot be written: {0}")]
    Output(#[from] io::Error),
}

/// Writes every event line in the order cell (as in the config), task, repeat, seq.
pub fn write_canonical(run: &RunLog, output: &mut impl Write) -> Result<(), CanonicalError> {
    let encoded = |_: &_, episode: Result<RecordedEpisode, LogError>| {
        let episode = episode?;
        let encoder = EventEncoder::new(&episode.id);
        let mut lines = Vec::new();
        for event in &episode.events {
            encoder.encode(event, &mut lines)?;
        }
        Ok::<_, CanonicalError>(lines)
    };
    run.over_episodes(run.ids(), encoded, |lines| output.write_all(&lines?).map_err(CanonicalError::Output))?;
    output.flush()?;
    Ok(())
}
