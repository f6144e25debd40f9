//! The table `run`: how a run uses the machine.

use std::path::PathBuf;

use super::plan::{RunSettings, Watching};
use super::walk::Section;
use crate::log::{LogSettings, Sync};

/// Episodes that are alive at the same time unless the config says otherwise.
const CONCURRENCY: usize = 64;

pub(super) fn run_settings(top: &mut Section<'_>) -> RunSettings {
    let mut section = top.section("run");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut count = |key, max, usual| section.count(key, 1, max).map_or(usual, |n| n as usize);
    let concurrency = count("concurrency", 1_000_000, CONCURRENCY);
    let arbiters = count("arbiters", 1024, cores);
    let mut seconds = |key, usual| section.seconds(key, 0.001, 86_400.0).unwrap_or(usual);
    let usual = Watching::default();
    let watching = Watching {
        notice: seconds("blocked_seconds", usual.notice),
        grace: seconds("give_up_seconds", usual.grace),
    };
    let logs = section.text("logs").unwrap_or("logs");
    if logs.is_empty() {
        section.wrong("logs", "is empty; it must be a folder".to_owned());
    }
    let log = log_settings(&mut section);
    section.finish();
    RunSettings {
        concurrency,
        arbiters,
        logs: PathBuf::from(logs),
        log,
        watching,
    }
}

fn log_settings(section: &mut Section<'_>) -> LogSettings {
    let usual = LogSettings::default();
    let sync = section.choice("sync", &Sync::NAMES);
    let megabytes = section.integer("segment_mb", 1, 1 << 20);
    let bytes = megabytes.and_then(|number| u64::try_from(number << 20).ok());
    LogSettings {
        sync: sync.and_then(Sync::from_name).unwrap_or(usual.sync),
        segment_bytes: bytes.unwrap_or(usual.segment_bytes),
    }
}
