//! `rolecall study timing`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;

use super::branched;
use crate::branch::{Making, before_share, share};
use crate::choice::{self, ChoiceArguments};
use crate::config_arguments::setting;
use crate::{output, runs};
use rolecall_core::domain::{CellName, EpisodeId, Event, Given, Steering};
use rolecall_core::evaluation::{EpisodeResult, Forked, Price, Standing, Timing, question_times};

use rolecall_core::log::RunLog;
use rolecall_core::ports::held::FactKind;
use rolecall_core::reports::html::timing_page;
use rolecall_core::reports::studies::{timing_json, timing_text};
use rolecall_core::text::shell_path;
use rolecall_run::registry::Registry;

/// The page, in the folder of the study.
const PAGE: &str = "timing.html";

/// The arguments of `study timing`.
#[derive(Args, Debug)]
pub(crate) struct TimingArguments {
    /// The run's folder, or its name below `logs`
    run: PathBuf,
    /// The episodes as cell:task:repeat, or just the task's number if that is enough; all that the options choose if
    /// none is named
    #[arg(value_name = "EPISODE")]
    episode: Vec<String>,
    /// The points of time: shares of the moves that each episode took
    #[arg(long, value_name = "N%", value_delimiter = ',', value_parser = share)]
    #[arg(default_value = "0%,10%,25%,50%,75%")]
    at: Vec<u32>,
    /// Let the agent that may ask play with another setting, such as limits.questions=5 where the run forbids
    /// questions; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Cost of a question, in solved episodes
    #[arg(long, value_name = "COST", default_value_t = 0.02)]
    question_cost: f64,
    /// Cost of a move, in solved episodes
    #[arg(long, value_name = "COST", default_value_t = 0.002)]
    step_cost: f64,
    /// Name of the study's folder; default: that of the run and `-timing`
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
    #[command(flatten)]
    choice: ChoiceArguments,
}

/// An episode that is studied.
struct Studied {
    events: Vec<Event>,
    result: EpisodeResult,
}

/// Forks at one point of time.
struct Forks {
    percent: u32,
    events: BTreeMap<EpisodeId, u32>,
    given: BTreeMap<EpisodeId, Given>,
    kinds: BTreeMap<EpisodeId, FactKind>,
}

/// Plays the branches and prints the tables; goes on with a study that was stopped.
pub(super) fn execute(arguments: &TimingArguments, verbose: u8, registry: &Registry) -> anyhow::Result<ExitCode> {
    for (option, cost) in [("question", arguments.question_cost), ("step", arguments.step_cost)] {
        if !(0.0..=1.0).contains(&cost) {
            bail!("`--{option}-cost` is a share of a solved episode: write a number from 0 to 1");
        }
    }
    let run = runs::open(&arguments.run)?;
    let studied = studied(&run, arguments, registry)?;
    let mut at = arguments.at.clone();
    at.sort_unstable();
    at.dedup();
    let forks: Vec<Forks> = at.into_iter().map(|percent| forks(percent, &studied, registry)).collect();
    if forks.iter().all(|forks| forks.given.is_empty()) {
        bail!(
            "no user of these episodes holds a fact that shortens the way to their goals: there is nothing to ask \
             for (worlds whose users hold such facts: see docs/asking.md)"
        );
    }
    let name = arguments.name.clone().unwrap_or_else(|| format!("{}-timing", run_name(&run)));
    let folder = arguments.logs.join(name);
    let mut played = Vec::new();
    for (number, one) in forks.iter().enumerate() {
        if !arguments.quiet {
            output::remark(&format!("after {} %: {} of {}", one.percent, number + 1, forks.len()));
        }
        let Some(forked) = play(one, &run, &studied, &folder, arguments, verbose, registry)? else {
            output::remark("the study is not over: the same command goes on with it");
            return Ok(ExitCode::FAILURE);
        };
        played.push(forked);
    }
    tell(&run_name(&run), &folder, &timings(&run, &studied, &played, arguments), arguments)
}

/// The run's name, as its folder has it.
fn run_name(run: &RunLog) -> String {
    run.folder().file_name().and_then(|name| name.to_str()).unwrap_or(&run.record().name).to_owned()
}

/// The episodes that count, of those that are chosen.
fn studied(
    run: &RunLog,
    arguments: &TimingArguments,
    registry: &Registry,
) -> anyhow::Result<BTreeMap<EpisodeId, Studied>> {
    let chosen = choice::chosen(run, &arguments.episode, &arguments.choice, registry)?;
    let mut studied = BTreeMap::new();
    for result in runs::results_of(run, registry)? {
        if result.standing() == Standing::Counted && chosen.contains(&result.episode) {
            let events = run.episode(&result.episode)?.events;
            studied.insert(result.episode.clone(), Studied { events, result });
        }
    }
    if studied.is_empty() {
        bail!("no episode that is chosen counts: there is nothing to be studied");
    }
    Ok(studied)
}

