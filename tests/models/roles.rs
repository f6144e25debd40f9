//! Roles and users that models play, through the runtime; the model is a puppet in memory.

use std::sync::Arc;

use super::executors::{PLAIN, role_of, saying};
use crate::support::puppet::{self, Puppet, cut, replies, reply, scores, setup, user_setup, weighed};
use crate::support::toy::{self, CANARY, Played, ToyTasks, again, friend, play};
use rolecall::config::{Plan, PlannedRole, PlannedUser};
use rolecall::domain::{Ending, Event, FaultKind, Message, Move, Seat, ToolCall, UserSees};
use rolecall::ports::model::{Format, Prompt};
use rolecall::ports::{ModelError, RoleSetup};
use serde_json::{Value, json};

fn user_of(puppet: &Arc<Puppet>, prompt: &str) -> PlannedUser {
    PlannedUser {
        kind: "model".to_owned(),
        weight: 1.0,
        sees: UserSees::Question,
        factory: rolecall::users::model::build(&user_setup(&[puppet], prompt)).unwrap(),
    }
}

/// Plays one toy episode and plays it again from its log.
fn played(role: PlannedRole, user: PlannedUser) -> Played {
    again(&toy::plan(ToyTasks::new(1), role, user))
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
    let played = played(role_of(&setup(&[&puppet], PLAIN, &[])), user_of(&user, prompt));
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
    assert_eq!(played.moves(0)[1], Move::speak("What now?"));
    let last = puppet.asked().last().unwrap().prompt();
    let said = played.moves(0).len();
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
    let played = played(role_of(&setup(&[&puppet], everything, &[])), user_of(&user, everything));
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
    let role = role_of(&setup(&[&puppet], PLAIN, &[]));
    let played = play(toy::plan(ToyTasks::new(1), role, friend()));
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
    // Which calls asked again stands in the log, and from there in the figures.
    let calls = played.events(0).iter().filter_map(|event| match &event.message {
        Message::ModelCalled(call) => Some((call.attempt, call.again)),
        _ => None,
    });
    let calls: Vec<_> = calls.collect();
    assert_eq!(calls, [(0, 0), (0, 1), (1, 0), (1, 1)]);
}

