//! Travel: requests for a trip that lack or contradict details, the tools by which facts are found, and the plan that
//! is judged (Ask-before-Plan on TravelPlanner's tools; `docs/travel.md`).

pub mod answers;
pub mod calls;
pub mod country;
pub mod data;
mod entries;
pub mod env_only;
pub mod environment;
pub mod formats;
pub mod generate;
pub mod greedy;
pub mod labels;
mod metrics;
pub mod reader;
pub mod request;
pub mod roles;
pub mod rows;
mod scene;
pub mod score;
pub mod seen;
pub mod settling;
pub mod steps;
pub mod strategy;
pub mod tasks;
pub mod tools;
pub mod truth;
pub mod users;
pub mod words;

pub use entries::ENTRIES;
pub use rolecall_core::files::DataError;
