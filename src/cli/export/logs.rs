//! Logs for Inspect, and traces for what reads OpenTelemetry.

use std::env;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{bail, ensure};
use indicatif::ProgressBar;

use super::Source;
use super::arguments::{ExportArguments, ExportFormat};
use crate::cli::output;
use crate::export::inspect;
use crate::export::otlp::{self, Collector, Sent, TraceOptions};
use crate::text::counted;

/// The variable with the name under which backends list traces.
const SERVICE: &str = "OTEL_SERVICE_NAME";

/// Refuses what the format does not know.
pub(super) fn check(arguments: &ExportArguments) -> anyhow::Result<()> {
    let (format, logs) = (arguments.format, &arguments.logs);
    let traces = format == ExportFormat::Otlp;
    ensure!(
        traces || logs.endpoint.is_none(),
        "`--endpoint` goes with `--format otlp`"
    );
    ensure!(
        traces || !logs.content,
        "`--content` goes with `--format otlp`"
    );
    ensure!(
        format.is_log() || !logs.json,
        "`--json` goes with `--format inspect` and `--format otlp`"
    );
    Ok(())
}

/// Writes a log of each cell.
pub(super) fn inspect(
    sources: &[Source],
    arguments: &ExportArguments,
    folder: &Path,
    done: &dyn Fn(),
) -> anyhow::Result<u64> {
    let mut count = 0;
    for Source { run, chosen } in sources {
        count += inspect::write(run, &chosen.results, folder, arguments.logs.json, done)?;
    }
    Ok(count)
}

/// Writes the traces of all episodes.
pub(super) fn traces(
    sources: &[Source],
    arguments: &ExportArguments,
    folder: &Path,
    done: &dyn Fn(),
) -> anyhow::Result<u64> {
    let options = options(arguments);
    let mut count = 0;
    for Source { run, chosen } in sources {
        count += otlp::write(run, &chosen.ids(), &options, folder, done)?;
    }
    Ok(count)
}

/// Sends the traces of all episodes to a collector.
pub(super) fn send(
    sources: &[Source],
    arguments: &ExportArguments,
    episodes: u64,
    progress: &ProgressBar,
) -> anyhow::Result<ExitCode> {
    let endpoint = arguments
        .logs
        .endpoint
        .as_deref()
        .filter(|url| !url.is_empty());
    let runtime = output::runtime()?;
    let collector = Collector::new(endpoint, arguments.logs.json, &|name| env::var(name).ok())?;
    let options = options(arguments);
    let mut all = Sent::default();
    for Source { run, chosen } in sources {
        let done = || progress.inc(1);
        let sent = otlp::send(run, &chosen.ids(), &options, &collector, &runtime, &done);
        let sent = sent.inspect_err(|_| progress.finish_and_clear())?;
        all.spans += sent.spans;
        all.rejected += sent.rejected;
    }
    progress.finish_and_clear();
    if all.rejected > 0 {
        bail!(
            "the collector did not take {} of {} spans",
            all.rejected,
            all.spans
        );
    }
    let spans = arguments.format.counted(all.spans);
    let episodes = counted(episodes, "episode", "episodes");
    output::succeed(&format!("{spans} of {episodes} sent\n"))
}

fn options(arguments: &ExportArguments) -> TraceOptions {
    let service = env::var(SERVICE).ok().filter(|name| !name.is_empty());
    TraceOptions {
        content: arguments.logs.content,
        service: service.unwrap_or_else(|| "rolecall".to_owned()),
    }
}
