//! `rolecall conformance`: an environment beside recordings of the original program.

use std::fmt::Write as _;
use std::process::ExitCode;

use anyhow::bail;

use super::arguments::ConformanceArguments;
use super::output;
use crate::environments::household;

/// The most differences that are printed; the last line counts all.
const MOST_SHOWN: usize = 20;

/// Replays the recordings, prints the first differences and, as the last line, how many there are.
pub(crate) fn execute(arguments: &ConformanceArguments) -> anyhow::Result<ExitCode> {
    if arguments.environment != "household" {
        bail!(
            "`{}` has no recordings to compare with; allowed is `household`",
            arguments.environment
        );
    }
    let report = household::conformance::replay(&arguments.oracle, &arguments.data)?;
    let mut text = String::new();
    for difference in report.differences.iter().take(MOST_SHOWN) {
        // Writing to a text cannot fail, here and below.
        let _ = writeln!(text, "{}", output::harmless(&difference.to_string()));
    }
    let left_out = report.differences.len().saturating_sub(MOST_SHOWN);
    if left_out > 0 {
        let _ = writeln!(text, "... and {left_out} more differences");
    }
    let _ = writeln!(
        text,
        "{} steps checked, {} differ",
        report.steps, report.differing
    );
    output::emit(&text)?;
    Ok(ExitCode::from(u8::from(report.differing > 0)))
}
