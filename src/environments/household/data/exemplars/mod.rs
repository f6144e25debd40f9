//! `rolecall data exemplars`: solved games as examples for prompts.
//!
//! The rule-based player plays games of the training split with the helpful user (ReSpAct), which gives bad advice
//! in the second trajectory of each type, and with the owner (ABA); trajectories of moderate length are written down as
//! published prompts write them (ReSpAct Tables 17 and 19, ABA appendices B, D and F).

mod choice;
mod monologue;
mod player;
mod text;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use anyhow::{Context, bail};

use self::choice::{Choice, is_worth_showing};
use self::player::{ExemplarPlayer, Setting};
use self::text::{Speech, Thoughts, rendered};
use super::{CLASSIC, MOST, seed, seed_option};
use rolecall_core::domain::Event;
use rolecall_core::ports::{Parameter, Parameters};
use rolecall_core::text::{counted, harmless};
use rolecall_core::world::{DataTool, Desk, Unfinished};

/// Games that are played at most until there are enough of each type.
const MOST_GAMES: usize = 5000;

/// A way in which trajectories are written: the folder of the strategy that uses it, and how
/// speech and thoughts are shown.
type Way = (&'static str, Speech, Thoughts);

/// Who plays, how many trajectories there are at most of each task type, as the paper shows, and the ways in
/// which each is written.
const SETS: [(Setting, usize, &[Way]); 4] = [
    (Setting::Respact, usize::MAX, RESPACT_WAYS),
    (Setting::Aba, 2, &[("aba", Speech::Asked, Thoughts::Played)]),
    (Setting::Ambiguous, 2, AMBIGUOUS_WAYS),
    (Setting::MultiRound, 1, ROUNDS_WAYS),
];

const RESPACT_WAYS: &[Way] = &[
    ("respact", Speech::Spoken, Thoughts::Played),
    ("react", Speech::LeftOut, Thoughts::Played),
    ("respact-im", Speech::Spoken, Thoughts::Dense),
    ("react-im", Speech::LeftOut, Thoughts::Dense),
    ("respact-schema", Speech::Declared, Thoughts::Played),
];

const AMBIGUOUS_WAYS: &[Way] = &[("aba-ambiguous", Speech::Asked, Thoughts::Played)];

const ROUNDS_WAYS: &[Way] =
    &[("aba-multi-round", Speech::Asked, Thoughts::Played), ("react-multi-round", Speech::LeftOut, Thoughts::Played)];

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
    seed_option("The seed of the games and of what is said in them"),
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
    let folder_of = |strategy: &str| out.join(strategy).join(FOLDER);
    let ways = SETS.iter().flat_map(|(_, _, ways)| *ways);
    let folders: Vec<PathBuf> = ways.map(|(strategy, ..)| folder_of(strategy)).collect();
    let unfinished = Unfinished::make(out.join(".exemplars.unfinished"), &folders)?;
    let chosen = choose_all(parameters, desk)?;
    let mut report = String::new();
    for ((_, _, ways), chosen) in SETS.iter().zip(chosen) {
        for (strategy, speech, thoughts) in *ways {
            let (written, folder) = (unfinished.path().join(strategy), folder_of(strategy));
            let write = || {
                fs::create_dir_all(&written)?;
                chosen.iter().try_for_each(|(name, events)| {
                    let text = rendered(events, *speech, *thoughts);
                    fs::write(written.join(format!("{name}.txt")), text)
                })
            };
            write().with_context(|| format!("`{}` cannot be written", written.display()))?;
            put(&written, &folder).with_context(|| format!("`{}` cannot be made", folder.display()))?;
            let count = counted(chosen.len() as u64, "trajectory", "trajectories");
            let folder = harmless(&folder.display().to_string());
            report.push_str(&format!("{count} in {folder}\n"));
        }
    }
    Ok(report)
}

/// The trajectories of every set; the sets are played at the same time.
fn choose_all(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<Vec<Vec<Chosen>>> {
    std::thread::scope(|scope| {
        SETS.map(|(setting, most, _)| scope.spawn(move || choose(setting, most, parameters, desk)))
            .into_iter()
            .map(|set| set.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

/// At most so many trajectories of each task type, sorted by name.
fn choose(setting: Setting, most: usize, parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<Vec<Chosen>> {
    let (seed, classic) = (seed(parameters), parameters.flag("classic"));
    let player = ExemplarPlayer::new(setting, seed, classic)?;
    let misled = match setting {
        Setting::Respact => Some(ExemplarPlayer::new(Setting::Misled, seed, classic)?),
        _ => None,
    };
    let per_type = parameters.whole("per_type").unwrap_or(most).min(most);
    let mut choice = Choice::new(setting, per_type);
    for game in 0..MOST_GAMES {
        if choice.is_complete() {
            return Ok(choice.named());
        }
        // Where one thing is meant there are games that cannot be played.
        let Ok(task) = player.open(game) else {
            continue;
        };
        let public = Arc::clone(&task.task.public);
        if choice.wants(&public) {
            let setting = choice.setting(setting, &public);
            let events =
                misled.as_ref().filter(|_| setting == Setting::Misled).unwrap_or(&player).play(desk, game, task)?;
            if is_worth_showing(setting, &events) {
                choice.take(&public, events);
            }
        }
    }
    bail!(
        "{MOST_GAMES} games have not {per_type} different ones worth showing of every task type; ask \
         for fewer with --per-type"
    );
}

/// Moves a finished folder to its place, where an empty one may be.
fn put(folder: &Path, to: &Path) -> io::Result<()> {
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent)?;
    }
    let _ = fs::remove_dir(to);
    fs::rename(folder, to)
}
