//! One session of WebShop: which page is shown, and what clicks and searches make of it.

use std::sync::Arc;

use serde::Serialize;

use super::ShopError;
use super::actions::Asked;
use super::catalogue::{Catalogue, OptionGroup, Product, ProductId};
use super::goal::Goal;
use super::nouns::Tagger;
use super::score::{Reward, reward};
use super::search::{self, Search, is_random};
use rolecall_core::domain::Seed;

/// Products on one page of results.
const PER_PAGE: usize = 10;

/// The shop that sessions go to.
#[derive(Clone)]
pub struct Shop {
    /// Its products.
    pub catalogue: Arc<dyn Catalogue>,
    /// Its search.
    pub search: Arc<dyn Search>,
    /// Tagger of the nouns by which the reward compares titles.
    pub tagger: Arc<dyn Tagger>,
}

/// A page of a product that has its own button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tab {
    /// The long description.
    Description,
    /// The short descriptions.
    Features,
    /// Reviews, of which there are none.
    Reviews,
    /// The attributes, and how the product was found.
    Attributes,
}

rolecall_core::names! { Tab, as_str:
    Description => "Description", Features => "Features", Reviews => "Reviews", Attributes => "Attributes",
}

/// A text of a page, by what it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// Nothing that can be clicked.
    Plain,
    /// A button.
    Button,
    /// A product of a list.
    Product {
        /// Its place in the list of the page.
        place: usize,
        /// It was looked at since the first page.
        visited: bool,
    },
    /// A value of an option, by the numbers of both.
    Value {
        /// The number of the option.
        group: usize,
        /// The number of the value.
        value: usize,
    },
}

/// The page that is shown.
#[derive(Clone, Debug)]
pub enum Page {
    /// The first page, where nothing was searched yet.
    Index,
    /// A page of results.
    Results(Vec<Arc<Product>>),
    /// A product.
    Item(Arc<Product>),
    /// Something more of a product.
    Sub(Arc<Product>, Tab),
    /// A product was bought.
    Done(Arc<Product>, Box<Reward>),
}

/// Counts of what was done in a session.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Counts {
    /// Queries.
    searches: u32,
    /// Products that were looked at, each time.
    products: u32,
    /// Options that were chosen, each time.
    options: u32,
    /// Descriptions, features, reviews and attributes that were looked at.
    tabs: u32,
}

/// One session: a state machine over what is clicked and searched.
#[derive(Clone, Debug)]
pub struct Session {
    /// Its name in addresses.
    pub(super) id: String,
    pub(super) goal: Arc<Goal>,
    /// Products have a button for their attributes.
    pub(super) attributes_tab: bool,
    seed: Seed,
    pub(super) page: Page,
    /// The last query.
    pub(super) query: String,
    /// The number of the page of results, from 1; that before the first is 0, and empty.
    pub(super) number: u32,
    pub(super) found: Vec<ProductId>,
    /// The products that were looked at since the first page.
    pub(super) visited: Vec<Arc<Product>>,
    /// The option and the value of each choice, by their numbers in the product, in the order of clicks.
    choices: Vec<(usize, usize)>,
    /// How often random products were drawn.
    draws: u32,
    pub(super) counts: Counts,
}

impl Session {
    /// A session on its first page. `seed` draws the products of the query `<r>`.
    pub fn new(id: impl Into<String>, goal: Arc<Goal>, attributes_tab: bool, seed: Seed) -> Self {
        Self {
            id: id.into(),
            goal,
            attributes_tab,
            seed,
            page: Page::Index,
            query: String::new(),
            number: 1,
            found: Vec::new(),
            visited: Vec::new(),
            choices: Vec::new(),
            draws: 0,
            counts: Counts::default(),
        }
    }

    /// Begins the session again on its first page, with this seed.
    pub(super) fn anew(&self, seed: Seed) -> Self {
        Self::new(&*self.id, Arc::clone(&self.goal), self.attributes_tab, seed)
    }

    /// The page that is shown.
    pub fn page(&self) -> &Page {
        &self.page
    }

    /// Whether a product was bought. A search begins anew.
    pub fn is_done(&self) -> bool {
        matches!(self.page, Page::Done(..))
    }

    /// The product that was bought, and its reward.
    pub fn purchase(&self) -> Option<(&Product, &Reward)> {
        match &self.page {
            Page::Done(product, reward) => Some((product, reward)),
            _ => None,
        }
    }

    /// The product of the page.
    fn product(&self) -> Option<&Arc<Product>> {
        match &self.page {
            Page::Index | Page::Results(_) => None,
            Page::Item(product) | Page::Sub(product, _) | Page::Done(product, _) => Some(product),
        }
    }

    /// The options that are chosen, with their values, in the order in which they were first clicked.
    pub fn chosen(&self) -> impl Iterator<Item = (&str, &str)> {
        self.choices.iter().filter_map(|(group, value)| {
            let group = self.option(*group)?;
            Some((&*group.name, &**group.values.get(*value)?))
        })
    }

    /// An option of the page's product, by its number.
    pub(super) fn option(&self, group: usize) -> Option<&OptionGroup> {
        self.product()?.options.get(group)
    }

    /// Does what is asked for; false if that cannot be done here, and then nothing changes.
    ///
    /// # Errors
    /// When a catalogue or an index cannot be read; nothing changes then either.
    pub fn perform(&mut self, shop: &Shop, asked: &Asked<'_>) -> Result<bool, ShopError> {
        match asked {
            Asked::Search(query) if !query.is_empty() => self.search(shop, query.to_lowercase()),
            Asked::Click(target) => self.click(shop, &target.to_lowercase()),
            Asked::Search(_) | Asked::Nothing => Ok(false),
        }
    }

