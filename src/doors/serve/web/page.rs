//! The frame of every page.

use axum::response::{Html, IntoResponse, Response};
use maud::{DOCTYPE, Markup, html};

use super::assets::{SCRIPT_PATH, STYLE_PATH};
use rolecall_core::reports::html::Shown;

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

    /// The same below another page.
    pub(super) fn below(mut self, address: impl Into<String>, name: impl Into<String>) -> Self {
        self.above.push((address.into(), name.into()));
        self
    }

    /// The same without ways to other pages, for people who are to see nothing else.
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
