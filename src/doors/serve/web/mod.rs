//! `rolecall serve web` (docs/web.md): the runs of a folder in a browser, as they go on. The log is the source of
//! everything; pages are made on the server and can be read without the script.

mod choice;
mod compare;
mod episode;
mod event;
mod live;
mod login;
mod overviews;
mod page;
mod rate;
mod rows;
mod run;
mod runs;
mod seat;
mod shared;
mod site;
mod snapshot;
mod turns;

pub use page::{of_episode, of_run};
pub use shared::{Program, TakeSeat};
pub use site::{Site, SiteSettings};
