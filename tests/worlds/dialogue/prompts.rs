//! The cards of dialogue methods and their demonstrations.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rolecall::domain::{DialogueAct, PublicTask};
use rolecall::environments::dialogue::formats::DialogueFormat;
use rolecall::environments::dialogue::language::Dataset;
use rolecall::ports::Asked;
use rolecall::roles::reader::read_format;

/// The folders of the methods.
const METHODS: [&str; 7] = ["tpe", "cot-dialogue", "few-shot", "react-dialogue", "cue-cot", "chameleon", "rewoo"];

fn agents() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("agents")
}

fn cards(method: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(agents().join(method)).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|end| end == "toml")).collect()
}

fn exemplars(card: &Path) -> Vec<PathBuf> {
    let table: toml::Table = fs::read_to_string(card).unwrap().parse().unwrap();
    let files = table["exemplars"].as_array().unwrap().iter();
    let folder = card.parent().unwrap();
    let files = files.map(|file| folder.join(file.as_str().unwrap()));
    files.map(|file| file.canonicalize().unwrap()).collect()
}

fn stem(file: &Path) -> &str {
    file.file_stem().unwrap().to_str().unwrap()
}

/// What notation the answer of an exemplar has, and where it begins.
fn notation(file: &Path, dataset: Dataset) -> (DialogueFormat, String) {
    let strategies = !dataset.has_sources();
    let path = file.strip_prefix(agents().canonicalize().unwrap()).unwrap();
    let mut parts = path.iter().map(|part| part.to_str().unwrap());
    let method = parts.next().unwrap();
    let role = parts.nth(1).unwrap();
    let own = stem(file).trim_end_matches(|letter: char| letter.is_ascii_digit());
    let (notation, label) = match (method, role) {
        ("tpe", "thinker") => (DialogueFormat::Thought, "Thought:"),
        ("tpe" | "chameleon", "planner") if strategies => (DialogueFormat::Strategies, "Strategies:"),
        ("tpe", "planner") => (DialogueFormat::SourcePlan, "Plan:"),
        ("tpe", "executor") if strategies => (DialogueFormat::PlanDo, "Plan:"),
        ("chameleon", "planner") => (DialogueFormat::Modules, "Modules:"),
        ("chameleon", "executor") => {
            assert!(own.len() > dataset.name().len() + 1, "{own}");
            (DialogueFormat::SubResponse, "")
        }
        ("cue-cot", "thinker") => (DialogueFormat::Status, "Status:"),
        ("rewoo", _) => (DialogueFormat::RewooPlan, "Plan:"),
        ("react-dialogue", _) if strategies => (DialogueFormat::ReactStrategy, "Thought:"),
        ("cot-dialogue", _) => (DialogueFormat::ReasonedResponse, "Thought:"),
        ("react-dialogue", _) => (DialogueFormat::ReactSource, "Thought:"),
        _ => (DialogueFormat::Response, "Response:"),
    };
    (notation, format!("\n{label}"))
}

