//! `rolecall serve`: lets others look at runs, and play a seat of a config's cast.

pub(super) mod beside;
mod browser;
mod env;
mod mcp;
mod program;
mod queue;
mod seats;
mod serving;
mod web;

use std::process::ExitCode;

use clap::{Args, Subcommand};

pub(super) use program::OwnProgram;
pub(super) use web::{DoorArguments, stay};

use rolecall_run::registry::Registry;

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
