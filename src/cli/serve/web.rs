//! `rolecall serve web`: the runs of a folder in a browser.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread::JoinHandle;

use clap::Args;

use super::program::OwnProgram;
use super::seats::Branches;
use crate::{output, signals};
use rolecall_doors::serve::web::{Site, SiteSettings};
use rolecall_doors::serve::{Closing, ListenError, Listener, Lobby};
use rolecall_run::registry::Registry;

/// The arguments of `serve web`.
#[derive(Args, Debug)]
pub(crate) struct WebArguments {
    /// The folder of the runs
    #[arg(default_value = "logs")]
    logs: PathBuf,
    #[command(flatten)]
    door: DoorArguments,
    /// Let whoever has the token take seats of recorded episodes: each is a branch, a new run
    #[arg(long)]
    play: bool,
}

/// Where pages are served.
#[derive(Args, Debug)]
pub(crate) struct DoorArguments {
    /// The address of the pages: this machine only, unless it is another one's to reach; port 0 takes a free one
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:8600")]
    listen: String,
    /// The file that holds the token which browsers need; one is made if nothing is said
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
}

impl DoorArguments {
    /// Takes the address.
    pub(crate) fn bind(&self) -> Result<Listener, ListenError> {
        Listener::bind(&self.listen, self.token_file.as_deref())
    }
}

/// Serves until Ctrl-C.
pub(crate) fn execute(arguments: &WebArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    let listener = arguments.door.bind()?;
    let lobby = arguments.play.then(Lobby::default);
    let branches = lobby.clone().map(|lobby| Branches::new(arguments.logs.clone(), lobby, registry)).map(Arc::new);
    let mut program = OwnProgram::new(registry);
    if let Some(branches) = branches.clone() {
        program = program.playing(Box::new(move |order| branches.begin(order)));
    }
    let settings =
        SiteSettings { logs: arguments.logs.clone(), program: Arc::new(program), lobby, registry: registry.clone() };
    let closing = Closing::default();
    let site = Site::new(listener, settings, closing.clone())?;
    let link = site.link("/");
    let serving = site.serve()?;
    output::emit(&format!("look at the runs at {link} (stop with Ctrl-C)\n"))?;
    stay(&closing, serving, || {
        branches.iter().for_each(|branches| branches.wait());
    })
}

/// Serves on until Ctrl-C, and until what was begun has ended.
pub(crate) fn stay(closing: &Closing, serving: JoinHandle<()>, wait: impl FnOnce()) -> anyhow::Result<ExitCode> {
    output::runtime()?.block_on(signals::interrupted());
    wait();
    closing.token.cancel();
    // It ends by itself, and before long.
    let _ = serving.join();
    Ok(ExitCode::SUCCESS)
}
