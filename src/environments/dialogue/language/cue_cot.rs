//! Cue-CoT: the status of the user, then the response.

use serde::Serialize;

use super::clean::{cleaned, trimmed, unquoted};
use super::labels::{labels, segments};
use super::{Dataset, FormatError, Warning, Warnings};

/// The parts that a text is to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CueCotMode {
    /// The status.
    Status,
    /// The response.
    Response,
    /// Both, the status first.
    Merged,
}

/// Status and response, as far as they were asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CueCot {
    /// The status, unless the response alone was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// The response, unless the status alone was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response: Option<String>,
    /// The mends.
    pub warnings: Warnings,
}

/// Reads a status, a response or both. A text without its label is taken as it is.
///
/// # Errors
/// The first part that is asked for and empty. A response after a status that is missing or empty is
/// [`FormatError::MissingResponse`], one that was asked for alone [`FormatError::EmptyResponse`].
pub fn cue_cot(text: &str, mode: CueCotMode, dataset: Dataset) -> Result<CueCot, FormatError> {
    let text = cleaned(text);
    let mut warnings = Warnings::new();
    let parts = Parts::of(&text, &mut warnings);
    let filled = |text: &str, empty: FormatError| {
        Some(unquoted(&dataset.flowing(text)).to_owned()).filter(|text| !text.is_empty()).ok_or(empty).map(Some)
    };
    let status = |text: &str| filled(text, FormatError::EmptyStatus);
    let unlabelled = || {
        warnings.insert(Warning::NoLabel);
        parts.front
    };
    let (status, response) = match mode {
        CueCotMode::Status => (status(parts.status.unwrap_or_else(unlabelled))?, None),
        CueCotMode::Response => (None, filled(parts.response.unwrap_or_else(unlabelled), FormatError::EmptyResponse)?),
        CueCotMode::Merged => {
            // In front of the response a status needs no label.
            let status = status(parts.status.unwrap_or(parts.front))?;
            // A label with nothing behind it is no response either: the status was all that came.
            (status, filled(parts.response.unwrap_or_default(), FormatError::MissingResponse)?)
        }
    };
    Ok(CueCot { status, response, warnings })
}

/// The parts of a text up to another dialogue.
#[derive(Clone, Copy, Default)]
struct Parts<'a> {
    /// The text before any label.
    front: &'a str,
    status: Option<&'a str>,
    response: Option<&'a str>,
}

impl<'a> Parts<'a> {
    fn of(text: &'a str, warnings: &mut Warnings) -> Self {
        let found = labels(text, &["Status", "Response", "Dialogue"]);
        let front = found.first().map_or(text.len(), |label| label.from);
        let mut parts = Self { front: trimmed(text.get(..front).unwrap_or_default()), ..Self::default() };
        let mut is_empty = parts.front.is_empty();
        for (label, segment) in segments(text, &found) {
            let part = match label.name {
                "Dialogue" if !is_empty => {
                    warnings.insert(Warning::TruncatedAtDialogue);
                    break;
                }
                "Status" => &mut parts.status,
                "Response" => &mut parts.response,
                _ => continue,
            };
            is_empty = false;
            part.get_or_insert(segment);
        }
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str, mode: CueCotMode) -> Option<FormatError> {
        cue_cot(text, mode, Dataset::Cima).err()
    }

    #[test]
    fn a_status_alone_lacks_the_response_with_or_without_its_label() {
        for text in [
            "Status: a",
            "Status: a\nResponse:",
            "Status: a\nResponse:  \n\n",
            "status: a\nresponse :",
            "**Status:** a\n**Response:**",
            "Status: a Response:",
            "Status: a\nResponse:\nDialogue:\nx",
            "Status: a\nResponse:\nResponse: b",
            "Status: a\nResponse: \"\"",
            "a",
            "a\nResponse:",
        ] {
            let found = error(text, CueCotMode::Merged);
            assert_eq!(found, Some(FormatError::MissingResponse), "{text:?}");
        }
        for text in ["", "Response: b", "Response:", "Status:\nResponse:", "Status: \nResponse: b"] {
            let found = error(text, CueCotMode::Merged);
            assert_eq!(found, Some(FormatError::EmptyStatus), "{text:?}");
        }
        for text in ["Status: a\nResponse: b", "a\nresponse: b"] {
            assert_eq!(error(text, CueCotMode::Merged), None, "{text:?}");
        }
    }

    #[test]
    fn a_response_that_is_asked_for_alone_can_only_be_empty() {
        for text in ["", "Response:", "Response: \n", "Status: a", "Status: a\nResponse:"] {
            let found = error(text, CueCotMode::Response);
            assert_eq!(found, Some(FormatError::EmptyResponse), "{text:?}");
        }
    }
}
