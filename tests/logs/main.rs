//! Logs as they stand in files: written, closed, gone on with, and kept from earlier versions.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may stop at once and say why it skips")]

mod canonical_hashes;
mod crash;
mod edited;
mod folder;
mod golden;
mod lines;
mod many;
mod merge;
mod resume;
mod runs_of_0_1;
mod segments;
#[path = "../support/mod.rs"]
mod support;
