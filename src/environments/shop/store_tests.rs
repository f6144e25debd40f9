//! Data sets of official files, good and bad, and the built-in one.

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
    write(folder.path(), "items_human_ins.json", &json!({"B2": [wanted, 1]}));
    folder
}

fn load(folder: &Path, goals: Goals) -> Result<Arc<Store>, String> {
    let options = StoreOptions { goals, ..StoreOptions::default() };
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
    assert!(error.contains("chatshop_goals.json") && error.contains("is missing"), "{error}");
    let disclose: Disclose = |goal| [goal.wish(), "a lamp", "lamp", ""].map(str::to_owned);
    let by_rules = load(folder.path(), Goals::ChatShop(Some(disclose))).unwrap();
    let texts = by_rules.goals[0].disclosures.as_ref().unwrap();
    assert_eq!((&*texts[0], &*texts[2]), ("a lamp", "lamp"));
    write(folder.path(), "chatshop_goals.json", &json!([]));
    assert!(load(folder.path(), Goals::ChatShop(Some(disclose))).unwrap().goals.is_empty());
    assert!(load(folder.path(), Goals::ChatShop(None)).unwrap().goals.is_empty());
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
        (products, Some("[{\"asin\": \"B9\"}]"), "no product can be used (1 entry left out: `items_shuffle"),
        (products, Some("[]"), "no product can be used (0 entries left out); check that"),
        (products, Some(""), "it has to begin with `[` (read up to byte 0)"),
        (products, Some("lamps"), "download it again or repair it"),
        (products, Some("[{\"asin\": \"B1\", "), "entry 0 (from 0), which begins at byte 1, is not closed"),
        (products, Some("a folder"), "check the path, the permissions and the disk"),
        (products, None, "it holds no products; a catalogue is a folder with"),
        (attributes, Some("[]"), "it has to begin with `{`"),
        (attributes, None, "no attributes beside its products; a catalogue is a folder with"),
        (people, Some("{\"B2\": ["), "entry 0 (from 0), which begins at byte 1, is not closed"),
        (people, None, "is missing: goals by people need this official file"),
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
    let error = load(&below, Goals::WebShop(Instructions::Human)).err().unwrap();
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
        assert_eq!(goal.options.values().len(), product.options.len());
    }
}
