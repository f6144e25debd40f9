//! The JSON Schema of configs, for editors: made from the tables that configs are checked against.
//!
//! A file may hold a part of a config only (`extends`, `--with`), so nothing is required of it. What
//! depends on several keys at once (paths, casts, names of models) is left to `rolecall check`.

mod shapes;

pub use self::shapes::parameter_schema;

use serde_json::{Map, Value, json};

use self::shapes::{Properties, ROLE, flag, keyed, object, properties, settings, settings_properties, text, texts};
use super::mixture::MIXTURE;
use super::node::{CELL_KEYS, CELLS, MATRIX};
use super::plan::{Limits, QueueSettings, RunSettings, ServeSettings};
use super::settings::Selection;
use super::table::{Figure, Take};
use crate::registry::Registry;
use rolecall_core::domain::UserSees;
use rolecall_core::ports::model::{
    CacheSettings, Capabilities, ModelLimits, ModelSettings, Prices, Reasoning, RetrySettings, Sampling, Timeouts,
};
use rolecall_core::ports::{Entry, Parameter};
use rolecall_core::text::unique;

/// The schema (draft 7, which editors for TOML know) of configs that name what is in the registry.
pub fn config_schema(registry: &Registry) -> Value {
    let mut top = cell_keys(Named::Strictly);
    let name = json!({
        "type": "string",
        "pattern": "^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$",
        "description": "the run's name; its log folder is named after it",
    });
    let repeats = json!({
        "type": "integer",
        "minimum": 1,
        "maximum": 1_000_000,
        "default": 1,
        "description": "how often each cell plays each task",
    });
    top.extend(properties([
        ("name", name),
        ("extends", texts("configs below this one: paths, or shipped ones such as `quickstart`")),
        ("seed", json!({"type": "integer", "minimum": 0, "default": 1, "description": "all other seeds are derived from it"})),
        ("repeats", repeats),
        ("agents", text("the folder of persona cards; the shipped ones come after it")),
        ("tasks", settings::<Selection>()),
        ("run", settings::<RunSettings>()),
        ("cache", settings::<CacheSettings>()),
        ("serve", settings::<ServeSettings>()),
        ("queue", settings::<QueueSettings>()),
        ("models", models(registry)),
        ("table", table(registry)),
        (MATRIX, matrix()),
        (MIXTURE, mixture()),
    ]));
    let mut cell = cell_keys(Named::Strictly);
    cell.insert("name".to_owned(), text("the cell's name in tables"));
    let mut cell = object(cell, "one of several casts over the same tasks");
    cell["required"] = json!(["name"]);
    top.insert(CELLS.to_owned(), json!({"type": "array", "minItems": 1, "items": cell}));
    let mut schema = object(top, "A config of rolecall (docs/configs.md)");
    schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    schema["title"] = json!("rolecall config");
    let definitions = [Named::Strictly, Named::Loosely].map(|named| definitions(registry, named));
    schema["definitions"] = Value::Object(definitions.into_iter().flatten().collect());
    schema
}

/// Whether a table with the name of an implementation takes the parameters of no other one.
#[derive(Clone, Copy, PartialEq)]
enum Named {
    Strictly,
    /// A point of a matrix is laid over cells of several implementations, and says something to each.
    Loosely,
}

impl Named {
    /// The name of a definition.
    fn definition(self, what: &str) -> String {
        match self {
            Self::Strictly => what.to_owned(),
            Self::Loosely => format!("{what}_of_point"),
        }
    }

    fn reference(self, what: &str) -> Value {
        json!({"$ref": format!("#/definitions/{}", self.definition(what))})
    }
}

/// Keys that may stand in a cell.
fn cell_keys(named: Named) -> Properties {
    let role = named.reference("role");
    let roles = json!({
        "type": "object",
        "propertyNames": {"pattern": ROLE},
        "additionalProperties": role,
        "description": "who sits where; a role that is not named is as its card says",
    });
    let users = json!({"type": "array", "minItems": 1, "items": named.reference("weighed_user")});
    let schema = |key: &str| match key {
        "roles" => roles.clone(),
        "users" => users.clone(),
        "limits" => settings::<Limits>(),
        other => named.reference(other),
    };
    CELL_KEYS.iter().map(|key| ((*key).to_owned(), schema(key))).collect()
}

