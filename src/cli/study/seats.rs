//! `rolecall study seats`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use clap::Args;

use super::{branched, played};
use crate::branch::{At, Making};
use crate::config_arguments::{ConfigArguments, flag, setting};
use crate::playing::PlayArguments;
use crate::reload_plan::reload_plan;
use crate::run::{Begun, begin_here, take_up};
use crate::{output, runs};
use rolecall_core::domain::CellName;
use rolecall_core::evaluation::{EpisodeResult, SeatShares, metric_names};

use rolecall_core::log::RunLog;
use rolecall_core::reports::html::seats_page;
use rolecall_core::reports::studies::{seats_json, seats_text};
use rolecall_core::text::{joined, visible};
use rolecall_run::config::{Absent, Plan, load};
use rolecall_run::registry::Registry;

/// The page, in the folder of the study.
const PAGE: &str = "seats.html";
/// Beginning of the names of mixed cells.
const WITH: &str = "with-";

/// The arguments of `study seats`.
#[derive(Args, Debug)]
pub(crate) struct SeatsArguments {
    /// The first cast: CONFIG or CONFIG:CELL; with --at, the run that it played, RUN or RUN:CELL
    first: String,
    /// The second: :CELL of the same config, or CONFIG or CONFIG:CELL of another one. They may differ in one to six
    /// seats and in nothing else
    second: String,
    /// Leave the episodes of a run there, and have every mixture go on from the same beginnings
    #[arg(long, value_name = "SEQ|first-question|turn:N|N%|last")]
    at: Option<At>,
    /// The figure that is shared out
    #[arg(long, default_value = "success")]
    metric: String,
    /// Change one key of the config; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Play only the first N tasks
    #[arg(long, value_name = "N", conflicts_with = "at")]
    limit: Option<i64>,
    /// The seed from which all others are derived
    #[arg(long, value_name = "N", conflicts_with = "at")]
    seed: Option<i64>,
    /// Name of the study's folder; default: that of the config and `-seats`, or of the run and `-seats-forked`
    #[arg(long)]
    name: Option<String>,
    /// Folder under which the study's folder is made
    #[arg(long, value_name = "DIR", default_value = runs::LOGS)]
    logs: PathBuf,
    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
    /// Print nothing while it goes on
    #[arg(long, short)]
    quiet: bool,
}

/// The casts as they played: the seats, and the episodes of each subset of them.
type Mixed = (Vec<String>, Vec<Vec<EpisodeResult>>);

