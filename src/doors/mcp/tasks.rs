//! The environment `mcp`: tasks of a file, played with the tools of a server.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::sync::OnceCell;

use super::client::{Client, Location};
use super::environment::{Choice, ToolWorld, Toolset};
use super::http;
use crate::wire::Program;
use rolecall_core::domain::{PrivateInfo, PublicTask, Seat, Task};
use rolecall_core::files;
use rolecall_core::ports::model::{Secret, ToolSpec};
use rolecall_core::ports::settings::parameters;
use rolecall_core::ports::{
    Environment, EnvironmentEntry, EnvironmentError, EnvironmentSetup, NoWords, OpenTask, Parameter, Parameters,
    SetupError, TaskSource,
};
use rolecall_core::text::{counted, visible};
use rolecall_core::world::WorldEntry;

/// Everything of the environment.
pub static ENTRIES: WorldEntry = WorldEntry {
    environments: &[EnvironmentEntry {
        name: "mcp",
        summary: "tasks of your own with the tools of an MCP server: call them, then answer",
        parameters: PARAMETERS,
        words: &NoWords,
        build,
    }],
    ..WorldEntry::EMPTY
};

const PARAMETERS: &[Parameter] = parameters![
    path("tasks", None, &[]),
        "the tasks, a file of JSON lines: `{\"id\", \"text\", \"kind\"?, \"answer\"?: a text or several}`";
    command("command"),
        "the server as a program with its arguments, started without a shell in the folder of the file that \
            names it";
    text("url", None).optional(),
        "the server by its address, such as `http://127.0.0.1:9000/mcp`";
    text("token_env", None).optional(),
        "the variable that holds the token which the server at `url` wants";
    list("env", &[]),
        "names of variables that the program is given beside `PATH`, `HOME` and `LANG`";
    list("tools", &[]),
        "the tools that may be called, by the server's names; all if nothing is written";
    text("prefix", Some("")),
        "what stands before the tools' names for agents, where a letter that models cannot write becomes `_`";
    integer("longest", Some(32 * 1024), 1..=16 * 1024 * 1024),
        "the most bytes that are shown of what a tool gives; the rest is cut";
    number("start_seconds", 30.0, 1.0..=3600.0),
        "how long the server may take to begin and to list its tools";
];

/// The most bytes of the file of tasks.
const LARGEST: u64 = 1 << 30;

/// A task of the file.
struct OwnTask {
    public: Arc<PublicTask>,
    answers: Arc<[String]>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    id: String,
    text: String,
    kind: Option<String>,
    answer: Option<Answers>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Answers {
    One(String),
    Several(Vec<String>),
}

/// The tasks of a run.
struct McpTasks {
    tasks: Vec<OwnTask>,
    digest: String,
    toolset: Arc<Toolset>,
    tools: Vec<ToolSpec>,
}

fn build(setup: &EnvironmentSetup) -> Result<Arc<dyn TaskSource>, SetupError> {
    let parameters = &setup.parameters;
    let (location, start) = (location(parameters)?, parameters.seconds("start_seconds"));
    let client = Client::new(location, start.unwrap_or(Duration::from_secs(30)));
    let (tasks, digest) = read_tasks(parameters.path("tasks").unwrap_or(Path::new("")))?;
    let choice = Choice::of(parameters);
    let (server_names, tools) = match &*setup.recorded_tools {
        [] => {
            let listed =
                client.wait_for_tools().map_err(|error| SetupError { key: None, problem: error.to_string() })?;
            let (names, tools) = choice.named(listed)?;
            (OnceCell::new_with(Some(names)), tools)
        }
        // As they were when the run began: whoever only looks at it needs no server.
        recorded => (OnceCell::new(), recorded.to_vec()),
    };
    Ok(Arc::new(McpTasks {
        tasks,
        digest,
        toolset: Arc::new(Toolset {
            client,
            choice,
            names: tools.iter().map(|tool| tool.name.clone()).collect(),
            server_names,
            longest: parameters.whole("longest").unwrap_or(32 * 1024),
        }),
        tools,
    }))
}

/// Where the server is.
fn location(parameters: &Parameters) -> Result<Location, SetupError> {
    let (command, url) = (parameters.command("command"), parameters.text("url"));
    let token = parameters.text("token_env");
    match (command, url) {
        (None, Some(url)) => {
            let held = token.map(|name| match std::env::var(name) {
                Ok(token) if !token.trim().is_empty() => Ok(Secret::new(token.trim())),
                _ => Err(SetupError::at("token_env", format!("is `{}`, a variable that is not set", visible(name)))),
            });
            Ok(Location::Address(http::address(url)?, held.transpose()?))
        }
        (Some(_), None) if token.is_some() => {
            Err(SetupError::at("token_env", "is for a server at `url`; name variables for a program with `env`"))
        }
        (Some(command), None) => Ok(Location::Program(Program {
            command: command.arguments.clone(),
            folder: command.folder.clone(),
            env: parameters.list("env").to_vec(),
        })),
        _ => {
            Err(SetupError::at("command", "names the server as a program, or `url` its address: write one of the two"))
        }
    }
}

/// Reads the file of tasks, and takes its hash.
fn read_tasks(file: &Path) -> Result<(Vec<OwnTask>, String), SetupError> {
    let wrong = |problem: String| SetupError::at("tasks", problem);
    let shown = file.display();
    let bytes = files::read_text(file, LARGEST).map_err(|error| wrong(format!("`{shown}` cannot be read: {error}")))?;
    let (mut tasks, mut ids) = (Vec::new(), BTreeSet::new());
    for (number, line) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let at = |problem: String| wrong(format!("`{shown}`, line {number}: {problem}"));
        let read: Line = serde_json::from_slice(line).map_err(|error| at(error.to_string()))?;
        let answers = match read.answer {
            None => Vec::new(),
            Some(Answers::One(answer)) => vec![answer],
            Some(Answers::Several(answers)) => answers,
        };
        let kind = read.kind.as_deref().unwrap_or("task");
        let public = PublicTask::new(&*read.id, kind, read.text);
        if !ids.insert(read.id.clone()) {
            return Err(at(format!("there is another task `{}`", visible(&read.id))));
        }
        tasks.push(OwnTask { public: Arc::new(public), answers: answers.into() });
    }
    if tasks.is_empty() {
        return Err(wrong(format!("`{shown}` has no task")));
    }
    Ok((tasks, blake3::hash(&bytes).to_hex().to_string()))
}

