//! What the parsers of formats mended, in words.

use crate::environments::dialogue::language::{Warning, Warnings};
use crate::ports::Mended;

/// A warning that says nothing where prompts end with the label.
pub(super) const NO_LABEL: Warning = Warning::NoLabel;

/// What is told where a model goes on with the next example of its prompt.
pub(super) const CONTINUATION: &str = "what the model wrote after its answer was left out";

/// What is told where reasoning stands before a response.
pub(super) const REASONING: &str = "the reasoning before the response was left out";

/// Takes note of what parsers warn of.
pub(super) trait Warned {
    /// Notes the warnings, but for those that are no mends here.
    fn warn(&mut self, warnings: &Warnings, without: &[Warning]);
}

impl Warned for Mended {
    fn warn(&mut self, warnings: &Warnings, without: &[Warning]) {
        for warning in warnings {
            if !without.contains(warning) {
                self.insert(warning.code(), warning_text(*warning));
            }
        }
    }
}

fn warning_text(warning: Warning) -> &'static str {
    match warning {
        Warning::EmptyInput => "a source was asked nothing; the dialogue is the query",
        Warning::ExtraDo => "a second part for one plan was appended to the first",
        Warning::ExtraStepsIgnored => "what follows the first action was left out",
        Warning::GeneratorNotLast => "modules after the answer generator were left out",
        Warning::HallucinatedObservation => {
            "an observation that the model wrote in the place of the source was left out"
        }
        Warning::ImplicitVariable => "a call without a variable got the one of its place",
        Warning::MissingAnswerGenerator => "the answer generator was missing and was appended",
        Warning::MissingThought => "there was no thought before the action",
        Warning::NoBrackets => "a list without brackets was read",
        Warning::NoLabel => "a text without its label was read",
        Warning::SourceAlias => "`KNOWLEDGE` was read as `DOCUMENT`",
        Warning::TruncatedAtDialogue => CONTINUATION,
        Warning::UnclosedBracket => "a bracket that was not closed was closed",
    }
}
