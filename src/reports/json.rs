//! The object that `run --json` and `report --json` print.

use serde_json::{Map, Value, json};

use super::models::add_json;
use crate::evaluation::{Estimate, Group, Summary};

/// The metrics of which only the mean is given.
const MEANS: [&str; 3] = ["steps", "questions", "invalid"];

/// The figures of a run: `run`, `episodes`, `broken`, `cancelled`, `unfinished`, `success`,
/// `reward`, `steps`, `questions`, `invalid`, `metrics` with the rate or mean of every metric by name,
/// and `groups` with the same by cell, user and task type, and, if models were called, `models` by cell,
/// seat and model, `servers` by cell and model, and their `currency`. What is not known is null.
pub fn object(run: &str, summary: &Summary) -> Value {
    let mut object = Map::new();
    object.insert("run".to_owned(), run.into());
    add_figures(&mut object, summary, &summary.total);
    let groups = summary.groups.iter().map(|group| {
        let mut object = Map::new();
        let cell = group.cell.as_ref().map(ToString::to_string);
        object.insert("cell".to_owned(), cell.into());
        object.insert("user".to_owned(), group.user.clone().into());
        object.insert("kind".to_owned(), group.kind.clone().into());
        object.insert("n".to_owned(), group.counted.into());
        add_figures(&mut object, summary, group);
        Value::Object(object)
    });
    object.insert("groups".to_owned(), groups.collect());
    add_json(&mut object, &summary.models);
    Value::Object(object)
}

fn add_figures(object: &mut Map<String, Value>, summary: &Summary, group: &Group) {
    let counts = [
        ("episodes", group.episodes),
        ("broken", group.broken),
        ("cancelled", group.cancelled),
        ("unfinished", group.unfinished),
    ];
    for (name, count) in counts {
        object.insert(name.to_owned(), count.into());
    }
    let success = summary.estimate(group, "success");
    object.insert("success".to_owned(), with_interval("rate", &success));
    let reward = summary.estimate(group, "reward");
    object.insert("reward".to_owned(), with_interval("mean", &reward));
    for name in MEANS {
        let mean = summary.estimate(group, name).value();
        object.insert(name.to_owned(), mean.into());
    }
    let metrics = summary.metrics.iter();
    let metrics = metrics.map(|name| (name.clone(), summary.estimate(group, name).value().into()));
    object.insert("metrics".to_owned(), Value::Object(metrics.collect()));
}

fn with_interval(name: &str, estimate: &Estimate) -> Value {
    let ends = estimate.interval();
    json!({
        name: estimate.value(),
        "low": ends.map(|(low, _)| low),
        "high": ends.map(|(_, high)| high),
    })
}
