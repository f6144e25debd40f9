//! Dialects are recognised by meaning: rewritten texts are accepted, changed ones are not.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a test or bench may stop and tell"
)]

mod household_data;

use household_data::{data, generated};
use rolecall::environments::household::dialect::{ArrivalNaming, Cleaners, PutWording};
use rolecall::environments::household::load::{self, Selection};
use rolecall::environments::household::{Defect, Game, HouseholdError};
use serde_json::Value;

fn first() -> Value {
    serde_json::from_str(&generated(1)[0].1).unwrap()
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
fn other_layout_names_and_comments_are_accepted() {
    let game = first();
    let mut other = game.clone();
    let domain = game["pddl_domain"].as_str().unwrap();
    let domain: String = domain
        .lines()
        .filter(|line| !line.trim().starts_with(';'))
        .collect();
    // New names for variables, whose old ones are also used by the grammar.
    let renamed = domain
        .replace("?lEnd", "?there")
        .replace("?a ", "?who ")
        .replace("?a)", "?who)")
        .to_uppercase();
    other["pddl_domain"] = Value::from(format!("; another head\n{}", renamed.replace(' ', "\n  ")));
    let grammar = game["grammar"].as_str().unwrap();
    let grammar = grammar
        .replace("lend:", "there:")
        .replace("a:agent", "who:agent")
        .replace("entry(", "item(");
    let grammar = grammar
        .replace("action ", "// next\n\naction ")
        .replace(" :: ", "::");
    other["grammar"] = Value::from(grammar);
    let (one, two) = (load(&game).unwrap(), load(&other).unwrap());
    assert_eq!(one, two);
}

#[test]
fn each_difference_is_recognised_by_itself() {
    let game = first();
    let base = load(&game).unwrap().dialect().clone();
    assert_eq!(
        (base.put, base.arrival),
        (PutWording::MoveTo, ArrivalNaming::Receptacle)
    );
    let put = replaced(
        &game,
        "grammar",
        "\"move {o} to {r}\"",
        "\"put {o} in/on {r}\"",
    );
    assert!(matches!(defect(&put), Defect::Dialect { .. }));
    let put = replaced(
        &put,
        "grammar",
        "You move the {o.name} to the",
        "You put the {o.name} in/on the",
    );
    assert_eq!(load(&put).unwrap().dialect().put, PutWording::PutInOn);
    let arrival = replaced(
        &game,
        "grammar",
        "You arrive at {r.name}",
        "You arrive at {lend.name}",
    );
    assert_eq!(
        load(&arrival).unwrap().dialect().arrival,
        ArrivalNaming::Location
    );
    let sink = "(or (receptacleType ?r SinkBasinType) (receptacleType ?r SinkType))";
    let clean = replaced(
        &game,
        "pddl_domain",
        sink,
        "(receptacleType ?r SinkBasinType)",
    );
    assert_eq!(
        load(&clean).unwrap().dialect().cleaners,
        Cleaners::SinkBasin
    );
    let help = replaced(
        &game,
        "pddl_domain",
        "(:action help\n    :parameters (?a - agent)\n    :effect (noted ?a))",
        "",
    );
    assert_eq!(load(&help).unwrap().dialect().help, None);
}

#[test]
fn facts_that_nothing_reads_may_have_any_name() {
    let game = first();
    let noted = replaced(&game, "pddl_domain", "(noted ?", "(visited ?");
    assert_eq!(load(&noted).unwrap(), load(&game).unwrap());
}

#[test]
fn other_differences_are_named() {
    let game = first();
    let cases = [
        (
            "pddl_domain",
            "(isHot ?o) (not (isCool ?o))",
            "(isHot ?o)",
            "effect of action `heatobject`",
        ),
        (
            "pddl_domain",
            "FridgeType",
            "FreezerType",
            "precondition of action `coolobject`",
        ),
        (
            "pddl_domain",
            "(:action look",
            "(:action glance",
            "action `glance`",
        ),
        (
            "grammar",
            "You pick up the",
            "You grab the",
            "feedback of action `pickupobject`",
        ),
        (
            "grammar",
            "\"use {o}\"",
            "\"toggle {o}\"",
            "template of action `toggleobject`",
        ),
        (
            "grammar",
            "cold {o.name}",
            "cool {o.name}",
            "feedback of action `examineobject`",
        ),
        (
            "grammar",
            "\", and \"",
            "\" and \"",
            "rule `list_last_separator`",
        ),
        ("grammar", "Welcome", "Hello", "rule `intro`"),
    ];
    for (key, from, to, expected) in cases {
        match defect(&replaced(&game, key, from, to)) {
            Defect::Dialect { place, .. } => assert_eq!(place, expected),
            other => panic!("{from}: {other}"),
        }
    }
}

#[test]
fn other_defects_are_typed() {
    let game = first();
    let foreign = replaced(&game, "pddl_problem", "(openable ", "(lockable ");
    assert!(
        matches!(defect(&foreign), Defect::UnknownPredicate { predicate, .. } if predicate == "lockable")
    );
    let goal = replaced(
        &game,
        "pddl_problem",
        "(inReceptacle ?o ?r)",
        "(isSliced ?o)",
    );
    assert!(matches!(defect(&goal), Defect::Goal { .. }));
    let mut missing = game.clone();
    missing.as_object_mut().unwrap().remove("grammar");
    assert_eq!(defect(&missing), Defect::MissingKey { key: "grammar" });
    let mut unsolvable = game.clone();
    unsolvable["solvable"] = Value::from(false);
    assert!(matches!(
        load(&unsolvable),
        Err(HouseholdError::NotSolvable { .. })
    ));
    assert!(matches!(defect(&Value::from(vec![1])), Defect::Json { .. }));
}

#[test]
fn official_styles_are_recognised() {
    let Some(data) = data() else { return };
    for (folder, old) in [("old_style", true), ("json_2.1.1/train", false)] {
        for path in load::list(&data.join(folder), &Selection::default()).unwrap() {
            let game = Game::load(&path).unwrap();
            assert_eq!(game.dialect().is_old_style(), old);
            assert_eq!(game.dialect().help.is_none(), old);
        }
    }
}
