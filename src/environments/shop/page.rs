//! The pages of WebShop: their texts in order, their addresses, and what can be clicked.

use super::catalogue::Product;
use super::session::{Node, Page, Session, Tab};
use rolecall_core::text::python::{push_dict, push_json, push_repr};
use rolecall_core::text::unique;

/// Where the original's site is.
const SITE: &str = "http://127.0.0.1:3000";

/// The lines of the page after a purchase; those in braces stand for what was bought.
const DONE: &str = "Thank you for shopping with us!\nYour code: \nNone\n (Paste it in your MTurk interface.)\n\
    Purchased\nasin\n{asin}\noptions\n{options}\nattrs\nNone\ncategory\nNone\nquery\nNone\n\
    product category\nNone\nTarget\nasin\noptions\nattrs\nprice upper\ninstuction text\ncategory\n\
    product category\nquery\nGoal \nNone\nReward\nYour score (min 0.0, max 1.0)\n{reward}\n\
    Reward Details \nNone";

impl Session {
    /// Gives each text that a reader of the page sees in order. Blanks alone are one blank, or nothing if they break
    /// the line, as the original's reader of pages leaves them.
    pub(super) fn texts(&self, mut each: impl FnMut(Node, &str)) {
        let is_blank = |byte| matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | 0xc);
        self.nodes(|node, text| {
            if !text.bytes().all(is_blank) {
                each(node, text);
            } else if !text.is_empty() && !text.contains('\n') {
                each(node, " ");
            }
        });
    }

    /// Gives each text of the page in order, as it stands there.
    pub(super) fn nodes(&self, mut each: impl FnMut(Node, &str)) {
        use Node::{Button, Plain};
        let instruction = &*self.goal.instruction;
        if let Page::Results(_) | Page::Item(_) | Page::Sub(..) = self.page {
            each(Plain, "Instruction:");
            each(Plain, instruction);
            each(Button, "Back to Search");
        }
        match &self.page {
            Page::Index => {
                for text in ["WebShop", "Instruction: ", instruction] {
                    each(Plain, text);
                }
                each(Button, "Search");
            }
            Page::Results(shown) => {
                let (number, total) = (self.number, self.found.len());
                each(Plain, &format!("Page {number} (Total results: {total})"));
                if number > 1 {
                    each(Button, "< Prev");
                }
                each(Button, "Next >");
                for (place, product) in shown.iter().enumerate() {
                    let visited = self.visited.iter().any(|seen| seen.asin == product.asin);
                    each(Node::Product { place, visited }, &product.asin);
                    each(Plain, &product.title);
                    each(Plain, &product.price_tag);
                }
            }
            Page::Item(product) => {
                each(Button, "< Prev");
                for (group, option) in product.options.iter().enumerate() {
                    each(Plain, &option.name);
                    for (value, text) in option.values.iter().enumerate() {
                        each(Node::Value { group, value }, text);
                    }
                }
                each(Plain, &product.title);
                each(Plain, &["Price: ", &product.price_tag].concat());
                each(Plain, "Rating: N.A.");
                Tab::ALL
                    .into_iter()
                    .filter(|tab| self.attributes_tab || *tab != Tab::Attributes)
                    .for_each(|tab| each(Button, tab.as_str()));
                each(Button, "Buy Now");
            }
            Page::Sub(product, tab) => {
                each(Button, "< Prev");
                about(product, *tab).iter().for_each(|text| each(Plain, text));
            }
            Page::Done(product, reward) => DONE.split('\n').for_each(|text| match text {
                "{asin}" => each(Plain, &product.asin),
                "{options}" => each(Plain, &self.chosen_in_page()),
                // As Python writes it: the reward has always its point.
                "{reward}" => each(Plain, &format!("{:?}", reward.total)),
                _ => each(Plain, text),
            }),
        }
    }

    /// The chosen options as JSON within a page: sorted by name, without marks that could be markup.
    fn chosen_in_page(&self) -> String {
        let mut pairs: Vec<(&str, &str)> = self.chosen().collect();
        pairs.sort_unstable();
        object(pairs.into_iter(), push_json)
            .replace('&', "\\u0026")
            .replace('<', "\\u003c")
            .replace('>', "\\u003e")
            .replace('\'', "\\u0027")
    }

    /// The address of the page.
    pub fn url(&self) -> String {
        let (id, number) = (&self.id, self.number);
        let query = self.query.replace(' ', "+");
        let chosen = |push| object(self.chosen(), push);
        match &self.page {
            Page::Index => format!("{SITE}/{id}"),
            Page::Results(_) => format!("{SITE}/search_results/{id}/{query}/{number}"),
            Page::Item(product) => {
                let (asin, chosen) = (&product.asin, chosen(push_json));
                format!("{SITE}/item_page/{id}/{asin}/{query}/{number}/{chosen}")
            }
            Page::Sub(product, tab) => {
                let (asin, tab, chosen) = (&product.asin, tab.as_str(), chosen(push_repr));
                format!("{SITE}/item_sub_page/{id}/{asin}/{query}/{number}/{tab}/{chosen}")
            }
            Page::Done(product, _) => {
                format!("{SITE}/done/{id}/{}/{}", product.asin, chosen(push_repr))
            }
        }
    }

    /// Clickable texts of the page, in small letters, each once: buttons, then products or values
    /// of options. Two of them are no use: `search`, and an empty value of an option.
    pub fn clickables(&self) -> Vec<String> {
        let (mut buttons, mut others) = (Vec::new(), Vec::new());
        self.nodes(|node, text| match node {
            Node::Plain => {}
            Node::Button => buttons.push(text.to_lowercase()),
            Node::Product { .. } | Node::Value { .. } => others.push(text.to_lowercase()),
        });
        buttons.append(&mut others);
        unique(buttons)
    }
}

/// Texts about a product behind one of its buttons.
fn about(product: &Product, tab: Tab) -> Vec<String> {
    let indented = |texts: &[String]| texts.iter().map(|text| format!(" {text}")).collect();
    match tab {
        Tab::Description => vec![product.description.clone()],
        Tab::Features => indented(&product.bullets),
        Tab::Reviews => Vec::new(),
        Tab::Attributes => {
            let mut texts: Vec<String> = indented(&product.attributes);
            let found_by = [&product.category, &product.query, &product.product_category];
            texts.extend(found_by.map(String::clone));
            texts
        }
    }
}

/// Names and texts in braces, as Python writes a dictionary.
pub(super) fn object<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>, push: fn(&mut String, &str)) -> String {
    let mut out = String::new();
    push_dict(&mut out, pairs, push, push);
    out
}

/// Whether the address holds the text between two of these quotes.
pub(super) fn holds_quoted(url: &str, text: &str, quote: &str) -> bool {
    // Most addresses hold no quotes at all.
    url.contains(quote) && url.contains(&[quote, text, quote].concat())
}
