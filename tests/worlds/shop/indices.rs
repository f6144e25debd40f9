//! Catalogues whose index is on disk.

use std::path::Path;

use rolecall::domain::Action;
use rolecall::environments::shop::ENTRIES;
use rolecall::ports::{OpenTask, ParameterValue, Parameters};

use super::episodes::{BEGUN, run, tasks_with, text};
use crate::support::binary::{self, rolecall};
use crate::support::shipped;

fn tool(name: &str, values: &[(&'static str, ParameterValue)]) -> anyhow::Result<String> {
    let tool = ENTRIES.data.iter().find(|tool| tool.name == name).unwrap();
    let mut parameters = Parameters::defaults(tool.parameters);
    for (name, value) in values {
        parameters = parameters.with(name, value.clone());
    }
    (tool.run)(&parameters, &())
}

fn path(path: &Path) -> ParameterValue {
    ParameterValue::Path(path.to_owned())
}

#[test]
fn a_catalogue_on_disk_is_played_as_one_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let (data, index) = (folder.path().join("data"), folder.path().join("index"));
    let count = ("count", ParameterValue::Integer(60));
    tool("generate", &[count, ("out", path(&data))]).unwrap();
    let all = [("data", path(&data)), ("split", text("all"))];
    let on_disk = [&all[..], &[("index", path(&index))]].concat();
    let error = tasks_with(&on_disk).err().unwrap();
    assert_eq!(error.key.as_deref(), Some("index"));
    assert!(error.problem.contains("rolecall data index shop --data"), "{error}");
    let said = tool("index", &[("data", path(&data)), ("out", path(&index))]).unwrap();
    assert!(said.contains("60"), "{said}");
    let (memory, disk) = (tasks_with(&all).unwrap(), tasks_with(&on_disk).unwrap());
    assert_eq!(memory.len(), disk.len());
    assert!(memory.len() > 10);
    for place in [0, memory.len() - 1] {
        let (one, two) = (memory.open(place).unwrap(), disk.open(place).unwrap());
        assert_eq!(one.task, two.task);
        let said = [
            format!("search[{}]", one.task.public.text),
            "click[next >]".to_owned(),
            "search[<r>]".to_owned(),
            "search[<c> garden]".to_owned(),
        ];
        let seen = |task: &OpenTask| {
            let mut world = (task.environment)();
            let first = run(world.begin(&BEGUN)).unwrap();
            let rest = said.iter().map(|said| run(world.perform(&Action::text(said))).unwrap());
            [vec![first], rest.collect()].concat()
        };
        assert_eq!(seen(&one), seen(&two));
    }
}

#[test]
fn a_run_says_which_entries_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let count = ("count", ParameterValue::Integer(60));
    tool("generate", &[count, ("out", path(&data))]).unwrap();
    let file = data.join("items_shuffle.json");
    let products = std::fs::read_to_string(&file).unwrap();
    let odd = r#"[{"asin": "B0", "images": ["i"], "pricing": "12.50"},"#;
    std::fs::write(&file, products.replacen('[', odd, 1)).unwrap();
    let config = shipped::root().join("configs/shop/webshop.toml");
    let (config, set) = (config.display().to_string(), format!("environment.data={}", data.display()));
    let sets = ["--set", &set, "--set", "environment.split=all", "--limit=1", "--no-report"];
    let arguments = [&["run", &config], &sets[..]].concat();
    let output = rolecall(folder.path(), &arguments).output().unwrap();
    let told = binary::text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{told}");
    let expected = "catalogue: 1 entry left out: `items_shuffle.json`, entry 0 (from 0) (`B0`): the price `12.50` has \
                    no `$`; repair or remove them";
    assert!(told.contains(expected), "{told}");
}
