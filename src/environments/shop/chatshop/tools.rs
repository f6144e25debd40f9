//! The tools that an agent calls, and the text of an action that a call is.

use serde::Deserialize;
use serde_json::{Value, json};

use rolecall_core::ports::model::ToolSpec;

/// How the shopper may be asked (ChatShop section 3, "Communication Channel").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Channel {
    /// Not at all.
    None,
    /// By open questions.
    #[default]
    Open,
    /// By products that it compares with the one it wants.
    Compare,
    /// Both ways.
    Mix,
}

rolecall_core::names! { Channel, as_str: None => "none", Open => "open", Compare => "compare", Mix => "mix" }

impl Channel {
    /// The tool that strategies force an agent to ask with: the first one, as in the original program.
    pub fn first_tool(self) -> &'static str {
        match self {
            Self::None => "search",
            Self::Open | Self::Mix => "question",
            Self::Compare => "opinion",
        }
    }
}

/// The tools of a channel.
pub fn tools(channel: Channel) -> Vec<ToolSpec> {
    let tool = |name: &str, description: &str, argument: (&str, Value, &str)| {
        let (field, kind, purpose) = argument;
        ToolSpec {
            name: name.to_owned(),
            description: description.to_owned(),
            parameters: json!({
                "type": "object",
                "properties": { field: { "type": kind, "description": purpose } },
                "required": [field],
            }),
        }
    };
    let mut tools = vec![
        tool(
            "question",
            "Ask the shopper one specific question. It cannot see the products: name the values that it is to choose from.",
            ("question", json!("string"), "the question"),
        ),
        tool(
            "opinion",
            "Have the shopper compare one or two of the listed products with what it wants.",
            ("index", json!(["string", "number"]), "their numbers, with a comma between two"),
        ),
        tool(
            "search",
            "Search the catalogue by words (BM25); prices cannot be searched. The products found are listed with numbers.",
            ("query", json!("string"), "the words"),
        ),
        tool(
            "select",
            "Recommend one of the listed products. This ends the session.",
            ("index", json!(["number", "string"]), "its number"),
        ),
    ];
    tools.retain(|tool| match &*tool.name {
        "question" => matches!(channel, Channel::Open | Channel::Mix),
        "opinion" => matches!(channel, Channel::Compare | Channel::Mix),
        _ => true,
    });
    tools
}

/// The text of an action that calls a tool: its name with the first argument in brackets.
pub fn call_text(tool: &str, arguments: &Value) -> String {
    let first = match arguments {
        Value::Object(fields) => fields.values().next(),
        other => Some(other),
    };
    let text = match first {
        Some(Value::String(text)) if matches!(tool, "select" | "opinion") => text.replace("index=", ""),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    };
    format!("{tool}[{text}]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_reads_as_an_action() {
        assert_eq!(call_text("search", &json!({ "query": "red lamp" })), "search[red lamp]");
        assert_eq!(call_text("select", &json!({ "index": 3 })), "select[3]");
        assert_eq!(call_text("opinion", &json!({})), "opinion[]");
        let names = |channel| tools(channel).into_iter().map(|tool| tool.name).collect::<Vec<_>>();
        assert_eq!(names(Channel::Mix), ["question", "opinion", "search", "select"]);
        assert_eq!(names(Channel::None), ["search", "select"]);
    }
}
