//! Requests as they are sent, and their hashes.

use std::borrow::Cow;
use std::collections::BTreeMap;

use bytes::Bytes;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::{Map, Value, json};

use crate::domain::ToolChoice;
use crate::models::transport::first;
use crate::ports::ModelError;
use crate::ports::model::{
    ChatMessage, ChatRole, Completion, Embedding, EncodedRequest, Format, ModelProfile, ModelSettings, Prompt, Ranking,
    Reasoning, RequestHash, Scoring, ScoringMethod, SystemPlace, ToolSpec,
};
use crate::text::json::append_text;
use crate::text::unique;

/// The endpoint of conversations.
pub(crate) const CHAT: &str = "chat/completions";
/// The endpoint of texts.
pub(crate) const COMPLETIONS: &str = "completions";
/// Scoring with `echo`.
pub(crate) const SCORE_ECHO: &str = "score/echo";
/// Scoring token by token.
pub(crate) const SCORE_TOKENS: &str = "score/tokens";

/// Vectors of whole texts.
pub(crate) const EMBEDDINGS: &str = "embeddings";
/// Vectors of each token of texts.
pub(crate) const TOKEN_EMBEDDINGS: &str = "embeddings/tokens";

/// The relevance of texts to a query.
pub(crate) const RERANK: &str = "rerank";

/// Tokens that a thought is given where the config names no budget.
const THOUGHT: u32 = 8192;
/// Tokens that an answer is estimated to have where nothing limits it.
const USUAL_ANSWER: u64 = 256;
/// Fields of `extra_body` that change how a reply comes, not what it says.
const TRANSPORT: [&str; 2] = ["stream", "stream_options"];
/// The newer name of `max_tokens`: servers refuse both in one request.
const NEWER_LIMIT: &str = "max_completion_tokens";

