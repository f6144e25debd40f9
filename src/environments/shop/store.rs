//! Everything of one data set: its products, their index, and the goals. Loaded once for all who play in it.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

use super::catalogue::files::is_there;
use super::catalogue::{Catalogue, Faults, Files, LoadOptions, Official, Product, Shelf};
use super::goal::{Drafts, Goal, Instructions, read_chatshop};
use super::search::{MemoryIndex, Search};
use super::{ShopError, generate};
use rolecall_core::ports::{Progress, load_shared};
use rolecall_core::text::mt19937::PythonRandom;

/// The most products that are held in memory.
const MOST_IN_MEMORY: usize = 200_000;

/// ChatShop's four texts of a goal by people ([`Goal::disclosures`]), found by rules.
pub type Disclose = fn(&Goal) -> [String; 4];

/// Which goals a data set is to have.
#[derive(Clone, Copy, Debug)]
pub enum Goals {
    /// WebShop's.
    WebShop(Instructions),
    /// ChatShop's own, in the order of their file; or, where it is missing, those by people with these rules.
    ChatShop(Option<Disclose>),
}

/// How a data set is loaded.
#[derive(Clone, Copy, Debug)]
pub struct StoreOptions {
    /// Its goals.
    pub goals: Goals,
    /// How its products are read.
    pub load: LoadOptions,
}

impl Default for StoreOptions {
    fn default() -> Self {
        Self { goals: Goals::WebShop(Instructions::Human), load: LoadOptions::default() }
    }
}

/// A data set.
#[derive(Clone)]
pub struct Store {
    /// Its products.
    pub catalogue: Arc<dyn Catalogue>,
    /// Finds them.
    pub search: Arc<dyn Search>,
    /// Goals of the shoppers, in the official order.
    pub goals: Vec<Goal>,
    /// The entries of its files that were left out.
    pub faults: Faults,
    /// Hash of its files and of how they were read; empty for products that were made here.
    pub digest: String,
}

impl Store {
    /// The data set of a folder with official files, or of a file of products ([`Files::find`]). Who loads the same
    /// files in the same way while somebody holds them shares one copy.
    ///
    /// # Errors
    /// When a file is missing, cannot be read, or is no whole JSON file; when no product can be used, or there are
    /// more than memory should hold.
    pub fn load(data: &Path, options: &StoreOptions, progress: &dyn Progress) -> Result<Arc<Self>, ShopError> {
        let files = Files::find(data)?;
        let key = format!("shop {} {}", files.stamp(), options.described());
        load_shared(&key, || Self::read(files, options, progress))
    }

    /// The data set that needs no files: generated products with goals of both kinds of instructions, and
    /// ChatShop's four texts of those by people.
    pub fn builtin(instructions: Instructions) -> Arc<Self> {
        let key = format!("shop builtin {}", instructions.name());
        let made = load_shared(&key, || {
            let (products, goals) = match instructions {
                Instructions::Human => generate::builtin(),
                Instructions::Synthetic => builtin_by_rules(),
            };
            Ok(Self::of(products, goals))
        });
        made.unwrap_or_else(|never: Infallible| match never {})
    }

    /// The data set of these products and goals.
    pub fn of(products: Vec<Product>, goals: Vec<Goal>) -> Self {
        let shelf = Shelf::new(products);
        let all = (0..).zip(shelf.products());
        let search = MemoryIndex::new(all.map(|(id, product)| (id, &**product)));
        Self {
            search: Arc::new(search),
            catalogue: Arc::new(shelf),
            goals,
            faults: Faults::default(),
            digest: String::new(),
        }
    }

