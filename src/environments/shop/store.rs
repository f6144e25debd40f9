//! Everything of one data set: its products, their index, and the goals. Loaded once for all who play in it.

use std::path::Path;
use std::sync::Arc;

use super::ShopError;
use super::catalogue::{Catalogue, Faults, Files, LoadOptions, Official, Product, Shelf};
use super::goal::{Drafts, Goal, Instructions, read_chatshop};
use super::search::{MemoryIndex, Search};
use crate::ports::{Progress, load_shared};

/// The most products that are held in memory.
const MOST_IN_MEMORY: usize = 200_000;

/// ChatShop's four texts of a goal by people ([`Goal::disclosures`]), found by rules.
pub type Disclose = fn(&Goal) -> [String; 4];

/// Which goals a data set is to have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goals {
    /// WebShop's.
    WebShop(Instructions),
    /// ChatShop's own, in the order of their file; or, where it is missing, those by people with these rules.
    ChatShop(Option<Disclose>),
}

/// How a data set is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreOptions {
    /// Its goals.
    pub goals: Goals,
    /// How its products are read.
    pub load: LoadOptions,
}

impl Default for StoreOptions {
    fn default() -> Self {
        Self {
            goals: Goals::WebShop(Instructions::Human),
            load: LoadOptions::default(),
        }
    }
}

/// A data set.
#[derive(Clone)]
pub struct Store {
    /// Its products.
    pub catalogue: Arc<dyn Catalogue>,
    /// Finds them.
    pub search: Arc<dyn Search>,
    /// What shoppers want, in the official order.
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
    pub fn load(
        data: &Path,
        options: &StoreOptions,
        progress: &dyn Progress,
    ) -> Result<Arc<Self>, ShopError> {
        let files = Files::find(data)?;
        let key = format!("shop {} {}", files.stamp(), options.described());
        load_shared(&key, || Self::read(files, options, progress))
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
        let mut hasher = blake3::Hasher::new();
        for part in [files.catalogue_digest()?, files.goals_digest()?, options.described()] {
            hasher.update(part.as_bytes());
        }
        let official = Official::open(files)?;
        let files = official.files();
        let own = matches!(options.goals, Goals::ChatShop(_)) && files.chatshop.is_file();
        let mut drafts = match options.goals {
            _ if own => None,
            Goals::WebShop(instructions) => Some(Drafts::of(&official, instructions)?),
            Goals::ChatShop(Some(_)) => Some(Drafts::of(&official, Instructions::Human)?),
            Goals::ChatShop(None) => return Err(missing_goals(files)),
        };
        let mut products = Vec::new();
        let loaded = official.each_product(&options.load, progress, |product| {
            if products.len() == MOST_IN_MEMORY {
                return Err(too_many(files));
            }
            if let Some(drafts) = &mut drafts {
                drafts.add(&official, &product);
            }
            products.push(product);
            Ok(())
        })?;
        let (mut faults, mut random) = (loaded.faults, loaded.random);
        if products.is_empty() {
            return Err(ShopError::Data {
                path: files.products.display().to_string(),
                problem: format!("no product can be used ({faults}); check that it is the official file"),
            });
        }
        let goals = match drafts {
            None => read_chatshop(&files.chatshop)?,
            Some(drafts) => {
                let (mut goals, goal_faults) = drafts.finish(&mut random);
                faults.extend(goal_faults);
                if let Goals::ChatShop(Some(disclose)) = options.goals {
                    for goal in &mut goals {
                        goal.disclosures = Some(disclose(goal));
                    }
                }
                goals
            }
        };
        Ok(Self {
            faults,
            digest: hasher.finalize().to_hex().to_string(),
            ..Self::of(products, goals)
        })
    }
}

impl StoreOptions {
    /// What tells data sets of the same files apart.
    fn described(&self) -> String {
        let goals = match self.goals {
            Goals::WebShop(instructions) => instructions.name(),
            Goals::ChatShop(None) => "chatshop",
            Goals::ChatShop(Some(_)) => "chatshop, or by rules",
        };
        format!("{goals} {:?}", self.load)
    }
}

fn missing_goals(files: &Files) -> ShopError {
    ShopError::Data {
        path: files.chatshop.display().to_string(),
        problem: "is missing: ChatShop's goals need this official file beside the products".to_owned(),
    }
}

fn too_many(files: &Files) -> ShopError {
    ShopError::Data {
        path: files.products.display().to_string(),
        problem: format!(
            "holds more than {MOST_IN_MEMORY} products, which are too many for memory; name a folder with `index`, \
             in which an index is built once, or read fewer with `products`"
        ),
    }
}
