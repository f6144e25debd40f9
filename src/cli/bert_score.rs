//! The similarity of responses and references by the vectors of a model: BERTScore where its server gives a
//! vector of each token, else the similarity of whole texts, which is never called BERTScore.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::anyhow;
use clap::Args;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::model_client::{call, model_client};
use super::output::runtime;
use rolecall_core::domain::{EpisodeId, TextVectors};
use rolecall_core::evaluation::{Standing, measure};
use rolecall_core::ports::model::{CallTrace, Embedding};
use rolecall_core::ports::{EpisodeLog, ModelClient, ModelError, Response};
use rolecall_core::reports::{Align, Table};
use rolecall_core::text::overlap::{Embedded, Padding, PrecisionRecall, baseline, best_of, greedy, rescaled};
use rolecall_run::registry::Registry;

/// Samples that are asked about at the same time; the model's own limits hold besides.
const AT_ONCE: usize = 16;

/// The arguments of `analyse` about it.
#[derive(Args, Debug)]
pub(super) struct BertScoreArguments {
    /// Compare responses of dialogue tasks with their references by this model's vectors as well:
    /// BERTScore if its server gives one of each token, else the similarity of whole texts
    #[arg(long, value_name = "MODEL", requires = "with", conflicts_with = "html")]
    embeddings: Option<String>,
    /// The config that describes the model of --embeddings
    #[arg(long, value_name = "CONFIG", requires = "embeddings")]
    with: Option<PathBuf>,
    /// The layer that the vectors are of: BERTScore is rescaled if a baseline of model, layer and
    /// language is known
    #[arg(long, value_name = "N", requires = "embeddings")]
    layer: Option<usize>,
}

/// Collects responses and compares them.
pub(super) struct BertScore {
    model: Arc<dyn ModelClient>,
    layer: Option<usize>,
    registry: Registry,
    /// Each with run, cell and kind of task: data sets are told apart by it.
    responses: Vec<([String; 3], EpisodeId, Response)>,
}

/// The comparisons by run, cell and kind of task.
pub(super) struct BertScores {
    model: String,
    /// Vectors of each token were to be had.
    is_bert: bool,
    rows: BTreeMap<[String; 3], Row>,
    /// F1 of each response.
    each: Vec<(EpisodeId, f64)>,
}

/// The mean over the samples of a row.
#[derive(Default)]
struct Row {
    samples: usize,
    /// Of the similarity of whole texts, only `f1` is used.
    sum: PrecisionRecall,
    rescaled: bool,
}

impl BertScore {
    /// None unless it is asked for.
    pub(super) fn new(arguments: &BertScoreArguments, registry: &Registry) -> anyhow::Result<Option<Self>> {
        let (Some(name), Some(config)) = (&arguments.embeddings, &arguments.with) else {
            return Ok(None);
        };
        Ok(Some(Self::by(model_client(config, &[], name, registry)?, arguments.layer, registry)))
    }

    /// By the vectors of this model, which are of that layer.
    pub(super) fn by(model: Arc<dyn ModelClient>, layer: Option<usize>, registry: &Registry) -> Self {
        Self { model, layer, registry: registry.clone(), responses: Vec::new() }
    }

    /// Takes an episode's response, if its task asks for one and it counts.
    pub(super) fn add(&mut self, run: &str, log: &EpisodeLog<'_>) {
        let Some(response) = self.registry.response(log) else {
            return;
        };
        let result = measure(log, &[]);
        if result.standing() == Standing::Counted && !response.references.is_empty() {
            let row = [run, result.episode.cell.as_str(), &result.kind].map(str::to_owned);
            self.responses.push((row, result.episode, response));
        }
    }

    /// Asks the model about all of them.
    pub(super) fn finish(self) -> anyhow::Result<BertScores> {
        runtime()?.block_on(self.compared()).map_err(|error| anyhow!("the vectors of `{}`: {error}", self.model.name()))
    }

    async fn compared(&self) -> Result<BertScores, ModelError> {
        let is_bert = self.gives_tokens().await?;
        let scores: Vec<(PrecisionRecall, bool)> = stream::iter(&self.responses)
            .map(|(_, _, response)| self.one(response, is_bert))
            .buffered(AT_ONCE)
            .try_collect()
            .await?;
        let mut rows: BTreeMap<[String; 3], Row> = BTreeMap::new();
        let mut each = Vec::new();
        for ((row, episode, _), (score, rescaled)) in self.responses.iter().zip(scores) {
            each.push((episode.clone(), score.f1));
            let row = rows.entry(row.clone()).or_default();
            row.samples += 1;
            row.rescaled = rescaled;
            row.sum.precision += score.precision;
            row.sum.recall += score.recall;
            row.sum.f1 += score.f1;
        }
        Ok(BertScores { model: self.model.name().to_owned(), is_bert, rows, each })
    }

