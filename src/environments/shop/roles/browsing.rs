//! What a role knows of the pages of WebShop, and what it does there next: it searches for the instruction, looks at
//! the products that share most words with it, chooses the options it names, and buys.

use crate::domain::{Brief, MoveKind};
use crate::environments::shop::language::{
    bounded, content, listed, searchable, share, telling, terms,
};
use crate::environments::shop::reading::{Item, Offer, Shown, is_asin};
use crate::text::unique;

/// A product whose page says so much of what is wanted is good enough.
const ENOUGH: f64 = 0.9;
/// Below this share of the instruction's words a title says little.
const POOR: f64 = 0.3;
/// Steps that choosing options and buying may take.
const LAST_STEPS: u32 = 5;
/// The most values that a question names.
const MOST_NAMED: usize = 10;

/// A product whose page was seen.
#[derive(Clone, Debug)]
struct Looked {
    asin: String,
    value: f64,
}

/// What to do next.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Next {
    Act(String),
    Say(String),
}

/// The knowledge of a session.
#[derive(Clone, Debug, Default)]
pub(super) struct Browsing {
    /// Pages are shown as in ReSpAct's notebook, where the way back goes by the first page.
    is_notebook: bool,
    /// What was seen is no page that these roles read.
    pub(super) is_lost: bool,
    instruction: String,
    most: Option<f64>,
    /// The page, and its product if it is one of a product.
    page: Option<Shown>,
    asin: String,
    looked: Vec<Looked>,
    /// What was chosen of this product, or refused.
    clicked: Vec<String>,
    searches: usize,
    /// The product that the user named.
    advised: Option<String>,
    /// The terms of what the user said of options.
    heard: Vec<String>,
    /// The user was asked which product to take.
    asked_which: bool,
    /// The options that the user was asked for.
    asked_for: Vec<String>,
    last: String,
    offers: Vec<Offer>,
}

impl Browsing {
    pub(super) fn performed(&mut self, action: &str) {
        action.clone_into(&mut self.last);
        self.searches += usize::from(action.starts_with("search["));
        if let Some(target) = self
            .last
            .strip_prefix("click[")
            .map(|rest| rest.trim_end_matches(']'))
        {
            let upper = target.to_uppercase();
            match is_asin(&upper) && self.offers.iter().any(|offer| offer.asin == upper) {
                true => {
                    self.asin = upper;
                    self.clicked.clear();
                }
                false => self.clicked.push(target.to_owned()),
            }
        }
    }

    /// Takes what is seen; gives the instruction where it is shown.
    pub(super) fn observed(&mut self, text: &str) -> Option<String> {
        let page = Shown::read(text);
        self.is_lost = self.page.is_none() && page == Shown::Word;
        self.is_notebook |= text.contains("[Back to Search]");
        match &page {
            Shown::Word => return None,
            Shown::Index { instruction } => {
                let (words, most) = bounded(instruction);
                (self.instruction, self.most) = (words.to_owned(), most);
            }
            Shown::Results(offers) => self.offers.clone_from(offers),
            Shown::Item(item) => {
                let (asin, value) = (self.asin.clone(), self.item_value(item));
                self.looked.retain(|looked| looked.asin != asin);
                self.looked.push(Looked { asin, value });
            }
            Shown::Sub(_) => {}
        }
        let instruction = match &page {
            Shown::Index { instruction } => Some(instruction.clone()),
            _ => None,
        };
        self.page = Some(page);
        instruction
    }

    /// Takes a reply of the user.
    pub(super) fn hear(&mut self, reply: &str) {
        let mut words = reply.split(|letter: char| !letter.is_alphanumeric());
        let named =
            words.find(|word| is_asin(word) && self.offers.iter().any(|offer| offer.asin == *word));
        const ORDER: &[&str] = &["first", "second", "third"];
        let small = reply.to_lowercase();
        let counted = ORDER
            .iter()
            .position(|word| small.contains(word))
            .and_then(|place| self.offers.get(place));
        let advised = named
            .map(str::to_owned)
            .or_else(|| counted.map(|offer| offer.asin.clone()));
        if matches!(self.page, Some(Shown::Results(_))) && advised.is_some() {
            self.advised = advised;
        } else {
            self.heard.extend(content(reply));
        }
    }

    fn wanted(&self) -> Vec<String> {
        let mut wanted = content(&self.instruction);
        wanted.extend(self.heard.iter().cloned());
        unique(wanted)
    }

    fn is_dear(&self, price: Option<f64>) -> bool {
        price
            .zip(self.most)
            .is_some_and(|(price, most)| price > most)
    }

    /// The share of what is wanted that an offer's title says; less if it costs too much.
    fn offer_value(&self, offer: &Offer) -> f64 {
        let dear = if self.is_dear(offer.price) { 0.5 } else { 0.0 };
        share(&self.wanted(), &terms(&offer.title)) - dear
    }

    fn item_value(&self, item: &Item) -> f64 {
        let values = item.options.iter().flat_map(|(_, values)| values);
        let said: Vec<String> = values
            .flat_map(|value| terms(value))
            .chain(terms(&item.title))
            .collect();
        let dear = if self.is_dear(item.price) { 0.5 } else { 0.0 };
        share(&self.wanted(), &said) - dear
    }

