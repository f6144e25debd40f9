//! Catalogues as they are read from files.

use std::fs;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

/// An entry that can be used, but for what is changed.
fn entry(asin: &str, changes: Value) -> Value {
    let mut entry = json!({
        "name": "Blue Lamp", "full_description": "A lamp.", "small_description": ["BRIGHT ", ""],
        "pricing": "$10 - $20", "customization_options": "", "images": ["i"],
        "product_category": "Home › Lamps", "asin": asin, "category": "garden", "query": " Lamps ",
    });
    for (field, value) in changes.as_object().unwrap() {
        match value {
            Value::String(text) if text == "absent" => entry.as_object_mut().unwrap().shift_remove(field),
            _ => entry.as_object_mut().unwrap().insert(field.clone(), value.clone()),
        };
    }
    entry
}

/// Reads a folder with these contents.
fn read(products: &str, attributes: &str, options: LoadOptions) -> Result<(Vec<Product>, Faults), ShopError> {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
    write("items_shuffle.json", products);
    write("items_ins_v2.json", attributes);
    let official = Official::open(Files::find(folder.path())?)?;
    let mut all = Vec::new();
    let loaded = official.each_product(&options, &(), |product| {
        all.push(product);
        Ok(())
    })?;
    Ok((all, loaded.faults))
}

fn read_all(entries: &[Value]) -> (Vec<Product>, Faults) {
    read(&json!(entries).to_string(), "{}", LoadOptions::default()).unwrap()
}

#[test]
fn a_product_is_read_as_the_original_reads_it() {
    let changes = json!({
        "customization_options": {
            "Color": [{"value": " Red/Blue "}, {"value": "a / b", "image": null}],
            "Size": null, "color": [{"value": "TAN"}], "Fit": [], "Style": [{"value": "\"é\" & <b>"}],
        },
        "small_description": "One bullet ",
    });
    let attributes = json!({"B1": {"attributes": ["easy clean", "Led"]}, "B2": {"instruction": "x"}});
    let products = json!([entry("B1", changes), entry("B2", json!({"pricing": null})), entry("B3", json!({}))]);
    let (products, _) = read(&products.to_string(), &attributes.to_string(), LoadOptions::default()).unwrap();
    let first = &products[0];
    assert_eq!(first.bullets, ["One bullet "]);
    assert_eq!((&*first.query, &*first.price_tag), ("lamps", "$10.0 to $20.0"));
    let options: Vec<_> = first.options.iter().map(|group| (&*group.name, &group.values[..])).collect();
    let shown = [("color", &["tan".to_owned()][..]), ("fit", &[]), ("style", &["\"é\" & <b>".to_owned()])];
    assert_eq!(options, shown);
    assert_eq!(first.attributes, ["easy clean", "Led"]);
    assert_eq!((&*products[1].price_tag, products[1].price), ("$100.0", 100.0));
    assert_eq!(products[1].attributes, ["DUMMY_ATTR"]);
    assert_eq!(products[2].attributes, ["DUMMY_ATTR"]);
    // As Python's generator with seed 4 draws `uniform(10, 20)`: for products with a range only.
    assert_eq!(first.price, 10.0 + 10.0 * 0.236_048_089_737_434_52);
    assert_eq!(products[2].price, 10.0 + 10.0 * 0.103_166_034_230_715_8);
}

#[test]
fn values_have_bars_for_slashes() {
    let changes = json!({"customization_options": {"Size": [{"value": " A/b "}, {"value": "a / B"}]}});
    let (products, _) = read_all(&[entry("B1", changes)]);
    assert_eq!(products[0].options[0].values, ["a | b", "a  |  b"]);
}

#[test]
fn entries_are_cut_before_any_is_left_out() {
    let products = ["B1", "nan", "B1", "B1234567890", "B4", "B5"].map(|asin| entry(asin, json!({})));
    let products = json!(products).to_string();
    let options = LoadOptions { products: Some(5), ..LoadOptions::default() };
    let (kept, faults) = read(&products, "{}", options).unwrap();
    assert_eq!(kept.iter().map(|product| &*product.asin).collect::<Vec<_>>(), ["B1", "B4"]);
    assert!(faults.is_empty(), "the original leaves them out too");
}

