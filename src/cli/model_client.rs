//! The client of a model that a config describes, for commands that ask it outside a run.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::anyhow;
use tokio_util::sync::CancellationToken;

use super::config_arguments::request_for;
use super::output;
use rolecall_core::models;
use rolecall_core::ports::ModelClient;
use rolecall_core::ports::model::{CacheMode, CallContext, ModelSettings, Waiting};
use rolecall_core::text::visible;
use rolecall_run::config::{ConfigErrors, Request, Resolved, load, without_key};
use rolecall_run::registry::Registry;

/// The config that describes models, with settings laid over it.
pub(super) fn described_in(config: &Path, sets: &[String], registry: &Registry) -> anyhow::Result<Resolved> {
    let request = Request { sets: sets.to_vec(), ..request_for(config)? };
    Ok(load(&request, registry.clone())?)
}

/// The client of the model with this name, whether a seat of the config names it or not.
///
/// # Errors
/// When the config cannot be used, or describes no such model.
pub(super) fn model_client(
    config: &Path,
    sets: &[String],
    name: &str,
    registry: &Registry,
) -> anyhow::Result<Arc<dyn ModelClient>> {
    client_of(&described_in(config, sets, registry)?, name)
}

/// The client of the model with this name in a config that is resolved.
///
/// # Errors
/// When it describes no such model, or the model's key is not there.
pub(super) fn client_of(resolved: &Resolved, name: &str) -> anyhow::Result<Arc<dyn ModelClient>> {
    let settings = settings_of(resolved, name)?;
    match resolved.plan.models.get(name) {
        Some(client) if without_key(settings).is_none() => Ok(client),
        _ => built(settings),
    }
}

/// The client of a model whose replies are kept in the folder of the config's cache, also where the config keeps
/// none: what was interrupted asks for nothing twice. Returns that folder as well.
///
/// # Errors
/// As [`model_client`].
pub(super) fn keeping_client(
    config: &Path,
    sets: &[String],
    name: &str,
    registry: &Registry,
) -> anyhow::Result<(Arc<dyn ModelClient>, PathBuf)> {
    let mut settings = settings_of(&described_in(config, sets, registry)?, name)?.clone();
    if settings.cache.mode == CacheMode::Off {
        settings.cache.mode = CacheMode::Both;
    }
    Ok((built(&settings)?, settings.cache.folder))
}

fn built(settings: &ModelSettings) -> anyhow::Result<Arc<dyn ModelClient>> {
    if let Some(lacks) = without_key(settings) {
        return Err(ConfigErrors(vec![lacks]).into());
    }
    let built = match &settings.script {
        Some(_) => models::build_scripted(settings),
        None if settings.base_url.is_empty() => models::build_local(settings),
        None => models::build(settings),
    };
    built.map_err(|error| anyhow!("the model `{}` cannot be used: {error}", settings.profile.name))
}

/// The settings of a model that a config describes.
///
/// # Errors
/// When it describes no such model.
pub(super) fn settings_of<'a>(resolved: &'a Resolved, name: &str) -> anyhow::Result<&'a ModelSettings> {
    let all = &resolved.plan.model_settings;
    all.iter().find(|model| model.profile.name == *name).ok_or_else(|| {
        let names: Vec<&str> = all.iter().map(|model| model.profile.name.as_str()).collect();
        anyhow!("the config describes no model `{}`{}", visible(name), output::instead(name, &names))
    })
}

/// The context of a call outside a run.
pub(super) fn call(key: String, cancel: CancellationToken) -> CallContext {
    CallContext { key, run: Arc::default(), occurrence: 0, cancel, waiting: Waiting::default() }
}
