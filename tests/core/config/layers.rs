//! Which layer wins, and what a stronger layer does to a weaker one.

use std::ffi::OsString;

use rolecall::config::{Flag, load};

use super::support::{GOOD, folder, problems, registry, request, resolve};

#[test]
fn a_stronger_layer_wins() {
    let folder = folder(&[
        ("base/far.toml", "seed = 1\nrepeats = 1\nname = \"far\"\n[limits]\nsteps = 1\nattempts = 1\n"),
        ("base/near.toml", "extends = \"far.toml\"\nseed = 2\n[limits]\nsteps = 2\nquestions = 2\n"),
        ("run.toml", &format!("extends = \"base/near.toml\"\nseed = 3\n[limits]\nturn_seconds = 3\n{GOOD}")),
    ]);
    let mut request = request(folder.path(), &["limits.answer_bytes=5", "tasks.limit=1"]);
    let variables = [("ROLECALL__LIMITS__ANSWER_BYTES", "4"), ("ROLECALL__SEED", "4"), ("ROLECALL_ORACLE", "x")];
    request.variables = variables.map(|(name, value)| (OsString::from(name), OsString::from(value))).to_vec();
    request.flags = vec![Flag { option: "--limit", key: "tasks.limit", value: 2.into() }];
    let plan = load(&request, registry()).unwrap().plan;
    assert_eq!((plan.name.as_str(), plan.seed.0, plan.tasks.len()), ("far", 4, 2));
    let limits = plan.cells[0].limits;
    assert_eq!((limits.attempts, limits.steps, limits.questions), (1, 2, Some(2)));
    assert_eq!((limits.turn.as_secs(), limits.answer_bytes), (3, 5));
}

#[test]
fn a_circle_of_files_is_named_whole() {
    let folder = folder(&[
        ("run.toml", "extends = \"a.toml\""),
        ("a.toml", "\nextends = \"b.toml\""),
        ("b.toml", "extends = \"./a.toml\""),
    ]);
    assert_eq!(
        problems(load(&request(folder.path(), &[]), registry())),
        ["b.toml:1: `extends` goes round in a circle: `a.toml` -> `b.toml` -> `a.toml`"]
    );
}

#[test]
fn of_several_files_the_later_one_is_the_stronger() {
    let several = |list: &str| {
        let folder = folder(&[
            ("common.toml", "seed = 5\nrepeats = 5\n"),
            ("a.toml", "extends = \"common.toml\"\nseed = 6\n[limits]\nsteps = 6\n"),
            ("b.toml", "extends = \"common.toml\"\n[limits]\nsteps = 7\nquestions = 7\n"),
            ("run.toml", &format!("extends = {list}\n{GOOD}")),
        ]);
        load(&request(folder.path(), &[]), registry())
    };
    let resolved = several("[\"a.toml\", \"b.toml\"]").unwrap();
    let (plan, limits) = (&resolved.plan, resolved.plan.cells[0].limits);
    // What `b` says, or what it extends, is stronger than what `a` says.
    assert_eq!((plan.seed.0, plan.repeats), (5, 5));
    assert_eq!((limits.steps, limits.questions), (7, Some(7)));
    let files: Vec<&str> =
        resolved.record.files.iter().filter(|file| file.kind == "config").map(|file| &*file.path).collect();
    assert_eq!(files, ["common.toml", "a.toml", "b.toml", "run.toml"]);
    let limits = several("[\"b.toml\", \"a.toml\"]").unwrap().plan.cells[0].limits;
    assert_eq!((limits.steps, limits.questions), (6, Some(7)));
    assert_eq!(several("[]").unwrap().plan.seed.0, 1);
    assert_eq!(
        problems(several("[\"a.toml\", 3]")),
        ["run.toml:1: `extends` must be a text, the path of another config file, or a list of \
          such texts"]
    );
    assert_eq!(
        problems(several("[\"a.toml\", \"run.toml\"]")),
        ["run.toml:1: `extends` goes round in a circle: `run.toml` -> `run.toml`"]
    );
}

