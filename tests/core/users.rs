//! Users held to a length, and end marks.

use std::sync::Arc;

use crate::support::puppet::{Puppet, models, parameters, persona, reply};
use crate::support::toy::cast::can_be_interrupted;
use crate::support::toy::{self, ToyTasks, role};
use rolecall::config::{Plan, PlannedUser};
use rolecall::domain::{Event, Message, Move, UserSees, Utterance};
use rolecall::ports::UserSetup;
use rolecall::ports::model::Prompt;
use serde_json::{Value, json};

/// An agent that asks three times and wins.
fn planned(puppet: &Arc<Puppet>, prompt: &str, values: &[(&'static str, Value)]) -> Plan {
    let mut with_model = vec![("model", json!("m"))];
    with_model.extend_from_slice(values);
    let setup = UserSetup {
        parameters: parameters(rolecall::users::model::PARAMETERS, &with_model),
        persona: persona(prompt),
        models: models(&[puppet]),
        world: rolecall::worlds().world(None),
        ..UserSetup::default()
    };
    let user = PlannedUser {
        kind: "model".to_owned(),
        weight: 1.0,
        sees: UserSees::Dialogue,
        factory: rolecall::users::model::build(&setup).unwrap(),
    };
    let agent = role(|turn| match turn.number {
        0..=2 => Move::speak(format!("Question {}?", turn.number)).into(),
        _ => Move::act("win").into(),
    });
    toy::plan(ToyTasks::new(1), agent, user)
}

fn replied(events: &[Event]) -> Vec<Utterance> {
    let replied = events.iter().filter_map(|event| match &event.message {
        Message::Replied(said) => Some(said.clone()),
        _ => None,
    });
    replied.collect()
}

fn asked(puppet: &Puppet, number: usize) -> Vec<String> {
    match &puppet.asked()[number].completion().prompt {
        Prompt::Chat(messages) => messages.iter().map(|said| format!("{:?}: {}", said.role, said.content)).collect(),
        Prompt::Text(text) => vec![text.clone()],
    }
}

const PERSONA: &str = "--- system ---\nYou want shoes.\n--- turns ---\n";

#[test]
fn a_user_reads_messages_with_the_roles_swapped() {
    let puppet = Puppet::new("m", |asked| Ok(reply(&format!("You: Answer {}.", asked.prompt().matches('?').count()))))
        .with(|_| ());
    can_be_interrupted(planned(&puppet, PERSONA, &[]));
    assert_eq!(asked(&puppet, 0), ["System: You want shoes.", "User: Question 0?"]);
    let expected = [
        "System: You want shoes.",
        "User: Question 0?",
        "Assistant: Answer 1.",
        "User: Question 1?",
        "Assistant: Answer 2.",
        "User: Question 2?",
    ];
    assert_eq!(asked(&puppet, 2), expected);
    let text = Puppet::new("m", |_| Ok(reply("Red."))).with(|profile| profile.chat = false);
    can_be_interrupted(planned(&text, PERSONA, &[]));
    assert_eq!(asked(&text, 1), ["You want shoes.\n\nAgent: Question 0?\nYou: Red.\nAgent: Question 1?"]);
}

/// Longer than it may be, until it is told so; after question 2 always.
fn wordy() -> Arc<Puppet> {
    Puppet::new("m", |asked| {
        let prompt = asked.prompt();
        let told = prompt.contains("That is too long");
        let stubborn = prompt.contains("Question 2?");
        Ok(reply(match told && !stubborn {
            true => "Red, please.",
            false => "I would like red ones, please.",
        }))
    })
    .with(|_| ())
}

#[test]
fn a_longer_reply_is_asked_for_once_more_and_then_cut() {
    let puppet = wordy();
    let events = can_be_interrupted(planned(&puppet, PERSONA, &[("most_words", json!(3))]));
    let said = replied(&events);
    assert_eq!((&*said[0].text, said[0].cut), ("Red, please.", false));
    assert_eq!((&*said[2].text, said[2].cut), ("I would like", true));
    let again = asked(&puppet, 1);
    assert_eq!(again[2], "Assistant: I would like red ones, please.");
    assert!(again[3].contains("at most 3 words,"), "{again:?}");
}

#[test]
fn a_longer_reply_may_be_cut_at_once_and_tokens_may_be_counted() {
    let values = [("most_tokens", json!(6)), ("too_long", json!("cut"))];
    let puppet = wordy();
    let said = replied(&can_be_interrupted(planned(&puppet, PERSONA, &values)));
    assert!(said.iter().all(|said| said.cut && said.text == "I would like red ones,"));
    let without = replied(&can_be_interrupted(planned(&puppet, PERSONA, &[])));
    assert!(without.iter().all(|said| !said.cut && said.text.ends_with("please.")));
}

#[test]
fn an_end_mark_counts_only_at_the_end() {
    let puppet = Puppet::new("m", |asked| {
        Ok(reply(match asked.prompt().contains("Question 1?") {
            true => "You: \"That is all. [END]\"\nAgent: Bye!",
            false => "I will say [END] when it is over.",
        }))
    })
    .with(|_| ());
    let said = replied(&can_be_interrupted(planned(&puppet, PERSONA, &[("leaving", json!("[END]"))])));
    assert_eq!(said.len(), 2);
    assert_eq!(said[0], Utterance::text("I will say [END] when it is over."));
    assert!(said[1].leaving && said[1].text == "That is all.");
}
