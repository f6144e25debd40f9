//! The JSON Schema of configs says what the checks of configs say.

use std::collections::BTreeSet;
use std::path::PathBuf;

use boon::{Compiler, SchemaIndex, Schemas};
use rolecall::config::{Request, config_schema, load};
use serde_json::Value;

use super::support::{folder, problems};
use crate::support::shipped::configs;

struct Schema {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Schema {
    fn new() -> Self {
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        let text = config_schema(&rolecall::worlds());
        compiler.add_resource("config.json", text).unwrap();
        let index = compiler.compile("config.json", &mut schemas).unwrap();
        Self { schemas, index }
    }

    /// Why a config is refused; nothing if it is not.
    fn refusal(&self, text: &str) -> Option<String> {
        let config: toml::Table = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        let config = serde_json::to_value(config).unwrap();
        let checked = self.schemas.validate(&config, self.index);
        checked.err().map(|error| format!("{error:#}"))
    }
}

/// Problems that the program finds.
fn found(text: &str) -> Vec<String> {
    let folder = folder(&[("run.toml", text)]);
    let request = Request { file: "run.toml".into(), working: folder.path().to_owned(), ..Request::default() };
    problems(load(&request, rolecall::worlds()))
}

#[test]
fn every_shipped_config_names_the_schema_and_is_as_it_says() {
    let schema = Schema::new();
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("configs");
    for file in configs(&folder) {
        let text = std::fs::read_to_string(&file).unwrap();
        let refusal = schema.refusal(&text);
        assert!(refusal.is_none(), "{}: {refusal:?}", file.display());
        let header = text.lines().take_while(|line| line.starts_with('#'));
        let path = header.filter_map(|line| line.strip_prefix("#:schema ")).next();
        let path = path.unwrap_or_else(|| panic!("{} names no schema", file.display()));
        let named = file.parent().unwrap().join(path).canonicalize().unwrap();
        assert_eq!(named, folder.join("rolecall.schema.json"));
    }
}

const GOOD: &str = "environment.name = \"household\"\nstrategy.name = \"respact\"\nuser.kind = \"helpful\"\n";

#[test]
fn what_is_wrong_by_itself_is_refused_by_both() {
    let schema = Schema::new();
    assert_eq!((schema.refusal(GOOD), found(GOOD)), (None, Vec::new()));
    for wrong in [
        "sed = 1",
        "seed = -1",
        "seed = \"1\"",
        "name = \"a b\"",
        "repeats = 0",
        "extends = 3",
        "limits.stepz = 1",
        "limits.steps = 0",
        "limits.steps = \"20\"",
        "run.concurrency = 1.5",
        "run.sync = \"sometimes\"",
        "tasks.limit = 0",
        "environment.worlds = 3",
        "environment.seed = \"x\"",
        "roles.executor.implementation = \"rulez\"",
        "roles.executor.hide_thoughts = 1",
        "roles.executor.persona = 1",
        "user.sees = \"everything\"",
        "user.weight = 2",
        "users = []",
        "cells = []",
        "[[cells]]\nlimits.steps = 3",
        "[[cells]]\nname = \"a\"\nseed = 3",
        "[matrix.a.b]\nstrategy.name = \"reakt\"",
        "[matrix.a.b]\nlimit.steps = 3",
        "[matrix.a]",
        "[models.m]\nbase_url = \"http://localhost/v1\"\nmodel = \"m\"\nlimits.in_flight = 0",
        "[models.m]\nbase_url = \"http://localhost/v1\"\nmodel = \"m\"\nprovider = \"opnai\"",
        "[models.m]\nbase_url = \"http://localhost/v1\"\nmodel = \"m\"\napi_key = \"k\"",
        "[models.m]\nbase_url = \"http://localhost/v1\"\nmodel = \"m\"\nsampling.top_p = 2",
        "[models.\"a b\"]\nbase_url = \"http://localhost/v1\"\nmodel = \"m\"",
        "[table]\ntitle = \"t\"\npaper = \"p\"\n[[table.columns]]\nname = \"c\"\nmetric = \"sucess\"\n[[table.rows]]\nlabel = \"r\"",
        "[table]\ntitle = \"t\"\npaper = \"p\"\n[[table.columns]]\nname = \"c\"\n[[table.rows]]\nlabel = \"r\"\ntake = \"all\"",
    ] {
        // What stands twice would be no TOML.
        let text = match wrong.starts_with("users") {
            true => GOOD.replace("user.kind = \"helpful\"\n", "") + wrong,
            false => format!("{GOOD}{wrong}"),
        };
        assert!(!found(&text).is_empty(), "the program takes {text}");
        assert!(schema.refusal(&text).is_some(), "the schema takes {text}");
    }
}

#[test]
fn parameters_belong_to_the_implementation_that_is_named_beside_them() {
    let schema = Schema::new();
    let with = |more: &str| {
        let text = GOOD.replace("strategy.name = \"respact\"", more);
        (schema.refusal(&text).is_none(), found(&text).is_empty())
    };
    assert_eq!(with("strategy.name = \"relay\"\nstrategy.order = [\"executor\"]"), (true, true));
    assert_eq!(with("strategy.name = \"respact\"\nstrategy.order = [\"executor\"]"), (false, false));
    let around = "strategy = { name = \"reflexion\", around = \"relay\", order = [\"executor\"] }";
    assert_eq!(with(around), (true, true));
    let players = |implementation: &str| {
        with(&format!(
            "strategy.name = \"respact\"\nroles.executor = {{ implementation = \"{implementation}\", file = \"x\" }}"
        ))
    };
    assert!(players("scripted").0);
    assert_eq!(players("rules"), (false, false));
    // A part of a config, to be laid over others.
    assert!(schema.refusal("strategy.order = [\"executor\"]\n").is_none());
    assert!(schema.refusal("[matrix.a.b]\nstrategy = { name = \"react\", order = [\"x\"] }").is_none());
}

/// The keys that a message lists as allowed.
fn allowed(message: &str) -> BTreeSet<String> {
    let list = message.split("allowed: ").nth(1).unwrap_or_default();
    let words = list.split(", ").map(|word| word.trim_matches('`').to_owned());
    words.collect()
}

#[test]
fn every_table_takes_the_keys_that_the_checks_take() {
    let schema = config_schema(&rolecall::worlds());
    let model = "[models.m]\nbase_url = \"http://localhost/v1\"\nmodel = \"m\"\n";
    let table = "[table]\ntitle = \"t\"\npaper = \"p\"\n";
    let column = "[[table.columns]]\nname = \"c\"\n";
    let row = "[[table.rows]]\nlabel = \"r\"\n";
    let cases = [
        ("/properties", "zzz = 1".to_owned()),
        ("/properties/limits/properties", "limits.zzz = 1".to_owned()),
        ("/properties/run/properties", "run.zzz = 1".to_owned()),
        ("/properties/tasks/properties", "tasks.zzz = 1".to_owned()),
        ("/properties/cache/properties", "cache.zzz = 1".to_owned()),
        ("/properties/cells/items/properties", "[[cells]]\nname = \"a\"\nzzz = 1".to_owned()),
        ("/properties/models/additionalProperties/properties", format!("{model}zzz = 1")),
        ("/properties/models/additionalProperties/properties/sampling/properties", format!("{model}sampling.zzz = 1")),
        ("/properties/models/additionalProperties/properties/limits/properties", format!("{model}limits.zzz = 1")),
        ("/properties/models/additionalProperties/properties/retries/properties", format!("{model}retries.zzz = 1")),
        ("/properties/models/additionalProperties/properties/timeouts/properties", format!("{model}timeouts.zzz = 1")),
        (
            "/properties/models/additionalProperties/properties/prices/properties",
            format!("{model}prices = {{ input = 1, output = 1, zzz = 1 }}"),
        ),
        (
            "/properties/models/additionalProperties/properties/capabilities/properties",
            format!("{model}capabilities.zzz = 1"),
        ),
        ("/properties/table/properties", format!("{table}zzz = 1\n{column}{row}")),
        ("/properties/table/properties/columns/items/properties", format!("{table}{column}zzz = 1\n{row}")),
        ("/properties/table/properties/rows/items/properties", format!("{table}{column}{row}zzz = 1")),
        (
            "/properties/table/properties/order/items/properties",
            format!(
                "{table}{column}{row}[[table.rows]]\nlabel = \"s\"\n[[table.order]]\nbetter = \"r\"\nworse = \"s\"\nzzz = 1"
            ),
        ),
        ("environment=household", "environment.zzz = 1".to_owned()),
        ("strategy=respact", "strategy.zzz = 1".to_owned()),
        ("user=helpful", "user.zzz = 1".to_owned()),
        ("role=model", "roles.executor.implementation = \"model\"\nroles.executor.zzz = 1".to_owned()),
    ];
    for (place, text) in cases {
        let keys: BTreeSet<String> = match place.split_once('=') {
            None => {
                let keys = schema.pointer(place).and_then(Value::as_object);
                keys.unwrap_or_else(|| panic!("{place}")).keys().cloned().collect()
            }
            Some((kind, name)) => named_keys(&schema, kind, name),
        };
        let problems = found(&format!("{GOOD}{text}"));
        let message = problems.iter().find(|problem| problem.contains("zzz` is unknown"));
        let message = message.unwrap_or_else(|| panic!("{place}: {problems:?}"));
        assert_eq!(keys, allowed(message), "{place}");
    }
}

/// The keys that may stand beside the name of an implementation.
fn named_keys(schema: &Value, kind: &str, name: &str) -> BTreeSet<String> {
    let conditions = schema["definitions"][kind]["allOf"].as_array().unwrap().iter();
    let own = conditions.filter(|each| each["if"].to_string().contains(&format!("\"const\":\"{name}\"")));
    let keys = own.flat_map(|each| each["then"]["propertyNames"]["enum"].as_array().unwrap());
    keys.map(|key| key.as_str().unwrap().to_owned()).collect()
}
