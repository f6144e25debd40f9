//! The worlds that episodes are played in, one folder each. Imports the domain, the ports and text.

pub mod booking;
pub mod dialogue;
pub mod household;
pub mod shop;
pub mod travel;