/// Writes a completion down.
pub(crate) fn completion(settings: &ModelSettings, request: &Completion) -> Result<EncodedRequest, ModelError> {
    check(&settings.profile, request)?;
    let endpoint = match request.prompt {
        Prompt::Chat(_) => CHAT,
        Prompt::Text(_) => COMPLETIONS,
    };
    let fields = Fields::new(settings, request);
    let mut body = written(|body| fields.append(body), request.prompt.bytes())?;
    // The seed tells calls apart even where the server does not get it.
    let seed = request.seed.map_or(0, |seed| u64::from(seed) + 1);
    let hash = RequestHash::of(&[endpoint.as_bytes(), &body, &seed.to_le_bytes()]);
    if settings.stream && body.pop() == Some(b'}') {
        body.extend_from_slice(br#","stream":true,"stream_options":{"include_usage":true}}"#);
    }
    // It is kept as long as the answer is waited for.
    body.shrink_to_fit();
    let answer = fields.limit.map_or(USUAL_ANSWER, u64::from);
    let answers = u64::from(request.n.unwrap_or(1)).saturating_mul(answer);
    let prompt = settings.profile.tokens(request.prompt.bytes());
    Ok(EncodedRequest {
        hash,
        endpoint,
        body: body.into(),
        choices: request.n.unwrap_or(1),
        estimated_tokens: prompt.saturating_add(answers),
    })
}

/// Writes a scoring down. The body is not what is sent, but what that is made from.
pub(crate) fn scoring(settings: &ModelSettings, request: &Scoring) -> Result<EncodedRequest, ModelError> {
    let profile = &settings.profile;
    let endpoint = match profile.capabilities.scoring {
        Some(ScoringMethod::EchoLogprobs) => SCORE_ECHO,
        Some(ScoringMethod::TokenByToken) => SCORE_TOKENS,
        None => return Err(undeclared(profile, "score texts", "scoring = \"...\"")),
    };
    let texts = request.candidates.iter().map(String::len);
    let candidates = profile.tokens(texts.clone().sum());
    let prompt = profile.tokens(request.prompt.bytes());
    let prompts = prompt.saturating_mul(texts.len() as u64);
    let body = write(&(&profile.model, request), request.prompt.bytes())?;
    let extra = write(&sorted(&settings.extra_body), 0)?;
    Ok(EncodedRequest {
        hash: RequestHash::of(&[endpoint.as_bytes(), &body, &extra]),
        endpoint,
        body: body.into(),
        choices: 0,
        estimated_tokens: prompts.saturating_add(candidates),
    })
}

/// The scoring that [`scoring`] wrote down.
pub(crate) fn read_scoring(body: &Bytes) -> Result<Scoring, ModelError> {
    let read = serde_json::from_slice::<(String, Scoring)>(body)
        .map_err(|error| ModelError::BadRequest(format!("no scoring: {error}")))?;
    Ok(read.1)
}

/// Writes a request for vectors down, as it is sent.
pub(crate) fn embedding(settings: &ModelSettings, request: &Embedding) -> Result<EncodedRequest, ModelError> {
    let endpoint = match request.each_token {
        true => TOKEN_EMBEDDINGS,
        false => EMBEDDINGS,
    };
    let fields = [("input", json!(request.texts)), ("encoding_format", json!("float"))];
    let letters = request.texts.iter().map(String::len).sum();
    of_texts(settings, endpoint, fields, letters)
}

/// Writes a request for the relevance of texts down, as it is sent.
pub(crate) fn ranking(settings: &ModelSettings, request: &Ranking) -> Result<EncodedRequest, ModelError> {
    let fields = [("documents", json!(request.texts)), ("query", json!(request.query))];
    // Each text is read beside the query.
    let texts = request.texts.iter();
    let letters = texts.map(|text| text.len() + request.query.len()).sum();
    of_texts(settings, RERANK, fields, letters)
}

/// A request about texts, which stand in the first of the fields: `extra_body` changes every other one.
fn of_texts(
    settings: &ModelSettings,
    endpoint: &'static str,
    fields: [(&str, Value); 2],
    letters: usize,
) -> Result<EncodedRequest, ModelError> {
    let texts = fields[0].0;
    let model = ("model", json!(settings.profile.model));
    let mut fields: Map<String, Value> =
        std::iter::once(model).chain(fields).map(|(name, value)| (name.to_owned(), value)).collect();
    for (name, value) in sorted(&settings.extra_body) {
        if name != texts {
            fields.insert(name.to_owned(), value.clone());
        }
    }
    let body = write(&fields, letters)?;
    Ok(EncodedRequest {
        hash: RequestHash::of(&[endpoint.as_bytes(), &body]),
        endpoint,
        body: body.into(),
        choices: 0,
        estimated_tokens: settings.profile.tokens(letters),
    })
}

/// The texts of a body that [`embedding`] or [`ranking`] wrote.
pub(crate) fn texts_of(body: &[u8]) -> Result<Vec<String>, ModelError> {
    #[derive(serde::Deserialize)]
    struct Input {
        #[serde(alias = "documents")]
        input: Vec<String>,
    }
    let read: Input =
        serde_json::from_slice(body).map_err(|error| ModelError::BadRequest(format!("no texts: {error}")))?;
    Ok(read.input)
}

/// The bytes of text in the prompt of a body that [`completion`] wrote, for estimating tokens.
pub(crate) fn prompt_bytes(body: &[u8]) -> usize {
    let Ok(mut body) = serde_json::from_slice::<Value>(body) else {
        return body.len();
    };
    if let Some(prompt) = body["prompt"].as_str() {
        return prompt.len();
    }
    let messages = serde_json::from_value(body["messages"].take());
    messages.map_or(0, |messages| Prompt::Chat(messages).bytes())
}

fn check(profile: &ModelProfile, request: &Completion) -> Result<(), ModelError> {
    let can = profile.capabilities;
    let several = request.n.is_some_and(|n| n > 1);
    let (what, line) = match &request.format {
        Format::Json { .. } if !can.json_schema => ("force answers into a JSON schema", "json_schema = true"),
        Format::Tools { .. } if !can.tools => ("call tools", "tools = true"),
        _ if request.logprobs && !can.logprobs => ("give log-probabilities", "logprobs = true"),
        _ if several && !can.several => ("give several completions", "several = true"),
        Format::Tools { .. } if matches!(request.prompt, Prompt::Text(_)) => {
            let text = "tools can only be called in a conversation";
            return Err(ModelError::Unsupported(text.to_owned()));
        }
        _ => return Ok(()),
    };
    Err(undeclared(profile, what, line))
}

fn undeclared(profile: &ModelProfile, what: &str, line: &str) -> ModelError {
    let name = &profile.name;
    ModelError::Unsupported(format!(
        "`{name}` is not declared to {what}; if its server can, write `{line}` under \
         [models.{name}.capabilities] (`rolecall models probe {name}` finds out)"
    ))
}

/// Writes JSON that is a little longer than `expected` bytes of text.
fn write(value: &impl Serialize, expected: usize) -> Result<Vec<u8>, ModelError> {
    written(|json| serde_json::to_writer(json, value), expected)
}

fn written(
    append: impl FnOnce(&mut Vec<u8>) -> serde_json::Result<()>,
    expected: usize,
) -> Result<Vec<u8>, ModelError> {
    let mut json = Vec::with_capacity(expected + expected / 8 + 512);
    append(&mut json).map_err(|error| ModelError::BadRequest(format!("it cannot be written down: {error}")))?;
    Ok(json)
}

/// Appends a conversation as its `Serialize` writes it.
fn append_messages(json: &mut Vec<u8>, messages: &[ChatMessage]) -> serde_json::Result<()> {
    let mut before = b'[';
    for message in messages {
        json.push(before);
        before = b',';
        json.extend(br#"{"role":"#);
        serde_json::to_writer(&mut *json, &message.role)?;
        json.extend(br#","content":"#);
        append_text(json, &message.content);
        if !message.tool_calls.is_empty() {
            json.extend(br#","tool_calls":"#);
            serde_json::to_writer(&mut *json, &message.tool_calls)?;
        }
        if let Some(call) = &message.tool_call_id {
            json.extend(br#","tool_call_id":"#);
            append_text(json, call);
        }
        json.push(b'}');
    }
    if messages.is_empty() {
        json.push(b'[');
    }
    json.push(b']');
    Ok(())
}

fn sorted(extra: &Map<String, Value>) -> BTreeMap<&str, &Value> {
    let kept = extra.iter().map(|(name, value)| (name.as_str(), value)).filter(|(name, _)| !TRANSPORT.contains(name));
    kept.collect()
}

/// The fields of a completion's body: the request's, else the settings'; `extra_body` beats both.
/// `Serialize` writes all but the model and the prompt.
struct Fields<'a> {
    settings: &'a ModelSettings,
    request: &'a Completion,
    extra: BTreeMap<&'a str, &'a Value>,
    /// The conversation as it is sent; empty for a text.
    messages: Cow<'a, [ChatMessage]>,
    limit: Option<u32>,
    temperature: Option<f64>,
    top_p: Option<f64>,
    stop: Vec<&'a str>,
}

impl<'a> Fields<'a> {
    fn new(settings: &'a ModelSettings, request: &'a Completion) -> Self {
        let sampling = &settings.sampling;
        let stop = sampling.stop.iter().chain(&request.stop);
        let cards_first = settings.cards_first;
        let limit = first(request.max_tokens, sampling.max_tokens, cards_first).or(settings.profile.max_tokens);
        let thinks = |reasoning: &&Reasoning| reasoning.effort.as_deref() != Some("none");
        let reasoning = settings.reasoning.as_ref().filter(thinks);
        let thought = reasoning.map_or(0, |reasoning| reasoning.budget_tokens.unwrap_or(THOUGHT));
        Self {
            settings,
            request,
            extra: sorted(&settings.extra_body),
            messages: match &request.prompt {
                Prompt::Chat(messages) => arranged(settings, messages),
                Prompt::Text(_) => Cow::default(),
            },
            limit: limit.map(|limit| limit.saturating_add(thought)),
            temperature: first(request.temperature, sampling.temperature, cards_first),
            top_p: first(request.top_p, sampling.top_p, cards_first),
            stop: unique(stop.map(String::as_str)),
        }
    }

    /// Appends all fields: the model and the prompt, which is long, and then what `Serialize` writes.
    fn append(&self, json: &mut Vec<u8>) -> serde_json::Result<()> {
        let is_own = |name: &str| !self.extra.contains_key(name);
        json.push(b'{');
        if is_own("model") {
            json.extend(br#""model":"#);
            append_text(json, &self.settings.profile.model);
            json.push(b',');
        }
        match &self.request.prompt {
            Prompt::Chat(_) if is_own("messages") => {
                json.extend(br#""messages":"#);
                append_messages(json, &self.messages)?;
                json.push(b',');
            }
            Prompt::Text(text) if is_own("prompt") => {
                json.extend(br#""prompt":"#);
                append_text(json, text);
                json.push(b',');
            }
            _ => {}
        }
        let length = json.len();
        serde_json::to_writer(&mut *json, self)?;
        // The rest goes on with the same object.
        json.remove(length);
        if json.ends_with(b",}") {
            json.remove(length - 1);
        }
        Ok(())
    }
}

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { request, .. } = self;
        let settings = self.settings;
        let chat = matches!(request.prompt, Prompt::Chat(_));
        let mut map = Own { map: serializer.serialize_map(None)?, extra: &self.extra, omit: &settings.omit };
        if !self.extra.contains_key(NEWER_LIMIT) {
            map.put(&settings.max_tokens_field, self.limit)?;
        }
        map.put("temperature", self.temperature)?;
        map.put("top_p", self.top_p)?;
        map.put("stop", (!self.stop.is_empty()).then_some(&self.stop))?;
        map.put("n", request.n.filter(|n| *n > 1))?;
        map.put("seed", request.seed.filter(|_| self.settings.send_seed))?;
        if request.logprobs {
            // A flag in conversations, a number of alternatives for texts.
            let wanted = if chat { json!(true) } else { json!(1) };
            map.put("logprobs", Some(wanted))?;
        }
        match &request.format {
            Format::Text => {}
            Format::Json { name, schema } => {
                let described = json!({"name": name, "strict": true, "schema": schema});
                let format = json!({"type": "json_schema", "json_schema": described});
                map.put("response_format", Some(format))?;
            }
            Format::Tools { tools, choice } => {
                let tools: Vec<Value> = tools.iter().map(tool).collect();
                map.put("tools", Some(tools))?;
                let choice = match choice {
                    ToolChoice::Named(name) => {
                        json!({"type": "function", "function": {"name": name}})
                    }
                    choice => json!(choice),
                };
                map.put("tool_choice", Some(choice))?;
            }
        }
        if let Some((field, value)) = settings.reasoning.as_ref().and_then(reasoning) {
            map.put(field, Some(value))?;
        }
        for (name, value) in &self.extra {
            map.map.serialize_entry(name, value)?;
        }
        map.map.end()
    }
}

fn tool(tool: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.parameters,
        },
    })
}

/// A conversation as the model's template takes it.
fn arranged<'a>(settings: &ModelSettings, messages: &'a [ChatMessage]) -> Cow<'a, [ChatMessage]> {
    let is_system = |message: &ChatMessage| message.role == ChatRole::System;
    let moved = settings.system != SystemPlace::System && messages.iter().any(is_system);
    if !moved && !settings.joins_speakers {
        return messages.into();
    }
    let mut sent: Vec<ChatMessage> = Vec::with_capacity(messages.len());
    // A prompt that was the system's is never a message of its own.
    let mut is_after_system = false;
    for message in messages {
        let was_system = moved && is_system(message);
        if was_system && settings.system == SystemPlace::None {
            continue;
        }
        let role = if was_system { ChatRole::User } else { message.role };
        let joins = settings.joins_speakers || is_after_system;
        is_after_system = was_system;
        match sent.last_mut() {
            Some(last) if joins && last.role == role && may_join(last) && may_join(message) => {
                last.content.push_str("\n\n");
                last.content.push_str(&message.content);
            }
            _ => sent.push(ChatMessage { role, ..message.clone() }),
        }
    }
    sent.into()
}

