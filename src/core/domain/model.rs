//! Calls of language models, as the log keeps them.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::action::is_false;

/// One call of a model, with the reply as it was used. The prompt is not repeated: it follows from
/// the persona and the events before, and `request` says whether it was the same.
///
/// The key of a call is its episode, seat, `turn`, `attempt` and `call`: an episode that is played
/// again finds its replies by it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelCall {
    /// The seat's turn in which the call was made.
    pub turn: u32,
    /// How often the turn had been tried before.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub attempt: u32,
    /// Number of the call within the attempt, given before it is sent.
    pub call: u32,
    /// How many answers of this attempt could not be read before: such a call asks again.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub again: u32,
    /// Why the answer before could not be read, in a short stable word; none where nothing is known of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unread: Option<Box<str>>,
    /// The model, as the config names it.
    pub model: String,
    /// Hash of the whole request, in hexadecimal.
    pub request: String,
    /// The model's reply.
    pub reply: ModelReply,
    /// The cost of the tokens by the prices of the config; none if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// The seat sees the call again in later turns. Others are kept in the log and not in memory.
    #[serde(default, skip_serializing_if = "is_false")]
    pub remembered: bool,
}

/// A model's reply: completions, the scores of candidates, the vectors of texts, or their relevance.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelReply {
    /// The completions, by index.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Choice>,
    /// The scores of the candidates, in the order of the request.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<CandidateScore>,
    /// The vectors of the texts, in the order of the request. No seat asks for them, so that they stand
    /// in no log.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vectors: Vec<TextVectors>,
    /// How relevant the texts are to the query, in the order of the request; more is better. As vectors, they
    /// stand in no log.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub relevance: Vec<f64>,
    /// The ids of the prompt's tokens, where the server was asked for them (`return_token_ids`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prompt_token_ids: Vec<u32>,
    /// Name of the model that answered and fingerprint of its server, as far as the server says more than the name
    /// that it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub served: Option<String>,
    /// The tokens that were used.
    #[serde(default)]
    pub usage: Usage,
    /// The cost that the provider itself states, in its currency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub billed: Option<f64>,
}

/// A text as vectors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TextVectors {
    /// One of the whole text, or one of each token.
    pub vectors: Vec<Vec<f64>>,
    /// Which vectors belong to tokens that are no part of the text, such as `[CLS]`; empty if the vector
    /// is of the whole text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub special: Vec<bool>,
}

/// One completion.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// The text; empty if there are only tool calls.
    pub text: String,
    /// Hidden thinking before the answer, where the model writes any. Nobody but readers of the log sees it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub thinking: String,
    /// Why it ends.
    #[serde(default)]
    pub finish: Finish,
    /// The calls of tools.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// The tokens with their log-probabilities, if they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tokens: Vec<TokenLogprob>,
    /// The ids of its tokens as they were drawn, where the server was asked for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub token_ids: Vec<u32>,
}

impl Choice {
    /// The bytes of its text and of its calls of tools.
    pub fn bytes(&self) -> usize {
        let calls = self.tool_calls.iter().map(ToolCall::bytes);
        self.text.len() + calls.sum::<usize>()
    }

    /// Cuts it to so many bytes, if it has more: its text first, then its calls. Arguments that are cut are
    /// no JSON any more, and stay as a text. Thinking has as much room of its own.
    pub fn cut(&mut self, most: usize) {
        cut(&mut self.thinking, most);
        if self.bytes() <= most {
            return;
        }
        self.finish = Finish::Length;
        // What is left is not what was drawn.
        self.token_ids = Vec::new();
        cut(&mut self.text, most);
        let mut room = most - self.text.len();
        let mut kept = Vec::new();
        for mut call in std::mem::take(&mut self.tool_calls) {
            if room <= call.name.len() {
                break;
            }
            if call.bytes() > room {
                let mut text = call.arguments_text().into_owned();
                cut(&mut text, room - call.name.len());
                call.arguments = Value::String(text);
            }
            room = room.saturating_sub(call.bytes());
            kept.push(call);
        }
        self.tool_calls = kept;
        let mut bytes = 0;
        let tokens = self
            .tokens
            .iter()
            .take_while(|token| {
                bytes += token.token.len().max(1);
                bytes <= most
            })
            .count();
        self.tokens.truncate(tokens);
        self.tokens.shrink_to_fit();
    }
}

