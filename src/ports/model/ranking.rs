//! Texts by how relevant they are to a query.

use super::error::ModelError;

/// Texts whose relevance to a query is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranking {
    /// The query.
    pub query: String,
    /// The texts.
    pub texts: Vec<String>,
}

/// The error of a model that cannot do this at all, with what to do.
pub fn no_ranking(model: &str) -> ModelError {
    ModelError::Unsupported(format!(
        "`{model}` ranks no texts; name a model with `provider = \"openai\"` whose server has `/v1/rerank`"
    ))
}
