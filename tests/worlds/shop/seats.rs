//! People and models in the seats of the shop, as the program is used: what they are told, and what a config may not say.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::support::binary::{rolecall, text};
use crate::support::shipped::root;

/// What the program prints, and what it says besides.
fn said(arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut child = started(root(), arguments);
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(input.as_bytes()).unwrap();
    drop(pipe);
    let output = child.wait_with_output().unwrap();
    let (out, errors) = (text(&output.stdout), text(&output.stderr));
    (output.status.code(), out, errors)
}

fn started(folder: &Path, arguments: &[&str]) -> Child {
    let mut command = rolecall(folder, arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(Stdio::piped()).spawn().unwrap()
}

/// Arguments of a command and settings of its config.
fn with<'a>(start: &[&'a str], sets: &[&'a str]) -> Vec<&'a str> {
    let sets = sets.iter().flat_map(|set| ["--set", *set]);
    start.iter().copied().chain(sets).collect()
}

/// The executor is a model that nobody asks here.
const MODEL: [&str; 4] = [
    "roles.executor.implementation=model",
    "roles.executor.model=m",
    "models.m.base_url=http://localhost:1/v1",
    "models.m.model=any",
];

#[test]
fn whoever_writes_actions_is_told_them_and_whoever_calls_tools_is_not() {
    let prompt = |sets: &[&str]| {
        let command = ["check", "configs/shop/chatshop.toml", "--prompt", "executor"];
        let (code, out, errors) = said(&with(&command, &[&MODEL[..], sets].concat()), "");
        assert_eq!(code, Some(0), "{errors}");
        out
    };
    let told = |out: &str| out.contains("question[{text}]") && out.contains("- question: ask the");
    assert!(told(&prompt(&[])));
    let json = ["roles.executor.moves=json", "models.m.capabilities.json_schema=true"];
    assert!(told(&prompt(&json)) && prompt(&json).contains("Answer with one JSON object"));
    let tools = ["roles.executor.moves=tools", "models.m.capabilities.tools=true"];
    for reasoning in ["strategy.reasoning=false", "strategy.reasoning=true"] {
        let out = prompt(&[&tools[..], &[reasoning]].concat());
        assert!(!out.contains("{text}") && out.contains("As long as several"), "{out}");
    }
}

#[test]
fn a_comparison_of_shoppers_takes_a_model_as_well() {
    let command = ["check", "configs/shop/chatshop-compare.toml", "--json"];
    let (code, out, errors) = said(&with(&command, &MODEL), "");
    assert_eq!(code, Some(0), "{errors}");
    let found: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(found["config"]["cells"].as_array().unwrap().len(), 6, "{out}");
}

#[test]
fn an_index_that_is_not_there_is_asked_for_with_its_command() {
    let command = ["check", "configs/shop/webshop.toml"];
    let (code, _, errors) = said(&with(&command, &["environment.index=nowhere"]), "");
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains("there is no file or folder") && errors.contains("`rolecall data index shop`"), "{errors}");
}

#[test]
fn the_first_task_of_a_person_asks() {
    let folder = tempfile::tempdir().unwrap();
    let logs = folder.path().to_str().unwrap();
    for config in ["chatshop-human", "webshop-respact-human"] {
        let config = format!("configs/shop/{config}.toml");
        let (code, out, errors) = said(&["run", &config, "--no-report", "--logs", logs], "/quit\n");
        assert_eq!(code, Some(0), "{errors}");
        assert!(errors.contains(" you") && out.contains("user left"), "{out}{errors}");
    }
}

#[cfg(unix)]
#[test]
fn a_person_who_goes_on_is_told_again_what_is_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let logs = folder.path().join("logs");
    let run = logs.join("r");
    let arguments = ["run", "configs/shop/chatshop-human.toml", "--no-report", "--name", "r", "--logs"];
    let mut child = started(root(), &with(&[&arguments[..], &[logs.to_str().unwrap()]].concat(), &[]));
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(b"fade resistant\n").unwrap();
    // The second question is the sign that the first is answered.
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let asked = lines.by_ref().map(Result::unwrap);
    assert_eq!(asked.filter(|line| line.contains("] agent: ")).take(2).count(), 2);
    let stop = format!("kill -TERM {}", child.id());
    assert!(Command::new("sh").args(["-c", &stop]).status().unwrap().success());
    // Whoever stops reading would have it fail.
    lines.for_each(drop);
    assert_eq!(child.wait().unwrap().code(), Some(1));
    drop(pipe);
    let (code, _, errors) = said(&["resume", run.to_str().unwrap()], "/quit\n");
    assert_eq!(code, Some(0), "{errors}");
    assert!(errors.contains("product: ") && errors.contains("attributes: "), "{errors}");
    assert_eq!(errors.matches("] task: ").count(), 1, "{errors}");
}
