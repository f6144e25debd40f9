//! `rolecall list WHAT`: the names that a config can use.

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use crate::configs::{KnownConfig, known};
use crate::output::{emit_json, style, succeed};
use rolecall_core::ports::{Cast, Entry, Parameter, ParameterKind, RoleEntry, StrategyEntry, UserEntry, UserNeed};
use rolecall_core::reports::{Paint, Style, aligned};
use rolecall_core::text::{self, joined_by};
use rolecall_run::config::{config_schema, parameter_schema, settings_tables};
use rolecall_run::registry::Registry;

/// The arguments of `list`.
#[derive(Args, Debug)]
pub(crate) struct ListArguments {
    /// Table to list
    what: Listing,
    /// Print the list as JSON; parameters as JSON Schema
    #[arg(long)]
    json: bool,
}

/// The tables that can be listed.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Listing {
    /// Implementations of roles: `roles.<role>.implementation`
    Roles,
    /// Strategies: `strategy.name`
    Strategies,
    /// Environments: `environment.name`
    Environments,
    /// Kinds of users: `user.kind`
    Users,
    /// Providers of models: `models.<name>.provider`
    Models,
    /// Figures that reports show
    Metrics,
    /// Configs below `configs` in the working folder, and the shipped ones
    Configs,
}

/// Prints a table of the registry, or of the configs.
pub(crate) fn execute(arguments: &ListArguments, registry: &Registry) -> anyhow::Result<ExitCode> {
    if arguments.json {
        emit_json(format_args!("{:#}", json_of(arguments.what, registry)?))?;
        return Ok(ExitCode::SUCCESS);
    }
    let style = style(&std::io::stdout());
    let text = match arguments.what {
        Listing::Roles => entries(&registry.roles, role_heading, role_note, style),
        Listing::Strategies => entries(&registry.strategies, heading, strategy_note, style),
        Listing::Environments => entries(&registry.environments, heading, |_| None, style),
        Listing::Users => entries(&registry.users, heading, user_note, style),
        Listing::Models => models(registry),
        Listing::Metrics => metrics(registry),
        Listing::Configs => configs(&here()?),
    };
    succeed(&text)
}

fn here() -> anyhow::Result<Vec<KnownConfig>> {
    Ok(known(&std::env::current_dir()?, ""))
}

/// A table for programs: one list.
fn json_of(what: Listing, registry: &Registry) -> anyhow::Result<Value> {
    Ok(match what {
        Listing::Roles => {
            json_entries(&registry.roles, |entry| json!({"roles": entry.roles, "environments": entry.environments}))
        }
        Listing::Strategies => json_entries(
            &registry.strategies,
            |entry| json!({"environments": entry.environments, "user": user_word(entry)}),
        ),
        Listing::Environments => json_entries(&registry.environments, |_| json!({})),
        Listing::Users => json_entries(
            &registry.users,
            |entry| json!({"environments": entry.environments, "tasks": entry.tasks, "sees": entry.sees.as_str()}),
        ),
        Listing::Models => {
            registry.models.iter().map(|entry| json!({"name": entry.name, "summary": entry.summary})).collect()
        }
        Listing::Metrics => registry
            .metrics
            .iter()
            .map(|entry| {
                json!({"name": entry.metric.name(), "summary": entry.summary, "environments": entry.environments})
            })
            .collect(),
        Listing::Configs => here()?
            .into_iter()
            .map(|config| json!({"name": config.name, "summary": config.about, "shipped": config.shipped}))
            .collect(),
    })
}

/// Entries with what else there is to say of each, and the JSON Schema of each parameter.
fn json_entries<E: Entry>(entries: &[&E], more: fn(&E) -> Value) -> Value {
    let object = |entry: &&E| {
        let mut object = json!({"name": entry.name(), "summary": entry.summary()});
        if let (Some(object), Value::Object(more)) = (object.as_object_mut(), more(entry)) {
            object.extend(more);
        }
        let parameters = entry.parameters().iter();
        object["parameters"] =
            parameters.map(|parameter| (parameter.name.to_owned(), parameter_schema(parameter))).collect();
        object
    };
    entries.iter().map(object).collect()
}

fn user_word(entry: &StrategyEntry) -> &'static str {
    match entry.user {
        UserNeed::Required => "required",
        UserNeed::Optional => "optional",
        UserNeed::None => "none",
        UserNeed::As(parameter) => parameter,
    }
}

/// Every entry of a table with its parameters.
fn entries<E: Entry>(
    entries: &[&E],
    heading: fn(&E) -> String,
    remark: fn(&E) -> Option<String>,
    style: Style,
) -> String {
    joined_by(
        "\n",
        entries.iter().map(|entry| {
            let remark = remark(entry).map_or(String::new(), |remark| format!("  {remark}\n"));
            let rows: Vec<Vec<String>> = entry.parameters().iter().map(parameter_row).collect();
            let heading = heading(entry);
            format!(
                "{}: {}\n{remark}{}",
                style.paint(Paint::Heading, &heading),
                entry.summary(),
                aligned(&rows, "    ")
            )
        }),
    )
}

fn heading<E: Entry>(entry: &E) -> String {
    entry.name().to_owned()
}

/// Implementations that share a name are told apart by the seats that they can take.
fn role_heading(entry: &RoleEntry) -> String {
    let seats = match entry.roles {
        [] => "any role".to_owned(),
        roles => roles.join(", "),
    };
    format!("{} ({seats})", entry.name)
}

fn role_note(entry: &RoleEntry) -> Option<String> {
    some_of("understands", entry.environments)
}

fn user_note(entry: &UserEntry) -> Option<String> {
    joined([
        Some(format!("sees {}", entry.sees.as_str())),
        some_of("understands", entry.environments),
        some_of("tasks of", entry.tasks),
    ])
}

