//! One session of WebShop: which page is shown, and what clicks and searches make of it.

use std::sync::Arc;

use super::ShopError;
use super::actions::Asked;
use super::catalogue::{Catalogue, Product, ProductId};
use super::goal::Goal;
use super::nouns::Tagger;
use super::queries::{self, is_random};
use super::score::{Reward, reward};
use super::search::Search;
use crate::domain::Seed;

/// Products on one page of results.
pub const PER_PAGE: usize = 10;

/// The shop that sessions go to.
#[derive(Clone)]
pub struct Shop {
    /// Its products.
    pub catalogue: Arc<dyn Catalogue>,
    /// What finds them.
    pub search: Arc<dyn Search>,
    /// What the reward compares titles by.
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

names! { Tab, as_str:
    Description => "Description", Features => "Features", Reviews => "Reviews", Attributes => "Attributes",
}

/// A product in a list of results.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its number.
    pub id: ProductId,
    /// The product.
    pub product: Arc<Product>,
}

/// The page that is shown.
#[derive(Clone, Debug)]
pub enum Page {
    /// The first page, where nothing was searched yet.
    Index,
    /// A page of results.
    Results(Vec<Listed>),
    /// A product.
    Item(Arc<Product>),
    /// Something more of a product.
    Sub(Arc<Product>, Tab),
    /// A product was bought.
    Done(Arc<Product>, Box<Reward>),
}

/// What has the text that is clicked.
enum Target {
    Button,
    Product(Listed),
    /// A value of an option, by the numbers of both.
    Value(usize, usize),
}

