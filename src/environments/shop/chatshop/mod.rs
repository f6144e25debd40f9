//! ChatShop: an agent searches the catalogue, asks the shopper, and selects one product (ChatShop section 3).

mod environment;
mod game;
mod listing;
pub mod tools;

pub use environment::{ChatShopEnvironment, Judged, Rules, Session};
pub(crate) use game::bare;
pub use game::{Game, Listed};
pub use listing::Listing;
pub use tools::Channel;
