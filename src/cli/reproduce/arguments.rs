//! The arguments of `rolecall reproduce`.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::config_arguments::{flag, request_for};
use rolecall_run::config::Request;

/// The arguments of `reproduce`.
#[derive(Args, Debug)]
pub(crate) struct ReproduceArguments {
    /// The table, for instance respact-table1, or a config with a [table]; without it, the tables
    /// are listed
    #[arg(value_name = "NAME|CONFIG")]
    pub(super) name_or_config: Option<PathBuf>,
    /// Print the table of a run that there is; one that is unfinished is gone on with first
    #[arg(long, value_name = "RUN", conflicts_with = "name_or_config")]
    #[arg(conflicts_with_all = ["sets", "models", "name", "logs", "limit", "seed"])]
    pub(super) run: Option<PathBuf>,
    /// Lay another config file over it, for instance one of configs/models; may be given several
    /// times
    #[arg(long, value_name = "FILE")]
    pub(super) with: Vec<PathBuf>,
    /// Change one key of the config; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
    /// The model of a role, or of the user, in every cell; may be given several times
    #[arg(long = "model", value_name = "ROLE=NAME")]
    models: Vec<String>,
    /// Name of the run; its log goes to a folder of this name
    #[arg(long)]
    pub(super) name: Option<String>,
    /// Folder under which the run's folder is made
    #[arg(long, value_name = "DIR")]
    logs: Option<String>,
    /// Play only the first N tasks of each cell
    #[arg(long, value_name = "N")]
    limit: Option<i64>,
    /// The seed from which all others are derived
    #[arg(long, value_name = "N")]
    seed: Option<i64>,
    /// Episodes that are alive at the same time
    #[arg(long, value_name = "N")]
    concurrency: Option<i64>,
    /// Fill columns of BERTScore by the vectors of this model of the config; with --run, of a config that is
    /// given with --with
    #[arg(long, value_name = "MODEL")]
    pub(super) embeddings: Option<String>,
    /// The layer that the vectors are of: BERTScore is rescaled if a baseline of model, layer and
    /// language is known
    #[arg(long, value_name = "N", requires = "embeddings")]
    pub(super) layer: Option<usize>,
    /// Print the table as one JSON object
    #[arg(long, conflicts_with = "markdown")]
    pub(super) json: bool,
    /// Print the table as Markdown
    #[arg(long)]
    pub(super) markdown: bool,
    /// Print nothing while the run goes on
    #[arg(long, short)]
    pub(super) quiet: bool,
}

impl ReproduceArguments {
    /// The request to resolve the config with these options.
    pub(super) fn request(&self, config: &Path) -> anyhow::Result<Request> {
        let flags = [
            flag("--name", "name", self.name.as_deref()),
            flag("--logs", "run.logs", self.logs.as_deref()),
            flag("--concurrency", "run.concurrency", self.concurrency),
            flag("--limit", "tasks.limit", self.limit),
            flag("--seed", "seed", self.seed),
        ];
        Ok(Request {
            with: self.with.clone(),
            sets: self.sets.clone(),
            models: self.models.clone(),
            flags: flags.into_iter().flatten().collect(),
            ..request_for(config)?
        })
    }

    /// The settings with which a run is gone on with.
    pub(super) fn settings(&self) -> Vec<String> {
        let setting = |number: &i64| format!("run.concurrency={number}");
        self.concurrency.iter().map(setting).collect()
    }
}
