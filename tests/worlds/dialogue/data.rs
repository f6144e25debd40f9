//! The official files of FoCus, CIMA and PsyQA, where they are, against the tasks that were made of them;
//! and what is said of malformed ones.

use std::fs;
use std::path::Path;

use crate::support::recordings::data;
use rolecall::environments::dialogue::language::{Dataset, Source};
use rolecall::environments::dialogue::{Options, References, Sample, load, read};
use serde_json::{Value, json};

fn with(references: References) -> Options {
    Options { references, ..Options::default() }
}

fn tasks(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The dialogue in the form of the tasks.
fn turns(sample: &Sample) -> Value {
    let turns = sample.dialogue.iter();
    turns.map(|one| json!({"role": one.speaker, "text": one.text})).collect()
}

#[test]
fn focus_is_read_as_the_original_program_does() {
    let Some(data) = data("dialogue") else { return };
    let names = ["train", "valid", "original_one"];
    let files = names.map(|name| data.join(format!("focus/focus_sample_{name}.json")));
    let samples = files.iter().flat_map(|file| load(file, &Options::default()).unwrap());
    let mut samples: Vec<Sample> = samples.collect();
    let mut tasks = tasks(&data.join("tasks/focus_tasks.jsonl"));
    assert_eq!(samples.len(), tasks.len());
    samples.sort_by(|one, other| one.id.cmp(&other.id));
    tasks.sort_by_key(|task| task["id"].as_str().unwrap().to_owned());
    for (sample, task) in samples.iter().zip(&tasks) {
        assert_eq!(sample.id, task["id"]);
        assert_eq!(turns(sample), task["turns"]);
        assert_eq!(json!(sample.references), json!([task["reference"]]));
        assert_eq!(json!(sample.sources[&Source::Persona]), task["sources"]["PERSONA"]);
        assert_eq!(json!(sample.sources[&Source::Document]), task["sources"]["DOCUMENT"]);
        assert_eq!(json!(sample.gold[&Source::Persona]), task["gold_persona"]);
        assert_eq!(json!(sample.gold[&Source::Document]), json!([task["gold_document"]]));
    }
    let link = samples.iter().find_map(|sample| sample.about.as_deref()).unwrap();
    assert!(link.starts_with("http"), "{link}");
}

#[test]
fn cima_is_read_as_the_original_program_does() {
    let Some(data) = data("dialogue") else { return };
    let file = data.join("cima/dataset.json");
    let all = load(&file, &with(References::All)).unwrap();
    let tasks = tasks(&data.join("tasks/cima_tasks.jsonl"));
    assert_eq!((all.len(), tasks.len()), (1135, 1135));
    for (sample, task) in all.iter().zip(&tasks) {
        assert_eq!(sample.id, task["id"]);
        // The tasks keep the backslashes of Python's list literals, which no tutor wrote.
        let recorded = task["turns"].to_string().replace(r"\\'", "'");
        assert_eq!(turns(sample), serde_json::from_str::<Value>(&recorded).unwrap());
        assert_eq!(json!(sample.references), task["references"]);
        let order = |strategies: &Value| {
            let names = Dataset::Cima.strategies().iter().map(|tool| json!(tool.name));
            names.filter(|name| strategies.as_array().unwrap().contains(name)).collect::<Value>()
        };
        let recorded = task["reference_strategies"].as_array().unwrap().iter().map(order);
        assert_eq!(json!(sample.strategies), recorded.collect::<Value>());
    }
    let each = load(&file, &with(References::Each)).unwrap();
    assert_eq!(each.len(), 3315);
    let one = each.iter().find(|sample| sample.id == "cima/1016/0").unwrap();
    assert_eq!(one.references, ["box is scatola.  Do you remember how to say the plant?"]);
    assert_eq!(one.strategies, [["Hint", "Question"]]);
    assert_eq!(one.dialogue[2].text, "Prepositional phrases separate the two noun phrases.");
    let labels: usize = each.iter().map(|sample| sample.strategies[0].len()).sum();
    assert_eq!(format!("{:.2}", labels as f64 / 3315.0), "1.34");
    // A folder with the official name will do.
    let first = load(&data.join("cima"), &with(References::First)).unwrap();
    assert!(first.iter().all(|sample| sample.references.len() == 1));
    let printed = Options { as_printed: true, ..Options::default() };
    let printed = load(&file, &printed).unwrap();
    assert!(printed.iter().all(|sample| sample.dialogue.iter().all(|one| !one.text.contains('"'))));
}

#[test]
fn psyqa_gives_one_sample_per_labelled_answer() {
    let Some(data) = data("dialogue") else { return };
    let samples = load(&data.join("psyqa/psyqa_synthetic.json"), &Options::default()).unwrap();
    assert_eq!(samples.len(), 12);
    let first = &samples[0];
    assert_eq!((first.id.as_str(), first.language()), ("psyqa/900001", "zh"));
    let expected = ["Approval and Reassurance", "Restatement", "Interpretation", "Direct Guidance", "Others"];
    assert_eq!(first.strategies, [expected]);
    let error = load(&data.join("psyqa"), &Options::default()).unwrap_err().to_string();
    assert!(error.contains("psyqa_synthetic.json") && error.contains("name the file"), "{error}");
}

fn focus() -> Value {
    json!({"data": [{
        "dialogID": "X1", "landmark_link": "'https://example.org/x", "knowledge": ["long"],
        "persona": ["a", "b", "c", "d", "e", "f"],
        "utterance": [
            {"dialogue1": ["q1", "a1"], "persona_grounding": [false, true, false, false, false, true],
             "persona_candidate": ["a", "b", "c", "d", "e", "f"], "knowledge_candidates": ["k", "l"],
             "knowledge_answer_index": 1},
            {"dialogue2": ["q1", "a1", "q2", "a2"], "persona_grounding": [false, false, false, false, false],
             "persona_candidate": ["a", "b", "c", "d", "e"], "knowledge_candidates": ["k", "l"],
             "knowledge_answer_index": -1},
        ],
    }]})
}

fn cima() -> Value {
    json!({"shapeDataset": {}, "prepDataset": {"7": {
        "past_convo": [r#"['l\' is "the"', '']"#, "verde\nverde  ok"],
        "tutorResponses": [" a ", "b"],
        "tutorActions": [[true, true, false, false, false], ["False", "False", "False", "False", "True"]],
    }}})
}

fn psyqa(end: usize) -> Value {
    json!([
        {"question": "怎么办？", "description": "睡不好𠮷", "keywords": "睡眠", "questionID": 5, "answers": [
            {"answer_text": "x", "has_label": false, "labels_sequence": null},
            {"answer_text": "抱抱𠮷，早睡。", "has_label": true, "labels_sequence": [
                {"start": 0, "end": 2, "type": "Approval and Reassurance"},
                {"start": 2, "end": 4, "type": "Approval and Reassurance"},
                {"start": 4, "end": end, "type": "Direct Guidance"}]},
        ]},
    ])
}

fn of(name: &str, value: &Value, options: &Options) -> Result<Vec<Sample>, String> {
    read(name, value.to_string().as_bytes(), options).map_err(|error| error.to_string())
}

#[test]
fn the_oddities_of_each_file_are_known() {
    let all = Options::default();
    let samples = of("x/valid_focus.json", &focus(), &all).unwrap();
    assert_eq!(samples[0].id, "focus/valid/X1/1");
    assert_eq!(samples[0].about.as_deref(), Some("https://example.org/x"));
    assert_eq!(samples[0].sources[&Source::Persona].len(), 5);
    assert_eq!(samples[0].gold[&Source::Persona], [1]);
    assert_eq!(samples[0].gold[&Source::Document], [1]);
    assert_eq!(samples[1].utterances(), ["q1", "a1", "q2"]);
    assert!(!samples[1].gold.contains_key(&Source::Document));
    let public = samples[1].public_data(true, false);
    assert_eq!(public["tools"][1]["name"], "DOCUMENT");
    assert!(public["tools"][0]["description"].is_string() && public["tools"][0]["example"].is_null());
    assert_eq!(samples[1].reference_data(), json!({"references": ["a2"], "gold": {"PERSONA": []}}));

    let samples = of("dataset.json", &cima(), &all).unwrap();
    assert_eq!(samples[0].utterances(), ["l' is \"the\"", "verde verde ok"]);
    assert_eq!(samples[0].references, ["a", "b"]);
    let strategies = json!([["Hint", "Question"], ["Others"]]);
    assert_eq!(samples[0].reference_data()["strategies"], strategies);
    let printed = Options { as_printed: true, references: References::Each };
    let samples = of("dataset.json", &cima(), &printed).unwrap();
    assert_eq!(samples[1].id, "cima/7/1");
    assert_eq!(samples[1].utterances(), ["l' is 'the'", "verdeverde ok"]);

    for end in [6, 7] {
        let samples = of("p.json", &psyqa(end), &all).unwrap();
        assert_eq!(samples.len(), 1);
        assert_eq!(samples[0].utterances(), ["怎么办？ 睡不好𠮷"]);
        let strategies = [["Approval and Reassurance", "Direct Guidance"]];
        assert_eq!(samples[0].strategies, strategies);
    }
}

/// The value with what a pointer names replaced.
fn changed(mut value: Value, pointer: &str, to: Value) -> Value {
    *value.pointer_mut(pointer).unwrap() = to;
    value
}

/// Malformed records of FoCus, with the field and what is said.
fn malformed_focus() -> Vec<(Value, &'static str, &'static str)> {
    let turn = "/data/0/utterance/1";
    vec![
        (changed(focus(), &format!("{turn}/dialogue2"), json!(["q1", "a1", "q2"])), "dialogue2", "not published"),
        (changed(focus(), turn, json!({"dialogue1": []})), "dialogue2", "it is missing; the record has dialogue1"),
        (
            changed(focus(), &format!("{turn}/knowledge_answer_index"), json!(2)),
            "knowledge_answer_index",
            "2 candidates",
        ),
        (changed(focus(), &format!("{turn}/persona_grounding"), json!([true])), "persona_grounding", "5 texts, got 1"),
        (changed(focus(), turn, json!(3)), "", "expected an object, got a number"),
    ]
}

/// Malformed records of CIMA and PsyQA.
fn malformed_strategies() -> Vec<(Value, &'static str, &'static str)> {
    vec![
        (changed(cima(), "/prepDataset/7/past_convo", json!(["a"])), "past_convo", "even number"),
        (changed(cima(), "/prepDataset/7/tutorActions/1", json!([true])), "tutorActions", "five values"),
        (changed(cima(), "/prepDataset/7/tutorActions", json!([])), "tutorActions", "each of 2 responses"),
        (changed(cima(), "/prepDataset/7/tutorResponses", json!("a")), "tutorResponses", "expected a list, got a text"),
        (
            changed(cima(), "/shapeDataset", json!({"0": {}, "1": {}})),
            "",
            "`shapeDataset`: expected nothing in it, as in the official file, got 2 contexts",
        ),
        (changed(cima(), "/shapeDataset", json!([])), "", "got no object"),
        (psyqa(5), "labels_sequence", "which has 7 letters"),
        (psyqa(8), "labels_sequence", "which has 7 letters"),
        (psyqa(4), "end", "more than 4"),
        (changed(psyqa(7), "/0/answers/1/labels_sequence/1/start", json!(3)), "start", "expected 2"),
        (changed(psyqa(7), "/0/answers/1/labels_sequence/1/type", json!("Hug\u{1b}")), "type", r"got `Hug\u{1b}`"),
    ]
}

#[test]
fn a_malformed_record_is_named_with_its_field() {
    let cases = malformed_focus().into_iter().chain(malformed_strategies());
    for (value, field, defect) in cases {
        let error = of("f.json", &value, &Options::default()).unwrap_err();
        assert!(error.starts_with("`f.json`, record "), "{error}");
        assert!((field.is_empty() || error.contains(&format!("field `{field}`"))) && error.contains(defect), "{error}");
    }
    for (text, part) in [
        ("{}", "an object without `data` or `prepDataset` at line 1 column 2"),
        ("{\n  \"dialogs\": []\n }\n\n", "an object without `data` or `prepDataset` at line 3 column 2"),
        ("3", "expected an object or a list"),
        ("[", "EOF"),
    ] {
        let error = read("f.json", text.as_bytes(), &Options::default()).unwrap_err();
        assert!(error.to_string().contains(part), "{error}");
    }
    let error = read("f.json", b"[]", &Options::default()).unwrap_err();
    assert!(error.to_string().contains("holds no sample"), "{error}");
}

#[test]
fn a_record_that_is_no_object_is_named_without_a_field() {
    let error = of("f.json", &json!([5]), &Options::default()).unwrap_err();
    assert_eq!(error, "`f.json`, record 0: expected an object, got a number");
}

#[test]
fn a_folder_of_data_sets_is_refused_with_what_chooses_one() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["psyqa", "focus", "else"] {
        fs::create_dir(folder.path().join(name)).unwrap();
    }
    let error = load(folder.path(), &Options::default()).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("`environment.dataset` can choose `focus`, `psyqa`;"), "{error}");
}

