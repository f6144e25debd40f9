//! The tools of `rolecall data` for shops.

mod generate;
mod index;
mod official;
mod retrieval;
mod simplify;
mod statistics;
mod words;

use crate::world::DataTool;

/// The tools.
pub static TOOLS: &[DataTool] = &[
    generate::TOOL,
    index::TOOL,
    statistics::TOOL,
    simplify::TOOL,
    retrieval::TOOL,
];
