//! The progress of a run: a line on a terminal that is written again and again, one now and then
//! elsewhere. Whatever else takes long has a bar.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::output;
use super::progress_line::{ModelsState, RunState, left, rough};
use rolecall_core::evaluation::{EpisodeResult, Headlines, Standing};
use rolecall_core::log::RunLog;
use rolecall_core::ports::Models;
use rolecall_core::ports::model::ModelActivity;
use rolecall_core::text::{self, visible};
use rolecall_doors::serve::Lobby;
use rolecall_run::config::Plan;
use rolecall_run::registry::Registry;
use rolecall_run::runtime::{Blocked, Directory, ModelOutage, Moment, Observer};

/// The time between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// The columns of a terminal that does not say how wide it is.
const COLUMNS: usize = 80;

/// Fewer episodes are read before anybody would look at a bar.
const MANY: usize = 2_000;

/// Follows a run on standard error.
pub(crate) struct Progress {
    bar: ProgressBar,
    lines: bool,
    /// Pauses of models are told.
    notes: bool,
    models: Models,
    /// Models that do not answer at the moment, and since when.
    paused: BTreeMap<String, Moment>,
    planned: usize,
    began: Moment,
    last_look: Moment,
    /// Workers elsewhere and the episodes that they play, if they do.
    elsewhere: Option<(usize, usize)>,
    /// The time in which calls waited for a model.
    waited: Duration,
    last_line: Moment,
    closed: usize,
    counted: usize,
    withheld: usize,
    headlines: Headlines,
    registry: Registry,
    faults: u32,
    steps: u64,
    /// The ending of each episode is told: a person plays in it.
    endings: bool,
    /// Where people wait who play in a browser, and the name of the run there.
    lobby: Option<(Lobby, String)>,
}

impl Progress {
    /// Follows a run of `planned` episodes with these models and implementations; shows no progress if it is to be
    /// quiet, and tells of no pauses unless they are to be told.
    pub(crate) fn new(planned: usize, models: Models, registry: &Registry, quiet: bool, notes: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let bar = ProgressBar::with_draw_target(Some(planned as u64), target(quiet));
        if let Ok(style) = ProgressStyle::with_template("{msg}") {
            bar.set_style(style);
        }
        Self {
            bar,
            lines: !terminal && !quiet,
            notes,
            models,
            paused: BTreeMap::new(),
            planned,
            began: Moment::now(),
            last_look: Moment::now(),
            elsewhere: None,
            waited: Duration::ZERO,
            last_line: Moment::now(),
            closed: 0,
            counted: 0,
            withheld: 0,
            headlines: Headlines::default(),
            registry: registry.clone(),
            faults: 0,
            steps: 0,
            endings: false,
            lobby: None,
        }
    }

    /// Tells how each episode ends, for a person who plays in it.
    pub(crate) fn tell_endings(&mut self, endings: bool) {
        self.endings = endings;
    }

    /// Tells the people in a lobby how the episodes of a run end.
    pub(crate) fn tell_lobby(&mut self, lobby: Option<(Lobby, String)>) {
        self.lobby = lobby;
    }

    /// Notes how many workers play elsewhere, and how many episodes.
    pub(crate) fn elsewhere(&mut self, workers: usize, playing: usize) {
        self.elsewhere = Some((workers, playing));
    }

