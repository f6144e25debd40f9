//! Ranking of a source's texts for a query.

use std::sync::Arc;

use async_trait::async_trait;

use crate::ports::EnvironmentError;
use crate::ports::model::Calls;
use crate::text::bm25::{Bm25, Tokeniser};

/// Makes indices over the few texts that a source of a sample holds (TPE section 4.1: BM25; section B.2:
/// dense vectors).
#[async_trait]
pub trait Retriever: Send + Sync {
    /// An index over the texts. Models are asked by way of `calls`.
    ///
    /// # Errors
    /// When a server that it depends on does not answer.
    async fn index(
        &self,
        texts: &[String],
        calls: &Calls,
    ) -> Result<Box<dyn Index>, EnvironmentError>;
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
    /// The number of texts that are retrieved (TPE section 5.1: 1 to 4).
    pub top_k: usize,
    /// The order of equally good texts.
    pub ties: crate::text::bm25::Ties,
}
