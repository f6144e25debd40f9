//! The lines of `rolecall check` about models: the address of each, who asks it, its limits.

use std::fmt::Write as _;

use super::row;
use rolecall_core::ports::model::{ModelLimits, ModelSettings, Prices};
use rolecall_core::reports::{Paint, Style, aligned};
use rolecall_core::text::{joined, joined_by, visible};
use rolecall_run::config::{CellRecord, ModelRecord, Resolved};

/// The models that seats name, in full; the names of the others. Nothing if there are none.
pub(super) fn model_lines(resolved: &Resolved, style: Style) -> String {
    let mut text = String::new();
    let used = &resolved.record.models;
    for model in used {
        let heading = format!("model {}", visible(&model.name));
        // Writing to a text cannot fail.
        let _ = writeln!(text, "\n{}", style.paint(Paint::Heading, &heading));
        if let Some(settings) = resolved.plan.model_settings.iter().find(|each| each.profile.name == model.name) {
            text.push_str(&one(model, settings, &resolved.record.cells));
        }
    }
    let others = resolved.models.iter().map(|model| model.name.as_str());
    let others = joined(others.filter(|name| !used.iter().any(|model| model.name == *name)));
    let mut rows = Vec::new();
    if let Some(cache) = &resolved.record.cache {
        rows.push(row(
            "cache",
            match cache.text("mode") {
                "off" => "off".to_owned(),
                mode => format!("{mode}, in `{}`", cache.text("folder")),
            },
        ));
    }
    if !others.is_empty() {
        rows.push(row("models that nobody asks", others));
    }
    if !rows.is_empty() {
        let _ = write!(text, "\n{}", visible_rows(&rows, ""));
    }
    text
}

/// Names and texts come from the config, which somebody else may have written.
fn visible_rows(rows: &[Vec<String>], indent: &str) -> String {
    let shown = |row: &Vec<String>| row.iter().map(|cell| visible(cell).into_owned()).collect();
    aligned(&rows.iter().map(shown).collect::<Vec<_>>(), indent)
}

fn one(model: &ModelRecord, settings: &ModelSettings, cells: &[CellRecord]) -> String {
    let mut rows = vec![row("provider", provider(model, settings)), row("asked by", askers(&model.name, cells))];
    if let Some(variable) = &settings.api_key_env {
        let missing = settings.missing_key.as_ref() == Some(variable);
        let state = if missing { ", which is not set" } else { "" };
        rows.push(row("key", format!("environment variable {variable}{state}")));
    }
    if !model.headers.is_empty() {
        rows.push(row("headers", joined(model.headers.keys())));
    }
    rows.push(row("limits", limits(&settings.limits)));
    let mut prices = match &settings.profile.prices {
        Some(Prices { input, output, currency, .. }) => {
            format!("{input} {currency} a million tokens in, {output} {currency} out")
        }
        None => "none are given: calls have no cost".to_owned(),
    };
    if let Some(spend) = settings.spend {
        let _ = write!(prices, ", at most {spend} in the run");
    }
    rows.push(row("prices", prices));
    rows.push(row("can", model.abilities()));
    visible_rows(&rows, "  ")
}

fn provider(model: &ModelRecord, settings: &ModelSettings) -> String {
    let text = |key| model.keys.text(key);
    let mut words = text("provider").to_owned();
    if text("base_url").is_empty() {
        return words + ", " + Some(text("script")).filter(|script| !script.is_empty()).unwrap_or("no address");
    }
    let _ = write!(words, " at {}, {} of {}", text("base_url"), text("endpoint"), text("model"));
    if let Some(window) = settings.profile.context_tokens {
        let _ = write!(words, " ({window} tokens)");
    }
    words
}

/// The seats and environments that name the model; with the cells' names if there are several cells.
fn askers(name: &String, cells: &[CellRecord]) -> String {
    let mut askers: Vec<(String, Vec<&str>)> = Vec::new();
    for cell in cells {
        let roles = cell.roles.iter().map(|role| (role.role.clone(), &role.models));
        let users = cell.users.iter().map(|user| (format!("user {}", user.kind), &user.models));
        let environment = ("the environment".to_owned(), &cell.environment_models);
        let seats = roles.chain(users).chain([environment]);
        for (seat, _) in seats.filter(|(_, models)| models.contains(name)) {
            match askers.iter_mut().find(|(asker, _)| *asker == seat) {
                Some((_, cells)) => cells.push(&cell.name),
                None => askers.push((seat, vec![&cell.name])),
            }
        }
    }
    joined_by(
        "; ",
        askers.into_iter().map(|(seat, of)| match of.len() {
            all if all == cells.len() => seat,
            _ => format!("{seat} (cell {})", joined(of)),
        }),
    )
}

fn limits(limits: &ModelLimits) -> String {
    let adaptive = match limits.adaptive {
        true => ", fewer when the server refuses some",
        false => "",
    };
    let mut words = format!("{} requests at once{adaptive}", limits.in_flight);
    if let Some(number) = limits.requests_per_minute {
        let _ = write!(words, ", {number} requests a minute");
    }
    if let Some(number) = limits.tokens_per_minute {
        let _ = write!(words, ", {number} tokens a minute");
    }
    words
}
