//! Integrations: how other processes, clients, machines and programs take part in runs. Knows no world.
//!
//! - [`wire`], [`process`], [`mcp`]: JSON-RPC in lines; participants in other processes; MCP.
//! - [`serve`]: clients play a seat.
//! - [`machines`]: runs over many machines.
//! - [`export`]: runs as rows for training, and as other programs read them.

use std::sync::{Mutex, MutexGuard, PoisonError};

use reqwest::{Client, ClientBuilder, Url, redirect};

pub mod export;
pub mod machines;
pub mod mcp;
pub mod process;
pub mod serve;
pub mod wire;

/// Locks a mutex under which nothing is left half done, so that a panic elsewhere spoils nothing.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An HTTP client for one server. A redirect would carry secrets elsewhere.
fn client_for(url: &Url, builder: ClientBuilder) -> reqwest::Result<Client> {
    // Fails if somebody installed one before, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = builder.redirect(redirect::Policy::none()).http1_only();
    let is_local = ["localhost", "127.0.0.1", "[::1]"].contains(&url.host_str().unwrap_or_default());
    if is_local { builder.no_proxy() } else { builder }.build()
}

/// A count as 32 bits, or the largest such number.
fn capped(count: impl TryInto<u32>) -> u32 {
    count.try_into().unwrap_or(u32::MAX)
}
