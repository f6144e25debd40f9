//! The style and the script of all pages: one file each, inside the program.

use axum::Router;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::IntoResponse;
use axum::routing::get;
use rolecall_core::reports::html;

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
