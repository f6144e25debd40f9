//! One table `[models.<name>]`.

use std::path::{Path, PathBuf};

use serde_json::Map;

use super::Variables;
use super::connection::{access, base_url};
use crate::config::error::{instead, listed, quoted};
use crate::config::node::Kind;
use crate::config::parameters::{as_recorded, values};
use crate::config::record::ModelRecord;
use crate::config::recorded::SettingsRecord;
use crate::config::secrets::{EXTRA_BODY, hide};
use crate::config::settings::settings;
use crate::config::walk::Section;
use rolecall_core::ports::model::{
    CacheSettings, DEFAULT_PROVIDER, ExtraBody, ModelProfile, ModelSettings, Prices, Reasoning, RetrySettings, Sampling,
};
use rolecall_core::ports::{ModelEntry, ParameterValue, Settings};

/// Reads a table. Nothing comes back if its provider is not known.
pub(super) fn read(
    mut section: Section<'_>,
    name: &str,
    cache: &CacheSettings,
    variables: &Variables,
) -> Option<(&'static ModelEntry, ModelSettings, ModelRecord)> {
    let entry = provider(&mut section);
    let server = entry.is_none_or(|entry| entry.server) && !section.has("script");
    base_url(&mut section, server);
    let model = server_name(&mut section, name, server);
    let keys = values(&mut section, ModelSettings::PARAMETERS).with("model", ParameterValue::Text(model));
    let keys = as_recorded(&section, ModelSettings::PARAMETERS, keys, section.context.recorded_model(name));
    let written = ModelSettings::of(&keys);
    let access = access(&mut section, variables);
    let (extra_body, shown_body) = extra_body(&mut section);
    let (sampling, shown_sampling) = sampling(&mut section.section("sampling"));
    let (reasoning, shown_reasoning) = reasoning(&mut section).unzip();
    let (prices, shown_prices) = prices(&mut section).unzip();
    if written.spend.is_some() && prices.is_none() && !section.has("prices") {
        section.wrong("spend", "limits what is spent, but without `prices` nothing has a cost");
    }
    let script = found(&section, "script", written.script, Path::is_file);
    let checkpoint = found(&section, "checkpoint", written.checkpoint, Path::is_dir);
    let (capabilities, shown_capabilities) = settings(&mut section.section("capabilities"));
    let profile = ModelProfile {
        name: name.to_owned(),
        capabilities,
        max_tokens: sampling.max_tokens,
        prices,
        ..written.profile
    };
    check_window(&section, &profile);
    let (timeouts, shown_timeouts) = settings(&mut section.section("timeouts"));
    let (limits, shown_limits) = settings(&mut section.section("limits"));
    let (retries, shown_retries) = retries(&mut section);
    section.finish();
    let record = ModelRecord {
        name: name.to_owned(),
        keys: SettingsRecord::of(ModelSettings::PARAMETERS, &keys),
        headers: access.shown_headers,
        extra_body: shown_body,
        sampling: shown_sampling,
        reasoning: shown_reasoning,
        limits: shown_limits,
        retries: shown_retries,
        timeouts: shown_timeouts,
        prices: shown_prices,
        capabilities: shown_capabilities,
    };
    let settings = ModelSettings {
        api_key: access.api_key,
        missing_key: access.missing,
        headers: access.headers,
        extra_body,
        sampling,
        reasoning,
        timeouts,
        limits,
        retries,
        cache: cache.clone(),
        script,
        checkpoint,
        profile,
        ..written
    };
    Some((entry?, settings, record))
}