/// Counts of what was done in a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Queries.
    pub searches: u32,
    /// Products that were looked at, each time.
    pub products: u32,
    /// Options that were chosen, each time.
    pub options: u32,
    /// Descriptions, features, reviews and attributes that were looked at.
    pub tabs: u32,
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
    /// The products that were looked at since the first page, each once.
    pub(super) visited: Vec<ProductId>,
    /// The option and the value of each choice, by their numbers in the product, in the order of clicks.
    choices: Vec<(usize, usize)>,
    /// How often random products were drawn.
    draws: u32,
    counts: Counts,
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

    /// The goal.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// The page that is shown.
    pub fn page(&self) -> &Page {
        &self.page
    }

    /// Counts of what was done.
    pub fn counts(&self) -> Counts {
        self.counts
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
    pub fn product(&self) -> Option<&Arc<Product>> {
        match &self.page {
            Page::Index | Page::Results(_) => None,
            Page::Item(product) | Page::Sub(product, _) | Page::Done(product, _) => Some(product),
        }
    }

    /// The options that are chosen, with their values, in the order in which they were first clicked.
    pub fn chosen(&self) -> impl Iterator<Item = (&str, &str)> {
        let product = self.product();
        self.choices.iter().filter_map(move |(group, value)| {
            let group = product?.options.get(*group)?;
            Some((&*group.name, &**group.values.get(*value)?))
        })
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

    /// Searches, on whatever page, also after a purchase.
    pub(super) fn search(&mut self, shop: &Shop, query: String) -> Result<bool, ShopError> {
        let Some(found) = self.find(shop, &query)? else {
            return Ok(false);
        };
        self.show(shop, 1, Some(found))?;
        self.query = query;
        self.counts.searches += 1;
        Ok(true)
    }

    fn click(&mut self, shop: &Shop, name: &str) -> Result<bool, ShopError> {
        let target = self.target(name).filter(|_| name != "search");
        let Some(target) = target else {
            return Ok(false);
        };
        let tab = || {
            let mut tabs = Tab::ALL.into_iter();
            tabs.find(|tab| tab.as_str().eq_ignore_ascii_case(name))
        };
        // The meaning of a button goes before an option of the same text.
        match name {
            "buy now" => self.buy(shop),
            "back to search" => Ok(self.back()),
            "next >" if self.is_addressed_as("search_results") => {
                self.turn(shop, self.number.saturating_add(1))
            }
            "< prev" if self.is_addressed_as("search_results") => {
                self.turn(shop, self.number.saturating_sub(1))
            }
            "< prev" if self.is_addressed_as("item_page") => self.turn(shop, self.number),
            "< prev" => Ok(self.product().cloned().is_some_and(|product| {
                self.page = Page::Item(product);
                true
            })),
            _ => match tab() {
                Some(tab) => Ok(self.look_into(tab)),
                None => Ok(self.choose(target)),
            },
        }
    }

    /// What of the page has this text.
    fn target(&self, name: &str) -> Option<Target> {
        let button = || {
            let mut buttons = self.buttons();
            let fits = buttons.any(|button| button.eq_ignore_ascii_case(name));
            fits.then_some(Target::Button)
        };
        match &self.page {
            Page::Results(shown) => {
                let listed = shown
                    .iter()
                    .rfind(|listed| listed.product.asin.to_lowercase() == name);
                listed.cloned().map(Target::Product).or_else(button)
            }
            Page::Item(product) => value_of(product, name).or_else(button),
            Page::Index | Page::Sub(..) | Page::Done(..) => button(),
        }
    }

    /// The texts of the page's buttons, in order.
    pub(super) fn buttons(&self) -> impl Iterator<Item = &'static str> + use<> {
        const SEARCH: &[&str] = &["Search"];
        const BACK: &[&str] = &["Back to Search"];
        const BACK_AND_PREV: &[&str] = &["Back to Search", "< Prev"];
        const NEXT: &[&str] = &["Next >"];
        const PLAIN: &[&str] = &["Description", "Features", "Reviews", "Buy Now"];
        const TABS: &[&str] = &[
            "Description",
            "Features",
            "Reviews",
            "Attributes",
            "Buy Now",
        ];
        let (first, then): (&[&str], &[&str]) = match &self.page {
            Page::Index => (SEARCH, &[]),
            Page::Results(_) if self.number > 1 => (BACK_AND_PREV, NEXT),
            Page::Results(_) => (BACK, NEXT),
            Page::Item(_) if self.attributes_tab => (BACK_AND_PREV, TABS),
            Page::Item(_) => (BACK_AND_PREV, PLAIN),
            Page::Sub(..) => (BACK_AND_PREV, &[]),
            Page::Done(..) => (&[], &[]),
        };
        first.iter().chain(then).copied()
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

    /// Shows a page of the results of the last query.
    fn turn(&mut self, shop: &Shop, number: u32) -> Result<bool, ShopError> {
        let query = self.query.clone();
        // Random products are drawn anew for each page.
        let found = match is_random(&query) {
            true => self.find(shop, &query)?,
            false => None,
        };
        self.show(shop, number, found)
    }

    /// Shows a page of what was found now, or of what was found before.
    fn show(
        &mut self,
        shop: &Shop,
        number: u32,
        found: Option<Vec<ProductId>>,
    ) -> Result<bool, ShopError> {
        // There is nothing on the page before the first.
        let before = number
            .checked_sub(1)
            .map_or(usize::MAX, |pages| pages as usize);
        let all = found.as_ref().unwrap_or(&self.found).iter();
        let page = all.skip(before.saturating_mul(PER_PAGE)).take(PER_PAGE);
        let listed = page.map(|id| {
            let product = shop.catalogue.product(*id)?;
            Ok(Listed { id: *id, product })
        });
        self.page = Page::Results(listed.collect::<Result<_, ShopError>>()?);
        self.number = number;
        self.choices.clear();
        if let Some(found) = found {
            self.found = found;
        }
        Ok(true)
    }

    /// The products for a query; none if the original fails at it.
    fn find(&mut self, shop: &Shop, query: &str) -> Result<Option<Vec<ProductId>>, ShopError> {
        let seed = self.seed.labelled("<r>", "", self.draws);
        self.draws += u32::from(is_random(query));
        queries::find(&*shop.catalogue, &*shop.search, query, seed)
    }

    /// Shows a product, or chooses one of its options.
    fn choose(&mut self, target: Target) -> bool {
        match target {
            Target::Product(listed) => {
                self.counts.products += 1;
                if !self.visited.contains(&listed.id) {
                    self.visited.push(listed.id);
                }
                self.page = Page::Item(listed.product);
            }
            Target::Value(group, value) => {
                self.counts.options += 1;
                match self.choices.iter_mut().find(|choice| choice.0 == group) {
                    Some(choice) => choice.1 = value,
                    None => self.choices.push((group, value)),
                }
            }
            Target::Button => {}
        }
        true
    }

    /// Shows a list's product of exactly this ASIN; false if the page lists none.
    pub(super) fn open(&mut self, asin: &str) -> bool {
        let Page::Results(shown) = &self.page else {
            return false;
        };
        let listed = shown.iter().find(|listed| listed.product.asin == asin);
        let target = listed.cloned().map(Target::Product);
        target.is_some_and(|target| self.choose(target))
    }

    /// Chooses the value of an option of the page's product; false if there is none.
    pub(super) fn choose_value(&mut self, value: &str) -> bool {
        let product = self.product();
        let target = product.and_then(|product| value_of(product, value));
        target.is_some_and(|target| self.choose(target))
    }

    /// Shows something more of the page's product; false on a page of none.
    pub(super) fn look_into(&mut self, tab: Tab) -> bool {
        let Some(product) = self.product().cloned() else {
            return false;
        };
        self.counts.tabs += 1;
        self.page = Page::Sub(product, tab);
        true
    }

    /// Buys the page's product; false on a page of none.
    pub(super) fn buy(&mut self, shop: &Shop) -> Result<bool, ShopError> {
        let Some(product) = self.product().cloned() else {
            return Ok(false);
        };
        let values: Vec<String> = self.chosen().map(|(_, value)| value.to_owned()).collect();
        let reward = reward(&self.goal, &product, &values, &*shop.tagger);
        self.page = Page::Done(product, Box::new(reward));
        Ok(true)
    }
}

/// The value of an option with this text; of several that of the last option.
fn value_of(product: &Product, text: &str) -> Option<Target> {
    let groups = product.options.iter().enumerate().rev();
    let mut places = groups.flat_map(|(group, option)| {
        let place = option.values.iter().rposition(|value| value == text);
        place.map(|value| Target::Value(group, value))
    });
    places.next()
}
