//! `rolecall serve`: lets others look at runs, and play a seat of a config's cast.

pub(super) mod beside;
mod env;
mod mcp;
mod program;
mod queue;
mod web;

pub(super) use program::OwnProgram;
pub(super) use web::{DoorArguments, stay};

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::bail;
use clap::{Args, Subcommand};
use toml::Table;

use crate::beginning::begin;
use crate::config_arguments::{ConfigArguments, flag};
use crate::output;
use crate::playing::{Clients, PlayArguments, Playing};
use crate::progress::prepare;
use crate::runs::record_text;
use rolecall_core::log::{RunFolder, RunLog};
use rolecall_doors::serve::{Closing, Sessions};
use rolecall_run::config::{Resolved, load};
use rolecall_run::registry::{REMOTE, Registry};
use rolecall_run::runtime::open_files;

/// The arguments of `serve`.
#[derive(Args, Debug)]
pub(crate) struct ServeArguments {
    #[command(subcommand)]
    command: ServeCommand,
}

#[derive(Debug, Subcommand)]
enum ServeCommand {
    /// Look at runs in a browser, also while they go on
    #[command(after_help = include_str!("../help/serve-web.txt"))]
    Web(web::WebArguments),
    /// Be an environment for trainers: clients step through episodes over OpenEnv's wire
    #[command(after_help = include_str!("../help/serve-env.txt"))]
    Env(env::EnvArguments),
    /// Be a server of MCP: its tools begin episodes and play them
    #[command(after_help = include_str!("../help/serve-mcp.txt"))]
    Mcp(mcp::McpArguments),
    /// Hold queues of jobs for workers on many machines, by a server of NATS
    #[command(after_help = include_str!("../help/serve-queue.txt"))]
    Queue(queue::QueueArguments),
}

/// Does what the arguments of `serve` say.
pub(crate) fn execute(arguments: &ServeArguments, verbose: u8, registry: &Registry) -> anyhow::Result<ExitCode> {
    match &arguments.command {
        ServeCommand::Web(web) => web::execute(web, registry),
        ServeCommand::Env(env) => env::execute(env, verbose, registry),
        ServeCommand::Mcp(mcp) => mcp::execute(mcp, verbose, registry),
        ServeCommand::Queue(queue) => queue::execute(queue),
    }
}

/// How often a task can be played in one run of a server.
const REPEATS: i64 = 1_000_000;

/// The options of every server of episodes.
#[derive(Args, Debug)]
struct SessionArguments {
    #[command(flatten)]
    config: ConfigArguments,
    /// The seat that clients play: a role, or user; default: the one that the config calls remote, else executor
    #[arg(long, value_name = "SEAT")]
    seat: Option<String>,
    /// The file that holds the token which clients need; needed where other machines reach the address
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// Sessions that may be open at the same time
    #[arg(long, value_name = "N", default_value_t = 1024)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    max_sessions: u32,
    /// Seconds after which a session that does nothing is closed
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    idle: u32,
    /// Name of the run; its log goes to a folder of this name
    #[arg(long)]
    name: Option<String>,
    /// Folder under which the run's folder is made
    #[arg(long, value_name = "DIR")]
    logs: Option<String>,
    /// Threads that run actors; default: as many as there are cores
    #[arg(long, value_name = "N")]
    arbiters: Option<i64>,
    /// Offer only the first N tasks
    #[arg(long, value_name = "N")]
    limit: Option<i64>,
    /// The seed from which all others are derived
    #[arg(long, value_name = "N")]
    seed: Option<i64>,
    #[command(flatten)]
    play: PlayArguments,
}

impl SessionArguments {
    /// The time after which a session that does nothing is closed.
    fn idle(&self) -> Duration {
        Duration::from_secs(self.idle.into())
    }

