//! `rolecall data`: generates games, measures games, and makes exemplars and trajectories of them; makes
//! pairs for retrievers of dialogues.

mod dialogue;
mod exemplars;
mod retriever_pairs;
mod trajectories;
mod unfinished;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::slice;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};

use self::exemplars::ExemplarsArguments;
use self::retriever_pairs::RetrieverPairsArguments;
use self::trajectories::TrajectoriesArguments;
use self::unfinished::Unfinished;
use super::{help, output, progress};
use crate::environments::household::builtin::{GAMES, SEED};
use crate::environments::household::generate::{
    GenerateError, GeneratedGame, Generator, Span, Split, Wishes,
};
use crate::environments::household::load::{GAME_FILE, Selection, list};
use crate::environments::household::statistics::{Figures, MEASURES, Spread};
use crate::environments::household::tasks::BUILTIN;
use crate::environments::household::{Game, TaskType};
use crate::reports::{Align, Table};

/// The folders of official data that are measured when no split is named.
const OFFICIAL_SPLITS: [&str; 4] = ["train", "valid_train", "valid_seen", "valid_unseen"];

/// The arguments of `data`.
#[derive(Args, Debug)]
pub(crate) struct DataArguments {
    #[command(subcommand)]
    command: DataCommand,
}

/// What can be done with data.
#[derive(Debug, Subcommand)]
enum DataCommand {
    /// Generate games in the official format; the same options always give the same files
    #[command(after_help = help::GENERATE)]
    Generate(GenerateArguments),
    /// Print how large and how hard games are
    #[command(after_help = help::STATISTICS)]
    Statistics(StatisticsArguments),
    /// Write solved games as examples for prompts: three of each task type, with speech and without
    #[command(after_help = help::EXEMPLARS)]
    Exemplars(ExemplarsArguments),
    /// Write what an expert that asks does in games, with noise, as rows for training
    #[command(after_help = help::TRAJECTORIES)]
    Trajectories(TrajectoriesArguments),
    /// Write what a dense retriever of dialogue is fine-tuned with: texts that responses use, and others
    #[command(after_help = help::RETRIEVER_PAIRS)]
    RetrieverPairs(RetrieverPairsArguments),
}

/// The arguments of `data generate`.
#[derive(Args, Debug)]
struct GenerateArguments {
    /// The environment, for instance household
    #[arg(value_name = "ENVIRONMENT")]
    environment: String,
    /// train, seen (the rooms of train, other contents and tasks) or unseen (other rooms)
    #[arg(long, value_name = "SPLIT", default_value = "unseen", value_parser = Split::named)]
    split: Split,
    /// How many games; fewer games are the first of more games
    #[arg(long, value_name = "N", default_value_t = GAMES, value_parser = at_least_one)]
    count: usize,
    /// The seed that everything is drawn from
    #[arg(long, value_name = "N", default_value_t = SEED)]
    seed: u32,
    /// The folder to which the games go, in a folder of their split
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// How many different floor plans
    #[arg(long, value_name = "N", default_value_t = Wishes::ROOMS)]
    rooms: usize,
    /// Receptacles in a room; as usual in its kind of room if nothing is said
    #[arg(long, value_name = "A..B")]
    receptacles: Option<Span>,
    /// Objects in a room; as usual in its kind of room if nothing is said
    #[arg(long, value_name = "A..B")]
    objects: Option<Span>,
    /// Commands of the shortest plan
    #[arg(long, value_name = "A..B", default_value_t = Wishes::PLAN)]
    plan: Span,
}

/// The arguments of `data statistics`.
#[derive(Args, Debug)]
struct StatisticsArguments {
    /// The environment: household or dialogue
    #[arg(value_name = "ENVIRONMENT")]
    environment: String,
    /// A tree of games such as json_2.1.1, a file of dialogues, or builtin
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// Measure only the games of this split
    #[arg(long, value_name = "SPLIT")]
    split: Option<String>,
}

