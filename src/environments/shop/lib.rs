//! The shop: products to be searched, looked at and bought on pages (WebShop), or found by an agent that asks
//! a shopper who answers in a few words (ChatShop; `docs/shop.md`). Catalogues are official files or generated.

pub mod actions;
pub mod catalogue;
pub mod chatshop;
pub mod data;
pub mod environment;
pub mod formats;
pub mod generate;
pub mod goal;
pub mod notebook;
pub mod nouns;
pub mod render;
pub mod retrieval;
pub mod roles;
pub mod score;
pub mod search;
pub mod session;
pub mod simplify;
pub mod store;
pub mod strategies;
pub mod tasks;
pub mod underspecified;
pub mod users;
pub mod words;

mod account;
mod analyses;
mod entries;
mod indexed;
mod language;
mod metrics;
mod page;
mod reading;
mod scene;

#[cfg(test)]
mod page_tests;
#[cfg(test)]
mod session_tests;

pub use catalogue::ShopError;
pub use entries::ENTRIES;
pub use score::Reward;
pub use store::Store;
