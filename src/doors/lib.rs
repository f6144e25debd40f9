//! Integrations: how other processes, clients, machines and programs take part in runs. Knows no world.
//!
//! - [`wire`], [`process`], [`mcp`]: JSON-RPC in lines; participants in other processes; MCP.
//! - [`serve`]: clients play a seat.
//! - [`machines`]: runs over many machines.
//! - [`export`]: runs as rows for training, and as other programs read them.

pub mod export;
pub mod machines;
pub mod mcp;
pub mod process;
pub mod serve;
pub mod wire;
