//! Fields of requests beside those that a client writes itself, and which of them are known to hold no secret.

use std::fmt;
use std::ops::{Deref, DerefMut};

use serde_json::{Map, Value};

/// Further fields of each request's body. Some servers take keys there: `Debug` shows names alone.
#[derive(Clone, Default, PartialEq)]
pub struct ExtraBody(pub Map<String, Value>);

impl ExtraBody {
    /// The texts and numbers in it that are not [known](is_known_field) to be no secret.
    pub fn possible_secrets(&self) -> Vec<String> {
        let mut found = Vec::new();
        self.iter().for_each(|(name, value)| add_possible(name, value, &mut found));
        found
    }
}

fn add_possible(name: &str, value: &Value, found: &mut Vec<String>) {
    let text = match value {
        Value::Object(fields) => {
            return fields.iter().for_each(|(name, value)| add_possible(name, value, found));
        }
        Value::Array(items) => {
            return items.iter().for_each(|item| add_possible(name, item, found));
        }
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Bool(_) | Value::Null => return,
    };
    if !is_known_field(name, value.as_str()) {
        found.push(text);
    }
}

impl Deref for ExtraBody {
    type Target = Map<String, Value>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for ExtraBody {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl fmt::Debug for ExtraBody {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.keys()).finish()
    }
}

/// Numbers, or lists of them.
const NUMBERS: [&str; 68] = [
    "add_generation_prompt",
    "best_of",
    "budget_tokens",
    "diversity_penalty",
    "dry_allowed_length",
    "dry_base",
    "dry_multiplier",
    "dry_penalty_last_n",
    "dynatemp_exponent",
    "dynatemp_range",
    "epsilon_cutoff",
    "eta_cutoff",
    "eta",
    "frequency_penalty",
    "guidance_scale",
    "id_slot",
    "length_penalty",
    "logprobs",
    "max_completion_tokens",
    "max_length",
    "max_new_tokens",
    "max_output_tokens",
    "max_tokens",
    "min_keep",
    "min_length",
    "min_new_tokens",
    "min_p",
    "min_tokens",
    "mirostat",
    "mirostat_eta",
    "mirostat_tau",
    "n",
    "n_discard",
    "n_indent",
    "n_keep",
    "n_predict",
    "n_probs",
    "no_repeat_ngram_size",
    "num_batch",
    "num_beams",
    "num_ctx",
    "num_gpu",
    "num_keep",
    "num_predict",
    "num_thread",
    "penalty_alpha",
    "presence_penalty",
    "priority",
    "prompt_logprobs",
    "repeat_last_n",
    "repeat_penalty",
    "repetition_penalty",
    "seed",
    "slot_id",
    "smoothing_factor",
    "stop_token_ids",
    "t_max_predict_ms",
    "temperature",
    "tfs",
    "tfs_z",
    "thinking_budget",
    "top_a",
    "top_k",
    "top_logprobs",
    "top_p",
    "truncate_prompt_tokens",
    "typical",
    "typical_p",
];

/// Short words; some servers take numbers there.
const WORDS: [&str; 14] = [
    "allocation",
    "data_collection",
    "effort",
    "keep_alive",
    "mode",
    "quantizations",
    "reasoning",
    "reasoning_effort",
    "reasoning_format",
    "service_tier",
    "thinking",
    "tool_choice",
    "type",
    "verbosity",
];

/// The longest word: longer ones may be anything.
const LONGEST: usize = 16;

/// Whether the value of a field of a request's body is known to be no secret: a number (`text` is none)
/// that governs sampling, or a short word like `high`. All others may be: some servers take keys, names
/// of accounts and addresses there.
pub fn is_known_field(name: &str, text: Option<&str>) -> bool {
    let letter = |letter: char| letter.is_ascii_lowercase() || "_-".contains(letter);
    match text {
        None => NUMBERS.contains(&name) || WORDS.contains(&name),
        Some(text) => {
            let is_word = text.len() <= LONGEST && text.chars().all(letter);
            WORDS.contains(&name) && (is_word || is_duration(text))
        }
    }
}

/// As `5m`, in which servers are told how long to keep a model.
fn is_duration(text: &str) -> bool {
    let digits = text.trim_end_matches(|letter: char| "smh".contains(letter));
    digits.len() <= 4 && digits.bytes().all(|byte| byte.is_ascii_digit())
}
