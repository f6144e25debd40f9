//! The mends of the parsers of formats, in words.

use crate::environments::dialogue::language::{Warning, Warnings};
use crate::ports::Mended;

/// The words for a model that goes on with the next example of its prompt.
pub(super) const CONTINUATION: &str = "what the model wrote after its answer was left out";

/// Counts the warnings of parsers as mends.
pub(super) fn note(warnings: &Warnings, mended: &mut Mended) {
    for warning in warnings {
        mended.insert(warning.code(), warning_text(*warning));
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