/// The moves that a model makes that answers in this way, always with the same.
fn made_by(answer: rolecall::domain::ModelReply, values: &[(&'static str, Value)]) -> Vec<Move> {
    let puppet = Puppet::new("m", move |asked| match asked.number {
        0 => Ok(answer.clone()),
        _ => Ok(reply(r#"{"move": {"kind": "act", "command": "win"}}"#)),
    });
    let puppet = puppet.with(|_| ());
    played(role_of(&setup(&[&puppet], PLAIN, values)), friend()).moves(0)
}

#[test]
fn text_json_and_tools_give_the_same_move() {
    let spoken = [Move::speak("What now?"), Move::act("win")];
    assert_eq!(made_by(reply("speak: What now?"), &[]), spoken);
    let json = reply(r#"{"move": {"kind": "speak", "text": "What now?"}}"#);
    assert_eq!(made_by(json, &[("moves", json!("json"))]), spoken);
    let mut called = reply("");
    called.choices[0].tool_calls.push(ToolCall { name: "speak".to_owned(), arguments: json!({"text": "What now?"}) });
    assert_eq!(made_by(called, &[("moves", json!("tools"))]), spoken);
}

#[test]
fn a_cards_limits_are_for_lines_and_do_not_cut_structured_answers() {
    let asked_for = |moves: &'static str, says: &'static str, longest: u32, own: Option<u32>| {
        let puppet = Puppet::new("m", move |_| Ok(reply(says)));
        let puppet = puppet.with(|profile| profile.max_tokens = own);
        let values = [("moves", json!(moves)), ("longest", json!(longest))];
        let mut setup = setup(&[&puppet], PLAIN, &values);
        setup.persona.sampling.stop = vec!["\n".to_owned()];
        setup.persona.sampling.max_tokens = Some(100);
        setup.persona.sampling.temperature = Some(0.0);
        played(role_of(&setup), friend());
        let asked = puppet.asked().remove(0).completion().clone();
        (asked.stop.len(), asked.max_tokens, asked.temperature)
    };
    let json = r#"{"move": {"kind": "act", "command": "win"}}"#;
    // A line break may stand before all of a chat's answer.
    assert_eq!(asked_for("text", "Act: win", 300, None), (0, Some(100), Some(0.0)));
    assert_eq!(asked_for("text", "Act: win", 300, Some(9)), (0, Some(100), Some(0.0)));
    // The longest answer of the schema: its text and the marks around it.
    assert_eq!(asked_for("json", json, 300, None), (0, Some(340), Some(0.0)));
    assert_eq!(asked_for("json", json, 2000, None), (0, Some(2040), Some(0.0)));
    // The model's own settings hold in its place, as for one that reasons first.
    assert_eq!(asked_for("json", json, 300, Some(5000)), (0, None, Some(0.0)));
}

/// The kinds of moves that are offered first.
fn offered(moves: &'static str, finish: bool) -> (Vec<String>, Vec<Move>) {
    let says = r#"{"move": {"kind": "finish", "answer": ""}}"#;
    let puppet = Puppet::new("m", move |_| Ok(reply(says))).with(|_| ());
    let prompt = "{{ answer_format }}\n\n{{ transcript }}";
    let values = [("moves", json!(moves)), ("finish", json!(finish))];
    let played = played(role_of(&setup(&[&puppet], prompt, &values)), friend());
    let asked = puppet.asked();
    let kinds: Vec<String> = match &asked[0].completion().format {
        Format::Json { schema, .. } => {
            let shapes = schema["properties"]["move"]["anyOf"].as_array().unwrap();
            let kind = |shape: &Value| shape["properties"]["kind"]["enum"][0].as_str().unwrap().to_owned();
            shapes.iter().map(kind).collect()
        }
        Format::Tools { tools, .. } => tools.iter().map(|tool| tool.name.clone()).collect(),
        other => panic!("{other:?}"),
    };
    // The prompt speaks of what is offered, and of nothing else.
    let told = asked[0].prompt();
    for kind in ["think", "act", "speak", "finish"] {
        let name = if moves == "json" { format!(r#""kind":"{kind}""#) } else { format!("`{kind}`") };
        assert_eq!(told.contains(&name), kinds.contains(&kind.to_owned()), "{told}");
    }
    (kinds, played.moves(0).to_vec())
}

#[test]
fn giving_up_is_offered_only_if_the_config_asks_for_it() {
    for moves in ["json", "tools"] {
        assert_eq!(offered(moves, false).0, ["think", "act", "speak"], "{moves}");
        assert_eq!(offered(moves, true).0, ["think", "act", "speak", "finish"], "{moves}");
    }
}

#[test]
fn structured_answers_are_asked_for_by_a_schema_of_the_open_moves() {
    let win = r#"{"move": {"kind": "act", "command": "win"}}"#;
    let puppet = Puppet::new("m", move |_| Ok(reply(win))).with(|_| ());
    let role = role_of(&setup(&[&puppet], PLAIN, &[("moves", json!("json"))]));
    played(role, friend());
    let asked = puppet.asked();
    let Format::Json { schema, .. } = &asked[0].completion().format else {
        panic!("no schema");
    };
    let shapes = schema["properties"]["move"]["anyOf"].as_array().unwrap();
    let kinds = shapes.iter().map(|shape| shape["properties"]["kind"]["enum"][0].as_str().unwrap());
    assert_eq!(kinds.collect::<Vec<_>>(), ["think", "act", "speak"]);
    assert!(matches!(&asked[0].completion().prompt, Prompt::Chat(messages) if messages.len() == 1));
}

#[test]
fn a_command_that_was_cut_is_not_performed() {
    let puppet = Puppet::new("m", |asked| match asked.number {
        0 => Ok(cut("> go to the des")),
        1 => Ok(cut("> think: I have to")),
        _ => Ok(reply("win")),
    });
    let puppet = puppet.with(|profile| profile.chat = false);
    let played = played(role_of(&setup(&[&puppet], PLAIN, &[])), friend());
    assert_eq!(played.moves(0), [Move::think("I have to"), Move::act("win")]);
    assert!(puppet.asked()[1].prompt().contains("cut at the limit of tokens"));
}

#[test]
fn a_rule_takes_one_of_several_samples() {
    let sampled = || weighed(&[("look", -3.0), ("win", -2.0), ("look", -9.0), ("think: long", -4.0)]);
    let chosen = |rule: &str| {
        let values = [("choose", json!("sample")), ("samples", json!(4)), ("choice", json!(rule))];
        let puppet = Puppet::new("m", move |asked| match asked.number {
            0 => Ok(sampled()),
            _ => Ok(replies(&["win"; 4])),
        });
        let puppet = puppet.with(|_| ());
        let first = played(role_of(&setup(&[&puppet], PLAIN, &values)), friend()).moves(0);
        assert_eq!(puppet.asked()[0].completion().n, Some(4));
        first[0].clone()
    };
    assert_eq!(chosen("first"), Move::act("look"));
    assert_eq!(chosen("majority"), Move::act("look"));
    assert_eq!(chosen("likeliest"), Move::act("win"));
    assert_eq!(chosen("longest"), Move::think("long"));
}

#[test]
fn without_n_each_sample_is_a_request_of_its_own() {
    let values = [("choose", json!("sample")), ("samples", json!(3)), ("choice", json!("majority"))];
    let puppet = Puppet::new("m", |asked| Ok(reply(["look", "win", "win"][asked.number % 3])));
    let puppet = puppet.with(|profile| profile.capabilities.several = false);
    let played = played(role_of(&setup(&[&puppet], PLAIN, &values)), friend());
    assert_eq!(played.moves(0), [Move::act("win")]);
    let seeds: std::collections::BTreeSet<_> = puppet.asked().iter().map(|asked| asked.completion().seed).collect();
    assert_eq!(seeds.len(), 3);
}

/// A plan of household games.
fn household(tasks: usize, role: PlannedRole, user: PlannedUser, listed: bool) -> Plan {
    let table = rolecall::environments::household::tasks::PARAMETERS;
    let mut values = vec![("list_admissible", json!(listed))];
    values.push(("split", json!("unseen")));
    let mut parameters = puppet::parameters(table, &values);
    if parameters.path("data").is_none() {
        let own = parameters.iter().map(|(name, value)| (name, value.clone()));
        parameters = rolecall::ports::Parameters::new(own);
    }
    let source = rolecall::environments::household::tasks::build(&parameters).unwrap();
    let mut plan = toy::plan(ToyTasks::new(1), role, user);
    plan.tasks = (0..tasks).collect();
    plan.cells[0].tasks = source;
    plan.cells[0].environment = "household".to_owned();
    plan.cells[0].limits.turn = std::time::Duration::from_secs(20);
    plan
}

#[test]
fn a_whole_respact_episode_is_solved_and_played_again() {
    // The user reads the oracle plan out; the executor does what it is told.
    let user = Puppet::new("m", |asked| {
        let steps = asked.prompt();
        let number = steps.matches("Agent:").count();
        let steps: Vec<&str> = steps.split('\'').collect();
        Ok(reply(steps.get(2 * number - 1).unwrap_or(&"that is all")))
    });
    let user = user.with(|_| ());
    let executor = Puppet::new("m", |asked| {
        let prompt = asked.prompt();
        let last = prompt.trim_end_matches(['>', '\n']).lines().last().unwrap().to_owned();
        Ok(reply(&match last.strip_prefix("Human: ") {
            Some(told) => format!("> {told}"),
            None if asked.number == 0 => "> think: I ask for every step.".to_owned(),
            None => "> speak: What is next?".to_owned(),
        }))
    });
    let executor = executor.with(|profile| profile.chat = false);
    let prompt = "{{ actions }}\n{{ grammar }}\n{{ first_observation }}\n{{ transcript }}\n>";
    let role = role_of(&setup(&[&executor], prompt, &[]));
    let told = "{{ oracle_plan }} {{ dialogue }}";
    let mut user = user_of(&user, told);
    user.sees = UserSees::Dialogue;
    let mut plan = household(1, role, user, false);
    plan.cells[0].limits.steps = 40;
    let played = again(&plan);
    assert_eq!(played.outcome(0).ending, Ending::Solved);
    let first = executor.asked()[0].prompt();
    assert!(first.contains("- take: pick an object up"), "{first}");
    assert!(first.contains("\nmove {object} to {receptacle}\n"), "{first}");
    assert!(first.contains("Your task is to: "), "{first}");
    let mut prompts = executor.asked().into_iter().map(|asked| asked.prompt());
    assert!(prompts.all(|prompt| !prompt.contains("['")), "the oracle plan is in a prompt");
}

#[test]
fn the_likeliest_of_the_possible_actions_is_taken() {
    let puppet = Puppet::new("m", |asked| match asked.number {
        // Thinking wins, then its text is generated, then the third command wins.
        0 => {
            let candidates = &asked.scoring().candidates;
            let think = candidates.iter().position(|text| text == " think:");
            Ok(scores((0..candidates.len()).map(|place| (if Some(place) == think { -1.0 } else { -2.0 }, 2))))
        }
        1 => Ok(reply(" I look around.\n> look")),
        _ => {
            let all = asked.scoring().candidates.len();
            // By token the last, in all the third.
            Ok(scores((0..all).map(|place| match place {
                2 => (-5.0, 1),
                _ if place + 1 == all => (-6.0, 10),
                _ => (-50.0, 1),
            })))
        }
    });
    let puppet = puppet.with(|profile| profile.chat = false);
    let role = role_of(&setup(&[&puppet], PLAIN, &[("choose", json!("score"))]));
    let mut plan = household(1, role, friend(), true);
    plan.cells[0].limits.steps = 2;
    let played = again(&plan);
    let asked = puppet.asked();
    let candidates = &asked[0].scoring().candidates;
    let specials = &candidates[candidates.len() - 2..];
    assert_eq!(specials, [" think:", " speak:"]);
    assert!(candidates.contains(&" look\n".to_owned()), "{candidates:?}");
    assert!(asked[1].prompt().ends_with("> think:"));
    assert!(asked[1].completion().stop.contains(&"\n".to_owned()));
    let third = asked[2].scoring().candidates[2].trim().to_owned();
    assert_eq!(played.moves(0), [Move::think("I look around."), Move::act(third)]);
}

#[test]
fn a_call_of_a_tool_that_nobody_offered_is_told_with_what_to_write() {
    for moves in ["text", "json"] {
        let puppet = Puppet::new("m", |_| {
            let mut said = reply("");
            said.choices[0].tool_calls =
                vec![rolecall::domain::ToolCall { name: "open_door".to_owned(), arguments: json!({"door": 1}) }; 2];
            Ok(said)
        });
        let puppet = puppet.with(|_| ());
        let role = role_of(&setup(&[&puppet], PLAIN, &[("moves", json!(moves))]));
        let played = play(toy::plan(ToyTasks::new(1), role, friend()));
        let faults = format!("{:?}", played.events(0));
        let told = "there is a call of `open_door` in place of a move";
        assert!(faults.contains(told), "{moves}: {faults}");
        assert!(faults.contains(r#"moves = \"tools\""#), "{moves}: {faults}");
        // The model is told what was wrong, and not how it could be configured.
        let corrected = puppet.asked()[1].prompt();
        assert!(corrected.contains(told) && !corrected.contains("role's table"), "{corrected}");
    }
    // A move in the text counts, whatever is called beside it.
    let puppet = Puppet::new("m", |_| {
        let mut said = reply("win");
        said.choices[0].tool_calls =
            vec![rolecall::domain::ToolCall { name: "open_door".to_owned(), arguments: json!({}) }];
        Ok(said)
    });
    let role = role_of(&setup(&[&puppet.with(|_| ())], PLAIN, &[]));
    let played = play(toy::plan(ToyTasks::new(1), role, friend()));
    assert_eq!(played.moves(0), [Move::act("win")]);
}

#[test]
fn scoring_needs_the_list_of_possible_actions() {
    let puppet = saying(&[]);
    let role = role_of(&setup(&[&puppet], PLAIN, &[("choose", json!("score"))]));
    let played = play(toy::plan(ToyTasks::new(1), role, friend()));
    let told = format!("{:?}", played.outcome(0));
    let faults = format!("{:?}", played.events(0));
    assert!(faults.contains("list_admissible = true"), "{told}");
    assert!(puppet.asked().is_empty());
}

/// Thirteen turns with a window of that size.
fn squeezed(values: &[(&'static str, Value)], window: u32) -> (Arc<Puppet>, Plan) {
    let puppet = Puppet::new("m", |asked| {
        if asked.prompt().contains("Sum it up") {
            return Ok(reply("Much was tried."));
        }
        Ok(reply(&match asked.number {
            0..12 => format!("try number {} of a great many tries", asked.number),
            _ => "win".to_owned(),
        }))
    });
    let puppet = puppet.with(|profile| {
        profile.chat = false;
        profile.context_tokens = Some(window);
        profile.max_tokens = Some(20);
        profile.bytes_per_token = 1.0;
    });
    let role = role_of(&setup(&[&puppet], PLAIN, values));
    (puppet, toy::plan(ToyTasks::new(1), role, friend()))
}

#[test]
fn prompts_are_made_to_fit() {
    let with = |context: &str| [("context", json!(context)), ("keep", json!(2))];
    for context in ["last", "drop-observations", "summary"] {
        let window = if context == "drop-observations" { 820 } else { 620 };
        let (puppet, plan) = squeezed(&with(context), window);
        let played = again(&plan);
        assert_eq!(played.outcome(0).ending, Ending::Solved, "{context}");
        let asked = puppet.asked();
        let last = asked.last().unwrap().prompt();
        assert!(last.len() <= window as usize - 20, "{context}: {}", last.len());
        let marks = ["begun 0\n> try number", "(not shown any more)", "in short: Much was tried."];
        let place = ["last", "drop-observations", "summary"].iter().position(|name| *name == context);
        assert!(last.contains(marks[place.unwrap()]), "{context}: {last}");
        // What is kept is whole.
        assert!(last.contains("\n12: try number") || context == "summary", "{context}: {last}");
        let summaries = asked.iter().filter(|asked| asked.prompt().contains("Sum it up")).count();
        assert_eq!(summaries > 0, context == "summary");
        assert!(summaries < 6, "{summaries}");
    }
    let (_, plan) = squeezed(&with("all"), 620);
    let played = play(plan);
    let events = format!("{:?}", played.events(0));
    assert!(events.contains("does not fit the window of the model"), "{events}");
}

/// How often a prompt does not go on from the one before.
fn breaks(puppet: &Puppet) -> usize {
    let prompts: Vec<String> = puppet.asked().iter().map(|asked| asked.prompt()).collect();
    let goes_on = |pair: &&[String]| pair[1].starts_with(pair[0].trim_end_matches(['>', '\n', ' ']));
    prompts.windows(2).filter(|pair| !goes_on(pair)).count()
}

#[test]
fn what_is_left_out_to_fit_changes_seldom_and_is_told() {
    let with = |context: &str| [("context", json!(context)), ("keep", json!(2))];
    let (puppet, plan) = squeezed(&with("fit"), 620);
    let played = again(&plan);
    assert_eq!(played.outcome(0).ending, Ending::Solved);
    let asked = puppet.asked();
    assert!(asked.iter().all(|asked| asked.prompt().len() <= 600));
    assert!(asked.last().unwrap().prompt().contains("(not shown any more)"));
    let told = |event: &&Event| matches!(&event.message, Message::Repaired(repair) if repair.code == "left_out");
    let told = played.events(0).iter().filter(told).count();
    let cut = asked.iter().filter(|asked| asked.prompt().contains("(not shown any more)")).count();
    assert!(told >= cut && cut > 2 && told < asked.len(), "{told} of {cut}");
    let (last, plan) = squeezed(&with("last"), 620);
    again(&plan);
    assert!(breaks(&puppet) <= breaks(&last), "{} {}", breaks(&puppet), breaks(&last));
    // It is the default.
    let (puppet, plan) = squeezed(&[("keep", json!(2))], 620);
    assert_eq!(again(&plan).outcome(0).ending, Ending::Solved);
    assert_eq!(puppet.asked().len(), asked.len());
}

#[test]
fn a_server_that_finds_the_prompt_too_long_is_asked_with_half_until_it_fits() {
    // Later a half is too long as well; or what is always kept is more than a half, and fits.
    for (keep, later) in [(1, 120), (3, 300)] {
        let puppet = Puppet::new("m", move |asked| {
            let longest = if asked.number > 8 { later } else { 300 };
            if asked.prompt().len() > longest {
                return Err(ModelError::Overflow("so it says".to_owned()));
            }
            Ok(reply(match asked.prompt().contains(": try all of the many things") {
                true if asked.number > 14 => "win",
                _ => "try all of the many things",
            }))
        });
        let puppet = puppet.with(|profile| profile.chat = false);
        let values = [("context", json!("last")), ("keep", json!(keep))];
        let played = played(role_of(&setup(&[&puppet], PLAIN, &values)), friend());
        assert_eq!(played.outcome(0).ending, Ending::Solved, "{keep}");
        assert_eq!(played.outcome(0).counts.faults, 0, "{keep}");
    }
    // A server that takes nothing is not asked for ever.
    let puppet = Puppet::new("m", |_| Err(ModelError::Overflow("so it says".to_owned())));
    let puppet = puppet.with(|profile| profile.chat = false);
    let values = [("context", json!("last"))];
    let played = played(role_of(&setup(&[&puppet], PLAIN, &values)), friend());
    assert_eq!(played.outcome(0).ending, Ending::ContextFull);
}

#[test]
fn a_full_window_and_a_filter_are_the_agents_failure_and_the_users_fault() {
    let errors = [ModelError::Overflow("2048".to_owned()), ModelError::Refused("I cannot".to_owned())];
    let endings = [(Ending::ContextFull, FaultKind::ContextFull), (Ending::Refused, FaultKind::Refused)];
    for (error, (ending, kind)) in errors.into_iter().zip(endings) {
        let kinds = |played: &Played| -> Vec<FaultKind> {
            let faults = played.events(0).iter().filter_map(|event| match &event.message {
                Message::Fault(fault) => Some(fault.kind),
                _ => None,
            });
            faults.collect()
        };
        let said = error.clone();
        let puppet = Puppet::new("m", move |_| Err(said.clone())).with(|_| ());
        let of_role = played(role_of(&setup(&[&puppet], PLAIN, &[])), friend());
        assert_eq!((&of_role.outcome(0).ending, kinds(&of_role)), (&ending, vec![kind; 3]));
        assert!(!of_role.outcome(0).success);
        let user = Puppet::new("m", move |_| Err(error.clone())).with(|_| ());
        let asking = saying(&["speak: What now?"]);
        let of_user = played(role_of(&setup(&[&asking], PLAIN, &[])), user_of(&user, "{{ question }}"));
        assert_eq!(of_user.outcome(0).ending, Ending::Broken { by: Seat::User });
        assert_eq!(kinds(&of_user), [FaultKind::Error; 3]);
    }
}

#[test]
fn what_cannot_work_is_said_at_setup() {
    let told = |setup: &RoleSetup| match rolecall::roles::model::build(setup) {
        Ok(_) => panic!("it is built"),
        Err(error) => error.to_string(),
    };
    let able = saying(&[]);
    let weak = Puppet::new("m", |_| Ok(reply(""))).with(|profile| {
        profile.capabilities = rolecall::ports::model::Capabilities::default();
    });
    let with = |puppet, prompt, key, word: &str| setup(&[puppet], prompt, &[(key, json!(word))]);
    let unknown = told(&with(&able, "a\n{{ tsak }}", "moves", "text"));
    assert!(unknown.ends_with("the prompt `agents/p.md` line 2: nobody fills in `tsak`"), "{unknown}");
    let schema = told(&with(&weak, PLAIN, "moves", "json"));
    assert!(schema.contains("moves: needs a JSON schema, and `m`"), "{schema}");
    assert!(told(&with(&weak, PLAIN, "moves", "tools")).starts_with("moves: needs tools"));
    assert!(told(&with(&weak, PLAIN, "choose", "score")).contains("`scoring`"));
    let empty = told(&with(&able, " ", "moves", "text"));
    assert!(empty.contains("the persona has no prompt"), "{empty}");
    let chat = Puppet::new("m", |_| Ok(reply(""))).with(|_| ());
    assert!(told(&with(&chat, PLAIN, "choose", "score")).contains("completions"));
    let mut absent = setup(&[&able], PLAIN, &[]);
    absent.models = Default::default();
    assert!(told(&absent).contains("no model of this config"));
}

#[test]
fn a_thought_and_its_action_are_one_turn_unless_a_config_forbids_it() {
    for (together, second) in [(true, Move::act("win")), (false, Move::think("It is here."))] {
        let puppet = Puppet::new("m", |_| Ok(reply("Think: It is here.\nAct: win\nAct: try 1")));
        let values = [("thought_with_move", json!(together))];
        let mut plan = toy::plan(ToyTasks::new(1), role_of(&setup(&[&puppet.with(|_| ())], PLAIN, &values)), friend());
        plan.cells[0].limits.steps = 2;
        assert_eq!(again(&plan).moves(0), [Move::think("It is here."), second]);
    }
}

#[test]
fn a_model_that_repeats_itself_ends_the_episode_and_rules_do_not() {
    let ending = |role| {
        let mut plan = toy::plan(ToyTasks::new(1), role, friend());
        plan.cells[0].limits.repeats = 3;
        let played = again(&plan);
        (played.outcome(0).ending.label(), played.moves(0).len())
    };
    let puppet = Puppet::new("m", |_| Ok(reply("Act: try 1"))).with(|_| ());
    assert_eq!(ending(role_of(&setup(&[&puppet], PLAIN, &[]))), ("repeats itself".to_owned(), 3));
    assert_eq!(ending(toy::role(|_| Move::act("try 1").into())), ("out of steps".to_owned(), 20));
}
