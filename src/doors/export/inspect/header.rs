//! The head of a log.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::{Map, Value, json};

use super::sample::tokens;
use super::{Names, RULES, TARGET, time};
use crate::export::origin::Origin;
use crate::export::{ExportError, PlayedRun};
use rolecall_core::evaluation::{EpisodeResult, Standing};
use rolecall_core::log::RUN;
use rolecall_core::text::unique;

/// The version of Inspect's format that is written.
const VERSION: u32 = 2;

/// The head of a log, whose fields stand in the order that readers of streams need.
pub(super) struct Header(Value);

impl Header {
    /// The head of the log of a cell with these results.
    pub(super) fn of(
        run: &PlayedRun,
        origin: &Origin,
        names: &Names<'_>,
        results: &[&EpisodeResult],
    ) -> Result<Self, ExportError> {
        let ids = results.iter().map(|result| &result.episode);
        let (model_usage, role_usage) = tokens(names, results.iter().copied());
        let solver = json!({ "solver": names.cell.strategy_name, "params": parameters(names) });
        Ok(Self(json!({
            "version": VERSION,
            "status": if is_over(run)? { "success" } else { "cancelled" },
            "eval": eval(run, origin, names, results),
            "plan": { "name": "plan", "steps": [solver], "config": {} },
            "results": figures(results),
            "stats": {
                "started_at": time(origin.began()),
                "completed_at": time(origin.ended(ids)),
                "model_usage": model_usage,
                "role_usage": role_usage,
            },
        })))
    }

    /// The fields that are known when a log begins.
    pub(super) fn start(&self) -> Value {
        json!({ "version": VERSION, "eval": self.0["eval"], "plan": self.0["plan"] })
    }

    /// All of it, as an object without its last brace.
    pub(super) fn open(&self) -> String {
        let mut text = self.text();
        text.pop();
        text
    }

    /// All of it.
    pub(super) fn text(&self) -> String {
        self.0.to_string()
    }

    /// The file's name, from which the viewer reads the time, the task and its id.
    pub(super) fn file_name(&self, extension: &str) -> String {
        let eval = &self.0["eval"];
        let text = |name: &str| eval[name].as_str().unwrap_or_default();
        let created = text("created").replace(':', "-");
        let cell = eval["task_args"]["cell"].as_str().unwrap_or_default().replace('_', "-");
        format!("{created}_{cell}_{}.{extension}", text("task_id"))
    }
}

/// Whether all that the run was to play is over.
fn is_over(run: &PlayedRun) -> Result<bool, ExportError> {
    let log = run.log();
    let mut over = log.ids().len() as u64 >= log.record().episodes.unwrap_or_default();
    for id in log.ids() {
        over = over && log.is_closed(id)?;
    }
    Ok(over)
}

fn eval(run: &PlayedRun, origin: &Origin, names: &Names<'_>, results: &[&EpisodeResult]) -> Value {
    let cell = names.cell;
    let record = run.log().record();
    let config = fs::read(run.log().folder().join(RUN)).unwrap_or_default();
    let mut tasks = results.to_vec();
    tasks.sort_by_key(|result| result.episode.task);
    tasks.dedup_by_key(|result| result.episode.task);
    let ids: Vec<String> = tasks.into_iter().map(|result| names.sample(result)).collect();
    let epochs = results.iter().map(|result| result.episode.repeat + 1).max();
    let mut models: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for usage in results.iter().flat_map(|result| &result.usage) {
        models.entry(usage.seat.to_string()).or_default().insert(names.model(&usage.model));
    }
    let acting = names.acting.as_ref().map(ToString::to_string);
    let model = acting.and_then(|acting| models.get(&acting)?.first().cloned());
    let role = |model: &String| json!({ "model": model, "config": {}, "args": {} });
    let roles = models.iter().filter_map(|(seat, models)| Some((seat.clone(), role(models.first()?))));
    json!({
        "eval_id": origin.name(&[cell.name.as_str(), "eval"]),
        "run_id": origin.name(&[]),
        "created": created(origin),
        "task": format!("rolecall/{}", cell.environment),
        "task_id": origin.name(&[cell.name.as_str(), "task"]),
        "task_version": 0,
        "task_display_name": format!("{} · {}", cell.environment, cell.name),
        "task_args": { "cell": cell.name },
        "solver": cell.strategy_name,
        "model": model.unwrap_or_else(|| RULES.to_owned()),
        "model_roles": roles.collect::<Map<_, _>>(),
        "dataset": {
            "name": cell.environment, "samples": ids.len(), "sample_ids": ids, "shuffled": false,
        },
        "config": { "epochs": epochs },
        "packages": { "rolecall": record.version },
        "metadata": {
            "rolecall_run": record.name,
            "config_hash": blake3::hash(&config).to_hex().as_str(),
        },
    })
}

fn created(origin: &Origin) -> String {
    origin.began().strftime("%Y-%m-%dT%H:%M:%S+00:00").to_string()
}

/// The parameters of the cell's strategy, as `run.toml` has them.
fn parameters(names: &Names<'_>) -> Value {
    let record: toml::Table = names.plan.record.parse().unwrap_or_default();
    let cells = record.get("cells").and_then(toml::Value::as_array);
    let name = |cell: &&toml::Value| cell.get("name").and_then(toml::Value::as_str) == Some(names.cell.name.as_str());
    let cell = cells.and_then(|cells| cells.iter().find(name));
    let mut strategy =
        cell.and_then(|cell| serde_json::to_value(cell.get("strategy")?).ok()).unwrap_or_else(|| json!({}));
    if let Some(fields) = strategy.as_object_mut() {
        fields.shift_remove("name");
    }
    strategy
}

/// The means of all figures over the episodes that count, with their standard errors.
fn figures(results: &[&EpisodeResult]) -> Value {
    let counted: Vec<&&EpisodeResult> =
        results.iter().filter(|result| result.standing() == Standing::Counted).collect();
    let names = unique(counted.iter().flat_map(|result| result.measures.names()));
    let score = |name: &str| {
        let mut tasks: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
        for result in &counted {
            if let Some(value) = result.measures.get(name).number() {
                tasks.entry(result.episode.task).or_default().push(value);
            }
        }
        let values: Vec<f64> = tasks.values().flatten().copied().collect();
        if values.is_empty() {
            return None;
        }
        let tasks: Vec<f64> = tasks.values().map(|values| mean(values)).collect();
        let kind = if name == TARGET { "accuracy" } else { "mean" };
        let metric = |name: &str, value: f64| json!({ "name": name, "value": value, "params": {} });
        Some(json!({
            "name": name, "scorer": name,
            "scored_samples": values.len(),
            "unscored_samples": results.len() - values.len(),
            "params": {},
            "metrics": {
                kind: metric(kind, mean(&values)),
                "stderr": metric("stderr", standard_error(&tasks)),
            },
        }))
    };
    json!({
        "total_samples": results.len(),
        "completed_samples": counted.len(),
        "scores": names.into_iter().filter_map(score).collect::<Vec<_>>(),
    })
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The standard error of a mean of tasks; 0 for a single one.
fn standard_error(tasks: &[f64]) -> f64 {
    let (n, mean) = (tasks.len() as f64, mean(tasks));
    let squares: f64 = tasks.iter().map(|value| (value - mean).powi(2)).sum();
    if n < 2.0 { 0.0 } else { (squares / (n - 1.0) / n).sqrt() }
}
