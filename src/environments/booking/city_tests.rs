use std::fs;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use super::*;
use crate::conversations::dialogue;
use crate::goal::Goal;

/// A folder with the databases of MultiWOZ, as it names them, and these files.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let hotel = r#"[{"name": "inn", "area": "north", "id": "0", "stars": "4", "phone": "1"}]"#;
    // As the official one: not JSON, with commas missing.
    let taxis = r#"[{"taxi_colors" : ["black" "white",'red']},{"taxi_types" : ["ford", 'audi']}]"#;
    for (name, text) in [("hotel_db.json", hotel), ("taxi_db.json", taxis)] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    for name in ["restaurant", "attraction", "train"] {
        fs::write(folder.path().join(format!("{name}_db.json")), "[]").unwrap();
    }
    write(&folder, files);
    folder
}

fn write(folder: &TempDir, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = folder.path().join(name);
        match name.strip_suffix(".gz") {
            None => fs::write(path, text).unwrap(),
            Some(_) => {
                let mut packed = GzEncoder::new(fs::File::create(path).unwrap(), Compression::fast());
                packed.write_all(text.as_bytes()).unwrap();
                packed.finish().unwrap();
            }
        }
    }
}

fn ids(city: &City) -> Vec<&str> {
    city.dialogues.iter().map(|dialogue| &*dialogue.id).collect()
}

fn refused(folder: &TempDir, split: &str) -> String {
    City::load(folder.path(), split).unwrap_err().to_string()
}

/// An entry of `data.json` that wants a hotel in the north.
fn entry() -> Value {
    json!({
        "goal": {
            "taxi": {}, "police": {}, "topic": {"hotel": true},
            "hotel": {"info": {"area": "north"}, "fail_info": {}, "reqt": ["phone"], "restaurant": false},
            "message": ["You want a <span class='emphasis'>hotel</span> in the <b>north</b>", "1 < 2"],
        },
        "log": [{"text": " A hotel please . ", "metadata": {}}, {"text": "Where ?"}],
    })
}

#[test]
fn the_official_form_is_read_with_both_kinds_of_lists() {
    let data = json!({ "B1.json": entry(), "A2.json": entry(), "C3": entry() }).to_string();
    let plain = folder(&[
        ("data.json", &data),
        ("testListFile.txt", "C3\nA2.json\r\n\nA2\n"),
        ("valListFile.json", "[\"B1.json\"]"),
    ]);
    let test = City::load(plain.path(), "test").unwrap();
    assert_eq!(ids(&test), ["C3", "A2"]);
    assert_eq!(test.remarks(), [""; 0]);
    let first = &test.dialogues[0];
    assert_eq!(first.first, "A hotel please .");
    assert_eq!(first.message, ["You want a hotel in the north", "1 < 2"]);
    assert_eq!(first.goal.domains.len(), 1);
    assert_eq!(test.database.taxi_colors, ["black", "white", "red"]);
    assert_eq!(ids(&City::load(plain.path(), "dev").unwrap()), ["B1"]);
    assert_eq!(ids(&City::load(plain.path(), "all").unwrap()), ["B1", "A2", "C3"]);
    // Of fewer than a hundred all are drawn, in Python's order.
    let mut drawn = ids(&City::load(plain.path(), "respact-100").unwrap()).join(" ");
    assert!(drawn == "A2 C3" || drawn == "C3 A2");

    let packed = folder(&[("data.json.gz", &data), ("testListFile.json", "C3.json\nA2.json\n")]);
    let same = City::load(packed.path(), "test").unwrap();
    assert_eq!(same.dialogues, test.dialogues);
    drawn = refused(&packed, "dev");
    assert!(drawn.contains("`valListFile.json` or `valListFile.txt`"), "{drawn}");
}

