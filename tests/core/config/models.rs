//! Models in configs: what is read, what is refused, who gets which, and what stays secret.

use std::ffi::OsString;
use std::time::Duration;

use rolecall::config::{ConfigErrors, Resolved, load};
use rolecall::ports::model::{CacheMode, Endpoint, ModelSettings, ScoringMethod};

use super::asking::registry;
use super::support::{folder, problems, request};

/// What must be found nowhere.
const CANARY: &str = "canary-31337";

pub(crate) const MODEL: &str = r#"
[roles.executor]
implementation = "model"
model = "small"
[environment]
name = "household"
[strategy]
name = "respact"
[user]
kind = "helpful"
[models.small]
provider = "echo"
base_url = "http://localhost:8080/v1"
model = "tiny"
"#;

pub(crate) fn resolve(text: &str, sets: &[&str], models: &[&str]) -> Result<Resolved, ConfigErrors> {
    let folder = folder(&[("run.toml", text), ("script.jsonl", "")]);
    let mut request = request(folder.path(), sets);
    request.models = models.iter().map(|model| (*model).to_owned()).collect();
    let variable = |name: &str, value: &str| (OsString::from(name), OsString::from(value));
    request.variables = vec![variable("SMALL_KEY", CANARY), variable("EMPTY_KEY", "")];
    load(&request, registry())
}

fn small(text: &str, sets: &[&str]) -> ModelSettings {
    let resolved = resolve(text, sets, &[]).unwrap();
    resolved.plan.model_settings[0].clone()
}

fn only_problem(sets: &[&str]) -> String {
    let problems = problems(resolve(MODEL, sets, &[]));
    assert_eq!(problems.len(), 1, "{problems:#?}");
    problems.into_iter().next().unwrap()
}

#[test]
fn what_a_table_does_not_say_has_a_default() {
    let model = small(MODEL, &[]);
    assert_eq!(model.base_url, "http://localhost:8080/v1");
    assert_eq!(model.endpoint, Endpoint::Chat);
    assert_eq!(model.profile.name, "small");
    assert_eq!(model.profile.model, "tiny");
    assert_eq!((model.send_seed, model.stream), (true, false));
    assert_eq!(model.cache.mode, CacheMode::Off);
    assert_eq!(model.limits, Default::default());
    assert_eq!(model.retries, Default::default());
    assert_eq!(model.timeouts, Default::default());
    assert_eq!((model.api_key, model.missing_key), (None, None));
}

/// Every key of a model, behind [`MODEL`].
const EVERY_KEY: &str = r#"
endpoint = "completions"
api_key_env = "SMALL_KEY"
headers = { X-Team = "blue", X-Other = "env:SMALL_KEY" }
extra_body = { top_k = 0, chat_template_kwargs = { enable_thinking = false }, list = [1, 2.5, "x"] }
stream = true
send_seed = false
context_tokens = 4096
bytes_per_token = 4
spend = 2.5
script = "script.jsonl"
[models.small.sampling]
temperature = 0
top_p = 0.9
max_tokens = 100
stop = ["\n\n"]
[models.small.limits]
in_flight = 3
adaptive = false
requests_per_minute = 60
tokens_per_minute = 10000
[models.small.retries]
attempts = 2
first_wait_seconds = 0.25
longest_wait_seconds = 4
outage_seconds = 30
[models.small.timeouts]
connect_seconds = 1
idle_seconds = 2
total_seconds = 3.5
[models.small.prices]
input = 0.15
output = 0.6
currency = "EUR"
[models.small.capabilities]
json_schema = true
tools = true
logprobs = true
several = true
scoring = "token_by_token"
[cache]
mode = "both"
folder = "replies"
"#;

fn every_key() -> ModelSettings {
    small(&format!("{MODEL}{EVERY_KEY}"), &[])
}

#[test]
fn every_key_arrives() {
    let model = every_key();
    assert_eq!(model.endpoint, Endpoint::Completions);
    assert_eq!(model.api_key.as_ref().map(|key| key.reveal()), Some(CANARY));
    assert_eq!(model.headers["X-Team"].reveal(), "blue");
    assert_eq!(model.headers["X-Other"].reveal(), CANARY);
    let body = serde_json::json!({
        "top_k": 0, "chat_template_kwargs": { "enable_thinking": false }, "list": [1, 2.5, "x"],
    });
    assert_eq!(serde_json::Value::Object(model.extra_body.0), body);
    assert_eq!((model.send_seed, model.stream), (false, true));
    assert_eq!(model.spend, Some(2.5));
    assert!(model.script.unwrap().ends_with("script.jsonl"));
    assert_eq!(model.sampling.temperature, Some(0.0));
    assert_eq!(model.sampling.top_p, Some(0.9));
    assert_eq!(model.sampling.stop, ["\n\n"]);
    assert_eq!(model.cache.mode, CacheMode::Both);
    assert!(model.cache.folder.is_absolute() && model.cache.folder.ends_with("replies"));
}

