//! The problems of a config, each with its place.

use std::fmt;

use rolecall_core::text::joined;

/// One problem of a config.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[error("{position}: {}{problem}", .key.as_ref().map(|key| format!("`{key}` ")).unwrap_or_default())]
pub struct ConfigError {
    /// The place: a file with its line, a command-line option, an environment variable.
    pub position: String,
    /// The key, dotted, if one is to blame.
    pub key: Option<String>,
    /// The mistake, and what is allowed.
    pub problem: String,
}

impl ConfigError {
    pub(super) fn new(position: impl Into<String>, key: Option<&str>, problem: impl Into<String>) -> Self {
        Self { position: position.into(), key: key.map(str::to_owned), problem: problem.into() }
    }
}

/// All problems of a config, in the order of their places; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigErrors(pub Vec<ConfigError>);

impl ConfigErrors {
    /// The number of problems that a message lists.
    const SHOWN: usize = 100;
}

impl fmt::Display for ConfigErrors {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.len() {
            1 => formatter.write_str("the config has a problem")?,
            count => write!(formatter, "the config has {count} problems")?,
        }
        for error in self.0.iter().take(Self::SHOWN) {
            write!(formatter, "\n  {error}")?;
        }
        match self.0.len().saturating_sub(Self::SHOWN) {
            0 => Ok(()),
            more => write!(formatter, "\n  and {more} more"),
        }
    }
}

impl std::error::Error for ConfigErrors {}

/// Stands in records where a secret was.
pub(crate) const NOT_WRITTEN: &str = "(not written)";

/// Values of such keys are neither shown in errors nor written to the record of a run. A name of an
/// environment variable is no secret, and neither is a number of tokens.
pub(crate) fn is_secret(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    if key.contains("headers") || key.contains("extra_body") {
        return true;
    }
    if ["key", "secret", "password", "credential", "authorization"].iter().any(|word| key.contains(word)) {
        return !key.ends_with("_env");
    }
    let counts = key.contains("tokens") || ["bytes_per_token", "token_by_token"].contains(&&*key);
    key.contains("token") && !counts
}

/// Text from a config as messages quote it: on one line, and not too long.
pub(super) fn quoted(text: &str) -> String {
    const LONGEST: usize = 80;
    let start: String = text.chars().take(LONGEST).collect();
    let more = if start.len() < text.len() { "..." } else { "" };
    let escaped = start.escape_debug().to_string().replace("\\\"", "\"").replace("\\'", "'");
    format!("`{escaped}{more}`")
}

/// Words as messages list them: `a`, `b`, `c`.
pub fn listed<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    joined(words.into_iter().map(|word| format!("`{word}`")))
}

/// The nearest of the candidates, if one is near enough to be what was meant.
pub(super) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > 64 {
        return None;
    }
    let farthest = (word.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .filter(|(distance, _)| *distance <= farthest)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The question whether the nearest of the candidates was meant; empty if none is near.
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, candidates).map_or_else(String::new, |near| format!(" (did you mean `{near}`?)"))
}

/// The end of a message about an unknown word: the nearest one, and all that are allowed.
pub(super) fn instead(word: &str, allowed: &[&str]) -> String {
    let near = did_you_mean(word, allowed.iter().copied());
    if allowed.is_empty() {
        return format!("{near}; none is allowed here");
    }
    format!("{near}; allowed: {}", listed(allowed.iter().copied()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_suggested_only_if_it_is_near() {
        let known = ["steps", "questions", "attempts"];
        assert_eq!(nearest("stpes", known), Some("steps"));
        assert_eq!(nearest("question", known), Some("questions"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!(nearest(&"s".repeat(1000), known), None);
    }

    #[test]
    fn secrets_are_told_from_numbers_of_tokens_and_names_of_variables() {
        for secret in [
            "api_key",
            "apiKey",
            "headers",
            "models.m.extra_body.user",
            "token",
            "access_token",
            "Authorization",
            "X-Api-Key",
            "client_secret",
            "db_password",
            "auth-token",
        ] {
            assert!(is_secret(secret), "{secret}");
        }
        for shown in [
            "max_tokens",
            "tokens_per_minute",
            "bytes_per_token",
            "tokens",
            "context_tokens",
            "api_key_env",
            "base_url",
            "scoring",
            "model",
        ] {
            assert!(!is_secret(shown), "{shown}");
        }
    }

    #[test]
    fn quotes_stay_on_one_line_and_are_cut() {
        assert_eq!(quoted("a\nb\"c'"), "`a\\nb\"c'`");
        assert_eq!(quoted(&"é".repeat(200)).chars().count(), 85);
    }
}
