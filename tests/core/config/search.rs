//! Where configs and persona cards are looked for.

use std::path::Path;

use rolecall::config::{ConfigErrors, Request, Resolved, load};

use super::support::{folder, problems, write};

const MODEL: &str = "roles.executor.implementation = \"model\"\nroles.executor.model = \"m\"\n\
                     models.m = { base_url = \"http://localhost:1/v1\", model = \"x\" }\n";

fn named(working: &Path, name: &str) -> Result<Resolved, ConfigErrors> {
    let request = Request { file: name.into(), working: working.canonicalize().unwrap(), ..Request::default() };
    load(&request, rolecall::worlds())
}

fn config_of(resolved: &Resolved) -> &str {
    &resolved.record.invocation.config
}

fn card_of(resolved: &Resolved) -> &str {
    &resolved.record.cells[0].roles[0].persona.as_ref().unwrap().card
}

#[test]
fn a_shipped_config_is_found_by_its_name_its_path_and_its_last_part() {
    let empty = folder(&[]);
    for (name, path) in [
        ("quickstart", "quickstart"),
        ("quickstart.toml", "quickstart"),
        ("configs/quickstart.toml", "quickstart"),
        ("household/respact", "household/respact"),
        ("papers/../quickstart", ""),
        ("respact-table6", "papers/respact-table6"),
        ("rolecall:/configs/household/../quickstart.toml", "quickstart"),
    ] {
        let found = named(empty.path(), name);
        if path.is_empty() {
            assert!(found.is_err(), "{name}");
            continue;
        }
        let found = found.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(config_of(&found), format!("rolecall:/configs/{path}.toml"));
        assert!(card_of(&found).starts_with("rolecall:/agents/"), "{}", card_of(&found));
    }
}

#[test]
fn files_of_the_working_folder_and_above_come_before_shipped_ones() {
    let own = "extends = \"rolecall:/configs/quickstart.toml\"\nseed = 9\n";
    let place = folder(&[("configs/quickstart.toml", own), ("below/deep/x", "")]);
    let found = named(place.path(), "quickstart").unwrap();
    assert_eq!((config_of(&found), found.plan.seed.0), ("configs/quickstart.toml", 9));
    let found = named(&place.path().join("below/deep"), "quickstart").unwrap();
    assert_eq!(found.plan.seed.0, 9);
    // A file just there is nearer than one below `configs`.
    write(place.path(), "quickstart.toml", own.replace('9', "8").as_bytes());
    let found = named(place.path(), "quickstart").unwrap();
    assert_eq!((config_of(&found), found.plan.seed.0), ("quickstart.toml", 8));
    // A folder of that name is in nobody's way.
    let other = folder(&[("quickstart/x", "")]);
    assert_eq!(named(other.path(), "quickstart").unwrap().plan.seed.0, 1);
}

#[test]
fn a_config_anywhere_may_extend_a_shipped_one_or_be_laid_over_it() {
    for base in ["household/respact", "household/respact.toml", "respact", "../configs/household/respact"] {
        let place = folder(&[("my.toml", &format!("extends = \"{base}\"\nname = \"own\"\n"))]);
        let found = named(place.path(), "my.toml");
        match base.starts_with("..") {
            true => assert!(found.is_err(), "`..` says where it begins"),
            false => assert_eq!(found.unwrap().plan.cells[0].strategy_name, "respact", "{base}"),
        }
    }
    let empty = folder(&[]);
    let mut request = Request {
        file: "household/react-model".into(),
        with: vec!["models/openai".into()],
        models: vec!["executor=openai".into()],
        working: empty.path().canonicalize().unwrap(),
        ..Request::default()
    };
    let found = load(&request, rolecall::worlds()).unwrap();
    assert_eq!(found.record.models[0].name, "openai");
    assert_eq!(found.record.invocation.with, ["rolecall:/configs/models/openai.toml"]);
    request.with = vec!["models/opnai".into()];
    let problem = problems(load(&request, rolecall::worlds())).concat();
    assert!(problem.contains("did you mean `models/openai`?"), "{problem}");
}

