//! Probes of what a server really supports: what it does, what it silently leaves out, what it
//! refuses. It asks some thirty short questions and one that is too long.

mod asking;
mod basics;
mod finding;
mod measures;
mod structure;

pub use finding::{ECHO, Finding, Found, JSON_SCHEMA, LOGPROBS, Probed, SEVERAL, TOKEN_BY_TOKEN, TOOLS, scoring_word};

use crate::models::openai::{self, Http};
use crate::ports::ModelError;
use crate::ports::model::{ModelSettings, ScoringMethod};
use asking::Asking;
use finding::Checked;

/// Probes the server of these settings. Fails if it cannot be reached, or if the key is not there.
pub async fn probe(settings: &ModelSettings) -> Result<Probed, ModelError> {
    if let Some(variable) = &settings.missing_key {
        return Err(openai::no_key(variable));
    }
    let http = Http::new(settings).map_err(|error| ModelError::BadRequest(error.to_string()))?;
    let mut asking = Asking { http: &http, needs: Vec::new() };
    asking.settle().await?;
    let asking = &asking;
    let mut findings = Findings { settings, probed: Probed { needs: asking.needs.clone(), ..Probed::default() } };
    let (chat, max_tokens) = basics::chat(asking).await;
    let works = chat.found;
    findings.add("chat", Ok(chat));
    findings.add("completions", basics::completions(asking).await);
    findings.add("max_tokens", Ok(max_tokens));
    let (stream, usage) = basics::stream(asking).await;
    findings.add("stream", Ok(stream));
    findings.add("stream_usage", Ok(usage));
    findings.add("stop", basics::stop(asking).await);
    findings.add("thinking", basics::thinking(asking).await);
    findings.add("repeatable", basics::repeatable(asking).await);
    findings.add("seed", basics::seed(asking).await);
    findings.add(SEVERAL, basics::several(asking).await);
    findings.add(LOGPROBS, basics::logprobs(asking).await);
    findings.add("token_ids", basics::token_ids(asking).await);
    findings.add(JSON_SCHEMA, structure::json_schema(asking).await);
    findings.add(TOOLS, structure::tools(asking).await);
    findings.add("named_tool", structure::named_tool(asking).await);
    for method in [ScoringMethod::EchoLogprobs, ScoringMethod::TokenByToken] {
        let scored = measures::scoring(settings, method).await;
        findings.add(scoring_word(method), Ok(scored));
    }
    findings.add("tokenize", measures::tokenize(asking).await);
    let context = measures::context(asking).await;
    let (overflow, context) = measures::overflow(asking, context).await;
    findings.add("overflow", Ok(overflow));
    findings.context(context);
    findings.add("model_name", measures::model_name(asking).await);
    findings.add("key", Ok(measures::key(asking, works).await));
    findings.probed.bytes_per_token = measures::bytes_per_token(asking).await;
    Ok(findings.probed)
}

/// The findings so far, beside what is declared.
struct Findings<'a> {
    settings: &'a ModelSettings,
    probed: Probed,
}

impl Findings<'_> {
    fn add(&mut self, capability: &'static str, check: Checked) {
        let (Ok(check) | Err(check)) = check;
        let declared = self.declared(capability);
        let is_absent = matches!(check.found, Found::Ignored | Found::Refused);
        self.probed.findings.push(Finding {
            capability,
            declared: declared.map(|declared| declared.to_string()),
            found: check.found,
            evidence: check.evidence,
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
        let check = match found {
            Some(tokens) => Found::Supported.by(format!("{tokens} tokens")),
            None => Found::Unknown.by("the server does not tell"),
        };
        self.probed.context_tokens = found;
        self.probed.findings.push(Finding {
            capability: "context_tokens",
            declared: declared.map(|tokens| tokens.to_string()),
            found: check.found,
            evidence: check.evidence,
            contradicted: declared.zip(found).is_some_and(|(most, found)| most > found),
        });
    }
}