#[test]
fn goals_are_read_with_their_reference_conversations() {
    let mut goals = entry();
    let message = goals["goal"].as_object_mut().unwrap().remove("message").unwrap();
    let goals = json!({ "X1": { "goal": goals["goal"], "message": message }, "W2.json": entry(), "V3": entry() });
    let said = json!({ "X1.json": ["Hello .", "Hi"], "W2": ["A hotel please ."], "V3": ["x"] });
    let both = folder(&[
        ("goals_test.json.gz", &goals.to_string()),
        ("reference_test.json", &said.to_string()),
        ("splits.json", r#"{"test_ids": ["X1.json", "W2.json"], "test_pool": "words"}"#),
    ]);
    let test = City::load(both.path(), "test").unwrap();
    assert_eq!(ids(&test), ["X1", "W2"]);
    assert_eq!(test.dialogues[0].first, "Hello .");
    assert_eq!(test.dialogues[0].message, test.dialogues[1].message);
    assert_eq!(ids(&City::load(both.path(), "all").unwrap()), ["X1", "W2"]);
    assert!(refused(&both, "dev").contains("nor `goals_dev.json`"), "{}", refused(&both, "dev"));
    fs::remove_file(both.path().join("reference_test.json")).unwrap();
    assert!(refused(&both, "test").contains("`reference_test.json` is missing"));
}

#[test]
fn what_cannot_be_played_is_left_out_and_told() {
    let changed = |change: fn(&mut Value)| {
        let mut entry = entry();
        change(&mut entry);
        entry
    };
    let data = json!({
        "ok": entry(),
        "number": changed(|entry| entry["goal"]["hotel"]["info"]["stars"] = json!(4)),
        "odd": changed(|entry| entry["goal"]["hotel"]["info"]["colour"] = json!("red")),
        "one sentence": changed(|entry| entry["goal"]["message"] = json!("One")),
        "list": changed(|entry| entry["goal"]["hotel"]["info"]["area"] = json!(["north"])),
        "info": changed(|entry| entry["goal"]["hotel"]["info"] = json!(7)),
        "silent": changed(|entry| entry["log"] = json!([])),
        "police": changed(|entry| entry["goal"] = json!({"police": {"reqt": ["phone"]}, "message": ["m"]})),
        "nothing\u{1b}[2J": 5,
    });
    let folder = folder(&[("data.json", &data.to_string())]);
    let city = City::load(folder.path(), "all").unwrap();
    assert_eq!(ids(&city), ["ok", "number", "odd", "one sentence"]);
    assert_eq!(city.dialogues[1].goal.domains[0].1.info["stars"], "4");
    assert_eq!(city.left_out.total, 5);
    let [left_out, odd] = &city.remarks()[..] else {
        panic!("{:?}", city.remarks());
    };
    for part in [
        "5 conversations: `data.json`, `list`: `area` in `info` of `hotel` is no text",
        "`info`: the goal of `hotel` cannot be read",
        "`silent`: it has no first utterance",
        "`police`: nothing is wanted",
        "it has no `goal`",
        "left out",
    ] {
        assert!(left_out.contains(part), "{part} in {left_out}");
    }
    assert!(!left_out.contains('\u{1b}'), "{left_out:?}");
    assert!(odd.contains("1 conversation: ") && odd.contains("colour"), "{odd}");

    let none = self::folder(&[("data.json", r#"{"SNG1": {"goal": 1}}"#)]);
    let message = refused(&none, "all");
    assert!(message.contains("no conversation can be played") && message.contains("SNG1"), "{message}");
    write(&folder, &[("testListFile.txt", "ok\nnowhere.json\n")]);
    let test = City::load(folder.path(), "test").unwrap();
    assert_eq!(ids(&test), ["ok"]);
    assert!(test.remarks()[0].contains("`testListFile.txt`, `nowhere`"), "{:?}", test.remarks());
}

#[test]
fn missing_and_broken_files_are_named() {
    let broken = folder(&[("data.json", "{\"a\":\n {]")]);
    let message = refused(&broken, "all");
    assert!(message.contains("data.json") && message.contains("line 2"), "{message}");
    assert!(refused(&broken, "some").contains("respact-100, test, dev, all"));
    write(&broken, &[("hotel_db.json", "[1]"), ("data.json", &json!({ "a": entry() }).to_string())]);
    assert!(refused(&broken, "all").contains("hotel_db.json"));
    fs::remove_file(broken.path().join("hotel_db.json")).unwrap();
    assert!(refused(&broken, "all").contains("`db/hotel.json` nor `hotel_db.json`"));
    let file = broken.path().join("data.json");
    let problem = |path: &Path| City::load(path, "all").unwrap_err().to_string();
    assert!(problem(&file).contains("it is a file; name the folder"));
    assert!(problem(&broken.path().join("no")).contains("it is not there; name the folder"));
    let empty = folder(&[]);
    assert!(refused(&empty, "all").contains("neither `data.json` of MultiWOZ nor `goals_test.json`"));
}

#[test]
fn equal_files_are_loaded_once_and_hashed() {
    let data = json!({ "a": entry() }).to_string();
    let place = folder(&[("data.json", &data)]);
    let first = City::load(place.path(), "all").unwrap();
    assert!(Arc::ptr_eq(&first, &City::load(place.path(), "all").unwrap()));
    let other = City::load(folder(&[("data.json", &data)]).path(), "all").unwrap();
    assert_eq!(first.digest, other.digest);
    write(&place, &[("data.json", &json!({ "b": entry(), "a": entry() }).to_string())]);
    let changed = City::load(place.path(), "all").unwrap();
    assert_eq!(ids(&changed), ["b", "a"]);
    assert_ne!(changed.digest, first.digest);
}

#[test]
fn official_data_is_read_whole_and_respacts_hundred_are_drawn() {
    let Some(data) = std::env::var_os("ROLECALL_DATA") else {
        return;
    };
    let folder = Path::new(&data).join("booking");
    let splits = fs::read(folder.join("splits.json")).unwrap();
    let splits: Value = serde_json::from_slice(&splits).unwrap();
    let drawn = splits["test_respact_100_seed10"].as_array().unwrap().iter();
    let drawn: Vec<&str> = drawn.map(|id| id.as_str().unwrap().trim_end_matches(".json")).collect();
    let city = City::load(&folder, "respact-100").unwrap();
    assert_eq!(ids(&city), drawn);
    for (split, count) in [("test", 1000), ("dev", 999), ("all", 1999)] {
        let city = City::load(&folder, split).unwrap();
        assert_eq!((city.dialogues.len(), city.remarks()), (count, Vec::new()), "{split}");
        for dialogue in &city.dialogues {
            assert!(!dialogue.message.is_empty() && !dialogue.message.join("").contains('<'));
            let Value::Object(data) = dialogue.goal.data() else {
                panic!("{}", dialogue.id);
            };
            assert_eq!(Goal::read(&data).unwrap(), dialogue.goal);
        }
    }
}

/// Any JSON, often with the words that goals have.
fn anything() -> impl Strategy<Value = Value> {
    let words = ["hotel", "taxi", "police", "info", "fail_info", "book", "fail_book", "reqt", "name", "invalid", "x"];
    let word = proptest::sample::select(words.to_vec());
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[<>a /\n]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 4, move |inner| {
        let object = proptest::collection::vec((word.clone(), inner.clone()), 0..5);
        prop_oneof![
            proptest::collection::vec(inner, 0..4).prop_map(Value::from),
            object.prop_map(|pairs| {
                let pairs = pairs.into_iter().map(|(key, value)| (key.to_owned(), value));
                Value::Object(pairs.collect::<Map<_, _>>())
            }),
        ]
    })
}

proptest! {
    #[test]
    fn any_goal_is_read_or_refused(goal in anything(), message in anything(), said in anything()) {
        let entry = json!({ "goal": goal, "message": message });
        if let Ok(read) = dialogue("a", &entry, Some(&said)) {
            prop_assert!(!read.message.is_empty() && !read.first.is_empty());
            let data = read.goal.data();
            prop_assert_eq!(&Goal::read(data.as_object().unwrap()).unwrap(), &read.goal);
        }
        let _ = dialogue("a", &goal, Some(&entry));
    }

    #[test]
    fn any_files_give_a_city_or_an_error(bytes: Vec<u8>, record in anything(), place in 0..5_usize) {
        let folder = folder(&[("data.json", &json!({ "a": entry() }).to_string())]);
        let names = ["data.json", "hotel_db.json", "train_db.json", "taxi_db.json", "testListFile.txt"];
        fs::write(folder.path().join(names[place]), bytes).unwrap();
        let _ = City::load(folder.path(), "test").map(|city| city.remarks());
        let table = json!([record.clone(), { "name": record, "area": "north" }]).to_string();
        write(&folder, &[("restaurant_db.json", &table), ("testListFile.txt", "a")]);
        let _ = City::load(folder.path(), "test");
    }
}
