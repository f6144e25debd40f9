//! Any bytes as one of the files of a shop or of its index, and good files with one place written anew: an error
//! that names the file, or a data set that can be searched and judged, the same each time and on disk.
#![no_main]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use libfuzzer_sys::fuzz_target;
use rolecall::environments::shop::ShopError;
use rolecall::environments::shop::catalogue::{Faults, Product};
use rolecall::environments::shop::goal::{Goal, Instructions, WeightedDraw};
use rolecall::environments::shop::nouns::{RecordedNouns, RuleTagger, Tagger};
use rolecall::environments::shop::score::Judge;
use rolecall::environments::shop::store::{Goals, Store, StoreOptions};
use rolecall::text::mt19937::PythonRandom;

const DATA: [(&str, &str); 5] = [
    (
        "items_shuffle.json",
        r#"[{"asin": "B1", "name": "Red Lamp", "full_description": "A lamp.", "small_description": ["BRIGHT", ""],
"pricing": "$10 - $20.5", "customization_options": {"Color": [{"value": " Red/Blue "}, {"value": "tan"}], "Size": null},
"images": ["i"], "product_category": "Home › Lamps", "category": "garden", "query": "Lamps"},
{"asin": "B2", "name": "blue \"lamp\" \u00e9", "full_description": "", "small_description": "small", "pricing": "",
"customization_options": "", "images": "i", "product_category": "Home › Lamps", "category": "garden", "query": "lamps"},
{"asin": "nan"}, {"asin": "B1"}, {"asin": "B3", "pricing": "5"}]"#,
    ),
    (
        "items_ins_v2.json",
        r#"{"B1": {"attributes": ["led", "easy clean"], "instruction": "Find a lamp", "instruction_attributes": ["led"]},
"B2": {"attributes": [], "instruction": null}}"#,
    ),
    (
        "items_human_ins.json",
        r#"{"B1": [{"instruction": "a lamp.", "instruction_attributes": ["led"], "instruction_options": ["tan"]}, 7],
"B2": [{"instruction": "blue", "instruction_attributes": [], "instruction_options": []}]}"#,
    ),
    (
        "chatshop_goals.json",
        r#"[{"asin": "B1", "category": "garden", "query": "lamps", "name": "Red Lamp", "product_category": "Home",
"instruction_text": "a lamp", "attributes": ["led"], "price_upper": 1000000, "goal_options": {"color": "tan"},
"weight": 0.5, "instructions": ["a lamp", "a lamp", "lamp", ""]}]"#,
    ),
    ("nouns.json", r#"{"B1": ["lamp", "lamp"], "B2": []}"#),
];

const INDEX: [&str; 3] = ["header", "data", "loaded.json"];

/// Two folders of this process with the good files: one that is changed, one that has an index.
struct Folders {
    changed: PathBuf,
    good: PathBuf,
    index: PathBuf,
    /// The files of the index.
    indexed: Vec<Vec<u8>>,
}

fn folders() -> &'static Folders {
    static FOLDERS: OnceLock<Folders> = OnceLock::new();
    FOLDERS.get_or_init(|| {
        let name = format!("rolecall-fuzz-shop-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let [changed, good, index] = ["changed", "good", "index"].map(|name| folder.join(name));
        for folder in [&changed, &good] {
            fs::create_dir_all(folder).unwrap();
            for (name, content) in DATA {
                fs::write(folder.join(name), content).unwrap();
            }
        }
        Store::indexed(&good, &index, &StoreOptions::default(), &()).unwrap();
        let indexed = INDEX.map(|name| fs::read(index.join(name)).unwrap());
        Folders {
            indexed: indexed.to_vec(),
            changed,
            good,
            index,
        }
    })
}

/// The content with some bytes replaced.
fn edited(old: &[u8], at: u16, length: u8, new: &[u8]) -> Vec<u8> {
    let start = usize::from(at) % (old.len() + 1);
    let end = (start + usize::from(length)).min(old.len());
    [&old[..start], new, &old[end..]].concat()
}

type Seen = (Vec<Goal>, Vec<Product>, Faults, String);

