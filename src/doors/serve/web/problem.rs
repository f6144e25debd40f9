//! Answers that say what is wrong, as pages.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::html;

use super::page::Page;

/// What is wrong with a request.
#[derive(Debug)]
pub(super) struct Problem {
    status: StatusCode,
    /// What is wrong, and what to do.
    text: String,
    /// Whoever reads it is to see nothing else.
    alone: bool,
}

impl Problem {
    pub(super) fn new(status: StatusCode, text: impl Into<String>) -> Self {
        Self { status, text: text.into(), alone: false }
    }

    /// The same without ways to other pages.
    pub(super) fn alone(mut self) -> Self {
        self.alone = true;
        self
    }

    /// There is nothing at this address.
    pub(super) fn missing(what: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, what)
    }

    /// The parts of a log that cannot be read, and other failures that are not the reader's.
    pub(super) fn failed(error: impl std::fmt::Display) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let title = self.status.canonical_reason().unwrap_or("A problem");
        let page = Page::new(
            title,
            html! {
                p role="alert" { (self.text) }
                @if !self.alone { p { a href="/" { "All runs" } } }
            },
        );
        let page = if self.alone { page.alone() } else { page };
        (self.status, page).into_response()
    }
}
