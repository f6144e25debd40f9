//! Logs for Inspect, and traces for what reads OpenTelemetry.

use std::env;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{bail, ensure};

use super::{Export, ExportArguments, ExportFormat, Source};
use crate::output;
use rolecall_core::text::counted;
use rolecall_doors::export::inspect;
use rolecall_doors::export::otlp::{self, Collector, Sent, TraceOptions};

/// The variable with the name under which backends list traces.
const SERVICE: &str = "OTEL_SERVICE_NAME";

/// Refuses what the format does not know.
pub(super) fn check(arguments: &ExportArguments) -> anyhow::Result<()> {
    let (format, logs) = (arguments.format, &arguments.logs);
    let traces = format == ExportFormat::Otlp;
    let sent = logs.endpoint.is_some();
    ensure!(traces || !sent, "--endpoint is for --format otlp");
    ensure!(traces || !logs.content, "--content is for --format otlp");
    ensure!(
        !logs.json || sent || format == ExportFormat::Inspect,
        "--json is for --format inspect, and for otlp with --endpoint"
    );
    match arguments.runs.iter().find(|run| format.is_log() && run.is_file()) {
        Some(file) => bail!("`{}` is no run: logs and traces are of runs", output::shown(file)),
        None => Ok(()),
    }
}

impl Export<'_> {
    /// Writes a log of each cell, or the traces of all episodes; says what was written.
    pub(super) fn logs(&self, folder: &Path) -> anyhow::Result<String> {
        let (traces, options) = (self.arguments.format == ExportFormat::Otlp, self.options());
        let done = || self.progress.inc(1);
        let mut count = 0;
        for Source { run, chosen } in self.sources {
            count += match traces {
                true => otlp::write(run, &chosen.ids(), &options, folder, &done)?,
                false => inspect::write(run, &chosen.results, folder, self.arguments.logs.json, &done)?,
            };
        }
        let written = match traces {
            true => counted(count, "span", "spans"),
            false => counted(count, "log", "logs"),
        };
        Ok(format!("{written} of {}", self.episodes()))
    }

    /// Sends the traces of all episodes to a collector.
    pub(super) fn send(&self) -> anyhow::Result<ExitCode> {
        let logs = &self.arguments.logs;
        let endpoint = logs.endpoint.as_deref().filter(|url| !url.is_empty());
        let runtime = output::runtime()?;
        let collector = Collector::new(endpoint, logs.json, &|name| env::var(name).ok())?;
        let (mut all, options) = (Sent::default(), self.options());
        let done = || self.progress.inc(1);
        for Source { run, chosen } in self.sources {
            let sent = otlp::send(run, &chosen.ids(), &options, &collector, &runtime, &done)
                .inspect_err(|_| self.progress.finish_and_clear())?;
            all.spans += sent.spans;
            all.rejected += sent.rejected;
        }
        self.progress.finish_and_clear();
        ensure!(all.rejected == 0, "the collector did not take {} of {} spans", all.rejected, all.spans);
        output::succeed(&format!("{} of {} sent\n", counted(all.spans, "span", "spans"), self.episodes()))
    }

    fn episodes(&self) -> String {
        let episodes = self.sources.iter().map(|source| source.chosen.results.len() as u64);
        counted(episodes.sum(), "episode", "episodes")
    }

    fn options(&self) -> TraceOptions {
        let service = env::var(SERVICE).ok().filter(|name| !name.is_empty());
        TraceOptions { content: self.arguments.logs.content, service: service.unwrap_or_else(|| "rolecall".to_owned()) }
    }
}
