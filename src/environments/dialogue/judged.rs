//! The question to raters and judges about responses in dialogues, with notes on what the response could rest on.

use super::answered::Answered;
use rolecall_core::domain::Message;
use rolecall_core::evaluation::labels::{ItemKind, JudgeAnswer, JudgeField, JudgePrompt, JudgeQuestion};
use rolecall_core::ports::EpisodeLog;
use rolecall_core::text::unique;

/// The questions.
pub(super) static QUESTIONS: &[JudgeQuestion] = &[RESPONSE];

/// How a response is written, and what it uses (TPE Table 9).
const RESPONSE: JudgeQuestion = JudgeQuestion {
    name: "dialogue_response",
    text: "How good is the response, and what does it make of the sources?",
    items: ItemKind::Responses,
    prompt: JudgePrompt::Shipped("dialogue-response"),
    fields: &[
        JudgeField {
            name: "quality",
            criteria: "How good the response is as the next turn of the dialogue, from 1, the lowest, to 5.",
            answer: JudgeAnswer::Scale { low: 1, high: 5 },
        },
        JudgeField {
            name: "persona",
            criteria: "Whether it uses what is noted of the user (PERSONA), where that fits.",
            answer: JudgeAnswer::Words(USE),
        },
        JudgeField {
            name: "documents",
            criteria: "Whether it uses what the other sources say, and says nothing that goes against them.",
            answer: JudgeAnswer::Words(USE),
        },
    ],
    about: Some(notes),
    parts: None,
};

/// How far a source is used.
const USE: &[&str] = &["no", "partly", "yes", "nothing to use"];

/// Notes on an episode for raters: the other response, and the texts that its sources gave before the response, with a
/// mark where the other response rests on them. None of an episode on another task.
fn notes(log: &EpisodeLog<'_>) -> Option<Vec<String>> {
    let answered = Answered::of(log)?;
    let references =
        answered.response.references.iter().map(|text| format!("another response to this dialogue: {text}"));
    let until = answered.response.given.unwrap_or(u32::MAX);
    let found = log.events.iter().filter(|event| event.seq < until).flat_map(|event| match &event.message {
        Message::Observed(seen) => {
            let data = seen.data.as_deref().filter(|data| data["retrieved"].is_array());
            data.map_or(Vec::new(), |data| {
                let source = data["source"].as_str().unwrap_or_default();
                let gold = answered.gold.get(source);
                let texts = data["texts"].as_array().into_iter().flatten();
                let numbers = data["retrieved"].as_array().into_iter().flatten();
                let noted = texts.zip(numbers).filter_map(|(text, number)| {
                    let right = gold.zip(number.as_u64());
                    let right = right.is_some_and(|(gold, number)| gold.contains(&number));
                    let mark = if right { " (the other response uses it)" } else { "" };
                    Some(format!("{source}{mark}: {}", text.as_str()?))
                });
                noted.collect()
            })
        }
        _ => Vec::new(),
    });
    Some(unique(references.chain(found)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value, json};

    use super::*;
    use crate::tasks::REFERENCE;
    use rolecall_core::domain::{Action, Event, Observation, PrivateInfo, Seat};

    #[test]
    fn raters_are_told_what_the_response_could_rest_on_and_nothing_of_the_method() {
        let seen = |data: Value| Observation { data: Some(Box::new(data)), ..Observation::text("joined") };
        let found = |source: &str, numbers: &[u64], texts: &[&str]| {
            let data = json!({"source": source, "retrieved": numbers, "scores": [], "texts": texts});
            Message::Observed(seen(data))
        };
        let private = json!({"references": ["Yes, near it."], "gold": {"PERSONA": [1], "DOCUMENT": []}});
        let events = Event::numbered([
            Message::Observed(Observation::text("USER: Is it near?")),
            Message::Entrusted(Box::new(PrivateInfo {
                audience: Seat::Conductor,
                label: REFERENCE.to_owned(),
                value: Arc::new(private),
            })),
            Message::Perform(Action::text("PERSONA[secret query]")),
            found("PERSONA", &[1, 0], &["I like the sea.", "I sing."]),
            found("PERSONA", &[0], &["I sing."]),
            found("DOCUMENT", &[2], &["It lies on a tidal island."]),
            Message::Perform(Action::text("respond[Yes.]")),
            found("DOCUMENT", &[3], &["too late"]),
        ]);
        let id = "main:0:0".parse().unwrap();
        let log = EpisodeLog::new(&id, events.iter().collect());
        assert_eq!(
            notes(&log).unwrap(),
            [
                "another response to this dialogue: Yes, near it.",
                "PERSONA (the other response uses it): I like the sea.",
                "PERSONA: I sing.",
                "DOCUMENT: It lies on a tidal island.",
            ]
        );
        let nothing = EpisodeLog::new(&id, events.iter().take(1).collect());
        assert!(notes(&nothing).is_none());
    }
}
