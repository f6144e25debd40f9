//! Dialects are recognised by the texts of rules that are known; others need a word in the config.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::support::recordings::data;
use crate::support::shipped::household_games;
use rolecall::environments::household::dialect::Style;
use rolecall::environments::household::load::{self, Selection};
use rolecall::environments::household::{Defect, Game, HouseholdError, Rules, World, tasks};
use rolecall::ports::{ParameterValue, Parameters};
use serde_json::Value;

fn first() -> Value {
    serde_json::from_str(&household_games(1)[0].1).unwrap()
}

fn load(game: &Value) -> Result<Game, HouseholdError> {
    Game::from_json("game", game.to_string().as_bytes())
}

fn replaced(game: &Value, key: &str, from: &str, to: &str) -> Value {
    let mut changed = game.clone();
    let text = game[key].as_str().unwrap();
    assert!(text.contains(from), "`{from}`");
    changed[key] = Value::from(text.replace(from, to));
    changed
}

fn defect(game: &Value) -> Defect {
    match load(game).unwrap_err() {
        HouseholdError::NotPlayable { defect, .. } => defect,
        other => panic!("{other}"),
    }
}

#[test]
fn white_space_and_the_task_sentence_do_not_matter() {
    let game = first();
    let mut other = game.clone();
    for key in ["pddl_domain", "grammar"] {
        let spaced = game[key].as_str().unwrap().replace('\n', "\r\n\t  ");
        other[key] = Value::from(spaced);
    }
    let (one, two) = (load(&game).unwrap(), load(&other).unwrap());
    assert_eq!(one.dialect().style, Style::New);
    let answer = |game: &Game| {
        let help = game.dialect().help.as_deref().unwrap();
        help.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(answer(&one), answer(&two));
    assert_eq!((one.task_text(), one.goal()), (two.task_text(), two.goal()));
    let asked = "Your task is to: \\\"juggle\\\" {o.name} \\u00e9";
    let other = replaced(&game, "grammar", "Your task is to: ", asked);
    let text = load(&other).unwrap().task_text().to_owned();
    assert!(text.starts_with("Your task is to: \"juggle\" {o.name} \u{e9}"), "{text}");
}

#[test]
fn every_other_text_is_refused_with_its_digest_and_the_remedy() {
    let game = first();
    let cases = [
        ("pddl_domain", "(isHot ?o) (not (isCool ?o))", "(isHot ?o)"),
        ("pddl_domain", "(noted ?", "(visited ?"),
        ("pddl_domain", "; looking around", "; looks around"),
        ("grammar", "\"move {o} to {r}\"", "\"put {o} in/on {r}\""),
        ("grammar", "Welcome", "Hello"),
        ("grammar", "\"task\"", "\"goal\""),
        ("grammar", "}", ""),
    ];
    let mut digests = BTreeSet::new();
    for (key, from, to) in cases {
        let fault = defect(&replaced(&game, key, from, to));
        let text = fault.to_string();
        let Defect::Rules { digest } = fault else {
            panic!("{from}: {text}");
        };
        assert!(text.contains(&digest) && text.contains("environment.rules"), "{text}");
        assert!(digests.insert(digest));
    }
}

#[test]
fn games_are_read_by_the_rules_that_are_named() {
    let known = first();
    let foreign = replaced(&known, "pddl_domain", "(noted ?", "(visited ?");
    let foreign = foreign.to_string();
    let read = |rules| Game::from_json_by("game", foreign.as_bytes(), rules);
    assert!(read(Rules::Recognise).is_err());
    assert_eq!(read(Rules::NewStyle).unwrap(), load(&known).unwrap());
    let old = read(Rules::OldStyle).unwrap();
    assert!(old.dialect().is_old_style());
    let mut world = World::new(Arc::new(old));
    let place = world.game().receptacle_names().next().unwrap();
    let go = format!("go to {place}");
    assert!(world.perform(&go).starts_with("You arrive at loc "));
    assert_eq!(world.perform("help"), "Nothing happens.");
    let without_task = replaced(&known, "grammar", "\"task\"", "\"goal\"").to_string();
    let fault = Game::from_json_by("game", without_task.as_bytes(), Rules::NewStyle);
    let text = fault.unwrap_err().to_string();
    assert!(text.contains("`grammar` line 1: expected a rule `\"task\""), "{text}");
}

#[test]
fn a_config_names_the_rules_of_games_in_files() {
    let folder = tempfile::tempdir().unwrap();
    let foreign = replaced(&first(), "pddl_domain", "(noted ?", "(visited ?");
    std::fs::write(folder.path().join("game.tw-pddl"), foreign.to_string()).unwrap();
    let build = |data: &Path, rules: &str| {
        let values = BTreeMap::from([
            ("data", ParameterValue::Path(data.to_owned())),
            ("rules", ParameterValue::Text(rules.to_owned())),
        ]);
        tasks::build(&Parameters::new(values))
    };
    let open = |rules| build(folder.path(), rules).unwrap().open(0);
    let fault = open("recognise").err().unwrap().to_string();
    assert!(fault.contains("environment.rules = \"new-style\""), "{fault}");
    assert_eq!(open("new-style").unwrap().task.public.data["put"], "move {object} to {receptacle}");
    assert_eq!(open("old-style").unwrap().task.public.data["put"], "put {object} in/on {receptacle}");
    let builtin = PathBuf::from("builtin");
    assert!(build(&builtin, "recognise").is_ok());
    let fault = build(&builtin, "old-style").err().unwrap();
    assert_eq!(fault.key.as_deref(), Some("rules"));
}

#[test]
fn other_defects_are_typed() {
    let game = first();
    let foreign = replaced(&game, "pddl_problem", "(openable ", "(lockable ");
    assert!(
        matches!(defect(&foreign), Defect::Syntax { reason, .. } if reason.starts_with("unknown predicate `lockable`"))
    );
    let goal = replaced(&game, "pddl_problem", "(inReceptacle ?o ?r)", "(isSliced ?o)");
    assert!(matches!(defect(&goal), Defect::Goal { .. }));
    let mut missing = game.clone();
    missing.as_object_mut().unwrap().remove("grammar");
    assert_eq!(defect(&missing), Defect::MissingKey { key: "grammar" });
    let mut unsolvable = game.clone();
    unsolvable["solvable"] = Value::from(false);
    assert!(matches!(load(&unsolvable), Err(HouseholdError::NotSolvable { .. })));
    assert!(matches!(defect(&Value::from(vec![1])), Defect::Json { .. }));
}

#[test]
fn official_styles_are_recognised() {
    let Some(data) = data("household") else {
        return;
    };
    for (folder, old) in [("old_style", true), ("json_2.1.1/train", false)] {
        for path in load::list(&data.join(folder), &Selection::default()).unwrap() {
            let game = Game::load(&path).unwrap();
            assert_eq!(game.dialect().is_old_style(), old);
            assert_eq!(game.dialect().help.is_none(), old);
        }
    }
}
