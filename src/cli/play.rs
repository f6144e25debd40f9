//! `rolecall play`: a person takes a seat of a config's cast.

use std::collections::BTreeSet;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;

use super::config_arguments::{ConfigArguments, flag, person, refuse_absent, without_person};
use super::output;
use super::playing::PlayArguments;
use super::run::begin_here;
use super::serve::beside::{ANYWHERE, Beside};
use rolecall_run::config::{Plan, Request, Resolved, load};
use rolecall_run::registry::Registry;

/// The config that is played where none is named: its executor is the model that comes with the program.
const USUAL: &str = "play";

/// The arguments of `play`.
#[derive(Args, Debug)]
#[command(mut_arg("config", |config| config.required(false).default_value(USUAL)))]
pub(crate) struct SeatArguments {
    #[command(flatten)]
    config: ConfigArguments,
    /// The seat that you take: user, or a role such as executor
    #[arg(long, value_name = "SEAT", default_value = "user")]
    seat: String,
    /// Begin with this task, by its number from 0
    #[arg(long, value_name = "N")]
    task: Option<i64>,
    /// Play so many tasks, one after the other; in each cell of the config
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(i64).range(1..))]
    limit: i64,
    /// Name of the run; its log goes to a folder of this name
    #[arg(long)]
    name: Option<String>,
    /// Folder under which the run's folder is made
    #[arg(long, value_name = "DIR")]
    logs: Option<String>,
    /// The seed from which all others are derived
    #[arg(long, value_name = "N")]
    seed: Option<i64>,
    /// Take the seat in a browser, at the address that is printed
    #[arg(long)]
    web: bool,
    /// People who play at the same time, each by an address of its own; none sees which run and cell it is
    #[arg(long, value_name = "N", requires = "web", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    people: u32,
    /// The address of the pages; default: a free port of this machine
    #[arg(long, value_name = "HOST:PORT", requires = "web", default_value = ANYWHERE)]
    listen: String,
    #[command(flatten)]
    play: PlayArguments,
}

impl SeatArguments {
    /// The request for the config as it is, but for what is played of it.
    fn request(&self) -> anyhow::Result<Request> {
        let flags = [
            flag("--name", "name", self.name.as_deref()),
            flag("--logs", "run.logs", self.logs.as_deref()),
            flag("--task", "tasks.offset", self.task),
            flag("--limit", "tasks.limit", Some(self.limit)),
            flag("--seed", "seed", self.seed),
            flag("play", "repeats", Some(1)),
            // Everybody plays one episode after the other.
            flag("play", "run.concurrency", Some(i64::from(self.people))),
        ];
        self.config.request(flags)
    }

    /// The config with a person in the seat.
    fn resolve(&self, registry: &Registry) -> anyhow::Result<Resolved> {
        let mut request = self.request()?;
        if let Ok(plain) = load(&request, registry.clone()) {
            check_seat(&self.seat, &plain.plan)?;
        }
        let at = if self.web { "web" } else { "terminal" };
        request.sets.extend(person(None, &self.seat, at));
        let resolved = load(&request, registry.clone())?;
        let left = without_person(&resolved.record, &self.seat);
        if left.is_empty() {
            return Ok(resolved);
        }
        // These cells say themselves who sits there.
        request.sets.extend(left.into_iter().flat_map(|cell| person(Some(cell), &self.seat, at)));
        Ok(load(&request, registry.clone())?)
    }
}

/// Plays.
pub(crate) fn execute(arguments: &SeatArguments, verbose: u8, registry: &Registry) -> anyhow::Result<ExitCode> {
    let mut resolved = arguments.resolve(registry)?;
    refuse_absent(&resolved, arguments.web)?;
    check_seat(&arguments.seat, &resolved.plan)?;
    resolved.pin()?;
    let episodes = resolved.plan.planned();
    if episodes > 1 && !arguments.play.quiet {
        output::remark(&format!("you play {episodes} episodes, one after the other"));
    }
    let (record, play) = (resolved.record.clone(), &arguments.play);
    let playing = begin_here(resolved, arguments.name.is_some(), play.quiet, registry)?;
    if !arguments.web {
        return playing.play(play, verbose);
    }
    Beside::with_people(&arguments.listen, playing, &record, arguments.people as usize, play, verbose)
}

/// Refuses a seat that no cell has.
fn check_seat(seat: &str, plan: &Plan) -> anyhow::Result<()> {
    let mut seats: BTreeSet<&str> =
        plan.cells.iter().flat_map(|cell| &cell.roles).map(|role| role.role.as_str()).collect();
    if plan.cells.iter().any(|cell| !cell.users.is_empty()) {
        seats.insert("user");
    }
    if !seats.contains(seat) {
        let known: Vec<&str> = seats.into_iter().collect();
        bail!("no cell of the config has the seat `{}`{}", seat.escape_debug(), output::instead(seat, &known));
    }
    Ok(())
}
