//! The command line of a run: enough to resolve its config again.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::error::NOT_WRITTEN;
use super::layers::Request;
use super::origin::shown;
use super::overrides::{PREFIX, split_set};
use super::secrets::holds_secret;
use rolecall_core::files::shipped;
use rolecall_core::log::schema_of;
use rolecall_core::maps::ordered;

/// The command line of a run, as `run.toml` keeps it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invocation {
    /// The config file, relative to the working folder if it lies below; `rolecall:/...` is a shipped one.
    pub config: String,
    /// The working folder, from which all these paths hold: relative to the run's own folder if that lies
    /// below it, so that both can be moved. Absent in runs of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Config files that were laid over it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<String>,
    /// Settings, as `key=value`; options that stand for settings are among them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
    /// Models of seats, as `ROLE=NAME`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub model: Vec<String>,
    /// Environment variables that stand for settings.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
}

/// The reason why a run cannot be resolved again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvocationError {
    /// `run.toml` does not say what the run was started with.
    #[error("`run.toml` has no table `invocation` that can be read: {0}")]
    Missing(String),
    /// A setting is a secret, which no run writes down.
    #[error(
        "the run was started with a value for `{0}` that may be a secret and is not written down: give it \
         again with `--set {0}=...` or in the environment variable `{variable}`",
        variable = variable_of(.0)
    )]
    Secret(String),
    /// A secret was in an environment variable.
    #[error(
        "the run was started with a value in the environment variable `{0}` that may be a secret and is \
         not written down: set it again"
    )]
    Variable(String),
}

#[derive(Deserialize)]
struct Written {
    invocation: Invocation,
}

impl Invocation {
    /// The command line of a request.
    pub(super) fn of(request: &Request) -> Self {
        let flags = request.flags.iter().map(|flag| format!("{}={}", flag.key, flag.value));
        let sets = request.sets.iter().cloned().chain(flags);
        let setting = |(name, value): &(OsString, OsString)| {
            let name = name.to_str().filter(|name| name.starts_with(PREFIX))?;
            let value = value.to_str()?;
            let path = name.split("__").skip(1).map(str::to_lowercase).collect();
            let value = if hides(path, value) { NOT_WRITTEN } else { value };
            Some((name.to_owned(), value.to_owned()))
        };
        let path = |file: &PathBuf| shown(&request.whole_path(file), &request.working);
        Self {
            config: path(&request.file),
            folder: None,
            with: request.with.iter().map(path).collect(),
            set: sets.map(without_secret).collect(),
            model: request.models.clone(),
            environment: ordered(request.variables.iter().filter_map(setting)),
        }
    }

    /// Reads the table of a `run.toml`.
    pub fn read(run_toml: &str) -> Result<Self, InvocationError> {
        toml::from_str(run_toml)
            .map(|Written { invocation }| invocation)
            .map_err(|error| InvocationError::Missing(error.message().lines().collect::<Vec<_>>().join(", ")))
    }

    /// The working folder of the run in this folder, if its config is still there: the one that is written,
    /// the one where this process is, or, for runs of older versions, the one that usually holds `logs`.
    pub fn working(&self, run: &Path, here: &Path) -> Option<PathBuf> {
        let run = run.canonicalize().ok()?;
        let written = self.folder.as_ref().map(|folder| run.join(folder));
        let usual = run.ancestors().nth(2).map(Path::to_owned).filter(|_| written.is_none());
        let mut all = [written, Some(here.to_owned()), usual].into_iter().flatten();
        let config = Path::new(&self.config);
        let found = all.find(|folder| match shipped::is_shipped(config) {
            true => folder.is_dir(),
            false => folder.join(config).is_file(),
        })?;
        // Without `..`, paths below it are shown as they were.
        match same_folder(&found, here) {
            true => Some(here.to_owned()),
            false => found.canonicalize().ok(),
        }
    }

