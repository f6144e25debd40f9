//! Texts as vectors: one of each text over `/v1/embeddings`, and one of each token over llama.cpp's own
//! routes (`--pooling none`), which other servers do not have.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

use super::body::{EMBEDDINGS, RERANK, texts_of};
use super::failure::{Said, failed, lost};
use super::http::CountedHttp;
use super::reply::whole;
use crate::domain::{ModelReply, TextVectors, Usage};
use crate::models::{Attempt, Failed};
use crate::ports::ModelError;
use crate::ports::model::{EncodedRequest, ModelSettings};

/// The answer of `/v1/embeddings`.
#[derive(Deserialize)]
struct WireVectors {
    data: Option<Vec<WireText<Option<f64>>>>,
    usage: Option<Value>,
    error: Option<Value>,
}

/// A text with its numbers, or with the vectors of its tokens; a number that is none is `null` in JSON.
#[derive(Deserialize)]
struct WireText<T> {
    index: Option<usize>,
    #[serde(default = "Vec::new")]
    embedding: Vec<T>,
}

/// The answers of servers where llama.cpp gives the vectors of tokens.
#[derive(Deserialize)]
#[serde(untagged)]
enum WireOfTokens {
    Texts(Vec<WireText<Vec<Option<f64>>>>),
    /// The answer of `/v1/embeddings`, by servers that have it under both addresses.
    Other(IgnoredAny),
}

/// The tokens of a text.
#[derive(Deserialize)]
struct Tokens {
    tokens: Vec<u32>,
}

/// Cuts a text into tokens, with the special ones that begin and end texts or without them.
pub(crate) async fn tokenize(http: &mut CountedHttp<'_>, text: &str, special: bool) -> Result<Vec<u32>, Failed> {
    let body = json!({"content": text, "add_special": special}).to_string();
    let url = http.server.address().own("tokenize");
    let read: Tokens = http.ask(&url, body.into()).await?;
    Ok(read.tokens)
}

/// One vector for each text.
pub(crate) async fn whole_texts(http: &mut CountedHttp<'_>, request: &EncodedRequest) -> Result<Attempt, Failed> {
    let texts = texts_of(&request.body).map_err(for_good)?;
    let url = http.server.address().versioned(EMBEDDINGS);
    let body = request.body.clone();
    let wire: WireVectors = http.ask(&url, body).await?;
    said_well(http, wire.error)?;
    let came = wire.data.unwrap_or_default().into_iter().map(|text| (text.index, vec![text.embedding]));
    let vectors = in_order(came.collect(), texts.len())?.into_iter();
    let vectors = vectors.map(|vectors| TextVectors { vectors, special: Vec::new() });
    let usage = wire.usage;
    let counted = usage.and_then(|usage| whole(usage.get("prompt_tokens")?));
    Ok(embedded(&http.server.settings, &texts, vectors.collect(), counted))
}

/// Fails if an answer of status 200 tells of an error.
pub(crate) fn said_well(http: &CountedHttp<'_>, error: Option<Value>) -> Result<(), Failed> {
    let Some(error) = error.filter(|error| !error.is_null()) else {
        return Ok(());
    };
    let said = Said::of_value(&json!({"error": error}));
    Err(failed(200, &said, None, http.server.secrets().into_iter()))
}

/// One vector for each token. Which of them are no part of the text, a second way of cutting the text into
/// tokens tells.
pub(crate) async fn each_token(http: &mut CountedHttp<'_>, request: &EncodedRequest) -> Result<Attempt, Failed> {
    let texts = texts_of(&request.body).map_err(for_good)?;
    let url = http.server.address().own(EMBEDDINGS);
    let WireOfTokens::Texts(came) = http.ask(&url, request.body.clone()).await? else {
        return Err(for_good(no_tokens()));
    };
    let came = came.into_iter().map(|text| (text.index, text.embedding));
    let vectors = in_order(came.collect(), texts.len())?;
    let mut all = Vec::with_capacity(texts.len());
    let mut prompt = 0;
    for (text, vectors) in texts.iter().zip(vectors) {
        let tokens = tokenize(http, text, true).await?;
        let plain = tokenize(http, text, false).await?;
        prompt += tokens.len() as u64;
        let special = specials(&tokens, &plain, vectors.len()).map_err(for_good)?;
        all.push(TextVectors { vectors, special });
    }
    Ok(embedded(&http.server.settings, &texts, all, Some(prompt)))
}

