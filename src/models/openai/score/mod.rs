//! How likely a model goes on with each of several texts (ABA equation 4): the sum of the
//! log-probabilities of the text's tokens after the prompt.

mod echo;
mod tokens;

use bytes::Bytes;

use super::failure::lost;
use super::http::Http;
use super::json::parse;
use crate::domain::CandidateScore;
use crate::models::Failed;
use crate::ports::ModelError;

pub(crate) use echo::by_echo;
pub(crate) use tokens::by_tokens;

/// Requests of one scoring, counted.
struct Counted<'a> {
    http: &'a Http,
    requests: u32,
}

impl<'a> Counted<'a> {
    fn new(http: &'a Http) -> Self {
        Self { http, requests: 0 }
    }

    /// Sends JSON and reads what comes as `T`.
    async fn ask<T: serde::de::DeserializeOwned>(
        &mut self,
        url: &str,
        body: &serde_json::Value,
    ) -> Result<T, Failed> {
        let body = Bytes::from(body.to_string());
        let answer = match self.http.post_json(url, body, None).await {
            Ok(answer) => answer,
            Err(failed) => {
                self.requests += failed.requests;
                return Err(self.count(failed));
            }
        };
        self.requests += answer.requests;
        let body = self.http.accepted(answer);
        body.and_then(|body| read(&body))
            .map_err(|failed| self.count(failed))
    }

    /// The failure, with all requests so far.
    fn count(&self, failed: Failed) -> Failed {
        Failed {
            requests: self.requests,
            ..failed
        }
    }

    /// The server cannot do this.
    fn unsupported(&self, text: &str) -> Failed {
        let error = ModelError::Unsupported(text.to_owned());
        self.count(lost(error, None))
    }
}

fn read<T: serde::de::DeserializeOwned>(body: &[u8]) -> Result<T, Failed> {
    use super::failure::{cut, malformed};
    use super::json::Unreadable;
    parse(body).map_err(|error| match error {
        Unreadable::Ends => cut(error.text()),
        other => malformed(other.text()),
    })
}

/// The scores, if each is a number: sums of numbers may be none, and the log could not hold them.
fn finite(scores: Vec<CandidateScore>) -> Result<Vec<CandidateScore>, Failed> {
    if scores.iter().all(|score| score.logprob.is_finite()) {
        return Ok(scores);
    }
    let text = "log-probabilities whose sum is no number";
    Err(super::failure::malformed(text))
}

/// A failure before anything was sent.
fn unsent(error: ModelError) -> Failed {
    Failed {
        requests: 0,
        ..lost(error, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_numbers() {
        let score = |logprob| CandidateScore { logprob, tokens: 2 };
        let scores = vec![score(-1e308), score(0.0)];
        assert_eq!(finite(scores.clone()), Ok(scores));
        for logprob in [-1e308 + -1e308, f64::NAN] {
            let failed = finite(vec![score(-1.0), score(logprob)]).unwrap_err();
            assert!(matches!(failed.error, ModelError::Malformed(_)));
        }
    }
}