/// The tables that name something in the registry.
fn definitions(registry: &Registry, named: Named) -> Properties {
    let role = properties([
        ("persona", text("a card below a folder `agents`, such as `mine/executor`")),
        ("hide_thoughts", flag("other roles do not see its thoughts, plans and judgements")),
    ]);
    let sees = UserSees::ALL.map(UserSees::as_str);
    let user = properties([
        ("persona", text("a card below a folder `agents`, such as `users/helpful`")),
        ("sees", json!({"enum": sees, "description": "what it sees of the episode"})),
    ]);
    let mut weighed = user.clone();
    let weight = json!({"type": "number", "minimum": 1e-9, "maximum": 1e9, "default": 1.0});
    weighed.insert("weight".to_owned(), weight);
    let environment = entries("name", &registry.environments, Properties::new(), named);
    let all = properties([
        ("environment", environment),
        ("strategy", strategies(registry, named)),
        ("role", entries("implementation", &registry.roles, role, named)),
        ("user", entries("kind", &registry.users, user, named)),
        ("weighed_user", entries("kind", &registry.users, weighed, named)),
    ]);
    all.into_iter().map(|(name, schema)| (named.definition(&name), schema)).collect()
}

/// A table that names an entry of the registry under `key`, with its parameters and the `common` keys.
fn entries<E: Entry>(key: &str, entries: &[&'static E], common: Properties, named: Named) -> Value {
    let all: Vec<(&str, Vec<&Parameter>)> = unique(entries.iter().map(|entry| entry.name()))
        .into_iter()
        .map(|name| {
            (name, entries.iter().filter(|entry| entry.name() == name).flat_map(|entry| entry.parameters()).collect())
        })
        .collect();
    choice(key, &all, common, named)
}

/// As [`entries`], where a strategy around another one takes the parameters of that one too.
fn strategies(registry: &Registry, named: Named) -> Value {
    let entries = &registry.strategies;
    let parameters = |name: &str| -> Vec<&Parameter> {
        let same: Vec<_> = entries.iter().filter(|entry| entry.name == name).collect();
        let around = same.iter().any(|entry| entry.around().is_some());
        let inner = entries.iter().filter(|entry| around && entry.around().is_none());
        same.into_iter().chain(inner).flat_map(|entry| entry.parameters).collect()
    };
    let names = unique(entries.iter().map(|entry| entry.name));
    let all: Vec<(&str, Vec<&Parameter>)> = names.into_iter().map(|name| (name, parameters(name))).collect();
    choice("name", &all, Properties::new(), named)
}

fn choice(key: &str, all: &[(&str, Vec<&Parameter>)], common: Properties, named: Named) -> Value {
    let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    let mut union = common.clone();
    union.insert(key.to_owned(), json!({"enum": names}));
    union.extend(merged(all.iter().flat_map(|(_, parameters)| parameters.iter().copied())));
    let mut schema = object(union.clone(), "`rolecall list` has every parameter");
    if named == Named::Loosely {
        return schema;
    }
    let conditions = all.iter().map(|(name, parameters)| {
        let mut properties = merged(parameters.iter().copied());
        let keys = properties.keys().chain(common.keys()).map(String::as_str);
        let keys: Vec<String> = keys.chain([key]).map(str::to_owned).collect();
        // What all that share the name say was said above.
        properties.retain(|name, schema| union.get(name) != Some(schema));
        let is_it = json!({"properties": {key: {"const": name}}, "required": [key]});
        json!({"if": is_it, "then": {"propertyNames": {"enum": keys}, "properties": properties}})
    });
    schema["allOf"] = conditions.collect();
    schema
}

/// The schemas of parameters by name; of those that share a name, either will do.
fn merged<'a>(parameters: impl Iterator<Item = &'a Parameter>) -> Properties {
    let mut alternatives: Map<String, Value> = Map::new();
    for parameter in parameters {
        let schema = parameter_schema(parameter);
        let known = alternatives.entry(parameter.name).or_insert_with(|| json!([]));
        if let Some(known) = known.as_array_mut().filter(|known| !known.contains(&schema)) {
            known.push(schema);
        }
    }
    let one = |(name, schemas): (String, Value)| match schemas.as_array().map(Vec::as_slice) {
        Some([one]) => (name, one.clone()),
        _ => (name, json!({"anyOf": schemas})),
    };
    alternatives.into_iter().map(one).collect()
}

