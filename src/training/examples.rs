//! Sequences as tokens, in batches.

use rustc_hash::{FxHashMap, FxHashSet};

use super::gradient::Batch;
use super::rows::{Kind, Segment, Sequence};
use super::settings::Learning;
use rolecall_core::text::Dice;
use rolecall_core::transformer::{Vocabulary, VocabularyCounter};

/// Sequences from which the vocabulary is taken.
const COUNTED: usize = 2000;
/// How often a run of words must be there, among all of these, to be a token.
const OFTEN: usize = 100;
/// Sequences whose batches are formed together, by length.
const SORTED: usize = 400;
/// The family of draws; another number where they change.
pub(super) const DRAWS: &str = "rolecall training 1";

/// A sequence as tokens.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Example {
    pub(super) tokens: Vec<u32>,
    /// The output that each token belongs to, by its index.
    pub(super) outputs: Vec<Option<usize>>,
    /// Kind of each output, and whether it is to be trained.
    pub(super) kinds: Vec<(String, bool)>,
}

impl Example {
    /// The tokens of a sequence. The end of an output's line belongs to the output.
    pub(super) fn new(sequence: &Sequence, vocabulary: &Vocabulary) -> Self {
        let mut example = Self { tokens: Vec::new(), outputs: Vec::new(), kinds: Vec::new() };
        for segment in &sequence.segments {
            match &segment.kind {
                Kind::Read => example.push(vocabulary, segment, None),
                Kind::Wrote(kind, trained) => {
                    example.kinds.push((kind.clone(), *trained));
                    example.push(vocabulary, segment, Some(example.kinds.len() - 1));
                }
            }
        }
        let end = Segment { text: "\n".to_owned(), kind: Kind::Read };
        example.push(vocabulary, &end, None);
        example
    }

    fn push(&mut self, vocabulary: &Vocabulary, segment: &Segment, output: Option<usize>) {
        let start = self.tokens.len();
        self.tokens.extend(vocabulary.tokens(&segment.text));
        self.outputs.resize(self.tokens.len(), output);
        if output.is_none()
            && segment.text.starts_with('\n')
            && let Some(before) = start.checked_sub(1)
        {
            self.outputs[start] = self.outputs[before];
        }
    }
}

/// The vocabulary of some sequences, with further names.
pub(super) fn vocabulary(sequences: &[Sequence], names: &[String]) -> Vocabulary {
    let mut counter = VocabularyCounter::default();
    counter.names(names.iter().cloned());
    let step = sequences.len().div_ceil(COUNTED).max(1);
    let counted: Vec<&Sequence> = sequences.iter().step_by(step).collect();
    for sequence in &counted {
        let text: String = sequence.segments.iter().map(|segment| segment.text.as_str()).collect();
        counter.count(&text);
    }
    counter.vocabulary((counted.len() / OFTEN).max(3))
}

/// Examples together, with the weight of each token.
pub(super) fn batch<'a>(
    examples: impl IntoIterator<Item = &'a Example>,
    weight: impl Fn(Option<&(String, bool)>) -> f32,
) -> Batch {
    let mut batch = Batch::default();
    for example in examples {
        batch.starts.push(batch.tokens.len());
        batch.tokens.extend(&example.tokens);
        let weights = example.outputs.iter().map(|output| weight(output.map(|output| &example.kinds[output])));
        batch.weights.extend(weights);
        if let Some(first) = batch.starts.last() {
            batch.weights[*first] = 0.0;
        }
    }
    batch.starts.push(batch.tokens.len());
    batch
}

/// Weight of a token in training.
pub(super) fn weight(learning: &Learning, output: Option<&(String, bool)>) -> f32 {
    match output {
        None => learning.context,
        Some((_, true)) => 1.0,
        Some((_, false)) => f32::from(u8::from(!learning.mask)),
    }
}

/// Names of things by their tokens, for giving things other names.
pub(super) struct Names {
    all: Vec<[u32; 2]>,
    /// The index of the name that a token is.
    of: FxHashMap<u32, usize>,
}

impl Names {
    pub(super) fn new(vocabulary: &Vocabulary) -> Self {
        let all: Vec<[u32; 2]> = vocabulary.names().collect();
        let of = all.iter().enumerate().flat_map(|(index, both)| both.map(|token| (token, index)));
        Self { of: of.collect(), all }
    }

    /// The sequence with other names for a quarter of its things, drawn from all; never one name for two of them.
    pub(super) fn renamed(&self, example: &Example, dice: &mut Dice) -> Example {
        let mut others: Vec<usize> = (0..self.all.len()).collect();
        dice.shuffle(&mut others);
        let there: FxHashSet<usize> = example.tokens.iter().filter_map(|token| self.of.get(token).copied()).collect();
        others.retain(|other| !there.contains(other));
        let mut sorted: Vec<usize> = there.into_iter().collect();
        sorted.sort_unstable();
        let changed = sorted.into_iter().filter(|_| dice.percent(25));
        let changed: FxHashMap<usize, usize> = changed.zip(others).collect();
        let mut renamed = example.clone();
        for token in &mut renamed.tokens {
            let name = self.of.get(token).copied();
            if let Some((name, other)) = name.and_then(|name| Some((name, *changed.get(&name)?))) {
                *token = self.all[other][usize::from(self.all[name][1] == *token)];
            }
        }
        renamed
    }
}

/// The batches of one pass over all examples, by index: drawn, but of examples of about one length each.
pub(super) fn batches(examples: &[Example], size: usize, seed: u64, pass: u64) -> Vec<Vec<usize>> {
    let mut dice = Dice::new(DRAWS, "order", &[seed, pass]);
    let mut order: Vec<usize> = (0..examples.len()).collect();
    dice.shuffle(&mut order);
    let mut all = Vec::new();
    for chunk in order.chunks_mut(SORTED) {
        chunk.sort_by_key(|index| examples[*index].tokens.len());
        let (mut batches, mut tokens) = (vec![Vec::new()], 0);
        for index in chunk {
            let length = examples[*index].tokens.len();
            if tokens > 0 && tokens + length > size {
                batches.push(Vec::new());
                tokens = 0;
            }
            tokens += length;
            if let Some(last) = batches.last_mut() {
                last.push(*index);
            }
        }
        dice.shuffle(&mut batches);
        all.append(&mut batches);
    }
    all
}
