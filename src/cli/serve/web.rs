//! `rolecall serve web`: the runs of a folder in a browser.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use clap::Args;

use super::program::OwnProgram;
use crate::branch::{BranchArguments, begin_branch};
use crate::config_arguments::{person, without_person};
use crate::reload_plan::reload_plan;
use crate::runs::siblings;
use crate::{output, signals};
use rolecall_core::domain::EpisodeId;
use rolecall_doors::serve::web::{Site, SiteSettings, TakeSeat};
use rolecall_doors::serve::{Closing, ListenError, Listener, Lobby};
use rolecall_run::config::Absent;
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
    /// The address of the pages; default: reachable from this machine only; port 0 takes a free one
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:8600")]
    listen: String,
    /// The file that holds the token which browsers need; default: one is made
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
    stay(&closing, serving, || branches.iter().for_each(|branches| branches.wait()))
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

/// Where the people sit.
const WEB: &str = "web";

/// The branches of a folder of runs.
struct Branches {
    logs: PathBuf,
    lobby: Lobby,
    registry: Registry,
    playing: Mutex<Vec<JoinHandle<()>>>,
}

impl Branches {
    fn new(logs: PathBuf, lobby: Lobby, registry: &Registry) -> Self {
        Self { logs, lobby, registry: registry.clone(), playing: Mutex::default() }
    }

    /// Begins one, and gives its name.
    fn begin(&self, order: &TakeSeat) -> anyhow::Result<String> {
        let arguments = BranchArguments::read(self.line(order)?)?;
        let (playing, record, _) = begin_branch(&arguments, true, &self.registry)?;
        let playing = playing.in_lobby(&self.lobby, &record)?;
        let (_, name) = siblings(playing.writer.folder());
        let thread = std::thread::Builder::new().name("branch".to_owned());
        let branch = thread.spawn(move || {
            if let Err(error) = playing.through(true, 0).and_then(|over| over.finish(true)) {
                output::complain(&error);
            }
        })?;
        self.playing().push(branch);
        Ok(name)
    }

    /// The order as a command line.
    fn line(&self, order: &TakeSeat) -> anyhow::Result<Vec<OsString>> {
        let run = self.logs.join(&order.run);
        let cell = order.episode.parse::<EpisodeId>()?.cell;
        let everywhere = person(None, &order.seat, WEB).to_vec();
        let plan = reload_plan(&run, &everywhere, &[], Absent::Refused, &self.registry)?;
        let left = without_person(&plan.resolved.record, &order.seat);
        let sets = match left.contains(&cell.as_str()) {
            // The cell says itself who sits there.
            true => person(Some(cell.as_str()), &order.seat, WEB).to_vec(),
            false => everywhere,
        };
        let mut line = vec![run.into_os_string(), order.episode.clone().into()];
        line.extend(["--at".into(), order.at.to_string().into()]);
        for set in sets {
            line.extend(["--set".into(), set.into()]);
        }
        line.extend(["--quiet".into(), "--logs".into(), self.logs.clone().into_os_string()]);
        Ok(line)
    }

    /// Waits until all have ended, which a signal has told them to.
    fn wait(&self) {
        for branch in std::mem::take(&mut *self.playing()) {
            // What went wrong in one was said there.
            let _ = branch.join();
        }
    }

    fn playing(&self) -> std::sync::MutexGuard<'_, Vec<JoinHandle<()>>> {
        self.playing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
