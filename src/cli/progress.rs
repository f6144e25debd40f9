//! The progress of a run: a bar on a terminal, a line now and then elsewhere. Whatever
//! else takes long has the same bar.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::output;
use crate::config::Plan;
use crate::evaluation::{EpisodeResult, Standing, wilson};
use crate::runtime::{Blocked, Directory, ModelOutage, Moment, Observer};
use crate::text::visible;

/// The time between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Follows a run on standard error.
pub(crate) struct Progress {
    bar: ProgressBar,
    lines: bool,
    /// Pauses of models are told.
    notes: bool,
    /// Models that do not answer at the moment, and since when.
    paused: BTreeMap<String, Moment>,
    planned: usize,
    began: Moment,
    last_line: Moment,
    counted: usize,
    solved: usize,
    closed: usize,
    apart: usize,
    faults: u32,
    steps: u64,
}

impl Progress {
    /// Follows a run of `planned` episodes; shows no progress if it is to be quiet, and tells of no
    /// pauses unless they are to be told.
    pub(crate) fn new(planned: usize, terminal: bool, quiet: bool, notes: bool) -> Self {
        Self {
            bar: bar(planned, "episodes  {msg}", terminal && !quiet),
            lines: !terminal && !quiet,
            notes,
            paused: BTreeMap::new(),
            planned,
            began: Moment::now(),
            last_line: Moment::now(),
            counted: 0,
            solved: 0,
            closed: 0,
            apart: 0,
            faults: 0,
            steps: 0,
        }
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Says once that a model pauses, and once that it goes on.
    fn tell(&mut self, outages: &[ModelOutage]) {
        let goes_on = |name: &String| outages.iter().any(|(model, _)| model == name);
        let ended = self.paused.extract_if(.., |model, _| !goes_on(model));
        let mut told: Vec<String> = ended
            .map(|(model, since)| {
                let seconds = since.elapsed().as_secs_f64();
                format!("model `{model}`: the pause is over after {seconds:.1} s")
            })
            .collect();
        for (model, why) in outages {
            if !self.paused.contains_key(model) {
                self.paused.insert(model.clone(), Moment::now());
                told.push(format!("model `{model}` pauses: {why}"));
            }
        }
        if self.notes {
            let all = || told.iter().for_each(|text| output::remark(text));
            // Notes stand above the bar.
            self.bar.suspend(all);
        }
    }

    fn message(&self, live: &Directory) -> String {
        let seconds = self.began.elapsed().as_secs_f64().max(1e-3);
        let estimate = wilson(self.solved, self.counted);
        let success = match (estimate.value(), estimate.interval()) {
            (Some(rate), Some((low, high))) => format!(
                "success {:.1} % ({:.1}-{:.1})",
                100.0 * rate,
                100.0 * low,
                100.0 * high
            ),
            _ => "success -".to_owned(),
        };
        let mut text = format!(
            "{success}  {:.0} steps/s  {} live",
            self.steps as f64 / seconds,
            live.len()
        );
        if self.faults > 0 {
            text.push_str(&format!("  {} faults", self.faults));
        }
        if self.apart > 0 {
            text.push_str(&format!("  {} broken", self.apart));
        }
        text
    }
}

/// A bar that counts up to `most` of something on standard error; one that shows nothing if it is
/// not to be seen. `what` may hold indicatif's `{msg}`.
pub(crate) fn bar(most: usize, what: &str, seen: bool) -> ProgressBar {
    let target = if seen {
        ProgressDrawTarget::stderr()
    } else {
        ProgressDrawTarget::hidden()
    };
    let bar = ProgressBar::with_draw_target(Some(most as u64), target);
    let template = format!("{{bar:24}} {{pos}}/{{len}} {what}  {{elapsed}} (about {{eta}} left)");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style.progress_chars("=> "));
    }
    bar
}

/// Has the worlds of a plan load what they need, with a bar on a terminal. Nothing is begun yet, so that
/// Ctrl-C ends the program at once.
pub(crate) fn prepare(plan: &Plan, quiet: bool) -> anyhow::Result<()> {
    let seen = !quiet && std::io::stderr().is_terminal();
    let loading = Loading(bar(0, "{msg}", seen));
    let prepared = plan.prepare(&loading);
    loading.0.finish_and_clear();
    Ok(prepared?)
}

/// The bar of data that is loaded.
struct Loading(ProgressBar);

impl crate::ports::Progress for Loading {
    fn loaded(&self, what: &str, pieces: u64, of: u64) {
        self.0.set_message(visible(what).into_owned());
        self.0.set_length(of);
        self.0.set_position(pieces);
    }
}

impl Observer for Progress {
    fn closed(&mut self, result: &EpisodeResult, _: &Directory) {
        self.closed += 1;
        self.steps += u64::from(result.counts.steps);
        self.faults += result.counts.faults;
        let (episode, ending) = (&result.episode, result.ending_label());
        if result.counts.faults > 0 {
            tracing::info!(%episode, ending, faults = result.counts.faults, "episode with faults");
        } else {
            tracing::debug!(%episode, ending, "episode closed");
        }
        match result.standing() {
            Standing::Counted => {
                self.counted += 1;
                self.solved += usize::from(result.success);
            }
            Standing::Broken | Standing::Cancelled | Standing::Unfinished => self.apart += 1,
        }
    }

    fn blocked(&mut self, blocked: &Blocked) {
        if self.notes {
            self.bar.suspend(|| output::remark(&blocked.to_string()));
        }
    }

    fn tick(&mut self, live: &Directory, outages: &[ModelOutage]) {
        self.tell(outages);
        self.bar.set_position(self.closed as u64);
        let paused = outages
            .first()
            .map(|(model, why)| format!("paused: {model}: {why}"));
        let message = paused.map_or_else(|| self.message(live), |text| visible(&text).to_string());
        self.bar.set_message(message.clone());
        if self.lines && self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Moment::now();
            let (closed, planned) = (self.closed, self.planned);
            output::remark(&format!("{closed}/{planned} episodes  {message}"));
        }
    }
}