    fn click(&mut self, shop: &Shop, name: &str) -> Result<bool, ShopError> {
        let clickable =
            self.clickable(|text| text.eq_ignore_ascii_case(name) || (!text.is_ascii() && text.to_lowercase() == name));
        let Some(clickable) = clickable.filter(|_| name != "search") else {
            return Ok(false);
        };
        // The meaning of a button goes before a product or an option of the same text.
        let mut tabs = Tab::ALL.into_iter();
        if let Some(tab) = tabs.find(|tab| tab.as_str().eq_ignore_ascii_case(name)) {
            return Ok(self.look_into(tab));
        }
        match name {
            "buy now" => Ok(self.buy(shop)),
            "back to search" => Ok(self.back()),
            "next >" if self.is_addressed_as("search_results") => self.turn(shop, self.number.saturating_add(1)),
            "< prev" if self.is_addressed_as("search_results") => self.turn(shop, self.number.saturating_sub(1)),
            "< prev" if self.is_addressed_as("item_page") => self.turn(shop, self.number),
            "< prev" => Ok(self.look_at(Page::Item)),
            _ => Ok(self.choose(clickable)),
        }
    }

    /// Clickable node with such a text; of several the last one.
    pub(super) fn clickable(&self, is_meant: impl Fn(&str) -> bool) -> Option<Node> {
        let mut last = None;
        self.nodes(|node, text| {
            if node != Node::Plain && is_meant(text) {
                last = Some(node);
            }
        });
        last
    }

    /// Whether the page is this kind of page for the original, which looks for the word in the page's address:
    /// what was searched for stands there too.
    fn is_addressed_as(&self, kind: &str) -> bool {
        self.url().contains(kind)
    }

    /// Goes back to the first page.
    pub(super) fn back(&mut self) -> bool {
        self.page = Page::Index;
        self.query.clear();
        (self.number, self.found) = (1, Vec::new());
        self.visited.clear();
        self.choices.clear();
        true
    }

    /// Searches, on whatever page, also after a purchase; false if the original fails at the query.
    pub(super) fn search(&mut self, shop: &Shop, query: String) -> Result<bool, ShopError> {
        let Some(found) = self.find(shop, &query)? else {
            return Ok(false);
        };
        self.show(shop, 1, Some(found))?;
        self.query = query;
        self.counts.searches += 1;
        Ok(true)
    }

    /// Shows another page of the results of the last query. Random products are drawn anew for each page.
    fn turn(&mut self, shop: &Shop, number: u32) -> Result<bool, ShopError> {
        let query = self.query.clone();
        let drawn = if is_random(&query) { self.find(shop, &query)? } else { None };
        self.show(shop, number, drawn)
    }

    /// The products for a query; none if the original fails at it.
    fn find(&mut self, shop: &Shop, query: &str) -> Result<Option<Vec<ProductId>>, ShopError> {
        let seed = self.seed.labelled("<r>", "", self.draws);
        self.draws += u32::from(is_random(query));
        search::find(&*shop.catalogue, &*shop.search, query, seed)
    }

    /// Shows a page of what was found now, or of what was found before.
    fn show(&mut self, shop: &Shop, number: u32, found: Option<Vec<ProductId>>) -> Result<bool, ShopError> {
        // There is nothing on the page before the first.
        let before = number.checked_sub(1).map(|pages| pages as usize);
        let mut pages = found.as_ref().unwrap_or(&self.found).chunks(PER_PAGE);
        let listed = before
            .and_then(|pages_before| pages.nth(pages_before))
            .unwrap_or_default()
            .iter()
            .map(|id| shop.catalogue.product(*id));
        self.page = Page::Results(listed.collect::<Result<_, _>>()?);
        self.number = number;
        self.choices.clear();
        self.found = found.unwrap_or_else(|| std::mem::take(&mut self.found));
        Ok(true)
    }

    /// Shows a product of the list, or chooses a value of an option.
    pub(super) fn choose(&mut self, clickable: Node) -> bool {
        match (clickable, &self.page) {
            (Node::Product { place, .. }, Page::Results(shown)) if place < shown.len() => {
                let product = Arc::clone(&shown[place]);
                self.counts.products += 1;
                self.visited.push(Arc::clone(&product));
                self.page = Page::Item(product);
            }
            (Node::Value { group, value }, _) => {
                self.counts.options += 1;
                match self.choices.iter_mut().find(|choice| choice.0 == group) {
                    Some(choice) => choice.1 = value,
                    None => self.choices.push((group, value)),
                }
            }
            _ => return false,
        }
        true
    }

    /// Shows something more of the page's product; false on a page of none.
    pub(super) fn look_into(&mut self, tab: Tab) -> bool {
        let is_there = self.look_at(|product| Page::Sub(product, tab));
        self.counts.tabs += u32::from(is_there);
        is_there
    }

    /// Buys the page's product; false on a page of none.
    pub(super) fn buy(&mut self, shop: &Shop) -> bool {
        let values: Vec<String> = self.chosen().map(|(_, value)| value.to_owned()).collect();
        let goal = Arc::clone(&self.goal);
        self.look_at(|product| {
            let reward = reward(&goal, &product, &values, &*shop.tagger);
            Page::Done(product, Box::new(reward))
        })
    }

    /// Shows another page of the page's product; false on a page of none.
    fn look_at(&mut self, page: impl FnOnce(Arc<Product>) -> Page) -> bool {
        let Some(product) = self.product().cloned() else {
            return false;
        };
        self.page = page(product);
        true
    }
}
