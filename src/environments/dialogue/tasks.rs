//! The tasks of dialogue: official files, or the built-in samples.

use std::path::Path;
use std::sync::Arc;

use super::environment::DialogueEnvironment;
use super::load::{BUILTIN, load_or_builtin};
use super::retriever::{Bm25Retriever, DenseRetriever, Retrieval, Retriever};
use super::{Options, Sample};
use serde_json::json;

use crate::language::Dataset;
use rolecall_core::domain::{PrivateInfo, PublicTask, Seat, Task};
use rolecall_core::ports::model::Embedding;
use rolecall_core::ports::settings::parameters;
use rolecall_core::ports::{
    Earlier, EnvironmentError, EnvironmentSetup, OpenTask, Parameter, Parameters, SetupError, TaskSource,
};
use rolecall_core::text::bm25::{Ties, Tokeniser};
use rolecall_core::text::mt19937::PythonRandom;
use rolecall_core::text::unique;

/// The label of the private part that metrics compare with.
pub const REFERENCE: &str = "reference";

/// The parameters of the environment.
pub const PARAMETERS: &[Parameter] = parameters![
    path("data", Some(BUILTIN), &[BUILTIN]),
        "an official file of FoCus, CIMA or PsyQA, a folder of one, a folder of folders `focus`, \
            `cima` and `psyqa`, own data (a file `.jsonl`), or `builtin`";
    choice("dataset", &["all", "focus", "cima", "psyqa"]),
        "which samples: knowledge sources (FoCus), tutoring (CIMA), counselling (PsyQA); own data: `all`";
    choice("references", &["first", "all", "each"]),
        "of several recorded responses: the first is the reference, all are, or each makes a \
            sample of its own";
    flag("as_printed", false),
        "CIMA's turns as the paper prints them: `'` for `\"`, line breaks left out";
    integer("samples", Some(0), 0..=10_000_000), "the most samples; 0: all";
    integer("sample_seed", None, 0..=u32::MAX as i64),
        "draws the samples (Python's shuffle of their sorted names); absent: the first ones";
    integer("top_k", Some(1), 1..=100),
        "how many texts a source gives for a query (TPE section 5.1)";
    choice("retriever", &["bm25", "dense"]),
        "what ranks a source's texts: words in common, or vectors of the model `embeddings` (TPE \
            Table 10)";
    model("embeddings"),
        "the model whose server makes the vectors of `retriever = \"dense\"`, one of `[models]`";
    choice("tokens", &["lower_word", "lower_ws", "ws"]),
        "what BM25 counts (`retriever = \"dense\"` does not): words of small letters, what blanks \
            separate in small letters, or as it is";
    choice("ties", &["index-asc", "stable-reversed"]),
        "which of equally good texts comes first: the earlier, or the later as in `rank_bm25`";
    choice("describe", &["descriptions", "names", "examples", "all"]),
        "what is said of each source or strategy besides its name (TPE Tables 3 and 12)";
    => SUCCESS
];

/// Criterion of success of a conversation. Runs of 0.2 and before are replayed as they were.
const SUCCESS: Parameter = Parameter::choice(
    "success",
    &["goal", "response"],
    "what solves a conversation with a user: its goal (the student says the right sentence, the client or visitor \
     leaves content), or any response",
)
.before(Earlier::Word("response"));

/// Finds the samples, once per run.
pub fn build(setup: &EnvironmentSetup) -> Result<Arc<dyn TaskSource>, SetupError> {
    let parameters = &setup.parameters;
    let (samples, file) = samples(parameters)?;
    let retriever = retriever(setup)?;
    let describe = parameters.text("describe");
    let is_builtin = |data| data == Path::new(BUILTIN);
    Ok(Arc::new(Samples {
        samples,
        _file: file,
        is_builtin: parameters.path("data").is_none_or(is_builtin),
        described: matches!(describe, Some("descriptions" | "all")),
        examples: matches!(describe, Some("examples" | "all")),
        hears: parameters.text("success") != Some("response"),
        retrieval: Retrieval {
            retriever,
            top_k: parameters.whole("top_k").unwrap_or(1),
            ties: match parameters.text("ties") {
                Some("stable-reversed") => Ties::StableReversed,
                _ => Ties::IndexAsc,
            },
        },
    }))
}

