//! Roles that models play under the strategies of the two household papers: dialogue acts, self-queries
//! that the runtime answers, scoring with thinking and asking, rounds, lessons. The model is a puppet
//! in memory.

use std::sync::Arc;

use super::executors::{PLAIN, role_of, saying};
use crate::support::puppet::{self, Puppet, reply, scores, setup};
use crate::support::toy::cast::plan_of;
use crate::support::toy::{ToyTasks, again, friend, play, user};
use async_trait::async_trait;
use rolecall::config::{Plan, PlannedRole};
use rolecall::domain::{
    Action, Begun, DialogueAct, Ending, FaultKind, Message, ModelReply, Move, Observation, RoleName, Score, ToolCall,
};
use rolecall::ports::model::Format;
use rolecall::ports::{Environment, EnvironmentError, ParameterValue};
use serde_json::{Value, json};

/// A plan of one toy task.
fn toy(strategy: &str, rounds: i64, role: PlannedRole) -> Plan {
    let told = [("rounds", ParameterValue::Integer(rounds))];
    plan_of(strategy, &told, ToyTasks::new(1), vec![role], vec![friend()])
}

fn spoken(act: &str, text: &str) -> Move {
    Move::Speak { text: text.to_owned(), act: Some(DialogueAct(act.to_owned())) }
}

#[test]
fn an_utterance_without_a_dialogue_act_is_asked_for_again_with_the_reason() {
    let puppet = saying(&["speak: Where is it?", "speak: [affirm]: Yes."]);
    let prompt = "{% for act in acts %}{{ act.name }} = {{ act.purpose }};{% endfor %}\n\
                  {{ transcript }}\n>";
    let role = role_of(&setup(&[&puppet], prompt, &[]));
    let played = again(&toy("respact-schema", 1, role));
    assert_eq!(played.moves(0), [spoken("Affirm", "Yes."), Move::act("win")]);
    let asked: Vec<String> = puppet.asked().iter().map(|asked| asked.prompt()).collect();
    assert!(asked[0].contains("Affirm = agree or confirm;"), "{}", asked[0]);
    assert!(asked[1].contains("declares no dialogue act") && asked[1].contains("NotifyFailure"), "{}", asked[1]);
    // What was said is shown with its act, and the conductor has met no fault.
    assert!(asked[2].contains("\n> speak: <Affirm>: Yes.\nHuman: "));
    assert_eq!(played.outcome(0).counts.faults, 0);
}

#[test]
fn where_no_act_is_wanted_none_is_shown_and_words_stay_words() {
    let puppet = saying(&["speak: Affirm: yes"]);
    let prompt = "{{ acts | length }}\n{{ transcript }}\n>";
    let role = role_of(&setup(&[&puppet], prompt, &[]));
    let played = again(&toy("respact", 1, role));
    assert_eq!(played.moves(0)[0], Move::speak("Affirm: yes"));
    assert!(puppet.asked()[0].prompt().starts_with("0\n"));
}

