//! The shop: products to be searched, looked at and bought on pages (WebShop), or found by an agent that asks
//! a shopper who answers in a few words (ChatShop; `docs/shop.md`). Catalogues are official files or generated.

pub mod catalogue;
pub mod conformance;
pub mod data;
pub mod generate;
pub mod goal;
pub mod nouns;
pub mod retrieval;
pub mod score;
pub mod search;
pub mod store;

mod error;

pub use error::ShopError;
