//! Whatever players by rules do can be done by a model in their seat: each of their moves is written as a model would
//! write it, in running text, by the schema and by calls of the tools that it is offered, and reads as the same move.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use boon::{Compiler, Schemas};
use rolecall::config::{Cell, PlannedRole};
use rolecall::domain::{Answer, Brief, Message, ModelReply, Move, MoveKind, ToolCall, ToolChoice};
use rolecall::ports::model::{Format, ToolSpec};
use rolecall::ports::{Role, RoleError, RoleFactory, Turn, World};
use rolecall::prompts::{LineNotation, written};
use serde_json::{Map, Value, json};

use crate::support::puppet::{self, Asked, Puppet, reply};
use crate::support::{shipped, toy};

/// Shipped casts by rules, with settings under which they are asked for other answers.
const CASTS: &[(&str, &[&str])] = &[
    ("booking/booking-respact", &[]),
    ("booking/booking-respact", &["strategy.actions=tools"]),
    ("booking/booking-react", &[]),
    ("booking/booking-reference", &[]),
    ("booking/booking-reference", &["strategy.actions=tools"]),
    ("booking/booking-autotod", &[]),
    ("booking/booking-users", &[]),
    ("booking/relay", &[]),
    ("dialogue/tpe", &[]),
    ("dialogue/tpe-cima", &[]),
    ("dialogue/tpe-psyqa", &[]),
    ("dialogue/chameleon", &[]),
    ("dialogue/chameleon", &["environment.dataset=cima"]),
    ("dialogue/rewoo", &[]),
    ("dialogue/react", &[]),
    ("dialogue/react", &["environment.dataset=psyqa"]),
    ("dialogue/cot", &[]),
    ("dialogue/few-shot", &[]),
    ("dialogue/cue-cot", &[]),
    ("dialogue/relay", &[]),
    ("dialogue/tutor", &[]),
    ("dialogue/counsel", &[]),
    ("dialogue/guide", &[]),
    ("dialogue/own-sources", &[]),
    ("dialogue/own-strategies", &[]),
    ("household/respact", &[]),
    ("household/respact-im", &[]),
    ("household/respact-schema", &[]),
    ("household/respact-reflexion", &[]),
    ("household/react", &[]),
    ("household/react-im", &[]),
    ("household/react-multi-round", &[]),
    ("household/aba", &[]),
    ("household/aba-ambiguous", &[]),
    ("household/clarification", &[]),
    ("household/relay", &[]),
    ("shop/webshop", &[]),
    ("shop/webshop-respact", &[]),
    ("shop/chatshop", &[]),
    ("shop/chatshop", &["strategy.actions=text"]),
    ("shop/chatshop", &["strategy.reasoning=true"]),
    ("shop/chatshop", &["environment.channel=compare"]),
    ("shop/clarification", &[]),
    ("shop/relay", &[]),
    ("travel/cep", &[]),
    ("travel/cep", &["strategy.actions=tools"]),
    ("travel/cep", &["strategy.execution=dynamic", "strategy.reflection=true"]),
    ("travel/cep", &["strategy.execution=dynamic", "strategy.actions=tools"]),
    ("travel/direct", &[]),
    ("travel/react", &[]),
    ("travel/reflexion", &[]),
    ("travel/proactive", &[]),
    ("travel/procot", &[]),
    ("travel/greedy", &[]),
    ("travel/relay", &[]),
];

const FORMS: [&str; 3] = ["text", "json", "tools"];

/// Problems that were found, the number of moves that were written by form, and the notations that players by rules
/// answered with moves that a model writes otherwise.
#[derive(Default)]
struct Findings {
    problems: BTreeSet<String>,
    moves: BTreeMap<&'static str, usize>,
    apart: BTreeSet<&'static str>,
}

/// Turn that a player by rules has taken, and that its models are to take as well.
#[derive(Clone)]
struct Taken {
    brief: Brief,
    moves: Vec<Move>,
    problem: Option<String>,
}

