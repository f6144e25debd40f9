//! Dense retrieval (TPE section B.2, Table 10): texts and queries become vectors at an embeddings
//! endpoint, and the best text is the one whose vector points most nearly where the query's does.

use std::sync::Arc;

use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use super::retriever::{Index, Retriever};
use crate::ports::model::{CallContext, Embedding, RequestHash, Waiting};
use crate::ports::{EnvironmentError, ModelClient};

/// Scores are rounded to so many parts of 1: servers that compute several requests at once do not give
/// the same last digits twice, and an episode that is played again compares what it sees.
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
    /// Names the texts, for whoever tells one sample's requests from another's.
    texts: String,
}

#[async_trait]
impl Retriever for DenseRetriever {
    async fn index(&self, texts: &[String]) -> Result<Box<dyn Index>, EnvironmentError> {
        let parts: Vec<&[u8]> = texts.iter().map(String::as_bytes).collect();
        let mut index = DenseIndex {
            model: Arc::clone(&self.model),
            vectors: vec![None; texts.len()],
            texts: RequestHash::of(&parts).to_string(),
        };
        let (places, said): (Vec<usize>, Vec<String>) = texts
            .iter()
            .enumerate()
            .filter(|(_, text)| !text.trim().is_empty())
            .map(|(place, text)| (place, text.clone()))
            .unzip();
        let vectors = index.ask(said, "texts").await?;
        for (place, vector) in places.into_iter().zip(vectors) {
            if let Some(free) = index.vectors.get_mut(place) {
                *free = Some(vector);
            }
        }
        Ok(Box::new(index))
    }
}

#[async_trait]
impl Index for DenseIndex {
    /// The cosines, from -1 to 1; 0 where the query or the text is blank.
    async fn scores(&self, query: &str) -> Result<Vec<f64>, EnvironmentError> {
        let nothing = query.trim().is_empty() || self.vectors.iter().all(Option::is_none);
        if nothing {
            return Ok(vec![0.0; self.vectors.len()]);
        }
        let asked = self.ask(vec![query.to_owned()], "query").await?;
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
    async fn ask(&self, texts: Vec<String>, what: &str) -> Result<Vec<Vec<f64>>, EnvironmentError> {
        if texts.is_empty() {
            return Ok(Vec::new());
        }
        let context = CallContext {
            key: format!("{}/{what}", self.texts),
            run: Arc::default(),
            occurrence: 0,
            // Whoever no longer wants the answer drops the call.
            cancel: CancellationToken::new(),
            waiting: Waiting::default(),
        };
        let vectors = self.model.embed(&Embedding::of(texts), &context).await;
        let vectors = vectors.map_err(|error| self.failed(&error.to_string()))?;
        let first = |text: crate::domain::TextVectors| {
            let vector = text.vectors.into_iter().next().unwrap_or_default();
            direction(&vector)
        };
        Ok(vectors.into_iter().map(first).collect())
    }

    fn cosine(&self, query: &[f64], text: &[f64]) -> Result<f64, EnvironmentError> {
        let (one, other) = (query.len(), text.len());
        if one != other {
            return Err(self.failed(&format!(
                "the query's vector has {one} numbers and a text's has {other}"
            )));
        }
        let products = query.iter().zip(text).map(|(one, other)| one * other);
        let cosine: f64 = products.sum::<f64>().clamp(-1.0, 1.0);
        // The last sum makes 0 of -0.
        Ok((cosine * PARTS).round() / PARTS + 0.0)
    }

    fn failed(&self, problem: &str) -> EnvironmentError {
        let model = self.model.name();
        EnvironmentError::Failed(format!(
            "the embeddings of `{model}` (environment.embeddings): {problem}"
        ))
    }
}

/// The same direction with the length 1.
fn direction(vector: &[f64]) -> Vec<f64> {
    let length = vector.iter().map(|number| number * number).sum::<f64>();
    let length = length.sqrt();
    vector.iter().map(|number| number / length).collect()
}
