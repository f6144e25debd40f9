//! `rolecall serve env`: an environment for trainers.

use std::process::ExitCode;

use clap::Args;

use super::serving::{Served, SessionArguments};
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
    let own = &arguments.sessions;
    let listener = Listener::bind(&arguments.listen, own.token_file.as_deref())?;
    let (address, token) = (listener.address(), listener.needs_token());
    let served = own.run(registry)?;
    let (sessions, closing) = (served.sessions.clone(), served.closing.clone());
    let idle = own.idle();
    // Its tools play a role.
    let mcp = (*sessions.seat() != Seat::User).then(|| {
        let stop = closing.token.clone();
        McpServer::new(sessions.clone(), registry, idle, stop).handler()
    });
    let routes = openenv::routes(sessions, registry, idle, closing.clone(), mcp);
    let serving = listener.serve(routes, closing)?;
    own.announce(&text(&address.to_string(), token, &served))?;
    let played = own.play(served, verbose);
    // It ends by itself, and before long.
    let _ = serving.join();
    played
}

/// How to connect.
fn text(address: &str, token: bool, served: &Served) -> String {
    let splits = served.sessions.splits().iter().map(|split| {
        let tasks = counted(split.tasks as u64, "task", "tasks");
        format!("  {} ({}, {tasks})\n", split.name, split.kind)
    });
    let splits: String = splits.collect();
    let with = match token {
        true => ", headers={\"Authorization\": \"Bearer ...\"}",
        false => "",
    };
    format!(
        "serving the seat {} at http://{address} (OpenEnv; stop with Ctrl-C)\n{splits}\
         in Python: GenericEnvClient(base_url=\"http://{address}\"{with}).sync()\n",
        served.sessions.seat()
    )
}
