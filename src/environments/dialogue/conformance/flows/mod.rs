//! Recorded episodes of dialogue methods: each is played through the strategy with the recorded answers,
//! read as those of models are, and sources that rank by BM25.

mod play;
mod recorded;

use std::path::Path;

use crate::conformance::{Tally, each_line};
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
    let place = |what: &str| {
        let (id, method) = (&flow.id, &flow.method);
        let what = what.to_owned();
        move || format!("{id} {method} {what}")
    };
    let expected = &flow.expected;
    let roles: Vec<&str> = played.prompts.iter().map(|(role, _)| *role).collect();
    tally.check(place("n_llm_calls"), &expected.n_llm_calls, &roles.len());
    tally.check(
        place("roles"),
        &expected.roles,
        &roles.iter().map(ToString::to_string).collect(),
    );
    tally.check(
        place("final"),
        &Some(&expected.r#final),
        &played.response.as_ref(),
    );
    if let Some(thought) = &expected.thought {
        tally.check(place("thought"), &Some(thought), &played.thought.as_ref());
    }
    if let Some(stops) = &expected.stop_sequences {
        let found: Vec<String> = played.stops.iter().map(ToString::to_string).collect();
        tally.check(place("stop_sequences"), stops, &found);
    }
    let planned = Some(&played.strategies).filter(|planned| !planned.is_empty());
    let strategies = expected.strategies.as_ref();
    tally.check(place("strategies"), &strategies, &planned);
    let recorded = expected.retrievals.as_slice();
    tally.check(
        place("retrievals"),
        &recorded.len(),
        &played.retrievals.len(),
    );
    for (recorded, found) in recorded.iter().zip(&played.retrievals) {
        compare_retrieval(recorded, found, &place, tally);
    }
    compare_prompts(expected, played, &place, tally);
}

fn compare_retrieval<P: FnOnce() -> String>(
    recorded: &Retrieval,
    found: &Retrieval,
    position: &impl Fn(&str) -> P,
    tally: &mut Tally,
) {
    if recorded.var.is_some() {
        tally.check(position("var"), &recorded.var, &found.var);
    }
    tally.check(position("source"), &recorded.source, &found.source);
    tally.check(position("query"), &recorded.query, &found.query);
    tally.check(position("top"), &recorded.top, &found.top);
    for (recorded, found) in recorded.scores.iter().zip(&found.scores) {
        tally.near(position("score"), *recorded, *found, TOLERANCE);
    }
}

/// What roles are told: what they must be, and what they must not.
fn compare_prompts<P: FnOnce() -> String>(
    expected: &Expected,
    played: &EpisodeTrace,
    position: &impl Fn(&str) -> P,
    tally: &mut Tally,
) {
    let mut agree = |what: &str, agrees: bool, text: &str| {
        tally.agree(position(what), agrees, || {
            (text.to_owned(), "a brief without".to_owned())
        });
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
            agree(
                "observations",
                later.all(|(_, prompt)| prompt.contains(text)),
                text,
            );
        }
    }
    if expected.sub_responses_are_independent {
        for (number, text) in &played.said {
            let mut later = played.prompts.iter().skip(*number);
            let told = later.any(|(_, prompt)| prompt.contains(text));
            agree(
                "independence",
                !told,
                "no brief with what another strategy said",
            );
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
