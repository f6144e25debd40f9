//! The client of a model that a config describes, for commands that ask it outside a run.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};

use super::output;
use crate::config::{Request, load};
use crate::models;
use crate::ports::ModelClient;
use crate::registry::Registry;
use crate::text::visible;

/// The client of the model with this name, whether a seat of the config names it or not.
///
/// # Errors
/// When the config cannot be used, or describes no such model.
pub(super) fn model_client(
    config: &Path,
    sets: &[String],
    name: &str,
) -> anyhow::Result<Arc<dyn ModelClient>> {
    let request = Request {
        file: config.to_owned(),
        sets: sets.to_vec(),
        variables: std::env::vars_os().collect(),
        working: std::env::current_dir().context("the working folder cannot be found")?,
        ..Request::default()
    };
    let resolved = load(&request, Registry::standard())?;
    let all = &resolved.plan.model_settings;
    let names: Vec<&str> = all
        .iter()
        .map(|model| model.profile.name.as_str())
        .collect();
    let Some(settings) = all.iter().find(|model| model.profile.name == *name) else {
        let instead = output::instead(name, &names);
        bail!("the config describes no model `{}`{instead}", visible(name));
    };
    if let Some(client) = resolved.plan.models.get(name) {
        return Ok(client);
    }
    let built = match &settings.script {
        Some(_) => models::build_scripted(settings),
        None => models::build(settings),
    };
    built.map_err(|error| anyhow!("the model `{name}` cannot be used: {error}"))
}
