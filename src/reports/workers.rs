//! Who played the episodes of a run that was played on several machines.

use super::{Align, Table};
use crate::log::WorkerRecord;
use crate::text::counted;

/// The workers; empty if the run was played by one process.
pub(super) fn table(workers: &[WorkerRecord]) -> Table {
    let mut table = Table::new("Workers")
        .keys_of(["worker", "host", "version"])
        .numbers(["episodes", "late", "taken over"])
        .column("", Align::Left);
    for worker in workers {
        table.row(vec![
            worker.name.clone(),
            worker.host.clone().unwrap_or_default(),
            worker.version.clone(),
            worker.episodes.to_string(),
            worker.late.to_string(),
            worker.taken_over.to_string(),
            if worker.lost { "lost" } else { "" }.to_owned(),
        ]);
    }
    table
}

/// What went wrong with workers; nothing if nothing did.
pub(super) fn remark(workers: &[WorkerRecord]) -> Option<String> {
    let lost = workers.iter().filter(|worker| worker.lost).count() as u64;
    let sum = |own: fn(&WorkerRecord) -> u64| workers.iter().map(own).fold(0, u64::saturating_add);
    let (taken_over, late) = (sum(|own| own.taken_over), sum(|own| own.late));
    if lost + taken_over + late == 0 {
        return None;
    }
    let was = |number| if number == 1 { "was" } else { "were" };
    Some(format!(
        "{} {} lost; {} {} gone on with or played again; {} came late and {} thrown away",
        counted(lost, "worker", "workers"),
        was(lost),
        counted(taken_over, "episode", "episodes"),
        was(taken_over),
        counted(late, "commit", "commits"),
        was(late),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lost_workers_and_late_commits_are_said() {
        let worker = |lost, late| WorkerRecord { lost, late, ..WorkerRecord::default() };
        assert_eq!(remark(&[worker(false, 0)]), None);
        let said = "1 worker was lost; 0 episodes were gone on with or played again; 2 commits came late and were \
                    thrown away";
        assert_eq!(remark(&[worker(true, 0), worker(false, 2)]).unwrap(), said);
    }
}
