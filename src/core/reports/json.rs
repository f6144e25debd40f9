//! The object that `run --json` and `report --json` print, and figures with intervals for programs.

use serde_json::{Map, Value, json};

use super::models::add_json;
use crate::evaluation::labels::Figure;
use crate::evaluation::{Bounded, Estimate, Group, Summary};

/// The metrics of which only the mean is given.
const MEANS: [&str; 3] = ["steps", "questions", "invalid"];

/// The figures of a run: `run`, `episodes`, `tasks` (those that count), `broken`, `cancelled`,
/// `unfinished`, `success`, `reward`, `steps`, `questions`, `invalid`, `metrics` with the rate or mean
/// of every metric by name and `intervals` with its two ends, `cells` with the same by cell and user, and
/// `groups` by cell, user and task type, where of the means only that of the reward has an interval and those
/// of the `measures`, which are the metrics that tell how good an episode is by the task types of which
/// success says little.
/// Pooled figures have `shares` by name as well: `hits`, `n`, the number of `episodes` and the `mean` of
/// their own shares. If tasks have groups, `breakdowns` by the group's name are like `groups`, with a
/// `value`; where rows are told apart by a group, it is `by`, and all that is by cell has a `value`.
/// If episodes ended at the window of a model or a filter, `withheld` is their number and `answered` has the figures
/// without them.
/// If tasks were played several times, `tries` by cell and user with `pass_any` (pass@k) and
/// `pass_every` (pass^k); if models were called, `models` by cell, seat and model, `servers` by cell and
/// model, and their `currency`. What is not known is null.
pub fn object(run: &str, summary: &Summary) -> Value {
    let mut object = Map::new();
    object.insert("run".to_owned(), run.into());
    add_figures(&mut object, summary, &summary.total);
    let of = |group: &Group, head: Option<&str>| {
        let mut object = Map::new();
        object.insert("cell".to_owned(), json!(group.cell));
        object.insert("user".to_owned(), group.user.clone().into());
        if summary.by.is_some() {
            object.insert("value".to_owned(), group.value.clone().into());
        }
        if let Some(head) = head {
            object.insert(head.to_owned(), group.kind.clone().into());
        }
        object.insert("n".to_owned(), group.counted.into());
        add_figures(&mut object, summary, group);
        Value::Object(object)
    };
    let all = |groups: &[Group], head| groups.iter().map(|group| of(group, head)).collect();
    object.insert("cells".to_owned(), all(&summary.rows, None));
    object.insert("groups".to_owned(), all(&summary.groups, Some("kind")));
    if let Some(by) = &summary.by {
        object.insert("by".to_owned(), by.clone().into());
    } else if !summary.breakdowns.is_empty() {
        let each = summary.breakdowns.iter().map(|by| (by.name.clone(), all(&by.groups, Some("value"))));
        object.insert("breakdowns".to_owned(), Value::Object(each.collect()));
    }
    let tries: Vec<Value> = summary.rows.iter().flat_map(tries).collect();
    if !tries.is_empty() {
        object.insert("tries".to_owned(), tries.into());
    }
    if !summary.measures.is_empty() {
        object.insert("measures".to_owned(), json!(summary.measures));
    }
    add_json(&mut object, &summary.models);
    Value::Object(object)
}

fn add_figures(object: &mut Map<String, Value>, summary: &Summary, group: &Group) {
    let counts = [
        ("episodes", group.episodes),
        ("tasks", group.tasks),
        ("broken", group.broken),
        ("cancelled", group.cancelled),
        ("unfinished", group.unfinished),
    ];
    for (name, count) in counts {
        object.insert(name.to_owned(), count.into());
    }
    if let Some(answered) = &group.answered {
        let mut figures = Map::new();
        add_figures(&mut figures, summary, answered);
        object.insert("withheld".to_owned(), group.withheld().into());
        object.insert("answered".to_owned(), figures.into());
    }
    for (name, kind) in [("success", "rate"), ("reward", "mean")] {
        let estimate = summary.estimate(group, name);
        let figure = with_interval(kind, estimate.value(), estimate.interval());
        object.insert(name.to_owned(), figure);
    }
    for name in MEANS {
        let mean = summary.estimate(group, name).value();
        object.insert(name.to_owned(), mean.into());
    }
    let (mut values, mut intervals, mut shares) = (Map::new(), Map::new(), Map::new());
    for name in &summary.metrics {
        let estimate = summary.estimate(group, name);
        values.insert(name.clone(), estimate.value().into());
        let ends = estimate.interval().map(|(low, high)| [low, high]);
        intervals.insert(name.clone(), ends.into());
        if let Estimate::Pooled { n, hits, of, mean, .. } = estimate {
            let share = json!({"hits": hits, "n": of, "episodes": n, "mean": mean});
            shares.insert(name.clone(), share);
        }
    }
    object.insert("metrics".to_owned(), values.into());
    object.insert("intervals".to_owned(), intervals.into());
    if !shares.is_empty() {
        object.insert("shares".to_owned(), shares.into());
    }
}

/// The success of a cell and user in several tries.
fn tries(row: &Group) -> impl Iterator<Item = Value> {
    let share = |share: &Bounded| with_interval("rate", Some(share.value), Some((share.low, share.high)));
    row.passes.iter().map(move |pass| {
        json!({
            "cell": row.cell,
            "user": row.user,
            "k": pass.tries,
            "tasks": pass.tasks,
            "pass_any": share(&pass.any),
            "pass_every": share(&pass.every),
        })
    })
}

/// A figure under its name, with the ends of its interval.
pub(super) fn with_interval(name: &str, value: Option<f64>, ends: Option<(f64, f64)>) -> Value {
    let (low, high) = ends.unzip();
    json!({name: value, "low": low, "high": high})
}

/// An estimate: `n`, and `value`, `low` and `high`, null where there is none.
pub(super) fn estimate(estimate: &Estimate) -> Value {
    let (low, high) = estimate.interval().unzip();
    json!({"n": estimate.n(), "value": estimate.value(), "low": low, "high": high})
}

/// A figure for programs; null if it has no value.
pub(super) fn figure(figure: Option<Figure>) -> Value {
    figure.map_or(Value::Null, |figure| with_interval("value", Some(figure.value), figure.interval))
}