#[test]
fn every_number_arrives() {
    let model = every_key();
    assert_eq!((model.limits.in_flight, model.limits.adaptive), (3, false));
    assert_eq!(model.limits.requests_per_minute, Some(60.0));
    assert_eq!(model.limits.tokens_per_minute, Some(10_000.0));
    assert_eq!(model.retries.attempts, 2);
    assert_eq!(model.retries.first_wait, Duration::from_millis(250));
    assert_eq!(model.retries.longest_wait, Duration::from_secs(4));
    assert_eq!(model.retries.outage, Duration::from_secs(30));
    assert_eq!(model.timeouts.connect, Duration::from_secs(1));
    assert_eq!(model.timeouts.idle, Duration::from_secs(2));
    assert_eq!(model.timeouts.total, Duration::from_millis(3500));
    let profile = model.profile;
    assert_eq!((profile.context_tokens, profile.max_tokens), (Some(4096), Some(100)));
    assert!(!profile.chat);
    let prices = profile.prices.unwrap();
    assert_eq!((prices.input, prices.output, prices.currency.as_str()), (0.15, 0.6, "EUR"));
    assert_eq!(profile.capabilities.scoring, Some(ScoringMethod::TokenByToken));
    assert!(profile.capabilities.json_schema && profile.capabilities.several);
}

#[test]
fn everything_wrong_is_found_at_once_with_its_place() {
    let text = r#"
[environment]
name = "household"
[strategy]
name = "react"
[roles.executor]
implementation = "rules"
[models.a]
provider = "openia"
base_url = "localhost:8080"
[models.b]
provider = "echo"
base_url = "http://x"
model = "m"
temprature = 0
[models.b.sampling]
top_p = 2
[models.b.limits]
in_flight = 0
[cache]
mode = "on"
"#;
    let problems = problems(resolve(text, &[], &[]));
    let begins = [
        "run.toml:9: `models.a.provider` is `openia`, which is no provider; allowed: `echo`",
        "run.toml:9: `models.a.model` is missing: write the name that the server knows",
        "run.toml:10: `models.a.base_url` is `localhost:8080`, which begins with neither",
        "run.toml:15: `models.b.temprature` is unknown; allowed: `provider`, `base_url`,",
        "run.toml:17: `models.b.sampling.top_p` is the whole number `2`; it must be a number from",
        "run.toml:19: `models.b.limits.in_flight` is the whole number `0`; it must be a whole",
        "run.toml:21: `cache.mode` is `on`; allowed: `off`, `only`, `read`, `write`, `both`",
    ];
    assert_eq!(problems.len(), begins.len(), "{problems:#?}");
    for (problem, begin) in problems.iter().zip(begins) {
        assert!(problem.starts_with(begin), "{problem}\n{begin}");
    }
}

#[test]
fn single_values_that_cannot_be_used_are_refused() {
    for (set, part) in [
        ("models.small.base_url=https://host/v1?key=1", "something after a `?`"),
        ("models.small.spend=5", "without `prices` nothing has a cost"),
        ("limits.cost=1", "without `prices` nothing has a cost"),
        ("models.small.prices.input=1", "`models.small.prices.output` is missing"),
        ("models.small.script=lost.jsonl", "names no file"),
        ("models.small.sampling.stop=[\"\"]", "holds an empty text"),
        ("models.small.sampling.stop=[5]", "every item must be a text"),
        ("models.small.extra_body.messages=[]", "a field that the client writes itself"),
        ("models.small.extra_body.x=nan", "that JSON does not have"),
        ("models.small.headers.Host=x", "that the client writes itself"),
        ("models.small.headers.\"a b\"=x", "is no name of a header"),
        ("models.\"a b\"={ provider = \"echo\", base_url = \"http://x\", model = \"x\" }", "no name for a model"),
        ("models.small.retries={ first_wait_seconds = 5, longest_wait_seconds = 1 }", "shorter than the first wait"),
        ("roles.executor.model=smal", "which is no model of this config (did you mean `small`?)"),
        ("cache.folder=", "it must be a folder"),
        ("limits.tokens=many", "is the text `many`"),
    ] {
        let problem = only_problem(&[set]);
        assert!(problem.contains(part), "{set}: {problem}");
    }
    let window = ["models.small.context_tokens=100", "models.small.sampling.max_tokens=100"];
    assert!(only_problem(&window).contains("must fit together"));
}