#[test]
fn a_name_that_nobody_has_says_where_it_was_looked_for() {
    let place = folder(&[("configs/a.toml", ""), ("in/x", "")]);
    let root = place.path().canonicalize().unwrap();
    let said = |folder: &Path, name: &str| problems(named(folder, name)).concat();
    let problem = said(&root.join("in"), "quickstar");
    for part in [
        "quickstar: does not exist",
        &format!("`{}/configs`", root.display()),
        &format!("looked in `{}/in`", root.display()),
        "the shipped configs",
        "did you mean `quickstart`?",
        "rolecall list configs",
    ] {
        assert!(problem.contains(part), "{part} is not in {problem}");
    }
    let several = said(&root, "react");
    assert!(several.contains("may be any of `dialogue/react`, `household/react`"), "{several}");
    // A path that says where it begins is looked for nowhere else.
    for name in ["./quickstart", "/none/quickstart", "../quickstart"] {
        let problem = said(&root.join("in"), name);
        assert!(problem.contains("does not exist; `rolecall list"), "{problem}");
    }
}

#[test]
fn cards_are_found_beside_the_config_above_it_in_the_working_folder_and_at_last_inside() {
    let config = format!("environment.name = \"household\"\nstrategy.name = \"react\"\n{MODEL}");
    let card = |prompt: &str| format!("prompt = \"{prompt}\"\n");
    let place = folder(&[("there/deep/my.toml", &*config), ("here/x", "")]);
    let here = place.path().join("here");
    let file = place.path().join("there/deep/my.toml");
    let found = || named(&here, file.to_str().unwrap());
    assert_eq!(card_of(&found().unwrap()), "rolecall:/agents/react/executor.toml");
    // Each of these is nearer than the ones before.
    let root = place.path().canonicalize().unwrap();
    for (folder, shown) in [
        ("here", "agents/react/executor.toml".to_owned()),
        ("there", format!("{}/there/agents/react/executor.toml", root.display())),
        ("there/deep", format!("{}/there/deep/agents/react/executor.toml", root.display())),
    ] {
        let path = format!("{folder}/agents/react");
        write(&root, &format!("{path}/executor.toml"), card("own.md").as_bytes());
        write(&root, &format!("{path}/own.md"), b"You play.");
        assert_eq!(card_of(&found().unwrap()), shown);
    }
    // A folder without the card hides no other one.
    std::fs::remove_file(root.join("there/deep/agents/react/executor.toml")).unwrap();
    assert!(card_of(&found().unwrap()).ends_with("there/agents/react/executor.toml"));
    // A folder that the config names is the only one but for the shipped cards.
    write(&root, "there/deep/my.toml", format!("agents = \"agents\"\n{config}").as_bytes());
    assert_eq!(card_of(&found().unwrap()), "rolecall:/agents/react/executor.toml");
}

#[test]
fn a_card_that_nobody_has_says_where_it_was_looked_for() {
    let config = "extends = \"rolecall:/configs/household/react.toml\"\n\
                  roles.executor.persona = \"react/executr\"\n";
    let place = folder(&[("deep/my.toml", config), ("agents/x", ""), ("deep/agents/y", "")]);
    let problem = problems(named(place.path(), "deep/my.toml")).concat();
    assert_eq!(
        problem,
        "deep/my.toml:2: `roles.executor.persona` is `react/executr`, which is no card (did you mean \
         `react/executor`?); looked in `deep/agents`, `agents` and among the shipped cards"
    );
    let place = folder(&[("my.toml", config)]);
    let problem = problems(named(place.path(), "my.toml")).concat();
    let root = place.path().canonicalize().unwrap();
    let none = format!(
        "looked for a folder `agents` in `{}` and above (there is none) and among the shipped cards",
        root.display()
    );
    assert!(problem.ends_with(&none), "{problem}");
}