#[test]
fn a_fault_loses_its_own_product_alone_and_is_told() {
    let faults = [
        (json!({"images": []}), "`images` has no image"),
        (json!({"images": "absent"}), "`images` has no image"),
        (json!({"name": "absent"}), "`name` is missing"),
        (json!({"full_description": 3}), "`full_description` is no text"),
        (json!({"query": null}), "`query` is no text"),
        (json!({"pricing": "12.50"}), "the price `12.50` has no `$`"),
        (json!({"pricing": "$5 $"}), "no number follows a `$` of the price `$5 $`"),
        (json!({"pricing": 12.5}), "`pricing` is no text"),
        (json!({"small_description": [1]}), "`small_description` is neither a text nor a list of texts"),
        (json!({"customization_options": ["x"]}), "`customization_options` is no object"),
        (json!({"customization_options": {"Size": [{"price": 1}]}}), "option `Size` of"),
        (json!({"asin": 5}), "`asin` is no text"),
    ];
    for (changes, reason) in faults {
        let bad = entry("B2", changes.clone());
        let (products, faults) = read_all(&[entry("B1", json!({})), bad, entry("B2", json!({"name": "Good"}))]);
        let titles: Vec<_> = products.iter().map(|product| &*product.title).collect();
        assert_eq!(titles, ["Blue Lamp", "Good"], "{changes}");
        let told = faults.to_string();
        assert!(told.starts_with("1 entry left out: `items_shuffle.json`, entry 1 (from 0)"), "{told}");
        assert!(told.contains(reason), "{told}");
    }
}

#[test]
fn entries_that_are_no_json_are_told_and_a_broken_file_is_an_error() {
    let good = entry("B1", json!({})).to_string();
    let products = format!("[{{\"asin\": NaN}}, 7, {good}, \"\\ud800\", {{\"asin\": \"B2\", \"name\": \"\\udc00\"}}]");
    let (kept, faults) = read(&products, "{}", LoadOptions::default()).unwrap();
    assert_eq!((kept.len(), faults.total), (1, 4));
    let error = read(&format!("[{good}, {{\"asin\": "), "{}", LoadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("entry 1 (from 0), which begins at byte"), "{error}");
    let error = read("[]", "[]", LoadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("it has to begin with `{`"), "{error}");
    let bad = json!({"B1": {"attributes": "led"}}).to_string();
    let (_, faults) = read(&format!("[{good}]"), &bad, LoadOptions::default()).unwrap();
    let told =
        "`items_shuffle.json`, entry 0 (from 0) (`B1`): in `items_ins_v2.json`: `attributes` is no list of texts";
    assert_eq!(faults.first, [told]);
}

#[test]
fn many_products_are_read_with_the_memory_of_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("items_shuffle.json");
    let long = "x".repeat(10_000);
    let entries = (0..2000).map(|number| entry(&format!("B{number}"), json!({"page": long})).to_string());
    fs::write(&path, format!("[{}]", entries.collect::<Vec<_>>().join(","))).unwrap();
    let mut elements = elements::Elements::open(&path, b'[').unwrap();
    let mut count = 0;
    while let Some((_, element)) = elements.next().unwrap() {
        assert!(element.len() < 20_000);
        count += 1;
    }
    assert!(elements.capacity() < 1 << 20, "only one element is held at a time");
    assert_eq!(count, 2000);
}

/// Any JSON value.
fn odd() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "[$./0-9a\"\\\\\\PC]{0,6}".prop_map(Value::from),
        Just(json!([{"value": "a/b"}])),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map("\\PC{0,4}", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn odd_objects_never_lose_good_products(
        odd in prop::collection::vec((0..10_usize, odd(), odd()), 0..8),
        good in prop::collection::vec(0..8_usize, 1..5),
    ) {
        let fields = ["images", "name", "full_description", "query", "pricing", "small_description",
            "customization_options", "asin", "category", "product_category"];
        let mut entries: Vec<Value> = Vec::new();
        for (number, (field, value, other)) in odd.into_iter().enumerate() {
            entries.push(entry(&format!("O{number}"), json!({fields[field]: value})));
            entries.push(other);
        }
        for (number, place) in good.iter().enumerate() {
            entries.insert((*place).min(entries.len()), entry(&format!("GOOD{number}"), json!({})));
        }
        let total = entries.len();
        let (products, faults) = read_all(&entries);
        let kept = products.iter().filter(|product| product.asin.starts_with("GOOD")).count();
        prop_assert_eq!(kept, good.len());
        prop_assert!(products.len() + faults.total <= total);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "[\\[\\]{},:\"\\\\a0 ]{0,40}") {
        let _ = read(&text, &text, LoadOptions::default());
    }
}
