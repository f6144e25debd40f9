//! A page of WebShop as its readers see it: texts with marks or without, its address, or a page of a browser.

use std::collections::VecDeque;

use serde::Deserialize;

use super::page::{Node, holds_quoted};
use super::session::{Page, Session};
use crate::text::python::strip;

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

names! { Rendering, as_str:
    TextRich => "text_rich", Text => "text", Url => "url", Html => "html", Respact => "respact",
}

impl Rendering {
    /// The words of configs, the default first.
    pub const WORDS: &[&str] = &["text_rich", "text", "url", "html", "respact"];
}

/// What stands between the texts of a row, and between observations and actions that are shown together.
const BETWEEN: &str = " [SEP] ";

/// The last observations and the actions between them, as observations may come with them.
#[derive(Clone, Debug, Default)]
pub struct History {
    previous: usize,
    shown: VecDeque<String>,
}

impl History {
    /// One that shows this number of earlier observations, and as many actions.
    pub fn of(previous: usize) -> Self {
        let shown = VecDeque::new();
        Self { previous, shown }
    }

    /// What was seen, after what was shown before and the action (none at the beginning).
    pub fn state(&mut self, action: Option<&str>, seen: String) -> String {
        if self.previous == 0 {
            return seen;
        }
        self.shown.extend(action.map(str::to_owned));
        self.shown.push_back(seen);
        // An observation more than actions: the first is the oldest observation.
        while self.shown.len() > 2 * self.previous + 1 {
            self.shown.pop_front();
        }
        let parts: Vec<&str> = self.shown.iter().map(String::as_str).collect();
        parts.join(BETWEEN)
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
    let mut first = true;
    session.nodes(|_, text| {
        if !std::mem::replace(&mut first, false) {
            out.push_str(BETWEEN);
        }
        out.push_str(strip(text));
    });
    out
}

fn text_rich(session: &Session) -> String {
    let mut out = String::with_capacity(2048);
    // A value is marked if the address holds it in quotes, whatever it stands there for.
    let url = match &session.page {
        Page::Item(_) => session.url(),
        _ => String::new(),
    };
    let mut clicked: Vec<String> = Vec::new();
    let mut line = |parts: [&str; 3]| {
        parts.into_iter().for_each(|part| out.push_str(part));
        out.push('\n');
    };
    session.nodes(|node, text| match node {
        Node::Plain => line([text, "", ""]),
        Node::Button => line(["[button] ", text, " [button_]"]),
        Node::Value { .. } if holds_quoted(&url, text, b'"') => {
            clicked.push(text.to_owned());
            line(["  [clicked button] ", text, " [clicked button_]"]);
        }
        Node::Value { .. } => line(["  [button] ", text, " [button_]"]),
        Node::Product { visited: true } => {
            line(["\n[clicked button] ", text, " [clicked button_]"])
        }
        Node::Product { visited: false } => line(["\n[button] ", text, " [button_]"]),
    });
    if clicked.is_empty() {
        return out;
    }
    let said = clicked.iter().rev();
    let mut said: String = said
        .map(|text| format!("You have clicked {text}.\n"))
        .collect();
    said.push_str(&out);
    said
}

/// A plain page with the same texts. It is our own: the original's has styles and scripts besides.
fn html(session: &Session) -> String {
    let mut out = String::with_capacity(4096);
    out.push_str("<!DOCTYPE html>\n<html>\n<body>\n");
    if let Page::Index = session.page {
        out.push_str("<input id=\"search_input\" type=\"text\" name=\"search_query\">\n");
    }
    let mut element = |start: &str, text: &str, end: &str| {
        out.push_str(start);
        push_escaped(&mut out, text);
        out.push_str(end);
    };
    session.nodes(|node, text| match node {
        Node::Plain => element("<p>", text, "</p>\n"),
        Node::Button => element("<button class=\"btn\">", text, "</button>\n"),
        Node::Value { option } => {
            element("<label><input type=\"radio\" name=\"", option, "\"");
            element(" value=\"", text, "\">");
            element("", text, "</label>\n");
        }
        Node::Product { visited: true } => {
            element("<a class=\"product-link visited\">", text, "</a>\n")
        }
        Node::Product { visited: false } => element("<a class=\"product-link\">", text, "</a>\n"),
    });
    out.push_str("</body>\n</html>\n");
    out
}

fn push_escaped(out: &mut String, text: &str) {
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            _ => out.push(letter),
        }
    }
}
