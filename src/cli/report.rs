//! `rolecall report`: the results of a run, from its log.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;

use super::progress::watched;
use super::{output, runs};
use rolecall_core::domain::{CellName, EpisodeId};
use rolecall_core::evaluation::simulator::{Known, SimulatedUser, UserCard};
use rolecall_core::evaluation::{EpisodeResult, Standing, Summary, in_order, recorded_or_measured};

use rolecall_core::log::{
    INDEX, LogError, REPORT_HTML, REPORT_MARKDOWN, RUN, RecordedEpisode, RunLog, TIMINGS, TRACE, is_events_file,
    is_results_file,
};
use rolecall_core::reports::{self, Report, ReportedUser};
use rolecall_core::text::visible;
use rolecall_run::registry::Registry;

/// Episodes with a user whose events a report reads once more: it stays a matter of seconds.
const MOST_CARDS: usize = 10_000;

/// The arguments of `report`.
#[derive(Args, Debug)]
pub(crate) struct ReportArguments {
    /// The run's folder, or its name below `logs`
    run: PathBuf,
    /// Print the results as one JSON object
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print the report as Markdown
    #[arg(long)]
    markdown: bool,
    /// Write the report as one offline page to a file (- for standard output)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["json", "markdown"])]
    html: Option<PathBuf>,
    /// Tell the rows of tables apart by a group of the tasks too, or by `kind`
    #[arg(long, value_name = "GROUP", conflicts_with_all = ["markdown", "html", "write"])]
    by: Option<String>,
    /// Write report.md and report.html into the run's folder, over older ones
    #[arg(long, conflicts_with_all = ["json", "markdown", "html"])]
    write: bool,
}

/// Prints the tables of a run or its results as JSON or Markdown, or writes its reports.
pub(crate) fn execute(arguments: &ReportArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    let run = watched(runs::open(&arguments.run)?);
    let results = recorded_or_measured(&run, &registry.measured())?;
    let cells = &run.record().cells;
    if let Some(by) = &arguments.by {
        runs::check_group(by, &results)?;
    }
    let mut summary = summary(&results, cells, arguments.by.as_deref(), registry);
    summary.models.explain(run.record().currency.clone(), &run.timings(), cells);
    if arguments.write {
        let page = write(&run, &results, registry)?;
        output::emit(&format!("report: {}\n", output::shown(&page)))?;
    } else if let Some(file) = &arguments.html {
        write_page(&run, &results, file, registry)?;
    } else if arguments.json {
        output::emit_json(reports::json::object(&arguments.run.display().to_string(), &summary))?;
    } else if arguments.markdown {
        output::emit(&reports::markdown::report(&report_of(&run, &results, registry)?))?;
    } else {
        let layout = output::layout();
        let mut tables = reports::figures(&summary, &layout);
        let users = reports::simulated(&users(&run, &results, registry)?.unwrap_or_default());
        if !users.is_empty() {
            tables += &format!("\n{}", users.text(&layout));
        }
        output::emit(&(tables + &goes_on_from(&run)))?;
    }
    output::exit_code(summary.total.episodes > summary.total.counted)
}

/// The summary of results, whose rows may be told apart by a group of tasks as well.
pub(crate) fn summary(results: &[EpisodeResult], cells: &[CellName], by: Option<&str>, registry: &Registry) -> Summary {
    let summary = Summary::by(results, cells, by).in_order(&registry.kinds());
    summary.told_by(results, cells, &|kind: &str| registry.measures(kind))
}

fn report_of<'a>(run: &RunLog, results: &'a [EpisodeResult], registry: &Registry) -> Result<Report<'a>, LogError> {
    let mut report = Report::of(run, results, summary(results, &run.record().cells, None, registry))?;
    match users(run, results, registry)? {
        Some(users) => report.users = users,
        None => report.notes.push(format!(
            "more than {MOST_CARDS} episodes have a user: `rolecall analyse RUN --only simulator` tells what users did"
        )),
    }
    Ok(report.staged(|episode| registry.scene(&episode.log())))
}

