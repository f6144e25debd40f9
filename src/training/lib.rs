//! `rolecall train`: a small model learns to go on as rows of episodes do (ABA section 3.2.2, equation 5), by gradients
//! of our own: candle would bring 129 packages and five minutes of building for one kind of layer; these are some 500
//! lines on the kernels that play the model, checked against differences.

mod attention;
mod card;
mod examples;
mod gradient;
mod optimizer;
mod rows;
mod settings;

pub use card::{Foretold, Trained};
pub use settings::{DataSettings, Learning, ModelSize, TrainSettings};

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};

use crate::examples::{DRAWS, Example, Names, batches, weight};
use crate::gradient::Learner;
use crate::optimizer::Optimizer;
use crate::rows::Sequence;
use rolecall_core::files;
use rolecall_core::text::Dice;
use rolecall_core::transformer::shape::{Part, Tensor};
use rolecall_core::transformer::{Shape, Vocabulary, encode};

/// The file of a training that goes on, in the folder of its model.
const STATE: &str = "training.state";
/// Seconds between two saves of the state.
const SAVED_EVERY: f64 = 30.0;
/// Evaluations over a whole training.
const EVALUATIONS: u64 = 10;
/// Steps over which the size of a step grows from nothing.
const WARM_UP: f32 = 50.0;
/// The share of tokens after which steps become smaller.
const FALLS_FROM: f32 = 0.4;

/// Where the rows of a training are: files, each with what is written before its texts.
pub type RowFiles = [(PathBuf, String)];

/// How a training stands.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Tokens that were learned from, of how many.
    pub tokens: u64,
    /// All that will be.
    pub of: u64,
    /// Tokens a second, of this process.
    pub rate: f64,
    /// The loss of the last steps.
    pub loss: f32,
    /// Predictions on the held-out sequences, by kind of move; of some steps only.
    pub held_out: Option<BTreeMap<String, Foretold>>,
}

/// Whoever watches a training.
pub trait Watch {
    /// Is told after each step.
    fn step(&mut self, progress: &Progress);
    /// Whether it is to stop: its state is saved, and it goes on when it is begun the next time.
    fn stops(&self) -> bool;
}

/// A training that is set up.
pub struct Training {
    settings: TrainSettings,
    vocabulary: Vocabulary,
    names: Names,
    shape: Shape,
    learner: Learner,
    examples: Vec<Example>,
    held_out: Vec<Example>,
    state: State,
    folder: PathBuf,
}

impl Training {
    /// Reads the rows, and the state of a training that was stopped.
    ///
    /// # Errors
    /// When rows cannot be read, or are too few.
    pub fn new(settings: TrainSettings, files: &RowFiles, folder: &Path) -> anyhow::Result<Self> {
        settings.check().map_err(anyhow::Error::msg)?;
        let (sequences, digest) = read(&settings, files)?;
        let longest = settings.learning.longest;
        let (learned, held_out) = split(sequences, &settings);
        let vocabulary = examples::vocabulary(&learned, &settings.names);
        let tokens = |sequences: Vec<Sequence>| -> Vec<Example> {
            sequences
                .iter()
                .map(|sequence| Example::new(sequence, &vocabulary))
                .filter(|example| example.tokens.len() <= longest)
                .collect()
        };
        let (examples, held_out) = (tokens(learned), tokens(held_out));
        if examples.is_empty() {
            bail!("there is no sequence of at most {longest} tokens to learn from");
        }
        let shape = settings.shape(vocabulary.len());
        let fresh = || State {
            digest: digest.clone(),
            tokens: 0,
            pass: 0,
            batch: 0,
            seconds: 0.0,
            parameters: beginning(shape, settings.seed),
            optimizer: Optimizer::new(shape),
        };
        Ok(Self {
            state: State::read(&folder.join(STATE), &digest).unwrap_or_else(fresh),
            learner: Learner::new(shape, longest),
            folder: folder.to_owned(),
            settings,
            names: Names::new(&vocabulary),
            vocabulary,
            shape,
            examples,
            held_out,
        })
    }

    /// Sequences that are learned from, and those that are held out.
    pub fn sequences(&self) -> (usize, usize) {
        (self.examples.len(), self.held_out.len())
    }

    /// Tokens that an earlier process learned from.
    pub fn begun(&self) -> u64 {
        self.state.tokens
    }