fn models(registry: &Registry) -> Value {
    let names: Vec<&str> = registry.models.iter().map(|entry| entry.name).collect();
    let mut model = settings_properties::<ModelSettings>();
    if let Some(provider) = model.get_mut("provider") {
        provider["enum"] = json!(names);
    }
    let header = "a header of requests; `env:NAME` takes the value of an environment variable";
    model.extend(properties([
        ("headers", keyed(json!({"type": "string"}), header)),
        ("extra_body", keyed(json!({}), "further fields of requests")),
        ("sampling", settings::<Sampling>()),
        ("limits", settings::<ModelLimits>()),
        ("reasoning", settings::<Reasoning>()),
        ("retries", settings::<RetrySettings>()),
        ("timeouts", settings::<Timeouts>()),
        ("prices", settings::<Prices>()),
        ("capabilities", settings::<Capabilities>()),
    ]));
    let mut models = keyed(object(model, "a model (docs/models.md)"), "models by name");
    models["propertyNames"] = json!({"pattern": "^[A-Za-z0-9_.:-]{1,100}$"});
    models
}

fn mixture() -> Value {
    let between = json!({
        "type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "string"},
        "description": "two casts that differ in their seats alone: names of cells, or FILE or FILE:CELL of another config",
    });
    let take = texts("the only cast that is wanted: the seats that it has of the second");
    let keys = properties([("between", between), ("take", take)]);
    let mut mixture = object(keys, "cells are all casts between two, seat by seat (rolecall study seats)");
    mixture["required"] = json!(["between"]);
    mixture
}

fn matrix() -> Value {
    let mut axis = keyed(object(cell_keys(Named::Loosely), "laid over each cell"), "the points of an axis");
    axis["minProperties"] = json!(1);
    let mut matrix = keyed(axis, "axes whose product is cells");
    matrix["minProperties"] = json!(1);
    matrix
}

/// The schema of the key `table` (`rolecall reproduce`).
fn table(registry: &Registry) -> Value {
    let metrics: Vec<&str> = registry.metrics.iter().map(|entry| entry.metric.name()).collect();
    let column = properties([
        ("name", text("its heading")),
        ("kind", text("only tasks of this type")),
        ("cells", texts("only these cells of each row; `*` stands for anything")),
        ("metric", json!({"enum": unique(metrics), "default": "success"})),
        ("part", text("a further figure of the metric, by its name")),
        ("figure", json!({"enum": Figure::WORDS, "default": Figure::WORDS[0]})),
        ("scale", json!({"type": "number", "minimum": 0, "maximum": 1e9})),
        ("combination", text("for `figure = \"combination\"`: the strategies")),
        ("rating", text("for `figure = \"rating\"`: what people rated")),
        ("lower_is_better", flag("the lower of two figures is the better one")),
    ]);
    let published = json!({"anyOf": [{"type": "number"}, {"type": "string", "pattern": "^(-|\\d+/\\d+|<.+)$"}]});
    let row = properties([
        ("label", text("its name in the paper")),
        ("model", text("who played for the published figures")),
        ("published", json!({"type": "array", "items": published, "description": "one a column"})),
        ("deviation", json!({"type": "array", "items": {"type": "number", "minimum": 0}})),
        ("cells", texts("the cells that stand for it; `*` stands for anything")),
        ("missing", text("why the config may be without these cells")),
        ("take", json!({"enum": Take::WORDS, "default": Take::WORDS[0]})),
    ]);
    let order = properties([
        ("better", text("the label of a row")),
        ("worse", text("the label of a row")),
        ("column", text("the last one if nothing is said")),
        ("otherwise", text("why it may not show here")),
        ("by_rules", text("why rules may not show it")),
    ]);
    let list =
        |item, about: &str| json!({"type": "array", "minItems": 1, "items": object(item, about), "description": about});
    let keys = properties([
        ("title", text("its title")),
        ("paper", text("such as `ReSpAct, Table 1`")),
        ("columns", list(column, "which figure of which episodes")),
        ("rows", list(row, "what the paper says, and which cells say it here")),
        ("order", json!({"type": "array", "items": object(order, "which row the paper calls better")})),
        ("notes", texts("shown below the table")),
        ("by_rules", texts("shown if players by rules sit on all seats")),
    ]);
    object(keys, "a table of a paper (docs/configs.md)")
}