type Slot = Arc<Mutex<Option<Taken>>>;

/// A player by rules, and models that write the same moves.
struct Shadowed {
    rules: Box<dyn Role>,
    models: Vec<(&'static str, Box<dyn Role>)>,
    slot: Slot,
    name: String,
    findings: Arc<Mutex<Findings>>,
}

#[async_trait]
impl Role for Shadowed {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        let answer = self.rules.take_turn(turn).await?;
        let brief = turn.brief().unwrap();
        let notation = notation(brief);
        let moves = asked_for(brief, &answer.moves);
        if moves.is_empty() {
            self.findings.lock().unwrap().apart.insert(notation);
            return Ok(answer);
        }
        for (form, model) in &mut self.models {
            // Where calls are the model's own, its text is a reply.
            let is_call = |made: &Move| made.kind() == MoveKind::Act;
            let no_text = *form == "text" && notation == "booking-reply" && moves.iter().any(is_call);
            if no_text || *form != "text" && moves.iter().any(has_no_form) || moves.iter().any(says_nothing) {
                continue;
            }
            let expected = match (notation, *form) {
                ("plan-do" | "react-strategy", _) => answer.moves.clone(),
                // A question says that all is not clear.
                ("clarify-or-act", "text") => moves.last().cloned().into_iter().collect(),
                _ => moves.clone(),
            };
            let expected: Vec<String> = expected.iter().map(meaning).collect();
            let whole = *form == "text" && ["plan-do", "react-strategy"].contains(&notation);
            let moves = if whole { answer.moves.clone() } else { moves.clone() };
            let taken = Taken { brief: brief.clone(), moves, problem: None };
            *self.slot.lock().unwrap() = Some(taken);
            let read = model.take_turn(turn).await;
            let taken = self.slot.lock().unwrap().take().unwrap();
            let read = read.map(|read| read.moves.iter().map(meaning).collect::<Vec<_>>());
            // The original program takes all of the text for a thought, and looks for a call in it.
            let is_call = |text: &&String| text.starts_with("act ");
            let problem = match read {
                _ if taken.problem.is_some() => taken.problem,
                Ok(read) if read == expected => None,
                Ok(read)
                    if (notation, *form) == ("booking-reference", "text")
                        && read.iter().filter(is_call).eq(expected.iter().filter(is_call)) =>
                {
                    None
                }
                Ok(read) => Some(format!("{expected:?} read as {read:?}")),
                Err(error) => Some(format!("{expected:?}: {error}")),
            };
            let mut findings = self.findings.lock().unwrap_or_else(PoisonError::into_inner);
            *findings.moves.entry(form).or_default() += expected.len();
            findings.problems.extend(problem.map(|why| format!("{} {form} {notation}: {why}", self.name)));
        }
        Ok(answer)
    }
}

/// Model that writes the moves of the turn that was taken.
fn author(slot: &Slot, form: &'static str) -> Arc<Puppet> {
    let slot = Arc::clone(slot);
    let model = Puppet::new("m", move |asked| {
        let mut slot = slot.lock().unwrap();
        Ok(write(slot.as_mut().unwrap(), form, asked))
    });
    model.with(|_| ())
}

/// Factory of the same players with their models.
fn shadowed(cell: &Cell, role: &PlannedRole, name: &str, findings: &Arc<Mutex<Findings>>) -> RoleFactory {
    let world = World { tools: cell.tasks.tools().into(), ..rolecall::worlds().world(Some(&cell.environment)) };
    let (rules, findings) = (Arc::clone(&role.factory), Arc::clone(findings));
    let (role, name) = (role.role.clone(), format!("{name} {}", role.role));
    Arc::new(move || {
        let slot = Slot::default();
        let model = |form: &'static str| {
            let values = [
                ("moves", json!(form)),
                ("letters", json!("any")),
                ("longest", json!(10_000)),
                ("retries_unreadable", json!(0)),
                ("finish", json!(true)),
            ];
            let mut setup = puppet::setup(&[&author(&slot, form)], "Go on.", &values);
            (setup.world, setup.role) = (world.clone(), role.clone());
            (form, rolecall::roles::model::build(&setup).unwrap()())
        };
        let models = FORMS.map(model).into();
        let (rules, name, findings) = (rules(), name.clone(), Arc::clone(&findings));
        Box::new(Shadowed { rules, models, slot, name, findings })
    })
}

