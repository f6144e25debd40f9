//! The configs that come with the crate.

use std::path::PathBuf;

use rolecall::config::{Request, load};
use rolecall::registry::Registry;

use super::asking;
use super::support::{folder, problems};
use crate::support::shipped::configs;

#[test]
fn every_shipped_config_can_be_resolved_and_says_what_it_is() {
    let working = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut found = configs(&working.join("configs"));
    // Presets of models and retrievers name nobody who plays.
    let presets = ["configs/models", "configs/retrievers"].map(|folder| working.join(folder));
    found.retain(|file| !presets.iter().any(|folder| file.starts_with(folder)));
    assert!(found.len() >= 6, "{found:?}");
    for file in found {
        let text = std::fs::read_to_string(&file).unwrap();
        assert!(
            text.starts_with("# "),
            "{} begins with no comment",
            file.display()
        );
        let request = Request {
            file,
            working: working.clone(),
            ..Request::default()
        };
        let label = request.file.display().to_string();
        let problems = problems(load(&request, Registry::standard()));
        assert!(problems.is_empty(), "{label}: {problems:#?}");
    }
}

#[test]
fn a_model_plays_the_dialogue_methods_by_their_own_cards_and_is_shown_what_these_propose() {
    let working = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let played = |config: &str, shots: &[&str]| {
        let model = [
            "roles.executor.implementation=model",
            "roles.executor.model=llama-cpp",
        ];
        let sets = [&model[..], shots].concat();
        let request = Request {
            file: working.join("configs/dialogue").join(config),
            sets: sets.into_iter().map(str::to_owned).collect(),
            with: vec![working.join("configs/models/llama-cpp.toml")],
            working: working.clone(),
            ..Request::default()
        };
        let cell = load(&request, Registry::standard())
            .unwrap()
            .record
            .cells
            .remove(0);
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
    assert_eq!(
        played("cot.toml", &[]),
        expected("cot-dialogue/executor", "3")
    );
    assert_eq!(played("tpe.toml", &[]), expected("tpe/executor", "3"));
}

#[test]
fn every_preset_of_a_model_can_be_extended_and_asked() {
    let shipped = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("configs");
    let presets = configs(&shipped.join("models"));
    assert!(presets.len() >= 5, "{presets:?}");
    for preset in presets {
        let text = std::fs::read_to_string(&preset).unwrap();
        assert!(
            text.starts_with("# "),
            "{} begins with no comment",
            preset.display()
        );
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
        let names: Vec<&str> = resolved
            .record
            .models
            .iter()
            .map(|model| &*model.name)
            .collect();
        assert_eq!(names, [name.as_str()]);
        let shown = rolecall::cli::describe(&resolved);
        assert!(shown.contains(&format!("\nmodel {name}\n")), "{shown}");
        assert!(
            shown.contains(resolved.record.models[0].keys.text("base_url")),
            "{shown}"
        );
    }
}
