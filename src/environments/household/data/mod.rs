//! The tools of `rolecall data` for household games.

mod exemplars;
mod generate;
mod statistics;
mod trajectories;
mod underspecify;

use super::builtin::SEED;
use super::generate::GenerateError;
use rolecall_core::ports::{Parameter, Parameters};
use rolecall_core::world::DataTool;

/// The tools.
pub static TOOLS: &[DataTool] =
    &[generate::TOOL, statistics::TOOL, exemplars::TOOL, trajectories::TOOL, underspecify::TOOL];

/// The most of whatever is counted.
const MOST: i64 = u32::MAX as i64;

/// Whether the wording of published prompts is wanted.
const CLASSIC: Parameter = Parameter::flag(
    "classic",
    false,
    "Write commands and observations as published prompts do (put X in/on Y), not as the games",
);

/// The option of a seed.
const fn seed_option(help: &'static str) -> Parameter {
    Parameter::integer("seed", Some(SEED as i64), 0..=u32::MAX as i64, help)
}

fn seed(parameters: &Parameters) -> u32 {
    parameters.whole("seed").unwrap_or(SEED)
}

fn at_option(error: GenerateError) -> anyhow::Error {
    match error.knob {
        Some(knob) => anyhow::anyhow!("--{knob}: {error}"),
        None => error.into(),
    }
}
