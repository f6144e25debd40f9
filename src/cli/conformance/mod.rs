//! `rolecall conformance`: an environment beside recordings of the original programs.

pub mod dialogue;
mod household;

use std::process::ExitCode;

use anyhow::bail;

use super::arguments::ConformanceArguments;
use super::output;

/// The most differences that are printed; the last line counts all.
const MOST_SHOWN: usize = 20;

/// Compares, prints the first differences and, as the last line, how many there are.
pub(crate) fn execute(arguments: &ConformanceArguments) -> anyhow::Result<ExitCode> {
    let (oracle, data) = (&arguments.oracle, &arguments.data);
    let (mut text, differing) = match arguments.environment.as_str() {
        "household" => household::compare(oracle, data)?,
        "dialogue" => dialogue::compare(oracle, data)?,
        other => bail!(
            "`{other}` has no recordings to compare with; allowed are `household` and `dialogue`"
        ),
    };
    text.push('\n');
    output::emit(&text)?;
    Ok(ExitCode::from(u8::from(differing > 0)))
}

/// The first of many differences, a line each, and how many are left out.
fn shown(differences: impl ExactSizeIterator<Item = String>) -> String {
    let all = differences.len();
    let mut text = String::new();
    for difference in differences.take(MOST_SHOWN) {
        text.push_str(&output::harmless(&difference));
        text.push('\n');
    }
    if let Some(left_out) = all.checked_sub(MOST_SHOWN + 1) {
        text.push_str(&format!("... and {} more differences\n", left_out + 1));
    }
    text
}
