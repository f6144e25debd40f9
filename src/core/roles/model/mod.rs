//! Roles that language models play, of any name and in any environment. The persona describes the role
//! (`docs/prompts.md`); its parameters say how the model is asked.
//!
//! - `setup`: the parameters, and the role that is built from them; `shared`: what all its episodes share.
//! - `role`: one turn, with corrections of answers that cannot be read.
//! - `ask`: one question to the model, and the reading of its answers; `schema`: the schemas of structured ones.
//! - `choose`: the choice among sampled answers; `score`: that among the possible actions (ABA equation 4).
//! - `replies`: the model's own earlier replies, found again for its prompts.

mod ask;
mod choose;
mod form;
mod replies;
mod role;
mod schema;
mod score;
mod setup;
mod shared;
mod structure;
mod wanted;

pub use role::ModelRole;
pub use setup::{PARAMETERS, build};