    /// The shape of the model.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Learns to the end, and writes the model; none if it was stopped.
    ///
    /// # Errors
    /// When a file cannot be written, or the training went astray.
    #[expect(clippy::disallowed_methods, reason = "how long it takes changes no figure")]
    pub fn run(&mut self, watch: &mut dyn Watch) -> anyhow::Result<Option<Trained>> {
        fs::create_dir_all(&self.folder)?;
        let learning = self.settings.learning;
        let mut gradient = vec![0.0; self.shape.parameters()];
        let (begun, before, earlier) = (Instant::now(), self.state.tokens, self.state.seconds);
        let (mut saved, mut loss) = (0.0, None);
        let mut passing = self.batches();
        while self.state.tokens < learning.tokens {
            let Some(indices) = passing.get(self.state.batch as usize) else {
                (self.state.pass, self.state.batch) = (self.state.pass + 1, 0);
                passing = self.batches();
                continue;
            };
            let part = |tokens| tokens * EVALUATIONS / learning.tokens;
            let evaluated = part(self.state.tokens);
            let mean = self.step(indices, &mut gradient)?;
            let smooth = loss.map_or(mean, |loss| 0.95 * loss + 0.05 * mean);
            loss = Some(smooth);
            let seconds = begun.elapsed().as_secs_f64();
            self.state.seconds = earlier + seconds;
            let evaluates = part(self.state.tokens) > evaluated;
            watch.step(&Progress {
                tokens: self.state.tokens,
                of: learning.tokens,
                rate: (self.state.tokens - before) as f64 / seconds,
                loss: smooth,
                held_out: evaluates.then(|| self.foretold()),
            });
            let stops = watch.stops();
            if seconds - saved > SAVED_EVERY || stops {
                saved = seconds;
                self.state.write(&self.folder.join(STATE))?;
            }
            if stops {
                return Ok(None);
            }
        }
        self.write().map(Some)
    }

    fn batches(&self) -> Vec<Vec<usize>> {
        let (size, seed) = (self.settings.learning.batch, self.settings.seed);
        batches(&self.examples, size, seed, self.state.pass)
    }

    /// Learns from some sequences; returns the mean loss before.
    fn step(&mut self, indices: &[usize], gradient: &mut [f32]) -> anyhow::Result<f32> {
        let learning = self.settings.learning;
        let chosen: Vec<Cow<'_, Example>> = indices.iter().map(|index| self.example(*index)).collect();
        let chosen = chosen.iter().map(Cow::as_ref);
        let batch = examples::batch(chosen, |output| weight(&learning, output));
        let mean = self.learner.learn(&self.state.parameters, &batch, gradient).mean;
        if !mean.is_finite() {
            bail!("the loss is {mean}: choose a smaller `learning.rate`");
        }
        let rate = learning.rate * self.pace();
        let State { optimizer, parameters, .. } = &mut self.state;
        optimizer.step(self.shape, parameters, gradient, rate);
        self.state.tokens += batch.tokens.len() as u64;
        self.state.batch += 1;
        Ok(mean)
    }

    /// A sequence as it is learned from in this pass.
    fn example(&self, index: usize) -> Cow<'_, Example> {
        let example = &self.examples[index];
        let numbers = [self.settings.seed, self.state.pass, index as u64];
        let mut dice = Dice::new(DRAWS, "names", &numbers);
        match dice.chance(self.settings.learning.renamed) {
            true => Cow::Owned(self.names.renamed(example, &mut dice)),
            false => Cow::Borrowed(example),
        }
    }

    /// The part of the full rate by where the training stands: it rises, stays, and falls to nearly nothing.
    fn pace(&self) -> f32 {
        let share = self.state.tokens as f32 / self.settings.learning.tokens as f32;
        let warm = ((self.state.optimizer.steps + 1) as f32 / WARM_UP).min(1.0);
        let falls = ((1.0 - share) / (1.0 - FALLS_FROM)).min(1.0);
        warm * (0.02 + 0.98 * falls)
    }

    fn foretold(&self) -> BTreeMap<String, Foretold> {
        card::evaluate(&self.learner, &self.state.parameters, &self.held_out)
    }

    fn write(&self) -> anyhow::Result<Trained> {
        let failed = || format!("the model cannot be written to `{}`", self.folder.display());
        let encoded = encode(self.shape, &self.state.parameters, &self.vocabulary);
        for (name, bytes) in encoded.map_err(anyhow::Error::msg)? {
            fs::write(self.folder.join(name), bytes).with_context(failed)?;
        }
        let trained = Trained {
            shape: self.shape,
            sequences: self.examples.len(),
            held_out: self.held_out.len(),
            tokens: self.state.tokens,
            steps: self.state.optimizer.steps,
            seconds: self.state.seconds,
            foretold: self.foretold(),
        };
        let card = card::card(&self.settings, &trained);
        fs::write(self.folder.join("README.md"), card).with_context(failed)?;
        let _ = fs::remove_file(self.folder.join(STATE));
        Ok(trained)
    }
}

