//! Clients of language models: OpenAI-compatible servers over HTTP, a scripted one, and around
//! either of them limits, retries and a cache. Imports ports, text and files.

pub mod openai;

mod transport;

pub use transport::{Attempt, Failed, Transport};