/// Conduct of the users of each cell, from the events of the episodes that count and have a user; none of too many.
fn users(run: &RunLog, results: &[EpisodeResult], registry: &Registry) -> Result<Option<Vec<ReportedUser>>, LogError> {
    let mut of_users = in_order(results, &run.record().cells);
    of_users.retain(|result| result.user.is_some() && result.standing() == Standing::Counted);
    if of_users.len() > MOST_CARDS {
        return Ok(None);
    }
    let read =
        |_: &EpisodeId, episode: Result<RecordedEpisode, LogError>| Ok::<_, LogError>(user_card(&episode?, registry));
    let mut rows: Vec<(_, SimulatedUser)> = Vec::new();
    let mut left = of_users.iter();
    let ids = of_users.iter().map(|result| &result.episode);
    run.over_episodes(ids, read, |card| {
        let card = card?;
        if let Some(result) = left.next() {
            let key = (result.episode.cell.clone(), result.user.clone());
            let place = rows.iter().position(|(known, _)| *known == key).unwrap_or(rows.len());
            if place == rows.len() {
                rows.push((key, SimulatedUser::default()));
            }
            rows[place].1.add(&result.task, result.success, card);
        }
        Ok::<_, LogError>(())
    })?;
    let spoken = rows.into_iter().filter_map(|(key, user)| Some((key, user.figures()?)));
    Ok(Some(spoken.collect()))
}

/// The card of an episode's user, with what its world knows.
pub(crate) fn user_card(episode: &RecordedEpisode, registry: &Registry) -> UserCard {
    let log = episode.log();
    if log.opened().is_none_or(|opened| opened.user.is_none()) {
        return UserCard::default();
    }
    let (held, secrets) = (registry.held(&episode.events), registry.secrets(&log));
    UserCard::of(&episode.events, Known { held: held.as_deref(), secrets: secrets.as_ref() })
}

/// The line that names the parent of a branch.
fn goes_on_from(run: &RunLog) -> String {
    run.record().parent.as_ref().map_or_else(String::new, |parent| {
        format!("\ngoes on from run {}, at {}\n", visible(&parent.run), visible(&parent.at))
    })
}

/// Writes `report.md` and `report.html` into the folder of the run, over older ones, and gives the
/// path of the page.
pub(crate) fn write(run: &RunLog, results: &[EpisodeResult], registry: &Registry) -> anyhow::Result<PathBuf> {
    let report = report_of(run, results, registry)?;
    let page = run.folder().join(REPORT_HTML);
    output::save("the report ", &run.folder().join(REPORT_MARKDOWN), reports::markdown::report(&report))?;
    output::save("the report ", &page, reports::html::page(&report))?;
    Ok(page)
}

/// Writes the page to a file of the reader's choice, or to standard output as `-`.
fn write_page(run: &RunLog, results: &[EpisodeResult], file: &Path, registry: &Registry) -> anyhow::Result<()> {
    if is_log(run, file) {
        bail!("`{}` belongs to the log of the run: choose another file for the page", file.display());
    }
    let page = reports::html::page(&report_of(run, results, registry)?);
    if file == Path::new("-") {
        return output::emit(&page);
    }
    fs::write(file, page).with_context(|| format!("the report `{}` cannot be written", file.display()))
}

/// Whether the file is one that reports are computed from.
fn is_log(run: &RunLog, file: &Path) -> bool {
    let (Ok(whole), Ok(folder)) = (file.canonicalize(), run.folder().canonicalize()) else {
        return false;
    };
    let name = whole.file_name().unwrap_or_default().to_string_lossy();
    let is_read = [RUN, TIMINGS, TRACE, INDEX].contains(&&*name) || is_events_file(&name) || is_results_file(&name);
    is_read && whole.parent() == Some(&folder)
}
