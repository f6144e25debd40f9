//! `rolecall serve web` (docs/web.md): the runs of a folder in a browser, as they go on. The log is the source of
//! everything; pages are made on the server and can be read without the script.

mod address;
mod assets;
mod branches;
mod choice;
mod compare;
mod episode;
mod event;
mod headers;
mod live;
mod login;
mod overviews;
mod page;
mod problem;
mod rate;
mod rows;
mod run;
mod runs;
mod seat;
mod shared;
mod site;
mod snapshot;
mod take;
mod turns;

pub use address::{of_episode, of_run};
pub use shared::{Program, TakeSeat};
pub use site::{Site, SiteSettings};