/// Generates or measures.
pub(crate) fn execute(arguments: &DataArguments) -> anyhow::Result<ExitCode> {
    match &arguments.command {
        DataCommand::Generate(arguments) => generate(arguments),
        DataCommand::Statistics(arguments) => statistics(arguments),
        DataCommand::Exemplars(arguments) => exemplars::execute(arguments),
        DataCommand::Trajectories(arguments) => trajectories::execute(arguments),
        DataCommand::RetrieverPairs(arguments) => retriever_pairs::execute(arguments),
    }
}

fn known(environment: &str) -> anyhow::Result<()> {
    if environment != "household" {
        bail!("there is no such data for `{environment}`; allowed is `household`");
    }
    Ok(())
}

/// Writes the games beside their place and moves them there when all are written.
fn generate(arguments: &GenerateArguments) -> anyhow::Result<ExitCode> {
    known(&arguments.environment)?;
    let wishes = Wishes {
        split: arguments.split,
        seed: arguments.seed,
        rooms: arguments.rooms,
        receptacles: arguments.receptacles,
        objects: arguments.objects,
        plan: arguments.plan,
    };
    let generator = Generator::new(wishes).map_err(at_option)?;
    let folder = arguments.split.folder();
    let place = arguments.out.join(folder);
    let unfinished = arguments.out.join(format!(".{folder}.unfinished"));
    let unfinished = Unfinished::make(unfinished, slice::from_ref(&place))?;
    let types = write_all(&generator, arguments.count, unfinished.path())?;
    // An empty folder may be there.
    let _ = fs::remove_dir(&place);
    fs::rename(unfinished.path().join(folder), &place)
        .with_context(|| format!("`{}` cannot be made", place.display()))?;
    drop(unfinished);
    output::emit(&report(&types, arguments, &place))?;
    Ok(ExitCode::SUCCESS)
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("at least one game is needed".to_owned()),
        Ok(count) => Ok(count),
        Err(error) => Err(error.to_string()),
    }
}

fn at_option(error: GenerateError) -> anyhow::Error {
    match error.knob() {
        Some(knob) => anyhow::anyhow!("--{knob}: {error}"),
        None => error.into(),
    }
}

