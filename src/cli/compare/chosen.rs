//! Branches whose episodes were chosen by how they came out: compared with what they were chosen from, they
//! differ by construction.

use std::path::{Path, PathBuf};
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
        let own = selected(&side.run, registry).into_iter();
        let own = own.filter(|own| !shared.iter().any(|other| other.is_same(own)));
        let compared = whole(&other.run.folder);
        found.extend(own.map(|own| ChosenByOutcome {
            is_base,
            is_compared: own.folder == compared,
            remedy: (own.is_parent && own.folder == compared).then(|| remedy(side, registry)),
            run: own.run,
            choice: own.choice,
        }));
    }
    found
}

/// How to compare a branch with what was chosen alike: with its control.
fn remedy(side: &Side, registry: &Registry) -> Remedy {
    match control(side, registry) {
        Some(control) => Remedy::Control {
            name: control.name,
            is_alike: side.run.record.parent.as_ref().is_some_and(|own| own.steering.seed.is_some()),
        },
        None => Remedy::Command(control_line(&side.run.folder)),
    }
}

/// The same cell of the control of a branch, if it has one.
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
        let mut direct = by_outcome(pair, registry).into_iter().filter(|own| own.remedy.is_some());
        let side = match direct.next()?.is_base {
            true => &pair.base,
            false => &pair.other,
        };
        let base = control(side, registry)?;
        let other = side.clone();
        Some(Pair { base, other })
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
        let Some(own) = parent.take() else { break };
        let above = folder_of(&folder, &own);
        let record = RunRecord::read(&above).ok();
        let choice = match (own.by_outcome, own.chosen.as_deref()) {
            (true, chosen) => chosen.map(str::to_owned),
            // Of episodes that were named, and in older branches, the outcomes have to tell.
            (false, None | Some(NAMED)) => {
                let results = record.as_ref().and_then(|record| runs::results_in(&above, record, registry).ok());
                results.and_then(|results| alike(&own, &results))
            }
            (false, Some(_)) => None,
        };
        found.extend(choice.map(|choice| Selected {
            folder: whole(&above),
            run: own.run.clone(),
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
    let (own, others): (Vec<_>, Vec<_>) = results
        .iter()
        .filter(|own| own.standing() == Standing::Counted)
        .partition(|result| parent.episodes.contains_key(&result.episode));
    let first = own.first()?;
    // Whoever names all episodes of a cell has chosen a cell.
    let cells: FxHashSet<&CellName> = own.iter().map(|own| &own.episode.cell).collect();
    let mut others = others.iter();
    let alike = own.iter().all(|result| result.success == first.success);
    let apart = others.any(|result| result.success != first.success && cells.contains(&result.episode.cell));
    let episodes = counted(own.len() as u64, "episode", "episodes");
    let word = if first.success { "solved" } else { "not solved" };
    (alike && apart).then(|| format!("{episodes}, all {word}"))
}

fn whole(folder: &Path) -> PathBuf {
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}