#[test]
fn files_that_fan_out_are_not_read_for_ever() {
    let names: Vec<(String, String)> = (0..40)
        .map(|number| {
            let next = number + 1;
            (format!("{number}.toml"), format!("extends = [\"{next}.toml\", \"{next}.toml\"]"))
        })
        .collect();
    let mut files: Vec<(&str, &str)> = names.iter().map(|(name, text)| (&**name, &**text)).collect();
    files.extend([("40.toml", ""), ("run.toml", "extends = \"0.toml\"")]);
    let folder = folder(&files);
    let problems = problems(load(&request(folder.path(), &[]), registry()));
    assert_eq!(problems.len(), 1);
    assert!(problems[0].ends_with("`extends` leads to more than 100 files"), "{problems:?}");
}

#[test]
fn problems_are_placed_in_the_file_that_has_them() {
    let folder =
        folder(&[("base.toml", "[limits]\nsteps = 0\n"), ("run.toml", &format!("extends = \"base.toml\"\n{GOOD}"))]);
    let mut request = request(folder.path(), &["limits.attempts=0"]);
    request.variables = vec![("ROLECALL__SEED".into(), "x".into()), ("ROLECALL__A____B".into(), "x".into())];
    let found = problems(load(&request, registry()));
    let places = [
        "base.toml:2: `limits.steps` ",
        "environment variable `ROLECALL__A____B`: names no key",
        "environment variable `ROLECALL__SEED`: `seed` is the text `x`",
        "`--set`: `limits.attempts` ",
    ];
    assert_eq!(found.len(), places.len(), "{found:#?}");
    for (found, place) in found.iter().zip(places) {
        assert!(found.starts_with(place), "{found}");
    }
}

#[test]
fn a_path_is_relative_to_whoever_writes_it() {
    let folder = folder(&[
        ("sub/games/x", ""),
        ("sub/base.toml", &GOOD.replace("\"household\"", "\"household\"\ndata = \"games\"")),
        ("run.toml", "extends = \"sub/base.toml\""),
        ("here/x", ""),
    ]);
    let data = |sets: &[&str]| {
        let record = load(&request(folder.path(), sets), registry()).unwrap().record;
        let data = record.cells[0].environment.parameters["data"].clone();
        data.as_str().unwrap().to_owned()
    };
    assert!(data(&[]).ends_with("/sub/games"));
    assert!(data(&["environment.data=here"]).ends_with("/here"));
    assert_eq!(data(&["environment.data=builtin"]), "builtin");
}

const CELLS: &str = "[[cells]]\nname = \"one\"\n[[cells]]\nname = \"two\"\nlimits.steps = 7\n";

#[test]
fn a_set_reaches_into_cells_by_number_and_by_name() {
    let text = format!("{GOOD}{CELLS}");
    let sets = ["cells.0.limits.steps=5", "cells.two.user.kind=unhelpful", "limits.attempts=2"];
    let plan = resolve(&text, &sets).unwrap().plan;
    let steps: Vec<u32> = plan.cells.iter().map(|cell| cell.limits.steps).collect();
    assert_eq!(steps, [5, 7]);
    assert_eq!(plan.cells[0].users[0].kind, "helpful");
    assert_eq!(plan.cells[1].users[0].kind, "unhelpful");
    assert!(plan.cells.iter().all(|cell| cell.limits.attempts == 2));
    assert_eq!(
        problems(resolve(&text, &["cells.2.limits.steps=5"])),
        ["`--set`: `2` is no item of the list: write a number from 0 to 1 or `one`, `two`"]
    );
}

