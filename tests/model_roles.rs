//! Roles and users that models play, through the runtime; the model is a puppet in memory.

#![allow(clippy::unwrap_used)]

mod puppet;
mod support;

use std::sync::Arc;

use puppet::{Puppet, cut, reply, replies, scores, setup, user_setup, weighed};
use rolecall::config::{Plan, PlannedRole, PlannedUser};
use rolecall::domain::{Ending, Event, FaultKind, Message, Move, ToolCall, UserSees};
use rolecall::ports::model::{Format, Prompt};
use rolecall::ports::{ModelError, RoleSetup, TaskSource};
use rolecall::runtime::redrive;
use serde_json::{Value, json};
use support::{CANARY, Played, ToyTasks, executor, friend, play};

/// Shows everything that happened, as the papers do.
const PLAIN: &str = "{{ first_observation }}\n{{ transcript }}\n>";

fn role_of(setup: &RoleSetup) -> PlannedRole {
    PlannedRole {
        role: executor(),
        implementation: "model".to_owned(),
        factory: rolecall::roles::model::build(setup).unwrap(),
    }
}

fn user_of(puppet: &Arc<Puppet>, prompt: &str) -> PlannedUser {
    PlannedUser {
        kind: "model".to_owned(),
        weight: 1.0,
        sees: UserSees::Question,
        factory: rolecall::users::model::build(&user_setup(&[puppet], prompt)).unwrap(),
    }
}

/// A puppet that says these things, one after the other, and then wins.
fn saying(lines: &'static [&'static str]) -> Arc<Puppet> {
    Puppet::new("m", move |asked| Ok(reply(lines.get(asked.number).unwrap_or(&"win"))))
        .with(|profile| profile.chat = false)
}

/// Plays one toy episode and plays it again from its log.
fn played(role: PlannedRole, user: PlannedUser) -> Played {
    let plan = support::plan(ToyTasks::new(1), role, user);
    again(plan)
}

fn again(plan: Plan) -> Played {
    let played = play(plan.clone());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    for (id, events) in &played.episodes {
        let again = runtime.block_on(redrive(&plan, id, events));
        again.unwrap_or_else(|error| panic!("{id}: {error}"));
    }
    played
}

fn moves(played: &Played) -> Vec<Move> {
    let moved = played.events(0).iter().filter_map(|event| match &event.message {
        Message::Moved(made) => Some(made.clone()),
        _ => None,
    });
    moved.collect()
}

fn codes(events: &[Event]) -> Vec<&str> {
    let repaired = events.iter().filter_map(|event| match &event.message {
        Message::Repaired(mend) => Some(mend.code.as_str()),
        _ => None,
    });
    repaired.collect()
}

#[test]
fn the_transcript_is_that_of_the_papers() {
    let puppet = saying(&["> think: I should\n ask.", "speak: What now?", "try 1"]);
    let user = Puppet::new("m", |_| Ok(reply("You: \"Just go on.\nNow.\""))).with(|_| ());
    let prompt = "{{ question }} {{ private.secret }}";
    let played = played(
        role_of(&setup(&[&puppet], PLAIN, &[])),
        user_of(&user, prompt),
    );
    assert_eq!(played.outcome(0).ending, Ending::Solved);
    let asked = puppet.asked();
    let last = asked.last().unwrap().prompt();
    let expected = "begun 0\n> think: I should ask.\nOK.\n> speak: What now?\n\
                    Human: Just go on. Now.\n> try 1\n1: try 1\n>";
    assert_eq!(last, expected);
    assert!(codes(played.events(0)).is_empty());
    assert_eq!(user.asked()[0].prompt(), format!("What now? {CANARY} for user"));
}

#[test]
fn the_style_of_labels_names_everything() {
    let puppet = saying(&["Think: hm", "Ask: What now?", "Act: try 1", "Act: win"]);
    let values = [("style", json!("labels")), ("speech", json!("ask"))];
    let role = role_of(&setup(&[&puppet], "{{ transcript }}", &values));
    let played = played(role, friend());
    assert_eq!(moves(&played)[1], Move::speak("What now?"));
    let last = puppet.asked().last().unwrap().prompt();
    let said = moves(&played).len();
    assert_eq!(said, 4);
    let expected = "Think: hm\nObservation: OK.\nAsk: What now?\nHuman: Just go on, ";
    assert!(last.starts_with(expected), "{last}");
    assert!(last.ends_with(".\nAct: try 1\nObservation: 1: try 1"), "{last}");
}

#[test]
fn no_private_part_reaches_another_seats_prompt() {
    let everything = "{{ role }} {{ task }} {{ task_kind }} {{ first_observation }} {{ transcript }}\
        {% for turn in turns %}{{ turn.from }} {{ turn.kind }} {{ turn.text }} {{ turn.number }}\
        {% endfor %}{{ exemplars }} {{ actions }} {{ grammar }} {{ admissible }} {{ open }}\
        {{ steps_left }} {{ questions_left }} {{ notice }} {{ sections }} {{ question }}\
        {{ dialogue }} {{ private }}";
    let puppet = saying(&["think: hm", "speak: What now?", "try 1"]);
    let user = Puppet::new("m", |_| Ok(reply("Go on."))).with(|_| ());
    let played = played(
        role_of(&setup(&[&puppet], everything, &[])),
        user_of(&user, everything),
    );
    assert_eq!(played.outcome(0).ending, Ending::Solved);
    assert!(puppet.asked().iter().all(|asked| !asked.prompt().contains(CANARY)));
    for asked in user.asked() {
        let own = format!("{CANARY} for user");
        assert_eq!(asked.prompt().matches(CANARY).count(), 1);
        assert!(asked.prompt().contains(&own));
    }
}

#[test]
fn an_unreadable_answer_is_asked_for_once_more_with_the_reason() {
    let puppet = saying(&["Observation: you win", "", "think:", "win"]);
    let played = played(role_of(&setup(&[&puppet], PLAIN, &[])), friend());
    let asked = puppet.asked();
    let second = asked[1].prompt();
    assert!(second.starts_with("begun 0\n\n> Observation: you win\nThat could not be used: no move"));
    assert!(second.ends_with("write nothing else.\n>"), "{second}");
    // Two unreadable answers are a fault; the attempt after it begins anew.
    let faults = played.events(0).iter().filter_map(|event| match &event.message {
        Message::Fault(fault) => Some((fault.kind, fault.message.clone())),
        _ => None,
    });
    let faults: Vec<_> = faults.collect();
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].0, FaultKind::Unusable);
    assert!(faults[0].1.contains("the answer is empty"), "{faults:?}");
    let third = asked[2].prompt();
    assert!(third.contains("the answer is empty"), "{third}");
    assert_eq!(played.outcome(0).ending, Ending::Solved);
}
