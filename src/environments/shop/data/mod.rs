//! The tools of `rolecall data` for shops.

mod retrieval;

use crate::world::DataTool;

/// The tools.
pub static TOOLS: &[DataTool] = &[retrieval::TOOL];