fn embedded(settings: &ModelSettings, texts: &[String], vectors: Vec<TextVectors>, counted: Option<u64>) -> Attempt {
    let letters = texts.iter().map(String::len).sum();
    let usage = Usage {
        prompt: counted.unwrap_or_else(|| settings.profile.tokens(letters)),
        completion: 0,
        estimated: counted.is_none(),
        ..Usage::default()
    };
    Attempt::of(ModelReply { usage, vectors, ..ModelReply::default() })
}

/// A failure that would come again.
pub(crate) fn for_good(error: ModelError) -> Failed {
    lost(error, None)
}

/// Which of all tokens are not the text's own: those before and behind them.
fn specials(all: &[u32], words: &[u32], vectors: usize) -> Result<Vec<bool>, ModelError> {
    if vectors == 1 && all.len() > 1 {
        return Err(no_tokens());
    }
    if vectors != all.len() {
        let text = format!("{vectors} vectors came of a text with {} tokens", all.len());
        return Err(ModelError::Malformed(text));
    }
    let mut places = 0..=all.len().saturating_sub(words.len());
    let begins = places.find(|place| all.get(*place..).is_some_and(|rest| rest.starts_with(words)));
    let Some(begins) = begins else {
        let text = "the tokens of a text are not among those with special ones";
        return Err(ModelError::Malformed(text.to_owned()));
    };
    let is_own = begins..begins + words.len();
    let special = (0..all.len()).map(|place| !is_own.contains(&place));
    Ok(special.collect())
}

fn no_tokens() -> ModelError {
    let text = "its server gives one vector of a whole text, not one of each token; start it with \
                `--pooling none`";
    ModelError::Unsupported(text.to_owned())
}

/// A text's vectors as they came, with the text's number.
type Came = (Option<usize>, Vec<Vec<Option<f64>>>);

/// The vectors of each text, in the order of the texts. What is wrong with them would be wrong again.
fn in_order(came: Vec<Came>, texts: usize) -> Result<Vec<Vec<Vec<f64>>>, Failed> {
    let wrong = |text: String| for_good(ModelError::Malformed(text));
    let number = came.len();
    let mut placed = vec![Vec::new(); texts];
    let mut length = None;
    for (place, (index, vectors)) in came.into_iter().enumerate() {
        let index = index.unwrap_or(place);
        let free = placed.get_mut(index).filter(|free| free.is_empty());
        let many = || format!("a vector of text {index}, of {texts} texts, is one too many");
        let free: &mut Vec<Vec<f64>> = free.ok_or_else(|| wrong(many()))?;
        for vector in vectors {
            let vector = finite(vector).map_err(wrong)?;
            let (found, expected) = (vector.len(), *length.get_or_insert(vector.len()));
            if found != expected {
                let text = format!("a vector of {found} numbers beside one of {expected}");
                return Err(wrong(text));
            }
            free.push(vector);
        }
    }
    match placed.iter().any(Vec::is_empty) {
        true => Err(wrong(format!("vectors of {number} texts came, of {texts} were wanted"))),
        false => Ok(placed),
    }
}

/// Numbers with a direction: some of them not 0, and a length that is a number.
fn finite(vector: Vec<Option<f64>>) -> Result<Vec<f64>, String> {
    let numbers: Option<Vec<f64>> = vector.into_iter().collect();
    let numbers = numbers.ok_or("a vector with something that is no number")?;
    let length: f64 = numbers.iter().map(|number| number * number).sum();
    match length.is_normal() {
        true => Ok(numbers),
        false => Err("a vector without a direction: all zeros, or too large".to_owned()),
    }
}

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

