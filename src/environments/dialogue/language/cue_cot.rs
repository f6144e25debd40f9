//! Cue-CoT: the status of who asks, then the response.

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
/// When a part that is asked for is empty or missing.
pub fn cue_cot(text: &str, mode: CueCotMode, dataset: Dataset) -> Result<CueCot, FormatError> {
    let text = cleaned(text);
    let mut warnings = Warnings::new();
    let parts = Parts::of(&text, &mut warnings);
    let filled = |text: &str, empty: FormatError| {
        let flowing = unquoted(&dataset.flowing(text)).to_owned();
        let filled = Some(flowing).filter(|text| !text.is_empty());
        filled.ok_or(empty).map(Some)
    };
    let status = |text: &str| filled(text, FormatError::EmptyStatus);
    let response = |text: &str| filled(text, FormatError::EmptyResponse);
    let unlabelled = || {
        warnings.insert(Warning::NoLabel);
        parts.front
    };
    let (status, response) = match mode {
        CueCotMode::Status => (status(parts.status.unwrap_or_else(unlabelled))?, None),
        CueCotMode::Response => {
            let is_left_out = parts.front.is_empty() && parts.status.is_some();
            let text = match parts.response {
                None if is_left_out => return Err(FormatError::MissingResponse),
                text => text.unwrap_or_else(unlabelled),
            };
            (None, response(text)?)
        }
        CueCotMode::Merged => {
            let text = parts.response.ok_or(FormatError::MissingResponse)?;
            // In front of the response a status needs no label.
            let status = status(parts.status.unwrap_or(parts.front))?;
            (status, response(text)?)
        }
    };
    Ok(CueCot {
        status,
        response,
        warnings,
    })
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
        let mut parts = Self {
            front: trimmed(text.get(..front).unwrap_or_default()),
            ..Self::default()
        };
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
