//! Data sets whose products and index lie on disk.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::ShopError;
use super::catalogue::files::is_there;
use super::catalogue::{Catalogue, Faults, Files, LoadOptions, Official};
use super::search::DiskIndex;
use super::store::{Store, StoreOptions};
use rolecall_core::files;
use rolecall_core::ports::{Progress, load_shared};
use rolecall_core::text::mt19937::PythonRandom;

/// The file in the folder of an index that says how its products were read.
const NOTES: &str = "loaded.json";
/// Its largest size, in bytes.
const LARGEST: u64 = 16 << 20;

/// Notes on the products of an index, which save reading the official files again.
#[derive(Serialize, Deserialize)]
struct Notes {
    /// The files as they were when their hash was taken last, and how they were read.
    read: String,
    /// The hash of the official files.
    catalogue: String,
    /// How many prices were drawn before the bounds of goals.
    draws: usize,
    faults: Faults,
}

impl Store {
    /// Whether an index was built in this folder, as far as can be seen: other problems with it are reported when it
    /// is opened.
    pub fn is_indexed(index: &Path) -> bool {
        is_there(&index.join(NOTES)).unwrap_or(true)
    }

    /// As [`Store::load`], with the products and their index on disk: in a folder that is built once, and is refused
    /// with another catalogue. Later the official products are not read, unless they were changed or moved.
    ///
    /// # Errors
    /// As [`Store::load`], and when the index is damaged, belongs to another catalogue, or cannot be written.
    pub fn indexed(
        data: &Path,
        index: &Path,
        options: &StoreOptions,
        progress: &dyn Progress,
    ) -> Result<Arc<Self>, ShopError> {
        let files = Files::find(data)?;
        let place = std::path::absolute(index).ok();
        let key = format!("shop {} {} {place:?}", files.stamp(), options.described());
        load_shared(&key, || {
            let notes = Notes::of(&files, index, &options.load, progress)?;
            let disk = Arc::new(DiskIndex::open(index, &notes.catalogue)?);
            let mut random = PythonRandom::new(options.load.price_seed);
            // No product has more than one, whatever the notes say.
            for _ in 0..notes.draws.min(disk.len()) {
                random.random();
            }
            let store = Self {
                catalogue: Arc::<DiskIndex>::clone(&disk),
                search: disk,
                goals: Vec::new(),
                faults: notes.faults,
                digest: notes.catalogue,
            };
            store.with_goals(&files, options, &mut random)
        })
    }

    /// Builds the index of a catalogue, or makes sure that the one that is there is of it; gives the number of
    /// products.
    ///
    /// # Errors
    /// As [`Store::indexed`].
    pub fn build_index(
        data: &Path,
        index: &Path,
        options: &StoreOptions,
        progress: &dyn Progress,
    ) -> Result<usize, ShopError> {
        let notes = Notes::of(&Files::find(data)?, index, &options.load, progress)?;
        Ok(DiskIndex::open(index, &notes.catalogue)?.len())
    }
}

