//! Ranking of a source's texts for a query: by words in common (TPE section 4.1), or dense (section B.2, Table
//! 10), where texts and queries become vectors at an embeddings endpoint, and the best text is the one whose
//! vector has the direction nearest to the query's.

use std::sync::Arc;

use async_trait::async_trait;

use rolecall_core::ports::model::{Calls, Embedding, RequestHash};
use rolecall_core::ports::{EnvironmentError, ModelClient};
use rolecall_core::text::bm25::{Bm25, Tokeniser};

/// Makes indices over the few texts that a source of a sample holds (TPE section 4.1: BM25; section B.2:
/// dense vectors).
#[async_trait]
pub trait Retriever: Send + Sync {
    /// An index over the texts. Models are asked by way of `calls`.
    ///
    /// # Errors
    /// When a server that it depends on does not answer.
    async fn index(&self, texts: &[String], calls: &Calls) -> Result<Box<dyn Index>, EnvironmentError>;
}

/// The texts of a source, ready to be asked.
#[async_trait]
pub trait Index: Send + Sync {
    /// The score of each text for the query; more is better.
    ///
    /// # Errors
    /// As [`Retriever::index`].
    async fn scores(&self, query: &str, calls: &Calls) -> Result<Vec<f64>, EnvironmentError>;
}

/// BM25 in the Okapi variant of `rank_bm25`.
pub struct Bm25Retriever {
    /// The way of cutting texts and queries into tokens.
    pub tokeniser: Tokeniser,
}

#[async_trait]
impl Retriever for Bm25Retriever {
    async fn index(&self, texts: &[String], _: &Calls) -> Result<Box<dyn Index>, EnvironmentError> {
        Ok(Box::new(Bm25::new(texts, self.tokeniser)))
    }
}

#[async_trait]
impl Index for Bm25 {
    async fn scores(&self, query: &str, _: &Calls) -> Result<Vec<f64>, EnvironmentError> {
        Ok(Self::scores(self, query))
    }
}

/// The retrieval that all worlds of a run share.
#[derive(Clone)]
pub struct Retrieval {
    /// Makes the indices.
    pub retriever: Arc<dyn Retriever>,
    /// The number of retrieved texts (TPE section 5.1: 1 to 4).
    pub top_k: usize,
    /// The order of equally good texts.
    pub ties: rolecall_core::text::bm25::Ties,
}

/// Scores are rounded to so many parts of 1: servers that compute several requests at once do not give the same last
/// digits twice, and a replayed episode compares its observations.
const PARTS: f64 = 1e6;

/// Ranks by the cosine between vectors that a model makes of the query and of the texts.
pub struct DenseRetriever {
    /// The model that is asked.
    pub model: Arc<dyn ModelClient>,
}

/// The texts of a source as vectors.
struct DenseIndex {
    model: Arc<dyn ModelClient>,
    /// Of length 1; none where there is nothing but blanks.
    vectors: Vec<Option<Vec<f64>>>,
    /// Name of the texts, by which the requests of one sample are told from another's.
    texts: String,
}

#[async_trait]
impl Retriever for DenseRetriever {
    async fn index(&self, texts: &[String], calls: &Calls) -> Result<Box<dyn Index>, EnvironmentError> {
        let parts: Vec<&[u8]> = texts.iter().map(String::as_bytes).collect();
        let mut index = DenseIndex {
            model: Arc::clone(&self.model),
            vectors: Vec::new(),
            texts: RequestHash::of(&parts).to_string(),
        };
        let is_filled = |text: &&String| !text.trim().is_empty();
        let filled = texts.iter().filter(is_filled).cloned().collect();
        let mut vectors = index.ask(filled, "texts", calls).await?.into_iter();
        let vector = |text| Some(text).filter(is_filled).and_then(|_| vectors.next());
        index.vectors = texts.iter().map(vector).collect();
        Ok(Box::new(index))
    }
}

#[async_trait]
impl Index for DenseIndex {
    /// The cosines, from -1 to 1; 0 where the query or the text is blank.
    async fn scores(&self, query: &str, calls: &Calls) -> Result<Vec<f64>, EnvironmentError> {
        if query.trim().is_empty() || self.vectors.iter().all(Option::is_none) {
            return Ok(vec![0.0; self.vectors.len()]);
        }
        let asked = self.ask(vec![query.to_owned()], "query", calls).await?;
        let query = asked.into_iter().next().unwrap_or_default();
        let score = |vector: &Option<Vec<f64>>| match vector {
            Some(vector) => self.cosine(&query, vector),
            None => Ok(0.0),
        };
        self.vectors.iter().map(score).collect()
    }
}

impl DenseIndex {
    /// The vectors of texts that are not blank, of length 1, from one request.
    async fn ask(&self, texts: Vec<String>, what: &str, calls: &Calls) -> Result<Vec<Vec<f64>>, EnvironmentError> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let key = format!("{}/{what}", self.texts);
        let request = Embedding::of(texts);
        let vectors =
            calls.embed(&*self.model, &request, key).await.map_err(|error| self.failed(&error.to_string()))?;
        let firsts = vectors.into_iter().map(|text| text.vectors.into_iter().next()).map(Option::unwrap_or_default);
        Ok(firsts.map(|vector| direction(&vector)).collect())
    }

    fn cosine(&self, query: &[f64], text: &[f64]) -> Result<f64, EnvironmentError> {
        let (one, other) = (query.len(), text.len());
        if one != other {
            return Err(self.failed(&format!("the query's vector has {one} numbers and a text's has {other}")));
        }
        let cosine: f64 = query.iter().zip(text).map(|(one, other)| one * other).sum::<f64>().clamp(-1.0, 1.0);
        // The last sum makes 0 of -0.
        Ok((cosine * PARTS).round() / PARTS + 0.0)
    }

    fn failed(&self, problem: &str) -> EnvironmentError {
        let model = self.model.name();
        EnvironmentError::Failed(format!("the embeddings of `{model}` (environment.embeddings): {problem}"))
    }
}

/// Vector of length 1 in the direction of a vector.
fn direction(vector: &[f64]) -> Vec<f64> {
    let length = vector.iter().map(|number| number * number).sum::<f64>().sqrt();
    vector.iter().map(|number| number / length).collect()
}
