//! A page of WebShop as its readers see it: texts with marks or without, its address, or a page of a browser.

use std::cell::LazyCell;

use maud::html;
use serde::Deserialize;

use super::page::holds_quoted;
use super::session::{Node, Page, Session};
use rolecall_core::text::python::strip;

/// How observations show a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rendering {
    /// Its texts in a row, with ` [SEP] ` between them.
    Text,
    /// Its texts in lines, those that can be clicked with marks.
    #[default]
    TextRich,
    /// Its address.
    Url,
    /// A page of a browser.
    Html,
    /// As ReSpAct's notebook shows it (section 4.3).
    Respact,
}

/// Separator of the texts of a row, and of observations and actions that are shown together.
const BETWEEN: &str = " [SEP] ";

/// The last observations and the actions between them, as observations may come with them.
#[derive(Clone, Debug, Default)]
pub struct History {
    previous: usize,
    shown: Vec<String>,
}

impl History {
    /// One that shows this number of earlier observations, and as many actions.
    pub fn of(previous: usize) -> Self {
        let shown = Vec::new();
        Self { previous, shown }
    }

    /// Adds the action (none at the beginning) and the observation, and gives the text with those before them.
    pub fn state(&mut self, action: Option<&str>, seen: String) -> String {
        if self.previous == 0 {
            return seen;
        }
        self.shown.extend(action.map(str::to_owned));
        self.shown.push(seen);
        // An observation more than actions: the first is the oldest observation.
        let surplus = self.shown.len().saturating_sub(2 * self.previous + 1);
        self.shown.drain(..surplus);
        self.shown.join(BETWEEN)
    }
}

/// The page as the observation shows it.
pub fn render(session: &Session, rendering: Rendering) -> String {
    match rendering {
        Rendering::Text => text(session),
        Rendering::TextRich => text_rich(session),
        Rendering::Url => session.url(),
        Rendering::Html => html(session),
        Rendering::Respact => super::notebook::page(session),
    }
}

fn text(session: &Session) -> String {
    let mut out = String::with_capacity(1024);
    session.texts(|_, text| {
        out.push_str(strip(text));
        out.push_str(BETWEEN);
    });
    out.truncate(out.len().saturating_sub(BETWEEN.len()));
    out
}

fn text_rich(session: &Session) -> String {
    let mut out = String::with_capacity(2048);
    // A value is marked if the address holds it in quotes, whatever it stands there for.
    let url = LazyCell::new(|| session.url());
    session.texts(|node, text| {
        let (before, is_clicked) = match node {
            Node::Plain | Node::Button => ("", false),
            Node::Product { visited, .. } => ("\n", visited),
            Node::Value { .. } => ("  ", holds_quoted(&url, text, "\"")),
        };
        let (open, close) = match is_clicked {
            _ if node == Node::Plain => ("", ""),
            true => ("[clicked button] ", " [clicked button_]"),
            false => ("[button] ", " [button_]"),
        };
        if is_clicked && matches!(node, Node::Value { .. }) {
            out.insert_str(0, &format!("You have clicked {text}.\n"));
        }
        for part in [before, open, text, close, "\n"] {
            out.push_str(part);
        }
    });
    out
}

/// A plain page with the same texts. It is our own: the original's has styles and scripts besides.
fn html(session: &Session) -> String {
    let mut out = String::with_capacity(4096);
    out.push_str("<!DOCTYPE html>\n<html>\n<body>\n");
    if let Page::Index = session.page {
        out.push_str("<input id=\"search_input\" type=\"text\" name=\"search_query\">\n");
    }
    session.texts(|node, text| {
        let element = match node {
            Node::Plain => html! { p { (text) } },
            Node::Button => html! { button.btn { (text) } },
            Node::Product { visited, .. } => html! { a.product-link.visited[visited] { (text) } },
            Node::Value { group, .. } => {
                let name = session.option(group).map_or("", |option| &*option.name);
                html! { label { input type="radio" name=(name) value=(text); (text) } }
            }
        };
        out.push_str(&element.into_string());
        out.push('\n');
    });
    out.push_str("</body>\n</html>\n");
    out
}
