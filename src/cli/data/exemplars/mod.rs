//! `rolecall data exemplars`: solved games as examples for prompts.
//!
//! The rule-based player and the helpful user play games of the training split; trajectories of
//! moderate length are written down as published prompts write them (ReSpAct Tables 17 and 19).

mod monologue;
mod stage;
mod text;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::Args;

use self::stage::Stage;
use self::text::{Form, Speech, Thoughts, rendered};
use super::known;
use super::unfinished::Unfinished;
use crate::cli::output;
use crate::domain::{Counts, Event, Message, PublicTask};
use crate::environments::household::TaskType;
use crate::environments::household::builtin::SEED;

/// Moves of a trajectory that is worth showing, speech included: shorter ones show too little,
/// longer ones fill the prompt.
const STEPS: std::ops::RangeInclusive<usize> = 10..=25;

/// Games that are played at most until there are enough of each type.
const MOST_GAMES: usize = 5000;

/// The ways in which each trajectory is written, and the folder of the strategy that uses it.
const WAYS: [(&str, Form); 5] = [
    ("respact", form(Speech::Spoken, Thoughts::Played)),
    ("react", form(Speech::LeftOut, Thoughts::Played)),
    ("respact-im", form(Speech::Spoken, Thoughts::Dense)),
    ("react-im", form(Speech::LeftOut, Thoughts::Dense)),
    ("respact-schema", form(Speech::Declared, Thoughts::Played)),
];

const fn form(speech: Speech, thoughts: Thoughts) -> Form {
    Form { speech, thoughts }
}

/// The folder of exemplars in a strategy's folder of cards.
const FOLDER: &str = "exemplars";

/// The arguments of `data exemplars`.
#[derive(Args, Debug)]
pub(super) struct ExemplarsArguments {
    /// The environment, for instance household
    #[arg(value_name = "ENVIRONMENT")]
    environment: String,
    /// The folder to which they go: respact/exemplars in it and, without speech, react/exemplars, and
    /// so on for each strategy
    #[arg(long, value_name = "DIR", default_value = "exemplars")]
    out: PathBuf,
    /// The seed of the games and of what is said in them
    #[arg(long, value_name = "N", default_value_t = SEED)]
    seed: u32,
    /// How many of each task type
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = super::at_least_one)]
    per_type: usize,
    /// Write commands and observations as published prompts do (put X in/on Y), not as the games
    #[arg(long)]
    classic: bool,
}

/// A trajectory: the name of its file without the ending, and what happened.
type Chosen = (String, Vec<Event>);

/// Plays, chooses and writes.
pub(super) fn execute(arguments: &ExemplarsArguments) -> anyhow::Result<ExitCode> {
    known(&arguments.environment)?;
    let places = WAYS.map(|(strategy, _)| arguments.out.join(strategy).join(FOLDER));
    for place in &places {
        let taken = fs::read_dir(place).is_ok_and(|mut entries| entries.next().is_some());
        if taken || place.is_file() {
            bail!(
                "`{}` is there already; remove it, or choose another --out",
                place.display()
            );
        }
    }
    let chosen = choose(arguments)?;
    let unfinished = Unfinished::make(arguments.out.join(".exemplars.unfinished"))?;
    for ((strategy, form), place) in WAYS.iter().zip(&places) {
        let folder = unfinished.path().join(strategy);
        write(&chosen, *form, &folder)
            .with_context(|| format!("`{}` cannot be written", folder.display()))?;
        put(&folder, place).with_context(|| format!("`{}` cannot be made", place.display()))?;
    }
    drop(unfinished);
    output::emit(&report(&chosen, &places))?;
    Ok(ExitCode::SUCCESS)
}