impl TaskSource for McpTasks {
    fn len(&self) -> usize {
        self.tasks.len()
    }

    fn digest(&self, _: &[usize]) -> Result<Option<String>, EnvironmentError> {
        Ok(Some(self.digest.clone()))
    }

    fn tools(&self) -> Vec<ToolSpec> {
        self.tools.clone()
    }

    fn asks_for_tools(&self) -> bool {
        true
    }

    fn rounds_remedy(&self) -> Option<&'static str> {
        Some("leave it out: each task is an episode of its own")
    }

    fn open(&self, index: usize) -> Result<OpenTask, EnvironmentError> {
        let given = self.tasks.get(index).ok_or_else(|| {
            let all = counted(self.tasks.len() as u64, "task", "tasks");
            EnvironmentError::Data(format!("there is no task {index}: there are {all}"))
        })?;
        let answers = (!given.answers.is_empty()).then(|| PrivateInfo {
            audience: Seat::Conductor,
            label: "answers".to_owned(),
            value: Arc::new(json!(&*given.answers)),
        });
        let task = Task { public: Arc::clone(&given.public), private: answers.into_iter().collect() };
        let (toolset, answers) = (Arc::clone(&self.toolset), Arc::clone(&given.answers));
        Ok(OpenTask {
            task,
            environment: Arc::new(move || -> Box<dyn Environment> {
                Box::new(ToolWorld { toolset: Arc::clone(&toolset), answers: Arc::clone(&answers), answer: None })
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use rolecall_core::ports::{CommandLine, ParameterValue};

    #[test]
    fn tasks_are_lines_of_a_file_and_what_is_wrong_has_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tasks.jsonl");
        let read = |text: &str| {
            fs::write(&file, text).unwrap();
            read_tasks(&file)
        };
        let (tasks, _) = read(
            "\u{feff}{\"id\":\"a\",\"text\":\"1+1?\",\"answer\":\"2\"}\n\n{\"id\":\"b\",\"text\":\"?\",\"kind\":\"hard\",\
             \"answer\":[\"x\",\"y\"]}\n{\"id\":\"c\",\"text\":\"!\"}",
        )
        .unwrap();
        let answers: Vec<usize> = tasks.iter().map(|task| task.answers.len()).collect();
        assert_eq!(answers, [1, 2, 0]);
        assert_eq!(tasks[1].public.kind, "hard");
        for (text, location) in [
            ("", "no task"),
            ("{\"id\":\"a\",\"text\":\"x\"}\n{\"id\":\"a\",\"text\":\"y\"}", "line 2"),
            ("{\"id\":1}", "line 1"),
            ("{\"id\":\"a\",\"text\":\"x\",\"answers\":1}", "line 1"),
        ] {
            let problem = read(text).err().unwrap().problem;
            assert!(problem.contains(location), "{problem}");
        }
    }

    #[test]
    fn a_server_is_a_program_or_an_address() {
        let list = ParameterValue::Command(CommandLine {
            arguments: vec!["python3".to_owned()],
            folder: std::path::PathBuf::new(),
        });
        let url = ParameterValue::Text("http://127.0.0.1:9/mcp".to_owned());
        let unset = ParameterValue::Text("ROLECALL_NO_SUCH_TOKEN".to_owned());
        let key = |values: &[(&'static str, &ParameterValue)]| {
            let values = values.iter().map(|(name, value)| (*name, (*value).clone()));
            location(&Parameters::new(values)).map_err(|error| error.key)
        };
        assert!(key(&[("command", &list)]).is_ok() && key(&[("url", &url)]).is_ok());
        assert!(key(&[]).is_err() && key(&[("command", &list), ("url", &url)]).is_err());
        let token = key(&[("url", &url), ("token_env", &unset)]).err().flatten();
        assert_eq!(token.as_deref(), Some("token_env"));
    }
}
