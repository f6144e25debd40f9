//! Integrations: how other processes, clients, machines and programs take part in runs. Knows no world.
//!
//! - [`wire`], [`process`], [`mcp`]: JSON-RPC in lines; participants in other processes; MCP.
//! - [`serve`]: clients play a seat.
//! - [`machines`]: runs over many machines.
//! - [`export`]: runs as rows for training, and as other programs read them.

use std::sync::{Mutex, MutexGuard, PoisonError};

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

/// A count as 32 bits, or the largest such number.
fn capped(count: impl TryInto<u32>) -> u32 {
    count.try_into().unwrap_or(u32::MAX)
}