#[test]
fn secrets_are_not_repeated_in_messages_records_or_debug_output() {
    for set in [
        format!("models.small.api_key={CANARY}"),
        format!("models.small.api_key_env={CANARY}"),
        format!("models.small.base_url=https://me:{CANARY}@host/v1"),
        format!("models.small.headers.X-Key=[\"{CANARY}\"]"),
        format!("models.small.headers.X-Key=env:{CANARY}"),
        format!("models.small.headers.X-Key=\"{CANARY}\\u0007\""),
        format!("models.small.headers.X-Team {CANARY}"),
        format!("models.small.headers={CANARY}"),
    ] {
        let problem = only_problem(&[&set]);
        assert!(!problem.contains(CANARY), "{set}: {problem}");
    }
    let text = format!(
        "{MODEL}api_key_env = \"SMALL_KEY\"\nheaders = {{ X-Team = \"{CANARY}\", X-Other = \"env:SMALL_KEY\" }}\n\
         extra_body = {{ user_token = \"{CANARY}\", inner = {{ api_key = [\"{CANARY}\"] }} }}\n"
    );
    let resolved = resolve(&text, &[], &[]).unwrap();
    let shown = format!(
        "{}{:?}{:?}{}",
        resolved.plan.record,
        resolved.models,
        resolved.plan.model_settings[0],
        rolecall::cli::describe(&resolved)
    );
    assert!(!shown.contains(CANARY), "{shown}");
    let record: toml::Table = resolved.plan.record.parse().unwrap();
    let model = &record["models"][0];
    assert_eq!(model["api_key_env"].as_str(), Some("SMALL_KEY"));
    assert_eq!(model["headers"]["X-Other"].as_str(), Some("env:SMALL_KEY"));
    assert_eq!(model["headers"]["X-Team"].as_str(), Some("(not written)"));
    assert_eq!(model["extra_body"]["user_token"].as_str(), Some("(not written)"));
    assert_eq!(record["cache"]["mode"].as_str(), Some("off"));
}

#[test]
fn a_key_that_is_not_there_is_noted_only_for_a_model_in_use() {
    for variable in ["NO_SUCH_KEY", "EMPTY_KEY"] {
        let set = format!("models.small.api_key_env={variable}");
        let resolved = resolve(MODEL, &[&set], &[]).unwrap();
        let model = &resolved.plan.model_settings[0];
        assert_eq!(model.missing_key.as_deref(), Some(variable));
        assert_eq!(resolved.notes.len(), 1, "{:?}", resolved.notes);
        assert!(resolved.notes[0].contains(&format!("`{variable}` is not set")));
        let sets = [&*set, "roles.executor={ implementation = \"rules\", model = \"\" }"];
        let unused = MODEL.replace("model = \"small\"", "").replace("\"model\"", "\"rules\"");
        let unused = resolve(&unused, &sets[..1], &[]).unwrap();
        assert!(unused.notes.is_empty(), "{:?}", unused.notes);
        assert_eq!(unused.plan.models.iter().count(), 0);
        assert_eq!(unused.plan.model_settings.len(), 1);
        assert!(!unused.plan.record.contains("[[models]]"));
    }
}

#[test]
fn only_models_that_a_seat_names_are_built() {
    // The provider refuses to build a model of the name `broken`.
    let text = format!("{MODEL}[models.broken]\nprovider = \"echo\"\nbase_url = \"http://x\"\nmodel = \"broken\"\n");
    let resolved = resolve(&text, &[], &[]).unwrap();
    let names: Vec<_> = resolved.plan.models.iter().map(|model| model.name().to_owned()).collect();
    assert_eq!(names, ["small"]);
    assert_eq!(resolved.plan.model_settings.len(), 2);
    let problems = problems(resolve(&text, &["roles.executor.model=broken"], &[]));
    assert_eq!(problems, ["run.toml:18: `models.broken.model` cannot be used: it is broken"]);
}

#[test]
fn a_role_without_any_model_is_told_how_to_get_one() {
    let text = MODEL.split("[models.small]").next().unwrap();
    let problems = problems(resolve(text, &[], &[]));
    assert_eq!(problems.len(), 1, "{problems:#?}");
    assert!(problems[0].contains("no model is described; write a table `[models.small]`"));
}

#[test]
fn options_and_variables_reach_into_models() {
    let folder = folder(&[("run.toml", MODEL)]);
    let mut request = request(folder.path(), &["models.small.limits.in_flight=7"]);
    request.variables = vec![("ROLECALL__MODELS__SMALL__BASE_URL".into(), "http://elsewhere:1/v1".into())];
    let plan = load(&request, registry()).unwrap().plan;
    assert_eq!(plan.model_settings[0].base_url, "http://elsewhere:1/v1");
    assert_eq!(plan.model_settings[0].limits.in_flight, 7);
}

#[test]
fn check_says_who_asks_which_model_and_what_is_missing() {
    let text = format!(
        "{MODEL}api_key_env = \"NO_SUCH_KEY\"\nspend = 3\nprices = {{ input = 1, output = 2.5 }}\n\
         [models.large]\nprovider = \"echo\"\nbase_url = \"http://x\"\nmodel = \"large\"\n\
         [cache]\nmode = \"only\"\n[limits]\nmodel_calls = 9\ntokens = 1000\ncost = 0.5\n"
    );
    let text = rolecall::cli::describe(&resolve(&text, &[], &[]).unwrap());
    for values in [
        &["executor", "model = small"][..],
        &["http://localhost:8080/v1", "tiny"],
        &["NO_SUCH_KEY", "not set"],
        &["64"],
        &["1 USD", "2.5 USD", "3"],
        &["cache", "only"],
        &["large"],
        &["9", "1000", "0.5"],
    ] {
        let together = |line: &str| values.iter().all(|value| line.contains(value));
        assert!(text.lines().any(together), "{values:?}\n{text}");
    }
}
