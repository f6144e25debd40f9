//! Finding a job to lease: one that waits, or one whose worker was lost.
//!
//! The cost of a search does not grow with the number of workers: each goes through the folders in an order of
//! its own, and watches no more leases than it could take.

use rustc_hash::FxHashSet;
use tokio::time::Instant;

use super::files::Files;
use super::layout::{self, Layout};
use crate::machines::{JobId, QueueError, Watched};

/// Lists in which something was found, at most, for each search: a file system may show for half a minute what
/// is gone.
const LISTS: u32 = 4;
/// Folders are looked through in so many searches, once nothing waited in any.
const SEARCHES: u32 = 16;
/// Leases that are watched at the same time, even by who could take only one.
const WATCHED: usize = 8;
/// Looks at leases in the time of one.
const LOOKS: u32 = 3;
/// Folders of leases that are listed for a look.
const LEASE_FOLDERS: u32 = 4;

/// State of a queue between two searches.
#[derive(Debug, Default)]
pub(super) struct Search {
    /// How many folders this worker went on by.
    step: u32,
    /// Jobs that waited when the folder was listed, the next one last.
    waiting: Vec<JobId>,
    /// How many folders in a row were empty.
    empty: u32,
    /// Folders that may be found empty yet in this search.
    folders: u32,
    /// Lists in which something may be found yet.
    lists: u32,
    leases: Watched<String, Vec<u8>>,
    /// The leases that may be lost.
    suspects: Vec<Lost>,
    /// The folder of leases that is listed next.
    lease_folder: u32,
    looked: Option<Instant>,
}

/// A lease that may be lost, or is.
#[derive(Clone, Debug)]
pub(super) struct Lost {
    pub(super) path: String,
    pub(super) job: JobId,
    pub(super) attempt: u32,
}

impl Search {
    /// Begins a search.
    pub(super) fn begin(&mut self, layout: Layout) {
        self.folders =
            if self.empty < layout.folders { layout.folders - self.empty } else { layout.folders.div_ceil(SEARCHES) };
        self.lists = LISTS;
    }

    /// A job that waits, most likely.
    pub(super) async fn waiting(
        &mut self,
        files: &Files,
        layout: Layout,
        worker: &str,
    ) -> Result<Option<JobId>, QueueError> {
        while self.waiting.is_empty() && self.folders > 0 && self.lists > 0 {
            self.waiting = files
                .list(&layout::folder(layout::JOBS, self.folder(layout, worker)))
                .await?
                .iter()
                .filter_map(|name| layout::job(name))
                .collect();
            self.waiting.sort_by_cached_key(|job| layout::rank(worker, &job.to_string()));
            if self.waiting.is_empty() {
                self.step = self.step.wrapping_add(1);
                self.empty = self.empty.saturating_add(1);
                self.folders -= 1;
            } else {
                self.empty = 0;
                self.lists -= 1;
            }
        }
        Ok(self.waiting.pop())
    }

    /// The folder at which this worker is. An odd number of folders on is another one each time, until it was
    /// in all.
    fn folder(&self, layout: Layout, worker: &str) -> u32 {
        first_of(worker).wrapping_add(self.step.wrapping_mul(first_of(worker) >> 8 | 1)) % layout.folders
    }

    /// Notes that the last job was another's already: so may be the others of the list.
    pub(super) fn was_gone(&mut self) {
        self.waiting.clear();
    }

    /// The leases that are lost. Looks now and then, and at no more than a few and as many as could be taken;
    /// `is_own` are not looked at.
    pub(super) async fn lost(
        &mut self,
        files: &Files,
        layout: Layout,
        worker: &str,
        most: usize,
        is_own: impl Fn(JobId) -> bool,
    ) -> Result<Vec<Lost>, QueueError> {
        if self.looked.is_some_and(|at| at.elapsed() < layout.lease / LOOKS) {
            return Ok(Vec::new());
        }
        self.looked = Some(Instant::now());
        let mut watched = std::mem::take(&mut self.suspects);
        let most = most.max(WATCHED);
        let known: FxHashSet<String> = watched.iter().map(|suspect| suspect.path.clone()).collect();
        let mut folders = layout.lease_folders.min(LEASE_FOLDERS);
        while watched.len() < most && folders > 0 {
            folders -= 1;
            let folder = self.lease_folder.wrapping_add(first_of(worker)) % layout.lease_folders;
            self.lease_folder = self.lease_folder.wrapping_add(1);
            let folder = layout::folder(layout::LEASES, folder);
            let mut names = files.list(&folder).await?;
            // In another order each time: among many that are well, a lost one has its turn.
            let round = self.lease_folder;
            names.sort_by_cached_key(|name| layout::rank(&format!("{worker}/{round}"), name));
            watched.extend(
                names
                    .iter()
                    .filter_map(|name| {
                        let (job, attempt) = layout::leased(name).filter(|(job, _)| !is_own(*job))?;
                        let path = format!("{folder}/{name}");
                        (!known.contains(&path)).then_some(Lost { path, job, attempt })
                    })
                    .take(most - watched.len()),
            );
        }
        let mut lost = Vec::new();
        for suspect in watched {
            let Some(content) = files.read(&suspect.path).await? else {
                continue;
            };
            let unchanged = self.leases.look(&suspect.path, content);
            // Whoever extends its lease is well.
            if !(known.contains(&suspect.path) && unchanged.is_zero()) {
                self.suspects.push(suspect.clone());
            }
            if unchanged >= layout.lease {
                lost.push(suspect);
            }
        }
        let suspects: FxHashSet<&String> = self.suspects.iter().map(|suspect| &suspect.path).collect();
        self.leases.keep(|path| suspects.contains(path));
        Ok(lost)
    }
}

/// Where a worker begins.
fn first_of(worker: &str) -> u32 {
    let [one, two, ..] = layout::rank(worker, "").to_le_bytes();
    u32::from(u16::from_le_bytes([one, two]))
}