/// Writes the games below a folder; tells how many of each task type there are.
fn write_all(
    generator: &Generator,
    count: usize,
    folder: &Path,
) -> anyhow::Result<BTreeMap<TaskType, usize>> {
    let bar = progress::bar(count, "games", io::stderr().is_terminal());
    let mut types = BTreeMap::new();
    for index in 0..count {
        let game = generator.game(index).map_err(at_option)?;
        write(&game, folder)
            .with_context(|| format!("`{}` cannot be written", folder.display()))?;
        *types.entry(generator.task_type(index)).or_default() += 1;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(types)
}

fn write(game: &GeneratedGame, folder: &Path) -> io::Result<()> {
    let place = folder.join(&game.id);
    fs::create_dir_all(&place)?;
    fs::write(place.join(GAME_FILE), &game.game)?;
    fs::write(place.join("traj_data.json"), &game.trajectory)?;
    fs::write(place.join("initial_state.pddl"), &game.problem)
}

/// What was written, and how to play it.
fn report(
    types: &BTreeMap<TaskType, usize>,
    arguments: &GenerateArguments,
    place: &Path,
) -> String {
    let counts: Vec<String> = TaskType::ALL
        .iter()
        .filter_map(|task| Some(format!("{} {}", types.get(task)?, task.short())))
        .collect();
    let data = format!("environment.data={}", arguments.out.display());
    format!(
        "{} games in {}: {}\n\
         Play them:    rolecall run configs/household/respact.toml --set {} --set environment.split={}\n\
         Measure them: rolecall data statistics household --data {}\n",
        arguments.count,
        output::harmless(&place.display().to_string()),
        counts.join(", "),
        for_shell(&data),
        arguments.split.folder(),
        for_shell(&arguments.out.display().to_string()),
    )
}

/// A word as a shell takes it.
fn for_shell(word: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "._-/=+:,~".contains(letter);
    if word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", output::harmless(word).replace('\'', r"'\''"))
}

/// Prints the figures of each split side by side.
fn statistics(arguments: &StatisticsArguments) -> anyhow::Result<ExitCode> {
    if arguments.environment == "dialogue" {
        if arguments.split.is_some() {
            bail!("samples of dialogue have no splits: name the file of one with --data");
        }
        let table = dialogue::statistics(&arguments.data, BUILTIN)?;
        output::emit(&table.text(&output::layout()))?;
        return Ok(ExitCode::SUCCESS);
    }
    known(&arguments.environment)?;
    let columns = if arguments.data == Path::new(BUILTIN) {
        builtin_columns(arguments.split.as_deref())?
    } else {
        file_columns(&arguments.data, arguments.split.as_deref())?
    };
    let mut table = Table::new("Mean per game (least to most)").key("");
    for column in &columns {
        table = table.column(&column.name, Align::Right);
    }
    table.row(row(
        "games",
        columns.iter().map(|column| column.games.to_string()),
    ));
    for (number, measure) in MEASURES.iter().enumerate() {
        let cells = columns.iter().map(|column| match &column.spreads {
            Some(spreads) => {
                let Spread { mean, least, most } = spreads[number];
                format!("{mean:.1} ({least} to {most})")
            }
            None => String::new(),
        });
        table.row(row(measure, cells));
    }
    output::emit(&table.text(&output::layout()))?;
    Ok(ExitCode::SUCCESS)
}

fn row(head: &str, cells: impl Iterator<Item = String>) -> Vec<String> {
    std::iter::once(head.to_owned()).chain(cells).collect()
}

/// The figures of a split.
struct Column {
    name: String,
    games: usize,
    spreads: Option<[Spread; MEASURES.len()]>,
}

impl Column {
    fn new(name: &str, figures: &[Figures]) -> Self {
        Self {
            name: name.to_owned(),
            games: figures.len(),
            spreads: Spread::of(figures),
        }
    }
}

fn builtin_columns(split: Option<&str>) -> anyhow::Result<Vec<Column>> {
    let splits = match split {
        Some(word) => vec![Split::named(word).map_err(at_option)?],
        None => Split::ALL.to_vec(),
    };
    let columns = splits.into_iter().map(|split| {
        let generator = Generator::new(Wishes::new(split, SEED))?;
        let figures: anyhow::Result<Vec<Figures>> = (0..GAMES)
            .map(|index| {
                let made = generator.game(index)?;
                let game = Game::from_json(&made.id, made.game.as_bytes())?;
                measured(game)
            })
            .collect();
        Ok(Column::new(split.folder(), &figures?))
    });
    columns.collect()
}

fn file_columns(data: &Path, split: Option<&str>) -> anyhow::Result<Vec<Column>> {
    let there = OFFICIAL_SPLITS
        .into_iter()
        .filter(|split| data.join(split).is_dir());
    let mut splits: Vec<Option<&str>> = match split {
        Some(split) => vec![Some(split)],
        None => there.map(Some).collect(),
    };
    if splits.is_empty() {
        splits.push(None);
    }
    let columns = splits.into_iter().map(|split| {
        let selection = Selection {
            split: split.map(str::to_owned),
            ..Selection::default()
        };
        let files = list(data, &selection)?;
        let figures: anyhow::Result<Vec<Figures>> = files
            .iter()
            .map(|file| measured(Game::load(file)?))
            .collect();
        Ok(Column::new(split.unwrap_or("all games"), &figures?))
    });
    columns.collect()
}

fn measured(game: Game) -> anyhow::Result<Figures> {
    let name = game.name().to_owned();
    Figures::of(&Arc::new(game)).with_context(|| format!("`{name}` cannot be measured"))
}
