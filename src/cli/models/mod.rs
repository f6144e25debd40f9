//! `rolecall models`: the models that a config describes, and a probe of their servers.

mod list;
mod probe;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};

use super::model_client::described_in;
use rolecall_run::config::Resolved;
use rolecall_run::registry::Registry;

/// The arguments of `models`.
#[derive(Args, Debug)]
pub(crate) struct ModelsArguments {
    #[command(subcommand)]
    command: ModelsCommand,
}

#[derive(Debug, Subcommand)]
enum ModelsCommand {
    /// List the models that a config describes
    #[command(after_help = include_str!("../help/models-list.txt"))]
    List(ListArguments),
    /// Find out what a model's server supports, silently ignores, or refuses
    #[command(after_help = include_str!("../help/models-probe.txt"))]
    Probe(ProbeArguments),
}

#[derive(Args, Debug)]
struct ListArguments {
    #[command(flatten)]
    config: DescribedIn,
    /// Print the list as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
struct ProbeArguments {
    /// The model, as the config names it
    name: String,
    #[command(flatten)]
    config: DescribedIn,
    /// Print what was found as one JSON object
    #[arg(long)]
    json: bool,
}

/// The config that describes the models.
#[derive(Args, Debug)]
struct DescribedIn {
    /// The config that describes the models
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// Change one key of the config; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
}

impl DescribedIn {
    fn load(&self, registry: &Registry) -> anyhow::Result<Resolved> {
        described_in(&self.config, &self.sets, registry)
    }
}

/// Does what the arguments of `models` say.
pub(crate) fn execute(arguments: &ModelsArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    match &arguments.command {
        ModelsCommand::List(list) => list::execute(list, registry),
        ModelsCommand::Probe(probe) => probe::execute(probe, registry),
    }
}
