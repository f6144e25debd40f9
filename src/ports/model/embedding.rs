//! Texts as vectors.

use super::error::ModelError;

/// Texts of which the vectors are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Embedding {
    /// The texts. None of them may be blank: servers refuse those.
    pub texts: Vec<String>,
    /// A vector of each token is wanted, as BERTScore needs them, instead of one of the whole text.
    pub each_token: bool,
}

impl Embedding {
    /// One vector for each of the texts.
    pub fn of(texts: Vec<String>) -> Self {
        Self { texts, each_token: false }
    }
}

/// The error of a model that cannot do this at all, with what to do.
pub fn no_embeddings(model: &str) -> ModelError {
    ModelError::Unsupported(format!(
        "`{model}` makes no vectors of texts; name a model with `provider = \"openai\"` whose server \
         has `/v1/embeddings`"
    ))
}
