//! `rolecall data exemplars`: solved games as examples for prompts.
//!
//! The rule-based player plays games of the training split with the helpful user (ReSpAct) and with
//! the owner (ABA); trajectories of moderate length are written down as published prompts write them
//! (ReSpAct Tables 17 and 19, ABA appendices B, D and F).

mod choice;
mod monologue;
mod player;
mod text;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};

use super::exemplars::choice::{Choice, is_worth_showing};
use super::exemplars::player::{ExemplarPlayer, Setting};
use super::exemplars::text::{Form, Speech, Thoughts, rendered};
use super::{CLASSIC, MOST, SEED, seed};
use crate::domain::Event;
use crate::ports::{Parameter, Parameters};
use crate::text::{counted, harmless};
use crate::world::{DataTool, Desk, Unfinished};

/// Games that are played at most until there are enough of each type.
const MOST_GAMES: usize = 5000;

/// Trajectories of one cast, and the ways in which each is written: the folder of the strategy that
/// uses it, and the form.
struct Set {
    setting: Setting,
    /// At most so many of each task type, as the paper shows.
    most: usize,
    ways: &'static [(&'static str, Form)],
}

const SETS: [Set; 4] = [
    Set {
        setting: Setting::Respact,
        most: usize::MAX,
        ways: &[
            ("respact", form(Speech::Spoken, Thoughts::Played)),
            ("react", form(Speech::LeftOut, Thoughts::Played)),
            ("respact-im", form(Speech::Spoken, Thoughts::Dense)),
            ("react-im", form(Speech::LeftOut, Thoughts::Dense)),
            ("respact-schema", form(Speech::Declared, Thoughts::Played)),
        ],
    },
    Set {
        setting: Setting::Aba,
        most: 2,
        ways: &[("aba", ASKED)],
    },
    Set {
        setting: Setting::Ambiguous,
        most: 2,
        ways: &[("aba-ambiguous", ASKED)],
    },
    Set {
        setting: Setting::MultiRound,
        most: 1,
        ways: &[
            ("aba-multi-round", ASKED),
            ("react-multi-round", form(Speech::LeftOut, Thoughts::Played)),
        ],
    },
];

/// As ABA writes it.
const ASKED: Form = form(Speech::Asked, Thoughts::Played);

const fn form(speech: Speech, thoughts: Thoughts) -> Form {
    Form { speech, thoughts }
}

/// The folder of exemplars in a strategy's folder of cards.
const FOLDER: &str = "exemplars";

pub(super) const TOOL: DataTool = DataTool {
    name: "exemplars",
    summary: "Write solved games as examples for prompts: three of each task type, with speech and without",
    parameters: PARAMETERS,
    examples: EXAMPLES,
    run,
};

const PARAMETERS: &[Parameter] = &[
    Parameter::path(
        "out",
        Some(FOLDER),
        &[],
        "The folder to which they go: respact/exemplars in it and, without speech, react/exemplars, and \
         so on for each strategy",
    ),
    Parameter::integer(
        "seed",
        Some(SEED as i64),
        0..=u32::MAX as i64,
        "The seed of the games and of what is said in them",
    ),
    Parameter::integer(
        "per_type",
        Some(3),
        1..=MOST,
        "How many of each task type; of ABA at most two, as in the paper",
    ),
    CLASSIC,
];

const EXAMPLES: &str = "\
  rolecall data exemplars household
      Write three trajectories of each task type to exemplars/respact and exemplars/react.
  rolecall data exemplars household --classic --seed 4 --out agents/classic
      Write others, worded as published prompts are.";

/// A trajectory: the name of its file without the ending, and what happened.
type Chosen = (String, Vec<Event>);

/// Plays, chooses and writes.
fn run(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<String> {
    let out = parameters.path("out").unwrap_or(Path::new(FOLDER));
    let place = |strategy: &str| out.join(strategy).join(FOLDER);
    let places: Vec<PathBuf> = SETS
        .iter()
        .flat_map(|set| set.ways.iter().map(|(strategy, _)| place(strategy)))
        .collect();
    let unfinished = Unfinished::make(out.join(".exemplars.unfinished"), &places)?;
    let chosen = choose_all(parameters, desk)?;
    let mut report = String::new();
    for (set, chosen) in SETS.iter().zip(chosen) {
        for (strategy, form) in set.ways {
            let (folder, place) = (unfinished.path().join(strategy), place(strategy));
            write(&chosen, *form, &folder)
                .with_context(|| format!("`{}` cannot be written", folder.display()))?;
            put(&folder, &place)
                .with_context(|| format!("`{}` cannot be made", place.display()))?;
            let place = harmless(&place.display().to_string());
            report.push_str(&format!(
                "{} in {place}\n",
                counted(chosen.len() as u64, "trajectory", "trajectories")
            ));
        }
    }
    Ok(report)
}

/// The trajectories of every set; the sets are played at the same time.
fn choose_all(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<Vec<Vec<Chosen>>> {
    std::thread::scope(|scope| {
        let sets = SETS
            .iter()
            .map(|set| scope.spawn(move || choose(set, parameters, desk)));
        let sets: Vec<_> = sets.collect();
        let chosen = sets.into_iter().map(|set| {
            set.join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        chosen.collect()
    })
}

/// The trajectories of a set, sorted by name.
fn choose(set: &Set, parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<Vec<Chosen>> {
    let (seed, classic) = (seed(parameters), parameters.flag("classic"));
    let stage = ExemplarPlayer::new(set.setting, seed, MOST_GAMES, classic)?;
    let per_type = parameters.whole("per_type").unwrap_or(set.most);
    let per_type = per_type.min(set.most);
    let mut choice = match set.setting {
        Setting::MultiRound => Choice::of_any(),
        Setting::Respact | Setting::Aba | Setting::Ambiguous => Choice::per_type(per_type),
    };
    for game in 0..MOST_GAMES {
        if choice.is_complete() {
            return Ok(choice.named());
        }
        // Where one thing is meant there are games that cannot be played.
        let Ok(task) = stage.open(game) else {
            continue;
        };
        let public = Arc::clone(&task.task.public);
        if choice.wants(&public) {
            let events = stage.play(desk, game, task)?;
            if is_worth_showing(set.setting, &events) {
                choice.take(&public, events);
            }
        }
    }
    bail!(
        "{MOST_GAMES} games have not {per_type} different ones worth showing of every task type; ask \
         for fewer with --per-type"
    );
}

fn write(chosen: &[Chosen], form: Form, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    chosen.iter().try_for_each(|(name, events)| {
        fs::write(folder.join(format!("{name}.txt")), rendered(events, form))
    })
}

/// Moves a finished folder to its place, where an empty one may be.
fn put(folder: &Path, file: &Path) -> io::Result<()> {
    if let Some(parent) = file.parent() {
        fs::create_dir_all(parent)?;
    }
    let _ = fs::remove_dir(file);
    fs::rename(folder, file)
}
