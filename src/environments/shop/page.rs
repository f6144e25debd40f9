//! The pages of WebShop: their texts in order, their addresses, and what can be clicked.

use std::fmt::Write;

use super::session::{Page, Session, Tab};
use crate::text::python::{push_json, push_repr};
use crate::text::unique;

/// Where the original's site is.
const SITE: &str = "http://127.0.0.1:3000";

/// A text of a page, by what it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node<'a> {
    /// Nothing that can be clicked.
    Plain,
    /// A button.
    Button,
    /// A value of an option.
    Value {
        /// The option's name.
        option: &'a str,
    },
    /// A product of a list.
    Product {
        /// It was looked at since the first page.
        visited: bool,
    },
}

/// The lines of the page after a purchase, around what was bought and the reward.
const BOUGHT: [&str; 6] = [
    "Thank you for shopping with us!",
    "Your code: ",
    "None",
    " (Paste it in your MTurk interface.)",
    "Purchased",
    "asin",
];
const BOUGHT_ATTRIBUTES: [&str; 22] = [
    "attrs",
    "None",
    "category",
    "None",
    "query",
    "None",
    "product category",
    "None",
    "Target",
    "asin",
    "options",
    "attrs",
    "price upper",
    "instuction text",
    "category",
    "product category",
    "query",
    "Goal ",
    "None",
    "Reward",
    "Your score (min 0.0, max 1.0)",
    "",
];

