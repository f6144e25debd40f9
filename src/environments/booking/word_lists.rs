//! The phrases of booking.

use std::sync::LazyLock;

use crate::text::WordLists;

/// What slots, calls and domains are called, and how wishes are said.
pub(super) static PHRASES: LazyLock<WordLists> = LazyLock::new(|| WordLists::read(include_str!("phrases.txt")));
