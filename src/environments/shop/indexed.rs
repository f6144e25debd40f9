//! Data sets whose products and index lie on disk.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::ShopError;
use super::catalogue::{Catalogue, Faults, Files, Loaded, Official};
use super::search::DiskIndex;
use super::store::{Store, StoreOptions};
use crate::files;
use crate::ports::{Progress, load_shared};
use crate::text::mt19937::PythonRandom;

/// The file in the folder of an index that says how its products were read.
const NOTES: &str = "loaded.json";
/// Its largest size, in bytes.
const LARGEST: u64 = 16 << 20;

/// What is known of the products of an index without reading the official files again.
#[derive(Serialize, Deserialize)]
struct Notes {
    /// The files as they were when their hash was taken last, and how they were read.
    read: String,
    /// That hash.
    catalogue: String,
    /// How many prices were drawn before the bounds of goals.
    draws: usize,
    faults: Faults,
}

impl Store {
    /// Whether an index was built in this folder.
    pub fn is_indexed(index: &Path) -> bool {
        index.join(NOTES).is_file()
    }

    /// As [`Store::load`], with the products and their index on disk: in a folder that is built once, and is refused
    /// with another catalogue. Later the official products are not read, unless they were changed or moved.
    ///
    /// # Errors
    /// As [`Store::load`], and when the index is damaged or that of another catalogue, or cannot be written.
    pub fn indexed(
        data: &Path,
        index: &Path,
        options: &StoreOptions,
        progress: &dyn Progress,
    ) -> Result<Arc<Self>, ShopError> {
        let files = Files::find(data)?;
        let (stamp, described) = (files.stamp(), options.described());
        let key = format!(
            "shop {stamp} {described} {:?}",
            std::path::absolute(index).ok()
        );
        load_shared(&key, || open(&files, index, options, progress))
    }
}

impl Store {
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
        let files = Files::find(data)?;
        let read = format!("{} {:?}", files.catalogue_stamp(), options.load);
        let notes = noted(&files, index, options, read, progress)?;
        Ok(DiskIndex::open(index, &notes.catalogue)?.len())
    }
}

fn open(
    files: &Files,
    index: &Path,
    options: &StoreOptions,
    progress: &dyn Progress,
) -> Result<Store, ShopError> {
    let read = format!("{} {:?}", files.catalogue_stamp(), options.load);
    let known = Notes::of(index).filter(|notes| notes.read == read);
    let notes = match known {
        Some(notes) => notes,
        None => noted(files, index, options, read, progress)?,
    };
    let disk = Arc::new(DiskIndex::open(index, &notes.catalogue)?);
    let mut random = PythonRandom::new(options.load.price_seed);
    for _ in 0..notes.draws {
        random.random();
    }
    let mut drafts = options.drafts(files)?;
    if let Some(drafts) = &mut drafts {
        drafts.add_all(&*disk)?;
    }
    let (goals, goal_faults) = options.goals(files, drafts, &mut random)?;
    let mut faults = notes.faults;
    faults.extend(goal_faults);
    let mut hasher = blake3::Hasher::new();
    for part in [notes.catalogue, files.goals_digest()?, options.described()] {
        hasher.update(part.as_bytes());
    }
    Ok(Store {
        catalogue: Arc::<DiskIndex>::clone(&disk),
        search: disk,
        goals,
        faults,
        digest: hasher.finalize().to_hex().to_string(),
    })
}

/// Builds the index if it is not there, else makes sure that it is that of these files; and notes so.
fn noted(
    files: &Files,
    index: &Path,
    options: &StoreOptions,
    read: String,
    progress: &dyn Progress,
) -> Result<Notes, ShopError> {
    let catalogue = format!("{} {:?}", files.catalogue_digest()?, options.load);
    let catalogue = blake3::hash(catalogue.as_bytes()).to_hex().to_string();
    let is_there = fs::read_dir(index).is_ok_and(|mut found| found.next().is_some());
    let notes = if is_there {
        DiskIndex::open(index, &catalogue)?;
        Notes::of(index).filter(|notes| notes.catalogue == catalogue)
    } else {
        None
    };
    let notes = match notes {
        Some(notes) => Notes { read, ..notes },
        None => {
            let official = Official::open(files.clone())?;
            let mut products = official.products(&options.load, &())?;
            if is_there {
                // It was built, and then nothing was noted any more.
                for product in &mut products {
                    product?;
                }
            } else {
                let expected = official.expected() as u64;
                DiskIndex::build(index, &catalogue, &mut products, expected, progress)?;
            }
            let Loaded { draws, faults, .. } = products.finish();
            Notes {
                read,
                catalogue,
                draws,
                faults,
            }
        }
    };
    notes.write(index)?;
    Ok(notes)
}

impl Notes {
    /// Those of an index; none if there are none that can be read.
    fn of(index: &Path) -> Option<Self> {
        let bytes = files::read(&index.join(NOTES), LARGEST).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    fn write(&self, index: &Path) -> Result<(), ShopError> {
        let path = index.join(NOTES);
        let bytes = serde_json::to_vec(self).map_err(std::io::Error::from);
        let written = bytes.and_then(|bytes| files::replace(&path, &bytes));
        written.map_err(|source| ShopError::Io {
            path: path.display().to_string(),
            source,
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::environments::shop::goal::Instructions;
    use crate::environments::shop::store::Goals;

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
        let rules =
            json!({"instruction": "y", "instruction_attributes": ["a"], "attributes": ["a"]});
        let mut all: Vec<_> = (0..products).map(lamp).collect();
        all.push(json!(null));
        write("items_shuffle.json", json!(all));
        write(
            "items_human_ins.json",
            asins().map(|asin| (asin, human.clone())).collect(),
        );
        write(
            "items_ins_v2.json",
            asins().map(|asin| (asin, rules.clone())).collect(),
        );
    }

    #[test]
    fn a_data_set_on_disk_is_that_of_memory() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), 30);
        for instructions in Instructions::ALL {
            let options = StoreOptions {
                goals: Goals::WebShop(instructions),
                ..StoreOptions::default()
            };
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
        let indexed = |data: &Path| {
            Store::indexed(data, &index, &options, &()).map_err(|error| error.to_string())
        };
        let first = indexed(folder.path()).unwrap();
        assert_eq!(indexed(other.path()).unwrap().digest, first.digest);
        write(other.path(), 6);
        let error = indexed(other.path()).err().unwrap();
        assert!(error.contains("and build it"), "{error}");
    }
}
