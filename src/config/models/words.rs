//! Words that stand for a choice, in configs and in records.

use crate::ports::model::{CacheMode, Endpoint, ScoringMethod};

/// Words of a config and what they stand for.
pub(in crate::config) struct Words<T: 'static>(&'static [(&'static str, T)]);

impl<T: Copy + PartialEq> Words<T> {
    /// All words.
    pub(in crate::config) fn all(&self) -> Vec<&'static str> {
        self.0.iter().map(|(word, _)| *word).collect()
    }

    /// What a word stands for.
    pub(in crate::config) fn value_of(&self, word: &str) -> Option<T> {
        let found = self.0.iter().find(|(each, _)| *each == word);
        found.map(|(_, value)| *value)
    }

    /// The word for a value.
    pub(super) fn name_of(&self, value: T) -> &'static str {
        let found = self.0.iter().find(|(_, each)| *each == value);
        found.map_or("", |(word, _)| word)
    }
}

/// `cache.mode`.
pub(super) const CACHE_MODES: Words<CacheMode> = Words(&[
    ("off", CacheMode::Off),
    ("only", CacheMode::Only),
    ("read", CacheMode::Read),
    ("write", CacheMode::Write),
    ("both", CacheMode::Both),
]);

/// `endpoint`.
pub(super) const ENDPOINTS: Words<Endpoint> = Words(&[
    ("chat", Endpoint::Chat),
    ("completions", Endpoint::Completions),
]);

/// `capabilities.scoring`.
pub(super) const SCORING: Words<ScoringMethod> = Words(&[
    ("echo_logprobs", ScoringMethod::EchoLogprobs),
    ("token_by_token", ScoringMethod::TokenByToken),
]);
