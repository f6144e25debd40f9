//! The report of a run as one page: `report.html`.
//!
//! The page needs nothing else: its style, its pictures and a small script, which filters and sorts the table of
//! episodes, are inside. A policy in its head forbids browsers to load anything and to run anything but this
//! script, whatever the page's texts hold. Every figure in a picture is in a table behind it as well.

mod actions;
mod all;
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
mod studies;
mod success;
mod table;
mod users;

pub use behaviour::analyses_page;
pub(crate) use dialogue::{kind_class, seat_class};
pub(crate) use escape::{Shown, lines};
pub use page::page;
pub(crate) use page::sections;
pub use reproduced::reproduction;
pub use studies::{seats_page, timing_page};
