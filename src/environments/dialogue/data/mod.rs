//! The tools of `rolecall data` for samples of dialogue.

mod retriever_pairs;
mod statistics;

use rolecall_core::world::DataTool;

/// The tools.
pub static TOOLS: &[DataTool] = &[statistics::TOOL, retriever_pairs::TOOL];
