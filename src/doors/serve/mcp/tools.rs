//! The tools, as clients see them listed.

use serde_json::{Value, json};

use crate::mcp::Tool;
use crate::serve::Sessions;
use rolecall_core::ports::World;
use rolecall_core::ports::model::ToolSpec;

/// The tools that there always are, and the one that there may be.
pub(super) const OWN: [&str; 6] = ["begin", "perform", "speak", "assess", "tasks", "think"];

/// Strategies that want a thought before each other move.
const THINK_FIRST: [&str; 2] = ["react-im", "respact-im"];

/// Prefix of a world's tool whose name is also one of [`OWN`].
const WORLD: &str = "world_";

/// Instructions for models.
pub(super) fn instructions(sessions: &Sessions) -> String {
    format!(
        "Episodes of the run {}: you play the {}. Call `begin`, then give its `episode` to every other tool. \
         `perform` acts on the world, `speak` asks the user, and `assess` ends the episode and tells what it came to.",
        sessions.plan().name,
        sessions.seat()
    )
}

/// All tools, in the order in which they are listed.
pub(super) fn tools(sessions: &Sessions, worlds: &[World]) -> Vec<Tool> {
    let mut tools = vec![begin(), perform(), speak(), assess(), tasks()];
    let cells = &sessions.plan().cells;
    if (cells.iter()).any(|cell| THINK_FIRST.contains(&&*cell.strategy_name)) {
        tools.push(think());
    }
    for spec in worlds.iter().flat_map(|world| world.tools.iter()) {
        let tool = of_world(spec);
        if tools.iter().all(|known| known.name != tool.name) {
            tools.push(tool);
        }
    }
    tools
}

/// The world's name of a listed tool; none if it is one of ours.
pub(super) fn world_name(listed: &str) -> Option<&str> {
    if OWN.contains(&listed) {
        return None;
    }
    Some(listed.strip_prefix(WORLD).filter(|bare| OWN.contains(bare)).unwrap_or(listed))
}

fn tool(name: &str, description: &str, input: Value, output: Value) -> Tool {
    Tool { name: name.to_owned(), description: description.to_owned(), input, output }
}

fn object(properties: Value, required: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

fn flag(description: &str) -> Value {
    json!({ "type": "boolean", "description": description })
}

fn number(description: &str) -> Value {
    json!({ "type": "integer", "minimum": 0, "description": description })
}

fn episode() -> Value {
    text("The episode, as `begin` gave it.")
}

/// The schema of the answer to a move.
fn shown() -> Value {
    object(
        json!({
            "text": text("What you see now."),
            "done": flag("The episode is over."),
            "reward": { "type": "number", "description": "What it came to, once it is over." },
            "invalid": flag("It was refused, and nothing changed."),
        }),
        &["text", "done"],
    )
}

fn begin() -> Tool {
    tool(
        "begin",
        "Begins an episode of a task.",
        object(
            json!({
                "task": number("The task's number in its split; the next one if it is left out."),
                "split": text("The split; the first one if it is left out."),
                "seed": number("Equal seeds give equal worlds and users."),
                "user": text("The kind of user, where the config has several."),
            }),
            &[],
        ),
        object(
            json!({
                "episode": text("The episode, for every other tool."),
                "text": text("The task, and what you see."),
            }),
            &["episode", "text"],
        ),
    )
}

fn perform() -> Tool {
    tool(
        "perform",
        "Performs an action in the world. What the world refuses, it says.",
        object(
            json!({ "episode": episode(), "action": text("The action, as the world writes it.") }),
            &["episode", "action"],
        ),
        shown(),
    )
}

fn speak() -> Tool {
    tool(
        "speak",
        "Says something to the user, such as a question, and waits for the reply.",
        object(json!({ "episode": episode(), "text": text("The words.") }), &["episode", "text"]),
        object(
            json!({
                "reply": text("What the user answers."),
                "leaving": flag("The user ends the conversation."),
                "done": flag("The episode is over."),
            }),
            &["reply", "leaving"],
        ),
    )
}

fn assess() -> Tool {
    tool(
        "assess",
        "Ends the episode where that is for you to say, and tells what it came to. Call it last.",
        object(
            json!({
                "episode": episode(),
                "answer": { "description": "The answer, where the task wants one." },
            }),
            &["episode"],
        ),
        object(
            json!({
                "over": flag("The episode is over."),
                "success": flag("The task is solved."),
                "reward": { "type": "number" },
                "ending": text("Why it ended."),
                "text": text("How it goes on, if it does."),
            }),
            &["over"],
        ),
    )
}

fn tasks() -> Tool {
    let input = object(
        json!({
            "split": text("The split; the first one if it is left out."),
            "start": number("The first task; 0 if it is left out."),
            "stop": number("The one after the last; up to 100 are listed."),
        }),
        &[],
    );
    let listed =
        |properties: Value, required: &[&str]| json!({ "type": "array", "items": object(properties, required) });
    tool(
        "tasks",
        "Lists the tasks of a split.",
        input,
        object(
            json!({
                "split": text("The split."),
                "total": number("The number of its tasks."),
                "splits": listed(
                    json!({ "name": text("Its name."), "type": text("What it is for."), "tasks": number("Its tasks.") }),
                    &["name", "type", "tasks"],
                ),
                "tasks": listed(
                    json!({
                        "task": number("Its number, for `begin`."),
                        "id": text("Its name."),
                        "kind": text("Its kind."),
                        "text": text("What is asked for, where the task says it."),
                    }),
                    &["task", "id", "kind", "text"],
                ),
            }),
            &["split", "total", "splits", "tasks"],
        ),
    )
}

fn think() -> Tool {
    tool(
        "think",
        "Writes a thought down, which this strategy wants before each other move.",
        object(json!({ "episode": episode(), "text": text("The thought.") }), &["episode", "text"]),
        shown(),
    )
}

/// A tool of a world, with the episode as one more argument.
fn of_world(spec: &ToolSpec) -> Tool {
    let mut input = spec.parameters.clone();
    if let Some(fields) = input.as_object_mut() {
        let properties = fields.entry("properties").or_insert_with(|| json!({}));
        if let Some(properties) = properties.as_object_mut() {
            properties.insert("episode".to_owned(), episode());
        }
        let required = fields.entry("required").or_insert_with(|| json!([]));
        if let Some(required) = required.as_array_mut() {
            required.push("episode".into());
        }
    }
    let name = if OWN.contains(&&*spec.name) { format!("{WORLD}{}", spec.name) } else { spec.name.clone() };
    tool(&name, &spec.description, input, shown())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_of_worlds_take_the_episode_and_hide_none_of_ours() {
        let spec = |name: &str| ToolSpec {
            name: name.to_owned(),
            description: String::new(),
            parameters: json!({ "type": "object", "required": ["x"], "properties": { "x": {} } }),
        };
        let tool = of_world(&spec("search"));
        assert_eq!(tool.input["required"], json!(["x", "episode"]));
        assert!(tool.input["properties"]["episode"].is_object());
        assert_eq!(world_name(&tool.name), Some("search"));
        let tool = of_world(&spec("begin"));
        assert_eq!(tool.name, "world_begin");
        assert_eq!(world_name(&tool.name), Some("begin"));
        assert_eq!(world_name("begin"), None);
    }
}
