//! `rolecall report`: the results of a run, computed again from its log.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};

use super::arguments::ReportArguments;
use super::{output, runs};
use crate::evaluation::{EpisodeResult, Summary};
use crate::log::{EVENTS, REPORT_HTML, REPORT_MARKDOWN, RESULTS, RUN, RunLog, TIMINGS, TRACE};
use crate::reports::{self, Report};
use crate::text::visible;

/// Prints the tables of a run or its results as JSON or Markdown, or writes its reports.
pub(crate) fn execute(arguments: &ReportArguments) -> anyhow::Result<ExitCode> {
    let run = runs::open(&arguments.run)?;
    let results = runs::results(&run)?;
    let cells = &run.record().cells;
    let mut summary = Summary::of(&results, cells);
    let currency = run.record().currency.clone();
    summary.models.explain(currency, &run.timings(), cells);
    if arguments.write {
        let page = write(&run, &results)?;
        output::emit(&format!("report: {}\n", visible(&page.to_string_lossy())))?;
    } else if let Some(file) = &arguments.html {
        write_page(&run, &results, file)?;
    } else {
        let text = if arguments.json {
            let name = arguments.run.display().to_string();
            format!("{}\n", reports::json::object(&name, &summary))
        } else if arguments.markdown {
            reports::markdown::report(&Report::of(&run, &results)?)
        } else {
            reports::figures(&summary, &output::layout())
        };
        output::emit(&text)?;
    }
    let apart = summary.total.episodes - summary.total.counted;
    Ok(ExitCode::from(u8::from(apart > 0)))
}

/// Writes `report.md` and `report.html` into the folder of the run, over older ones, and gives the
/// path of the page.
pub(crate) fn write(run: &RunLog, results: &[EpisodeResult]) -> anyhow::Result<PathBuf> {
    let report = Report::of(run, results)?;
    let page = run.folder().join(REPORT_HTML);
    replace(
        &run.folder().join(REPORT_MARKDOWN),
        &reports::markdown::report(&report),
    )?;
    replace(&page, &reports::html::page(&report))?;
    Ok(page)
}

/// Writes the page to a file of the reader's choice, or to standard output as `-`.
fn write_page(run: &RunLog, results: &[EpisodeResult], file: &Path) -> anyhow::Result<()> {
    if is_log(run, file) {
        bail!(
            "`{}` belongs to the log of the run: choose another file for the page",
            file.display()
        );
    }
    let page = reports::html::page(&Report::of(run, results)?);
    if file == Path::new("-") {
        return output::emit(&page);
    }
    fs::write(file, page)
        .with_context(|| format!("the report `{}` cannot be written", file.display()))
}

/// Whether the file is one that reports are computed from.
fn is_log(run: &RunLog, file: &Path) -> bool {
    let Ok(whole) = file.canonicalize() else {
        return false;
    };
    [RUN, EVENTS, RESULTS, TIMINGS, TRACE]
        .iter()
        .filter_map(|name| run.folder().join(name).canonicalize().ok())
        .any(|own| own == whole)
}

/// Puts a text into the place of a file. Half a text never stands there, and an older file stays if
/// this fails.
fn replace(file: &Path, text: &str) -> anyhow::Result<()> {
    let mut part = file.as_os_str().to_owned();
    part.push(".part");
    let written = fs::write(&part, text).and_then(|()| fs::rename(&part, file));
    written
        .inspect_err(|_| forget(&part))
        .with_context(|| format!("the report `{}` cannot be written", file.display()))
}

fn forget(part: impl AsRef<Path>) {
    // What cannot be written can perhaps not be removed; the error of writing is told.
    let _: io::Result<()> = fs::remove_file(part);
}