impl Session {
    /// Gives each text of the page in order. Blanks alone are one blank, or nothing if they break the line, as the
    /// original's reader of pages leaves them.
    #[expect(clippy::too_many_lines, reason = "one page from top to bottom")]
    pub(super) fn nodes(&self, mut each: impl FnMut(Node<'_>, &str)) {
        let mut give = |node: Node<'_>, text: &str| {
            let is_blank = |byte| matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | 0xc);
            if !text.bytes().all(is_blank) {
                each(node, text);
            } else if !text.is_empty() && !text.contains('\n') {
                each(node, " ");
            }
        };
        match &self.page {
            Page::Index => {
                give(Node::Plain, "WebShop");
                give(Node::Plain, "Instruction: ");
            }
            Page::Done(..) => {}
            Page::Results(_) | Page::Item(_) | Page::Sub(..) => give(Node::Plain, "Instruction:"),
        }
        if !self.is_done() {
            give(Node::Plain, &self.goal.instruction);
        }
        let mut buttons = self.buttons();
        let mut line = String::new();
        match &self.page {
            Page::Index | Page::Done(..) => {}
            Page::Results(_) => give(Node::Button, buttons.next().unwrap_or_default()),
            Page::Item(_) | Page::Sub(..) => {
                buttons
                    .by_ref()
                    .take(2)
                    .for_each(|button| give(Node::Button, button));
            }
        }
        match &self.page {
            Page::Index => buttons.for_each(|button| give(Node::Button, button)),
            Page::Results(shown) => {
                let (number, total) = (self.number, self.found.len());
                // Writing to a text cannot fail.
                let _ = write!(line, "Page {number} (Total results: {total})");
                give(Node::Plain, &line);
                buttons.for_each(|button| give(Node::Button, button));
                for listed in shown {
                    let visited = self.visited.contains(&listed.id);
                    give(Node::Product { visited }, &listed.product.asin);
                    give(Node::Plain, &listed.product.title);
                    give(Node::Plain, &listed.product.price_tag);
                }
            }
            Page::Item(product) => {
                for option in &product.options {
                    give(Node::Plain, &option.name);
                    for value in &option.values {
                        let option = &option.name;
                        give(Node::Value { option }, value);
                    }
                }
                give(Node::Plain, &product.title);
                line.push_str("Price: ");
                line.push_str(&product.price_tag);
                give(Node::Plain, &line);
                give(Node::Plain, "Rating: N.A.");
                buttons.for_each(|button| give(Node::Button, button));
            }
            Page::Sub(product, tab) => {
                let mut listed = |texts: &[String]| {
                    for text in texts {
                        line.clear();
                        line.push(' ');
                        line.push_str(text);
                        give(Node::Plain, &line);
                    }
                };
                match tab {
                    Tab::Description => give(Node::Plain, &product.description),
                    Tab::Features => listed(&product.bullets),
                    Tab::Reviews => {}
                    Tab::Attributes => {
                        listed(&product.attributes);
                        give(Node::Plain, &product.category);
                        give(Node::Plain, &product.query);
                        give(Node::Plain, &product.product_category);
                    }
                }
            }
            Page::Done(product, reward) => {
                BOUGHT.iter().for_each(|text| give(Node::Plain, text));
                give(Node::Plain, &product.asin);
                give(Node::Plain, "options");
                give(Node::Plain, &self.chosen_in_page());
                BOUGHT_ATTRIBUTES
                    .iter()
                    .for_each(|text| give(Node::Plain, text));
                // As Python writes it: the reward has always its point.
                let _ = write!(line, "{:?}", reward.total);
                give(Node::Plain, &line);
                give(Node::Plain, "Reward Details ");
                give(Node::Plain, "None");
            }
        }
    }

    /// The chosen options as JSON within a page: sorted by name, without marks that could be markup.
    fn chosen_in_page(&self) -> String {
        let mut pairs: Vec<(&str, &str)> = self.chosen().collect();
        pairs.sort_unstable();
        let json = object(pairs.into_iter(), push_json);
        let unsafe_marks = ['&', '<', '>', '\''];
        if !json.contains(unsafe_marks) {
            return json;
        }
        let mut shown = String::with_capacity(json.len() + 16);
        for letter in json.chars() {
            match unsafe_marks.contains(&letter) {
                // Writing to a text cannot fail.
                true => drop(write!(shown, "\\u{:04x}", u32::from(letter))),
                false => shown.push(letter),
            }
        }
        shown
    }

    /// The address of the page.
    pub fn url(&self) -> String {
        let (id, number) = (&self.id, self.number);
        let query = self.query.replace(' ', "+");
        match &self.page {
            Page::Index => format!("{SITE}/{id}"),
            Page::Results(_) => format!("{SITE}/search_results/{id}/{query}/{number}"),
            Page::Item(product) => {
                let (asin, chosen) = (&product.asin, object(self.chosen(), push_json));
                format!("{SITE}/item_page/{id}/{asin}/{query}/{number}/{chosen}")
            }
            Page::Sub(product, tab) => {
                let (asin, tab) = (&product.asin, tab.as_str());
                let chosen = object(self.chosen(), push_repr);
                format!("{SITE}/item_sub_page/{id}/{asin}/{query}/{number}/{tab}/{chosen}")
            }
            Page::Done(product, _) => {
                let (asin, chosen) = (&product.asin, object(self.chosen(), push_repr));
                format!("{SITE}/done/{id}/{asin}/{chosen}")
            }
        }
    }

    /// What can be clicked by the texts of the page, in small letters, each once: buttons, then products or values
    /// of options. Two of them are no use: `search`, and an empty value of an option.
    pub fn clickables(&self) -> Vec<String> {
        let mut all: Vec<String> = self.buttons().map(str::to_ascii_lowercase).collect();
        match &self.page {
            Page::Results(shown) => {
                all.extend(
                    shown
                        .iter()
                        .map(|listed| listed.product.asin.to_lowercase()),
                );
            }
            Page::Item(product) => {
                let values = product.options.iter().flat_map(|option| &option.values);
                all.extend(values.cloned());
            }
            Page::Index | Page::Sub(..) | Page::Done(..) => {}
        }
        unique(all)
    }
}

/// Names and texts in braces, as Python writes a dictionary.
pub(super) fn object<'a>(
    pairs: impl Iterator<Item = (&'a str, &'a str)>,
    push: fn(&mut String, &str),
) -> String {
    let mut out = String::from("{");
    for (place, (name, text)) in pairs.enumerate() {
        if place > 0 {
            out.push_str(", ");
        }
        push(&mut out, name);
        out.push_str(": ");
        push(&mut out, text);
    }
    out.push('}');
    out
}

/// Whether the address holds the text between two of these quotes.
pub(super) fn holds_quoted(url: &str, text: &str, quote: u8) -> bool {
    let bytes = url.as_bytes();
    // Most addresses hold no quotes at all.
    let mut from = match url.find(char::from(quote)) {
        Some(first) => first + 1,
        None => return false,
    };
    while let Some(found) = url.get(from..).and_then(|rest| rest.find(text)) {
        let (start, end) = (from + found, from + found + text.len());
        if bytes.get(start - 1) == Some(&quote) && bytes.get(end) == Some(&quote) {
            return true;
        }
        from = start + text.chars().next().map_or(1, char::len_utf8);
    }
    false
}
