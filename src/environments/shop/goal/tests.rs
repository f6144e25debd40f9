//! Goals of small catalogues.

use std::fs;

use serde_json::{Value, json};

use super::*;
use crate::catalogue::{Faults, Files, LoadOptions, Official, Shelf};
use rolecall_core::text::mt19937::PythonRandom;

/// The goals of products with these options, attributes and instructions.
fn goals(products: &Value, attributes: &Value, human: Option<&Value>) -> (Vec<Goal>, Faults) {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &Value| fs::write(folder.path().join(name), content.to_string()).unwrap();
    let entries = products.as_object().unwrap().iter().map(|(asin, options)| {
        json!({
            "name": format!("Lamp {asin}"), "full_description": "", "small_description": "",
            "pricing": "$15", "customization_options": options, "images": ["i"],
            "product_category": "Home › Lamps", "asin": asin, "category": "garden", "query": "Lamps",
        })
    });
    write("items_shuffle.json", &entries.collect());
    write("items_ins_v2.json", attributes);
    let mut kind = Instructions::Synthetic;
    if let Some(human) = human {
        write("items_human_ins.json", human);
        kind = Instructions::Human;
    }
    let official = Official::open(Files::find(folder.path()).unwrap()).unwrap();
    let mut drafts = Drafts::of(official.files(), kind).unwrap();
    let mut again = Drafts::of(official.files(), kind).unwrap();
    let mut products = Vec::new();
    let loaded = official.each_product(&LoadOptions::default(), &(), |product| {
        drafts.add(&product);
        products.push(product);
        Ok(())
    });
    let random = loaded.unwrap().random;
    let made = drafts.finish(&mut random.clone());
    again.add_all(&Shelf::new(products)).unwrap();
    assert_eq!(again.finish(&mut { random }).0, made.0, "a catalogue that was read before has the same goals");
    made
}

fn values(all: &[&str]) -> Value {
    all.iter().map(|value| json!({"value": value})).collect()
}

#[test]
fn goals_by_people_are_made_of_instructions_with_attributes() {
    let products = json!({"B1": "", "B2": "", "B3": ""});
    let human = json!({
        "B1": [
            {"instruction": "..a lamp...", "instruction_attributes": ["led"], "instruction_options": ["red | blue"]},
            {"instruction": "none", "instruction_attributes": [], "instruction_options": []},
            {"instruction": "bad", "instruction_attributes": ["led"]},
            7,
        ],
        "B2": {"no": "list"},
        "B9": [{"instruction": "of no product", "instruction_attributes": ["x"], "instruction_options": []}],
    });
    let (goals, faults) = goals(&products, &json!({}), Some(&human));
    let [goal] = &goals[..] else {
        panic!("{goals:?}");
    };
    assert_eq!((&*goal.asin, &*goal.query, &*goal.name), ("B1", "lamps", "Lamp B1"));
    let bound = goal.price_upper;
    assert!((30.0..=50.0).contains(&bound));
    assert_eq!(goal.instruction, format!("a lamp, and price lower than {bound:.2} dollars"));
    assert_eq!(goal.wish(), "a lamp");
    assert_eq!(goal.options, GoalOptions::Values(vec!["red | blue".to_owned()]));
    assert_eq!(faults.total, 3);
    let told = faults.to_string();
    assert!(told.contains("instruction 2 (from 0): `instruction_options` is missing"), "{told}");
    assert!(told.contains("`items_human_ins.json`") && told.contains("(`B2`): its instructions are no list"), "{told}");
}

#[test]
fn goals_by_rules_are_made_of_all_combinations() {
    let products = json!({
        "B1": {"size": values(&["s", "m"]), "color": values(&["tan"])},
        "B2": {"size": []}, "B3": "", "B4": "", "B5": "",
        "B6": {"a": values(&["v"; 400]), "b": values(&["v"; 400])},
    });
    let attributes = json!({
        "B1": {"attributes": [], "instruction": "Find a lamp", "instruction_attributes": ["led", "dim"]},
        "B2": {"instruction": "Find it", "instruction_attributes": ["led"]},
        "B3": {"instruction": "Find me", "instruction_attributes": ["led"]},
        "B4": {"instruction": null},
        "B5": {"instruction": "Find me", "instruction_attributes": []},
        "B6": {"instruction": "Find me", "instruction_attributes": ["led"]},
    });
    let (mut goals, faults) = goals(&products, &attributes, None);
    goals.sort_by(|one, other| one.instruction.cmp(&other.instruction));
    let texts: Vec<_> = goals.iter().map(|goal| (goal.wish(), goal.weight)).collect();
    let weight = (1.0 / 3.0 + 1.0 / 2.0) / 2.0;
    let expected = [
        ("Find a lamp with color: tan, and size: m", weight),
        ("Find a lamp with color: tan, and size: s", weight),
        ("Find me", 1.0 / 3.0),
    ];
    assert_eq!(texts, expected);
    assert_eq!(goals[0].price_upper, goals[1].price_upper, "a product has one bound");
    let named = [("color", "tan"), ("size", "m")].map(|(name, value)| (name.to_owned(), value.to_owned()));
    assert_eq!(goals[0].options, GoalOptions::Named(named.to_vec()));
    let expected = [
        "goals of `items_ins_v2.json` (`B5`): its instruction has no attributes",
        "goals of `items_ins_v2.json` (`B6`): its options have 160000 combinations, more than 100000",
    ];
    assert_eq!(faults.first, expected);
}