/// Where the episodes are left, and what helps there most.
fn forks(percent: u32, studied: &BTreeMap<EpisodeId, Studied>, registry: &Registry) -> Forks {
    let mut forks = Forks { percent, events: BTreeMap::new(), given: BTreeMap::new(), kinds: BTreeMap::new() };
    for (id, Studied { events, .. }) in studied {
        let Some(at) = before_share(events, percent) else {
            continue;
        };
        forks.events.insert(id.clone(), at);
        let so_far = events.get(..at as usize).unwrap_or(events);
        let fact = registry.held(events).and_then(|held| held.facts().get(held.best(so_far)?).cloned());
        if let Some(fact) = fact {
            forks.given.insert(id.clone(), Given { at, question: fact.question, answer: fact.answer });
            forks.kinds.insert(id.clone(), fact.kind);
        }
    }
    forks
}

/// Has the episodes go on in every way; none if that was stopped.
fn play(
    forks: &Forks,
    run: &RunLog,
    studied: &BTreeMap<EpisodeId, Studied>,
    folder: &Path,
    arguments: &TimingArguments,
    verbose: u8,
    registry: &Registry,
) -> anyhow::Result<Option<Forked>> {
    let arm = |way: &str, steering: Steering, sets: &[String]| {
        let name = format!("{way}-{}", forks.percent);
        let mut settings = vec![setting("name", name.as_str())];
        settings.extend(sets.iter().cloned());
        let making = Making {
            events: forks.events.clone(),
            at: format!("{}%", forks.percent),
            chosen: arguments.choice.in_words(),
            by_outcome: arguments.choice.is_by_outcome(),
            steering,
            settings,
            logs: Some(folder),
            named: true,
            quiet: arguments.quiet,
            ..Making::default()
        };
        branched(run, folder, &name, making, verbose, registry)
    };
    let given = Steering { given: forks.given.clone(), ..Steering::default() };
    let silent = Steering { silent: true, ..Steering::default() };
    let Some(given) = arm("given", given, &[])? else {
        return Ok(None);
    };
    let Some(silent) = arm("silent", silent, &[])? else {
        return Ok(None);
    };
    let free = match arguments.sets.is_empty() {
        // Going on with the same seeds is what was played.
        true => Some(forks.events.keys().filter_map(|id| Some(studied.get(id)?.result.clone())).collect()),
        false => arm("free", Steering::default(), &arguments.sets)?,
    };
    Ok(free.map(|free| Forked { percent: forks.percent, given, free, silent, handed: forks.kinds.clone() }))
}

/// The figures, cell by cell.
fn timings(
    run: &RunLog,
    studied: &BTreeMap<EpisodeId, Studied>,
    played: &[Forked],
    arguments: &TimingArguments,
) -> Vec<Timing> {
    let price = Price { question: arguments.question_cost, step: arguments.step_cost };
    let cell = |cell: &CellName| {
        let episodes = || studied.values().filter(|one| one.result.episode.cell == *cell);
        let of_cell = |results: &[EpisodeResult]| -> Vec<EpisodeResult> {
            results.iter().filter(|result| result.episode.cell == *cell).cloned().collect()
        };
        let forked = |all: &Forked| {
            let kinds = all.handed.iter().filter(|(id, _)| id.cell == *cell);
            Forked {
                percent: all.percent,
                given: of_cell(&all.given),
                free: of_cell(&all.free),
                silent: of_cell(&all.silent),
                handed: kinds.map(|(id, kind)| (id.clone(), *kind)).collect(),
            }
        };
        let forked: Vec<Forked> = played.iter().map(forked).collect();
        let questions = episodes().flat_map(|one| question_times(&one.events)).collect();
        let results: Vec<EpisodeResult> = episodes().map(|one| one.result.clone()).collect();
        (!results.is_empty()).then(|| Timing::of(cell.as_str(), &results, &forked, price, questions))
    };
    run.record().cells.iter().filter_map(cell).collect()
}

fn tell(run: &str, folder: &Path, timings: &[Timing], arguments: &TimingArguments) -> anyhow::Result<ExitCode> {
    let page = folder.join(PAGE);
    output::save("the page ", &page, timing_page(run, timings))?;
    match arguments.json {
        true => output::emit_json(timing_json(timings))?,
        false => {
            output::emit(&timing_text(timings, &output::layout()))?;
            let points = timings.iter().flat_map(|timing| &timing.points);
            let first = points.map(|point| point.percent).min().unwrap_or_default();
            output::emit(&format!(
                "page: {}\nlook into a run of it: rolecall show {}\n",
                output::shown(&page),
                shell_path(&folder.join(format!("given-{first}")))
            ))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