    fn read(files: Files, options: &StoreOptions, progress: &dyn Progress) -> Result<Self, ShopError> {
        let digest = files.catalogue_digest()?;
        let official = Official::open(files)?;
        let files = official.files();
        let mut products = Vec::new();
        let loaded = official.each_product(&options.load, progress, |product| {
            if products.len() == MOST_IN_MEMORY {
                let problem = format!(
                    "holds more than {MOST_IN_MEMORY} products, which are too many for memory; build an \
                     index by `rolecall data index shop` and name it with `index`, or read fewer with `first`"
                );
                return Err(ShopError::data(&files.products, problem));
            }
            products.push(product);
            Ok(())
        })?;
        let (faults, mut random) = (loaded.faults, loaded.random);
        if products.is_empty() {
            let problem = format!("no product can be used ({faults}); check that it is the official file");
            return Err(ShopError::data(&files.products, problem));
        }
        let store = Self { faults, digest, ..Self::of(products, Vec::new()) };
        store.with_goals(files, options, &mut random)
    }

    /// Adds the goals to a data set that has the hash of its products alone. `random` is the generator after
    /// all prices were drawn.
    pub(super) fn with_goals(
        mut self,
        files: &Files,
        options: &StoreOptions,
        random: &mut PythonRandom,
    ) -> Result<Self, ShopError> {
        let mut hasher = blake3::Hasher::new();
        for part in [self.digest, files.goals_digest()?, options.described()] {
            hasher.update(part.as_bytes());
        }
        self.digest = hasher.finalize().to_hex().to_string();
        let mut drafts = options.drafts(files)?;
        if let Some(drafts) = &mut drafts {
            drafts.add_all(&*self.catalogue)?;
        }
        let (goals, faults) = options.goals(files, drafts, random)?;
        self.goals = goals;
        self.faults.extend(faults);
        Ok(self)
    }
}

impl StoreOptions {
    /// Begins goals that are made of instructions; none where ChatShop's own are there.
    pub(super) fn drafts(&self, files: &Files) -> Result<Option<Drafts>, ShopError> {
        match self.goals {
            Goals::WebShop(instructions) => Drafts::of(files, instructions).map(Some),
            Goals::ChatShop(_) if is_there(&files.chatshop)? => Ok(None),
            Goals::ChatShop(Some(_)) => Drafts::of(files, Instructions::Human).map(Some),
            Goals::ChatShop(None) => {
                let problem = "is missing: ChatShop's goals need this official file beside the products";
                Err(ShopError::data(&files.chatshop, problem))
            }
        }
    }

    /// The goals of drafts, or ChatShop's own. `random` is the generator after all prices were drawn.
    pub(super) fn goals(
        &self,
        files: &Files,
        drafts: Option<Drafts>,
        random: &mut PythonRandom,
    ) -> Result<(Vec<Goal>, Faults), ShopError> {
        let Some(drafts) = drafts else {
            return Ok((read_chatshop(&files.chatshop)?, Faults::default()));
        };
        let (mut goals, faults) = drafts.finish(random);
        if let Goals::ChatShop(Some(disclose)) = self.goals {
            for goal in &mut goals {
                goal.disclosures = Some(disclose(goal));
            }
        }
        Ok((goals, faults))
    }

    /// Options that tell data sets of the same files apart.
    pub(super) fn described(&self) -> String {
        let goals = match self.goals {
            Goals::WebShop(instructions) => instructions.name(),
            Goals::ChatShop(None) => "chatshop",
            Goals::ChatShop(Some(_)) => "chatshop, or by rules",
        };
        format!("{goals} {:?}", self.load)
    }
}

/// The generated products, and goals for all combinations of options.
fn builtin_by_rules() -> (Vec<Product>, Vec<Goal>) {
    let mut drafts = Drafts::by_rules();
    let generated = generate::products(generate::PRODUCTS, generate::SEED);
    let products = generated
        .map(|one| {
            if let Some((instruction, attributes)) = &one.synthetic {
                drafts.combine(&one.product, instruction, attributes);
            }
            one.product
        })
        .collect();
    let mut random = PythonRandom::new(LoadOptions::default().price_seed);
    (products, drafts.finish(&mut random).0)
}

#[cfg(test)]
#[path = "store_tests.rs"]
mod tests;
