//! Defects of a text, and mends.

use std::collections::BTreeSet;

use serde::Serialize;
use thiserror::Error;

use super::Dataset;
use super::clean::excerpt;

/// A mend or an omission in a text that could be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Warning {
    /// A source was asked nothing: the dialogue alone is the query.
    EmptyInput,
    /// A second `Do:` for one plan was appended to the first.
    ExtraDo,
    /// More steps came after the first action; they are ignored.
    ExtraStepsIgnored,
    /// Modules after the answer generator were left out.
    GeneratorNotLast,
    /// The model wrote an observation itself; it is ignored.
    HallucinatedObservation,
    /// A call had no variable and got the one of its place.
    ImplicitVariable,
    /// The answer generator was missing and was appended.
    MissingAnswerGenerator,
    /// An action came without a thought.
    MissingThought,
    /// A list came without brackets.
    NoBrackets,
    /// A text came without its label.
    NoLabel,
    /// A source was called by its other name.
    SourceAlias,
    /// The text went on with another dialogue, which is ignored.
    TruncatedAtDialogue,
    /// A bracket was never closed.
    UnclosedBracket,
}

rolecall_core::names! { Warning, code:
    EmptyInput => "empty_input", ExtraDo => "extra_do", ExtraStepsIgnored => "extra_steps_ignored",
    GeneratorNotLast => "generator_not_last", HallucinatedObservation => "hallucinated_observation",
    ImplicitVariable => "implicit_variable", MissingAnswerGenerator => "missing_answer_generator",
    MissingThought => "missing_thought", NoBrackets => "no_brackets", NoLabel => "no_label",
    SourceAlias => "source_alias", TruncatedAtDialogue => "truncated_at_dialogue",
    UnclosedBracket => "unclosed_bracket",
}

/// Each warning once.
pub type Warnings = BTreeSet<Warning>;

/// The reason that a text is not of its format. Steps and places count from 0 in fields and from 1 in texts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Error)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum FormatError {
    /// Nothing is planned.
    #[error("there is no plan in the text; write each step after `Plan:`, in the form of the examples")]
    EmptyPlan,
    /// A step asks a source that does not exist.
    #[error(
        "step {place} of the plan calls `{shown}`, which is no source; call {known}",
        place = step + 1, shown = excerpt(name), known = dataset.source_names()
    )]
    UnknownSource {
        /// The step.
        step: usize,
        /// The name that it calls.
        name: String,
        /// The dataset with the known sources.
        #[serde(skip)]
        dataset: Dataset,
    },
    /// Two steps define one variable.
    #[error(
        "step {place} of the plan defines {shown} once more; give each step a variable of its own",
        place = step + 1, shown = excerpt(var)
    )]
    DuplicateVariable {
        /// The later step.
        step: usize,
        /// The variable.
        var: String,
    },
    /// A step uses a variable that no step defines.
    #[error(
        "step {place} of the plan uses {shown}, which no step defines; use the variable of an earlier step",
        place = step + 1, shown = excerpt(reference)
    )]
    UndefinedReference {
        /// The step.
        step: usize,
        /// The variable it uses.
        #[serde(rename = "ref")]
        reference: String,
    },
    /// A step uses a variable that a later step defines.
    #[error(
        "step {place} of the plan uses {shown}, which a later step defines; put that step first",
        place = step + 1, shown = excerpt(reference)
    )]
    ForwardReference {
        /// The step.
        step: usize,
        /// The variable it uses.
        #[serde(rename = "ref")]
        reference: String,
    },
    /// A step needs its own result.
    #[error(
        "step {place} of the plan uses {shown}, which needs the result of this step; use only earlier steps",
        place = step + 1, shown = excerpt(reference)
    )]
    Cycle {
        /// The step.
        step: usize,
        /// The variable it uses.
        #[serde(rename = "ref")]
        reference: String,
    },
    /// Something is done that was not planned.
    #[error("`Do:` comes before any plan; write `Plan:` with a strategy first, then `Do:` with what you say")]
    DoWithoutPlan,
    /// A plan is not carried out.
    #[error("plan {place} is not carried out; write `Do:` after it, with what you say", place = step + 1)]
    MissingDo {
        /// The plan.
        step: usize,
    },
    /// A step names a strategy that does not exist.
    #[error(
        "step {place} names `{shown}`, which is no strategy; name one of: {known}",
        place = step + 1, shown = excerpt(name), known = dataset.strategy_names()
    )]
    UnknownStrategy {
        /// The step.
        step: usize,
        /// The unknown name.
        name: String,
        /// The dataset with the known strategies.
        #[serde(skip)]
        dataset: Dataset,
    },
    /// A list holds a strategy that does not exist.
    #[error(
        "item {place} of the list is `{shown}`, which is no strategy; the strategies are: {known}",
        place = index + 1, shown = excerpt(name), known = dataset.strategy_names()
    )]
    #[serde(rename = "unknown_strategy")]
    UnknownListedStrategy {
        /// The place in the list.
        index: usize,
        /// The unknown name.
        name: String,
        /// The dataset with the known strategies.
        #[serde(skip)]
        dataset: Dataset,
    },
    /// A list holds a module that does not exist.
    #[error(
        "item {place} of the list is `{shown}`, which is no module; the modules are {known} and, at the end, \
         Answer_Generator",
        place = index + 1, shown = excerpt(name), known = dataset.module_names()
    )]
    UnknownModule {
        /// The place in the list.
        index: usize,
        /// The unknown name.
        name: String,
        /// The dataset with the known modules.
        #[serde(skip)]
        dataset: Dataset,
    },
    /// A list holds nothing.
    #[error("the list is empty; write the names in brackets, such as [\"first\", \"second\"]")]
    EmptyList,
    /// There is no action.
    #[error("there is no action in the text; write a line `Action:` with what you do")]
    NoAction,
    /// An action is no call.
    #[error(
        "the action `{shown}` is no call; write {calls} or Finish[response]",
        shown = excerpt(text), calls = dataset.calls()
    )]
    BadAction {
        /// The action.
        text: String,
        /// The dataset with the known sources.
        #[serde(skip)]
        dataset: Dataset,
    },
    /// An action calls an unknown name.
    #[error(
        "the action calls `{shown}`, which does not exist; call {calls} or Finish[response]",
        shown = excerpt(name), calls = dataset.calls()
    )]
    UnknownAction {
        /// The name that it calls.
        name: String,
        /// The dataset with the known sources.
        #[serde(skip)]
        dataset: Dataset,
    },
    /// An action has no observation.
    #[error("action {place} has no observation; write `Observation:` after it, with what you say", place = step + 1)]
    MissingObservation {
        /// The action.
        step: usize,
    },
    /// An observation belongs to no action.
    #[error("an observation comes without an action; write `Action:` with a strategy before it")]
    ObservationWithoutAction,
    /// There is no status.
    #[error("the status is empty; write it after `Status:`")]
    EmptyStatus,
    /// The response is empty.
    #[error("the response is empty; write it after `Response:`")]
    EmptyResponse,
    /// There is no response.
    #[error("there is no response; write it after `Response:`, on a line of its own")]
    MissingResponse,
}
