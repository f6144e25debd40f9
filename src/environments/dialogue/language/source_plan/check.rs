//! Whether the steps of a plan hold together.

use rustc_hash::FxHashMap;

use super::super::{FormatError, Source, Warning, Warnings};
use super::{InputKind, SourceStep};

/// A step whose source is not known yet.
pub(super) struct Draft<'a> {
    pub(super) name: &'a str,
    pub(super) var: String,
    pub(super) input: String,
    pub(super) kind: InputKind,
    pub(super) refs: Vec<String>,
    pub(super) desc: String,
}

/// The steps, if each calls a source, defines a new variable and uses only what earlier steps define.
pub(super) fn sound(
    drafts: Vec<Draft<'_>>,
    warnings: &mut Warnings,
) -> Result<Vec<SourceStep>, FormatError> {
    let mut defined: FxHashMap<&str, usize> = FxHashMap::default();
    for (place, draft) in drafts.iter().enumerate() {
        defined.entry(&draft.var).or_insert(place);
    }
    let mut sources = Vec::with_capacity(drafts.len());
    for (step, draft) in drafts.iter().enumerate() {
        let (source, alias) =
            Source::named(draft.name).ok_or_else(|| FormatError::UnknownSource {
                step,
                name: draft.name.to_owned(),
            })?;
        if alias {
            warnings.insert(Warning::SourceAlias);
        }
        sources.push(source);
        if defined.get(draft.var.as_str()) != Some(&step) {
            let var = draft.var.clone();
            return Err(FormatError::DuplicateVariable { step, var });
        }
        for name in &draft.refs {
            reference(step, name, &drafts, &defined)?;
        }
    }
    let steps = drafts.into_iter().zip(sources);
    Ok(steps.map(|(draft, source)| step(draft, source)).collect())
}

fn step(draft: Draft<'_>, source: Source) -> SourceStep {
    SourceStep {
        var: draft.var,
        source,
        input: draft.input,
        kind: draft.kind,
        refs: draft.refs,
        desc: draft.desc,
    }
}

/// Whether a step may use a variable.
fn reference(
    step: usize,
    name: &str,
    drafts: &[Draft<'_>],
    defined: &FxHashMap<&str, usize>,
) -> Result<(), FormatError> {
    let reference = name.to_owned();
    match defined.get(name) {
        Some(other) if *other < step => Ok(()),
        Some(other) if depends(*other, step, drafts, defined) => {
            Err(FormatError::Cycle { step, reference })
        }
        Some(_) => Err(FormatError::ForwardReference { step, reference }),
        None => Err(FormatError::UndefinedReference { step, reference }),
    }
}

/// Whether a step is another one, or needs its result, maybe through further steps.
fn depends(
    step: usize,
    other: usize,
    drafts: &[Draft<'_>],
    defined: &FxHashMap<&str, usize>,
) -> bool {
    let mut seen = vec![false; drafts.len()];
    let mut open = vec![step];
    while let Some(step) = open.pop() {
        if step == other {
            return true;
        }
        let Some(seen) = seen.get_mut(step).filter(|seen| !**seen) else {
            continue;
        };
        *seen = true;
        let refs = drafts.get(step).map_or(&[][..], |draft| &draft.refs);
        open.extend(refs.iter().filter_map(|name| defined.get(name.as_str())));
    }
    false
}
