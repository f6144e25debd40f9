//! What programs say on standard error.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::time::Instant;

use super::shared::Shared;
use rolecall_core::text::visible;

/// Hands on what a program says on standard error, line by line and not more than 64 kB a minute.
pub(super) async fn follow_stderr(shared: Arc<Shared>, mut from: impl AsyncRead + Unpin) {
    /// The most bytes of a line, and of a minute.
    const LINE: usize = 2_000;
    const MINUTE: usize = 64 << 10;
    let (mut since, mut said) = (Instant::now(), 0);
    let mut bytes = Vec::new();
    let mut say = |line: &[u8]| {
        let line = visible(String::from_utf8_lossy(line).trim_end()).into_owned();
        if line.is_empty() {
            return;
        }
        if since.elapsed() > Duration::from_secs(60) {
            (since, said) = (Instant::now(), 0);
        }
        let before = said;
        said += line.len();
        if said <= MINUTE {
            tracing::info!(program = %shared.target, line, "a program says");
        } else if before <= MINUTE {
            tracing::warn!(program = %shared.target, "a program says more than 64 kB a minute: the rest is left out");
        }
        shared.keep_line(line.trim().chars().take(300).collect());
    };
    loop {
        match from.read_buf(&mut bytes).await {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        while let Some(end) = bytes.iter().take(LINE).position(|byte| *byte == b'\n') {
            say(&bytes[..end]);
            bytes.drain(..=end);
        }
        if bytes.len() >= LINE {
            say(&bytes);
            bytes.clear();
        }
    }
    say(&bytes);
}