    /// The config with a client in the seat.
    fn resolve(&self, seat: Option<&str>, registry: &Registry) -> anyhow::Result<Resolved> {
        let flags = [
            flag("--name", "name", self.name.as_deref()),
            flag("--logs", "run.logs", self.logs.as_deref()),
            flag("--max-sessions", "run.concurrency", Some(i64::from(self.max_sessions))),
            flag("--arbiters", "run.arbiters", self.arbiters),
            flag("--limit", "tasks.limit", self.limit),
            flag("--seed", "seed", self.seed),
            flag("serve", "repeats", Some(REPEATS)),
        ];
        let mut request = self.config.request(flags)?;
        request.sets.extend(seat.map(|seat| match seat {
            "user" => format!("user.kind={REMOTE}"),
            role => format!("roles.{role}.implementation={REMOTE}"),
        }));
        Ok(load(&request, registry.clone())?)
    }

    /// The run that clients play: resolved, and ready to begin.
    fn run(&self, registry: &Registry) -> anyhow::Result<Served> {
        let mut resolved = match self.seat.as_deref() {
            None => match self.resolve(None, registry) {
                Ok(resolved) if resolved.plan.seat_of(REMOTE).is_some() => resolved,
                _ => self.resolve(Some("executor"), registry)?,
            },
            seat => self.resolve(seat, registry)?,
        };
        let Some(seat) = resolved.plan.seat_of(REMOTE) else {
            bail!(
                "no cell of the config has the seat `{}`: `rolecall check` says who sits where",
                self.seat.as_deref().unwrap_or("executor")
            );
        };
        resolved.pin()?;
        resolved.plan.check_keys()?;
        open_files::prepare_for(&resolved.plan, u64::from(self.max_sessions))?;
        prepare(&resolved.plan, self.play.quiet)?;
        let writer = begin(&mut resolved, self.name.is_some())?;
        let (sessions, plan, orders) = Sessions::new(resolved.plan, &resolved.record, seat);
        let closing = Closing::default();
        let clients = Some(Clients { orders, closing: closing.token.clone() });
        let playing = Playing { clients, ..Playing::new(plan, writer, registry) };
        Ok(Served { sessions, closing, playing })
    }

    /// Says how to connect, on standard output unless that is for the results as JSON.
    fn announce(&self, text: &str) -> anyhow::Result<()> {
        if self.play.json {
            output::remark(text.trim_end());
            return Ok(());
        }
        output::emit(text)
    }

    /// Plays until the server is told to stop, and prints the results.
    fn play(&self, served: Served, verbose: u8) -> anyhow::Result<ExitCode> {
        let folder = served.playing.writer.folder().to_owned();
        let code = served.until_stopped()?.play(&self.play, verbose)?;
        count_episodes(&folder)?;
        Ok(code)
    }

    /// Plays until the server is told to stop, without a word on standard output.
    fn play_silently(&self, served: Served, verbose: u8) -> anyhow::Result<ExitCode> {
        let over = served.until_stopped()?.through(true, verbose)?;
        let folder = over.folder.clone();
        over.finish(!self.play.no_report)?;
        count_episodes(&folder)?;
        output::remark(&format!("log: {}", output::shown(&folder)));
        Ok(ExitCode::SUCCESS)
    }
}

/// Says in the run's record how many episodes clients have played: until now nobody knew.
fn count_episodes(folder: &Path) -> anyhow::Result<()> {
    let run = RunFolder::lock(folder)?;
    let played = RunLog::open(folder)?.ids().count() as i64;
    let mut record: Table = record_text(folder)?.parse()?;
    record.insert("episodes".to_owned(), played.into());
    Ok(run.replace_record(&toml::to_string(&record)?)?)
}

/// A run that clients play.
struct Served {
    /// Their sessions.
    sessions: Sessions,
    /// Struck when the server stops.
    closing: Closing,
    playing: Playing,
}

impl Served {
    /// The run, whose sessions end when the server is told to stop.
    fn until_stopped(self) -> anyhow::Result<Playing> {
        let Self { sessions, closing, playing } = self;
        let runtime = output::runtime()?;
        std::thread::spawn(move || {
            runtime.block_on(closing.token.cancelled());
            sessions.close();
        });
        Ok(playing)
    }
}
