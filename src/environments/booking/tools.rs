//! The calls as tools that models call, and as text that they write.

use serde_json::{Map, json};

use super::api::{ANY, Api};
use super::desk::Profile;
use super::functions;
use super::keys::{self, Kind, is_needed, kind};
use crate::ports::model::ToolSpec;
use crate::text::joined;

/// The tools of a profile.
pub fn tools(profile: Profile) -> Vec<ToolSpec> {
    Api::ALL
        .into_iter()
        .map(|api| match profile {
            Profile::AutoTod => functions::tool(api),
            Profile::Strict | Profile::Reference => tool(profile, api),
        })
        .collect()
}

/// The calls of a profile as they are written, each with what it does.
pub fn forms(profile: Profile) -> Vec<(String, String)> {
    let form = |api: Api| {
        let what = match profile {
            Profile::AutoTod => functions::meaning(api),
            Profile::Strict | Profile::Reference => meaning(api),
        };
        (format!("{api} {{input}}"), what)
    };
    Api::ALL.into_iter().map(form).collect()
}

/// Whether a value may be `any`. The original program offers it in queries alone.
fn may_be_any(profile: Profile, api: Api, key: &str) -> bool {
    !api.books() || (profile == Profile::Strict && !is_needed(api, key))
}

/// The program of the paper stops at a value that is no text, and wants every key.
fn tool(profile: Profile, api: Api) -> ToolSpec {
    let mut properties = Map::new();
    for key in api.keys() {
        let any = may_be_any(profile, api, key);
        let mut about = keys::meaning(api, key).to_owned();
        let mut schema = match kind(api, key) {
            Kind::Choice(words) => {
                let any = any.then_some(ANY);
                json!({ "type": "string", "enum": words.iter().copied().chain(any).collect::<Vec<_>>() })
            }
            Kind::Whole if profile == Profile::Strict => json!({ "type": "integer", "minimum": 1 }),
            Kind::Whole | Kind::Text => json!({ "type": "string" }),
            Kind::Time => {
                about.push_str(" (hh:mm)");
                json!({ "type": "string" })
            }
        };
        if any {
            about.push_str("; any if it does not matter");
        }
        schema["description"] = about.into();
        properties.insert((*key).to_owned(), schema);
    }
    let needed = |key: &&&str| profile == Profile::Reference || is_needed(api, key);
    let needed: Vec<&&str> = api.keys().iter().filter(needed).collect();
    ToolSpec {
        name: api.to_string(),
        description: described(api),
        parameters: json!({
            "type": "object",
            "properties": properties,
            "required": needed,
            "additionalProperties": false,
        }),
    }
}

fn described(api: Api) -> String {
    let purpose = keys::purpose(api);
    let (first, rest) = purpose.split_at(1);
    let note = match api {
        Api::BookTaxi => " One of its two times is enough.",
        Api::BuyTrainTickets => {
            " Find the train first; the other keys only check that it is the right one."
        }
        _ => "",
    };
    format!("{}{rest}.{note}", first.to_uppercase())
}

/// What a call does, with its keys and what they take.
fn meaning(api: Api) -> String {
    let key = |key: &&str| match kind(api, key) {
        Kind::Choice(words) => format!("{key} ({})", words.join(" / ")),
        Kind::Time => format!("{key} (hh:mm)"),
        Kind::Whole => format!("{key} (a number)"),
        Kind::Text => (*key).to_owned(),
    };
    let keys = joined(api.keys().iter().map(key));
    let any = match api {
        Api::BookRestaurant | Api::BookHotel => "",
        Api::BuyTrainTickets => "; needs trainID and people, the others may be \"any\"",
        Api::BookTaxi => "; one of the times may be \"any\"",
        _ => "; \"any\" for what does not matter",
    };
    format!("{}. Keys: {keys}{any}", keys::purpose(api))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_say_what_their_values_may_be() {
        for profile in Profile::ALL {
            let names: Vec<String> = tools(profile).into_iter().map(|tool| tool.name).collect();
            assert_eq!(names, Api::ALL.map(|api| api.to_string()), "{profile:?}");
            for (form, what) in forms(profile) {
                assert!(
                    form.ends_with(" {input}") && what.len() > 20,
                    "{form}: {what}"
                );
            }
        }
        let parameters = |profile, api: Api| {
            let mut tools = tools(profile).into_iter();
            tools
                .find(|tool| tool.name == api.as_str())
                .unwrap()
                .parameters
        };
        let strict = parameters(Profile::Strict, Api::QueryHotels);
        let properties = &strict["properties"];
        assert_eq!(properties["parking"]["enum"], json!(["yes", "no", "any"]));
        assert_eq!(properties["name"]["type"], "string");
        assert_eq!(strict["required"], json!([]));
        let strict = parameters(Profile::Strict, Api::BookRestaurant);
        assert_eq!(strict["properties"]["people"]["type"], "integer");
        assert_eq!(
            strict["properties"]["day"]["enum"]
                .as_array()
                .unwrap()
                .len(),
            7
        );
        assert_eq!(strict["required"], json!(["name", "people", "day", "time"]));
        let tickets = parameters(Profile::Strict, Api::BuyTrainTickets);
        assert_eq!(tickets["required"], json!(["trainID", "people"]));
        let reference = parameters(Profile::Reference, Api::BookRestaurant);
        assert_eq!(reference["properties"]["people"]["type"], "string");
        let sql = parameters(Profile::AutoTod, Api::QueryTrains);
        assert_eq!(sql["required"], json!(["sql"]));
        let taxi = parameters(Profile::AutoTod, Api::BookTaxi);
        assert_eq!(taxi["required"], json!(["departure", "destination"]));
    }
}
