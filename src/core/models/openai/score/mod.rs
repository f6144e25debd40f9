//! The likelihood of each of several texts after a prompt (ABA equation 4): the sum of the
//! log-probabilities of the text's tokens after the prompt.

mod echo;
mod tokens;

use super::failure::{lost, malformed};
use crate::domain::CandidateScore;
use crate::models::Failed;
use crate::ports::ModelError;

pub(crate) use echo::by_echo;
pub(crate) use tokens::by_tokens;

/// The server cannot do this.
fn unsupported(text: &str) -> Failed {
    for_good(ModelError::Unsupported(text.to_owned()))
}

/// A failure that would come again.
fn for_good(error: ModelError) -> Failed {
    lost(error, None)
}

/// The scores, if each is a number: sums of numbers may be none, and the log could not hold them.
fn finite(scores: Vec<CandidateScore>) -> Result<Vec<CandidateScore>, Failed> {
    if scores.iter().all(|score| score.logprob.is_finite()) {
        return Ok(scores);
    }
    Err(malformed("log-probabilities whose sum is no number"))
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