/// Every value of a file replaced by something else, one at a time: an error or samples, no panic.
#[test]
fn no_change_of_a_value_makes_a_loader_panic() {
    fn pointers(value: &Value, at: &str, all: &mut Vec<String>) {
        all.push(at.to_owned());
        match value {
            Value::Array(items) => {
                for (place, item) in items.iter().enumerate() {
                    pointers(item, &format!("{at}/{place}"), all);
                }
            }
            Value::Object(fields) => {
                for (key, item) in fields {
                    pointers(item, &format!("{at}/{key}"), all);
                }
            }
            _ => {}
        }
    }
    for value in [focus(), cima(), psyqa(7)] {
        let mut all = Vec::new();
        pointers(&value, "", &mut all);
        for pointer in all {
            for other in [json!(null), json!(-1), json!(1e300), json!("['"), json!([]), json!({}), json!([[]])] {
                for references in [References::First, References::Each] {
                    let _ = of("f.json", &changed(value.clone(), &pointer, other.clone()), &with(references));
                }
            }
        }
    }
}

/// What is said of the content of a file in which an id comes twice.
fn twice(name: &str, text: &str, references: References) -> String {
    let read = read(name, text.as_bytes(), &with(references));
    read.unwrap_err().to_string()
}

#[test]
fn an_id_that_comes_twice_is_refused_with_both_places() {
    let all = References::All;
    let mut value = focus();
    let again = value["data"][0].clone();
    value["data"].as_array_mut().unwrap().push(again);
    assert_eq!(
        twice("valid_focus.json", &value.to_string(), all),
        "`valid_focus.json`: record 1 (`X1`), turn 1 makes a sample `focus/valid/X1/1`, and so does record 0 \
         (`X1`), turn 1 (places are counted from 0); samples are told apart by their ids: leave one of the two \
         out, or give it an id of its own"
    );
    // JSON keeps one of two equal keys if nobody looks.
    let text = cima().to_string();
    let (start, end) = text.split_once("\"7\":").unwrap();
    let record = end.strip_suffix("}}").unwrap();
    let text = format!("{start}\"7\":{record},\"7\":{record}}}}}");
    for references in [References::First, all, References::Each] {
        let told = twice("dataset.json", &text, references);
        assert!(
            told.contains("record 1 (`7`) makes a sample `cima/7") && told.contains("so does record 0 (`7`)"),
            "{told}"
        );
    }
    // A key that looks like a response of another record.
    let other = format!("{start}\"7\":{record},\"7/0\":{record}}}}}");
    assert_eq!(read("dataset.json", other.as_bytes(), &with(all)).unwrap().len(), 2);
    let mut value = psyqa(7);
    let again = value[0].clone();
    value.as_array_mut().unwrap().push(again);
    let told = twice("p.json", &value.to_string(), all);
    assert!(
        told.contains("record 1 (`5`), answer 1 makes a sample `psyqa/5`, and so does record 0 (`5`), answer 1"),
        "{told}"
    );
    value[1]["questionID"] = json!("5\u{1b}[2J");
    assert_eq!(of("p.json", &value, &with(all)).unwrap().len(), 2);
}