/// Whether a message is words alone.
fn may_join(message: &ChatMessage) -> bool {
    message.role != ChatRole::Tool && message.tool_calls.is_empty()
}

/// The field that asks for thinking, in the words of the server.
fn reasoning(asked: &Reasoning) -> Option<(&'static str, Value)> {
    let effort = asked.effort.as_deref();
    let budget = asked.budget_tokens.filter(|_| effort != Some("none"));
    Some(match (asked.spelling.as_str(), effort, budget) {
        ("openrouter", _, Some(budget)) => ("reasoning", json!({"max_tokens": budget})),
        ("openrouter", Some(effort), None) => ("reasoning", json!({"effort": effort})),
        ("anthropic", _, Some(budget)) => ("thinking", json!({"type": "enabled", "budget_tokens": budget})),
        ("anthropic", Some("none"), _) => ("thinking", json!({"type": "disabled"})),
        ("vllm", Some("none"), _) => ("chat_template_kwargs", json!({"enable_thinking": false})),
        ("vllm", _, Some(budget)) => ("thinking_token_budget", json!(budget)),
        (_, Some(effort), _) => ("reasoning_effort", json!(effort)),
        _ => return None,
    })
}

/// The fields that are neither in `extra_body` nor left out.
struct Own<'a, M> {
    map: M,
    extra: &'a BTreeMap<&'a str, &'a Value>,
    omit: &'a [String],
}

impl<M: SerializeMap> Own<'_, M> {
    fn put<T: Serialize>(&mut self, name: &str, value: Option<T>) -> Result<(), M::Error> {
        match value {
            Some(value) if !self.extra.contains_key(name) && !self.omit.iter().any(|field| field == name) => {
                self.map.serialize_entry(name, &value)
            }
            _ => Ok(()),
        }
    }
}