#[test]
fn the_order_and_the_draws_are_pythons() {
    let mut numbers: Vec<u32> = (0..10).collect();
    shuffle(&mut numbers);
    assert_eq!(numbers, [5, 9, 0, 1, 4, 7, 6, 3, 8, 2]);
    let products = json!({"B1": "", "B2": "", "B3": "", "B4": ""});
    let entry = |attribute: &str| json!({"instruction": "x", "instruction_attributes": [attribute]});
    let attributes = json!({"B1": entry("a"), "B2": entry("a"), "B3": entry("b"), "B4": entry("c")});
    let (mut goals, _) = goals(&products, &attributes, None);
    for (goal, weight) in goals.iter_mut().zip([1.0, 0.5, 0.25, 2.0]) {
        goal.weight = weight;
    }
    let mut random = PythonRandom::new(9);
    let draw = WeightedDraw::new(&goals);
    let drawn: Vec<_> = (0..12).filter_map(|_| draw.draw(&mut random)).collect();
    assert_eq!(drawn, [3, 2, 1, 3, 1, 3, 3, 1, 3, 3, 1, 2]);
    assert_eq!(WeightedDraw::new(&goals[..1]).draw(&mut random), Some(0));
    assert_eq!(WeightedDraw::new(&[]).draw(&mut random), None);
}

#[test]
fn splits_are_those_of_the_code_as_far_as_there_are_goals() {
    let ranges = |goals| Split::ALL.map(|split| split.range(goals));
    assert_eq!(ranges(12_087), [0..500, 500..1500, 1500..12_087]);
    assert_eq!(ranges(579), [0..500, 500..579, 579..579]);
    assert_eq!(ranges(3), [0..3, 3..3, 3..3]);
}

#[test]
fn goals_of_chatshop_keep_their_places_and_their_four_texts() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let read = |content: &str| {
        fs::write(file.path(), content).unwrap();
        read_chatshop(file.path()).map_err(|error| error.to_string())
    };
    let entry = json!({
        "asin": "B1", "category": "garden", "query": "lamps", "name": "Lamp", "product_category": "Home",
        "instruction_text": "a lamp", "attributes": ["led"], "price_upper": 1_000_000, "goal_options": {"size": "m"},
        "weight": 1, "instructions": ["a lamp", "a lamp", "lamp", ""], "_other": 1,
    });
    let goals = read(&json!([entry, entry]).to_string()).unwrap();
    assert_eq!(goals.len(), 2);
    assert_eq!(goals[0].price_upper, NO_BOUND);
    assert_eq!(goals[0].options, GoalOptions::Named(vec![("size".to_owned(), "m".to_owned())]));
    assert_eq!(goals[0].disclosures.as_ref().unwrap()[2], "lamp");
    let without = |field: &str| {
        let mut cut = entry.clone();
        cut.as_object_mut().unwrap().shift_remove(field);
        read(&json!([entry, cut]).to_string()).unwrap_err()
    };
    assert!(without("name").contains("goal 1 (from 0) cannot be used: missing field `name`"));
    assert!(without("instructions").contains("`instructions` with four texts are missing"));
    let odd = json!([entry]).to_string().replace("\"m\"", "7");
    let error = read(&odd).unwrap_err();
    assert!(error.contains("`goal_options` is neither a list nor an object of texts"), "{error}");
    let error = read(&format!("[{entry}, 1")).unwrap_err();
    assert!(error.contains("entry 1 (from 0), which begins at byte"), "{error}");
    let error = read(&format!("[{entry}, 1]")).unwrap_err();
    assert!(error.contains("goal 1 (from 0) cannot be used: invalid type: integer `1`, expected a goal"), "{error}");
}

#[test]
fn bounds_are_the_next_tens_above_the_price() {
    let mut random = PythonRandom::new(1);
    for (price, least, most) in [(0.0, 20.0, 40.0), (10.0, 30.0, 50.0), (975.5, 990.0, 990.0)] {
        for _ in 0..50 {
            let bound = draw_bound(price, &mut random);
            assert!((least..=most).contains(&bound) && bound % 10.0 == 0.0, "{price}: {bound}");
        }
    }
    let before = random.clone();
    assert_eq!(draw_bound(980.0, &mut random), NO_BOUND);
    assert_eq!(draw_bound(5000.0, &mut random), NO_BOUND);
    assert_eq!(random, before, "nothing is drawn");
    assert_eq!(price_clause(990.0), ", and price lower than 990.00 dollars");
    assert_eq!(price_clause(NO_BOUND), "");
}
