//! Persona cards and the texts that they name.

use rolecall::config::load;

use super::support::{GOOD, folder, problems, registry, request, write};

const CARD: &str = "summary = \"x\"\nimplementation = \"rules\"\nprompt = \"executor.md\"\nexemplars = [\"a.txt\"]\n";

fn no_implementation() -> String {
    GOOD.replace("implementation = \"rules\"", "hide_thoughts = true")
}

fn good_folder() -> tempfile::TempDir {
    folder(&[
        ("configs/run.toml", &no_implementation()),
        ("agents/respact/executor.toml", CARD),
        ("agents/respact/executor.md", "You are."),
        ("agents/respact/a.txt", "Like this."),
        ("agents/other/quiet.toml", "implementation = \"scripted\"\n"),
    ])
}

fn load_in(
    folder: &std::path::Path,
    sets: &[&str],
) -> Result<rolecall::config::Resolved, rolecall::config::ConfigErrors> {
    let mut request = request(folder, sets);
    request.file = "configs/run.toml".into();
    load(&request, registry())
}

#[test]
fn a_card_for_the_environment_comes_before_the_card_of_the_strategy() {
    let folder = good_folder();
    let own = "agents/respact-household/executor.toml";
    write(folder.path(), own, b"implementation = \"scripted\"\n");
    write(folder.path(), "script", b"");
    let record = load_in(folder.path(), &["roles.executor.script=script"]).unwrap().record;
    let role = &record.cells[0].roles[0];
    assert_eq!(role.persona.clone().unwrap().card, own);
    assert_eq!(role.implementation, "scripted");
}

#[test]
fn a_card_proposes_the_implementation_and_the_config_decides() {
    let folder = good_folder();
    let record = load_in(folder.path(), &[]).unwrap().record;
    let role = &record.cells[0].roles[0];
    assert_eq!((role.implementation.as_str(), role.hide_thoughts), ("rules", true));
    let persona = role.persona.clone().unwrap();
    assert_eq!((persona.name.as_str(), persona.card.as_str()), ("respact/executor", "agents/respact/executor.toml"));
    let files: Vec<&str> = record.files.iter().map(|file| file.path.as_str()).collect();
    let expected =
        ["configs/run.toml", "agents/respact/executor.toml", "agents/respact/executor.md", "agents/respact/a.txt"];
    assert_eq!(files, expected);
    write(folder.path(), "script", b"");
    let sets = ["roles.executor.implementation=scripted", "roles.executor.script=script"];
    let record = load_in(folder.path(), &sets).unwrap().record;
    assert_eq!(record.cells[0].roles[0].implementation, "scripted");
}

#[test]
fn the_hash_of_a_persona_covers_its_texts() {
    let folder = good_folder();
    let hash = || load_in(folder.path(), &[]).unwrap().record.cells[0].roles[0].persona.clone().unwrap().blake3;
    let before = hash();
    assert_eq!(before, hash());
    write(folder.path(), "agents/respact/a.txt", b"Like that.");
    assert_ne!(before, hash());
}

#[test]
fn cards_that_cannot_be_used() {
    let folder = good_folder();
    let with = |set: &str| problems(load_in(folder.path(), &[set]));
    assert_eq!(
        with("roles.executor.persona=respact/nobody"),
        ["`--set`: `roles.executor.persona` is `respact/nobody`, which is no card; \
             looked in `agents` and among the shipped cards"]
    );
    let found = with("roles.executor.persona=../../etc/passwd");
    assert!(found[0].contains("it must be the path of a card below the `agents` folder"), "{found:?}");
    let missing = with("roles.executor.persona=other/quiet");
    assert_eq!(missing, ["`--set`: `roles.executor.script` is missing: the file with its answers"]);
    write(
        folder.path(),
        "agents/respact/executor.toml",
        b"implementation = \"rulez\"\nprompt = \"no.md\"\nmodle = 1\nexemplars = [1]\n",
    );
    write(folder.path(), "agents/respact/executor.md", b"\xff");
    let found = problems(load_in(folder.path(), &[]));
    assert_eq!(
        found,
        [
            "configs/run.toml:7: `roles.executor.implementation` is `rulez` by \
             `agents/respact/executor.toml`, which does not exist (did you mean `rules`?); \
             allowed: `rules`, `scripted`",
            "agents/respact/executor.toml:2: `prompt` names `no.md`: `agents/respact/no.md` does not exist",
            "agents/respact/executor.toml:3: `modle` is unknown; allowed: `summary`, \
             `implementation`, `shots`, `prompt`, `exemplars`, `sampling`, `leaving`, `satisfied`",
            "agents/respact/executor.toml:4: `exemplars` holds the whole number `1`; every item \
             must be the name of a file",
        ]
    );
    write(folder.path(), "agents/respact/executor.toml", CARD.as_bytes());
    assert_eq!(
        problems(load_in(folder.path(), &[])),
        ["agents/respact/executor.toml:3: `prompt` names `executor.md`: \
          `agents/respact/executor.md` is not UTF-8: the bytes from 0 on are no text"]
    );
    write(folder.path(), "agents/respact/executor.toml", b"x =");
    let found = problems(load_in(folder.path(), &[]));
    assert!(
        found.iter().any(|problem| problem.starts_with("agents/respact/executor.toml:1:4: this is not TOML")),
        "{found:?}"
    );
}
