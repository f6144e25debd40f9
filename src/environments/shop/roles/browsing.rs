//! Knowledge of a role about the pages of WebShop, and its next step there: it searches for the instruction, looks at
//! the products that share most words with it, chooses the options it names, and buys.

use super::{bound, ends_within, first_words, spoken};
use crate::language::{bounded, content, is_dear, listed, ranked, searchable, share, telling, terms, words};
use crate::reading::{Shown, ShownProduct};
use rolecall_core::domain::{Brief, Move, MoveKind};
use rolecall_core::text::{joined_by, unique};

/// A product whose page says so much of what is wanted is good enough.
const ENOUGH: f64 = 0.9;
/// Below this share of the instruction's words a title says little.
const POOR: f64 = 0.3;
/// Words of an instruction with so few that tell something may lack a detail.
const LITTLE: usize = 4;
/// Steps that choosing options and buying may take.
const LAST_STEPS: u32 = 5;
/// The most values that a question names.
const MOST_NAMED: usize = 10;

/// The knowledge of a session.
#[derive(Clone, Debug, Default)]
pub(super) struct Browsing {
    /// Pages are shown as in ReSpAct's notebook, where the way back goes by the first page.
    is_notebook: bool,
    /// The product wanted, and its highest price in dollars.
    goal: String,
    most: Option<f64>,
    /// The last page that these roles read; none if nothing that was seen was one.
    pub(super) page: Option<Shown>,
    /// The product that was opened last.
    asin: String,
    /// The products whose pages were seen, with what they seemed worth.
    looked: Vec<(f64, String)>,
    /// The options of the product that were chosen or refused.
    clicked: Vec<String>,
    searches: usize,
    /// The product that the user named.
    advised: Option<String>,
    /// The terms of what the user said of options.
    heard: Vec<String>,
    /// The user was asked what exactly is wanted, and has said so.
    asked_what: bool,
    is_whole: bool,
    /// The user was asked which product to take.
    asked_which: bool,
    /// The options that the user was asked for.
    asked_for: Vec<String>,
    /// The products that the last search found.
    offers: Vec<ShownProduct>,
}

impl Browsing {
    pub(super) fn performed(&mut self, action: &str) {
        self.searches += usize::from(action.starts_with("search["));
        let Some(target) = action.strip_prefix("click[") else {
            return;
        };
        let target = target.trim_end_matches(']');
        match self.offered(&target.to_uppercase()) {
            Some(asin) => {
                self.asin = asin;
                self.clicked.clear();
            }
            None => self.clicked.push(target.to_owned()),
        }
    }

    /// Takes what is seen.
    pub(super) fn observed(&mut self, text: &str) {
        self.is_notebook |= text.contains("[Back to Search]");
        let Some(page) = Shown::read(text) else {
            return;
        };
        match &page {
            Shown::Index(_) if self.is_whole => {}
            Shown::Index(instruction) => (self.goal, self.most) = bounded(instruction),
            Shown::Results(offers) => self.offers.clone_from(offers),
            Shown::Item(item) => {
                let worth = self.worth(item);
                self.looked.retain(|(_, asin)| *asin != self.asin);
                self.looked.push((worth, self.asin.clone()));
            }
            Shown::Sub => {}
        }
        self.page = Some(page);
    }

    /// Notes what the user was asked.
    pub(super) fn said(&mut self, question: &str) {
        let item = match &self.page {
            Some(Shown::Item(item)) => item,
            Some(Shown::Index(_)) => {
                self.asked_what = true;
                return;
            }
            _ => {
                self.asked_which = true;
                return;
            }
        };
        let named = item.options.iter().map(|(name, _)| name).filter(|name| question.contains(name.as_str()));
        self.asked_for.extend(named.cloned());
    }

    /// Takes a reply of the user.
    pub(super) fn hear(&mut self, reply: &str) {
        if self.asked_what && matches!(self.page, Some(Shown::Index(_))) {
            self.is_whole = true;
            (self.goal, self.most) = bounded(reply);
            return;
        }
        let small = reply.to_lowercase();
        let counted = || {
            let mut order = ["first", "second", "third"].iter();
            let place = order.position(|word| small.contains(word))?;
            Some(self.offers.get(place)?.asin.clone())
        };
        let named = words(reply).find_map(|word| self.offered(word));
        match named.or_else(counted) {
            Some(asin) if matches!(self.page, Some(Shown::Results(_))) => self.advised = Some(asin),
            _ => self.heard.extend(content(reply)),
        }
    }

    /// The product of this number, if the last search has found it.
    fn offered(&self, asin: &str) -> Option<String> {
        let mut offers = self.offers.iter();
        Some(offers.find(|offer| offer.asin == asin)?.asin.clone())
    }

    fn wanted(&self) -> Vec<String> {
        unique(content(&self.goal).into_iter().chain(self.heard.clone()))
    }

    /// The share of what is wanted that a product says; less if it costs too much.
    fn worth(&self, product: &ShownProduct) -> f64 {
        let texts = product.options.iter().flat_map(|(_, values)| values).chain([&product.title]);
        let said: Vec<String> = texts.flat_map(|text| terms(text)).collect();
        let is_dear = is_dear(product.price, self.most);
        share(&self.wanted(), &said) - if is_dear { 0.5 } else { 0.0 }
    }

