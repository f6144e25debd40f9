//! Names of the files of a run folder.

/// The resolved config, hashes, seed and version.
pub const RUN: &str = "run.toml";
/// Every event of every episode, one a line, in the order of writing.
pub const EVENTS: &str = "events.jsonl";
/// Wall times and whatever else no result may depend on, one record a line.
pub const TIMINGS: &str = "timings.jsonl";
/// One closed episode a line.
pub const RESULTS: &str = "results.jsonl";
/// The places of each episode's events. Made again whenever it does not fit the events.
pub const INDEX: &str = "events.index";
/// There, and locked, as long as the run is being written.
pub const RUNNING: &str = "running";
/// Tracing, for people. Nothing is computed from it.
pub const TRACE: &str = "trace.log";
/// The report as Markdown, for people.
pub const REPORT_MARKDOWN: &str = "report.md";
/// The report as one page, for people.
pub const REPORT_HTML: &str = "report.html";
