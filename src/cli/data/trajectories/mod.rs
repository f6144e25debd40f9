//! `rolecall data trajectories`: what ABA's expert does in household games, as rows for training.

mod expert;
mod scribe;
mod shares;
mod words;
mod workers;

use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::slice;

use anyhow::Context;
use clap::{Args, ValueEnum};

use self::expert::{Manner, play};
use self::scribe::Heading;
use self::shares::Shares;
use super::unfinished::Unfinished;
use super::{at_least_one, at_option, known};
use crate::cli::{output, progress};
use crate::domain::Seed;
use crate::environments::household::Variant;
use crate::environments::household::builtin::SEED;
use crate::environments::household::generate::random::Dice;
use crate::environments::household::generate::{Generator, Split, Wishes};
use crate::environments::household::load::Selection;
use crate::environments::household::sources::Source;
use crate::environments::household::tasks::BUILTIN;

/// How likely noise is unless something else is said (section 3.2.2, appendix C).
const NOISE: f64 = 0.2;

/// The most noise: with more of it, episodes hardly end.
const MOST_NOISE: f64 = 0.6;

/// The arguments of `data trajectories`.
#[derive(Args, Debug)]
pub(super) struct TrajectoriesArguments {
    /// The environment, for instance household
    #[arg(value_name = "ENVIRONMENT")]
    environment: String,
    /// Whose policy plays
    #[arg(long, value_enum, default_value_t = Expert::Aba)]
    expert: Expert,
    /// What the games ask for
    #[arg(long, value_enum, default_value_t = Setting::Standard)]
    setting: Setting,
    /// How likely a random command is performed instead of the expert's, 0 to 0.6; such rows have
    /// train 0
    #[arg(long, value_name = "P", default_value_t = NOISE, value_parser = probability)]
    noise: f64,
    /// How many trajectories [default: 1500, 500 of multi-round]
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    count: Option<usize>,
    /// The seed of built-in games, of their order otherwise, of what is meant and of the noise
    #[arg(long, value_name = "N", default_value_t = SEED)]
    seed: u32,
    /// Folder below --data; of built-in games train, seen or unseen
    #[arg(long, value_name = "SPLIT", default_value = "train")]
    split: String,
    /// A tree of games such as json_2.1.1, or builtin
    #[arg(long, value_name = "DIR", default_value = BUILTIN)]
    data: PathBuf,
    /// Write commands and observations as published prompts do (put X in/on Y), not as the games
    #[arg(long)]
    classic: bool,
    /// The file to which the records go, one in a line, as JSON
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// The policies.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Expert {
    /// Asks for what the task needs, then follows the shortest plan (ABA, appendices C and E)
    Aba,
}

/// The variants of the environment.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Setting {
    /// Any objects of the task's class will do
    Standard,
    /// One specific object counts, which the expert asks for
    Ambiguous,
    /// One task after the other in the same room, 50 moves in all; the expert asks itself first
    MultiRound,
}

impl Setting {
    fn variant(self) -> Variant {
        match self {
            Self::Standard => Variant::Standard,
            Self::Ambiguous => Variant::Ambiguous,
            Self::MultiRound => Variant::MultiRound,
        }
    }

    /// How many trajectories the paper collects (section 4.2); of the plain games it collects none.
    fn count(self) -> usize {
        match self {
            Self::Standard | Self::Ambiguous => 1500,
            Self::MultiRound => 500,
        }
    }
}

fn probability(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.0..=MOST_NOISE).contains(&number) => Ok(number),
        Ok(_) => Err(format!("choose a number from 0 to {MOST_NOISE}")),
        Err(error) => Err(error.to_string()),
    }
}

/// Writes the records beside their place and moves them there when all are written.
pub(super) fn execute(arguments: &TrajectoriesArguments) -> anyhow::Result<ExitCode> {
    known(&arguments.environment)?;
    let Expert::Aba = arguments.expert;
    let place = &arguments.out;
    let count = arguments.count.unwrap_or_else(|| arguments.setting.count());
    let name = place.file_name().context("--out must name a file")?;
    let beside = place.with_file_name(format!(".{}.unfinished", name.to_string_lossy()));
    let unfinished = Unfinished::make(beside, slice::from_ref(place))?;
    let sources = sources(arguments, count)?;
    let file = unfinished.path().join("records");
    let written = format!("`{}` cannot be written", place.display());
    let shares = write(arguments, &sources, count, &file).context(written)?;
    let bytes = fs::metadata(&file)?.len();
    fs::rename(&file, place).with_context(|| format!("`{}` cannot be made", place.display()))?;
    drop(unfinished);
    let variant = arguments.setting.variant();
    let name = output::harmless(&place.display().to_string());
    let size = bytes as f64 / 1e6;
    let title = format!("{name}: {}, {size:.1} MB", variant.as_str());
    let table = shares.table(&title, variant == Variant::MultiRound);
    output::emit(&table.text(&output::layout()))?;
    Ok(ExitCode::SUCCESS)
}

/// The games, in the order in which they are played; after the last one, the first comes again.
fn sources(arguments: &TrajectoriesArguments, count: usize) -> anyhow::Result<Vec<Source>> {
    if arguments.data == Path::new(BUILTIN) {
        let split = Split::named(&arguments.split).map_err(at_option)?;
        let generator = Generator::new(Wishes::new(split, arguments.seed)).map_err(at_option)?;
        return Ok(Source::generated(generator, 0..count));
    }
    let selection = Selection {
        split: Some(arguments.split.clone()).filter(|split| !split.is_empty()),
        ..Selection::default()
    };
    let mut sources = Source::files(&arguments.data, &selection)?;
    Dice::new("trajectories", &[u64::from(arguments.seed)]).shuffle(&mut sources);
    Ok(sources)
}

/// Plays every episode and writes its records to a file.
fn write(
    arguments: &TrajectoriesArguments,
    sources: &[Source],
    count: usize,
    file: &Path,
) -> anyhow::Result<Shares> {
    let bar = progress::bar(count, "trajectories", io::stderr().is_terminal());
    let mut writer = BufWriter::new(File::create_new(file)?);
    let mut shares = Shares::default();
    let play = |episode| rows(arguments, sources, episode);
    workers::in_order(count, play, |(lines, of_one): (Vec<u8>, Shares)| {
        writer.write_all(&lines)?;
        shares.add(&of_one);
        bar.inc(1);
        Ok(())
    })?;
    writer.flush()?;
    bar.finish_and_clear();
    Ok(shares)
}

/// The records of one episode as lines.
fn rows(
    arguments: &TrajectoriesArguments,
    sources: &[Source],
    episode: usize,
) -> anyhow::Result<(Vec<u8>, Shares)> {
    let source = sources.get(episode % sources.len().max(1));
    let (id, game) = source.context("there is no game")?.load()?;
    let manner = Manner {
        variant: arguments.setting.variant(),
        noise: arguments.noise,
        classic: arguments.classic,
    };
    let heading = Heading {
        episode,
        task: &id,
        setting: manner.variant.as_str(),
    };
    let repeat = u32::try_from(episode / sources.len().max(1))?;
    let seed = Seed(u64::from(arguments.seed)).labelled("trajectory", &id, repeat);
    let played = play(game, heading, manner, seed).with_context(|| format!("game `{id}`"))?;
    let mut lines = Vec::new();
    for record in &played.records {
        serde_json::to_writer(&mut lines, record)?;
        lines.push(b'\n');
    }
    Ok((lines, Shares::of(&played)))
}