    /// The next step, for somebody who looks at so many products before buying one.
    pub(super) fn next(&self, brief: &Brief, looks: usize, asks: bool) -> Move {
        let may_ask = asks && brief.open.contains(MoveKind::Speak);
        let may_ask = may_ask && brief.questions_left != Some(0);
        match &self.page {
            None | Some(Shown::Index(_)) => self.search(),
            Some(Shown::Results(_)) => self.choose(brief, looks, may_ask),
            Some(Shown::Item(item)) => self.settle(item, brief, looks, may_ask),
            Some(Shown::Sub) if self.is_notebook => click("Back to Search"),
            Some(Shown::Sub) => click("< Prev"),
        }
    }

    /// The question what exactly is wanted, where an instruction says so little that something may be missing.
    pub(super) fn unclear(&self, brief: &Brief) -> Option<Move> {
        let may_ask = brief.open.contains(MoveKind::Speak) && brief.questions_left != Some(0);
        let is_first = matches!(self.page, Some(Shown::Index(_))) && !self.asked_what;
        let says_little = !self.goal.contains(": ") && content(&self.goal).len() <= LITTLE;
        let asks = may_ask && is_first && says_little;
        asks.then(|| spoken("What exactly are you looking for?".to_owned(), brief))
    }

    fn search(&self) -> Move {
        // Fewer words where all of them have found nothing.
        let found_nothing = self.searches > 0 && self.offers.is_empty();
        let kept = if found_nothing { 3 } else { usize::MAX };
        let query = first_words(&searchable(&self.goal), kept);
        Move::act(format!("search[{query}]"))
    }

    fn choose(&self, brief: &Brief, looks: usize, may_ask: bool) -> Move {
        let advised = self.advised.as_ref();
        if let Some(asin) = advised.and_then(|asin| self.offered(asin)) {
            return click(&asin);
        }
        let was_seen = |asin: &str| self.looked.iter().any(|(_, looked)| looked == asin);
        let new = self.offers.iter().filter(|offer| !was_seen(&offer.asin));
        let new = ranked(new, |offer| self.worth(offer));
        let is_unsure = match new.as_slice() {
            [] => false,
            [(first, _), (second, _), ..] if second + 0.01 >= *first => true,
            [(first, _), ..] => *first < POOR,
        };
        if may_ask && !self.asked_which && is_unsure {
            return spoken(which(&new), brief);
        }
        let ends = self.looked.len() >= looks || ends_within(brief, LAST_STEPS + 1);
        let next = new.first().map(|(_, offer)| offer.asin.clone());
        let best = self.best().and_then(|(_, asin)| self.offered(asin));
        let taken = if ends { best.or(next) } else { next.or(best) };
        click(taken.as_deref().unwrap_or("Back to Search"))
    }

    /// The best of the products whose pages were seen.
    fn best(&self) -> Option<&(f64, String)> {
        let looked = ranked(&self.looked, |(worth, _)| *worth);
        Some(looked.first()?.1)
    }

    fn settle(&self, item: &ShownProduct, brief: &Brief, looks: usize, may_ask: bool) -> Move {
        let worth = self.worth(item);
        let is_late = self.is_notebook || ends_within(brief, LAST_STEPS + 2);
        let best = self.best();
        let is_best = best.is_some_and(|(best, asin)| *asin == self.asin || *best <= worth);
        let is_settled = self.advised.is_some() || worth >= ENOUGH || is_late;
        let may_be_better = !is_best || self.looked.len() < looks;
        if !is_settled && may_be_better && self.offers.len() > self.looked.len() {
            return click("< Prev");
        }
        let wanted = self.wanted();
        for (name, values) in &item.options {
            let done = |value: &String| self.clicked.contains(value) || item.chosen.contains(value);
            if values.iter().any(done) {
                continue;
            }
            match ranked(values, |value| share(&terms(value), &wanted)).first() {
                Some((share, value)) if *share >= 0.5 => return click(value),
                _ if may_ask && values.len() > 1 && !self.asked_for.contains(name) => {
                    let values = listed(values.get(..MOST_NAMED).unwrap_or(values));
                    return spoken(format!("Which {name} would you like: {values}?"), brief);
                }
                _ => {}
            }
        }
        click("Buy Now")
    }

    /// Summary of what is known, in a sentence or two.
    pub(super) fn summary(&self) -> String {
        let wanted = joined_by(" ", telling(&self.goal));
        let seen = match (&self.page, self.best()) {
            (_, Some((_, best))) => format!("{best} is the best product I have looked at."),
            (Some(Shown::Results(offers)), None) => {
                let count = offers.len();
                format!("{count} products are listed; I have to look at the closest ones.")
            }
            _ => "I have to search for it.".to_owned(),
        };
        format!("The user wants: {wanted}{}. {seen}", bound(self.most))
    }
}

/// The question which of the likeliest products is meant.
fn which(offers: &[(f64, &ShownProduct)]) -> String {
    let shown = offers.iter().take(3).map(|(_, offer)| {
        let price = offer.price.map(|price| format!(" for ${price:?}")).unwrap_or_default();
        format!("{} ({}{price})", offer.asin, offer.title)
    });
    let shown = listed(&shown.collect::<Vec<_>>());
    format!("I am not sure which product is meant: {shown}? Which one shall I take?")
}

fn click(target: &str) -> Move {
    Move::act(format!("click[{target}]"))
}