#[test]
fn json_and_tools_have_a_field_for_the_dialogue_act() {
    let made = |says: ModelReply, how: &'static str| {
        let puppet = Puppet::new("m", move |asked| match asked.number {
            0 => Ok(says.clone()),
            _ => Ok(reply(r#"{"move": {"kind": "act", "command": "win"}}"#)),
        });
        let puppet = puppet.with(|_| ());
        let role = role_of(&setup(&[&puppet], PLAIN, &[("moves", json!(how))]));
        let played = again(&toy("respact-schema", 1, role));
        assert_eq!(played.moves(0)[0], spoken("Deny", "No."), "{how}");
        let asked = puppet.asked().remove(0);
        asked.completion().format.clone()
    };
    let acts = json!(DialogueAct::schema());
    let json = reply(r#"{"move": {"kind": "speak", "act": "Deny", "text": "No."}}"#);
    let Format::Json { schema, .. } = made(json, "json") else {
        panic!("no schema");
    };
    let shapes = schema["properties"]["move"]["anyOf"].as_array().unwrap();
    let declared = shapes.iter().map(|shape| &shape["properties"]["act"]["enum"]);
    assert_eq!(declared.filter(|list| **list == acts).count(), 1);
    let mut called = reply("");
    called.choices[0]
        .tool_calls
        .push(ToolCall { name: "speak".to_owned(), arguments: json!({"act": "Deny", "text": "No."}) });
    let Format::Tools { tools, .. } = made(called, "tools") else {
        panic!("no tools");
    };
    let speak = tools.iter().find(|tool| tool.name == "speak").unwrap();
    assert_eq!(speak.parameters["properties"]["act"]["enum"], acts);
}

/// What the executor thinks after its user has said where two mugs are, with this parameter.
fn recalled(values: &[(&'static str, Value)]) -> (Vec<Move>, String) {
    const QUERY: &str = "think: I need a mug. ### query: mug > it is in bed 9.";
    let puppet = saying(&[QUERY, "ask: Where is the mug?", QUERY]);
    let mut all = vec![("speech", json!("ask"))];
    all.extend_from_slice(values);
    let role = role_of(&setup(&[&puppet], "[{{ memory }}]\n{{ transcript }}\n>", &all));
    let mut plan = toy("aba", 1, role);
    let said = "mug 2 is in desk 1, mug 1 is in bed 1.";
    plan.cells[0].users = vec![user(move |_| Move::speak(said).into())];
    let played = again(&plan);
    (played.moves(0), puppet.asked().last().unwrap().prompt())
}

#[test]
fn what_was_seen_and_told_answers_a_self_query_where_the_config_says_so() {
    let thought = |answer: &str| Move::think(format!("I need a mug. ### query: mug > {answer}"));
    let (by_model, _) = recalled(&[]);
    assert_eq!(by_model[0], thought("it is in bed 9."));
    assert_eq!(by_model[2], by_model[0]);
    let (by_module, last) = recalled(&[("recall", json!("module"))]);
    assert_eq!(by_module[0], thought("I have never seen mug before."));
    assert_eq!(by_module[2], thought("mug 2 is in desk 1, mug 1 is in bed 1."));
    // The prompt shows the completed thought, the answer as an observation, and the memory.
    let expected = "[mug 2 is in desk 1. mug 1 is in bed 1.]\n> think: I need a mug. ### query: mug > \
                    I have never seen mug before.\nOK.\n> ask: Where is the mug?\nmug 2 is in desk 1, \
                    mug 1 is in bed 1.\n> think: ";
    assert!(last.starts_with(expected), "{last}");
}

/// A plan of one built-in household game.
fn household(strategy: &str, role: PlannedRole) -> Plan {
    let table = rolecall::environments::household::tasks::PARAMETERS;
    let values = [("list_admissible", json!(true)), ("split", json!("unseen"))];
    let parameters = puppet::parameters(table, &values);
    let mut plan = toy(strategy, 1, role);
    plan.cells[0].tasks = rolecall::environments::household::tasks::build(&parameters).unwrap();
    plan.cells[0].environment = "household".to_owned();
    plan.cells[0].limits.turn = std::time::Duration::from_secs(20);
    plan
}

#[test]
fn asking_and_thinking_are_scored_beside_the_possible_actions() {
    // Thinking wins, then asking, then the second action; texts are generated in between.
    let puppet = Puppet::new("m", |asked| {
        let best = |label: &str| {
            let candidates = &asked.scoring().candidates;
            let scored = candidates.iter().map(|text| {
                // A long text: its sum is what counts (equation 4).
                let wins = text == label || candidates.get(1) == Some(text) && label.is_empty();
                (if wins { -4.0 } else { -5.0 }, if wins { 1 } else { 100 })
            });
            Ok(scores(scored))
        };
        match asked.number {
            0 => best(" think:"),
            1 => Ok(reply(" Where may it be?\nOK.")),
            2 => best(" ask:"),
            3 => Ok(reply(" Where is the mug?\nmug 1 is in bed 1.")),
            _ => best(""),
        }
    });
    let puppet = puppet.with(|profile| profile.chat = false);
    let values = [("choose", json!("score")), ("speech", json!("ask"))];
    let mut plan = household("aba", role_of(&setup(&[&puppet], PLAIN, &values)));
    plan.cells[0].limits.steps = 3;
    let played = again(&plan);
    let asked = puppet.asked();
    let candidates = asked[0].scoring().candidates.clone();
    assert_eq!(candidates[candidates.len() - 2..], [" think:", " ask:"]);
    assert!(asked[3].prompt().ends_with("\nOK.\n> ask:"), "{}", asked[3].prompt());
    let second = candidates[1].trim();
    assert_eq!(played.moves(0), [Move::think("Where may it be?"), Move::speak("Where is the mug?"), Move::act(second)]);
    // The twin without speech chooses among the same but for asking.
    let puppet = Puppet::new("m", |asked| Ok(scores(asked.scoring().candidates.iter().map(|_| (-1.0, 1)))));
    let puppet = puppet.with(|profile| profile.chat = false);
    let mut plan = household("react", role_of(&setup(&[&puppet], PLAIN, &values)));
    plan.cells[0].limits.steps = 1;
    plan.cells[0].users.clear();
    again(&plan);
    assert_eq!(puppet.asked()[0].scoring().candidates, candidates[..candidates.len() - 1]);
}

#[test]
fn where_only_a_thought_is_open_it_is_generated_without_scoring() {
    let puppet = Puppet::new("m", |asked| match &asked.request {
        rolecall::ports::ModelRequest::Complete(_) => Ok(reply(" I look around.")),
        rolecall::ports::ModelRequest::Score(scoring) => {
            assert!(scoring.candidates.iter().all(|text| text != " think:"));
            Ok(scores(scoring.candidates.iter().map(|_| (-1.0, 1))))
        }
    });
    let puppet = puppet.with(|profile| profile.chat = false);
    let prompt = PLAIN.to_owned() + "{% if 'act' not in open %} think:{% endif %}";
    let role = role_of(&setup(&[&puppet], &prompt, &[("choose", json!("score"))]));
    let mut plan = household("react-im", role);
    plan.cells[0].limits.steps = 4;
    plan.cells[0].users.clear();
    let played = again(&plan);
    let kinds: Vec<&str> = played.moves(0).iter().map(|made| made.kind().as_str()).collect();
    assert_eq!(kinds, ["think", "act", "think", "act"]);
    // The label that the prompt ends with is not written twice.
    assert!(puppet.asked()[0].prompt().ends_with("\n> think:"));
    assert_eq!(puppet.asked()[0].prompt().matches("think:").count(), 1);
}

/// A world that sets one task after the other; `win` solves each.
struct Chained;

#[async_trait]
impl Environment for Chained {
    async fn begin(&mut self, begun: &Begun) -> Result<Observation, EnvironmentError> {
        let next = if begun.keep_world { "next " } else { "" };
        Ok(Observation::text(format!("Your {next}task is {}.", begun.round)))
    }

    async fn perform(&mut self, action: &Action) -> Result<Observation, EnvironmentError> {
        Ok(Observation { done: action.text == "win", ..Observation::text(format!("You {}.", action.text)) })
    }

    async fn assess(&mut self) -> Result<Score, EnvironmentError> {
        Ok(Score::all_or_nothing(true))
    }
}

#[test]
fn the_next_task_stands_after_what_solved_the_last_one() {
    for (style, first, then) in [
        ("papers", "> win\n", "\n> look\nYou look.\n>"),
        ("labels", "Act: win\nObservation: ", "\nAct: look\nObservation: You look.\n>"),
    ] {
        let puppet = saying(&["Act: win", "Act: look", "Act: win"]);
        let prompt = "{{ task }} | {{ first_observation }}\n{{ transcript }}\n>";
        let role = role_of(&setup(&[&puppet], prompt, &[("style", json!(style))]));
        let mut tasks = ToyTasks::new(1);
        tasks.world = Arc::new(|| Box::new(Chained));
        let told = [("rounds", ParameterValue::Integer(2))];
        let played = again(&plan_of("respact", &told, tasks, vec![role], vec![friend()]));
        assert_eq!(played.outcome(0).ending, Ending::Solved);
        let asked: Vec<String> = puppet.asked().iter().map(|asked| asked.prompt()).collect();
        assert_eq!(asked[0], "Your task is 0. | Your task is 0.\n\n>");
        // The task of the round is what the environment showed when it began.
        let expected = format!("Your next task is 1. | Your task is 0.\n{first}You win. Your next task is 1.{then}");
        assert_eq!(asked[2], expected, "{style}");
    }
}

#[test]
fn lessons_reach_the_next_trial_in_every_form_of_answer() {
    for (how, lesson) in [
        ("text", "Learn: Look into\nthe safe."),
        ("json", r#"{"move": {"kind": "learn", "lesson": "Look into the safe."}}"#),
        ("tools", ""),
    ] {
        let reflector = Puppet::new("m", move |_| {
            let mut said = reply(lesson);
            if how == "tools" {
                said.choices[0]
                    .tool_calls
                    .push(ToolCall { name: "learn".to_owned(), arguments: json!({"lesson": "Look into the safe."}) });
            }
            Ok(said)
        });
        let reflector = reflector.with(|_| ());
        let mut reflecting = setup(&[&reflector], "{{ transcript }}", &[("moves", json!(how))]);
        reflecting.role = RoleName::new("reflector").unwrap();
        let executor = saying(&["look", "look"]);
        let prompt = "{% if sections.lessons is defined %}{{ sections.lessons }}{% endif %}\n>";
        let acting = role_of(&setup(&[&executor], prompt, &[]));
        let roles = vec![acting, role_of(&reflecting)];
        let told = [("trials", ParameterValue::Integer(2))];
        let played = again(&plan_of("reflexion", &told, ToyTasks::new(1), roles, Vec::new()));
        assert_eq!(played.outcome(0).ending, Ending::Solved, "{how}");
        let read = reflector.asked()[0].prompt();
        assert!(read.ends_with("2: look\nStatus: not solved"), "{read}");
        let asked = executor.asked();
        assert_eq!(asked[1].prompt(), "\n>");
        assert_eq!(asked[2].prompt(), "Look into the safe.\n>", "{how}");
    }
}

#[test]
fn an_executor_that_never_declares_an_act_is_a_fault_and_no_unchecked_speech() {
    let puppet = Puppet::new("m", |_| Ok(reply("speak: Where is it?"))).with(|_| ());
    let role = role_of(&setup(&[&puppet], PLAIN, &[]));
    let played = play(toy("respact-schema", 1, role));
    let told = |message: &Message| matches!(message, Message::Told(_));
    assert!(!played.events(0).iter().any(|event| told(&event.message)));
    let unusable = played
        .events(0)
        .iter()
        .any(|event| matches!(&event.message, Message::Fault(fault) if fault.kind == FaultKind::Unusable));
    assert!(unusable);
}