    /// Says something above the bar, unless nobody wants to hear it.
    pub(crate) fn remark(&self, text: &str) {
        if self.notes {
            self.bar.suspend(|| output::remark(text));
        }
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Says once that a model pauses, and once that it goes on.
    fn tell(&mut self, outages: &[ModelOutage]) {
        let goes_on = |name: &String| outages.iter().any(|(model, _)| model == name);
        let ended = self.paused.extract_if(.., |model, _| !goes_on(model)).map(|(model, since)| {
            let seconds = since.elapsed().as_secs_f64();
            format!("model `{model}`: the pause is over after {seconds:.1} s")
        });
        let mut notes: Vec<String> = ended.collect();
        for (model, why) in outages {
            if !self.paused.contains_key(model) {
                self.paused.insert(model.clone(), Moment::now());
                notes.push(format!("model `{model}` pauses: {why}"));
            }
        }
        for note in notes {
            self.remark(&note);
        }
    }

    fn state(&self, live: &Directory, outages: &[ModelOutage]) -> RunState {
        let elapsed = self.began.elapsed();
        let took = elapsed.saturating_sub(self.waited);
        RunState {
            closed: self.closed,
            planned: self.planned,
            headlines: self.headlines.estimates().collect(),
            live: self.elsewhere.map_or_else(|| live.len(), |(_, playing)| playing),
            workers: self.elsewhere.map(|(workers, _)| workers),
            faults: self.faults,
            broken: self.closed - self.counted,
            withheld: self.withheld,
            steps_per_second: self.steps as f64 / elapsed.as_secs_f64().max(1e-3),
            models: self.models_state(),
            elapsed,
            left: left(self.closed, self.planned, live.len(), took).filter(|_| outages.is_empty()),
            paused: outages.first().cloned(),
        }
    }

    fn models_state(&self) -> Option<ModelsState> {
        self.models.iter().next()?;
        let mut state = ModelsState::default();
        for model in self.models.iter() {
            let ModelActivity { in_flight, replies, tokens, retries } = model.activity();
            let sum = &mut state.activity;
            sum.in_flight += in_flight;
            sum.replies += replies;
            sum.tokens = sum.tokens.saturating_add(tokens);
            sum.retries += retries;
            if let Some(prices) = &model.profile().prices {
                let (spent, _) = state.spent.get_or_insert((0.0, prices.currency.clone()));
                *spent += model.spent();
            }
        }
        Some(state)
    }
}

/// Standard error if it is a terminal and nobody wants quiet.
fn target(quiet: bool) -> ProgressDrawTarget {
    match std::io::stderr().is_terminal() && !quiet {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    }
}

/// The columns of the terminal that standard error goes to; the last one stays free, since some terminals
/// begin a new line behind it.
fn columns() -> usize {
    let size = terminal_size::terminal_size_of(std::io::stderr());
    let columns = size.map_or(COLUMNS, |(width, _)| usize::from(width.0));
    columns.saturating_sub(1).max(1)
}

/// A bar that counts up to `most` of something on a terminal, with a message behind it; one that shows nothing if
/// it is to be quiet.
pub(crate) fn bar(most: usize, what: &str, quiet: bool) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(most as u64), target(quiet));
    let wide = if columns() >= COLUMNS { "{bar:20} " } else { "" };
    let template = format!("{wide}{{pos}}/{{len}} {what}{{left}}  {{wide_msg}}");
    let told_left = |state: &ProgressState, text: &mut dyn std::fmt::Write| {
        let (closed, of) = (state.pos() as usize, state.len().unwrap_or(0) as usize);
        if let Some(left) = left(closed, of, 0, state.elapsed()) {
            // What cannot be written is not shown.
            let _ = write!(text, "  about {} left", rough(left));
        }
    };
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style.with_key("left", told_left).progress_chars("=> "));
    }
    bar
}

/// A run's log with a bar on a terminal whenever many of its episodes are read.
pub(crate) fn watched(run: RunLog) -> RunLog {
    if !std::io::stderr().is_terminal() {
        return run;
    }
    let shown: Mutex<Option<ProgressBar>> = Mutex::default();
    run.watched(move |read, of| {
        if of < MANY {
            return;
        }
        let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
        let bar = shown.get_or_insert_with(|| bar(of, "episodes read", false));
        bar.set_position(read as u64);
        if read == of {
            bar.finish_and_clear();
            *shown = None;
        }
    })
}

/// Has the worlds of a plan load what they need, with a bar on a terminal. Nothing is begun yet, so that
/// Ctrl-C ends the program at once.
pub(crate) fn prepare(plan: &Plan, quiet: bool) -> anyhow::Result<()> {
    let loading = Loading(bar(0, "loaded", quiet));
    let prepared = plan.prepare(&loading);
    loading.0.finish_and_clear();
    Ok(prepared?)
}

/// The bar of data that is loaded.
struct Loading(ProgressBar);

impl rolecall_core::ports::Progress for Loading {
    fn loaded(&self, what: &str, pieces: u64, of: u64) {
        self.0.set_message(visible(what).into_owned());
        self.0.set_length(of);
        self.0.set_position(pieces);
    }

    fn remark(&self, text: &str) {
        self.0.suspend(|| output::remark(text));
    }
}

impl Observer for Progress {
    fn closed(&mut self, result: &EpisodeResult, _: &Directory) {
        if let Some((lobby, run)) = &self.lobby {
            lobby.ended(run, result);
        }
        self.closed += 1;
        self.counted += usize::from(result.standing() == Standing::Counted);
        self.withheld += usize::from(result.is_withheld());
        self.headlines.add(result, self.registry.measures(&result.kind));
        self.steps += u64::from(result.counts.steps);
        self.faults += result.counts.faults;
        let (episode, ending) = (&result.episode, result.ending_label());
        if self.endings {
            let steps = text::counted(result.counts.steps.into(), "step", "steps");
            self.remark(&format!("[{episode}] over: {ending}, reward {}, {steps}", result.reward));
        }
        if result.counts.faults > 0 {
            tracing::info!(%episode, ending, faults = result.counts.faults, "episode with faults");
        } else {
            tracing::debug!(%episode, ending, "episode closed");
        }
    }

    fn blocked(&mut self, blocked: &Blocked) {
        self.remark(&blocked.to_string());
    }

    fn tick(&mut self, live: &Directory, outages: &[ModelOutage]) {
        self.tell(outages);
        if !outages.is_empty() {
            self.waited += self.last_look.elapsed();
        }
        self.last_look = Moment::now();
        let state = self.state(live, outages);
        self.bar.set_message(state.line(columns()));
        if self.lines && self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Moment::now();
            output::remark(&state.whole());
        }
    }
}
