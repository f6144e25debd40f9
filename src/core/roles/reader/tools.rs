//! Calls of tools: of those that are named by the kinds of moves, and of the world's own.

use serde_json::{Map, Value};

use super::json::{MOST_MOVES, kind_of, of_fields};
use super::{Mended, Reading, Unreadable, only_open, read_each, shown};
use crate::domain::{Action, Answer, Call, Move, ToolCall};
use crate::ports::World;
use crate::ports::model::ToolSpec;
use crate::text::{answer_line, joined, json_repair};

/// The tools of the world, and what becomes of calls that do not fit them.
#[derive(Clone, Copy, Debug)]
pub struct Toolbox<'a> {
    /// The world.
    pub world: &'a World,
    /// Such calls are actions as they are written; otherwise they cannot be used.
    pub as_written: bool,
}

/// Reads the calls of tools. Without any call, the text is read.
///
/// # Errors
/// When no call is a move that can be used.
pub fn read_tools(
    calls: &[ToolCall],
    text: &str,
    reading: &Reading<'_>,
    toolbox: Toolbox<'_>,
) -> Result<Answer, Unreadable> {
    if calls.is_empty() {
        let mut answer =
            if reading.natural { super::read_natural(text, reading, toolbox)? } else { super::read(text, reading)? };
        let mut mended = Mended::default();
        mended.insert("no_tool_call", "no tool was called, so the text was read");
        answer.repaired.splice(0..0, mended.into_repairs());
        return Ok(answer);
    }
    let mut mended = Mended::default();
    let read = |call, mended: &mut Mended| toolbox.read(call, reading, mended);
    let (moves, problem) = read_each(calls.iter().take(MOST_MOVES), read, &mut mended)?;
    if let Some(problem) = problem.filter(|_| moves.is_empty()) {
        return Err(problem);
    }
    only_open(moves, reading, mended)
}

impl Toolbox<'_> {
    fn read(self, call: &ToolCall, reading: &Reading<'_>, mended: &mut Mended) -> Result<Move, Unreadable> {
        let tools = &self.world.tools;
        let tool = tools.iter().find(|tool| tool.name == call.name);
        // Where the world answers calls of any name, only its exact name is a kind of move's.
        let kind = kind_of(&call.name);
        let kind = kind.filter(|kind| !self.as_written || kind.as_str() == call.name);
        let arguments = arguments(call, mended);
        match (tool, kind) {
            (Some(tool), _) => {
                let arguments = arguments.unwrap_or_else(Value::String);
                misfit(tool, &arguments)
                    .filter(|_| !self.as_written)
                    .map_or(Ok(()), |problem| Err(Unreadable::Call(problem)))?;
                Ok(self.action(call, arguments))
            }
            (None, Some(kind)) => {
                let fields = match arguments {
                    Ok(Value::Object(fields)) => fields,
                    Ok(_) => Map::new(),
                    // Some servers hand the bare text over.
                    Err(raw) => Map::from_iter([("text".to_owned(), Value::String(raw))]),
                };
                of_fields(kind, &fields, reading, mended)
            }
            (None, None) if self.as_written => Ok(self.action(call, arguments.unwrap_or_else(Value::String))),
            (None, None) if let Some(command) = called(call, &arguments, reading) => {
                mended.insert("written_call", "a call of a command as a tool was read as the command");
                Ok(Move::act(command))
            }
            (None, None) if tools.is_empty() => {
                let name = shown(&call.name);
                Err(Unreadable::Json(format!("there is no tool `{name}`")))
            }
            (None, None) => {
                let names = joined(tools.iter().map(|tool| &tool.name));
                let name = shown(&call.name);
                let problem = format!("there is no tool `{name}`; the world has: {names}");
                Err(Unreadable::Call(problem))
            }
        }
    }

    /// The action that a call is, with its text: the arguments in the order of the schema.
    fn action(self, call: &ToolCall, arguments: Value) -> Move {
        let tool = self.world.tools.iter().find(|tool| tool.name == call.name);
        let properties = tool.and_then(|tool| tool.parameters.get("properties")?.as_object());
        let ordered = match &arguments {
            Value::Object(fields) => {
                let known = properties.into_iter().flat_map(Map::keys).filter_map(|name| fields.get_key_value(name));
                let all = known.chain(fields);
                Value::Object(all.map(|(name, value)| (name.clone(), value.clone())).collect())
            }
            other => other.clone(),
        };
        let text =
            self.world.words.call_text(&call.name, &arguments).unwrap_or_else(|| format!("{} {ordered}", call.name));
        let tool = call.name.clone();
        Move::Act {
            action: Action { text: answer_line(&text).into_owned(), call: Some(Box::new(Call { tool, arguments })) },
        }
    }
}

/// The command that is called by its verb as if it were a tool.
fn called(call: &ToolCall, arguments: &Result<Value, String>, reading: &Reading<'_>) -> Option<String> {
    if !reading.natural {
        return None;
    }
    let parts: Vec<&str> = arguments.as_ref().ok()?.as_object()?.values().map(Value::as_str).collect::<Option<_>>()?;
    reading.commands.called(&call.name, &parts)
}

/// The arguments of a call; its raw text if that is no JSON.
fn arguments(call: &ToolCall, mended: &mut Mended) -> Result<Value, String> {
    match &call.arguments {
        Value::Null => Ok(Value::Object(Map::new())),
        Value::String(raw) if raw.trim().is_empty() => Ok(Value::Object(Map::new())),
        Value::String(raw) => {
            let found = json_repair::repair(raw).map_err(|_| raw.clone())?;
            for fix in &found.fixes {
                mended.insert(fix.code(), fix.description());
            }
            Ok(found.value)
        }
        other => Ok(other.clone()),
    }
}

/// The problem with the arguments of a call, as far as the uppermost level of the schema says it.
fn misfit(tool: &ToolSpec, arguments: &Value) -> Option<String> {
    let (name, schema) = (&tool.name, &tool.parameters);
    let Some(fields) = arguments.as_object() else {
        return Some(format!("the arguments of `{name}` are no JSON object"));
    };
    let mut required = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    if let Some(missing) = required.find(|field| !fields.contains_key(*field)) {
        return Some(format!("`{name}` needs the argument `{missing}`"));
    }
    let properties = schema.get("properties").and_then(Value::as_object);
    fields.iter().find_map(|(field, value)| {
        let Some(property) = properties.and_then(|known| known.get(field)) else {
            let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
            let field = shown(field);
            return closed.then(|| format!("`{name}` takes no argument `{field}`"));
        };
        let one_of = |key, fits: &dyn Fn(&Value) -> bool| match property.get(key)? {
            Value::Array(all) if all.iter().any(fits) => None,
            only @ Value::String(_) if fits(only) => None,
            wanted => Some(format!(
                "the argument `{field}` of `{name}` must be {wanted}, and is {}",
                shown(&value.to_string())
            )),
        };
        let typed = |wanted: &Value| wanted.as_str().is_none_or(|kind| is_of(kind, value));
        one_of("type", &typed).or_else(|| one_of("enum", &|wanted| wanted == value))
    })
}

/// Whether a value is of a type of JSON Schema; a type that is not known takes any.
fn is_of(kind: &str, value: &Value) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        _ => true,
    }
}
