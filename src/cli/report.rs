//! `rolecall report`: the results of a run, computed again from its log.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;

use super::{output, runs};
use crate::domain::CellName;
use crate::evaluation::{EpisodeResult, Summary};
use crate::files;
use crate::log::{
    INDEX, LogError, REPORT_HTML, REPORT_MARKDOWN, RUN, RunLog, TIMINGS, TRACE, is_events_file,
    is_results_file,
};
use crate::registry::Registry;
use crate::reports::{self, Report};
use crate::text::visible;

/// The arguments of `report`.
#[derive(Args, Debug)]
pub(crate) struct ReportArguments {
    /// The run's folder, or its name below `logs`
    pub(crate) run: PathBuf,
    /// Print the results as one JSON object
    #[arg(long, conflicts_with = "markdown")]
    pub(crate) json: bool,
    /// Print the report as Markdown
    #[arg(long)]
    pub(crate) markdown: bool,
    /// Write the report as one offline page to a file (- for standard output)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "markdown"])]
    pub(crate) html: Option<PathBuf>,
    /// Tell the rows of tables apart by a group of the tasks too, or by `kind`
    #[arg(long, value_name = "GROUP", conflicts_with_all = ["markdown", "html", "write"])]
    pub(crate) by: Option<String>,
    /// Write report.md and report.html into the run's folder, over older ones
    #[arg(long, conflicts_with_all = ["json", "markdown", "html"])]
    pub(crate) write: bool,
}

/// Prints the tables of a run or its results as JSON or Markdown, or writes its reports.
pub(crate) fn execute(arguments: &ReportArguments) -> anyhow::Result<ExitCode> {
    let run = runs::open(&arguments.run)?;
    let results = runs::results(&run)?;
    let cells = &run.record().cells;
    if let Some(by) = &arguments.by {
        runs::check_group(by, &results)?;
    }
    let mut summary = summary(&results, cells, arguments.by.as_deref());
    let currency = run.record().currency.clone();
    summary.models.explain(currency, &run.timings(), cells);
    if arguments.write {
        let page = write(&run, &results)?;
        output::emit(&format!("report: {}\n", output::shown(&page)))?;
    } else if let Some(file) = &arguments.html {
        write_page(&run, &results, file)?;
    } else if arguments.json {
        let name = arguments.run.display().to_string();
        output::emit_json(&format!("{}\n", reports::json::object(&name, &summary)))?;
    } else if arguments.markdown {
        let report = report_of(&run, &results)?;
        output::emit(&reports::markdown::report(&report))?;
    } else {
        let tables = reports::figures(&summary, &output::layout());
        output::emit(&(tables + &goes_on_from(&run)))?;
    }
    let apart = summary.total.episodes - summary.total.counted;
    Ok(ExitCode::from(u8::from(apart > 0)))
}

/// The summary of results, whose rows may be told apart by a group of tasks as well.
pub(crate) fn summary(results: &[EpisodeResult], cells: &[CellName], by: Option<&str>) -> Summary {
    let summary = Summary::by(results, cells, by).in_order(&Registry::standard().kinds());
    summary.told_by(results, cells, &measures())
}

/// Gives the metrics that tell how good an episode on a task of a kind is, where success says little.
pub(crate) fn measures() -> impl Fn(&str) -> &'static [&'static str] {
    let registry = Registry::standard();
    move |kind| registry.measures(kind)
}

fn report_of<'a>(run: &RunLog, results: &'a [EpisodeResult]) -> Result<Report<'a>, LogError> {
    let report = Report::of(run, results, summary(results, &run.record().cells, None))?;
    let registry = Registry::standard();
    Ok(report.staged(|episode| registry.scene(&episode.log())))
}

/// The line that names the parent of a branch.
fn goes_on_from(run: &RunLog) -> String {
    let parent = run.record().parent.as_ref();
    parent.map_or_else(String::new, |parent| {
        let (name, at) = (visible(&parent.run), visible(&parent.at));
        format!("\ngoes on from run {name}, at {at}\n")
    })
}

/// Writes `report.md` and `report.html` into the folder of the run, over older ones, and gives the
/// path of the page.
pub(crate) fn write(run: &RunLog, results: &[EpisodeResult]) -> anyhow::Result<PathBuf> {
    let report = report_of(run, results)?;
    let markdown = run.folder().join(REPORT_MARKDOWN);
    let page = run.folder().join(REPORT_HTML);
    replace(&markdown, &reports::markdown::report(&report))?;
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
    let page = reports::html::page(&report_of(run, results)?);
    if file == Path::new("-") {
        return output::emit(&page);
    }
    fs::write(file, page)
        .with_context(|| format!("the report `{}` cannot be written", file.display()))
}

/// Whether the file is one that reports are computed from.
fn is_log(run: &RunLog, file: &Path) -> bool {
    let (Ok(whole), Ok(folder)) = (file.canonicalize(), run.folder().canonicalize()) else {
        return false;
    };
    let name = whole.file_name().unwrap_or_default().to_string_lossy();
    let own = [RUN, TIMINGS, TRACE, INDEX].contains(&&*name)
        || is_events_file(&name)
        || is_results_file(&name);
    own && whole.parent() == Some(&folder)
}

/// Puts a text into the place of a report.
fn replace(file: &Path, text: &str) -> anyhow::Result<()> {
    files::replace(file, text.as_bytes())
        .with_context(|| format!("the report `{}` cannot be written", file.display()))
}
