//! Branches whose episodes were chosen by how they came out: compared with what they were chosen from, they
//! differ by construction.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use super::sides::{ComparedRun, Pair};
use crate::cli::branch::{NAMED, folder_of};
use crate::cli::runs;
use crate::domain::CellName;
use crate::evaluation::{EpisodeResult, Standing};
use crate::log::{Parent, RunRecord};
use crate::reports::ChosenByOutcome;
use crate::text::counted;

/// More generations than anybody branches; a run that names itself as its parent ends here too.
const GENERATIONS: usize = 16;

/// A choice of episodes by how they came out in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Selected {
    folder: PathBuf,
    run: String,
    choice: String,
}

/// The sides that hold such a choice which the other side does not share.
pub(super) fn by_outcome(pair: &Pair) -> Vec<ChosenByOutcome> {
    let sides = [(&pair.base, &pair.other), (&pair.other, &pair.base)];
    let mut found = Vec::new();
    for ((side, other), is_base) in sides.into_iter().zip([true, false]) {
        if side.is_of_run(other) {
            continue;
        }
        let shared = selected(&other.run);
        let own = selected(&side.run).into_iter();
        let own = own.filter(|own| !shared.contains(own));
        found.extend(own.map(|own| ChosenByOutcome {
            is_base,
            is_compared: own.folder == whole(&other.run.folder),
            run: own.run,
            choice: own.choice,
        }));
    }
    found
}

/// The choices by outcome that led to a run, from its parent upwards. Where a parent's log is gone, nothing is
/// known of what lies above.
fn selected(run: &ComparedRun) -> Vec<Selected> {
    let mut found = Vec::new();
    let mut folder = run.folder.clone();
    let mut parent = run.record.parent.clone();
    for _ in 0..GENERATIONS {
        let Some(own) = parent.take() else { break };
        let above = folder_of(&folder, &own);
        let record = RunRecord::read(&above).ok();
        let choice = match (own.by_outcome, own.chosen.as_deref()) {
            (true, chosen) => chosen.map(str::to_owned),
            // Of episodes that were named, and in older branches, the outcomes have to tell.
            (false, None | Some(NAMED)) => {
                let results = record
                    .as_ref()
                    .and_then(|record| runs::results_in(&above, record).ok());
                results.and_then(|results| alike(&own, &results))
            }
            (false, Some(_)) => None,
        };
        found.extend(choice.map(|choice| Selected {
            folder: whole(&above),
            run: own.run.clone(),
            choice,
        }));
        parent = record.and_then(|record| record.parent);
        folder = above;
    }
    found
}

/// The outcome that all episodes of a branch have in its parent, if others there have another.
fn alike(parent: &Parent, results: &[EpisodeResult]) -> Option<String> {
    let counted_ones = results
        .iter()
        .filter(|own| own.standing() == Standing::Counted);
    let (own, others): (Vec<_>, Vec<_>) =
        counted_ones.partition(|result| parent.episodes.contains_key(&result.episode));
    let first = own.first()?;
    // Whoever names all episodes of a cell has chosen a cell.
    let cells: FxHashSet<&CellName> = own.iter().map(|own| &own.episode.cell).collect();
    let mut others = others.iter();
    let alike = own.iter().all(|result| result.success == first.success);
    let apart = others
        .any(|result| result.success != first.success && cells.contains(&result.episode.cell));
    let episodes = counted(own.len() as u64, "episode", "episodes");
    let word = if first.success {
        "solved"
    } else {
        "not solved"
    };
    (alike && apart).then(|| format!("{episodes}, all {word}"))
}

fn whole(folder: &Path) -> PathBuf {
    folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
}