    /// The next step, for somebody who looks at so many products before buying one.
    pub(super) fn next(&self, brief: &Brief, looks: usize, asks: bool) -> Next {
        let may_say =
            asks && brief.open.contains(MoveKind::Speak) && brief.questions_left != Some(0);
        match &self.page {
            None | Some(Shown::Index { .. }) => self.search(),
            Some(Shown::Results(offers)) => self.choose(offers, brief, looks, may_say),
            Some(Shown::Item(item)) => self.settle(item, brief, looks, may_say),
            Some(Shown::Sub(_) | Shown::Word) if self.is_notebook => click("Back to Search"),
            Some(Shown::Sub(_) | Shown::Word) => click("< Prev"),
        }
    }

    fn search(&self) -> Next {
        let words = searchable(&self.instruction);
        // Fewer words where all of them have found nothing.
        let kept = if self.searches > 0 && self.offers.is_empty() {
            3
        } else {
            usize::MAX
        };
        let query: Vec<&str> = words.split(' ').take(kept).collect();
        Next::Act(format!("search[{}]", query.join(" ")))
    }

    fn choose(&self, offers: &[Offer], brief: &Brief, looks: usize, may_say: bool) -> Next {
        let advised = self
            .advised
            .as_ref()
            .filter(|asin| offers.iter().any(|offer| offer.asin == **asin));
        if let Some(asin) = advised {
            return click(asin);
        }
        let was_seen = |offer: &&Offer| self.looked.iter().any(|looked| looked.asin == offer.asin);
        let mut new: Vec<(f64, &Offer)> = offers
            .iter()
            .filter(|offer| !was_seen(offer))
            .map(|offer| (self.offer_value(offer), offer))
            .collect();
        new.sort_by(|one, other| other.0.total_cmp(&one.0));
        if let ([(first, _), rest @ ..], true, false) = (new.as_slice(), may_say, self.asked_which)
        {
            let close = rest
                .first()
                .is_some_and(|(second, _)| second + 0.01 >= *first);
            if *first < POOR || close {
                return Next::Say(which(&new));
            }
        }
        let best = self.best();
        let best_here = best.filter(|best| offers.iter().any(|offer| offer.asin == best.asin));
        let ends = self.looked.len() >= looks
            || brief
                .steps_left
                .is_some_and(|steps| steps <= LAST_STEPS + 1);
        match (new.first(), best_here) {
            (_, Some(best)) if ends => click(&best.asin),
            (Some((_, offer)), _) => click(&offer.asin),
            (None, Some(best)) => click(&best.asin),
            (None, None) => click("Back to Search"),
        }
    }

    fn best(&self) -> Option<&Looked> {
        self.looked
            .iter()
            .reduce(|best, next| if next.value > best.value { next } else { best })
    }

    fn settle(&self, item: &Item, brief: &Brief, looks: usize, may_say: bool) -> Next {
        let late = self.is_notebook
            || brief
                .steps_left
                .is_some_and(|steps| steps <= LAST_STEPS + 2);
        let is_best = self
            .best()
            .is_some_and(|best| best.asin == self.asin || best.value <= self.item_value(item));
        let settled = self.advised.is_some() || self.item_value(item) >= ENOUGH;
        let unseen = self.offers.len() > self.looked.len();
        let goes_on = !settled && !late && (!is_best || self.looked.len() < looks) && unseen;
        if goes_on {
            return click("< Prev");
        }
        let wanted = self.wanted();
        for (name, values) in &item.options {
            let done = |value: &String| self.clicked.contains(value) || item.chosen.contains(value);
            if values.iter().any(done) {
                continue;
            }
            let fit = |value: &&String| share(&terms(value), &wanted);
            let best = values.iter().map(|value| (fit(&value), value));
            let best = best.reduce(|best, next| if next.0 > best.0 { next } else { best });
            match best {
                Some((share, value)) if share >= 0.5 => return click(value),
                _ if may_say && values.len() > 1 && !self.asked_for.contains(name) => {
                    let named: Vec<&str> =
                        values.iter().take(MOST_NAMED).map(String::as_str).collect();
                    return Next::Say(format!("Which {name} would you like: {}?", listed(&named)));
                }
                _ => {}
            }
        }
        click("Buy Now")
    }

    /// Notes what the user was asked.
    pub(super) fn said(&mut self, question: &str) {
        match &self.page {
            Some(Shown::Item(item)) => {
                let names = item.options.iter().map(|(name, _)| name.clone());
                self.asked_for
                    .extend(names.filter(|name| question.contains(name.as_str())));
            }
            _ => self.asked_which = true,
        }
    }

    /// What is known, in a sentence or two.
    pub(super) fn summary(&self) -> String {
        let wanted = telling(&self.instruction).collect::<Vec<_>>().join(" ");
        let price = self.most.map_or(String::new(), |most| {
            format!(", for {most:.2} dollars at most")
        });
        let seen = match (&self.page, self.best()) {
            (_, Some(best)) => format!("{} is the best product I have looked at.", best.asin),
            (Some(Shown::Results(offers)), None) => {
                format!(
                    "{} products are listed; I have to look at the closest ones.",
                    offers.len()
                )
            }
            _ => "I have to search for it.".to_owned(),
        };
        format!("The user wants: {wanted}{price}. {seen}")
    }
}

fn which(offers: &[(f64, &Offer)]) -> String {
    let shown = offers.iter().take(3).map(|(_, offer)| {
        let price = offer
            .price
            .map_or(String::new(), |price| format!(" for ${price:?}"));
        format!("{} ({}{price})", offer.asin, offer.title)
    });
    let shown: Vec<String> = shown.collect();
    let shown: Vec<&str> = shown.iter().map(String::as_str).collect();
    format!(
        "I am not sure which product is meant: {}? Which one shall I take?",
        listed(&shown)
    )
}

fn click(target: &str) -> Next {
    Next::Act(format!("click[{target}]"))
}
