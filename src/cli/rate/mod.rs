//! `rolecall rate`: labels of what agents said, by people and by models.

mod agreement;
mod ask;
mod export;
mod import;
mod judge;
mod serve;
mod sheet;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::anyhow;

use clap::{Args, Subcommand, ValueEnum};

use crate::runs;
use crate::serve::DoorArguments;
use rolecall_core::domain::Seed;
use rolecall_core::evaluation::labels::{ItemKind, What};
use rolecall_core::text::visible;
use rolecall_run::rating::{ItemChoice, Wanted, rater, what};
use rolecall_run::registry::Registry;

/// Does what the arguments of `rate` say.
pub(crate) fn execute(arguments: &RateArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    match &arguments.command {
        RateCommand::Export(export) => export::execute(export, registry),
        RateCommand::Import(import) => import::execute(import, registry),
        RateCommand::Serve(serve) => serve::execute(serve, registry),
        RateCommand::Judge(judge) => judge::execute(judge, registry),
        RateCommand::Agreement(agreement) => agreement::execute(agreement, registry),
    }
}

/// The arguments of `rate`.
#[derive(Args, Debug)]
pub(crate) struct RateArguments {
    #[command(subcommand)]
    command: RateCommand,
}

#[derive(Debug, Subcommand)]
enum RateCommand {
    /// Write blind sheets for raters: one CSV file each, instructions, and the key that stays with you
    #[command(after_help = include_str!("../help/rate-export.txt"))]
    Export(ExportArguments),
    /// Read the sheet of a rater, check it and keep its labels
    #[command(after_help = include_str!("../help/rate-import.txt"))]
    Import(ImportArguments),
    /// Let people label in a browser: one link each
    #[command(after_help = include_str!("../help/rate-serve.txt"))]
    Serve(ServeArguments),
    /// Let a model label what was said; what it has labelled is not asked again
    #[command(after_help = include_str!("../help/rate-judge.txt"))]
    Judge(JudgeArguments),
    /// Print how far raters, judges and rules agree
    #[command(after_help = include_str!("../help/rate-agreement.txt"))]
    Agreement(AgreementArguments),
}

/// Which items of a run.
#[derive(Args, Debug)]
struct ItemArguments {
    /// The run's folder, or its name below `logs`
    run: PathBuf,
    /// categories (ReSpAct Table 5), acts (its Table 20), a scale such as scale:1-5:usefulness, or a
    /// question of a world
    #[arg(long, value_name = "WHAT")]
    what: String,
    /// Unit of the labels: each utterance to the user, each whole dialogue, or each response of a dialogue task;
    /// default: utterances, or the unit of a world's question
    #[arg(long, value_enum)]
    items: Option<Items>,
    /// Take so many of them, drawn by the seed; without it all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    sample: Option<u32>,
    /// The seed of the draw
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl ItemArguments {
    /// Choice of items, for a comparison of two if that is wanted.
    fn choice(&self, pairwise: bool, registry: &Registry) -> anyhow::Result<ItemChoice> {
        let what = asked(&self.what, pairwise, registry)?;
        let kind = match self.items {
            Some(Items::Utterances) => ItemKind::Utterances,
            Some(Items::Dialogues) => ItemKind::Dialogues,
            Some(Items::Responses) => ItemKind::Responses,
            None if pairwise => what.items().unwrap_or(ItemKind::Dialogues),
            None => what.items().unwrap_or_default(),
        };
        Ok(ItemChoice { what, kind, sample: self.sample, seed: Seed(self.seed) })
    }

    /// Opens the run and draws.
    fn open(&self, choice: &ItemChoice, registry: &Registry) -> anyhow::Result<Wanted> {
        Ok(Wanted::of(runs::open(&self.run)?, choice, registry)?)
    }
}

/// The labels that `--what` names; of two that are compared, if that is wanted.
fn asked(name: &str, pairwise: bool, registry: &Registry) -> anyhow::Result<What> {
    let what = what(name, registry).map_err(|problem| anyhow!("`--what {}`: {problem}", visible(name)))?;
    if !pairwise {
        return Ok(what);
    }
    what.pair().ok_or_else(|| {
        anyhow!("`--pairwise` needs a scale by which two are compared, such as `--what scale:1-5:quality`")
    })
}

/// The items that can be labelled.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Items {
    /// Something that was said to the user
    Utterances,
    /// All that was said and done in an episode
    Dialogues,
    /// The response of an episode on a dialogue task, with the dialogue before it
    Responses,
}

