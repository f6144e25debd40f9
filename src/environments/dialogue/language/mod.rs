//! Reading of models' answers in dialogue tasks: plans over knowledge sources, plans that alternate with
//! their execution, steps of ReAct, lists of modules and Cue-CoT's status and response; and the sources or
//! strategies of each dataset.
//!
//! Every format is read the same way: a text becomes a structure with [`Warnings`] about mends, or a
//! [`FormatError`] whose text tells a model what was wrong and what to write. No text makes a
//! parser panic, and each takes time proportional to its length.

mod catalogue;
mod clean;
mod cue_cot;
mod fault;
mod labels;
mod modules;
mod own;
mod plan_do;
mod react_source;
mod react_strategy;
mod source_plan;
mod strategies;
mod unlabelled;
mod variable;

pub use catalogue::{Dataset, Source, Tool};
pub use cue_cot::{CueCot, CueCotMode, cue_cot};
pub use fault::{FormatError, Warning, Warnings};
pub use modules::{NameList, chameleon_modules, chameleon_strategies, source_of_module};
pub use own::{Definition, OwnDataset};
pub use plan_do::{PlanDo, PlannedMove, plan_do};
pub use react_source::{ReactStep, SourceAction, react_source};
pub use react_strategy::{ReactStrategies, StrategyStep, react_strategy};
pub use source_plan::{InputKind, SourcePlan, SourceStep, source_plan};
pub use unlabelled::{ReasonedResponse, reasoned_response, response, sub_response, thought};
pub use variable::{Variable, compose_query, resolve_input};

#[cfg(test)]
mod tests;
