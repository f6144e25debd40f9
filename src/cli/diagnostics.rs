//! Tracing for people: on standard error, and for a run into its `trace.log` as JSON. Nothing is
//! computed from it.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::sync::Mutex;

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

use super::output::{remark, style};
use rolecall_core::log::TRACE;
use rolecall_core::reports::Style;

/// Starts tracing for what is played into a folder, panics included.
pub(crate) fn start_in(folder: &Path, verbose: u8) {
    start(verbose, OpenOptions::new().append(true).create(true).open(folder.join(TRACE)).ok());
    trace_panics();
}

/// Starts tracing, once per process. `RUST_LOG` chooses what is traced; without it, standard error
/// gets warnings (with `-v` information, with `-vv` details) and the file information.
pub(crate) fn start(verbose: u8, file: Option<File>) {
    let terminal = match verbose {
        0 => LevelFilter::WARN,
        1 => LevelFilter::INFO,
        2 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    let wanted = wanted();
    let stderr = fmt::layer()
        .with_writer(io::stderr)
        .with_ansi(style(&io::stderr()) == Style::Ansi)
        .with_filter(wanted.clone().unwrap_or_else(|| usual(terminal)));
    let file = file.map(|file| {
        let layer = fmt::layer().json().with_writer(Mutex::new(file));
        layer.with_filter(wanted.unwrap_or_else(|| usual(terminal.max(LevelFilter::INFO))))
    });
    // Fails only if tracing was started already, which then goes on.
    let _ = tracing_subscriber::registry().with(stderr).with(file).try_init();
}

/// Sends panics to tracing. A participant that panics is caught and its fault is in the log; its
/// backtrace does not belong between the lines of a progress bar.
pub(crate) fn trace_panics() {
    std::panic::set_hook(Box::new(|panic| tracing::error!(%panic, "caught a panic")));
}

/// The levels of `RUST_LOG`, as `level` or `module=level`, separated by commas.
fn wanted() -> Option<Targets> {
    let targets = std::env::var("RUST_LOG").ok().filter(|text| !text.is_empty())?.parse().ok();
    if targets.is_none() {
        remark("RUST_LOG is not understood and left out; write `info` or `rolecall::runtime=debug`");
    }
    targets
}

fn usual(level: LevelFilter) -> Targets {
    Targets::new().with_default(level)
}
