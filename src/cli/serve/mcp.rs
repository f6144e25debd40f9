//! `rolecall serve mcp`: tools by which a client of MCP plays episodes.

use std::io::{self, Read, Write};
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use tokio::sync::mpsc::{self, Sender};

use super::{Served, SessionArguments};
use crate::output;
use rolecall_core::domain::Seat;
use rolecall_doors::serve::{Listener, McpServer};
use rolecall_doors::wire::Lines;
use rolecall_run::registry::Registry;

/// Lines of the client that wait to be read.
const MOST_WAITING: usize = 64;

/// The arguments of `serve mcp`.
#[derive(Args, Debug)]
pub(crate) struct McpArguments {
    #[command(flatten)]
    sessions: SessionArguments,
    /// Serve over HTTP at this address; port 0 takes a free one. Default: the client is the program that started
    /// this one, over standard input and output
    #[arg(long, value_name = "HOST:PORT")]
    listen: Option<String>,
}

/// Serves until Ctrl-C or the end of standard input.
pub(crate) fn execute(arguments: &McpArguments, verbose: u8, registry: &Registry) -> anyhow::Result<ExitCode> {
    let options = &arguments.sessions;
    if options.seat.as_deref() == Some("user") {
        bail!("clients of MCP play a role; `rolecall serve env` lets clients play the user");
    }
    let Some(address) = &arguments.listen else {
        if options.token_file.is_some() {
            bail!("`--token-file` is for `--listen`: over standard input nobody else can ask");
        }
        let served = options.run(registry)?;
        let server = server(&served, options, registry)?;
        std::thread::spawn({
            let closing = served.closing.clone();
            move || {
                answer(&server);
                closing.token.cancel();
            }
        });
        return options.play_silently(served, verbose);
    };
    let listener = Listener::bind(address, options.token_file.as_deref())?;
    let (address, token) = (listener.address(), listener.needs_token());
    let served = options.run(registry)?;
    let routes = server(&served, options, registry)?.routes();
    let serving = listener.serve(routes, served.closing.clone())?;
    let with = if token { "; every request carries the token" } else { "" };
    options.announce(&format!(
        "serving the seat {} at http://{address}/mcp (MCP{with}; stop with Ctrl-C)\n",
        served.sessions.seat()
    ))?;
    let played = options.play(served, verbose);
    // It ends by itself, and before long.
    let _ = serving.join();
    played
}

fn server(served: &Served, options: &SessionArguments, registry: &Registry) -> anyhow::Result<McpServer> {
    if *served.sessions.seat() == Seat::User {
        bail!("clients of MCP play a role; name one with `--seat`");
    }
    Ok(McpServer::new(served.sessions.clone(), registry, options.idle(), served.closing.token.clone()))
}

/// Answers standard input on standard output until there is no more.
fn answer(server: &McpServer) {
    let Ok(runtime) = output::runtime() else {
        return;
    };
    let (send, lines) = mpsc::channel(MOST_WAITING);
    // A thread that reads cannot be stopped; it ends with the process.
    std::thread::spawn(move || read(&send));
    runtime.block_on(server.answer_lines(lines, |line| {
        let mut to = io::stdout().lock();
        // A client that reads no more will close our input as well.
        let _ = to.write_all(line.as_bytes());
        let _ = to.write_all(b"\n");
        let _ = to.flush();
    }));
}

fn read(send: &Sender<Vec<u8>>) {
    let mut lines = Lines::default();
    let mut bytes = vec![0; 64 << 10];
    while let Ok(read @ 1..) = io::stdin().lock().read(&mut bytes) {
        lines.room().extend_from_slice(&bytes[..read]);
        loop {
            match lines.next_line() {
                Ok(Some(line)) => {
                    if send.blocking_send(line.to_owned()).is_err() {
                        return;
                    }
                }
                Ok(None) => break,
                Err(error) => {
                    output::remark(&format!("the client is not listened to any more: {error}"));
                    return;
                }
            }
        }
    }
    let _ = send.blocking_send(lines.rest().to_owned());
}
