//! The findings of a probe.

use crate::ports::model::{Capabilities, ScoringMethod};

/// A server's way with an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// It does what is asked.
    Supported,
    /// It answers as if nothing had been asked.
    Ignored,
    /// It says that it cannot.
    Refused,
    /// This could not be found out.
    Unknown,
}

names! { Found, as_str:
    Supported => "supported", Ignored => "ignored", Refused => "refused", Unknown => "unknown",
}

impl Found {
    /// The finding with its evidence.
    pub(super) fn by(self, evidence: impl Into<String>) -> OptionCheck {
        OptionCheck { found: self, evidence: evidence.into() }
    }
}

/// The finding about one option, with its evidence.
#[derive(Clone, Debug)]
pub(super) struct OptionCheck {
    pub(super) found: Found,
    pub(super) evidence: String,
}

/// A check that may end early: where the server gives no answer, that is the finding.
pub(super) type Checked = Result<OptionCheck, OptionCheck>;

/// One option's finding beside what the config declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The option; where a config declares it, its name there.
    pub capability: &'static str,
    /// The config's declaration: `true`, `false`, a word, or nothing if it declares no such thing.
    pub declared: Option<String>,
    /// The server's way with it.
    pub found: Found,
    /// The question and its answer, in words.
    pub evidence: String,
    /// The declaration is not true.
    pub contradicted: bool,
}

/// All that a probe found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Probed {
    /// Option by option, in the order in which they were tried.
    pub findings: Vec<Finding>,
    /// Tokens that prompt and answer may have together.
    pub context_tokens: Option<u32>,
    /// Bytes of the text of prompts for one token.
    pub bytes_per_token: Option<f64>,
    /// Lines of the model's table without which the server refuses conversations, and fields that it refuses.
    pub needs: Vec<String>,
}

impl Probed {
    /// The finding about an option.
    pub fn found(&self, capability: &str) -> Option<Found> {
        let finding = self.findings.iter().find(|finding| finding.capability == capability);
        finding.map(|finding| finding.found)
    }

    /// Whether nothing that is declared was found to be untrue.
    pub fn agrees(&self) -> bool {
        !self.findings.iter().any(|finding| finding.contradicted)
    }

    /// The capabilities to declare: as found, and where nothing was found, as declared already.
    pub fn capabilities(&self, declared: &Capabilities) -> Capabilities {
        let flag = |name: &str, declared: bool| match self.found(name) {
            Some(Found::Supported) => true,
            Some(Found::Ignored | Found::Refused) => false,
            Some(Found::Unknown) | None => declared,
        };
        Capabilities {
            json_schema: flag(JSON_SCHEMA, declared.json_schema),
            tools: flag(TOOLS, declared.tools),
            logprobs: flag(LOGPROBS, declared.logprobs),
            several: flag(SEVERAL, declared.several),
            scoring: self.scoring(declared.scoring),
        }
    }

    /// One request for all candidates is preferred to one for each token.
    fn scoring(&self, declared: Option<ScoringMethod>) -> Option<ScoringMethod> {
        let methods = [(ECHO, ScoringMethod::EchoLogprobs), (TOKEN_BY_TOKEN, ScoringMethod::TokenByToken)];
        let supported = |name: &str| self.found(name) == Some(Found::Supported);
        let found = methods.into_iter().find(|(name, _)| supported(name));
        let unknown = |method: &ScoringMethod| self.found(scoring_word(*method)) == Some(Found::Unknown);
        found.map(|(_, method)| method).or(declared.filter(unknown))
    }

    /// The lines for `[models.<name>]` and its capabilities.
    pub fn lines(&self, name: &str, declared: &Capabilities) -> String {
        let can = self.capabilities(declared);
        let context = self.context_tokens.map(|tokens| format!("context_tokens = {tokens}\n"));
        let bytes = self.bytes_per_token;
        let bytes = bytes.map(|bytes| format!("bytes_per_token = {bytes:.1}\n"));
        let (lines, omitted): (Vec<&String>, Vec<&String>) = self.needs.iter().partition(|need| need.contains('='));
        let lines = lines.into_iter().map(|line| format!("{line}\n"));
        let omit = (!omitted.is_empty()).then(|| format!("omit = {omitted:?}\n"));
        let settings: String = lines.chain(omit).chain(context).chain(bytes).collect();
        let mut text = match settings.is_empty() {
            true => String::new(),
            false => format!("[models.{name}]\n{settings}\n"),
        };
        text += &format!("[models.{name}.capabilities]\n");
        let flags =
            [(JSON_SCHEMA, can.json_schema), (TOOLS, can.tools), (LOGPROBS, can.logprobs), (SEVERAL, can.several)];
        for (flag, value) in flags {
            let remark = match self.found(flag) {
                Some(Found::Unknown) | None => " # could not be found out",
                Some(_) => "",
            };
            text += &format!("{flag} = {value}{remark}\n");
        }
        if let Some(method) = can.scoring {
            text += &format!("scoring = \"{}\"\n", scoring_word(method));
        }
        text
    }
}

/// `capabilities.json_schema`.
pub const JSON_SCHEMA: &str = "json_schema";
/// `capabilities.tools`.
pub const TOOLS: &str = "tools";
/// `capabilities.logprobs`.
pub const LOGPROBS: &str = "logprobs";
/// `capabilities.several`.
pub const SEVERAL: &str = "several";
/// `capabilities.scoring = "echo_logprobs"`.
pub const ECHO: &str = "echo_logprobs";
/// `capabilities.scoring = "token_by_token"`.
pub const TOKEN_BY_TOKEN: &str = "token_by_token";

/// The word that a config writes for a way of scoring.
pub fn scoring_word(method: ScoringMethod) -> &'static str {
    match method {
        ScoringMethod::EchoLogprobs => ECHO,
        ScoringMethod::TokenByToken => TOKEN_BY_TOKEN,
    }
}
