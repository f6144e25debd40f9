//! `rolecall serve env`: an environment for trainers.

use std::process::ExitCode;

use clap::Args;

use super::{Served, SessionArguments};
use rolecall_core::domain::Seat;
use rolecall_core::text::counted;
use rolecall_doors::serve::{Listener, McpServer, openenv};
use rolecall_run::registry::Registry;

/// The arguments of `serve env`.
#[derive(Args, Debug)]
pub(crate) struct EnvArguments {
    #[command(flatten)]
    sessions: SessionArguments,
    /// The address: this machine only, unless it is another one's to reach; port 0 takes a free one
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:8000")]
    listen: String,
}

/// Serves until Ctrl-C, then prints the results of what was played.
pub(crate) fn execute(arguments: &EnvArguments, verbose: u8, registry: &Registry) -> anyhow::Result<ExitCode> {
    let options = &arguments.sessions;
    let listener = Listener::bind(&arguments.listen, options.token_file.as_deref())?;
    let (address, token) = (listener.address(), listener.needs_token());
    let served = options.run(registry)?;
    let (sessions, closing, idle) = (served.sessions.clone(), served.closing.clone(), options.idle());
    // Its tools play a role.
    let mcp = (*sessions.seat() != Seat::User)
        .then(|| McpServer::new(sessions.clone(), registry, idle, closing.token.clone()).handler());
    let routes = openenv::routes(sessions, registry, idle, closing.clone(), mcp);
    let serving = listener.serve(routes, closing)?;
    options.announce(&text(&address.to_string(), token, &served))?;
    let played = options.play(served, verbose);
    // It ends by itself, and before long.
    let _ = serving.join();
    played
}

/// How to connect.
fn text(address: &str, token: bool, served: &Served) -> String {
    let splits =
        served.sessions.splits().iter().map(|split| {
            format!("  {} ({}, {})\n", split.name, split.kind, counted(split.tasks as u64, "task", "tasks"))
        });
    let splits: String = splits.collect();
    let with = if token { ", headers={\"Authorization\": \"Bearer ...\"}" } else { "" };
    format!(
        "serving the seat {} at http://{address} (OpenEnv; stop with Ctrl-C)\n{splits}\
         in Python: GenericEnvClient(base_url=\"http://{address}\"{with}).sync()\n",
        served.sessions.seat()
    )
}