/// The trajectories, sorted by name.
fn choose(arguments: &ExemplarsArguments) -> anyhow::Result<Vec<Chosen>> {
    let stage = Stage::new(arguments.seed, MOST_GAMES, arguments.classic)?;
    let mut choice = Choice::new(arguments.per_type);
    for game in 0..MOST_GAMES {
        if choice.is_complete() {
            return Ok(choice.named());
        }
        let task = stage.open(game)?;
        let public = Arc::clone(&task.task.public);
        if choice.wants(&public) {
            let events = stage.play(game, task)?;
            if is_worth_showing(&events) {
                choice.take(&public, events);
            }
        }
    }
    bail!(
        "{MOST_GAMES} games have not {} different ones worth showing of every task type; ask for \
         fewer with --per-type",
        arguments.per_type
    );
}

/// Trajectories by task type, with the games' ids.
struct Choice {
    per_type: usize,
    kinds: BTreeMap<String, Vec<(String, Vec<Event>)>>,
}

impl Choice {
    fn new(per_type: usize) -> Self {
        let kinds = TaskType::ALL.map(|task| (task.short().to_owned(), Vec::new()));
        Self {
            per_type,
            kinds: kinds.into(),
        }
    }

    fn is_complete(&self) -> bool {
        self.kinds
            .values()
            .all(|taken| taken.len() >= self.per_type)
    }

    /// Whether one more of the type is wanted, and this one would show another thing, another
    /// place to put it (there is one class of lamp only) and another room than those taken.
    fn wants(&self, task: &PublicTask) -> bool {
        let Some(taken) = self.kinds.get(&task.kind) else {
            return false;
        };
        let same_place = task.kind == TaskType::LookInLight.short();
        let differs = |(other, _): &(String, _)| {
            let pairs = subject(&task.id).zip(subject(other));
            let mut same = pairs.map(|(here, there)| here == there);
            let [thing, place, room] = [same.next(), same.next(), same.next()];
            thing != Some(true) && room != Some(true) && (same_place || place != Some(true))
        };
        taken.len() < self.per_type && taken.iter().all(differs)
    }

    fn take(&mut self, task: &PublicTask, events: Vec<Event>) {
        let kind = self.kinds.entry(task.kind.clone()).or_default();
        kind.push((task.id.clone(), events));
    }

    fn named(self) -> Vec<Chosen> {
        let of_kind = |(kind, taken): (String, Vec<(String, Vec<Event>)>)| {
            let numbered = (1..).zip(taken);
            let named = numbered.map(|(number, (_, events))| (format!("{kind}-{number}"), events));
            named.collect::<Vec<_>>()
        };
        self.kinds.into_iter().flat_map(of_kind).collect()
    }
}

/// What a game is about, from its id `SPLIT/TASKTYPE-Object-None-Target-Scene/TRIAL`: the object,
/// the target and the scene.
fn subject(id: &str) -> impl Iterator<Item = &str> {
    let folder = id.split('/').nth(1).unwrap_or_default();
    let parts = folder.split('-').enumerate();
    parts.filter_map(|(place, part)| [1, 3, 4].contains(&place).then_some(part))
}

/// Solved, of moderate length, with a question, and without a command that the house refused.
fn is_worth_showing(events: &[Event]) -> bool {
    let solved = events
        .iter()
        .any(|event| matches!(&event.message, Message::Closed(outcome) if outcome.success));
    let mut counts = Counts::default();
    for event in events {
        event.message.add_to(&mut counts);
    }
    let steps = usize::try_from(counts.steps).unwrap_or(usize::MAX);
    solved && STEPS.contains(&steps) && counts.questions > 0 && counts.invalid == 0
}

fn write(chosen: &[Chosen], form: Form, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    chosen.iter().try_for_each(|(name, events)| {
        fs::write(folder.join(format!("{name}.txt")), rendered(events, form))
    })
}

/// Moves a finished folder to its place, where an empty one may be.
fn put(folder: &Path, place: &Path) -> io::Result<()> {
    if let Some(parent) = place.parent() {
        fs::create_dir_all(parent)?;
    }
    let _ = fs::remove_dir(place);
    fs::rename(folder, place)
}

/// What was written.
fn report(chosen: &[Chosen], places: &[PathBuf]) -> String {
    let lines = places.iter().map(|place| {
        let place = output::harmless(&place.display().to_string());
        format!("{} trajectories in {place}\n", chosen.len())
    });
    lines.collect()
}