fn strategy_note(entry: &StrategyEntry) -> Option<String> {
    let user = match entry.user {
        UserNeed::Required => "needs a user".to_owned(),
        UserNeed::Optional => "may have a user".to_owned(),
        UserNeed::None => "has no user".to_owned(),
        UserNeed::As(parameter) => format!("has a user if what `{parameter}` names has one"),
    };
    let roles = match entry.roles {
        Cast::Fixed(roles) => some_of("roles:", roles),
        Cast::Listed(parameter) => Some(format!("roles: those that `{parameter}` lists")),
        Cast::Around(roles) => {
            Some(format!("roles: those of what `{}` names, {}", entry.around().unwrap_or_default(), roles.join(", ")))
        }
    };
    joined([roles, Some(user), some_of("understands", entry.environments)])
}

fn some_of(what: &str, names: &[&str]) -> Option<String> {
    (!names.is_empty()).then(|| format!("{what} {}", names.join(", ")))
}

fn joined<const N: usize>(parts: [Option<String>; N]) -> Option<String> {
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// A parameter: its name, what may be written, the default, what it means.
fn parameter_row(parameter: &Parameter) -> Vec<String> {
    let (kind, default) = written(parameter);
    let default = default.map_or("must be given".to_owned(), |value| format!("default {value}"));
    vec![parameter.name.to_owned(), kind, default, parameter.help.to_owned()]
}

/// The page `docs/settings.md` without its beginning: every table of settings of the core.
pub fn settings_reference() -> String {
    settings_tables()
        .map(|(heading, parameters)| {
            let rows = parameters.iter().map(|parameter| {
                let (kind, default) = written(parameter);
                format!(
                    "| `{}` | {} | {} | {} |\n",
                    parameter.name,
                    kind.replace('|', "\\|"),
                    default.unwrap_or_default(),
                    parameter.help
                )
            });
            let rows: String = rows.collect();
            format!("## `[{heading}]`\n\n| key | value | default | meaning |\n|---|---|---|---|\n{rows}")
        })
        .join("\n")
}

/// The form of a parameter's values in words, and the default.
fn written(parameter: &Parameter) -> (String, Option<String>) {
    let (kind, default) = written_kind(parameter.kind);
    (kind, parameter.optional.then(|| "none".to_owned()).or(default))
}

fn written_kind(kind: ParameterKind) -> (String, Option<String>) {
    let form = match kind {
        ParameterKind::Text { .. } => "text".to_owned(),
        ParameterKind::Choice { words } => words.join(" | "),
        ParameterKind::Integer { min, max, .. } => format!("whole number, {min} to {max}"),
        ParameterKind::Number { min, max, .. } => format!("number, {min} to {max}"),
        ParameterKind::Flag { .. } => "true | false".to_owned(),
        ParameterKind::Path { words, .. } => [&["path"][..], words].concat().join(" | "),
        ParameterKind::Model => "name of a model".to_owned(),
        ParameterKind::Models => "list of models".to_owned(),
        ParameterKind::Command => "list of a program and its arguments".to_owned(),
        ParameterKind::Free => "table of anything".to_owned(),
        ParameterKind::Roles { .. } => "list of roles".to_owned(),
        ParameterKind::List { words: [] } => "list of texts".to_owned(),
        ParameterKind::List { words } => format!("list of {}", words.join(" | ")),
        ParameterKind::Table { values } => format!("table, each key: {}", written_kind(*values).0),
    };
    let default = match kind {
        ParameterKind::Text { default } | ParameterKind::Path { default, .. } => default.map(quoted),
        ParameterKind::Choice { words } => words.first().copied().map(quoted),
        ParameterKind::Integer { default: None, .. }
        | ParameterKind::Model
        | ParameterKind::Command
        | ParameterKind::Free => Some("none".to_owned()),
        ParameterKind::Models => Some("all".to_owned()),
        ParameterKind::Integer { default, .. } => default.map(|number| number.to_string()),
        ParameterKind::Number { default, .. } => Some(default.to_string()),
        ParameterKind::Flag { default } => Some(default.to_string()),
        ParameterKind::Roles { default } => Some(format!("[{}]", text::joined(default.iter().copied().map(quoted)))),
        ParameterKind::List { .. } => Some("[]".to_owned()),
        ParameterKind::Table { .. } => Some("{}".to_owned()),
    };
    (form, default)
}

fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

fn models(registry: &Registry) -> String {
    let rows = registry.models.iter().map(|entry| vec![entry.name.to_owned(), entry.summary.to_owned()]);
    aligned(&rows.collect::<Vec<_>>(), "")
}

fn metrics(registry: &Registry) -> String {
    let rows = registry.metrics.iter().map(|entry| {
        let of = some_of("of", entry.environments).map_or(String::new(), |of| format!(" ({of})"));
        vec![entry.metric.name().to_owned(), entry.summary.to_owned() + &of]
    });
    aligned(&rows.collect::<Vec<_>>(), "")
}

/// Every config that can be named here, with the comment at its top.
fn configs(known: &[KnownConfig]) -> String {
    let row = |config: &KnownConfig| {
        let shipped = if config.shipped { "shipped" } else { "" };
        vec![config.name.clone(), shipped.to_owned(), config.about.clone()]
    };
    let mut rows: Vec<Vec<String>> = known.iter().map(row).collect();
    if !known.iter().any(|config| config.shipped) {
        rows.iter_mut().for_each(|row| drop(row.remove(1)));
    }
    aligned(&rows, "")
}

/// The schema of configs as the file `configs/rolecall.schema.json` has it.
pub fn schema_text(registry: &Registry) -> String {
    format!("{:#}\n", config_schema(registry))
}