/// Plays every mixture, and prints the shares; goes on with a study that was stopped.
pub(super) fn execute(arguments: &SeatsArguments, verbose: u8, registry: &Registry) -> anyhow::Result<ExitCode> {
    let (what, _) = split(&arguments.first);
    let stem = Path::new(what).file_stem().unwrap_or_default().to_string_lossy();
    let ending = if arguments.at.is_none() { "seats" } else { "seats-forked" };
    let name = arguments.name.clone().unwrap_or_else(|| format!("{stem}-{ending}"));
    let folder = arguments.logs.join(&name);
    let mixed = match &arguments.at {
        None => play_anew(&name, &folder, arguments, verbose, registry)?,
        Some(at) => go_on(*at, &folder, arguments, verbose, registry)?,
    };
    let Some((seats, casts)) = mixed else {
        output::remark("the study is not over: the same command goes on with it");
        return Ok(ExitCode::FAILURE);
    };
    let shares = SeatShares::of(&seats, &casts, &arguments.metric).ok_or_else(|| {
        let known = joined(metric_names(casts.iter().flatten()));
        anyhow!(
            "no episode counts in all casts and has a figure `{}`; figures are {}",
            visible(&arguments.metric),
            visible(&known)
        )
    })?;
    let page = folder.join(PAGE);
    let title = format!("{} against {}", arguments.first, arguments.second);
    output::save("the page ", &page, seats_page(&title, &shares))?;
    match arguments.json {
        true => output::emit_json(seats_json(&shares))?,
        false => {
            output::emit(&seats_text(&shares, &output::layout()))?;
            output::emit(&format!("\npage: {}\n", output::shown(&page)))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A config or run, and the cell if one is named.
fn split(text: &str) -> (&str, Option<&str>) {
    match text.rsplit_once(':') {
        Some((what, cell)) if !cell.contains(['/', '.']) => (what, Some(cell)),
        _ => (text, None),
    }
}

/// The key that makes the mixtures.
fn between(arguments: &SeatsArguments) -> String {
    let first = split(&arguments.first).1.unwrap_or_default();
    let second = match split(&arguments.second) {
        ("", Some(cell)) => cell.to_owned(),
        // A file, also if it is named without its cell.
        (_, None) => format!("{}:", arguments.second),
        _ => arguments.second.clone(),
    };
    setting("mixture.between", vec![first.to_owned(), second])
}

/// The seats in which the casts of a plan differ: its cells are all their subsets.
fn seats(plan: &Plan) -> Vec<String> {
    let single = plan.cells.iter().enumerate().filter(|(subset, _)| subset.is_power_of_two());
    let names = single.map(|(_, cell)| cell.name.as_str());
    names.map(|name| name.strip_prefix(WITH).unwrap_or(name).to_owned()).collect()
}

/// Plays the mixtures as the cells of one run; none if that was stopped.
fn play_anew(
    name: &str,
    folder: &Path,
    arguments: &SeatsArguments,
    verbose: u8,
    registry: &Registry,
) -> anyhow::Result<Option<Mixed>> {
    let mut sets = arguments.sets.clone();
    sets.push(between(arguments));
    let config =
        ConfigArguments { config: split(&arguments.first).0.into(), with: Vec::new(), sets, models: Vec::new() };
    let logs = arguments.logs.to_str().context("`--logs` must be a path in UTF-8")?;
    let flags = [
        flag("--name", "name", Some(name)),
        flag("--logs", "run.logs", Some(logs)),
        flag("--limit", "tasks.limit", arguments.limit),
        flag("--seed", "seed", arguments.seed),
    ];
    let mut resolved = load(&config.request(flags)?, registry.clone())?;
    resolved.pin()?;
    let seats = seats(&resolved.plan);
    let play = PlayArguments { no_report: true, quiet: arguments.quiet, ..PlayArguments::default() };
    let cells: Vec<CellName> = resolved.plan.cells.iter().map(|cell| cell.name.clone()).collect();
    let results = match take_up(&mut resolved, &play, registry)? {
        Begun::Finished => Some(runs::results_of(&RunLog::open(folder)?, registry)?),
        Begun::Open(playing) => played(*playing, arguments.quiet, verbose)?,
        Begun::Not => played(begin_here(resolved, true, arguments.quiet, registry)?, arguments.quiet, verbose)?,
    };
    Ok(results.map(|results| {
        let of = |cell: &CellName| results.iter().filter(|result| result.episode.cell == *cell).cloned().collect();
        (seats, cells.iter().map(of).collect())
    }))
}

/// Has every mixture go on from the episodes of a run; none if that was stopped.
fn go_on(
    at: At,
    folder: &Path,
    arguments: &SeatsArguments,
    verbose: u8,
    registry: &Registry,
) -> anyhow::Result<Option<Mixed>> {
    let (what, cell) = split(&arguments.first);
    let run = runs::open(Path::new(what))?;
    let mut sets = arguments.sets.clone();
    sets.push(between(arguments));
    let plan = reload_plan(run.folder(), &sets, &[], Absent::Refused, registry)?.resolved.plan;
    let seats = seats(&plan);
    let mut events = BTreeMap::new();
    for id in run.ids().filter(|id| cell.is_none_or(|cell| id.cell.as_str() == cell)) {
        if let Ok(copied) = at.copied(&run.episode(id)?.events) {
            events.insert(id.clone(), copied);
        }
    }
    if events.is_empty() {
        bail!("no episode of `{}` has the place `--at {at}`", visible(what));
    }
    let results = runs::results_of(&run, registry)?.into_iter();
    let mut casts = vec![results.filter(|result| events.contains_key(&result.episode)).collect()];
    for subset in 1..1_usize << seats.len() {
        let chosen = seats.iter().enumerate().filter(|(bit, _)| subset >> bit & 1 == 1);
        let chosen: Vec<String> = chosen.map(|(_, seat)| seat.clone()).collect();
        let name = format!("{WITH}{}", chosen.join("-"));
        let mut settings = vec![setting("name", name.as_str())];
        settings.extend(sets.iter().cloned());
        settings.push(setting("mixture.take", chosen));
        let making = Making {
            events: events.clone(),
            at: at.to_string(),
            chosen: "of a study of seats".to_owned(),
            settings,
            logs: Some(folder),
            named: true,
            quiet: arguments.quiet,
            ..Making::default()
        };
        match branched(&run, folder, &name, making, verbose, registry)? {
            Some(results) => casts.push(results),
            None => return Ok(None),
        }
    }
    Ok(Some((seats, casts)))
}
