//! `rolecall new KIND NAME`: puts the first version of a role, a user, an environment, a strategy or
//! a metric into a checkout of rolecall, or of one in Python into any folder. It plays at once; the guides in
//! `docs` explain it.

mod change;
mod checkout;
mod name;
mod part;
mod python;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};

use self::change::{Change, apply};
use self::checkout::Checkout;
use self::name::Name;
use self::part::PartKind;
use super::output::{harmless, remark, succeed};
use crate::ports::Entry;
use crate::registry::Registry;
use crate::text::counted;

/// The arguments of `new`.
#[derive(Args, Debug)]
pub(crate) struct NewArguments {
    /// What to add
    kind: PartName,
    /// Its name in configs, for instance my-role
    name: String,
    /// The environment that it is only for; it goes into the folder of that one
    #[arg(long, value_name = "WORLD", conflicts_with = "python")]
    environment: Option<String>,
    /// Write it in Python, with a config and a test: needs no checkout
    #[arg(long)]
    python: bool,
    /// A folder in the checkout of rolecall (any folder with --python); the working folder if nothing is said
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Show what would be written, and write nothing
    #[arg(long)]
    dry_run: bool,
}

/// The kinds of parts that can be added.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum PartName {
    /// Somebody who thinks, acts and asks
    Role,
    /// Somebody who answers
    User,
    /// A world with its tasks
    Environment,
    /// The order in which a cast works
    Strategy,
    /// A figure of an episode
    Metric,
}

/// Writes the files and lines, or shows them.
pub(crate) fn execute(arguments: &NewArguments) -> anyhow::Result<ExitCode> {
    let working = std::env::current_dir().context("the working folder cannot be found")?;
    let start = arguments.dir.as_deref();
    let start = start.map_or_else(|| working.clone(), |dir| working.join(dir));
    let name = || Name::new(&arguments.name);
    let (root, changes, commands, guide) = if arguments.python {
        let name = name()?;
        let changes = python::changes(&start, arguments.kind, &name)?;
        (start, changes, python::commands(&name), "docs/python.md")
    } else {
        let Checkout { root, version } = checkout::find(&start)?;
        let (part, name) = (PartKind::of(arguments.kind), name()?);
        let changes = rust_changes(arguments, part, &root, &name)?;
        warn_of_other_version(&version);
        (root, changes, part.commands(&name), part.guide)
    };
    let lines = changes.iter();
    let lines = lines.map(|change| change_line(change, arguments.dry_run));
    let mut text: String = lines.collect();
    if arguments.dry_run {
        text.push_str("\nnothing was written (--dry-run)\n");
    } else {
        apply(&root, &changes)?;
        let place = match root == working {
            true => String::new(),
            false => format!(", in `{}`", harmless(&root.display().to_string())),
        };
        let commands = commands.join("\n  ");
        text.push_str(&format!("\nnext{place}:\n  {commands}\nand read {guide}\n"));
    }
    succeed(&text)
}

/// The changes to a checkout; refused if the name cannot be used.
fn rust_changes(arguments: &NewArguments, part: &PartKind, root: &Path, name: &Name) -> anyhow::Result<Vec<Change>> {
    if taken(arguments.kind, name) {
        bail!("`{}` is taken: `rolecall list` names what there is", name.text);
    }
    let place = part.destination(root, arguments.environment.as_deref())?;
    if place.mentions(name) {
        let word = &name.type_name;
        bail!("`{}` cannot be the name: the file that is written uses `{word}` already", name.text);
    }
    part.changes(root, name, &place)
}

fn warn_of_other_version(version: &str) {
    let own = env!("CARGO_PKG_VERSION");
    if !version.starts_with(own) {
        remark(&format!(
            "note: the checkout is version {version} and this program {own}; what it writes may not \
             fit there: `cargo run --profile quick -- new ...` in the checkout does"
        ));
    }
}

/// Whether this program knows an entry of the name.
fn taken(kind: PartName, name: &Name) -> bool {
    fn has<E: Entry>(entries: &[&E], name: &str) -> bool {
        entries.iter().any(|entry| entry.name() == name)
    }
    let registry = Registry::standard();
    match kind {
        PartName::Role => has(&registry.roles, &name.text),
        PartName::User => has(&registry.users, &name.text),
        PartName::Environment => has(&registry.environments, &name.text),
        PartName::Strategy => has(&registry.strategies, &name.text),
        PartName::Metric => {
            let metrics = registry.measured();
            metrics.iter().any(|metric| metric.name() == name.module)
        }
    }
}

/// A change in words; with its text if nothing is written.
fn change_line(change: &Change, whole: bool) -> String {
    let lines = counted(change.added.lines().count() as u64, "line", "lines");
    let path = &change.path;
    let head = match change.after_line {
        None => format!("new file  {path} ({lines})\n"),
        Some(after) => format!("changed   {path} ({lines} after line {after})\n"),
    };
    if !whole {
        return head;
    }
    let added = change.added.lines().map(|line| format!("+{line}\n"));
    head + &added.collect::<String>()
}
