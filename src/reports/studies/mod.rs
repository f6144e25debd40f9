//! Studies of asking: tables, pages, JSON.

mod timing;

pub(super) use timing::{arms, remarks};
pub use timing::{timing_json, timing_tables, timing_text};
