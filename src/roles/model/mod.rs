//! Roles that language models play, of any name and in any environment: who the role is stands in
//! its persona (`docs/prompts.md`), how its model is asked in its parameters.
//!
//! `role` takes the turn, `ask` asks once and reads the answer, `choose` picks among several answers,
//! `score` among the actions that are possible (ABA equation 4), `schema` says what structured
//! answers look like.

mod ask;
mod choose;
mod replies;
mod role;
mod schema;
mod score;
mod setup;
mod shared;

pub use role::ModelRole;
pub use setup::{PARAMETERS, build};
