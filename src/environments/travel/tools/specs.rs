//! The tools as models may call them.

use serde_json::{Map, Value, json};

use crate::environments::travel::calls::{Kind, Tool};
use crate::ports::model::ToolSpec;

/// What a tool is for.
pub fn purpose(tool: Tool) -> &'static str {
    match tool {
        Tool::Accommodation => "Finds accommodations of a city with their price a night, rules and size.",
        Tool::Restaurant => "Lists the restaurants of a city, and tells which cuisines are not to be had there.",
        Tool::Attraction => "Lists the attractions of a city.",
        Tool::Distance => "Tells duration, distance and cost of a way by road.",
        Tool::Flight => "Lists the flights between two cities on a day.",
        Tool::Budget => "Estimates what rooms and transport of a whole trip cost at least.",
        Tool::Finish => "Ends the search, once everything needed is known.",
    }
}

/// What a parameter means.
pub fn meaning(parameter: &str) -> &'static str {
    match parameter {
        "city" => "the city's name, without its state",
        "filters" => {
            "a list, which may be empty, of what they have to be or allow: \"private room\", \"entire room\", \"not shared \
             room\", \"shared room\", \"smoking\", \"parties\", \"children under 10\", \"visitors\", \"pets\""
        }
        "cuisines" => "a list, which may be empty: Chinese, American, Italian, Mexican, Indian, Mediterranean, French",
        "origin" => "the city that one leaves",
        "destination" => "the city that one goes to",
        "mode" => "\"self-driving\" or \"taxi\"",
        "date" => "the day, YYYY-MM-DD",
        "destinations" => "the cities in the order in which they are visited",
        "dates" => "the day of departure to each of them, and that of the way back, each YYYY-MM-DD",
        _ => "how many people travel",
    }
}

/// The tools, in their order.
pub fn specs() -> Vec<ToolSpec> {
    Tool::ALL.map(spec).to_vec()
}

fn spec(tool: Tool) -> ToolSpec {
    let property = |(name, kind): &(&str, Kind)| {
        let mut schema = match kind {
            Kind::Text => json!({ "type": "string" }),
            Kind::List => json!({ "type": "array", "items": { "type": "string" } }),
            Kind::Number => json!({ "type": "integer" }),
        };
        schema["description"] = meaning(name).into();
        ((*name).to_owned(), schema)
    };
    let properties: Map<String, Value> = tool.parameters().iter().map(property).collect();
    let required: Vec<&String> = properties.keys().collect();
    ToolSpec {
        name: tool.as_str().to_owned(),
        description: purpose(tool).to_owned(),
        parameters: json!({ "type": "object", "properties": properties, "required": required }),
    }
}
