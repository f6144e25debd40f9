//! Gathering the lines of the episodes of jobs while they are played, beside the log.

use std::path::Path;
use std::sync::Mutex;

use rustc_hash::FxHashMap;
use tokio::sync::oneshot;

use super::{JobId, PlayedEpisode};
use crate::locked;
use rolecall_core::domain::EpisodeId;
use rolecall_core::log::{Batch, decode_episode};

/// The jobs that a worker plays, as far as they came.
#[derive(Debug, Default)]
pub struct Gathering(Mutex<Gathered>);

#[derive(Debug, Default)]
struct Gathered {
    jobs: FxHashMap<JobId, Job>,
    /// Where each of their episodes is gathered.
    places: FxHashMap<EpisodeId, (JobId, usize)>,
}

#[derive(Debug)]
struct Job {
    episodes: Vec<PlayedEpisode>,
    /// Episodes that are not closed.
    open: usize,
    /// There are lines that were not shipped.
    changed: bool,
    over: oneshot::Sender<Vec<PlayedEpisode>>,
}

impl Gathering {
    /// Gathers the lines of a job from now on. What is received are its episodes, once all are closed; nothing
    /// if the job is [dropped](Self::drop_job) before. Episodes that have their results already need not be
    /// played.
    pub fn begin(&self, job: JobId, episodes: Vec<PlayedEpisode>) -> oneshot::Receiver<Vec<PlayedEpisode>> {
        let (over, received) = oneshot::channel();
        let mut gathered = locked(&self.0);
        gathered.places.extend(
            episodes.iter().map(|episode| episode.id.clone()).enumerate().map(|(index, id)| (id, (job, index))),
        );
        let open = episodes.iter().filter(|episode| episode.is_open()).count();
        gathered.jobs.insert(job, Job { episodes, open, changed: false, over });
        gathered.finish(job);
        received
    }

    /// Whether the job is played.
    pub fn has(&self, job: JobId) -> bool {
        locked(&self.0).jobs.contains_key(&job)
    }

    /// Takes what an episode appends to the log.
    pub fn add(&self, batch: &Batch) {
        let end = batch.events.iter().position(|byte| *byte == b'\n');
        // What is about the run, or says that an episode stays open, belongs to no part.
        let Some(first) = end.and_then(|end| batch.events.get(..end)) else {
            return;
        };
        let Ok(id) = decode_episode(Path::new("part"), 1, first) else {
            return;
        };
        let mut gathered = locked(&self.0);
        let Some((job, index)) = gathered.places.get(&id).copied() else {
            return;
        };
        let Some(entry) = gathered.jobs.get_mut(&job) else {
            return;
        };
        let Some(episode) = entry.episodes.get_mut(index) else {
            return;
        };
        episode.lines.events.extend_from_slice(&batch.events);
        entry.changed = true;
        if !batch.result.is_empty() {
            episode.lines.result.extend_from_slice(&batch.result);
            episode.lines.timing.extend_from_slice(&batch.timing);
            entry.open = entry.open.saturating_sub(1);
            gathered.finish(job);
        }
    }

    /// The episodes of a job as far as they came, if something came since this was asked last.
    pub fn news(&self, job: JobId) -> Option<Vec<PlayedEpisode>> {
        let mut gathered = locked(&self.0);
        let entry = gathered.jobs.get_mut(&job)?;
        std::mem::take(&mut entry.changed).then(|| entry.episodes.clone())
    }

    /// Forgets a job that is not played to its end.
    pub fn drop_job(&self, job: JobId) {
        let mut gathered = locked(&self.0);
        for episode in gathered.jobs.remove(&job).into_iter().flat_map(|entry| entry.episodes) {
            gathered.places.remove(&episode.id);
        }
    }

    /// Forgets the jobs of these episodes, which will never close.
    pub fn give_up(&self, ids: &[EpisodeId]) {
        let jobs: Vec<JobId> = {
            let gathered = locked(&self.0);
            ids.iter().filter_map(|id| gathered.places.get(id).map(|(job, _)| *job)).collect()
        };
        jobs.into_iter().for_each(|job| self.drop_job(job));
    }

    /// Number of episodes that are played.
    pub fn open(&self) -> usize {
        locked(&self.0).jobs.values().map(|job| job.open).sum()
    }
}

impl Gathered {
    /// Hands a job over if all its episodes are closed.
    fn finish(&mut self, job: JobId) {
        if self.jobs.get(&job).is_none_or(|entry| entry.open > 0) {
            return;
        }
        let Some(entry) = self.jobs.remove(&job) else {
            return;
        };
        for episode in &entry.episodes {
            self.places.remove(&episode.id);
        }
        // Whoever waited may have gone.
        let _ = entry.over.send(entry.episodes);
    }
}
