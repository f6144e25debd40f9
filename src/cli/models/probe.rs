//! `rolecall models probe NAME`: the declared and the found capabilities, with the evidence.

use std::process::ExitCode;

use anyhow::{Context, bail};
use serde_json::{Value, json};

use super::ProbeArguments;
use crate::model_client::settings_of;
use crate::output::{emit, harmless_json, layout, runtime};
use rolecall_core::models::probe::{Finding, Found, Probed, probe};
use rolecall_core::ports::model::ModelSettings;
use rolecall_core::reports::Table;
use rolecall_run::registry::Registry;

/// Probes the model and prints what was found. Fails if its server cannot be reached.
pub(super) fn execute(arguments: &ProbeArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    let resolved = arguments.config.load(registry)?;
    let settings = settings_of(&resolved, &arguments.name)?;
    if settings.base_url.is_empty() {
        let name = &arguments.name;
        bail!("`{name}` has no server that could be probed (`base_url`)");
    }
    let probed = runtime()?
        .block_on(probe(settings))
        .with_context(|| format!("`{}` at {}", arguments.name, settings.base_url))?;
    let text = match arguments.json {
        true => harmless_json(&format!("{:#}\n", as_json(&probed, settings))).into_owned(),
        false => as_table(&probed, settings),
    };
    emit(&text)?;
    Ok(ExitCode::from(u8::from(!probed.agrees())))
}

fn as_table(probed: &Probed, settings: &ModelSettings) -> String {
    let name = &settings.profile.name;
    let layout = layout();
    let mut table = Table::new(&format!("{name} at {}", settings.base_url))
        .key("capability")
        .texts(["declared", "found", "evidence"]);
    for finding in &probed.findings {
        table.row(row(finding));
    }
    let mut text = table.text(&layout);
    let wrong = probed.findings.iter().any(|finding| finding.contradicted);
    let verdict = match wrong {
        false => "What is declared is true, as far as it could be found out. To declare all of it:",
        true => "What is declared is not true. To declare what is:",
    };
    let lines = probed.lines(name, &settings.profile.capabilities);
    text.extend(["\n", verdict, "\n\n", &lines]);
    text
}

fn row(finding: &Finding) -> Vec<String> {
    let declared = finding.declared.clone().unwrap_or_default();
    let mark = if finding.contradicted { " (!)" } else { "" };
    let found = finding.found.as_str().to_owned() + mark;
    let (capability, evidence) = (finding.capability.to_owned(), finding.evidence.clone());
    vec![capability, declared, found, evidence]
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
