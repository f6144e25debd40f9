//! The progress of a run: a bar on a terminal, a line now and then elsewhere. Whatever
//! else takes long has the same bar.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::output;
use super::runs::Tally;
use crate::config::Plan;
use crate::evaluation::{EpisodeResult, Standing, wilson};
use crate::reports::percent;
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
    tally: Tally,
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
            tally: Tally::default(),
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
        let ended = ended.map(|(model, since)| {
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
        if self.notes {
            // Notes stand above the bar.
            let print = || notes.iter().for_each(|text| output::remark(text));
            self.bar.suspend(print);
        }
    }

    fn message(&self, live: &Directory) -> String {
        let seconds = self.began.elapsed().as_secs_f64().max(1e-3);
        let estimate = wilson(self.tally.solved, self.tally.counted);
        let mut text = match (estimate.value(), estimate.interval()) {
            (Some(rate), Some((low, high))) => {
                let [rate, low, high] = [rate, low, high].map(percent);
                format!("success {rate} % ({low}-{high})")
            }
            _ => "success -".to_owned(),
        };
        let speed = self.steps as f64 / seconds;
        text += &format!("  {speed:.0} steps/s  {} live", live.len());
        if self.faults > 0 {
            text += &format!("  {} faults", self.faults);
        }
        match self.tally.closed - self.tally.counted {
            0 => text,
            apart => text + &format!("  {apart} broken"),
        }
    }
}

/// A bar that counts up to `most` of something on standard error; one that shows nothing if it is
/// not to be seen. `what` may hold indicatif's `{msg}`.
pub(crate) fn bar(most: usize, what: &str, seen: bool) -> ProgressBar {
    let target = match seen {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
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
        let counted = result.standing() == Standing::Counted;
        self.tally.closed += 1;
        self.tally.counted += usize::from(counted);
        self.tally.solved += usize::from(counted && result.success);
        self.steps += u64::from(result.counts.steps);
        self.faults += result.counts.faults;
        let (episode, ending) = (&result.episode, result.ending_label());
        if result.counts.faults > 0 {
            tracing::info!(%episode, ending, faults = result.counts.faults, "episode with faults");
        } else {
            tracing::debug!(%episode, ending, "episode closed");
        }
    }

    fn blocked(&mut self, blocked: &Blocked) {
        if self.notes {
            self.bar.suspend(|| output::remark(&blocked.to_string()));
        }
    }

    fn tick(&mut self, live: &Directory, outages: &[ModelOutage]) {
        self.tell(outages);
        self.bar.set_position(self.tally.closed as u64);
        let message = match outages.first() {
            Some((model, why)) => visible(&format!("paused: {model}: {why}")).into_owned(),
            None => self.message(live),
        };
        self.bar.set_message(message.clone());
        if self.lines && self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Moment::now();
            let (closed, planned) = (self.tally.closed, self.planned);
            output::remark(&format!("{closed}/{planned} episodes  {message}"));
        }
    }
}
