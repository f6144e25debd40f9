//! The orders in which casts work.
