//! One table `[models.<name>]`.

use std::path::PathBuf;
use std::time::Duration;

use super::body::extra_body;
use super::connection::{access, base_url};
use super::record::ModelRecord;
use super::words::{ENDPOINTS, SCORING};
use super::{Variables, sampling};
use crate::config::error::{instead, listed, quoted};
use crate::config::walk::Section;
use crate::ports::ModelEntry;
use crate::ports::model::{
    CacheSettings, Capabilities, Endpoint, ModelLimits, ModelProfile, ModelSettings, Prices,
    RetrySettings, Timeouts,
};

/// The provider of a model whose table names none.
const PROVIDER: &str = "openai";

/// Reads a table. Nothing comes back if its provider is not known.
pub(super) fn read(
    mut section: Section<'_>,
    name: &str,
    cache: &CacheSettings,
    variables: &Variables,
) -> Option<(&'static ModelEntry, ModelSettings, ModelRecord)> {
    let entry = provider(&mut section);
    let scripted = section.has("script");
    let base_url = base_url(&mut section, !scripted);
    let model = server_name(&mut section, name, !scripted);
    let endpoint = section.word("endpoint", &ENDPOINTS).unwrap_or_default();
    let access = access(&mut section, variables);
    let (extra_body, shown_body) = extra_body(&mut section);
    let sampling = sampling(&mut section.section("sampling"));
    let prices = prices(&mut section);
    let spend = section.number("spend", 1e-9, 1e9);
    if spend.is_some() && prices.is_none() && !section.has("prices") {
        let problem = "limits what is spent, but without `prices` nothing has a cost";
        section.wrong("spend", problem.to_owned());
    }
    let script_written = section.text("script").map(PathBuf::from);
    let script = script_written
        .as_ref()
        .and_then(|path| script(&section, path));
    let profile = ModelProfile {
        name: name.to_owned(),
        model,
        capabilities: capabilities(&mut section.section("capabilities")),
        context_tokens: section.count("context_tokens", 1, 1_000_000_000),
        max_tokens: sampling.max_tokens,
        bytes_per_token: section
            .number("bytes_per_token", 0.1, 100.0)
            .unwrap_or(ModelProfile::default().bytes_per_token),
        prices,
        chat: endpoint == Endpoint::Chat,
    };
    check_window(&section, &profile);
    let settings = ModelSettings {
        base_url,
        endpoint,
        api_key: access.api_key,
        api_key_env: access.api_key_env,
        missing_key: access.missing,
        headers: access.headers,
        extra_body,
        sampling,
        send_seed: section.flag("send_seed").unwrap_or(true),
        stream: section.flag("stream").unwrap_or(false),
        timeouts: timeouts(&mut section.section("timeouts")),
        limits: limits(&mut section.section("limits")),
        retries: retries(&mut section.section("retries")),
        cache: cache.clone(),
        spend,
        script,
        profile,
    };
    section.finish();
    let entry = entry?;
    let mut record = ModelRecord::of(entry.name, &settings);
    record.headers = access.shown_headers;
    record.extra_body = shown_body;
    record.script = script_written.map(|path| path.display().to_string());
    Some((entry, settings, record))
}

