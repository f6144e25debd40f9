//! Playing episodes into the folder of a run and printing their results, for every command that plays.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::progress::Progress;
use super::queue::{self, Followed, Queued, asks_a_person};
use super::runs::siblings;
use super::{diagnostics, output, report, runs, signals};
use rolecall_core::domain::CellName;
use rolecall_core::evaluation::{EpisodeResult, Standing};
use rolecall_core::log::{LogError, LogWriter, RunLog, RunRecord, read_timings};
use rolecall_core::reports;
use rolecall_core::text::shell_path;
use rolecall_doors::serve::Lobby;
use rolecall_run::config::{Plan, Record};
use rolecall_run::registry::Registry;
use rolecall_run::runtime::{EpisodeOrder, Launch, Launched, Orders, ResumeState};

/// The time for which live episodes are waited for after a signal where somebody starts the run again later:
/// schedulers kill what goes on for a minute.
pub(crate) const PATIENCE: Duration = Duration::from_secs(45);

/// The options for the output of a command that plays.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct PlayArguments {
    /// Print the results as one JSON object on standard output
    #[arg(long)]
    pub(crate) json: bool,
    /// Write no report.md and report.html into the run's folder
    #[arg(long)]
    pub(crate) no_report: bool,
    /// Print nothing while the run goes on
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// The plan of a run with its log.
pub(crate) struct Playing {
    /// The plan.
    pub(crate) plan: Arc<Plan>,
    /// The run's log.
    pub(crate) writer: LogWriter,
    /// The episodes that need not be played, or not from the beginning.
    pub(crate) resume_state: ResumeState,
    /// The results of the episodes that an earlier process closed. They are told with the others.
    pub(crate) earlier: Vec<EpisodeResult>,
    /// Workers on other machines play it.
    pub(crate) queued: Option<Queued>,
    /// The clients who say what is played, if somebody lets them in.
    pub(crate) clients: Option<Clients>,
    /// Whoever ends it by a signal starts it again later: that is no failure, and must not take long.
    pub(crate) requeued: bool,
    /// Where people wait who play in a browser, and the name of the run there.
    pub(crate) lobby: Option<(Lobby, String)>,
    /// The tables by which it is measured and reported.
    pub(crate) registry: Registry,
}

/// Clients who play seats of a run.
pub(crate) struct Clients {
    /// The episodes that they ask for.
    pub(crate) orders: mpsc::Receiver<EpisodeOrder>,
    /// Struck by the first signal: no more clients are to be let in.
    pub(crate) closing: CancellationToken,
}

impl Playing {
    /// A run that begins.
    pub(crate) fn new(plan: impl Into<Arc<Plan>>, writer: LogWriter, registry: &Registry) -> Self {
        Self {
            plan: plan.into(),
            writer,
            resume_state: ResumeState::default(),
            earlier: Vec::new(),
            queued: None,
            clients: None,
            requeued: false,
            lobby: None,
            registry: registry.clone(),
        }
    }

    /// Seats the people who play in a browser in a lobby.
    pub(crate) fn in_lobby(mut self, lobby: &Lobby, record: &Record) -> anyhow::Result<Self> {
        let (_, name) = siblings(self.writer.folder());
        lobby.seat_all(Arc::make_mut(&mut self.plan), record, &name, &self.registry)?;
        self.lobby = Some((lobby.clone(), name));
        Ok(self)
    }

    /// Plays everything, with progress on standard error; prints the results, writes the reports
    /// and decides on the exit code.
    pub(crate) fn play(self, arguments: &PlayArguments, verbose: u8) -> anyhow::Result<ExitCode> {
        let over = self.through(arguments.quiet, verbose)?;
        let code = over.tell(arguments)?;
        let page = over.finish(!arguments.no_report)?;
        if let Some(page) = page.filter(|_| !arguments.json) {
            output::emit(&format!("report: {}\n", output::shown(&page)))?;
        }
        Ok(code)
    }

    /// Plans everything for workers, and says how to follow.
    pub(crate) fn detach(self, verbose: u8) -> anyhow::Result<ExitCode> {
        let over = self.through(true, verbose)?;
        over.written.clone()?;
        let folder = shell_path(&over.folder);
        output::emit(&format!("planned: {folder}\nfollow it: rolecall resume {folder}\n"))?;
        Ok(ExitCode::SUCCESS)
    }