/// Writes the moves that the format of the answer leaves open, and notes what does not fit its schema.
fn write(taken: &mut Taken, form: &str, asked: &Asked) -> ModelReply {
    let moves = &taken.moves;
    match &asked.completion().format {
        Format::Json { schema, .. } => {
            let fields: Vec<Value> = moves.iter().map(fields).collect();
            let answer = match taken.brief.several {
                true => json!({ "moves": fields }),
                false => json!({ "move": fields[0] }),
            };
            taken.problem = misfit(schema, &answer);
            reply(&answer.to_string())
        }
        Format::Tools { tools, choice } if *choice != ToolChoice::None => {
            let calls: Vec<ToolCall> = moves.iter().map(|made| call(made, tools)).collect();
            taken.problem = calls.iter().find_map(|call| match tools.iter().find(|tool| tool.name == call.name) {
                Some(tool) => misfit(&tool.parameters, &call.arguments),
                None => Some(format!("{form}: `{}` is not offered", call.name)),
            });
            let mut reply = reply("");
            reply.choices[0].tool_calls = calls;
            reply
        }
        _ => reply(&in_notation(&taken.brief, moves)),
    }
}

/// Moves that a structured answer to the brief is to hold.
fn asked_for(brief: &Brief, moves: &[Move]) -> Vec<Move> {
    let world = rolecall::worlds().world(None);
    let named = |notation: &str| world.formats.iter().find(|format| format.name() == notation);
    let open = brief
        .notation
        .and_then(|notation| named(notation.as_str()))
        .map_or(brief.open, |format| format.offered(brief.open));
    moves.iter().filter(|made| open.contains(made.kind())).cloned().collect()
}

fn notation(brief: &Brief) -> &'static str {
    brief.notation.as_ref().map_or("", |notation| notation.as_str())
}

/// Whether a move lays nothing out, or ends without an answer: models are asked for something.
fn says_nothing(made: &Move) -> bool {
    match made {
        Move::Plan { steps } => steps.is_empty(),
        Move::Finish { answer } => answer.is_null(),
        _ => false,
    }
}

/// Whether a move is one of those of relays that no world says a form of: the collection of results, the plan of a trip,
/// and a response whose words somebody else is to find.
fn has_no_form(made: &Move) -> bool {
    let is_one = |text: &str| text == "respond" || text.starts_with("Collect(") || text.starts_with("Plan(");
    match made {
        Move::Act { action } => is_one(&action.text),
        made => steps(made).any(is_one),
    }
}

/// Why a value does not fit a schema.
fn misfit(schema: &Value, value: &Value) -> Option<String> {
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    // No text of the tests is as long, and counted repetitions of so many letters are more than the crate compiles.
    let schema = schema.to_string().replace("{0,9999}", "*");
    compiler.add_resource("schema.json", serde_json::from_str(&schema).unwrap()).unwrap();
    let index = compiler.compile("schema.json", &mut schemas).unwrap();
    schemas.validate(value, index).err().map(|error| format!("{value} does not fit: {error:#}"))
}

/// A move as the schema of structured answers has it.
fn fields(made: &Move) -> Value {
    let kind = made.kind().as_str();
    match made {
        Move::Think { text } => json!({ "kind": kind, "text": text }),
        Move::Speak { text, act: None } => json!({ "kind": kind, "text": text }),
        Move::Speak { text, act: Some(act) } => json!({ "kind": kind, "act": act, "text": text }),
        Move::Act { action } => json!({ "kind": kind, "command": action.text }),
        Move::Plan { steps } => {
            json!({ "kind": kind, "steps": steps.iter().map(|step| &step.action.text).collect::<Vec<_>>() })
        }
        Move::Judge { clarify, reason } => {
            json!({ "kind": kind, "clarify": clarify, "reason": reason.as_deref().unwrap_or("so") })
        }
        Move::Learn { lesson } => json!({ "kind": kind, "lesson": lesson }),
        Move::Finish { .. } => json!({ "kind": kind, "answer": written(made) }),
    }
}