fn provider(section: &mut Section<'_>) -> Option<&'static ModelEntry> {
    let entries = &section.context.registry.models;
    let written = section.has("provider");
    let name = match section.text("provider") {
        None if written => return None,
        name => name.unwrap_or(PROVIDER),
    };
    let entry = entries.iter().copied().find(|entry| entry.name == name);
    if entry.is_none() {
        let names: Vec<&str> = entries.iter().map(|entry| entry.name).collect();
        if written {
            let instead = instead(name, &names);
            let problem = format!("is {}, which is no provider{instead}", quoted(name));
            section.wrong("provider", problem);
        } else {
            let remedy = format!("write one of {}", listed(names));
            section.missing("provider", &remedy);
        }
    }
    entry
}

/// The name that the server knows the model by.
fn server_name(section: &mut Section<'_>, name: &str, needed: bool) -> String {
    let written = section.has("model");
    match section.text("model") {
        Some("") => {
            let problem = "is empty; it must be the name that the server knows the model by";
            section.wrong("model", problem.to_owned());
        }
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

fn script(section: &Section<'_>, written: &std::path::Path) -> Option<PathBuf> {
    let folder = section.context.folder(section.origin_of("script"));
    let path = folder.join(written);
    if path.is_file() {
        return Some(path);
    }
    let shown = quoted(&section.context.shown(&path));
    section.wrong("script", format!("names no file: there is no {shown}"));
    None
}

fn prices(section: &mut Section<'_>) -> Option<Prices> {
    if !section.has("prices") {
        section.node("prices");
        return None;
    }
    let mut section = section.section("prices");
    let mut price = |key| {
        let written = section.has(key);
        let price = section.number(key, 0.0, 1e9);
        if !written {
            section.missing(key, "write what a million tokens cost");
        }
        price
    };
    let (input, output) = (price("input"), price("output"));
    let currency = section.text("currency").unwrap_or("USD").to_owned();
    let letters = currency
        .chars()
        .all(|letter| letter.is_alphabetic() || "$€£¥".contains(letter));
    if currency.is_empty() || currency.chars().count() > 8 || !letters {
        let problem = format!("is {}; it must look like `USD`", quoted(&currency));
        section.wrong("currency", problem);
    }
    section.finish();
    Some(Prices {
        input: input?,
        output: output?,
        currency,
    })
}

fn capabilities(section: &mut Section<'_>) -> Capabilities {
    let mut can = |key| section.flag(key).unwrap_or(false);
    let capabilities = Capabilities {
        json_schema: can("json_schema"),
        tools: can("tools"),
        logprobs: can("logprobs"),
        several: can("several"),
        scoring: section.word("scoring", &SCORING),
    };
    section.finish();
    capabilities
}

fn seconds(section: &mut Section<'_>, key: &'static str, min: f64, usual: Duration) -> Duration {
    section.seconds(key, min, 1e7).unwrap_or(usual)
}

fn timeouts(section: &mut Section<'_>) -> Timeouts {
    let usual = Timeouts::default();
    let timeouts = Timeouts {
        connect: seconds(section, "connect_seconds", 0.001, usual.connect),
        idle: seconds(section, "idle_seconds", 0.001, usual.idle),
        total: seconds(section, "total_seconds", 0.001, usual.total),
    };
    section.finish();
    timeouts
}

fn limits(section: &mut Section<'_>) -> ModelLimits {
    let usual = ModelLimits::default();
    let in_flight = section.count("in_flight", 1, 1_000_000);
    let limits = ModelLimits {
        in_flight: in_flight.unwrap_or(usual.in_flight),
        adaptive: section.flag("adaptive").unwrap_or(usual.adaptive),
        requests_per_minute: section.number("requests_per_minute", 0.001, 1e9),
        tokens_per_minute: section.number("tokens_per_minute", 1.0, 1e12),
    };
    section.finish();
    limits
}

fn retries(section: &mut Section<'_>) -> RetrySettings {
    let usual = RetrySettings::default();
    let attempts = section.count("attempts", 1, 1000);
    let first_wait = seconds(section, "first_wait_seconds", 0.0, usual.first_wait);
    let longest_wait = seconds(section, "longest_wait_seconds", 0.0, usual.longest_wait);
    if longest_wait < first_wait {
        let problem = format!(
            "is shorter than the first wait ({} s)",
            first_wait.as_secs_f64()
        );
        section.wrong("longest_wait_seconds", problem);
    }
    let settings = RetrySettings {
        attempts: attempts.unwrap_or(usual.attempts),
        first_wait,
        longest_wait,
        outage: seconds(section, "outage_seconds", 0.0, usual.outage),
    };
    section.finish();
    settings
}
