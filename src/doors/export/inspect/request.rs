//! What a model was asked for besides its prompt.

use serde_json::{Map, Value, json};

use rolecall_core::domain::ToolChoice;
use rolecall_core::ports::model::{Completion, Format, ModelRequest, ToolSpec};

/// The tools that could be called, and whether one had to be.
pub(super) fn tools(request: Option<&ModelRequest>) -> (Vec<Value>, Value) {
    let Some(ModelRequest::Complete(Completion { format, .. })) = request else {
        return (Vec::new(), "auto".into());
    };
    let Format::Tools { tools, choice } = format else {
        return (Vec::new(), "auto".into());
    };
    let tool = |tool: &ToolSpec| {
        let mut parameters = json!({ "type": "object", "properties": {}, "required": [] });
        for name in ["properties", "required", "additionalProperties"] {
            if let Some(value) = tool.parameters.get(name).filter(|value| !value.is_null()) {
                parameters[name] = value.clone();
            }
        }
        json!({ "name": tool.name, "description": tool.description, "parameters": parameters })
    };
    let choice = match choice {
        ToolChoice::Auto => "auto".into(),
        ToolChoice::None => "none".into(),
        ToolChoice::Required => "any".into(),
        ToolChoice::Named(name) => json!({ "name": name }),
    };
    (tools.iter().map(tool).collect(), choice)
}

/// What Inspect knows of how an answer is drawn.
pub(super) fn config(settings: &Map<String, Value>) -> Value {
    let known = [
        ("temperature", "temperature"),
        ("top_p", "top_p"),
        ("max_tokens", "max_tokens"),
        ("max_completion_tokens", "max_tokens"),
        ("seed", "seed"),
        ("n", "num_choices"),
    ];
    let mut config = Map::new();
    for (own, name) in known {
        if let Some(value) = settings.get(own).filter(|value| value.is_number()) {
            config.insert(name.to_owned(), value.clone());
        }
    }
    if let Some(stop) = settings.get("stop").filter(|stop| stop.is_array()) {
        config.insert("stop_seqs".to_owned(), stop.clone());
    }
    config.into()
}