/// All sequences, and a hash of the settings and of all rows.
fn read(settings: &TrainSettings, files: &RowFiles) -> anyhow::Result<(Vec<Sequence>, String)> {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&serde_json::to_vec(settings)?);
    let mut sequences = Vec::new();
    for (path, prefix) in files {
        let failed = || format!("`{}`", path.display());
        hasher.update_reader(File::open(path).with_context(failed)?).with_context(failed)?;
        let file = BufReader::new(files::unpacked(path).with_context(failed)?);
        let read = rows::read(file, prefix).map_err(anyhow::Error::msg);
        sequences.extend(read.with_context(failed)?);
    }
    Ok((sequences, hasher.finalize().to_hex().to_string()))
}

/// Splits sequences for learning from held-out ones: all sequences of some drawn tasks.
fn split(sequences: Vec<Sequence>, settings: &TrainSettings) -> (Vec<Sequence>, Vec<Sequence>) {
    let drawn = |task: &str| Dice::new(DRAWS, task, &[settings.seed]).bits();
    let tasks: BTreeSet<(u64, String)> =
        sequences.iter().map(|sequence| (drawn(&sequence.task), sequence.task.clone())).collect();
    let count = settings.learning.held_out.min(tasks.len() / 5);
    let held: BTreeSet<String> = tasks.into_iter().take(count).map(|(_, task)| task).collect();
    let (held_out, learned) = sequences.into_iter().partition(|sequence| held.contains(&sequence.task));
    (learned, held_out)
}

/// Parameters to begin with: drawn, and small where many of them are added up.
fn beginning(shape: Shape, seed: u64) -> Vec<f32> {
    let mut dice = Dice::new(DRAWS, "beginning", &[seed]);
    let mut parameters = vec![1.0; shape.parameters()];
    for tensor in shape.tensors() {
        let (rows, _) = shape.size(tensor);
        let spread = match tensor {
            Tensor::Norm | Tensor::Layer(_, Part::AttentionNorm | Part::NetworkNorm) => continue,
            Tensor::Enter(_) => 0.3,
            Tensor::Leave => 0.02,
            Tensor::Layer(_, Part::AttentionOut | Part::NetworkOut) => {
                0.6 / (rows as f32).sqrt() / (0.5 + (shape.layers as f32 / 2.0).sqrt())
            }
            Tensor::Layer(..) => 0.6 / (rows as f32).sqrt(),
        };
        for parameter in &mut parameters[shape.range(tensor)] {
            // A normal draw from two even ones (Box and Muller 1958).
            let (a, b) = (1.0 - dice.fraction(), dice.fraction());
            let normal = (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos();
            *parameter = spread * normal as f32;
        }
    }
    parameters
}

/// The most bytes that are read of the file.
const LARGEST: u64 = 8 << 30;

/// Where a training stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct State {
    /// A hash of the settings and of all rows: another training has another.
    digest: String,
    /// Tokens that were learned from.
    tokens: u64,
    /// Passes over all rows, and batches of the pass that goes on.
    pass: u64,
    batch: u64,
    /// Seconds that it took.
    seconds: f64,
    parameters: Vec<f32>,
    optimizer: Optimizer,
}

impl State {
    /// Reads the state of the training of that digest; none where there is none, or one of another training.
    fn read(path: &Path, digest: &str) -> Option<Self> {
        let bytes = files::read(path, LARGEST).ok()?;
        let (hash, body) = bytes.split_at_checked(32)?;
        if blake3::hash(body).as_bytes() != hash {
            return None;
        }
        let state: Self = postcard::from_bytes(body).ok()?;
        (state.digest == digest).then_some(state)
    }

    /// Writes it in place of an older one, so that there is always a whole one.
    ///
    /// # Errors
    /// When the file cannot be written.
    fn write(&self, path: &Path) -> std::io::Result<()> {
        let body = postcard::to_stdvec(self).map_err(std::io::Error::other)?;
        let mut bytes = blake3::hash(&body).as_bytes().to_vec();
        bytes.extend(body);
        let beside = path.with_extension("new");
        fs::write(&beside, bytes)?;
        fs::rename(beside, path)
    }
}
