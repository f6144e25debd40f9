//! Clients of language models: OpenAI-compatible servers over HTTP, a scripted one, and around
//! either of them limits, retries and a cache. Imports ports, text and files.

pub mod openai;
pub mod probe;

mod cache;
mod call;
mod limits;
mod local;
mod meter;
mod outage;
mod retrying_client;
mod scripted;
#[cfg(test)]
mod server_tests;
mod transport;

use std::sync::Arc;

use crate::ports::model::{CacheMode, ModelSettings};
use crate::ports::{ModelClient, SetupError};

pub use transport::{Attempt, Failed, FirstByte, ServedModel, Transport};

/// A client that sends over a transport: limits, retries and outages around it, and the cache around
/// those.
pub fn client(transport: Arc<dyn Transport>, settings: &ModelSettings) -> Arc<dyn ModelClient> {
    let client = retrying_client::RetryingClient::new(Arc::clone(&transport), settings);
    match settings.cache.mode {
        CacheMode::Off => Arc::new(client),
        _ => Arc::new(cache::Cached::new(client, transport, settings)),
    }
}

/// Builds the client of a server with the OpenAI interface.
pub fn build(settings: &ModelSettings) -> Result<Arc<dyn ModelClient>, SetupError> {
    check(settings)?;
    Ok(client(openai::transport(settings)?, settings))
}

/// Builds a model that answers from a file.
pub fn build_scripted(settings: &ModelSettings) -> Result<Arc<dyn ModelClient>, SetupError> {
    check(settings)?;
    Ok(client(scripted::transport(settings)?, settings))
}

/// Builds a model that plays inside the program, from a checkpoint.
pub fn build_local(settings: &ModelSettings) -> Result<Arc<dyn ModelClient>, SetupError> {
    check(settings)?;
    Ok(client(local::transport(settings)?, settings))
}

/// Refuses settings that would never take effect.
fn check(settings: &ModelSettings) -> Result<(), SetupError> {
    if settings.spend.is_some() && settings.profile.prices.is_none() {
        let problem = "needs `prices`: without them nothing is known about the cost";
        return Err(SetupError::at("spend", problem));
    }
    Ok(())
}
