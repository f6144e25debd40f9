//! Helpers of several files of the reader: marks around a text, and the error for a move that lacks
//! something.

use super::{Mended, Unreadable};
use crate::domain::MoveKind;

pub(super) fn incomplete(kind: MoveKind, problem: impl Into<String>) -> Unreadable {
    Unreadable::Incomplete { kind: kind.as_str(), problem: problem.into() }
}

/// Takes off marks that are around the whole text.
pub(super) fn tidy(body: &str, kind: MoveKind, mended: &mut Mended) -> String {
    let mut text = body.trim();
    loop {
        let before = text.len();
        for (open, close) in [("**", "**"), ("`", "`"), ("\"", "\""), ("\u{201c}", "\u{201d}")] {
            if let Some(inner) = around(text, open, close) {
                mended.insert("quoted_text", "marks around a text were left out");
                text = inner.trim();
            }
        }
        let brackets = matches!(kind, MoveKind::Think | MoveKind::Act | MoveKind::Speak);
        if let Some(inner) = around(text, "[", "]").filter(|_| brackets) {
            mended.insert("bracketed_text", "brackets around a text were left out");
            text = inner.trim();
        }
        if kind == MoveKind::Act
            && let Some(rest) = text.strip_prefix('>')
        {
            text = rest.trim();
        }
        if text.len() == before {
            return text.to_owned();
        }
    }
}

/// The text between two marks that enclose the whole text and are nowhere within it.
fn around<'a>(text: &'a str, open: &str, close: &str) -> Option<&'a str> {
    let inner = text.strip_prefix(open)?.strip_suffix(close)?;
    (!inner.contains(open) && !inner.contains(close)).then_some(inner)
}