/// The retriever that ranks the texts of sources.
fn retriever(setup: &EnvironmentSetup) -> Result<Arc<dyn Retriever>, SetupError> {
    let parameters = &setup.parameters;
    if parameters.text("retriever") == Some("dense") {
        let model = parameters.model("embeddings", &setup.models)?.ok_or_else(|| {
            let problem = "is not written, and `retriever = \"dense\"` needs it; name one of the tables \
                           `[models.<name>]` whose server has `/v1/embeddings`";
            SetupError::at("embeddings", problem)
        })?;
        // A provider that lacks one says so before anything is played.
        model.encode_embedding(&Embedding::of(Vec::new())).map_err(|error| SetupError::at("embeddings", error))?;
        return Ok(Arc::new(DenseRetriever { model }));
    }
    let tokeniser = parameters.text("tokens").and_then(Tokeniser::named).unwrap_or_default();
    Ok(Arc::new(Bm25Retriever { tokeniser }))
}

/// Every sample of a file.
type Loaded = Arc<Vec<Arc<Sample>>>;

/// The samples that the parameters choose, in the order in which they are played, and all those of the
/// file.
fn samples(parameters: &Parameters) -> Result<(Vec<Arc<Sample>>, Loaded), SetupError> {
    let options = Options { references: parameters.choice("references"), as_printed: parameters.flag("as_printed") };
    let wanted = parameters.text("dataset").and_then(Dataset::named);
    let data = parameters.path("data").unwrap_or(Path::new(BUILTIN));
    let file = load_or_builtin(data, wanted, &options).map_err(|error| SetupError::at("data", error))?;
    let mut samples = Vec::clone(&file);
    samples.retain(|sample| wanted.is_none_or(|dataset| sample.dataset == dataset));
    if samples.is_empty() {
        return Err(SetupError::at("dataset", "leaves no sample: `data` holds none of this data set"));
    }
    if let Some(seed) = parameters.integer("sample_seed") {
        samples.sort_by(|one, other| one.id.cmp(&other.id));
        PythonRandom::new(seed.unsigned_abs()).shuffle(&mut samples);
    }
    if let Some(most @ 1..) = parameters.whole("samples") {
        samples.truncate(most);
    }
    Ok((samples, file))
}

/// The samples of a run as tasks.
struct Samples {
    samples: Vec<Arc<Sample>>,
    /// Kept for other cells that choose from it.
    _file: Loaded,
    is_builtin: bool,
    /// Tasks describe their sources or strategies.
    described: bool,
    /// Tasks give examples of them.
    examples: bool,
    /// Its worlds hear what users say.
    hears: bool,
    retrieval: Retrieval,
}

impl Samples {
    fn sample(&self, index: usize) -> Result<&Arc<Sample>, EnvironmentError> {
        self.samples.get(index).ok_or_else(|| {
            let all = self.samples.len();
            EnvironmentError::Data(format!("there is no sample {index}: there are {all}"))
        })
    }

    fn task(&self, sample: &Sample) -> Task {
        let text = sample.dialogue.last().map_or("", |last| &last.text);
        let public = PublicTask {
            data: sample.public_data(self.described, self.examples),
            ..PublicTask::new(sample.id.as_str(), sample.dataset.name(), text)
        };
        Task {
            public: Arc::new(public),
            private: vec![PrivateInfo {
                audience: Seat::Conductor,
                label: REFERENCE.to_owned(),
                value: Arc::new(sample.reference_data()),
            }],
        }
    }
}

impl TaskSource for Samples {
    fn len(&self) -> usize {
        self.samples.len()
    }

    fn digest(&self, tasks: &[usize]) -> Result<Option<String>, EnvironmentError> {
        if self.is_builtin {
            return Ok(None);
        }
        let mut hasher = blake3::Hasher::new();
        for index in tasks {
            let sample = self.sample(*index)?;
            let reference = sample.reference_data();
            let written = json!([sample.id, sample.dialogue, sample.sources, reference]).to_string();
            hasher.update(&(written.len() as u64).to_le_bytes());
            hasher.update(written.as_bytes());
        }
        Ok(Some(hasher.finalize().to_hex().to_string()))
    }

    fn kinds(&self) -> Vec<&'static str> {
        unique(self.samples.iter().map(|sample| sample.dataset.name()))
    }

    fn hears(&self) -> bool {
        self.hears
    }

    fn rounds_remedy(&self) -> Option<&'static str> {
        Some("leave it out")
    }

    fn open(&self, index: usize) -> Result<OpenTask, EnvironmentError> {
        let sample = Arc::clone(self.sample(index)?);
        let (retrieval, hears) = (self.retrieval.clone(), self.hears);
        Ok(OpenTask {
            task: self.task(&sample),
            environment: Arc::new(move || {
                Box::new(DialogueEnvironment::new(Arc::clone(&sample), retrieval.clone(), hears))
            }),
        })
    }
}