    /// The request that resolves the same config, with the working folder, further settings and
    /// further models of another one, whose file is not looked at. Of its environment variables,
    /// those that stand for settings are not used, but those that were.
    pub fn request(self, now: Request) -> Result<Request, InvocationError> {
        let given = |key: &str| now.sets.iter().any(|set| key_of(set) == key);
        let secret = |set: &&String| set.ends_with(&format!("={NOT_WRITTEN}"));
        let lost: Vec<&str> = self.set.iter().filter(secret).map(|set| key_of(set)).filter(|key| !given(key)).collect();
        let names = |name: &OsString| now.variables.iter().any(|(known, _)| known == name);
        let written = &self.environment;
        // Of the variables that stand for settings, those that hold what is not written down.
        let used = |name: &OsString| {
            name.to_str().filter(|name| name.starts_with(PREFIX)).is_none_or(|name| {
                written.get(name).is_some_and(|value| value == NOT_WRITTEN)
                    || lost.iter().any(|key| variable_of(key) == name)
            })
        };
        if let Some(key) = lost.iter().find(|key| !names(&variable_of(key).into())) {
            return Err(InvocationError::Secret((*key).to_owned()));
        }
        let mut hidden = written.iter().filter(|(_, value)| *value == NOT_WRITTEN).map(|(name, _)| name);
        let stands = |name: &str| now.sets.iter().any(|set| variable_of(key_of(set)) == name);
        if let Some(name) = hidden.find(|name| !names(&(*name).into()) && !stands(name)) {
            return Err(InvocationError::Variable(name.clone()));
        }
        let mut variables: Vec<_> = now.variables.iter().filter(|(name, _)| used(name)).cloned().collect();
        let shown = written.iter().filter(|(_, value)| *value != NOT_WRITTEN);
        variables.extend(shown.map(|(name, value)| (name.into(), value.into())));
        let kept = self.set.iter().filter(|set| !secret(set)).cloned();
        // The models of seats that get no other one now.
        let replaced = |model: &String| now.models.iter().any(|newer| key_of(newer) == key_of(model));
        let kept_models = self.model.into_iter().filter(|model| !replaced(model));
        Ok(Request {
            file: PathBuf::from(self.config),
            with: self.with.into_iter().map(PathBuf::from).collect(),
            sets: kept.chain(now.sets).collect(),
            flags: Vec::new(),
            variables,
            models: kept_models.chain(now.models.clone()).collect(),
            working: now.working,
            record: now.record,
            nearest_agents_only: self.folder.is_none(),
        })
    }
}

/// The working folder as a run's record names it, given the run's folder, which need not be there yet.
pub(super) fn working_folder(working: &Path, run: &Path) -> String {
    let run = run.ancestors().find(|folder| folder.exists()).and_then(|folder| {
        let whole = folder.canonicalize().ok()?;
        Some(whole.join(run.strip_prefix(folder).ok()?))
    });
    let whole = working.canonicalize().unwrap_or_else(|_| working.to_owned());
    let below = run.and_then(|run| Some(run.strip_prefix(&whole).ok()?.components().count()));
    match below {
        Some(depth) if depth > 0 => vec![".."; depth].join("/"),
        _ => whole.display().to_string(),
    }
}

