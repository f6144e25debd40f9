//! Dialogue tasks: a context, what there is to plan with, and the responses of people beside which an
//! agent's is measured. Here are the official files of three data sets, and samples of our own writing.

pub mod builtin;

mod cima;
mod error;
mod focus;
mod literal;
mod load;
mod psyqa;
mod record;
mod sample;

pub use error::DataError;
pub use load::{Options, load, read};
pub use sample::{References, Sample, Utterance};
