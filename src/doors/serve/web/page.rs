//! The frame of every page with its style and script, addresses, and pages that say what is wrong.

use std::fmt::Write;

use axum::Router;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use maud::{DOCTYPE, Markup, html};

use rolecall_core::domain::EpisodeId;
use rolecall_core::log::LogError;
use rolecall_core::reports::html::{self, Shown};

/// A page: its title, where it stands, and what it shows.
pub(super) struct Page {
    title: String,
    /// The pages above it: address and name.
    above: Vec<(String, String)>,
    main: Markup,
    /// Nobody is to see what else there is.
    alone: bool,
}

impl Page {
    /// A page below the list of runs.
    pub(super) fn new(title: impl Into<String>, main: Markup) -> Self {
        Self { title: title.into(), above: Vec::new(), main, alone: false }
    }

    /// Puts the page below another one.
    pub(super) fn below(mut self, address: impl Into<String>, name: impl Into<String>) -> Self {
        self.above.push((address.into(), name.into()));
        self
    }

    /// Takes away the links to other pages, for people who are to see nothing else.
    pub(super) fn alone(mut self) -> Self {
        self.alone = true;
        self
    }

    fn render(&self) -> Markup {
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (Shown(&self.title)) " - rolecall" }
                    link rel="stylesheet" href=(STYLE_PATH);
                    script src=(SCRIPT_PATH) defer {}
                }
                body.web {
                    a.skip href="#main" { "Skip to the content" }
                    @if !self.alone {
                        nav.crumbs aria-label="Where you are" {
                            ul {
                                li { a href="/" { "rolecall" } }
                                @for (address, name) in &self.above {
                                    li { a href=(address) { (Shown(name)) } }
                                }
                            }
                        }
                    }
                    main #main tabindex="-1" {
                        h1 { (Shown(&self.title)) }
                        (self.main)
                    }
                    div #live .offscreen role="status" aria-live="polite" {}
                }
            }
        }
    }
}

impl IntoResponse for Page {
    fn into_response(self) -> Response {
        Html(self.render().into_string()).into_response()
    }
}

/// The text as a part of an address.
pub(super) fn encoded(text: &str) -> String {
    let mut part = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~:".contains(&byte) {
            part.push(char::from(byte));
        } else {
            // Writing to a text cannot fail.
            let _ = write!(part, "%{byte:02X}");
        }
    }
    part
}

/// The page of a run.
pub fn of_run(run: &str) -> String {
    format!("/run/{}", encoded(run))
}

/// The page of an episode.
pub fn of_episode(run: &str, id: &EpisodeId) -> String {
    format!("{}/{}", of_run(run), encoded(&id.to_string()))
}

/// A problem with a request.
#[derive(Debug)]
pub(super) struct Problem {
    status: StatusCode,
    /// The problem, and what to do.
    text: String,
    /// Whoever reads it is to see nothing else.
    alone: bool,
}

impl Problem {
    pub(super) fn new(status: StatusCode, text: impl Into<String>) -> Self {
        Self { status, text: text.into(), alone: false }
    }

    /// Takes away the links to other pages.
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

impl From<LogError> for Problem {
    fn from(error: LogError) -> Self {
        Self::failed(error)
    }
}

/// Does what reads and writes files, away from those who wait for other pages.
pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    tokio::task::spawn_blocking(work).await.map_err(Problem::failed)?
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let page = Page::new(
            self.status.canonical_reason().unwrap_or("A problem"),
            html! {
                p role="alert" { (self.text) }
                @if !self.alone { p { a href="/" { "All runs" } } }
            },
        );
        (self.status, Page { alone: self.alone, ..page }).into_response()
    }
}

/// The style of reports, whose parts pages show, and the style of pages.
const STYLE: &[&str] = &[html::STYLE, include_str!("style.css")];

/// The script. It makes pages live; they can be read without it.
const SCRIPT: &str = concat!(
    include_str!("script/frame.js"),
    include_str!("script/table.js"),
    include_str!("script/live.js"),
    include_str!("script/turns.js"),
    include_str!("script/rate.js"),
    include_str!("script/seat.js"),
);

/// Where the style is.
pub(super) const STYLE_PATH: &str = "/style.css";

/// Where the script is.
pub(super) const SCRIPT_PATH: &str = "/script.js";

pub(super) fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new()
        .route(STYLE_PATH, get(|| file("text/css", STYLE)))
        .route(SCRIPT_PATH, get(|| file("text/javascript", &[SCRIPT])))
        .route("/favicon.ico", get(|| async { StatusCode::NO_CONTENT }))
}

async fn file(kind: &'static str, parts: &[&'static str]) -> impl IntoResponse {
    let kind = format!("{kind}; charset=utf-8");
    // Another version of the program has others.
    ([(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache".to_owned())], parts.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_a_folder_is_called_its_name_is_one_part() {
        assert_eq!(of_run("a b/../?x#é\""), "/run/a%20b%2F..%2F%3Fx%23%C3%A9%22");
        let id: EpisodeId = "main:1:0".parse().unwrap();
        assert_eq!(of_episode("r", &id), "/run/r/main:1:0");
    }

    #[test]
    fn the_script_is_small_and_makes_no_markup_of_texts() {
        assert!(SCRIPT.len() < 25_000, "{} bytes", SCRIPT.len());
        let markup = [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "Function(",
            "DOMParser",
            "createContextualFragment",
            "srcdoc",
            "javascript:",
        ];
        for word in markup {
            assert!(!SCRIPT.contains(word), "{word}");
        }
    }
}
