//! Whatever stands in a config, it becomes a plan or errors.

use proptest::prelude::*;

use super::support::{GOOD, resolve};

fn key() -> impl Strategy<Value = String> {
    let known = proptest::sample::select(vec![
        "name",
        "extends",
        "seed",
        "repeats",
        "agents",
        "environment",
        "tasks",
        "strategy",
        "roles",
        "executor",
        "implementation",
        "persona",
        "user",
        "users",
        "kind",
        "sees",
        "weight",
        "limits",
        "steps",
        "turn_seconds",
        "run",
        "logs",
        "cells",
        "data",
        "matrix",
        "patience",
    ]);
    prop_oneof![4 => known.prop_map(str::to_owned), 1 => "[a-z.\\[\\]0-9 ]{0,6}"]
}

fn value() -> impl Strategy<Value = toml::Value> {
    let words = proptest::sample::select(vec![
        "household",
        "respact",
        "relay",
        "rules",
        "scripted",
        "helpful",
        "builtin",
        "question",
        "a",
        "../x",
        "",
    ]);
    let leaf = prop_oneof![
        3 => words.prop_map(toml::Value::from),
        1 => any::<i64>().prop_map(toml::Value::from),
        1 => (-2i64..60).prop_map(toml::Value::from),
        1 => any::<f64>().prop_map(toml::Value::from),
        1 => any::<bool>().prop_map(toml::Value::from),
        1 => ".{0,8}".prop_map(toml::Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        let table = proptest::collection::btree_map(key(), inner.clone(), 0..6);
        prop_oneof![
            proptest::collection::vec(inner, 0..4).prop_map(toml::Value::from),
            table.prop_map(|table| toml::Value::Table(table.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_table_is_a_plan_or_errors(table in proptest::collection::btree_map(key(), value(), 0..8)) {
        let table: toml::Table = table.into_iter().collect();
        if let Err(errors) = resolve(&table.to_string(), &[]) {
            prop_assert!(!errors.0.is_empty());
        }
    }

    #[test]
    fn any_change_to_a_good_config_is_a_plan_or_errors(
        path in proptest::collection::vec(key(), 1..4),
        value in value(),
    ) {
        let set = format!("{}={value}", path.join("."));
        if let Err(errors) = resolve(GOOD, &[&set]) {
            prop_assert!(!errors.0.is_empty());
            prop_assert!(errors.0.iter().all(|error| !error.to_string().contains('\n')));
        }
    }

    #[test]
    fn any_text_is_a_plan_or_errors(text in ".{0,200}") {
        prop_assert!(resolve(&text, &[]).is_err());
    }
}
