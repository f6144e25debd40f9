//! Facts about the run itself, besides its figures.

use super::workers;
use crate::log::{Parent, RunLog};
use crate::text::joined;

/// Names and values of the run's record: version, seed, cells, and the size of the log.
pub fn facts(run: &RunLog) -> Vec<(String, String)> {
    let record = run.record();
    let cells = Some(joined(&record.cells)).filter(|cells| !cells.is_empty());
    let branch = |parent: &Parent| format!("run {}, at {}", parent.run, parent.at);
    let facts = [
        ("version", record.version.clone()),
        ("goes on from", record.parent.as_ref().map(branch)),
        ("seed", record.seed.map(|seed| seed.0.to_string())),
        ("cells", cells),
        ("episodes", Some(run.ids().len().to_string())),
        ("events", Some(run.event_count().to_string())),
    ];
    let known = facts.into_iter();
    let known = known.filter_map(|(name, value)| Some((name.to_owned(), value?)));
    known.collect()
}

/// Remarks about the log that a reader must know, such as a last line that was cut off.
pub fn notes(run: &RunLog) -> Vec<String> {
    let torn = run.torn().map(|torn| {
        format!("the last line of the events (line {}, {} bytes) was cut off and is left out", torn.line, torn.bytes)
    });
    let nothing = run.ids().len() == 0;
    let empty = nothing.then(|| "the log holds no episode".to_owned());
    let workers = workers::remark(&run.record().workers);
    torn.into_iter().chain(empty).chain(workers).collect()
}
