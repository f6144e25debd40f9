//! WebShop as the notebook of ReSpAct drives it: pages of the site as short texts, and few of its buttons.

use super::ShopError;
use super::actions::BUY_NOW;
use super::page::{Node, holds_quoted, object};
use super::session::{Page, Session, Shop, Tab};
use crate::text::python::push_repr;
use crate::text::unique;

/// The products of a page of results that are shown. Others may be clicked by whoever knows them.
const SHOWN: usize = 3;

/// The observation after an action that is none.
pub const INVALID: &str = "Invalid action!";

/// What came of an action.
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

/// Does what `search[...]` or `click[...]` asks for. Texts of buttons count letter by letter.
///
/// # Errors
/// When a catalogue or an index cannot be read.
pub fn perform(session: &mut Session, shop: &Shop, text: &str) -> Result<Happened, ShopError> {
    let argument = |verb: &str| {
        let rest = text.strip_prefix(verb)?.strip_prefix('[')?;
        Some(rest.strip_suffix(']').unwrap_or(rest))
    };
    let possible = if let Some(query) = argument("search") {
        matches!(session.page, Page::Index) && session.search(shop, query.to_owned())?
    } else if let Some(button) = argument("click") {
        match button {
            BUY_NOW => matches!(session.page, Page::Item(_)) && session.buy(shop)?,
            "Back to Search" => !matches!(session.page, Page::Index) && session.back(),
            _ => match (Tab::named(button), &session.page) {
                (Some(tab), Page::Item(_)) => session.look_into(tab),
                (Some(_), _) => false,
                (None, Page::Results(_)) => session.open(button),
                (None, Page::Item(_)) => {
                    if session.choose_value(button) {
                        return Ok(Happened::Text(format!("You have clicked {button}.")));
                    }
                    false
                }
                // Whatever else is clicked there, the page is shown again.
                (None, Page::Index | Page::Sub(..) | Page::Done(..)) => true,
            },
        }
    } else {
        return Ok(Happened::Refused);
    };
    Ok(match possible {
        true => Happened::Page,
        false => Happened::Violated,
    })
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
    session.nodes(|node, text| {
        plain += usize::from(node == Node::Plain && text != " ");
        products += usize::from(matches!(node, Node::Product { .. }));
        let is_value = matches!(node, Node::Value { .. });
        // The first two texts are the instruction.
        let is_hidden = match node {
            Node::Plain => text == " " || (plain <= 2 && !is_first) || products > SHOWN,
            Node::Product { .. } => products > SHOWN,
            Node::Button | Node::Value { .. } => false,
        };
        if is_hidden {
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
            Node::Value { .. } if holds_quoted(&chosen, text, b'\'') => ("[[", "]]"),
            Node::Button | Node::Value { .. } | Node::Product { .. } => ("[", "]"),
        };
        [open, text, close]
            .into_iter()
            .for_each(|part| out.push_str(part));
    });
    out
}

/// The texts that [`perform`] lets an agent click now, as the page has them.
pub(super) fn clickables(session: &Session) -> Vec<String> {
    let mut all = Vec::new();
    session.nodes(|node, text| {
        let is_used = node == Node::Button && !["< Prev", "Next >", "Search"].contains(&text);
        if is_used || matches!(node, Node::Value { .. } | Node::Product { .. }) {
            all.push(text.to_owned());
        }
    });
    unique(all)
}