/// Cuts a text to so many bytes, between letters.
fn cut(text: &mut String, most: usize) {
    text.truncate(text.floor_char_boundary(most));
    text.shrink_to_fit();
}

/// Why a completion ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// It is complete, or a stop sequence came.
    #[default]
    Stop,
    /// It was cut at the limit of tokens.
    Length,
    /// It calls tools.
    ToolCalls,
    /// The server's filter cut it.
    ContentFilter,
    /// Another reason, or none was given.
    Other,
}

/// A call of a tool that a model asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The tool's name.
    pub name: String,
    /// Its arguments; the raw text as a JSON string if it is no JSON.
    pub arguments: Value,
}

impl ToolCall {
    fn bytes(&self) -> usize {
        self.name.len() + self.arguments_text().len()
    }

    /// Its arguments as the model wrote them, but for the spaces between them.
    fn arguments_text(&self) -> Cow<'_, str> {
        match &self.arguments {
            Value::String(text) => text.into(),
            arguments => arguments.to_string().into(),
        }
    }
}

/// A generated token.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TokenLogprob {
    /// The token's text.
    pub token: String,
    /// Its natural logarithm of the probability.
    pub logprob: f64,
}

/// The log-probability that a model gives a text after a prompt (ABA equation 4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CandidateScore {
    /// The sum over the tokens of the text.
    pub logprob: f64,
    /// The number of tokens.
    pub tokens: u32,
}

/// Tokens that a call used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the prompt.
    pub prompt: u64,
    /// Tokens that were generated.
    pub completion: u64,
    /// Tokens of the prompt that cost less because the server had them in its cache; only where the config has a
    /// price for them (`prices.cached_input`).
    #[serde(default, skip_serializing_if = "is_none")]
    pub cached: u64,
    /// The server did not say: these are estimates from the length of the texts.
    #[serde(default, skip_serializing_if = "is_false")]
    pub estimated: bool,
}

impl Usage {
    /// Both kinds of tokens.
    pub fn total(&self) -> u64 {
        self.prompt.saturating_add(self.completion)
    }
}

pub(super) fn is_zero(number: &u32) -> bool {
    *number == 0
}

fn is_none(number: &u64) -> bool {
    *number == 0
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(name: &str, arguments: Value) -> ToolCall {
        ToolCall { name: name.to_owned(), arguments }
    }

    fn choice() -> Choice {
        let tokens = ["Gr", "ü", "ße", ""].map(|token| TokenLogprob { token: token.to_owned(), logprob: -1.0 });
        Choice {
            text: "Grüße".to_owned(),
            finish: Finish::Stop,
            tool_calls: vec![call("open", json!({"what": "drawer"})), call("look", json!({}))],
            tokens: tokens.into(),
            token_ids: vec![7, 9],
            ..Choice::default()
        }
    }

    #[test]
    fn what_fits_stays_and_the_rest_is_cut_between_letters() {
        let whole = choice();
        // 7 bytes of text, 4 and 17 of the first call, 4 and 2 of the second.
        assert_eq!(whole.bytes(), 34);
        for most in 0..40 {
            let mut cut = whole.clone();
            cut.cut(most);
            if most >= 34 {
                assert_eq!(cut, whole);
                continue;
            }
            assert_eq!((cut.finish, &cut.token_ids[..]), (Finish::Length, &[][..]));
            assert!(cut.bytes() <= most, "{most}: {cut:?}");
            assert!(whole.text.starts_with(&cut.text));
            let again = cut.clone();
            cut.cut(most);
            assert_eq!(cut, again);
        }
        let mut cut = whole.clone();
        cut.cut(3);
        assert_eq!((&*cut.text, cut.tokens.len()), ("Gr", 1));
        let mut cut = whole;
        cut.cut(18);
        assert_eq!(cut.tool_calls, [call("open", json!("{\"what\""))]);
        assert_eq!((&*cut.text, cut.tokens.len()), ("Grüße", 4));
    }
}
