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
mod episodes;
mod escape;
mod page;
mod rows;
mod spread;
mod studies;
mod success;
mod table;
mod users;

pub use behaviour::analyses_page;
pub use dialogue::{kind_class, seat_class};
pub use escape::{Shown, lines};
pub use page::{STYLE, page, sections};
pub use studies::{reproduction, seats_page, timing_page};
