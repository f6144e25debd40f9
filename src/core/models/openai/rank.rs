//! The relevance of texts to a query, as cross-encoders tell it over `/v1/rerank`: the interface of Cohere and Jina,
//! which vLLM and llama.cpp have as well.

use serde::Deserialize;
use serde_json::Value;

use super::body::{RERANK, texts_of};
use super::embed::{for_good, said_well};
use super::http::CountedHttp;
use super::reply::whole;
use crate::domain::{ModelReply, Usage};
use crate::models::{Attempt, Failed};
use crate::ports::ModelError;
use crate::ports::model::EncodedRequest;

/// The answer.
#[derive(Deserialize)]
struct WireRanking {
    #[serde(default)]
    results: Vec<WireRelevance>,
    usage: Option<Value>,
    error: Option<Value>,
}

/// A text by its number; a figure that is none is `null` in JSON.
#[derive(Deserialize)]
struct WireRelevance {
    index: usize,
    relevance_score: Option<f64>,
}

/// The relevance of each text.
pub(crate) async fn by_relevance(http: &mut CountedHttp<'_>, request: &EncodedRequest) -> Result<Attempt, Failed> {
    let texts = texts_of(&request.body).map_err(for_good)?;
    let url = http.server.address().versioned(RERANK);
    let wire: WireRanking = http.ask(&url, request.body.clone()).await?;
    said_well(http, wire.error)?;
    let relevance = in_order(wire.results, texts.len()).map_err(|problem| for_good(ModelError::Malformed(problem)))?;
    let counted =
        wire.usage.as_ref().and_then(|usage| whole(usage.get("prompt_tokens").or(usage.get("total_tokens"))?));
    let usage =
        Usage { prompt: counted.unwrap_or(request.estimated_tokens), completion: 0, estimated: counted.is_none() };
    Ok(Attempt::of(ModelReply { relevance, usage, ..ModelReply::default() }))
}

/// The figures in the order of the texts: one for each.
fn in_order(came: Vec<WireRelevance>, texts: usize) -> Result<Vec<f64>, String> {
    let mut placed = vec![None; texts];
    for WireRelevance { index, relevance_score } in came {
        let place = placed.get_mut(index).ok_or(format!("a figure of text {index}, where {texts} were sent"))?;
        *place = relevance_score.filter(|figure| figure.is_finite());
    }
    let figures: Option<Vec<f64>> = placed.into_iter().collect();
    figures.ok_or_else(|| format!("some of the {texts} texts have no `relevance_score`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_has_its_figure_whatever_their_order() {
        let one = |index, relevance_score| WireRelevance { index, relevance_score };
        let came = vec![one(1, Some(-2.5)), one(0, Some(0.5))];
        assert_eq!(in_order(came, 2).unwrap(), [0.5, -2.5]);
        for (came, problem) in [
            (vec![one(0, Some(1.0))], "some of the 2 texts have no"),
            (vec![one(0, Some(1.0)), one(1, None)], "some of the 2 texts"),
            (vec![one(2, Some(1.0))], "a figure of text 2, where 2"),
        ] {
            let told = in_order(came, 2).unwrap_err();
            assert!(told.contains(problem), "{told}");
        }
    }
}
