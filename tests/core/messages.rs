//! Conversations as messages.

use std::sync::Arc;

use crate::support::puppet::{Puppet, replies, reply, setup};
use crate::support::toy::cast::{can_be_interrupted, plan_of};
use crate::support::toy::{self, ToyTasks, executor, friend, play};
use async_trait::async_trait;
use rolecall::config::{Plan, PlannedRole};
use rolecall::domain::{Action, Begun, Event, Message, Move, Observation, Score, ToolCall};
use rolecall::ports::model::{ChatMessage, ChatRole, Prompt};
use rolecall::ports::{Environment, EnvironmentError, ParameterValue, RoleSetup};
use serde_json::{Value, json};

/// Shelves with shoes: `look N` shows the Nth, and what lies there as data.
#[derive(Default)]
struct Shelves(bool);

fn shown(number: &str) -> Observation {
    let items = json!({"items": [format!("red {number}"), format!("blue {number}")]});
    Observation { data: Some(Box::new(items)), ..Observation::text(format!("Shelf {number}.")) }
}

#[async_trait]
impl Environment for Shelves {
    async fn begin(&mut self, _: &Begun) -> Result<Observation, EnvironmentError> {
        self.0 = false;
        Ok(shown("0"))
    }

    async fn perform(&mut self, action: &Action) -> Result<Observation, EnvironmentError> {
        self.0 = action.text == "win";
        Ok(match action.text.strip_prefix("look ") {
            Some(number) => shown(number),
            None => Observation { done: self.0, ..Observation::text("You win.") },
        })
    }

    async fn assess(&mut self) -> Result<Score, EnvironmentError> {
        Ok(Score::all_or_nothing(self.0))
    }
}

fn planned(setup: &RoleSetup) -> Plan {
    let world = Arc::new(|| Box::new(Shelves::default()) as Box<dyn Environment>);
    let tasks = ToyTasks { world, ..ToyTasks::new(1) };
    let role = PlannedRole {
        role: executor(),
        implementation: "model".to_owned(),
        factory: rolecall::roles::model::build(setup).unwrap(),
    };
    toy::plan(tasks, role, friend())
}

/// A puppet that says these things in turn, by the number of its own messages in the prompt, and
/// then wins.
fn saying(lines: &'static [&'static str]) -> Arc<Puppet> {
    Puppet::new("m", move |asked| {
        let said = messages(&asked.completion().prompt).into_iter();
        let said = said.filter(|message| message.role == ChatRole::Assistant);
        Ok(reply(lines.get(said.count()).unwrap_or(&"> win")))
    })
    .with(|_| ())
}

fn messages(prompt: &Prompt) -> Vec<ChatMessage> {
    match prompt {
        Prompt::Chat(messages) => messages.clone(),
        Prompt::Text(text) => panic!("a text: {text}"),
    }
}

/// Every message of the request of this number: who says what.
fn asked(puppet: &Puppet, number: usize) -> Vec<String> {
    let all = puppet.asked();
    let shown = messages(&all[number].completion().prompt).into_iter();
    let shown = shown.map(|message| {
        let calls = message.tool_calls.iter().map(|call| {
            let called = &call.function;
            format!(" [{}: {} {}]", call.id, called.name, called.arguments)
        });
        let calls: String = calls.collect();
        let answers = message.tool_call_id.as_deref().unwrap_or_default();
        let role = format!("{:?}", message.role).to_lowercase();
        format!("{role}{answers}: {}{calls}", message.content)
    });
    shown.collect()
}

fn moves(events: &[Event]) -> Vec<Move> {
    let moved = events.iter().filter_map(|event| match &event.message {
        Message::Moved(made) => Some(made.clone()),
        _ => None,
    });
    moved.collect()
}

const TURNS: &str = "--- system ---\nYou are the {{ role }}.\n--- user ---\n{{ first_observation }}\n\
                     --- turns ---\n";

