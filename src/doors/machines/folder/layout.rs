//! Where a queue keeps what in its folder.

use std::time::Duration;

use xxhash_rust::xxh3::xxh3_64;

use crate::machines::{JobId, Manifest};

/// The manifest of the run.
pub(super) const MANIFEST: &str = "manifest.json";
/// Jobs that wait: empty files.
pub(super) const JOBS: &str = "jobs";
/// Jobs under lease: `<job>~<attempt>~<worker>`, whose content changes with each extension.
pub(super) const LEASES: &str = "leases";
/// Shipped episodes of jobs that are not finished.
const BEGUN: &str = "begun";
/// Committed parts.
pub(super) const PARTS: &str = "parts";
/// The last heartbeat of each worker.
pub(super) const WORKERS: &str = "workers";
/// Committed parts that could not be used.
const REFUSED: &str = "refused";

/// About so many jobs are in a folder, unless there are more than 256 times as many.
const JOBS_PER_FOLDER: u32 = 1024;
const MOST_FOLDERS: u32 = 256;
/// Leases are far fewer than jobs, and whoever looks for lost ones goes through all of these.
const MOST_LEASE_FOLDERS: u32 = 16;

/// The places of a run's files, which follow from its manifest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// The time after which a lease that does not change is another's.
    pub(super) lease: Duration,
    /// Number of folders of jobs and parts, a power of two.
    pub(super) folders: u32,
    /// Number of folders of leases, another one.
    pub(super) lease_folders: u32,
}

impl Layout {
    /// Nothing if the time of its leases is none.
    pub(super) fn of(manifest: &Manifest) -> Option<Self> {
        let folders = manifest.jobs.div_ceil(JOBS_PER_FOLDER).clamp(1, MOST_FOLDERS).next_power_of_two();
        Some(Self {
            lease: Duration::try_from_secs_f64(manifest.lease_seconds).ok()?,
            folders,
            lease_folders: folders.min(MOST_LEASE_FOLDERS),
        })
    }

    pub(super) fn waiting(self, job: JobId) -> String {
        format!("{}/{job}", folder(JOBS, hash(job) % self.folders))
    }

    pub(super) fn lease(self, job: JobId, attempt: u32, worker: &str) -> String {
        let folder = folder(LEASES, hash(job) % self.lease_folders);
        format!("{folder}/{job}~{attempt}~{worker}")
    }

    pub(super) fn begun(self, job: JobId) -> String {
        format!("{}/{job}.zst", folder(BEGUN, hash(job) % self.folders))
    }

    pub(super) fn part(self, job: JobId) -> String {
        format!("{}/{job}.zst", folder(PARTS, hash(job) % self.folders))
    }
}

pub(super) fn refused(job: JobId) -> String {
    format!("{REFUSED}/{job}.zst")
}

/// One of the folders among which files are spread.
pub(super) fn folder(kind: &str, number: u32) -> String {
    format!("{kind}/{number:02x}")
}

/// Tells in which folder a job's files are. The same in all versions.
fn hash(job: JobId) -> u32 {
    u32::from(xxh3_64(&job.0.to_le_bytes()).to_le_bytes()[0])
}

/// The place of a name in an order that is another one for each worker, so that not all reach for the same.
pub(super) fn rank(worker: &str, name: &str) -> u64 {
    xxh3_64(format!("{worker}/{name}").as_bytes())
}

/// The job of a file; none if a file of another kind lies there.
pub(super) fn job(name: &str) -> Option<JobId> {
    let job: JobId = name.parse().ok()?;
    (job.to_string() == name).then_some(job)
}

/// The job and attempt of a lease's file.
pub(super) fn leased(name: &str) -> Option<(JobId, u32)> {
    let mut parts = name.splitn(3, '~');
    let known = (job(parts.next()?)?, parts.next()?.parse().ok()?);
    parts.next().map(|_worker| known)
}

/// The job of a part's file.
pub(super) fn part(name: &str) -> Option<JobId> {
    job(name.strip_suffix(".zst")?)
}

/// Whether a worker's name may be one of a file on every system.
pub(super) fn is_safe(worker: &str) -> bool {
    (1..=128).contains(&worker.len())
        && worker.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        && !worker.starts_with('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(jobs: u32) -> Layout {
        let manifest = Manifest { jobs, lease_seconds: 60.0, ..Manifest::default() };
        Layout::of(&manifest).unwrap()
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        let (few, many) = (layout(3), layout(1_000_000));
        assert_eq!((few.folders, few.lease_folders), (1, 1));
        assert_eq!((many.folders, many.lease_folders), (256, 16));
        assert_eq!(few.waiting(JobId(7)), "jobs/00/00000007");
        // Workers of every later version must find them there.
        assert_eq!(many.waiting(JobId(7)), "jobs/4c/00000007");
        assert_eq!(many.lease(JobId(7), 2, "a~b"), "leases/0c/00000007~2~a~b");
        assert_eq!(leased("00000007~2~a~b"), Some((JobId(7), 2)));
        assert_eq!(part("00000007.zst"), Some(JobId(7)));
        for other in ["7", "+0000007", "00000007.zst", ".nfs00012", ""] {
            assert_eq!(job(other), None, "{other}");
        }
        for other in ["00000007", "00000007~2", "00000007~x~w", "7~2~w"] {
            assert_eq!(leased(other), None, "{other}");
        }
    }

    #[test]
    fn names_of_workers_are_safe_as_names_of_files() {
        for name in ["node7-4411", "a_b.c", "x"] {
            assert!(is_safe(name), "{name}");
        }
        let long = "x".repeat(129);
        for name in ["", ".", "..", ".x", "a/b", "a~b", "ä", "a b", &long] {
            assert!(!is_safe(name), "{name}");
        }
    }

    #[test]
    fn a_lease_needs_a_time() {
        for lease_seconds in [f64::NAN, -1.0, f64::INFINITY] {
            let manifest = Manifest { lease_seconds, ..Manifest::default() };
            assert!(Layout::of(&manifest).is_none());
        }
    }
}