    /// Plays everything, with progress on standard error, and prints nothing else.
    pub(crate) fn through(self, quiet: bool, verbose: u8) -> anyhow::Result<Over> {
        let (plan, writer) = (self.plan, self.writer);
        let folder = writer.folder().to_owned();
        diagnostics::start_in(&folder, verbose);
        let mut launch = Launch::new(Arc::clone(&plan), &writer, self.registry.measured());
        launch.resume_state = self.resume_state;
        let stop = launch.stop.clone();
        let mut first = stop.clone();
        if let Some(clients) = self.clients {
            launch.orders = Some(Orders::Clients(clients.orders));
            first = clients.closing;
        }
        let episodes = launch.planned();
        tracing::info!(run = %output::shown(&folder), episodes, "run begins");
        signals::listen(first, writer.handle(), self.requeued.then_some(PATIENCE));
        let asks = asks_a_person(&plan);
        // A bar would be drawn over the question that somebody is about to answer.
        let mut progress = Progress::new(episodes, plan.models.clone(), &self.registry, quiet || asks, !quiet);
        progress.tell_lobby(self.lobby);
        progress.tell_endings(asks && !quiet);
        let played = match self.queued {
            None => launch
                .run(&mut progress)
                .map_err(anyhow::Error::from)
                .map(|launched| Followed { launched, workers: Vec::new() }),
            Some(queued) => queue::follow(&plan, &writer, queued, &launch.resume_state, &stop, &mut progress),
        };
        progress.finish();
        let written = writer.close().map(drop);
        let Followed { launched, workers } = played?;
        queue::record(&folder, &workers)?;
        tracing::info!(episodes = launched.results.len(), events = launched.events, "run ends");
        let mut all = self.earlier;
        // A run may have very many results: they are copied only where there are others.
        if !all.is_empty() {
            all.extend(launched.results.iter().cloned());
        }
        Ok(Over {
            plan,
            folder,
            launched,
            all,
            stopped: stop.is_cancelled(),
            requeued: self.requeued,
            written,
            registry: self.registry,
        })
    }
}

/// A run whose episodes are played.
pub(crate) struct Over {
    plan: Arc<Plan>,
    /// The run's folder.
    pub(crate) folder: PathBuf,
    launched: Launched,
    /// Its results together with those of an earlier process; empty without such.
    all: Vec<EpisodeResult>,
    stopped: bool,
    requeued: bool,
    written: Result<(), LogError>,
    registry: Registry,
}

impl Over {
    /// All results of the run.
    pub(crate) fn results(&self) -> &[EpisodeResult] {
        if self.all.is_empty() { &self.launched.results } else { &self.all }
    }

    /// Prints the result and decides on the exit code.
    fn tell(&self, arguments: &PlayArguments) -> anyhow::Result<ExitCode> {
        let cells: Vec<CellName> = self.plan.cells.iter().map(|cell| cell.name.clone()).collect();
        let mut summary = report::summary(self.results(), &cells, None, &self.registry);
        if self.plan.models.iter().next().is_some() {
            let currency = RunRecord::read(&self.folder)?.currency;
            summary.models.explain(currency, &read_timings(&self.folder), &cells);
        }
        if arguments.json {
            output::emit_json(reports::json::object(&self.folder.display().to_string(), &summary))?;
        } else {
            let (folder, pasted) = (output::shown(&self.folder), shell_path(&self.folder));
            let mut text = reports::summary(&summary, &output::layout());
            text += &why_broken(self.results(), &cells, &pasted);
            text += &format!("\nlog: {folder} (look into it: rolecall show {pasted})\n");
            output::emit(&text)?;
        }
        let unfinished = self.note_what_is_left("rolecall resume");
        if self.requeued && self.stopped && self.launched.lost.is_empty() {
            return Ok(ExitCode::SUCCESS);
        }
        output::exit_code(summary.total.episodes > summary.total.counted || unfinished)
    }

    /// Whether it was stopped, or has episodes that were not begun or not ended.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.stopped || self.launched.results.len() < self.launched.planned || self.has_open()
    }

    fn has_open(&self) -> bool {
        self.launched.results.iter().any(|result| result.standing() == Standing::Unfinished)
    }

    /// Says on standard error why the run ended early, if it did, and how to go on with it by a
    /// command; returns whether episodes were not begun or the run was stopped.
    pub(crate) fn note_what_is_left(&self, command: &str) -> bool {
        for (model, why) in &self.launched.lost {
            output::remark(&format!("the run ends early because of the model `{model}`: {why}"));
        }
        let (begun, planned) = (self.launched.results.len(), self.launched.planned);
        if self.stopped {
            output::remark(&format!("the run was stopped: {begun} of {planned} episodes were begun"));
        }
        // Where clients say what is played, nothing was planned.
        let left = planned.saturating_sub(begun);
        if left > 0 || self.has_open() {
            output::remark(&format!("go on with it: {command} {}", shell_path(&self.folder)));
        }
        left > 0 || self.stopped
    }

    /// Makes sure of the log, and writes its index and, if they are wanted, the reports. Gives the
    /// path of the page.
    pub(crate) fn finish(self, reported: bool) -> anyhow::Result<Option<PathBuf>> {
        let folder = &self.folder;
        self.written.clone().with_context(|| format!("the log of the run is incomplete: `{}`", folder.display()))?;
        if !reported {
            // The index takes as much as results do.
            drop((self.launched, self.all));
            runs::write_index(folder);
            return Ok(None);
        }
        // Last of all: nothing is lost if it fails.
        let run = RunLog::open(folder).map_err(anyhow::Error::from);
        if let Ok(run) = &run {
            // It only helps.
            let _ = run.write_index();
        }
        run.and_then(|run| report::write(&run, self.results(), &self.registry))
            .map(Some)
            .context("the results are in the log; `rolecall report RUN --write` writes their report again")
    }
}

/// The command that shows why the first episode broke; nothing if none did.
fn why_broken(results: &[EpisodeResult], cells: &[CellName], folder: &str) -> String {
    let broken = results.iter().filter(|result| result.standing() == Standing::Broken).map(|result| &result.episode);
    let first = broken.min_by_key(|id| (cells.iter().position(|cell| *cell == id.cell), *id));
    first.map_or_else(String::new, |id| format!("why the first of them broke: rolecall show {folder} {id}\n"))
}
