//! ChatShop: an agent searches the catalogue, asks the shopper, and selects one product (ChatShop section 3).

mod address;
mod environment;
mod game;
mod listing;
pub mod tools;

pub use address::{Sent, as_sent};
pub use environment::{ChatShopEnvironment, Judged, Session};
pub use game::{Channel, Game, Listed, Request, Rules, Shown};
pub use listing::{Listing, describe};
