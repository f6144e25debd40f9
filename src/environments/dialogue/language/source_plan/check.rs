//! Checks that the steps of a plan fit together.

use rustc_hash::FxHashMap;

use super::super::{Dataset, FormatError, Warning, Warnings};
use super::SourceStep;
use super::call::Call;

/// Fails unless each step calls a source, defines a new variable and uses only those of earlier steps.
pub(super) fn sound(
    steps: &[SourceStep],
    calls: &[Call<'_>],
    dataset: Dataset,
    warnings: &mut Warnings,
) -> Result<(), FormatError> {
    let mut defined: FxHashMap<&str, usize> = FxHashMap::default();
    for (place, step) in steps.iter().enumerate() {
        defined.entry(&step.var).or_insert(place);
    }
    for (step, (planned, call)) in steps.iter().zip(calls).enumerate() {
        match dataset.source(call.name) {
            Some((_, false)) => {}
            Some((_, true)) => {
                warnings.insert(Warning::SourceAlias);
            }
            None => {
                return Err(FormatError::UnknownSource { step, name: call.name.to_owned(), dataset });
            }
        }
        if defined.get(planned.var.as_str()) != Some(&step) {
            return Err(FormatError::DuplicateVariable { step, var: planned.var.clone() });
        }
        for name in &planned.refs {
            reference(step, name, steps, &defined)?;
        }
    }
    Ok(())
}

/// Whether a step may use a variable.
fn reference(
    step: usize,
    name: &str,
    steps: &[SourceStep],
    defined: &FxHashMap<&str, usize>,
) -> Result<(), FormatError> {
    let reference = name.to_owned();
    match defined.get(name) {
        Some(other) if *other < step => Ok(()),
        Some(other) if depends(*other, step, steps, defined) => Err(FormatError::Cycle { step, reference }),
        Some(_) => Err(FormatError::ForwardReference { step, reference }),
        None => Err(FormatError::UndefinedReference { step, reference }),
    }
}

/// Whether a step is another one, or needs its result, maybe through further steps.
fn depends(step: usize, other: usize, steps: &[SourceStep], defined: &FxHashMap<&str, usize>) -> bool {
    let mut seen = vec![false; steps.len()];
    let mut open = vec![step];
    while let Some(step) = open.pop() {
        if step == other {
            return true;
        }
        let Some(seen) = seen.get_mut(step).filter(|seen| !**seen) else {
            continue;
        };
        *seen = true;
        let refs = steps.get(step).map_or(&[][..], |step| &step.refs);
        open.extend(refs.iter().filter_map(|name| defined.get(name.as_str())));
    }
    false
}