/// A move as a call: of the world's tool that the action's text names, else of the kind of move.
fn call(made: &Move, tools: &[ToolSpec]) -> ToolCall {
    let of_world = || {
        let Move::Act { action } = made else { return None };
        let end = action.text.find([' ', '(', '[']).unwrap_or(action.text.len());
        let (name, input) = action.text.split_at(end);
        let tool = tools.iter().find(|tool| tool.name == name)?;
        let properties = tool.parameters["properties"].as_object().unwrap();
        let inside = input.get(1..input.len().max(2) - 1).unwrap_or_default();
        let arguments = if input.starts_with(' ') {
            let mut fields: Map<String, Value> = serde_json::from_str(input).unwrap();
            for (key, value) in &mut fields {
                if properties.get(key).is_some_and(|property| property["type"] == "integer") {
                    *value = serde_json::from_str(value.as_str().unwrap()).unwrap();
                }
            }
            fields
        } else {
            let values: Vec<Value> = match input.starts_with('(') {
                true => serde_json::from_str(&format!("[{inside}]")).unwrap(),
                false => vec![inside.into()],
            };
            properties.keys().cloned().zip(values).collect()
        };
        Some(ToolCall { name: name.to_owned(), arguments: arguments.into() })
    };
    of_world().unwrap_or_else(|| {
        let mut arguments = fields(made);
        arguments.as_object_mut().unwrap().remove("kind");
        ToolCall { name: made.kind().as_str().to_owned(), arguments }
    })
}

/// What a move is, whatever it was written in.
fn meaning(made: &Move) -> String {
    let kind = made.kind().as_str();
    match made {
        Move::Act { action } => format!("{kind} {}", same_input(&action.text)),
        Move::Plan { steps } => {
            let steps = steps.iter().map(|step| same_input(&step.action.text));
            format!("{kind} {}", steps.collect::<Vec<_>>().join("; "))
        }
        Move::Judge { clarify, .. } => format!("{kind} {clarify}"),
        _ => format!("{kind} {}", written(made)),
    }
}

/// An action whose input, if it is JSON, has no blanks and texts in place of numbers.
fn same_input(text: &str) -> String {
    let input = text.split_once(" {").map(|(name, input)| (name, format!("{{{input}")));
    let Some((name, Ok(mut fields))) = input.map(|(name, input)| (name, serde_json::from_str::<Map<_, _>>(&input)))
    else {
        return text.to_owned();
    };
    let as_text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    fields.values_mut().for_each(|value| *value = as_text(value).into());
    format!("{name} {}", Value::Object(fields))
}

/// Moves as a model writes them in the notation of the brief.
fn in_notation(brief: &Brief, moves: &[Move]) -> String {
    let notation = notation(brief);
    let last = moves.last().map(words).unwrap_or_default();
    let line = |made: &Move| in_line(notation, made);
    match notation {
        "" => moves.iter().map(|made| LineNotation::default().line(made)).collect::<Vec<_>>().join("\n"),
        "thought" | "status" | "sub-response" | "response" | "shop-summary" | "shop-action" | "tool-thought"
        | "tool-action" | "tool-lesson" | "trip-plan" | "trip-step" => last,
        "clarify-need" | "clarify-or-act" | "clarify-question" => match moves.last() {
            Some(Move::Judge { clarify: true, .. }) => "Yes.".to_owned(),
            Some(Move::Judge { .. }) => "No.".to_owned(),
            _ if notation == "clarify-or-act" => format!("The clarifying question is {last}"),
            _ => last,
        },
        "modules" | "strategies" => {
            let steps = moves.iter().flat_map(steps);
            let names = steps.map(|step| match step.split_once('[') {
                Some((source, _)) => format!("{source}_Retrieval"),
                None => step.to_owned(),
            });
            let end = (notation == "modules").then(|| "Answer_Generator".to_owned());
            json!(names.chain(end).collect::<Vec<_>>()).to_string()
        }
        _ => moves.iter().map(line).collect::<Vec<_>>().join("\n"),
    }
}

