//! The check that the ground truth of tasks reaches nobody by accident.

use super::error::listed;
use super::walk::Section;
use rolecall_core::ports::{GroundTruth, RoleEntry};

/// Refuses an implementation that would get the ground truth of the tasks by accident.
pub(super) fn check(section: &Section<'_>, role: &str, entry: &RoleEntry, all: &[GroundTruth]) {
    let own = all.iter().find(|truth| truth.role == role);
    if let Some(truth) = own.filter(|truth| !truth.implementations.contains(&entry.name)) {
        let may = listed(truth.implementations.iter().copied());
        let problem = format!(
            "is `{}`, but this seat is entrusted with the ground truth of the tasks, which only {may} may have; {}",
            entry.name, truth.remedy
        );
        section.wrong("implementation", problem);
    }
}
