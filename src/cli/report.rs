//! `rolecall report`: the results of a run, computed again from its log.

use std::process::ExitCode;

use super::arguments::ReportArguments;
use super::{output, runs};
use crate::evaluation::Summary;
use crate::reports;

/// Prints the tables of a run, or its results as JSON or Markdown.
pub(crate) fn execute(arguments: &ReportArguments) -> anyhow::Result<ExitCode> {
    let run = runs::open(&arguments.run)?;
    let results = runs::results(&run)?;
    let summary = Summary::of(&results, &run.record().cells);
    let name = arguments.run.display().to_string();
    let text = if arguments.json {
        format!("{}\n", reports::json::object(&name, &summary))
    } else if arguments.markdown {
        let (facts, notes) = (reports::facts(&run), reports::notes(&run));
        reports::markdown::report(&name, &summary, &facts, &notes)
    } else {
        reports::summary(&summary, &output::layout())
    };
    output::emit(&text)?;
    let apart = summary.total.episodes - summary.total.counted;
    Ok(ExitCode::from(u8::from(apart > 0)))
}