impl Notes {
    /// Reads the notes of the index of these files, which is built if it is not there.
    fn of(files: &Files, index: &Path, options: &LoadOptions, progress: &dyn Progress) -> Result<Self, ShopError> {
        let path = index.join(NOTES);
        // Notes that cannot be read are made again.
        let known = files::read(&path, LARGEST).ok();
        let known = known.and_then(|bytes| serde_json::from_slice::<Self>(&bytes).ok());
        let read = format!("{} {options:?}", files.catalogue_stamp());
        let known = match known {
            Some(notes) if notes.read == read => return Ok(notes),
            known => known,
        };
        let found = files::if_there(fs::read_dir(index)).map_err(ShopError::io(index))?;
        let catalogue = format!("{} {options:?}", files.catalogue_digest()?);
        let catalogue = blake3::hash(catalogue.as_bytes()).to_hex().to_string();
        if found.is_some_and(|mut found| found.next().is_some()) {
            DiskIndex::open(index, &catalogue)?;
        }
        let notes = match known.filter(|notes| notes.catalogue == catalogue) {
            Some(notes) => Self { read, ..notes },
            None => {
                let official = Official::open(files.clone())?;
                let mut products = official.products(options, &())?;
                let expected = official.expected() as u64;
                // One that is there stays, and the products are read.
                DiskIndex::build(index, &catalogue, &mut products, expected, progress)?;
                Self { read, catalogue, draws: products.draws, faults: products.faults }
            }
        };
        let bytes = serde_json::to_vec(&notes).map_err(std::io::Error::from);
        bytes.and_then(|bytes| files::replace(&path, &bytes)).map_err(ShopError::io(&path))?;
        Ok(notes)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::goal::Instructions;
    use crate::store::Goals;

    /// Writes a catalogue of lamps with a range of prices; all are wanted.
    fn write(folder: &Path, products: usize) {
        let lamp = |number: usize| {
            json!({
                "name": format!("lamp number{number}"), "full_description": "", "small_description": "",
                "pricing": "$10 - $30", "customization_options": {"Size": [{"value": "S"}, {"value": "M"}]},
                "images": ["i"], "product_category": "Home", "asin": format!("B{number}"), "category": "garden",
                "query": "lamps",
            })
        };
        let write = |name: &str, content: serde_json::Value| {
            fs::write(folder.join(name), content.to_string()).unwrap();
        };
        let asins = || (0..products).map(|number| format!("B{number}"));
        let human = json!([{"instruction": "x", "instruction_attributes": ["a"], "instruction_options": []}]);
        let rules = json!({"instruction": "y", "instruction_attributes": ["a"], "attributes": ["a"]});
        let mut all: Vec<_> = (0..products).map(lamp).collect();
        all.push(json!(null));
        write("items_shuffle.json", json!(all));
        write("items_human_ins.json", asins().map(|asin| (asin, human.clone())).collect());
        write("items_ins_v2.json", asins().map(|asin| (asin, rules.clone())).collect());
    }

    #[test]
    fn a_data_set_on_disk_is_that_of_memory() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), 30);
        for instructions in Instructions::ALL {
            let options = StoreOptions { goals: Goals::WebShop(instructions), ..StoreOptions::default() };
            let index = folder.path().join("index");
            let memory = Store::load(folder.path(), &options, &()).unwrap();
            // Built by the first, opened by the second; without notes the files are read again.
            for attempt in 0..3 {
                let disk = Store::indexed(folder.path(), &index, &options, &()).unwrap();
                assert_eq!(disk.goals, memory.goals, "{attempt}");
                assert_eq!(disk.faults, memory.faults);
                let hits = |store: &Store| store.search.search("number7 lamp", 50).unwrap();
                assert_eq!(hits(&disk), hits(&memory));
                for id in 0..30 {
                    let product = |store: &Store| store.catalogue.product(id).unwrap();
                    assert_eq!(product(&disk), product(&memory));
                }
                if attempt == 1 {
                    fs::remove_file(index.join(NOTES)).unwrap();
                }
            }
        }
    }

    #[test]
    fn an_index_of_another_catalogue_is_refused_and_an_equal_one_elsewhere_is_not() {
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        write(folder.path(), 5);
        write(other.path(), 5);
        let index = folder.path().join("index");
        let options = StoreOptions::default();
        let indexed = |data: &Path| Store::indexed(data, &index, &options, &()).map_err(|error| error.to_string());
        let first = indexed(folder.path()).unwrap();
        assert_eq!(indexed(other.path()).unwrap().digest, first.digest);
        write(other.path(), 6);
        let error = indexed(other.path()).err().unwrap();
        assert!(error.contains("and build it"), "{error}");
    }

    #[test]
    fn an_index_that_is_none_or_was_cut_is_refused_with_the_remedy() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), 5);
        let index = folder.path().join("index");
        let options = StoreOptions::default();
        let indexed = || {
            let store = Store::indexed(folder.path(), &index, &options, &());
            store.map_err(|error| error.to_string())
        };
        assert!(!Store::is_indexed(&index));
        fs::write(&index, "no folder").unwrap();
        assert!(Store::is_indexed(&index), "it is told what is wrong");
        let error = indexed().err().unwrap();
        assert!(error.contains("index` cannot be used") && error.contains("check the path"));
        fs::remove_file(&index).unwrap();
        let goals = indexed().unwrap().goals.clone();
        for name in ["header", "data"] {
            let whole = fs::read(index.join(name)).unwrap();
            fs::write(index.join(name), &whole[..whole.len() / 2]).unwrap();
            let error = indexed().err().unwrap();
            assert!(error.contains(name) && error.contains("and build it"), "{error}");
            fs::write(index.join(name), whole).unwrap();
        }
        // Notes that were cut are made again; those that tell of too many prices do not last for ever.
        let notes = fs::read_to_string(index.join(NOTES)).unwrap();
        fs::write(index.join(NOTES), &notes[..notes.len() / 2]).unwrap();
        assert_eq!(indexed().unwrap().goals, goals);
        let many = notes.replace("\"draws\":5", "\"draws\":18446744073709551615");
        assert_ne!(many, notes);
        fs::write(index.join(NOTES), many).unwrap();
        assert_eq!(indexed().unwrap().goals, goals);
    }
}
