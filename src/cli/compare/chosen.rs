//! Branches whose episodes were chosen by how they came out: compared with what they were chosen from, they
//! differ by construction.

use std::path::PathBuf;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::sides::{ComparedRun, Pair, Side};
use crate::branch::{NAMED, control_line, control_of, folder_of};
use crate::runs;
use rolecall_core::domain::CellName;
use rolecall_core::evaluation::{EpisodeResult, Standing};
use rolecall_core::log::{Parent, RunRecord};
use rolecall_core::reports::{ChosenByOutcome, Remedy};
use rolecall_core::text::counted;
use rolecall_run::registry::Registry;

/// More generations than anybody branches; a run that names itself as its parent ends here too.
const GENERATIONS: usize = 16;

/// A choice of episodes by how they came out in a run.
#[derive(Clone, Debug)]
struct Selected {
    folder: PathBuf,
    run: String,
    choice: String,
    /// It is the parent itself, and not one above it.
    is_parent: bool,
}

impl Selected {
    fn is_same(&self, other: &Self) -> bool {
        self.folder == other.folder && self.choice == other.choice
    }
}

/// The sides that hold such a choice which the other side does not share.
pub(super) fn by_outcome(pair: &Pair, registry: &Registry) -> Vec<ChosenByOutcome> {
    let sides = [(&pair.base, &pair.other), (&pair.other, &pair.base)];
    let mut found = Vec::new();
    for ((side, other), is_base) in sides.into_iter().zip([true, false]) {
        if side.is_of_run(other) {
            continue;
        }
        let shared = selected(&other.run, registry);
        let mut choices = selected(&side.run, registry);
        choices.retain(|choice| !shared.iter().any(|other| other.is_same(choice)));
        let compared = runs::whole(&other.run.folder);
        found.extend(choices.into_iter().map(|Selected { folder, run, choice, is_parent }| ChosenByOutcome {
            is_base,
            is_compared: folder == compared,
            remedy: (is_parent && folder == compared).then(|| remedy(side, registry)),
            run,
            choice,
        }));
    }
    found
}

/// How to compare a branch with what was chosen alike: with its control.
fn remedy(side: &Side, registry: &Registry) -> Remedy {
    match control(side, registry) {
        Some(control) => Remedy::Control {
            name: control.name,
            is_alike: side.run.record.parent.as_ref().is_some_and(|parent| parent.steering.seed.is_some()),
        },
        None => Remedy::Command(control_line(&side.run.folder)),
    }
}

/// Cell of the control that stands for a cell of its branch, if there is a control.
fn control(side: &Side, registry: &Registry) -> Option<Side> {
    let (folder, _) = control_of(&side.run.folder, side.run.record.parent.as_ref()?)?;
    let (_, name) = runs::siblings(&folder);
    let name = match side.name.rsplit_once(':') {
        Some((_, cell)) => format!("{name}:{cell}"),
        None => name,
    };
    let run = ComparedRun::read(name.clone(), folder, registry).ok()?;
    Some(Side { name, run: Rc::new(run), cell: side.cell.clone() })
}

/// The branches among the sides that are compared with the run that they were chosen from, each with its control.
pub(super) fn controls(pairs: &[Pair], registry: &Registry) -> Vec<Pair> {
    let of = |pair: &Pair| {
        let direct = by_outcome(pair, registry).into_iter().find(|choice| choice.remedy.is_some())?;
        let side = if direct.is_base { &pair.base } else { &pair.other };
        Some(Pair { base: control(side, registry)?, other: side.clone() })
    };
    pairs.iter().filter_map(of).collect()
}

/// The choices by outcome that led to a run, from its parent upwards. Where a parent's log is gone, nothing is
/// known of what lies above.
fn selected(run: &ComparedRun, registry: &Registry) -> Vec<Selected> {
    let mut found = Vec::new();
    let mut folder = run.folder.clone();
    let mut parent = run.record.parent.clone();
    for generation in 0..GENERATIONS {
        let Some(branched) = parent.take() else { break };
        let above = folder_of(&folder, &branched);
        let record = RunRecord::read(&above).ok();
        let choice = match (branched.by_outcome, branched.chosen.as_deref()) {
            (true, chosen) => chosen.map(str::to_owned),
            // Of episodes that were named, and in older branches, the outcomes have to tell.
            (false, None | Some(NAMED)) => {
                let results = record.as_ref().and_then(|record| runs::results_in(&above, record, registry).ok());
                results.and_then(|results| alike(&branched, &results))
            }
            (false, Some(_)) => None,
        };
        found.extend(choice.map(|choice| Selected {
            folder: runs::whole(&above),
            run: branched.run.clone(),
            choice,
            is_parent: generation == 0,
        }));
        parent = record.and_then(|record| record.parent);
        folder = above;
    }
    found
}

/// The outcome that all episodes of a branch have in its parent, if others there have another.
fn alike(parent: &Parent, results: &[EpisodeResult]) -> Option<String> {
    let (chosen, others): (Vec<_>, Vec<_>) = results
        .iter()
        .filter(|result| result.standing() == Standing::Counted)
        .partition(|result| parent.episodes.contains_key(&result.episode));
    let first = chosen.first()?;
    // Whoever names all episodes of a cell has chosen a cell.
    let cells: FxHashSet<&CellName> = chosen.iter().map(|result| &result.episode.cell).collect();
    let alike = chosen.iter().all(|result| result.success == first.success);
    let apart = others.iter().any(|result| result.success != first.success && cells.contains(&result.episode.cell));
    let episodes = counted(chosen.len() as u64, "episode", "episodes");
    let word = if first.success { "solved" } else { "not solved" };
    (alike && apart).then(|| format!("{episodes}, all {word}"))
}