/// What there is in a data set; searches and judges a little. An index on disk may be damaged where it is read.
fn look(store: &Store, tagger: &Arc<dyn Tagger>) -> Result<Seen, ShopError> {
    let mut products: Vec<Product> = Vec::new();
    for id in (0..).take(store.catalogue.len()) {
        let product = store.catalogue.product(id)?;
        assert_eq!(store.catalogue.find(&product.asin)?, Some(id));
        assert!(!store.catalogue.of_query(&product.query)?.is_empty());
        products.push((*product).clone());
    }
    for goal in store.goals.iter().take(3) {
        store.search.search(&goal.instruction, 50)?;
        let judge = Judge::new(goal, Arc::clone(tagger));
        for product in &products {
            let reward = judge.reward_of_any(product).total;
            assert!((0.0..=1.0).contains(&reward), "{reward}");
        }
    }
    let drawn = WeightedDraw::new(&store.goals).draw(&mut PythonRandom::new(1));
    assert_eq!(drawn.is_none(), store.goals.is_empty());
    let (goals, faults) = (store.goals.clone(), store.faults.clone());
    Ok((goals, products, faults, store.digest.clone()))
}

/// One of the official files, or of the nouns.
fn official(file: usize, content: &[u8], options: &StoreOptions) {
    let (name, good) = DATA[file];
    let folder = &folders().changed;
    fs::write(folder.join(name), content).unwrap();
    let rules: Arc<dyn Tagger> = Arc::new(RuleTagger);
    let load = || -> Result<Seen, String> {
        let nouns = RecordedNouns::read(&folder.join("nouns.json"));
        let nouns: Arc<dyn Tagger> = Arc::new(nouns.map_err(|error| error.to_string())?);
        let store = Store::load(folder, options, &()).map_err(|error| error.to_string())?;
        look(&store, &nouns).unwrap();
        Ok(look(&store, &rules).unwrap())
    };
    let first = load();
    assert_eq!(first, load());
    if let Err(told) = first {
        assert!(told.contains(name) && !told.contains('\n'), "{told}");
    }
    fs::write(folder.join(name), good).unwrap();
}

/// One of the files of the index.
fn indexed(file: usize, content: &[u8], options: &StoreOptions) {
    let Folders {
        good,
        index,
        indexed,
        ..
    } = folders();
    fs::write(index.join(INDEX[file]), content).unwrap();
    let rules: Arc<dyn Tagger> = Arc::new(RuleTagger);
    let shown = |path: &Path| path.display().to_string();
    let store = Store::indexed(good, index, options, &());
    match store.and_then(|store| look(&store, &rules)) {
        // Notes alone have no checksum.
        Ok((goals, products, faults, _)) if file < 2 => {
            let memory = Store::load(good, options, &()).unwrap();
            let memory = look(&memory, &rules).unwrap();
            assert_eq!((goals, products, faults), (memory.0, memory.1, memory.2));
        }
        Ok(_) => {}
        Err(error) => assert!(error.to_string().contains(&shown(index)), "{error}"),
    }
    for (name, content) in INDEX.iter().zip(indexed) {
        fs::write(index.join(name), content).unwrap();
    }
}

fuzz_target!(|input: (u8, u16, u8, &[u8])| {
    let (how, at, length, bytes) = input;
    let file = usize::from(how % 8);
    let is_whole = how & 8 != 0;
    let options = StoreOptions {
        goals: match how / 16 % 3 {
            0 => Goals::WebShop(Instructions::Human),
            1 => Goals::WebShop(Instructions::Synthetic),
            _ => Goals::ChatShop(None),
        },
        ..StoreOptions::default()
    };
    let good = match DATA.get(file) {
        Some((_, good)) => good.as_bytes(),
        None => &folders().indexed[file - DATA.len()],
    };
    let content = match is_whole {
        true => bytes.to_vec(),
        false => edited(good, at, length, bytes),
    };
    match file.checked_sub(DATA.len()) {
        None => official(file, &content, &options),
        Some(file) => indexed(file, &content, &options),
    }
});