fn provider(section: &mut Section<'_>) -> Option<&'static ModelEntry> {
    let entries = &section.context.registry.models;
    let written = section.has("provider");
    let name = match section.text("provider") {
        None if written => return None,
        name => name.unwrap_or(DEFAULT_PROVIDER),
    };
    let entry = entries.iter().copied().find(|entry| entry.name == name);
    if entry.is_none() {
        let names: Vec<&str> = entries.iter().map(|entry| entry.name).collect();
        if written {
            section.wrong("provider", format!("is {}, which is no provider{}", quoted(name), instead(name, &names)));
        } else {
            section.missing("provider", &format!("write one of {}", listed(names)));
        }
    }
    entry
}

/// The name that the server knows the model by.
fn server_name(section: &mut Section<'_>, name: &str, needed: bool) -> String {
    let written = section.has("model");
    match section.text("model") {
        Some("") => section.wrong("model", "is empty; it must be the name that the server knows the model by"),
        Some(model) => return model.to_owned(),
        None if needed && !written => {
            let remedy = "write the name that the server knows the model by (a server that has \
                          only one takes any)";
            section.missing("model", remedy);
        }
        None => {}
    }
    name.to_owned()
}

/// An answer that fills the window leaves no room for a prompt.
fn check_window(section: &Section<'_>, profile: &ModelProfile) {
    if let (Some(window), Some(answer)) = (profile.context_tokens, profile.max_tokens)
        && answer >= window
    {
        let problem = format!(
            "is `{window}`, but `sampling.max_tokens` of an answer alone are {answer}; prompt and \
             answer must fit together"
        );
        section.wrong("context_tokens", problem);
    }
}

/// The file or folder that a key names, from the folder of the config.
fn found(section: &Section<'_>, key: &str, written: Option<PathBuf>, is_it: fn(&Path) -> bool) -> Option<PathBuf> {
    let folder = section.context.folder(section.origin_of(key));
    let path = folder.join(written?);
    if is_it(&path) {
        return Some(path);
    }
    let (shown, what) = (quoted(&section.context.shown(&path)), if key == "script" { "file" } else { "folder" });
    section.wrong(key, format!("names no {what}: there is no {shown}"));
    None
}

fn reasoning(section: &mut Section<'_>) -> Option<(Reasoning, SettingsRecord)> {
    if !section.has("reasoning") {
        section.node("reasoning");
        return None;
    }
    Some(settings(&mut section.section("reasoning")))
}

fn prices(section: &mut Section<'_>) -> Option<(Prices, SettingsRecord)> {
    if !section.has("prices") {
        section.node("prices");
        return None;
    }
    let mut section = section.section("prices");
    for key in ["input", "output"] {
        if section.node(key).is_none() {
            section.missing(key, "write what a million tokens cost");
        }
    }
    let (prices, record): (Prices, _) = settings(&mut section);
    let currency = &prices.currency;
    let letters = currency.chars().all(|letter| letter.is_alphabetic() || "$€£¥".contains(letter));
    if currency.is_empty() || currency.chars().count() > 8 || !letters {
        section.wrong("currency", format!("is {}; it must look like `USD`", quoted(currency)));
    }
    Some((prices, record))
}

fn retries(section: &mut Section<'_>) -> (RetrySettings, SettingsRecord) {
    let mut section = section.section("retries");
    let (retries, record): (RetrySettings, _) = settings(&mut section);
    if retries.longest_wait < retries.first_wait {
        let first = retries.first_wait.as_secs_f64();
        section.wrong("longest_wait_seconds", format!("is shorter than the first wait ({first} s)"));
    }
    (retries, record)
}

/// Fields that no further field may replace: the prompt, and how the reply comes.
const OWN: [&str; 4] = ["messages", "prompt", "stream", "stream_options"];

/// The fields of `extra_body`, for the server and, without what may be a secret, for the record.
fn extra_body(section: &mut Section<'_>) -> (ExtraBody, toml::Table) {
    let mut table = section.section(EXTRA_BODY);
    let mut body = Map::new();
    for (key, node) in table.entries() {
        table.node(key);
        let problem = match node.json() {
            _ if OWN.contains(&key) => "is a field that the client writes itself (`stream` is a key of the model)",
            None => "holds a number that JSON does not have (`nan` or `inf`)",
            Some(value) => {
                body.insert(key.to_owned(), value);
                continue;
            }
        };
        table.wrong(key, problem);
    }
    let mut shown = body.clone();
    shown.iter_mut().for_each(|(key, value)| hide(key, value));
    // Whatever is written in TOML can be written in TOML.
    let shown = toml::Table::try_from(shown).unwrap_or_default();
    (ExtraBody(body), shown)
}

/// The most stop sequences; servers take fewer.
const MOST_STOPS: usize = 64;

/// Reads the table.
pub(in crate::config) fn sampling(section: &mut Section<'_>) -> (Sampling, SettingsRecord) {
    let [all_but_stop @ .., _] = Sampling::PARAMETERS else {
        return Default::default();
    };
    let mut values = values(section, all_but_stop);
    let stop = stop(section);
    if !stop.is_empty() {
        values = values.with("stop", ParameterValue::List(stop));
    }
    section.finish();
    (Sampling::of(&values), SettingsRecord::of(Sampling::PARAMETERS, &values))
}

/// The last of the settings, which may hold less than other lists.
fn stop(section: &mut Section<'_>) -> Vec<String> {
    let items = section.list("stop").unwrap_or_default();
    let mut stop = Vec::new();
    for item in items {
        let problem = match &item.kind {
            Kind::Text(text) if !text.is_empty() => {
                stop.push(text.clone());
                continue;
            }
            Kind::Text(_) => "holds an empty text, which is everywhere".to_owned(),
            other => format!("holds {}; every item must be a text", other.describe()),
        };
        section.wrong("stop", problem);
    }
    if items.len() > MOST_STOPS {
        section.wrong("stop", format!("holds more than {MOST_STOPS} texts"));
    }
    stop
}
