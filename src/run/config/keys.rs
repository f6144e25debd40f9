//! The keys that make cells.

use super::node::Node;

/// The keys of a cell besides its name; they may also stand outside the cells.
pub(super) const CELL_KEYS: [&str; 6] = ["environment", "strategy", "roles", "user", "users", "limits"];

/// The key of the cells.
pub(super) const CELLS: &str = "cells";

/// The key of the axes whose product is cells.
pub(super) const MATRIX: &str = "matrix";

/// The name of a cell, if it has one.
pub(super) fn name_of(item: &Node) -> Option<&str> {
    item.table()?.get("name")?.text()
}
