//! The calls as tools that models call, and as text that they write.

use serde_json::{Map, Value, json};

use super::api::{ANY, Api, Kind};
use super::desk::Profile;
use super::functions;
use super::language::capital;
use rolecall_core::ports::model::ToolSpec;
use rolecall_core::text::joined;

/// The tools of a profile.
pub fn tools(profile: Profile) -> Vec<ToolSpec> {
    Api::ALL.map(|api| tool(profile, api)).into()
}

/// The calls of a profile as they are written, each with what it does.
pub fn forms(profile: Profile) -> Vec<(String, String)> {
    let what = match profile {
        Profile::AutoTod => functions::meaning,
        Profile::Strict | Profile::Reference => meaning,
    };
    let form = |api| (format!("{api} {{input}}"), what(api));
    Api::ALL.map(form).into()
}

fn tool(profile: Profile, api: Api) -> ToolSpec {
    let is_function = profile == Profile::AutoTod;
    let keys = if is_function { functions::parameters(api) } else { api.keys() };
    // The program of the paper wants every key.
    let is_needed = |key: &&&str| match profile {
        Profile::Strict => api.needs(key),
        Profile::Reference => true,
        Profile::AutoTod => functions::is_needed(key),
    };
    let schema = |key: &str| if is_function { functions::property(api, key) } else { property(profile, api, key) };
    let properties = keys.iter().map(|key| ((*key).to_owned(), schema(key)));
    let mut parameters = json!({
        "type": "object",
        "properties": properties.collect::<Map<_, _>>(),
        "required": keys.iter().filter(is_needed).collect::<Vec<_>>(),
    });
    if !is_function {
        parameters["additionalProperties"] = false.into();
    }
    ToolSpec {
        name: api.to_string(),
        description: if is_function { functions::meaning(api) } else { described(api) },
        parameters,
    }
}

/// Schema of a key's values. The program of the paper stops at a value that is not text.
fn property(profile: Profile, api: Api, key: &str) -> Value {
    // The original program offers `any` in queries alone.
    let may_be_any = !api.books() || (profile == Profile::Strict && !api.needs(key));
    let any = may_be_any.then_some(ANY);
    let kind = api.kind(key);
    let mut schema = match kind {
        Kind::Choice(words) => {
            let words: Vec<&str> = words.iter().copied().chain(any).collect();
            json!({ "type": "string", "enum": words })
        }
        Kind::Whole if profile == Profile::Strict => json!({ "type": "integer", "minimum": 1 }),
        Kind::Whole | Kind::Time | Kind::Text => json!({ "type": "string" }),
    };
    let hours = if kind == Kind::Time { " (hh:mm)" } else { "" };
    let open = any.map_or("", |_| "; any if it does not matter");
    schema["description"] = format!("{}{hours}{open}", api.meaning(key)).into();
    schema
}

fn described(api: Api) -> String {
    let note = match api {
        Api::BookTaxi => " One of its two times is enough.",
        Api::BuyTrainTickets => " Find the train first; the other keys only check that it is the right one.",
        _ => "",
    };
    format!("{}.{note}", capital(api.purpose()))
}

/// Description of a call with its keys and their values.
fn meaning(api: Api) -> String {
    let key = |key: &&str| match api.kind(key) {
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
    format!("{}. Keys: {keys}{any}", api.purpose())
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
                assert!(form.ends_with(" {input}") && what.len() > 20, "{form}: {what}");
            }
        }
        let parameters =
            |profile, api: Api| tools(profile).into_iter().find(|tool| tool.name == api.as_str()).unwrap().parameters;
        let strict = parameters(Profile::Strict, Api::QueryHotels);
        let properties = &strict["properties"];
        assert_eq!(properties["parking"]["enum"], json!(["yes", "no", "any"]));
        assert_eq!(properties["name"]["type"], "string");
        assert_eq!(strict["required"], json!([]));
        let strict = parameters(Profile::Strict, Api::BookRestaurant);
        assert_eq!(strict["properties"]["people"]["type"], "integer");
        assert_eq!(strict["properties"]["day"]["enum"].as_array().unwrap().len(), 7);
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
