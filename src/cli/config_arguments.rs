//! The arguments by which commands name a config, and what they make of it.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;

use rolecall_core::domain::Seat;
use rolecall_run::config::{CellRecord, Flag, Plan, Record, Request, Resolved};
use rolecall_run::registry::{HUMAN, REMOTE};

/// A config and what is laid over it.
#[derive(Args, Debug)]
pub(crate) struct ConfigArguments {
    /// The config: a file, or the name of a shipped one, for instance quickstart
    pub(crate) config: PathBuf,
    /// Lay another config over it, for instance models/openai; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) with: Vec<PathBuf>,
    /// Change one key of the config; may be given several times (more with --help)
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) sets: Vec<String>,
    /// The model of a role, or of the user, in every cell; may be given several times
    #[arg(long = "model", value_name = "ROLE=NAME")]
    pub(crate) models: Vec<String>,
}

/// A request for a config, with the variables and the working folder of this process.
pub(crate) fn request_for(file: &Path) -> anyhow::Result<Request> {
    Ok(Request {
        file: file.to_owned(),
        variables: std::env::vars_os().collect(),
        working: working()?,
        ..Request::default()
    })
}

/// The working folder of this process.
pub(crate) fn working() -> anyhow::Result<PathBuf> {
    std::env::current_dir().context("the working folder cannot be found")
}

/// A setting as it is written: `key=value`.
pub(crate) fn setting(key: &str, value: impl Into<toml::Value>) -> String {
    format!("{key}={}", value.into())
}

/// The option of a command that sets a key of the config, if it was given.
pub(crate) fn flag(option: &'static str, key: &'static str, value: Option<impl Into<toml::Value>>) -> Option<Flag> {
    Some(Flag { option, key, value: value?.into() })
}

impl ConfigArguments {
    /// The request to resolve the config with these options.
    pub(crate) fn request(&self, flags: impl IntoIterator<Item = Option<Flag>>) -> anyhow::Result<Request> {
        Ok(Request {
            with: self.with.clone(),
            sets: self.sets.clone(),
            models: self.models.clone(),
            flags: flags.into_iter().flatten().collect(),
            ..request_for(&self.config)?
        })
    }
}

/// Refuses a run whose seats are taken by clients, and where no pages are served also one with people in a browser.
pub(crate) fn refuse_absent(resolved: &Resolved, pages: bool) -> anyhow::Result<()> {
    refuse_remote(&resolved.plan)?;
    if let Some(web) = resolved.record.web_seats().first().filter(|_| !pages) {
        let seat = &web.seat;
        let table = match seat {
            Seat::User => "user".to_owned(),
            role => format!("roles.{role}"),
        };
        bail!(
            "the seat `{seat}` is a person's in a browser, and no web server runs here: let the person play at the \
             terminal by `--set {table}.at=terminal`, or seat somebody else there"
        );
    }
    Ok(())
}

/// Refuses a plan that clients are to play, for a command that lets none in.
pub(crate) fn refuse_remote(plan: &Plan) -> anyhow::Result<()> {
    if let Some(seat) = plan.seat_of(REMOTE) {
        bail!(
            "the seat `{seat}` is played by clients, and none can come in here: let them in by `rolecall serve \
             env CONFIG --seat {seat}`, or seat somebody else there (`rolecall list`)"
        );
    }
    Ok(())
}

/// The settings that seat a person: in every cell, or in one that says itself who sits there.
pub(crate) fn person(cell: Option<&str>, seat: &str, at: &str) -> [String; 2] {
    let (table, key) = match seat {
        "user" => ("user".to_owned(), "kind"),
        role => (format!("roles.{role}"), "implementation"),
    };
    let table = cell.map_or_else(|| table.clone(), |cell| format!("cells.{cell}.{table}"));
    [format!("{table}.{key}={HUMAN}"), format!("{table}.at={at}")]
}

/// The cells in which the seat is not a person's, although it is there.
pub(crate) fn without_person<'a>(record: &'a Record, seat: &str) -> Vec<&'a str> {
    let lacks = |cell: &&CellRecord| match seat {
        "user" => cell.users.iter().any(|user| user.kind != HUMAN),
        role => cell.roles.iter().any(|seated| seated.role == role && seated.implementation != HUMAN),
    };
    record.cells.iter().filter(lacks).map(|cell| cell.name.as_str()).collect()
}
