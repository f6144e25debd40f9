//! Recorded episodes of dialogue methods: each is played through the strategy with the recorded answers,
//! read as those of models are, and sources that rank by BM25.

mod play;
mod recorded;

use std::path::Path;

use crate::kit::{Tally, each_line};
use play::{EpisodeTrace, play};
use recorded::{Expected, Flow, Retrieval};

/// Scores agree up to this.
const TOLERANCE: f64 = 1e-9;

/// Compares every recorded episode of the file.
pub(super) fn check(file: &Path, _data: &Path, tally: &mut Tally) -> anyhow::Result<()> {
    each_line(file, |flow: Flow| {
        compare(&flow, &play(&flow)?, tally);
        Ok(())
    })
}

fn compare(flow: &Flow, played: &EpisodeTrace, tally: &mut Tally) {
    let path = |value: &str| {
        let (id, method) = (&flow.id, &flow.method);
        let value = value.to_owned();
        move || format!("{id} {method} {value}")
    };
    let expected = &flow.expected;
    let roles = played.prompts.iter().map(|(role, _)| (*role).to_owned());
    let roles: Vec<String> = roles.collect();
    tally.check(path("n_llm_calls"), &expected.n_llm_calls, &roles.len());
    tally.check(path("roles"), &expected.roles, &roles);
    let response = played.response.as_ref();
    tally.check(path("final"), &Some(&expected.r#final), &response);
    if let Some(thought) = &expected.thought {
        tally.check(path("thought"), &Some(thought), &played.thought.as_ref());
    }
    if let Some(stops) = &expected.stop_sequences {
        let found: Vec<String> = played.stops.iter().map(ToString::to_string).collect();
        tally.check(path("stop_sequences"), stops, &found);
    }
    let planned = Some(&played.strategies).filter(|planned| !planned.is_empty());
    let strategies = expected.strategies.as_ref();
    tally.check(path("strategies"), &strategies, &planned);
    let (recorded, found) = (&expected.retrievals, &played.retrievals);
    tally.check(path("retrievals"), &recorded.len(), &found.len());
    for (recorded, found) in recorded.iter().zip(found) {
        compare_retrieval(recorded, found, &path, tally);
    }
    compare_prompts(expected, played, &path, tally);
}

fn compare_retrieval<P: FnOnce() -> String>(
    recorded: &Retrieval,
    found: &Retrieval,
    path: &impl Fn(&str) -> P,
    tally: &mut Tally,
) {
    if recorded.var.is_some() {
        tally.check(path("var"), &recorded.var, &found.var);
    }
    tally.check(path("source"), &recorded.source, &found.source);
    tally.check(path("query"), &recorded.query, &found.query);
    tally.check(path("top"), &recorded.top, &found.top);
    for (recorded, found) in recorded.scores.iter().zip(&found.scores) {
        tally.near(path("score"), *recorded, *found, TOLERANCE);
    }
}

/// Checks the words that briefs must hold, and those that they must not.
fn compare_prompts<P: FnOnce() -> String>(
    expected: &Expected,
    played: &EpisodeTrace,
    path: &impl Fn(&str) -> P,
    tally: &mut Tally,
) {
    let mut agree = |value: &str, agrees: bool, text: &str| {
        let texts = || (text.to_owned(), "a brief without".to_owned());
        tally.agree(path(value), agrees, texts);
    };
    for (role, texts) in expected.must_contain() {
        for text in texts {
            let mut prompts = played.prompts.iter().filter(|(name, _)| *name == role);
            let found = prompts.any(|(_, prompt)| prompt.contains(&text));
            agree(&format!("{role}_must_contain"), found, &text);
        }
    }
    if expected.each_later_prompt_contains_all_earlier_observations {
        for (number, text) in &played.observations {
            let mut later = played.prompts.iter().skip(*number);
            let found = later.all(|(_, prompt)| prompt.contains(text));
            agree("observations", found, text);
        }
    }
    if expected.sub_responses_are_independent {
        for (number, text) in &played.said {
            let mut later = played.prompts.iter().skip(*number);
            let found = later.any(|(_, prompt)| prompt.contains(text));
            let expected = "no brief with what another strategy said";
            agree("independence", !found, expected);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A recording of one tutoring episode, with another last word than the script has.
    const FLOW: &str = r#"{"id": "f", "method": "cue_cot", "top_k": 1, "tokenizer": "ws",
        "tie_break": "index_asc", "task": {"id": "t", "turns": [{"role": "Student", "text": "Is it la box?"}]},
        "llm_script": [{"role": "status", "reply": "Status: unsure"}, {"role": "responder", "reply": "Response: No."}],
        "expected": {"n_llm_calls": 2, "roles": ["status", "responder"], "strategies": null,
        "responder_must_contain": ["unsure"], "final": "Yes."}}"#;

    #[test]
    fn a_difference_is_named_by_episode_method_and_value() {
        let flow: Flow = serde_json::from_str(FLOW).unwrap();
        let mut tally = Tally::default();
        compare(&flow, &play(&flow).unwrap(), &mut tally);
        assert_eq!(tally.checked, 6);
        let difference = r#"f cue_cot final: recorded Some("Yes."), got Some("No.")"#;
        assert_eq!(tally.differences, [difference]);
    }
}