/// The words of a move, without the act that they declare.
fn words(made: &Move) -> String {
    match made {
        Move::Speak { text, .. } => text.clone(),
        _ => written(made),
    }
}

fn steps(made: &Move) -> impl Iterator<Item = &str> {
    let steps = match made {
        Move::Plan { steps } => steps.as_slice(),
        _ => &[],
    };
    steps.iter().map(|step| step.action.text.as_str())
}

/// One of several moves in a notation that has a line or more for each.
fn in_line(notation: &str, made: &Move) -> String {
    let text = words(made);
    match (notation, made) {
        (_, Move::Think { .. }) => format!("Thought: {text}"),
        ("booking" | "booking-reference", Move::Act { action }) => {
            let (name, input) = action.text.split_once(' ').unwrap();
            format!("API Name: {name}\nAPI Input: {input}\nAPI Result:")
        }
        ("react-source", Move::Finish { .. }) => format!("Action: Finish[{text}]"),
        ("react-strategy", Move::Finish { .. }) => "Action: Response".to_owned(),
        ("plan-do", Move::Speak { .. }) => format!("Do: {text}"),
        ("react-strategy", Move::Speak { .. }) => format!("Observation: {text}"),
        (_, Move::Finish { .. } | Move::Speak { .. }) => format!("Response: {text}"),
        (_, Move::Act { .. }) => format!("Action: {text}"),
        ("source-plan" | "rewoo-plan", Move::Plan { steps }) => {
            let letters = if notation == "source-plan" { "So" } else { "E" };
            let lines = steps.iter().enumerate().map(|(place, step)| {
                format!("Plan: {}\n#{letters}{} = {}", step.description, place + 1, step.action.text)
            });
            lines.collect::<Vec<_>>().join("\n")
        }
        ("tool-chain", Move::Plan { .. }) => steps(made).collect::<Vec<_>>().join("\n"),
        ("react-strategy", Move::Plan { .. }) => format!("Action: {}", steps(made).next().unwrap()),
        (_, Move::Plan { .. }) => format!("Plan: {}", steps(made).next().unwrap()),
        _ => text,
    }
}

#[test]
fn what_players_by_rules_do_can_be_written_in_every_form_and_is_read_as_that() {
    let findings = Arc::<Mutex<Findings>>::default();
    for (config, sets) in CASTS {
        let sets: Vec<&str> = ["tasks.limit=2"].iter().chain(*sets).copied().collect();
        let mut plan = shipped::plan(config, &sets);
        for cell in &mut plan.cells {
            for index in 0..cell.roles.len() {
                let factory = shadowed(cell, &cell.roles[index], &format!("{config} {:?}", &sets[1..]), &findings);
                cell.roles[index].factory = factory;
            }
        }
        for (id, events) in toy::play(plan).episodes {
            let faults = events.iter().filter(|event| matches!(event.message, Message::Fault(_)));
            assert_eq!(faults.count(), 0, "{config} {sets:?} {id}");
        }
    }
    let findings = findings.lock().unwrap();
    println!("{:?} {:?}", findings.moves, findings.apart);
    for problem in &findings.problems {
        println!("{problem:.600}");
    }
    assert_eq!(findings.problems.len(), 0);
    assert_eq!(findings.apart, BTreeSet::from(["trip-plan"]));
    assert!(findings.moves.values().all(|count| *count > 1_000), "{:?}", findings.moves);
}