    /// Whether the server gives a vector of each token, tried with the longest reference: of one token,
    /// nobody could tell.
    async fn gives_tokens(&self) -> Result<bool, ModelError> {
        let references = self.responses.iter().flat_map(|(_, _, response)| &response.references);
        let Some(longest) = references.max_by_key(|text| text.len()) else {
            return Ok(false);
        };
        match self.embed(vec![longest.clone()], true).await {
            Ok(_) => Ok(true),
            // Another server, or one that makes vectors of whole texts.
            Err(ModelError::Unsupported(_) | ModelError::BadRequest(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// The best over the references, and whether it is rescaled. An empty text is like nothing.
    async fn one(&self, response: &Response, is_bert: bool) -> Result<(PrecisionRecall, bool), ModelError> {
        let said = &response.text;
        let references = response.references.iter().filter(|text| !text.trim().is_empty());
        let texts: Vec<String> = std::iter::once(said).chain(references).cloned().collect();
        if said.trim().is_empty() || texts.len() < 2 {
            return Ok(self.rescaled(response, PrecisionRecall::default(), is_bert));
        }
        let vectors = self.embed(texts, is_bert).await?;
        let Some((said, references)) = vectors.split_first() else {
            return Ok((PrecisionRecall::default(), false));
        };
        let compare = if is_bert { bert_score } else { similarity };
        let scores =
            references.iter().map(|reference| compare(said, reference)).collect::<Result<Vec<_>, ModelError>>()?;
        Ok(self.rescaled(response, best_of(&scores).unwrap_or_default(), is_bert))
    }

    fn rescaled(&self, response: &Response, score: PrecisionRecall, is_bert: bool) -> (PrecisionRecall, bool) {
        let layer = self.layer.filter(|_| is_bert);
        match layer.and_then(|layer| baseline(&response.language, &self.model.profile().model, layer)) {
            Some(baseline) => (rescaled(score, baseline), true),
            None => (score, false),
        }
    }

    async fn embed(&self, texts: Vec<String>, each_token: bool) -> Result<Vec<TextVectors>, ModelError> {
        let context = call("analyse/embeddings".to_owned(), CancellationToken::new());
        self.model.embed(&Embedding { texts, each_token }, &context, &mut CallTrace::default()).await
    }
}

/// BERTScore without idf: special tokens are matched and have no weight.
fn bert_score(said: &TextVectors, reference: &TextVectors) -> Result<PrecisionRecall, ModelError> {
    let weights = |text: &TextVectors| -> Vec<f64> { text.special.iter().map(|special| (!special).into()).collect() };
    let said = Embedded { vectors: &said.vectors, weights: &weights(said) };
    let reference = Embedded { vectors: &reference.vectors, weights: &weights(reference) };
    greedy(said, reference, Padding::default()).map_err(|error| ModelError::Malformed(error.to_string()))
}

/// The cosine of two whole texts, as `f1`.
fn similarity(said: &TextVectors, reference: &TextVectors) -> Result<PrecisionRecall, ModelError> {
    let (Some(one), Some(other)) = (said.vectors.first(), reference.vectors.first()) else {
        return Err(ModelError::Malformed("a text without a vector".to_owned()));
    };
    if one.len() != other.len() {
        return Err(ModelError::Malformed("vectors of different lengths".to_owned()));
    }
    let product = |one: &[f64], other: &[f64]| one.iter().zip(other).map(|(one, other)| one * other).sum::<f64>();
    let lengths = product(one, one).sqrt() * product(other, other).sqrt();
    Ok(PrecisionRecall { f1: product(one, other) / lengths, ..PrecisionRecall::default() })
}

impl BertScores {
    /// BERTScore's F1 of each response; none if the vectors were of whole texts.
    pub(super) fn bert_scores(self) -> Option<impl Iterator<Item = (EpisodeId, f64)>> {
        self.is_bert.then(|| self.each.into_iter())
    }

    /// The name of the figures, and how they were made.
    pub(super) fn title(&self) -> String {
        let model = &self.model;
        match self.is_bert {
            true => format!("BERTScore x 100 (vectors of each token by `{model}`, idf: no)"),
            false => format!("Embedding similarity x 100 (cosine of whole texts by `{model}`)"),
        }
    }

    /// A row for each run, cell and data set.
    pub(super) fn table(&self) -> Table {
        let heads: &[&str] = match self.is_bert {
            true => &["precision", "recall", "F1", "rescaled"],
            false => &["similarity"],
        };
        let mut table = Table::new(&self.title())
            .keys_of(["run", "cell", "data set"])
            .column("responses", Align::Right)
            .numbers(heads.iter().copied());
        for (names, row) in &self.rows {
            let mut cells = names.to_vec();
            cells.push(row.samples.to_string());
            let shown = |sum: f64| format!("{:.2}", row.mean(sum) * 100.0);
            if self.is_bert {
                cells.extend([row.sum.precision, row.sum.recall, row.sum.f1].map(shown));
                cells.push(if row.rescaled { "yes" } else { "no" }.to_owned());
            } else {
                cells.push(shown(row.sum.f1));
            }
            table.row(cells);
        }
        table
    }

    /// The figures for programs, as shares of 1.
    pub(super) fn object(&self) -> Value {
        let rows = self.rows.iter().map(|([run, cell, dataset], row)| {
            let mut object = json!({"run": run, "cell": cell, "dataset": dataset, "responses": row.samples});
            if self.is_bert {
                object["bert_score"] = json!({
                    "precision": row.mean(row.sum.precision),
                    "recall": row.mean(row.sum.recall),
                    "f1": row.mean(row.sum.f1),
                    "rescaled": row.rescaled,
                });
            } else {
                object["embedding_similarity"] = row.mean(row.sum.f1).into();
            }
            object
        });
        json!({"model": self.model, "rows": rows.collect::<Vec<_>>()})
    }
}

impl Row {
    fn mean(&self, sum: f64) -> f64 {
        sum / self.samples.max(1) as f64
    }
}
