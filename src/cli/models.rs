//! `rolecall models`: the models that a config describes, and a probe of their servers.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use serde_json::{Value, json};

use crate::model_client::{described_in, settings_of};

use crate::output::{emit, emit_json, exit_code, json_line, layout, runtime, shown, succeed};
use rolecall_core::models;
use rolecall_core::models::probe::{Found, Probed};
use rolecall_core::ports::model::{ModelLimits, ModelSettings, Prices};
use rolecall_core::reports::Table;
use rolecall_run::config::{ModelRecord, Resolved};
use rolecall_run::registry::Registry;

/// The arguments of `models`.
#[derive(Args, Debug)]
pub(crate) struct ModelsArguments {
    #[command(subcommand)]
    command: ModelsCommand,
}

#[derive(Debug, Subcommand)]
enum ModelsCommand {
    /// List the models that a config describes
    #[command(after_help = include_str!("help/models-list.txt"))]
    List(ListArguments),
    /// Find out what a model's server supports, silently ignores, or refuses
    #[command(after_help = include_str!("help/models-probe.txt"))]
    Probe(ProbeArguments),
}

#[derive(Args, Debug)]
struct ListArguments {
    #[command(flatten)]
    config: DescribedIn,
    /// Print the list as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args, Debug)]
struct ProbeArguments {
    /// The model, as the config names it
    name: String,
    #[command(flatten)]
    config: DescribedIn,
    /// Print what was found as one JSON object
    #[arg(long)]
    json: bool,
    /// Write a config with a table of the model that works into this file, which must not be there
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

/// The config that describes the models.
#[derive(Args, Debug)]
struct DescribedIn {
    /// The config that describes the models
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// Change one key of the config; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    sets: Vec<String>,
}

impl DescribedIn {
    fn load(&self, registry: &Registry) -> anyhow::Result<Resolved> {
        described_in(&self.config, &self.sets, registry)
    }
}

/// Does what the arguments of `models` say.
pub(crate) fn execute(arguments: &ModelsArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    match &arguments.command {
        ModelsCommand::List(arguments) => list(arguments, registry),
        ModelsCommand::Probe(arguments) => probe(arguments, registry),
    }
}

/// Prints the models that the config describes. Never a key: only the variable that holds it.
fn list(arguments: &ListArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    let resolved = arguments.config.load(registry)?;
    let models = &resolved.models;
    if arguments.json {
        return succeed(&json_line(serde_json::to_string_pretty(models)?));
    }
    if models.is_empty() {
        return succeed("The config describes no model: write a table [models.NAME].\n");
    }
    let mut table = Table::new("Models").key("name").texts([
        "provider",
        "model",
        "where",
        "key",
        "can",
        "at once",
        "prices per million",
    ]);
    for (model, settings) in models.iter().zip(&resolved.plan.model_settings) {
        table.row(model_row(model, settings));
    }
    succeed(&table.text(&layout()))
}

fn model_row(model: &ModelRecord, settings: &ModelSettings) -> Vec<String> {
    let keys = &model.keys;
    let places = ["script", "checkpoint", "base_url"].map(|key| keys.text(key));
    let address = places.into_iter().find(|place| !place.is_empty()).unwrap_or("this program");
    vec![
        model.name.clone(),
        keys.text("provider").to_owned(),
        keys.text("model").to_owned(),
        address.to_owned(),
        settings.api_key_env.as_ref().map_or("none".to_owned(), |variable| format!("${variable}")),
        model.abilities(),
        limits(&settings.limits),
        prices(settings.profile.prices.as_ref()),
    ]
}

fn limits(limits: &ModelLimits) -> String {
    let mut words = vec![limits.in_flight.to_string()];
    let per_minute = [(limits.requests_per_minute, "requests"), (limits.tokens_per_minute, "tokens")];
    for (number, what) in per_minute {
        words.extend(number.map(|number| format!("{number} {what}/minute")));
    }
    words.join(", ")
}

fn prices(prices: Option<&Prices>) -> String {
    match prices {
        Some(prices) => format!("{} in, {} out {}", prices.input, prices.output, prices.currency),
        None => "unknown".to_owned(),
    }
}

/// Probes the model and prints what was found. Fails if its server cannot be reached.
fn probe(arguments: &ProbeArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    let name = &arguments.name;
    let resolved = arguments.config.load(registry)?;
    let settings = settings_of(&resolved, name)?;
    if settings.base_url.is_empty() {
        bail!("`{name}` has no server that could be probed (`base_url`)");
    }
    if let Some(file) = arguments.write.as_ref().filter(|file| file.exists()) {
        bail!("`{}` is there already; remove it, or choose another file", shown(file));
    }
    let probed = runtime()?
        .block_on(models::probe::probe(settings))
        .with_context(|| format!("`{name}` at {}", settings.base_url))?;
    match arguments.json {
        true => emit_json(format_args!("{:#}", as_json(&probed, settings)))?,
        false => emit(&as_table(&probed, settings))?,
    }
    if let Some(file) = &arguments.write {
        let text = working_table(&probed, settings);
        let written = File::create_new(file).and_then(|mut file| file.write_all(text.as_bytes()));
        written.with_context(|| format!("`{}` cannot be written", shown(file)))?;
    }
    exit_code(!probed.agrees())
}

/// A config with a table of the model by which its server takes what it is sent: one that configs extend.
fn working_table(probed: &Probed, settings: &ModelSettings) -> String {
    let ModelSettings { base_url, api_key_env, profile, .. } = settings;
    let key = api_key_env.iter().map(|variable| format!("api_key_env = {variable:?}\n"));
    let head = format!("[models.{}]\n", profile.name);
    let found = probed.lines(&profile.name, &profile.capabilities);
    let lines = found.strip_prefix(&head).map_or_else(|| format!("\n{found}"), str::to_owned);
    let sent = !settings.headers.is_empty() || !settings.extra_body.is_empty();
    let rest = if sent {
        "# It was asked with the config's `headers` and `extra_body`, which belong here, too.\n"
    } else {
        ""
    };
    let access: String =
        [format!("base_url = {base_url:?}\nmodel = {:?}\n", profile.model)].into_iter().chain(key).collect();
    format!(
        "# As `rolecall models probe` found it. Name this file in `extends` (docs/models.md).\n{rest}{head}{access}{lines}"
    )
}

fn as_table(probed: &Probed, settings: &ModelSettings) -> String {
    let name = &settings.profile.name;
    let mut table = Table::new(&format!("{name} at {}", settings.base_url))
        .key("capability")
        .texts(["declared", "found", "evidence"]);
    for finding in &probed.findings {
        let mark = if finding.contradicted { " (!)" } else { "" };
        table.row(vec![
            finding.capability.to_owned(),
            finding.declared.clone().unwrap_or_default(),
            finding.found.as_str().to_owned() + mark,
            finding.evidence.clone(),
        ]);
    }
    let verdict = match probed.findings.iter().any(|finding| finding.contradicted) {
        false => "What is declared is true, as far as it could be found out. To declare all of it:",
        true => "What is declared is not true. To declare what is:",
    };
    let lines = probed.lines(name, &settings.profile.capabilities);
    table.text(&layout()) + &format!("\n{verdict}\n\n{lines}")
}

fn as_json(probed: &Probed, settings: &ModelSettings) -> Value {
    let findings = probed.findings.iter().map(|finding| {
        json!({
            "capability": finding.capability,
            "declared": finding.declared,
            "found": finding.found.as_str(),
            "known": finding.found != Found::Unknown,
            "contradicted": finding.contradicted,
            "evidence": finding.evidence,
        })
    });
    let can = probed.capabilities(&settings.profile.capabilities);
    json!({
        "model": settings.profile.name,
        "base_url": settings.base_url,
        "agrees": probed.agrees(),
        "findings": findings.collect::<Vec<_>>(),
        "context_tokens": probed.context_tokens,
        "bytes_per_token": probed.bytes_per_token,
        "capabilities": {
            "json_schema": can.json_schema,
            "tools": can.tools,
            "logprobs": can.logprobs,
            "several": can.several,
            "scoring": can.scoring,
        },
    })
}
