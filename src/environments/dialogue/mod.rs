//! Dialogue: a sample is a dialogue up to someone's last words, what there is to plan with (knowledge
//! sources or strategies), and the responses of people beside which an agent's is measured (TPE
//! section 4; `docs/dialogue.md`). Samples come from the official files of FoCus, CIMA and PsyQA, or are
//! of our own writing.

pub mod tasks;

mod builtin;
mod cima;
mod dense;
mod environment;
mod error;
mod focus;
mod literal;
mod load;
mod psyqa;
mod record;
mod retriever;
mod sample;

pub use builtin::samples as builtin_samples;
pub use dense::DenseRetriever;
pub use environment::{DialogueEnvironment, RESPOND};
pub use error::DataError;
pub use load::{Options, load, read};
pub use retriever::{Bm25Retriever, Index, Retrieval, Retriever};
pub use sample::{References, Sample, Utterance};
