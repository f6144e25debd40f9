//! WebShop as the notebook of ReSpAct drives it: pages of the site as short texts, and few of its buttons.

use super::ShopError;
use super::actions::{Asked, BUY_NOW};
use super::page::{holds_quoted, object};
use super::session::{Node, Page, Session, Shop, Tab};
use rolecall_core::text::python::push_repr;
use rolecall_core::text::unique;

/// The products of a page of results that are shown. Others may be clicked by whoever knows them.
const SHOWN: usize = 3;

/// The observation after an action that is none.
pub const INVALID: &str = "Invalid action!";

/// Result of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happened {
    /// The page is to be shown.
    Page,
    /// The observation is this text.
    Text(String),
    /// Nothing: it is no action.
    Refused,
    /// The page allows no such action, and the episode ends without a reward.
    Violated,
}

/// Parses `search[...]` or `click[...]`, whether the last bracket is there or not.
pub(super) fn in_words(text: &str) -> Asked<'_> {
    let (verb, rest) = text.split_once('[').unwrap_or_default();
    let argument = rest.strip_suffix(']').unwrap_or(rest).into();
    match verb {
        "search" => Asked::Search(argument),
        "click" => Asked::Click(argument),
        _ => Asked::Nothing,
    }
}

/// Does what is asked for. Texts of buttons count letter by letter.
///
/// # Errors
/// When a catalogue or an index cannot be read.
pub fn perform(session: &mut Session, shop: &Shop, asked: &Asked<'_>) -> Result<Happened, ShopError> {
    let possible = match asked {
        Asked::Nothing => return Ok(Happened::Refused),
        Asked::Search(query) => matches!(session.page, Page::Index) && session.search(shop, query.to_string())?,
        Asked::Click(button) => match (&**button, Tab::named(button), &session.page) {
            (BUY_NOW, _, page) => matches!(page, Page::Item(_)) && session.buy(shop),
            ("Back to Search", _, page) => !matches!(page, Page::Index) && session.back(),
            (_, Some(tab), page) => matches!(page, Page::Item(_)) && session.look_into(tab),
            // Whatever else is clicked there, the page is shown again.
            (_, None, Page::Index | Page::Sub(..) | Page::Done(..)) => true,
            (_, None, Page::Results(_) | Page::Item(_)) => {
                let clicked = session.clickable(|text| text == button);
                let is_there = clicked.is_some_and(|clicked| session.choose(clicked));
                if let (true, Some(Node::Value { .. })) = (is_there, clicked) {
                    return Ok(Happened::Text(format!("You have clicked {button}.")));
                }
                is_there
            }
        },
    };
    Ok(if possible { Happened::Page } else { Happened::Violated })
}

/// The page as text: buttons and products in brackets on lines of their own, the values of an option behind its
/// name, the chosen ones in double brackets; the instruction on the first page only.
pub(super) fn page(session: &Session) -> String {
    if let Some((_, reward)) = session.purchase() {
        return format!("Your score (min 0.0, max 1.0): {:?}", reward.total);
    }
    let chosen = object(session.chosen(), push_repr);
    let is_first = matches!(session.page, Page::Index);
    let mut out = String::with_capacity(512);
    let (mut plain, mut products, mut after_value) = (0, 0, false);
    session.texts(|node, text| {
        let is_value = matches!(node, Node::Value { .. });
        plain += usize::from(node == Node::Plain && text != " ");
        products += usize::from(matches!(node, Node::Product { .. }));
        // The first two texts are the instruction.
        let is_instruction = node == Node::Plain && plain <= 2 && !is_first;
        if is_instruction || products > SHOWN || (node == Node::Plain && text == " ") {
            return;
        }
        if is_value && !after_value {
            out.push(' ');
        } else if !is_value && !out.is_empty() {
            out.push('\n');
        }
        after_value = is_value;
        let (open, close) = match node {
            Node::Plain => ("", ""),
            _ if is_value && holds_quoted(&chosen, text, "'") => ("[[", "]]"),
            Node::Button | Node::Value { .. } | Node::Product { .. } => ("[", "]"),
        };
        for part in [open, text, close] {
            out.push_str(part);
        }
    });
    out
}

/// The texts that [`perform`] lets an agent click now, as the page has them.
pub(super) fn clickables(session: &Session) -> Vec<String> {
    let mut all = Vec::new();
    session.texts(|node, text| {
        let is_used = node == Node::Button && !["< Prev", "Next >", "Search"].contains(&text);
        if is_used || matches!(node, Node::Value { .. } | Node::Product { .. }) {
            all.push(text.to_owned());
        }
    });
    unique(all)
}
