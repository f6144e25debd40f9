//! What the program does when it is started from a shell, one module for each subcommand or theme.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test may stop at once, say why it skips and wait for a clock"
)]

mod analyse;
mod analyse_users;
mod anywhere;
mod bad_input;
mod branch;
mod cli_frame;
mod compare;
mod compare_figures;
mod data;
mod export;
mod export_traces;
mod log;
mod models;
mod other_folders;
mod play;
mod prompts;
mod rate;
mod rate_serve;
mod replay;
mod report;
mod report_figures;
mod report_page;
mod report_statistics;
mod report_texts;
mod reproduce;
mod resume;
mod resume_damage;
mod run;
mod show;
mod show_follow;
mod study;
mod study_figures;
#[path = "../support/mod.rs"]
mod support;