/// The relevance of each text to a query, by the interface of Cohere and Jina, which vLLM and llama.cpp have as well.
pub(crate) async fn by_relevance(http: &mut CountedHttp<'_>, request: &EncodedRequest) -> Result<Attempt, Failed> {
    let texts = texts_of(&request.body).map_err(for_good)?;
    let url = http.server.address().versioned(RERANK);
    let wire: WireRanking = http.ask(&url, request.body.clone()).await?;
    said_well(http, wire.error)?;
    let relevance =
        figures_in_order(wire.results, texts.len()).map_err(|problem| for_good(ModelError::Malformed(problem)))?;
    let counted =
        wire.usage.as_ref().and_then(|usage| whole(usage.get("prompt_tokens").or(usage.get("total_tokens"))?));
    let usage = Usage {
        prompt: counted.unwrap_or(request.estimated_tokens),
        completion: 0,
        estimated: counted.is_none(),
        ..Usage::default()
    };
    Ok(Attempt::of(ModelReply { relevance, usage, ..ModelReply::default() }))
}

/// The figures in the order of the texts: one for each.
fn figures_in_order(came: Vec<WireRelevance>, texts: usize) -> Result<Vec<f64>, String> {
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

    fn numbers(numbers: &[f64]) -> Vec<Vec<Option<f64>>> {
        vec![numbers.iter().copied().map(Some).collect()]
    }

    #[test]
    fn vectors_come_in_the_order_of_the_texts() {
        let came = vec![(Some(1), numbers(&[1.0, 2.0])), (Some(0), numbers(&[3.0, 4.0]))];
        let placed = in_order(came, 2).unwrap();
        assert_eq!(placed, [vec![vec![3.0, 4.0]], vec![vec![1.0, 2.0]]]);
        let came = vec![(None, numbers(&[1.0])), (None, numbers(&[2.0]))];
        assert_eq!(in_order(came, 2).unwrap(), [vec![vec![1.0]], vec![vec![2.0]]]);
    }

    #[test]
    fn what_cannot_be_used_is_wrong_for_good() {
        let cases: [(Vec<Came>, &str); 7] = [
            (vec![(None, numbers(&[1.0]))], "vectors of 1 texts came"),
            (vec![(Some(0), numbers(&[1.0])), (Some(0), numbers(&[1.0]))], "one too many"),
            (vec![(Some(9), numbers(&[1.0]))], "one too many"),
            (vec![(None, numbers(&[1.0])), (None, numbers(&[1.0, 2.0]))], "2 numbers beside one of 1"),
            (vec![(None, vec![vec![Some(1.0), None]])], "no number"),
            (vec![(None, numbers(&[0.0, 0.0]))], "without a direction"),
            (vec![(None, numbers(&[1e300]))], "without a direction"),
        ];
        for (came, expected) in cases {
            let failed = in_order(came, 2).unwrap_err();
            let text = failed.error.to_string();
            assert!(text.contains(expected), "{text}");
            assert_eq!(failed.retry, None);
        }
        assert!(in_order(vec![(None, Vec::new()), (None, Vec::new())], 2).is_err());
        assert!(in_order(vec![(None, numbers(&[])), (None, numbers(&[]))], 2).is_err());
    }

    #[test]
    fn special_tokens_are_those_around_the_texts_own() {
        let special = specials(&[1, 7, 8, 2], &[7, 8], 4).unwrap();
        assert_eq!(special, [true, false, false, true]);
        assert_eq!(specials(&[7], &[7], 1).unwrap(), [false]);
        for (all, plain, vectors) in [(&[1, 7, 2][..], &[7][..], 1), (&[1, 7], &[7], 3), (&[1, 7], &[8], 2)] {
            assert!(specials(all, plain, vectors).is_err());
        }
    }

    #[test]
    fn every_text_has_its_figure_whatever_their_order() {
        let one = |index, relevance_score| WireRelevance { index, relevance_score };
        let came = vec![one(1, Some(-2.5)), one(0, Some(0.5))];
        assert_eq!(figures_in_order(came, 2).unwrap(), [0.5, -2.5]);
        for (came, problem) in [
            (vec![one(0, Some(1.0))], "some of the 2 texts have no"),
            (vec![one(0, Some(1.0)), one(1, None)], "some of the 2 texts"),
            (vec![one(2, Some(1.0))], "a figure of text 2, where 2"),
        ] {
            let told = figures_in_order(came, 2).unwrap_err();
            assert!(told.contains(problem), "{told}");
        }
    }
}
