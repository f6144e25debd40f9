//! The worlds that come with the crate, one folder each.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test may stop at once and say why it skips"
)]

mod booking;
mod dialogue;
mod household;
mod offered;
mod replies;
mod shop;
#[path = "../support/mod.rs"]
mod support;
mod travel;
