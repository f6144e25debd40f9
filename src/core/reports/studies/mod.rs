//! Studies of asking: tables, JSON, and what pages show.

mod seats;
mod timing;

pub(super) use seats::{casts_table, form, remark, shares_table};
pub use seats::{seats_json, seats_text};
pub(super) use timing::{arms, remarks};
pub use timing::{timing_json, timing_tables, timing_text};