fn same_folder(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

fn key_of(set: &str) -> &str {
    parts(set).0
}

/// The variable that stands for a key.
fn variable_of(key: &str) -> String {
    let path = split_set(&format!("{key}=")).map(|(path, _)| path.join("__"));
    PREFIX.to_owned() + &path.unwrap_or_else(|_| key.replace('.', "__")).to_uppercase()
}

/// The key as it was written, and the value.
fn parts(set: &str) -> (&str, &str) {
    // A quoted key may hold the sign that ends others.
    let whole = split_set(set).map(|(_, value)| (&set[..set.len() - value.len() - 1], value));
    let (key, value) = whole.unwrap_or_else(|_| set.split_once('=').unwrap_or((set, "")));
    (key.trim(), value)
}

fn without_secret(set: String) -> String {
    let (key, value) = parts(&set);
    // What cannot be read is refused, and shown nowhere.
    if hides(split_set(&set).map_or_else(|_| vec![key.to_owned()], |(path, _)| path), value) {
        return format!("{key}={NOT_WRITTEN}");
    }
    set
}

/// Whether a value at a path may be a secret or hold one.
fn hides(path: Vec<String>, value: &str) -> bool {
    let value = value.trim();
    let value = value.parse().unwrap_or_else(|_| Value::from(value));
    let nest = |value, key| Value::Table(ordered([(key, value)]));
    holds_secret(&path.into_iter().rev().fold(value, nest))
}

const SHARD: &str = "run.shard";

/// The `run.toml` of a run in the folder `to`, of which a part with this record is in the folder `from`: the same
/// run, but all of it.
///
/// # Errors
/// If the record cannot be written.
pub fn merged_record(part: &Table, from: &Path, to: &Path, here: &Path) -> Result<String, String> {
    let mut all = part.clone();
    let name = to.file_name().unwrap_or_default().to_string_lossy();
    all.insert("name".to_owned(), name.into_owned().into());
    all.remove("workers");
    let run = all.get_mut("run").and_then(Value::as_table_mut);
    let was_shard = run.is_some_and(|run| run.remove("shard").is_some());
    if let Some(written) = all.remove("invocation") {
        let mut invocation: Invocation = written.try_into().map_err(|error: toml::de::Error| error.to_string())?;
        let working = invocation.working(from, here);
        invocation.folder = Some(working_folder(working.as_deref().unwrap_or(here), &here.join(to)));
        let given = invocation.set.len() + invocation.environment.len();
        invocation.set.retain(|set| key_of(set) != SHARD);
        invocation.environment.remove(&variable_of(SHARD));
        if was_shard && given == invocation.set.len() + invocation.environment.len() {
            // A file says so.
            invocation.set.push(format!("{SHARD}=0/1"));
        }
        let invocation = Value::try_from(invocation).map_err(|error| error.to_string())?;
        all.insert("invocation".to_owned(), invocation);
    }
    if was_shard {
        all.insert("episodes".to_owned(), Value::Integer(episodes(&all)));
    }
    let episodes = all.get("episodes").and_then(Value::as_integer);
    let schema = schema_of(episodes.and_then(|episodes| usize::try_from(episodes).ok()));
    all.insert("schema".to_owned(), i64::from(schema).into());
    toml::to_string(&all).map_err(|error| error.to_string())
}

/// The number of episodes of a record, whatever it says itself.
fn episodes(record: &Table) -> i64 {
    let number = |table: &Table, key| table.get(key).and_then(Value::as_integer);
    let tasks = number(record, "tasks").unwrap_or_default();
    let cells = record.get("cells").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_table);
    cells
        .map(|cell| number(cell, "tasks").unwrap_or(tasks))
        .sum::<i64>()
        .saturating_mul(number(record, "repeats").unwrap_or(1))
}

#[cfg(test)]
mod tests {
    use super::super::overrides::Flag;
    use super::*;

    fn request() -> Request {
        Request {
            file: PathBuf::from("configs/a.toml"),
            with: vec![PathBuf::from("configs/models/b.toml")],
            sets: vec!["limits.steps=20".into(), "models.m.api_key=sk-1".into()],
            flags: vec![Flag { option: "--limit", key: "tasks.limit", value: 3.into() }],
            variables: vec![("ROLECALL__SEED".into(), "7".into()), ("HOME".into(), "/home/x".into())],
            models: vec!["executor=small".into()],
            working: PathBuf::from("/work"),
            record: None,
            nearest_agents_only: false,
        }
    }

