//! `rolecall new KIND NAME`: puts the first version of a role, a user, an environment, a strategy or a metric into a
//! checkout of rolecall or a package with a world of its own, writes such a package, or a part in Python into any
//! folder. It plays at once; the guides in `docs` explain it.

mod change;
mod checkout;
mod environment;
mod name;
mod part;
mod python;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};

use self::change::{Change, apply};
use self::name::Name;
use self::part::PartKind;
use super::output::{harmless, remark, succeed};
use rolecall_core::ports::Entry;
use rolecall_core::text::counted;
use rolecall_run::registry::Registry;

/// The arguments of `new`.
#[derive(Args, Debug)]
pub(crate) struct NewArguments {
    /// Part to add
    kind: PartName,
    /// Its name in configs, for instance my-role
    name: String,
    /// The environment that it is only for; it goes into the folder of that one
    #[arg(long, value_name = "WORLD", conflicts_with = "python")]
    environment: Option<String>,
    /// Write it in Python, with a config and a test: needs no checkout
    #[arg(long)]
    python: bool,
    /// Write an environment as a package of its own, with every command: needs no checkout
    #[arg(long = "crate", conflicts_with_all = ["environment", "python"])]
    package: bool,
    /// The rolecall that the package depends on: a checkout, an address of Git or a version [default: this version]
    #[arg(long, value_name = "PATH|GIT|VERSION", requires = "package")]
    rolecall: Option<String>,
    /// A folder in a checkout of rolecall or in such a package (any folder with --python or --crate) [default: the
    /// working folder]
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
pub(crate) fn execute(arguments: &NewArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    let working = std::env::current_dir().context("the working folder cannot be found")?;
    let written = Written::of(arguments, working.join(arguments.dir.as_deref().unwrap_or("".as_ref())), registry)?;
    let mut text: String = written.changes.iter().map(|change| change_line(change, arguments.dry_run)).collect();
    if arguments.dry_run {
        text.push_str("\nnothing was written (--dry-run)\n");
    } else {
        apply(&written.root, &written.changes)?;
        let place = match written.root == working {
            true => String::new(),
            false => format!(", in `{}`", harmless(&written.root.display().to_string())),
        };
        let commands = written.commands.join("\n  ");
        text.push_str(&format!("\nnext{place}:\n  {commands}\nand read {}\n{}", written.guide, written.otherwise));
    }
    succeed(&text)
}

/// A first version, before it is on disk.
struct Written {
    /// The folder from which the paths of the changes start.
    root: PathBuf,
    changes: Vec<Change>,
    /// The commands to give next, in the root.
    commands: Vec<String>,
    /// The page that explains it.
    guide: &'static str,
    /// Advice for where the commands fail.
    otherwise: String,
}

impl Written {
    /// The first version that is asked for; refused if the name cannot be used.
    fn of(arguments: &NewArguments, start: PathBuf, registry: &Registry) -> anyhow::Result<Self> {
        let (name, kind) = (Name::new(&arguments.name)?, arguments.kind);
        if arguments.python {
            let (changes, commands) = (python::changes(&start, kind, &name)?, python::commands(&name));
            let (guide, otherwise) = ("docs/python.md", String::new());
            return Ok(Self { root: start, changes, commands, guide, otherwise });
        }
        if taken(kind, &name, registry) {
            bail!("`{}` is taken: `rolecall list` names what there is", name.text);
        }
        if arguments.package {
            if !matches!(kind, PartName::Environment) {
                bail!("--crate is for environments; in the package, `new` without it adds parts");
            }
            let (changes, commands, otherwise) = environment::package(&start, &name, arguments.rolecall.as_deref())?;
            return Ok(Self { root: start, changes, commands, guide: environment::GUIDE, otherwise });
        }
        let checkout = checkout::find(&start)?;
        let world = arguments.environment.as_deref();
        let ((changes, commands), guide) = match (PartKind::of(kind), world) {
            (Some(part), _) => {
                let destination = part.destination(&checkout, world, registry)?;
                (part.changes(&checkout, &name, &destination, registry)?, part.guide)
            }
            (None, None) => (environment::in_checkout(&checkout, &name)?, environment::GUIDE),
            (None, Some(_)) => bail!("an environment is in no other one: leave --environment out"),
        };
        warn_of_other_version(&checkout.version);
        Ok(Self { root: checkout.root, changes, commands, guide, otherwise: String::new() })
    }
}

fn warn_of_other_version(version: &str) {
    let this = env!("CARGO_PKG_VERSION");
    if !version.starts_with(this) {
        remark(&format!(
            "note: the checkout is version {version} and this program {this}; what it writes may not \
             fit there: `cargo run --profile quick -- new ...` in the checkout does"
        ));
    }
}

/// Whether this program knows an entry of the name.
fn taken(kind: PartName, name: &Name, registry: &Registry) -> bool {
    fn has<E: Entry>(entries: &[&E], name: &str) -> bool {
        entries.iter().any(|entry| entry.name() == name)
    }
    match kind {
        PartName::Role => has(&registry.roles, &name.text),
        PartName::User => has(&registry.users, &name.text),
        PartName::Environment => has(&registry.environments, &name.text),
        PartName::Strategy => has(&registry.strategies, &name.text),
        PartName::Metric => registry.measured().iter().any(|metric| metric.name() == name.module),
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
