//! The configs that come with the crate.

use std::path::PathBuf;

use rolecall::config::{Request, load};

use super::asking;
use super::support::{folder, problems};
use crate::support::shipped::configs;

#[test]
fn every_shipped_config_can_be_resolved_and_says_what_it_is() {
    let working = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut found = configs(&working.join("configs"));
    // Presets of models and retrievers, and what is laid over tables, name nobody who plays.
    let presets = ["configs/models", "configs/retrievers", "configs/gpt-4"];
    let presets = presets.map(|folder| working.join(folder));
    found.retain(|file| !presets.iter().any(|folder| file.starts_with(folder)));
    assert!(found.len() >= 6, "{found:?}");
    for file in found {
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(text.starts_with("# "), "{} begins with no comment", file.display());
        let request = Request { file, working: working.clone(), ..Request::default() };
        let label = request.file.display().to_string();
        let problems = problems(load(&request, rolecall::worlds()));
        assert!(problems.is_empty(), "{label}: {problems:#?}");
    }
}

#[test]
fn a_model_plays_the_dialogue_methods_by_their_own_cards_and_is_shown_what_these_propose() {
    let working = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let played = |config: &str, shots: &[&str]| {
        let model = ["roles.executor.implementation=model", "roles.executor.model=llama-cpp"];
        let sets = [&model[..], shots].concat();
        let request = Request {
            file: working.join("configs/dialogue").join(config),
            sets: sets.into_iter().map(str::to_owned).collect(),
            with: vec![working.join("configs/models/llama-cpp.toml")],
            working: working.clone(),
            ..Request::default()
        };
        let cell = load(&request, rolecall::worlds()).unwrap().record.cells.remove(0);
        let mut roles = cell.roles.into_iter();
        let executor = roles.find(|role| role.role == "executor").unwrap();
        let shots = executor.parameters["shots"].to_string();
        (executor.persona.unwrap().name, shots)
    };
    let expected = |name: &str, shots: &str| (name.to_owned(), shots.to_owned());
    let react = "react-dialogue/executor";
    assert_eq!(played("react.toml", &[]), expected(react, "3"));
    let one = ["roles.executor.shots=1"];
    assert_eq!(played("react.toml", &one), expected(react, "1"));
    assert_eq!(played("cot.toml", &[]), expected("cot-dialogue/executor", "3"));
    assert_eq!(played("tpe.toml", &[]), expected("tpe/executor", "3"));
}

#[test]
fn every_preset_of_a_model_can_be_extended_and_asked() {
    let shipped = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("configs");
    let presets = configs(&shipped.join("models"));
    assert!(presets.len() >= 5, "{presets:?}");
    for preset in presets {
        let text = std::fs::read_to_string(&preset).unwrap();
        assert!(text.starts_with("# "), "{} begins with no comment", preset.display());
        let name = preset.file_stem().unwrap().to_str().unwrap().to_owned();
        let game = shipped.join("household/respact.toml");
        let run = format!(
            "extends = [{game:?}, {preset:?}]\n[roles.executor]\nimplementation = \"model\"\n\
             model = {name:?}\npersona = \"respact/executor\"\n"
        );
        let folder = folder(&[("run.toml", &run)]);
        let request = Request {
            file: folder.path().join("run.toml"),
            working: PathBuf::from(env!("CARGO_MANIFEST_DIR")),
            ..Request::default()
        };
        let resolved = load(&request, asking::standard_registry());
        let resolved = resolved.unwrap_or_else(|errors| panic!("{name}: {errors}"));
        let names: Vec<&str> = resolved.record.models.iter().map(|model| &*model.name).collect();
        assert_eq!(names, [name.as_str()]);
        let shown = rolecall::cli::describe(&resolved);
        assert!(shown.contains(name.as_str()), "{shown}");
        assert!(shown.contains(resolved.record.models[0].keys.text("base_url")), "{shown}");
    }
}

/// Names of roles in the comments of a config: those of options, and those that are listed for `ROLE`.
fn named_roles(text: &str) -> Vec<String> {
    let comments = text.lines().filter_map(|line| line.strip_prefix('#'));
    let comments = comments.map(str::trim).collect::<Vec<_>>().join(" ");
    let word = |text: &str| -> String { text.chars().take_while(|letter| letter.is_ascii_lowercase()).collect() };
    let mut named = Vec::new();
    for option in ["--set roles.", "--model "] {
        named.extend(comments.split(option).skip(1).map(word));
    }
    if let Some((before, _)) = comments.split_once(", --set roles.ROLE") {
        let (_, listed) = before.rsplit_once("for ").unwrap();
        named.extend(listed.replace(" and ", ", ").split(", ").map(str::to_owned));
    }
    named.retain(|name| !name.is_empty());
    named
}

#[test]
fn heads_of_configs_name_seats_that_there_are() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut named = 0;
    for folder in ["papers", "household", "dialogue"] {
        for file in configs(&root.join("configs").join(folder)) {
            let text = std::fs::read_to_string(&file).unwrap();
            let label = file.display().to_string();
            let request = Request { file, working: root.clone(), ..Request::default() };
            let resolved = load(&request, rolecall::worlds()).unwrap();
            let cells = resolved.record.cells.iter();
            let roles: Vec<&str> = cells.flat_map(|cell| &cell.roles).map(|role| &*role.role).collect();
            for name in named_roles(&text) {
                assert!(roles.contains(&name.as_str()), "{label} has no {name}");
                named += 1;
            }
        }
    }
    assert!(named > 20, "{named}");
}

#[test]
fn a_second_model_fills_the_rows_of_gpt_4_with_cells_of_its_own() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    for overlay in configs(&root.join("configs/gpt-4")) {
        let table = root.join("configs/papers").join(overlay.file_name().unwrap());
        let resolved = |with: Vec<PathBuf>, sets: &[&str]| {
            let request = Request {
                file: table.clone(),
                with,
                sets: sets.iter().map(|set| (*set).to_owned()).collect(),
                working: root.clone(),
                ..Request::default()
            };
            load(&request, asking::standard_registry()).unwrap_or_else(|errors| panic!("{errors}"))
        };
        // With one model they stay as published.
        let one = resolved(Vec::new(), &[]);
        for row in one.table.unwrap().rows {
            let is_other = row.model.as_deref() == Some("GPT-4");
            assert_eq!(is_other, row.cells.is_empty() && row.missing.is_some(), "{}", row.label);
        }
        let first = root.join("configs/models/llama-cpp.toml");
        let sets = ["thinker", "planner", "executor"]
            .map(|role| [format!("roles.{role}.implementation=model"), format!("roles.{role}.model=llama-cpp")]);
        let sets: Vec<&str> = sets.iter().flatten().map(String::as_str).collect();
        let two = resolved(vec![overlay.clone(), first], &sets);
        for row in two.table.unwrap().rows.iter().filter(|row| !row.cells.is_empty()) {
            let expected = match row.model.as_deref() {
                Some("GPT-4") => "gpt-4",
                _ => "llama-cpp",
            };
            let cells = two.record.cells.iter();
            let own = cells.filter(|cell| row.cells.iter().any(|name| name.as_str() == cell.name));
            for cell in own {
                let models: Vec<&String> = cell.models().collect();
                assert!(!models.is_empty() && models.iter().all(|name| *name == expected), "{models:?}");
            }
        }
    }
}