/// Who gets which items.
#[derive(Args, Debug)]
struct DealingArguments {
    /// Number of raters
    #[arg(long, value_name = "K", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=100))]
    raters: u32,
    /// The share of items, 0 to 1, that all raters get; the others go to one rater each
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, value_parser = share)]
    overlap: f64,
    /// Question to raters of a scale, in one sentence
    #[arg(long, value_name = "TEXT")]
    question: Option<String>,
}

/// The arguments of `rate export`.
#[derive(Args, Debug)]
struct ExportArguments {
    #[command(flatten)]
    items: ItemArguments,
    #[command(flatten)]
    dealing: DealingArguments,
    /// Folder for the sheets; it is made, and must not hold any yet
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

/// Reads a share, for clap.
fn share(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|share| (0.0..=1.0).contains(share)).ok_or_else(|| "write a share from 0 to 1".to_owned())
}

/// The arguments of `rate import`.
#[derive(Args, Debug)]
struct ImportArguments {
    /// The run's folder, or its name below `logs`
    run: PathBuf,
    /// The sheet, filled in
    file: PathBuf,
    /// Who filled it in: small letters, digits, - and _
    #[arg(long, value_name = "NAME", value_parser = rater)]
    rater: String,
    /// Let labels of this sheet replace others that the rater gave before
    #[arg(long)]
    replace: bool,
}

/// The arguments of `rate serve`.
#[derive(Args, Debug)]
struct ServeArguments {
    #[command(flatten)]
    items: ItemArguments,
    #[command(flatten)]
    dealing: DealingArguments,
    /// Show two of the same task, from two cells: which is better by the scale, or is it a tie?
    #[arg(long)]
    pairwise: bool,
    #[command(flatten)]
    door: DoorArguments,
}

/// The arguments of `rate judge`.
#[derive(Args, Debug)]
struct JudgeArguments {
    #[command(flatten)]
    items: ItemArguments,
    /// Show two of the same task, from two cells: which is better by the scale, or is it a tie?
    #[arg(long)]
    pairwise: bool,
    /// The model that judges, as the config names it
    #[arg(long, value_name = "NAME")]
    model: String,
    /// The config that describes the model
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// Change one key of the config; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// Name under which its labels are kept; default: judge-MODEL
    #[arg(long, value_name = "NAME", value_parser = rater)]
    rater: Option<String>,
    /// A prompt of your own, in place of the shipped one (agents/judges)
    #[arg(long, value_name = "FILE")]
    prompt: Option<PathBuf>,
    /// Question to a judge of a scale, in one sentence
    #[arg(long, value_name = "TEXT")]
    question: Option<String>,
    /// Questions that are under way at the same time
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1000))]
    concurrency: u32,
    /// Print nothing while it goes on
    #[arg(long, short)]
    quiet: bool,
}

/// The arguments of `rate agreement`.
#[derive(Args, Debug)]
struct AgreementArguments {
    /// The run's folder, or its name below `logs`
    run: PathBuf,
    /// categories, acts, a scale such as scale:1-5:usefulness, or a field of a world's question
    #[arg(long, value_name = "WHAT")]
    what: String,
    /// Print how often each cell is preferred to another (win rates), and how far raters agree in that
    #[arg(long)]
    pairwise: bool,
    /// Compare these raters only; may be given several times (`rules` are the rules)
    #[arg(long, value_name = "NAME")]
    rater: Vec<String>,
    /// Print everything as one JSON object
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print the tables as Markdown
    #[arg(long)]
    markdown: bool,
}
