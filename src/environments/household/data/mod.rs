//! What `rolecall data` can do with household games.

mod exemplars;
mod generate;
mod statistics;
mod trajectories;

use super::builtin::SEED;
use super::generate::GenerateError;
use crate::ports::{Parameter, ParameterKind, Parameters};
use crate::world::DataTool;

/// The tools.
pub static TOOLS: &[DataTool] = &[
    generate::TOOL,
    statistics::TOOL,
    exemplars::TOOL,
    trajectories::TOOL,
];

const fn parameter(name: &'static str, kind: ParameterKind, help: &'static str) -> Parameter {
    Parameter { name, kind, help }
}

const fn text(default: &'static str) -> ParameterKind {
    let default = Some(default);
    ParameterKind::Text { default }
}

/// A number of games and the like.
const fn at_least_one(default: Option<usize>) -> ParameterKind {
    ParameterKind::Integer {
        default: match default {
            Some(default) => Some(default as i64),
            None => None,
        },
        min: 1,
        max: u32::MAX as i64,
    }
}

/// A place that must be named.
const PLACE: ParameterKind = ParameterKind::Path {
    default: None,
    words: &[],
};

/// A seed of games.
const ANY_SEED: ParameterKind = ParameterKind::Integer {
    default: Some(SEED as i64),
    min: 0,
    max: u32::MAX as i64,
};

/// Whether the wording of published prompts is wanted.
const CLASSIC: Parameter = parameter(
    "classic",
    ParameterKind::Flag { default: false },
    "Write commands and observations as published prompts do (put X in/on Y), not as the games",
);

fn seed(parameters: &Parameters) -> u32 {
    parameters.whole("seed").unwrap_or(SEED)
}

fn at_option(error: GenerateError) -> anyhow::Error {
    match error.knob() {
        Some(knob) => anyhow::anyhow!("--{knob}: {error}"),
        None => error.into(),
    }
}
