//! Cue-CoT: the status of who asks, then the response.

use serde::Serialize;

use super::clean::{cleaned, trimmed, unquoted};
use super::labels::{Label, Name, labels};
use super::{Dataset, FormatError, Warning, Warnings};

/// What a text is to hold.
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
    /// What was mended.
    pub warnings: Warnings,
}

/// Reads a status, a response or both. A text without its label is taken as it is.
///
/// # Errors
/// When what is asked for is empty or missing.
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
    let (status, response) = match mode {
        CueCotMode::Status => {
            let text = parts.status.unwrap_or_else(|| {
                warnings.insert(Warning::NoLabel);
                parts.front
            });
            (status(text)?, None)
        }
        CueCotMode::Response => {
            let text = match parts.response {
                Some(response) => response,
                None if parts.front.is_empty() && parts.status.is_some() => {
                    return Err(FormatError::MissingResponse);
                }
                None => {
                    warnings.insert(Warning::NoLabel);
                    parts.front
                }
            };
            (None, response(text)?)
        }
        CueCotMode::Merged => {
            let said = parts.response.ok_or(FormatError::MissingResponse)?;
            // In front of the response a status needs no label.
            (
                status(parts.status.unwrap_or(parts.front))?,
                response(said)?,
            )
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
    /// What comes before any label.
    front: &'a str,
    status: Option<&'a str>,
    response: Option<&'a str>,
}

impl<'a> Parts<'a> {
    fn of(text: &'a str, warnings: &mut Warnings) -> Self {
        let found = labels(text, &[Name::Status, Name::Response, Name::Dialogue]);
        let front = found.first().map_or(text.len(), |label| label.from);
        let mut parts = Self {
            front: trimmed(text.get(..front).unwrap_or_default()),
            ..Self::default()
        };
        let mut some = !parts.front.is_empty();
        for (place, label) in found.iter().enumerate() {
            let end = found.get(place + 1).map_or(text.len(), |next| next.from);
            let segment = |label: &Label| text.get(label.to..end).unwrap_or_default();
            let part = match label.name {
                Name::Dialogue if some => {
                    warnings.insert(Warning::TruncatedAtDialogue);
                    break;
                }
                Name::Status => &mut parts.status,
                Name::Response => &mut parts.response,
                _ => continue,
            };
            some = true;
            part.get_or_insert_with(|| segment(label));
        }
        parts
    }
}
