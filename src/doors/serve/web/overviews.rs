//! Overviews of all runs below a folder.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;

use super::page::{Problem, blocking};
use rolecall_core::evaluation::measure_run;
use rolecall_core::log::{RunLog, is_running};
use rolecall_core::ports::Metric;
use rolecall_core::reports::{FoundRun, RunOverview, RunState, newest};

/// The time for which a look is good: at least, and as a multiple of what it takes.
const FRESH: Duration = Duration::from_secs(1);
const SHARE: u32 = 8;

/// The runs below a folder.
pub(super) struct Overviews {
    logs: PathBuf,
    metrics: Vec<&'static dyn Metric>,
    last: Mutex<Option<Look>>,
}

struct Look {
    lines: Arc<Vec<RunOverview>>,
    at: Instant,
    took: Duration,
}

impl Overviews {
    pub(super) fn new(logs: PathBuf, metrics: Vec<&'static dyn Metric>) -> Self {
        Self { logs, metrics, last: Mutex::default() }
    }

    /// Has the next reader look anew.
    pub(super) async fn forget(&self) {
        self.last.lock().await.take();
    }

    #[expect(clippy::disallowed_methods, reason = "for what is shown when, no result")]
    /// The runs, newest first, as they were a moment ago.
    pub(super) async fn get(&self) -> Result<Arc<Vec<RunOverview>>, Problem> {
        let mut last = self.last.lock().await;
        let known = last.as_ref();
        if let Some(look) = known.filter(|look| look.at.elapsed() < FRESH.max(look.took * SHARE)) {
            return Ok(Arc::clone(&look.lines));
        }
        let known = known.map(|look| Arc::clone(&look.lines)).unwrap_or_default();
        let (logs, metrics) = (self.logs.clone(), self.metrics.clone());
        let looked = blocking(move || {
            let began = Instant::now();
            let lines = newest(&logs).into_iter().map(|run| look(run, &known, &metrics)).collect();
            Ok(Look { lines: Arc::new(lines), at: Instant::now(), took: began.elapsed() })
        });
        Ok(Arc::clone(&last.insert(looked.await?).lines))
    }
}

/// Looks into a run, unless it is over and was looked into before.
fn look(run: FoundRun, known: &[RunOverview], metrics: &[&'static dyn Metric]) -> RunOverview {
    let over = |line: &&RunOverview| line.state == RunState::Finished && line.found.began == run.began;
    match known.iter().find(|line| line.found.name == run.name).filter(over) {
        Some(line) if !is_running(&run.folder) => line.clone(),
        _ => RunOverview::of(run, &|log: &RunLog| measure_run(log, metrics)),
    }
}
