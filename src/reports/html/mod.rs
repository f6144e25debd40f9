//! The report of a run as one page: `report.html`.
//!
//! The page needs nothing else: no script, no address outside, its style and its pictures inside.
//! A policy in its head forbids browsers to load or to run anything, whatever its texts hold. Every
//! figure in a picture is in a table beside it as well.

mod actions;
mod behaviour;
mod chart;
mod compare;
mod dialogue;
mod endings;
mod episodes;
mod escape;
mod page;
mod reproduced;
mod rows;
mod spread;
mod success;
mod table;

pub use behaviour::analyses_page;
pub(crate) use dialogue::{kind_class, seat_class};
pub(crate) use escape::{Shown, lines};
pub use page::page;
pub(crate) use page::sections;
pub use reproduced::reproduction;
