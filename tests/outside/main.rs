//! Tests that need what a package of the crate does not hold: a model server, a browser, the fuzz targets.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a test may stop at once, say why it skips and wait for a clock"
)]

// The fuzz targets are the files that libFuzzer gets: what they use of its crate, this one has for them.
extern crate self as libfuzzer_sys;

mod export;
mod fuzz;
mod inspect;
mod real_model;
mod report_browser;
#[path = "../support/mod.rs"]
mod support;
mod web;

use fuzz::libfuzzer::fuzz_target;