#[test]
fn demonstrations_are_in_the_notation_that_they_show() {
    let mut read_all = BTreeSet::new();
    for card in METHODS.iter().flat_map(|method| cards(method)) {
        for file in exemplars(&card) {
            let text = fs::read_to_string(&file).unwrap();
            let name = stem(&file).split('-').next().unwrap();
            let dataset = Dataset::named(name).unwrap();
            let (notation, label) = notation(&file, dataset);
            let start = match notation {
                DialogueFormat::SubResponse => text.trim_end().rfind(&label),
                _ => text.find(&label),
            };
            let mut answer = text[start.unwrap()..].trim();
            if notation == DialogueFormat::ReactSource {
                // A turn ends where the source answers.
                answer = answer.split("\nObservation:").next().unwrap();
            }
            let of_file = |tool: &&rolecall::environments::dialogue::language::Tool| {
                let slug = tool.name.to_lowercase().replace(' ', "-");
                stem(&file).contains(&format!("-{slug}-"))
            };
            let own = dataset.strategies().iter().find(of_file);
            let acts: Vec<DialogueAct> = own.map(|tool| DialogueAct(tool.name.to_owned())).into_iter().collect();
            let mut task = PublicTask::new("t", name, "");
            task.data = serde_json::json!({ "dataset": name });
            let asked = Asked { task: Some(&task), acts: &acts, natural: false };
            let found = read_format(&notation, answer, &asked);
            let found = found.unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            assert_eq!(found.repaired, [], "{}", file.display());
            if notation == DialogueFormat::SubResponse {
                assert_eq!(acts.len(), 1, "{}", file.display());
            }
            let turns = text.lines().filter(|line| *line == "Dialogue:");
            assert_eq!(turns.count(), 1, "{}", file.display());
            read_all.insert(file);
        }
    }
    assert!(read_all.len() > 80, "{}", read_all.len());
}

#[test]
fn every_demonstration_belongs_to_a_card() {
    for method in METHODS {
        let mut known = BTreeSet::new();
        for method in METHODS {
            known.extend(cards(method).iter().flat_map(|card| exemplars(card)));
        }
        let mut folders = vec![agents().join(method)];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|end| end == "txt") {
                    assert!(known.contains(&path.canonicalize().unwrap()), "{}", path.display());
                }
            }
        }
    }
}

#[test]
fn cards_draw_the_likeliest_tokens_and_as_many_demonstrations_as_the_paper() {
    for card in METHODS.iter().flat_map(|method| cards(method)) {
        let table: toml::Table = fs::read_to_string(&card).unwrap().parse().unwrap();
        let sampling = &table["sampling"];
        let drawn = (sampling["temperature"].as_float(), sampling["top_p"].as_float());
        assert_eq!(drawn, (Some(0.0), Some(0.1)), "{}", card.display());
        let kinds = [("focus-", 3), ("cima-", 3), ("psyqa-", 2)];
        let files = exemplars(&card);
        let own = |kind: &str| {
            let stems = files.iter().map(|file| stem(file));
            let own = stems.filter(|stem| stem.len() == kind.len() + 1 && stem.starts_with(kind));
            own.count()
        };
        if stem(&card) == "thinker" || stem(&card) == "executor" || stem(&card) == "planner" {
            for (kind, usual) in kinds {
                assert!([0, usual].contains(&own(kind)), "{} {kind}", card.display());
            }
        }
    }
}

/// The strategies that the tutoring demonstrations of a card show, one text for each demonstration.
fn shown(card: &str) -> Vec<String> {
    let files = exemplars(&agents().join(format!("{card}.toml")));
    let own = files.iter().filter(|file| stem(file).len() == "cima-1".len());
    let own = own.filter(|file| stem(file).starts_with("cima-"));
    let plans = own.map(|file| {
        let text = fs::read_to_string(file).unwrap();
        let plans = text.lines().filter_map(|line| line.strip_prefix("Plan: "));
        plans.collect::<Vec<_>>().join(" ")
    });
    plans.collect()
}

#[test]
fn sets_of_demonstrations_differ_as_table_3_says() {
    let usual = ["Hint Question", "Hint", "Question"];
    assert_eq!(shown("tpe/executor"), usual);
    assert_eq!(shown("tpe/executor-hint"), [&usual[..], &["Hint"]].concat());
    assert_eq!(shown("tpe/executor-correction"), [&usual[..], &["Correction"]].concat());
    assert_eq!(shown("tpe/executor-without-hint"), ["Hint Question", "Question"]);
    for set in ["hint", "correction", "without-hint"] {
        let names = |role: &str| {
            let files = exemplars(&agents().join(format!("tpe/{role}-{set}.toml")));
            files.iter().map(|file| stem(file).to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names("thinker"), names("executor"));
    }
}
