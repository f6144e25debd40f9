//! Everything of one data set: its products, their index, and the goals. Loaded once for all who play in it.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

use super::catalogue::files::is_there;
use super::catalogue::{Catalogue, Faults, Files, LoadOptions, Official, Product, Shelf};
use super::goal::{Drafts, Goal, Instructions, read_chatshop};
use super::search::{MemoryIndex, Search};
use super::{ShopError, generate};
use crate::ports::{Progress, load_shared};
use crate::text::mt19937::PythonRandom;

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

    fn read(
        files: Files,
        options: &StoreOptions,
        progress: &dyn Progress,
    ) -> Result<Self, ShopError> {
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
            let problem =
                format!("no product can be used ({faults}); check that it is the official file");
            return Err(ShopError::data(&files.products, problem));
        }
        let store = Self {
            faults,
            digest,
            ..Self::of(products, Vec::new())
        };
        store.with_goals(files, options, &mut random)
    }

    /// The same data set, which has the hash of its products alone, with its goals. `random` is the generator after
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
                let problem =
                    "is missing: ChatShop's goals need this official file beside the products";
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

    /// What tells data sets of the same files apart.
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
    let products = generated.map(|one| {
        if let Some((instruction, attributes)) = &one.synthetic {
            drafts.combine(&one.product, instruction, attributes);
        }
        one.product
    });
    let products = products.collect();
    let mut random = PythonRandom::new(LoadOptions::default().price_seed);
    (products, drafts.finish(&mut random).0)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use serde_json::{Value, json};

    use super::*;

    fn write(folder: &Path, name: &str, content: &Value) {
        fs::write(folder.join(name), content.to_string()).unwrap();
    }

    /// A folder with two lamps, one of which is wanted.
    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let lamp = |asin: &str, name: &str| {
            json!({
                "name": name, "full_description": "", "small_description": "", "pricing": "$5",
                "customization_options": "", "images": ["i"], "product_category": "Home › Lamps",
                "asin": asin, "category": "garden", "query": "lamps",
            })
        };
        let products = json!([lamp("B1", "red lamp"), {"asin": "B9"}, lamp("B2", "blue lamp")]);
        write(folder.path(), "items_shuffle.json", &products);
        write(folder.path(), "items_ins_v2.json", &json!({}));
        let wanted = json!({"instruction": "a lamp", "instruction_attributes": ["led"], "instruction_options": []});
        write(
            folder.path(),
            "items_human_ins.json",
            &json!({"B2": [wanted, 1]}),
        );
        folder
    }

    fn load(folder: &Path, goals: Goals) -> Result<Arc<Store>, String> {
        let options = StoreOptions {
            goals,
            ..StoreOptions::default()
        };
        Store::load(folder, &options, &()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_folder_is_loaded_once_for_all_who_hold_it() {
        let folder = folder();
        let human = Goals::WebShop(Instructions::Human);
        let store = load(folder.path(), human).unwrap();
        assert!(Arc::ptr_eq(&store, &load(folder.path(), human).unwrap()));
        let hits = store.search.search("blue", 50).unwrap();
        assert_eq!(store.catalogue.product(hits[0].product).unwrap().asin, "B2");
        assert_eq!(store.goals.len(), 1);
        assert_eq!(store.faults.total, 2, "{}", store.faults);
        let synthetic = load(folder.path(), Goals::WebShop(Instructions::Synthetic)).unwrap();
        assert!(!Arc::ptr_eq(&store, &synthetic));
        assert_ne!(store.digest, synthetic.digest);
        write(folder.path(), "items_human_ins.json", &json!({"B2": []}));
        let changed = load(folder.path(), human).unwrap();
        assert!(changed.goals.is_empty());
        assert_ne!(store.digest, changed.digest);
    }

    #[test]
    fn goals_of_chatshop_are_its_own_or_disclosed_by_rules() {
        let folder = folder();
        let error = load(folder.path(), Goals::ChatShop(None)).err().unwrap();
        assert!(
            error.contains("chatshop_goals.json") && error.contains("is missing"),
            "{error}"
        );
        let disclose: Disclose = |goal| [goal.wish(), "a lamp", "lamp", ""].map(str::to_owned);
        let by_rules = load(folder.path(), Goals::ChatShop(Some(disclose))).unwrap();
        let texts = by_rules.goals[0].disclosures.as_ref().unwrap();
        assert_eq!((&*texts[0], &*texts[2]), ("a lamp", "lamp"));
        write(folder.path(), "chatshop_goals.json", &json!([]));
        assert!(
            load(folder.path(), Goals::ChatShop(Some(disclose)))
                .unwrap()
                .goals
                .is_empty()
        );
        assert!(
            load(folder.path(), Goals::ChatShop(None))
                .unwrap()
                .goals
                .is_empty()
        );
    }

    /// The error of the folder with another content, or nothing, in place of one of its files.
    fn error_with(name: &str, content: Option<&str>) -> String {
        let folder = folder();
        let path = folder.path().join(name);
        fs::remove_file(&path).unwrap();
        match content {
            Some("a folder") => fs::create_dir(&path).unwrap(),
            Some(content) => fs::write(&path, content).unwrap(),
            None => {}
        }
        let human = Goals::WebShop(Instructions::Human);
        let error = load(folder.path(), human).err().unwrap();
        assert!(error.contains(name) || content.is_none(), "{error}");
        error
    }

    #[test]
    fn what_cannot_be_loaded_is_an_error_with_the_remedy() {
        let (products, attributes) = ("items_shuffle.json", "items_ins_v2.json");
        let people = "items_human_ins.json";
        let cases = [
            (
                products,
                Some("[{\"asin\": \"B9\"}]"),
                "no product can be used (1 entry left out: `items_shuffle",
            ),
            (
                products,
                Some("[]"),
                "no product can be used (0 entries left out); check that",
            ),
            (
                products,
                Some(""),
                "it has to begin with `[` (read up to byte 0)",
            ),
            (products, Some("lamps"), "download it again or repair it"),
            (
                products,
                Some("[{\"asin\": \"B1\", "),
                "entry 0 (from 0), which begins at byte 1, is not closed",
            ),
            (
                products,
                Some("a folder"),
                "check the path, the permissions and the disk",
            ),
            (
                products,
                None,
                "it holds no products; a catalogue is a folder with",
            ),
            (attributes, Some("[]"), "it has to begin with `{`"),
            (
                attributes,
                None,
                "no attributes beside its products; a catalogue is a folder with",
            ),
            (
                people,
                Some("{\"B2\": ["),
                "entry 0 (from 0), which begins at byte 1, is not closed",
            ),
            (
                people,
                None,
                "is missing: goals by people need this official file",
            ),
        ];
        for (name, content, told) in cases {
            let error = error_with(name, content);
            assert!(error.contains(told), "{error}");
        }
    }

    #[test]
    fn a_path_below_a_file_is_told() {
        let folder = folder();
        let below = folder.path().join("items_shuffle.json/none");
        let error = load(&below, Goals::WebShop(Instructions::Human))
            .err()
            .unwrap();
        assert!(error.contains("check the path"), "{error}");
    }

    #[test]
    fn the_builtin_data_set_is_made_once_for_each_kind_of_goals() {
        let store = Store::builtin(Instructions::Human);
        assert!(Arc::ptr_eq(&store, &Store::builtin(Instructions::Human)));
        assert_eq!(store.catalogue.len(), 2000);
        let goal = &store.goals[0];
        let target = store.catalogue.find(&goal.asin).unwrap().unwrap();
        let found = store.search.search(&goal.name, 5).unwrap();
        assert!(found.iter().any(|hit| hit.product == target));
        assert!(goal.disclosures.is_some());
        let by_rules = Store::builtin(Instructions::Synthetic);
        assert!(by_rules.goals.len() > 1500);
        for goal in &by_rules.goals {
            assert!(goal.weight > 0.0 && goal.weight <= 1.0);
            let product = by_rules.catalogue.find(&goal.asin).unwrap().unwrap();
            let product = by_rules.catalogue.product(product).unwrap();
            assert_eq!(goal.options.len(), product.options.len());
        }
    }
}