#[test]
fn sets_that_make_no_sense() {
    assert_eq!(
        problems(resolve(GOOD, &["limits.steps"])),
        ["`--set`: `limits.steps` has no `=` after its key; write `key=value`, for instance \
          `limits.steps=20`"]
    );
    assert_eq!(problems(resolve(GOOD, &["extends=x.toml"])), ["`--set`: `extends` can only be written in a file"]);
    assert_eq!(
        problems(resolve(GOOD, &["name=2020-01-01"])),
        ["`--set`: `2020-01-01` is a date; write a text in quotes"]
    );
}

#[test]
fn naming_another_implementation_is_the_whole_of_a_swap() {
    let text =
        GOOD.replace("\"helpful\"", "\"helpful\"\nwrong_rate = 0.5").replace("\"rules\"", "\"rules\"\npatience = 2");
    let resolved = resolve(&text, &["user.kind=unhelpful"]).unwrap();
    assert_eq!(resolved.plan.cells[0].users[0].kind, "unhelpful");
    assert_eq!(resolved.notes.len(), 1, "{:?}", resolved.notes);
    assert!(resolved.notes[0].starts_with("run.toml:11: `user.wrong_rate`"), "{:?}", resolved.notes);
    let resolved = resolve(&text, &["strategy.name=react"]).unwrap();
    assert!(resolved.plan.cells[0].users.is_empty());
    assert_eq!(resolved.notes.len(), 1, "{:?}", resolved.notes);
    assert!(resolved.notes[0].starts_with("run.toml:10: `user`"), "{:?}", resolved.notes);
    // In the layer that names it, a parameter that the implementation does not know is a mistake.
    let found = problems(resolve(&text.replace("\"helpful\"", "\"unhelpful\""), &[]));
    assert!(found[0].starts_with("run.toml:11: `user.wrong_rate` is unknown"), "{found:?}");
    let found = problems(resolve(GOOD, &["user.kind=unhelpful", "user.wrong_rate=1"]));
    assert!(found[0].starts_with("`--set`: `user.wrong_rate` is unknown"), "{found:?}");
}

#[test]
fn an_environment_and_a_role_are_swapped_by_one_name() {
    let text = "environment = { name = \"household\", observations = \"classic\" }\n\
                strategy.name = \"respact\"\n\
                roles.executor = { implementation = \"scripted\", script = \"run.toml\" }\n\
                user.kind = \"unhelpful\"";
    let first = resolve(text, &[]).unwrap().plan;
    assert_eq!(first.cells[0].environment, "household");
    let other = resolve(text, &["environment.name=shop"]).unwrap();
    assert_eq!(other.plan.cells[0].environment, "shop");
    assert_eq!(other.notes.len(), 1, "{:?}", other.notes);
    assert!(other.notes[0].starts_with("run.toml:1: `environment.observations`"), "{:?}", other.notes);
    let other = resolve(text, &["roles.executor.implementation=rules"]).unwrap();
    assert_eq!(other.plan.cells[0].roles[0].implementation, "rules");
    assert_eq!(first.cells[0].roles[0].implementation, "scripted");
}

#[test]
fn one_of_user_and_users_takes_the_other_away() {
    let mixed = format!(
        "{GOOD}[[cells]]\nname = \"mixed\"\nusers = [{{ kind = \"helpful\" }}, \
        {{ kind = \"unhelpful\", weight = 3 }}]\n[[cells]]\nname = \"plain\"\n"
    );
    let plan = resolve(&mixed, &[]).unwrap().plan;
    let kinds = |cell: usize| -> Vec<(&str, f64)> {
        plan.cells[cell].users.iter().map(|user| (user.kind.as_str(), user.weight)).collect()
    };
    assert_eq!(kinds(0), [("helpful", 1.0), ("unhelpful", 3.0)]);
    assert_eq!(kinds(1), [("helpful", 1.0)]);
    let plan = resolve(&mixed, &["cells.mixed.user.kind=human"]).unwrap().plan;
    assert_eq!(plan.cells[0].users[0].kind, "human");
}
