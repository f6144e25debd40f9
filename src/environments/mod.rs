//! The worlds that episodes are played in, one folder each.

pub mod household;
