//! Finds out what a server really supports: what it does, what it silently leaves out, what it
//! refuses. It asks some thirty short questions and one that is too long.

mod asking;
mod basics;
mod finding;
mod measures;
mod schema;
mod structure;

pub use finding::{
    ECHO, Finding, Found, JSON_SCHEMA, LOGPROBS, Probed, SEVERAL, TOKEN_BY_TOKEN, TOOLS,
    scoring_word,
};

use asking::Asking;

use crate::models::openai::Http;
use crate::ports::ModelError;
use crate::ports::model::{ModelSettings, ScoringMethod};

/// Probes the server of these settings. Fails if it cannot be reached, or if the key is not there.
pub async fn probe(settings: &ModelSettings) -> Result<Probed, ModelError> {
    if let Some(variable) = &settings.missing_key {
        let text =
            format!("the variable `{variable}`, which is to hold the key or a header, is not set");
        return Err(ModelError::Auth(text));
    }
    let http = Http::new(settings).map_err(|error| ModelError::BadRequest(error.to_string()))?;
    let asking = Asking {
        http: &http,
        settings,
    };
    if let Err(error @ (ModelError::Unreachable(_) | ModelError::Auth(_))) = first(&asking).await {
        return Err(error);
    }
    let mut notes = Notes::new(settings);
    let (chat, max_tokens) = basics::chat(&asking).await;
    let works = chat.0;
    notes.add("chat", chat);
    notes.add("completions", basics::completions(&asking).await);
    notes.add("max_tokens", max_tokens);
    let (stream, usage) = basics::stream(&asking).await;
    notes.add("stream", stream);
    notes.add("stream_usage", usage);
    notes.add("stop", basics::stop(&asking).await);
    notes.add("repeatable", basics::repeatable(&asking).await);
    notes.add("seed", basics::seed(&asking).await);
    notes.add(SEVERAL, basics::several(&asking).await);
    notes.add(LOGPROBS, basics::logprobs(&asking).await);
    notes.add(JSON_SCHEMA, structure::json_schema(&asking).await);
    notes.add(TOOLS, structure::tools(&asking).await);
    notes.add("named_tool", structure::named_tool(&asking).await);
    let echo = measures::scoring(settings, ScoringMethod::EchoLogprobs).await;
    notes.add(ECHO, echo);
    let tokens = measures::scoring(settings, ScoringMethod::TokenByToken).await;
    notes.add(TOKEN_BY_TOKEN, tokens);
    notes.add("tokenize", measures::tokenize(&asking).await);
    let told = measures::told_context(&asking).await;
    let (overflow, context) = measures::overflow(&asking, told).await;
    notes.add("overflow", overflow);
    notes.context(context);
    notes.add("model_name", measures::model_name(&asking).await);
    notes.add("key", measures::key(&asking, works).await);
    notes.probed.bytes_per_token = measures::bytes_per_token(&asking).await;
    Ok(notes.probed)
}

/// The shortest of all questions: whether anybody is there, and takes the key.
async fn first(asking: &Asking<'_>) -> Result<(), ModelError> {
    let url = asking.http.address().versioned(basics::CHAT);
    let body = asking.chat(serde_json::json!({"max_tokens": 1}));
    let answer = asking
        .http
        .post_json(&url, body.to_string().into(), None)
        .await;
    let accepted = answer.and_then(|answer| asking.http.accepted(answer));
    accepted.map(drop).map_err(|failed| failed.error)
}

/// What was found so far, beside what is declared.
struct Notes<'a> {
    settings: &'a ModelSettings,
    probed: Probed,
}

impl<'a> Notes<'a> {
    fn new(settings: &'a ModelSettings) -> Self {
        Self {
            settings,
            probed: Probed::default(),
        }
    }

    fn add(&mut self, capability: &'static str, (found, evidence): (Found, String)) {
        let declared = self.declared(capability);
        let is_absent = matches!(found, Found::Ignored | Found::Refused);
        self.probed.findings.push(Finding {
            capability,
            declared: declared.map(|declared| declared.to_string()),
            found,
            evidence,
            contradicted: declared == Some(true) && is_absent,
        });
    }

    fn declared(&self, capability: &str) -> Option<bool> {
        let can = &self.settings.profile.capabilities;
        Some(match capability {
            JSON_SCHEMA => can.json_schema,
            TOOLS => can.tools,
            LOGPROBS => can.logprobs,
            SEVERAL => can.several,
            ECHO => can.scoring == Some(ScoringMethod::EchoLogprobs),
            TOKEN_BY_TOKEN => can.scoring == Some(ScoringMethod::TokenByToken),
            _ => return None,
        })
    }

    /// A window that is declared larger than it is makes prompts overflow.
    fn context(&mut self, found: Option<u32>) {
        let declared = self.settings.profile.context_tokens;
        let contradicted =
            matches!((declared, found), (Some(declared), Some(found)) if declared > found);
        let (known, evidence) = match found {
            Some(tokens) => (Found::Supported, format!("{tokens} tokens")),
            None => (Found::Unknown, "the server does not tell".to_owned()),
        };
        self.probed.context_tokens = found;
        self.probed.findings.push(Finding {
            capability: "context_tokens",
            declared: declared.map(|tokens| tokens.to_string()),
            found: known,
            evidence,
            contradicted,
        });
    }
}
