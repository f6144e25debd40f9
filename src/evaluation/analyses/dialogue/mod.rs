//! Analyses of dialogue tasks: responses beside their references, planned strategies beside annotated
//! ones, and what was retrieved beside what is right (TPE sections 5.1 and 5.2, appendices B.3 and B.5).

mod retrievals;
mod strategies;

use std::collections::BTreeMap;

use super::super::overlap::Corpus;
use super::super::response::Sample;
use super::Part;
use crate::ports::EpisodeLog;

pub use retrievals::{Depth, Retrievals};
pub use strategies::{Slice, Strategies, collapsed};

/// What the episodes of a row made of the samples of one data set.
#[derive(Clone, Debug)]
pub struct Dialogues {
    /// The responses.
    pub corpus: Corpus,
    /// Strategies that were planned.
    pub planned: Strategies,
    /// Strategies that people saw in the references, one entry for each annotated reference.
    pub annotated: Strategies,
    /// Samples whose plans can be compared with annotations, and those of them that agree.
    pub agreeing: (usize, usize),
    /// What was retrieved.
    pub retrievals: Retrievals,
}

/// By data set.
pub type ByDataset = BTreeMap<String, Dialogues>;

/// Adds an episode, as far as these parts need it; one that is on no dialogue task adds nothing.
pub(super) fn add(all: &mut ByDataset, log: &EpisodeLog<'_>, parts: &[Part]) {
    let wants = |part| parts.contains(&part);
    let (responses, retrieval) = (wants(Part::Responses), wants(Part::Retrieval));
    let strategies = wants(Part::Strategies);
    if !(responses || retrieval || strategies) {
        return;
    }
    let Some(sample) = Sample::of(log) else {
        return;
    };
    let own = all
        .entry(sample.dataset.clone())
        .or_insert_with(|| Dialogues {
            corpus: Corpus::new(sample.language),
            planned: Strategies::default(),
            annotated: Strategies::default(),
            agreeing: (0, 0),
            retrievals: Retrievals::default(),
        });
    if responses {
        own.corpus.add(&sample);
    }
    if retrieval {
        own.retrievals.add(&sample);
    }
    if !strategies {
        return;
    }
    if let Some(planned) = &sample.planned {
        own.planned.add(planned);
    }
    for labels in sample.annotated.iter().filter(|labels| !labels.is_empty()) {
        own.annotated.add(labels);
    }
    if let Some(agrees) = sample.is_planned_as_annotated() {
        own.agreeing.0 += 1;
        own.agreeing.1 += usize::from(agrees);
    }
}