/// What is asked when the episode was played, left everywhere and played again.
fn interrupted(puppet: &Arc<Puppet>, prompt: &str, values: &[(&'static str, Value)]) -> Vec<Event> {
    can_be_interrupted(planned(&setup(&[puppet], prompt, values)))
}

#[test]
fn each_move_and_each_answer_is_a_message() {
    let puppet = saying(&["> think: hm", "speak: Which?", "Act: look 1"]);
    interrupted(&puppet, TURNS, &[]);
    assert_eq!(asked(&puppet, 0), ["system: You are the executor.", "user: Shelf 0."]);
    let after_a_thought = ["assistant: > think: hm", "user: OK."];
    assert_eq!(asked(&puppet, 1)[2..], after_a_thought);
    let third = asked(&puppet, 2);
    assert_eq!(third[2..4], after_a_thought);
    assert_eq!(third[4], "assistant: > speak: Which?");
    assert!(third[5].starts_with("user: Human: Just go on, "), "{third:?}");
    let last = asked(&puppet, 3);
    assert_eq!(last[..6], third);
    assert_eq!(last[6..], ["assistant: > look 1", "user: Shelf 1."]);
}

#[test]
fn the_replies_stand_as_they_came_and_data_is_shown() {
    let puppet = saying(&["I do not know the shelves.\nThought: look first", "Act:   look 1\n\n", "Act: look 2"]);
    let prompt = "--- user ---\nGo.\n--- turns ---\n{{ turn.kind }} {{ turn.number }}: {{ turn.text }}\
                  {% if turn.data is defined %} {{ turn.data.items | join(', ') }}{% endif %}\n\
                  --- user ---\n{% if observation.data is defined %}{{ observation.text }} has \
                  {{ observation.data.items | length }}{% endif %}\n";
    let values = [("replies", json!("raw")), ("observations_kept", json!(1)), ("old_observation", json!("(older)"))];
    let events = interrupted(&puppet, prompt, &values);
    assert_eq!(asked(&puppet, 0), ["user: Go.", "user: Shelf 0. has 2"]);
    let last = [
        "user: Go.",
        "assistant: I do not know the shelves.\nThought: look first",
        "user: notice 0: OK.",
        "assistant: Act:   look 1\n\n",
        "user: (older)",
        "assistant: Act: look 2",
        "user: observation 2: Shelf 2. red 2, blue 2",
        "user: Shelf 2. has 2",
    ];
    assert_eq!(asked(&puppet, 3), last);
    assert!(events.iter().any(|event| matches!(
        &event.message, Message::ModelCalled(call) if call.remembered
    )));
}

#[test]
fn a_reply_of_several_moves_stands_once_and_every_answer_after_it() {
    let puppet = saying(&["Thought: both\nAct: look 1\nAct: look 2", "Act: look 3"]);
    let prompt = "--- user ---\nGo.\n--- turns ---\n";
    let setup = setup(&[&puppet], prompt, &[("replies", json!("raw"))]);
    let order = ("order", ParameterValue::Roles(vec![executor()]));
    let cell = planned(&setup).cells.remove(0);
    let mut plan = plan_of("relay", &[order], ToyTasks::new(1), cell.roles, Vec::new());
    plan.cells[0].tasks = cell.tasks;
    can_be_interrupted(plan);
    let last = [
        "user: Go.",
        "assistant: Thought: both\nAct: look 1\nAct: look 2",
        "user: Shelf 1.",
        "user: Shelf 2.",
        "assistant: Act: look 3",
        "user: Shelf 3.",
    ];
    assert_eq!(asked(&puppet, 2), last);
}

#[test]
fn a_summary_stands_for_the_oldest_turns_among_messages() {
    for replies in ["moves", "raw"] {
        let puppet = Puppet::new("m", |asked| {
            let prompt = asked.prompt();
            if asked.completion().temperature == Some(0.0) {
                assert!(prompt.contains("look 0"), "{prompt}");
                return Ok(reply("I looked around."));
            }
            let looked = (0..9).find(|number| !prompt.contains(&format!("look {number}")));
            let known = prompt.contains("I looked around.");
            Ok(match looked.filter(|_| !known) {
                Some(number) => reply(&format!("Act: look {number}")),
                None => reply("Act: win"),
            })
        })
        .with(|profile| {
            profile.context_tokens = Some(160);
            profile.max_tokens = Some(40);
            profile.bytes_per_token = 1.0;
        });
        let values = [("replies", json!(replies)), ("context", json!("summary")), ("keep", json!(1))];
        interrupted(&puppet, "--- user ---\nGo.\n--- turns ---\n", &values);
        let all = puppet.asked();
        let first = all.iter().position(|asked| asked.completion().temperature == Some(0.0));
        let summarised = asked(&puppet, first.unwrap() + 1);
        let line = "user: What happened before, in short: I looked around.";
        assert_eq!(summarised[..2], ["user: Go.", line], "{replies}");
        let kept = summarised.last().unwrap();
        assert!(summarised.len() == 4 && kept.starts_with("user: Shelf"), "{summarised:?}");
    }
}

#[test]
fn old_observations_are_replaced_wherever_turns_are_shown() {
    for (kept, expected) in [(0, "(old)\n> look 2\n(old)"), (1, "(old)\n> look 2\nShelf 2.")] {
        let puppet = Puppet::new("m", |asked| {
            let turns = asked.prompt().matches("> ").count();
            Ok(reply(["look 1", "look 2", "win"][turns]))
        })
        .with(|profile| profile.chat = false);
        let values = [("observations_kept", json!(kept)), ("old_observation", json!("(old)"))];
        let prompt = "{{ transcript }}\n{% for turn in turns %}{{ turn.text }};{% endfor %}";
        interrupted(&puppet, prompt, &values);
        let texts = expected.replace("> ", "").replace('\n', ";");
        assert_eq!(puppet.asked()[2].prompt(), format!("> look 1\n{expected}\nlook 1;{texts};"));
    }
}

#[test]
fn a_model_that_goes_on_from_texts_reads_the_turns_as_running_lines() {
    let shown = |prompt: &str| {
        let puppet = Puppet::new("m", |asked| {
            let turns = asked.prompt().matches("> ").count();
            Ok(reply(["think: hm", "look 2", "win"][turns]))
        })
        .with(|profile| profile.chat = false);
        interrupted(&puppet, prompt, &[("replies", json!("raw"))]);
        puppet.asked()[2].prompt()
    };
    let lines = "Go.\n\n> think: hm\nOK.\n> look 2\nShelf 2.";
    assert_eq!(shown("Go.\n--- turns ---\n"), lines);
    assert_eq!(shown("Go.\n--- user ---\n{{ transcript }}"), lines);
}

#[test]
fn of_samples_the_first_is_taken_that_is_not_the_action_before() {
    for several in [true, false] {
        let puppet = Puppet::new("m", move |asked| {
            let completion = asked.completion();
            let said = messages(&completion.prompt).len();
            let look = |number: usize| format!("Let me see.\nAct:  look {number}");
            if said > 6 {
                return Ok(replies(&["win", "win", "win"]));
            }
            if several {
                let texts = [look(1), look(1), look(1 + said)];
                return Ok(replies(&[&texts[0], &texts[1], &texts[2]]));
            }
            Ok(reply(&look(completion.seed.unwrap() as usize % 2)))
        })
        .with(|profile| profile.capabilities.several = several);
        let values =
            [("choose", json!("sample")), ("samples", json!(3)), ("choice", json!("new")), ("replies", json!("raw"))];
        let events = interrupted(&puppet, TURNS, &values);
        let made: Vec<String> = moves(&events)
            .iter()
            .filter_map(|made| match made {
                Move::Act { action } => Some(action.text.clone()),
                _ => None,
            })
            .collect();
        let all = puppet.asked();
        let last = all.iter().map(|asked| messages(&asked.completion().prompt)).max_by_key(Vec::len).unwrap();
        let said = last.iter().filter(|said| said.role == ChatRole::Assistant);
        let said: Vec<&str> = said.map(|said| &*said.content).collect();
        // What the messages show is what was done.
        let expected: Vec<String> =
            made[..said.len()].iter().map(|done| format!("Let me see.\nAct:  {done}")).collect();
        assert_eq!(said, expected);
        if several {
            assert_eq!(made, ["look 1", "look 5", "look 1", "win"]);
        }
    }
}

#[test]
fn calls_of_tools_are_answered_by_messages_of_tools() {
    let puppet = Puppet::new("m", |asked| {
        let mut said = reply("I look.");
        let arguments = match messages(&asked.completion().prompt).len() {
            2 => json!({"command": "look 1"}),
            _ => json!({"command": "win"}),
        };
        let name = "act".to_owned();
        let call = ToolCall { name, arguments };
        // The second is not taken: a turn is one move.
        said.choices[0].tool_calls = vec![call.clone(), call];
        Ok(said)
    })
    .with(|_| ());
    let values = [("moves", json!("tools")), ("replies", json!("raw"))];
    interrupted(&puppet, TURNS, &values);
    let expected = [
        "assistant: I look. [call_1_0: act {\"command\":\"look 1\"}] \
         [call_1_1: act {\"command\":\"look 1\"}]",
        "toolcall_1_0: Shelf 1.",
        "toolcall_1_1: (nothing came of it)",
    ];
    assert_eq!(asked(&puppet, 1)[2..], expected);
    let sent = serde_json::to_value(&puppet.asked()[1].completion().prompt).unwrap();
    let call = &sent["chat"][2]["tool_calls"][0];
    assert_eq!(call["type"], "function");
    assert_eq!(call["function"]["arguments"], r#"{"command":"look 1"}"#);
    assert_eq!(sent["chat"][0].as_object().unwrap().len(), 2, "nothing else");
}

#[test]
fn messages_of_one_speaker_may_be_joined() {
    let puppet = saying(&["> think: hm", "> look 1"]);
    let prompt = "--- user ---\nGo.\n--- turns ---\n--- user ---\nNow.";
    interrupted(&puppet, prompt, &[("same_speaker", json!("joined"))]);
    assert_eq!(asked(&puppet, 0), ["user: Go.\nNow."]);
    let expected = ["user: Go.", "assistant: > think: hm", "user: OK.", "assistant: > look 1", "user: Shelf 1.\nNow."];
    assert_eq!(asked(&puppet, 2), expected);
}

#[test]
fn what_does_not_fit_is_left_out_by_the_size_of_the_messages() {
    let long: &'static str = Box::leak(format!("{}\nAct: look 1", "I reason. ".repeat(50)).into());
    let lines = Box::leak(vec![long; 6].into_boxed_slice());
    let puppet = Puppet::new("m", move |asked| {
        let turns = asked.number;
        Ok(reply(lines.get(turns).copied().unwrap_or("win")))
    })
    .with(|profile| {
        profile.context_tokens = Some(700);
        profile.max_tokens = Some(50);
        profile.bytes_per_token = 1.0;
    });
    let mut setup =
        setup(&[&puppet], TURNS, &[("replies", json!("raw")), ("context", json!("last")), ("keep", json!(0))]);
    setup.world = rolecall::worlds().world(Some("household"));
    play(planned(&setup));
    // One reply of 511 bytes fits, two do not.
    for number in 1..6 {
        assert_eq!(asked(&puppet, number).len(), 4, "{number}");
    }
}