    #[test]
    fn a_request_comes_back_without_its_secrets() {
        let invocation = Invocation::of(&request());
        let text = toml::to_string(&BTreeMap::from([("invocation", &invocation)])).unwrap();
        assert!(!text.contains("sk-1") && !text.contains("HOME"), "{text}");
        let read = Invocation::read(&text).unwrap();
        assert_eq!(read, invocation);
        let now = |sets: &[&str]| Request {
            sets: sets.iter().map(|set| (*set).to_owned()).collect(),
            variables: vec![("ROLECALL__REPEATS".into(), "3".into()), ("OPENAI_API_KEY".into(), "sk-3".into())],
            models: vec!["executor = large".into(), "user=small".into()],
            working: PathBuf::from("/work"),
            ..Request::default()
        };
        let lost = read.clone().request(now(&[])).unwrap_err();
        assert_eq!(lost, InvocationError::Secret("models.m.api_key".into()));
        let given = now(&["models.m.api_key=sk-2", "seed=8"]);
        let again = read.request(given).unwrap();
        let sets = ["limits.steps=20", "tasks.limit=3", "models.m.api_key=sk-2", "seed=8"];
        assert_eq!(again.sets, sets);
        let variables = [("OPENAI_API_KEY".into(), "sk-3".into()), ("ROLECALL__SEED".into(), "7".into())];
        assert_eq!(again.variables, variables);
        assert_eq!(again.file, PathBuf::from("configs/a.toml"));
        assert_eq!(again.with, [PathBuf::from("configs/models/b.toml")]);
        // The executor had another model before.
        assert_eq!(again.models, ["executor = large", "user=small"]);
    }

    #[test]
    fn the_working_folder_is_found_again_from_the_folder_of_the_run() {
        let place = tempfile::tempdir().unwrap();
        let (here, there) = (place.path().join("here"), place.path().join("there"));
        let run = here.join("logs/first");
        std::fs::create_dir_all(&run).unwrap();
        std::fs::create_dir(&there).unwrap();
        std::fs::write(here.join("a.toml"), "").unwrap();
        let (here, there) = (here.canonicalize().unwrap(), there.canonicalize().unwrap());
        assert_eq!(working_folder(&here, &run), "../..");
        assert_eq!(working_folder(&here, &here.join("new/run")), "../..");
        assert_eq!(working_folder(&there, &run), there.to_str().unwrap());
        assert_eq!(working_folder(&here, &here), here.to_str().unwrap());
        let of = |config: &str, folder: Option<&str>| Invocation {
            config: config.to_owned(),
            folder: folder.map(str::to_owned),
            ..Invocation::default()
        };
        let found = Some(here.clone());
        let written = of("a.toml", Some("../.."));
        assert_eq!(written.working(&run, &there), found);
        assert_eq!(written.working(&run, &here), found);
        let shipped = of("rolecall:/configs/x.toml", Some("../.."));
        assert_eq!(shipped.working(&run, &there), found);
        // Runs of up to 0.2, and those that were taken away from their config.
        assert_eq!(of("a.toml", None).working(&run, &there), found);
        assert_eq!(of("b.toml", Some("../..")).working(&run, &there), None);
    }

    #[test]
    fn a_secret_within_a_table_is_not_written() {
        let hidden = [
            "models.m={headers={\"X-Key\"=\"sk-1\"}}",
            "cells = [{name=\"a\", models={m={headers={X=\"sk-1\"}}}}]",
            " models . \"a=b\" . headers . X = sk-1",
        ];
        for set in hidden {
            let written = without_secret(set.to_owned());
            assert!(!written.contains("sk-1"), "{written}");
            assert_eq!(key_of(&written), key_of(set));
        }
        let plain = "models.m={max_tokens=3}";
        assert_eq!(without_secret(plain.to_owned()), plain);
        let variable = ("ROLECALL__MODELS__M".into(), hidden[0][9..].into());
        let request = Request { variables: vec![variable], ..request() };
        let written = Invocation::of(&request).environment;
        assert_eq!(written["ROLECALL__MODELS__M"], NOT_WRITTEN);
    }

    #[test]
    fn a_record_without_one_is_refused() {
        let error = Invocation::read("schema = 1").unwrap_err().to_string();
        assert!(error.contains("invocation"), "{error}");
    }
}
