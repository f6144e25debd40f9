//! Logs as Inspect reads them (`inspect view`, `read_eval_log`): one for each cell of a run, a zip (`.eval`) or one
//! JSON. Written is what its reader asks for and little more; the format has a number and no specification.

mod file;
mod header;
mod messages;
mod sample;
mod transcript;

use std::collections::BTreeMap;
use std::path::Path;

use jiff::Timestamp;
use serde_json::{Value, json};

use self::file::LogFile;
use self::header::Header;
use self::transcript::RULES;
use super::origin::Origin;
use super::{ExportError, PlayedEpisode, PlayedRun};
use rolecall_core::domain::{EpisodeId, Score, Seat};
use rolecall_core::evaluation::EpisodeResult;
use rolecall_run::config::{Cell, Plan};

/// The target of all samples.
const TARGET: &str = "success";

/// Writes the logs of these episodes into a folder, which must be there, and gives their number. Says `done`
/// after each episode.
///
/// # Errors
/// As [`PlayedRun::over_episodes`], and when a file cannot be written.
pub fn write(
    run: &PlayedRun,
    results: &[EpisodeResult],
    folder: &Path,
    json: bool,
    done: &dyn Fn(),
) -> Result<u64, ExportError> {
    let origin = Origin::of(run.log());
    let mut cells: BTreeMap<usize, Vec<&EpisodeResult>> = BTreeMap::new();
    for result in results {
        let id = &result.episode;
        let place = run
            .plan()
            .cells
            .iter()
            .position(|cell| cell.name == id.cell)
            .ok_or_else(|| ExportError::NoCell(id.clone()))?;
        cells.entry(place).or_default().push(result);
    }
    for (place, results) in &cells {
        let names = Names::of(run.plan(), &run.plan().cells[*place], results);
        let head = Header::of(run, &origin, &names, results)?;
        let mut file = LogFile::create(folder.join(head.file_name(if json { "json" } else { "eval" })), json, &head)?;
        let ids: Vec<EpisodeId> = results.iter().map(|result| result.episode.clone()).collect();
        let sample = |episode: PlayedEpisode| Ok(sample::of(&names, &origin, &episode));
        run.over_episodes(&ids, sample, |sample| {
            done();
            file.add(&sample)
        })?;
        file.finish(&head)?;
    }
    Ok(cells.len() as u64)
}

/// How models, samples and seats of a cell are called.
struct Names<'a> {
    plan: &'a Plan,
    cell: &'a Cell,
    roles: Vec<Seat>,
    acting: Option<Seat>,
    /// Names of tasks that several tasks of the cell have.
    shared: Vec<&'a str>,
}

impl<'a> Names<'a> {
    fn of(plan: &'a Plan, cell: &'a Cell, results: &[&'a EpisodeResult]) -> Self {
        let roles: Vec<Seat> = cell.roles.iter().map(|role| Seat::Role(role.role.clone())).collect();
        let mut calls: BTreeMap<&Seat, u64> = BTreeMap::new();
        for usage in results.iter().flat_map(|result| &result.usage) {
            *calls.entry(&usage.seat).or_default() += usage.calls;
        }
        let calls_of = |seat: &&Seat| calls.get(seat).copied().unwrap_or_default();
        // The first of those that call as often.
        let acting = roles.iter().rev().max_by_key(calls_of).cloned();
        let mut tasks: BTreeMap<&str, u32> = BTreeMap::new();
        let mut shared: Vec<&str> = Vec::new();
        for result in results {
            let first = *tasks.entry(&result.task).or_insert(result.episode.task);
            if first != result.episode.task {
                shared.push(&result.task);
            }
        }
        shared.sort_unstable();
        shared.dedup();
        Self { plan, cell, roles, acting, shared }
    }

    /// Whether the seat is the one whose model the log is named after.
    fn acts(&self, seat: &Seat) -> bool {
        self.acting.as_ref() == Some(seat)
    }

    /// A model, by the name that the config gives it and by that of its server.
    fn model(&self, name: &str) -> String {
        let settings = self.plan.model_settings.iter().find(|settings| settings.profile.name == name);
        let served = settings.map_or("", |settings| &settings.profile.model);
        match served {
            "" => format!("{name}/{name}"),
            served => format!("{name}/{served}"),
        }
    }

    /// The name of a sample: that of its task, unless others have the same or it could leave its folder.
    fn sample(&self, result: &EpisodeResult) -> String {
        let task = result.task.as_str();
        let parts = || task.split('/').all(|part| !["", ".", ".."].contains(&part));
        let letters = || task.chars().all(|letter| !letter.is_control() && letter != '\\');
        if self.shared.binary_search(&task).is_err() && letters() && parts() {
            task.to_owned()
        } else {
            result.episode.task.to_string()
        }
    }
}

/// A time as Inspect writes it.
fn time(at: Timestamp) -> Value {
    at.strftime("%Y-%m-%dT%H:%M:%S%.6f+00:00").to_string().into()
}

/// The score of a trial or round.
fn score(score: &Score, ending: &str) -> Value {
    json!({ "value": verdict(score.success), "explanation": ending, "metadata": { "reward": score.reward } })
}

/// Success in the letters that the viewer colours.
fn verdict(success: bool) -> &'static str {
    if success { "C" } else { "I" }
}

fn error(text: &str) -> Value {
    json!({ "message": text, "traceback": "", "traceback_ansi": "" })
}
