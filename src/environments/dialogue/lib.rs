//! Dialogue: a sample is a dialogue up to someone's last words, the knowledge sources or strategies to plan
//! with, and the responses of people beside which an agent's is measured (TPE section 4;
//! `docs/dialogue.md`). Samples come from the official files of FoCus, CIMA and PsyQA, from files that say
//! themselves what there is to plan with (`own`), or are of our own writing.

pub mod analyses;
pub mod cues;
pub mod data;
pub mod formats;
pub mod language;
pub mod roles;
pub mod strategies;
pub mod tasks;
pub mod user;
pub mod words;

mod answered;
mod builtin;
mod cima;
mod entries;
mod environment;
mod error;
mod focus;
mod judged;
mod load;
mod metrics;
mod own;
mod psyqa;
mod record;
mod retriever;
mod sample;

pub use answered::{Answered, Retrieval as Retrieved};
pub use builtin::samples as builtin_samples;
pub use entries::ENTRIES;
pub use environment::{DialogueEnvironment, RESPOND};
pub use error::DataError;
pub use load::{load, read};
pub use retriever::{Bm25Retriever, DenseRetriever, Index, Retrieval, Retriever};
pub use sample::{Options, References, Sample, Utterance};
