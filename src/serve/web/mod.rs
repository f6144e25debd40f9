//! `rolecall serve web` (docs/web.md): the runs of a folder in a browser, as they go on. The log is the source of
//! everything; pages are made on the server and can be read without the script.

mod address;
mod assets;
mod headers;
mod login;
mod page;
mod problem;
mod runs;
mod site;

pub use site::{Site, SiteSettings};
