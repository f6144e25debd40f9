//! A role that answers from a file: for tests, demonstrations and replays by hand.
//!
//! The file is JSON Lines; every line is the answer of one turn:
//!
//! ```json
//! {"task": "optional task id", "moves": [{"kind": "act", "action": {"text": "look"}}]}
//! ```
//!
//! Moves are written as logs write them. If any line names the episode's task, the script of the
//! episode is the lines that name it, in the file's order; otherwise it is the lines that name no
//! task. The seat's n-th turn (from 0, counted over the whole episode) gets the n-th line of the
//! script, for every attempt: the answer is a function of the task and the turn's number. A script
//! that has run out is an error of the role. A line without moves is an answer without moves,
//! which is how a test makes an unusable one. Empty lines are skipped.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use serde::Deserialize;

use crate::domain::{Answer, Move};
use crate::files;
use crate::ports::settings::parameters;
use crate::ports::{Parameter, Role, RoleError, RoleFactory, RoleSetup, SetupError, Turn};
use crate::text::{counted, json};

/// The largest file of answers, in bytes.
const LARGEST_SCRIPT: u64 = 64 << 20;

/// The parameters of the role.
pub const PARAMETERS: &[Parameter] = parameters![
    path("file", None, &[]),
        "JSON Lines file with one answer a line: {\"task\": id (optional), \"moves\": [...]}, \
            with moves as logs write them";
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ScriptedMoves {
    task: Option<String>,
    moves: Vec<Move>,
}

type Answers = Vec<Vec<Move>>;

/// The scripts of a file.
#[derive(Debug, Default, PartialEq)]
struct Scripts {
    by_task: BTreeMap<String, Answers>,
    general: Answers,
}

impl Scripts {
    fn parse(text: &str) -> Result<Self, String> {
        let mut scripts = Self::default();
        for (number, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let line: ScriptedMoves = json::read(line).map_err(|error| {
                let (line, column) = (number + 1, error.column());
                format!("line {line}, column {column}: {}", json::reason(&error))
            })?;
            match line.task {
                Some(task) => scripts.by_task.entry(task).or_default().push(line.moves),
                None => scripts.general.push(line.moves),
            }
        }
        Ok(scripts)
    }

    fn of_task(&self, task: &str) -> &Answers {
        self.by_task.get(task).unwrap_or(&self.general)
    }
}

/// The role of one episode.
struct Scripted {
    scripts: Arc<Scripts>,
}

#[async_trait]
impl Role for Scripted {
    async fn take_turn(&mut self, turn: &Turn) -> Result<Answer, RoleError> {
        let task = turn.task().map_or("", |task| &task.id);
        let script = self.scripts.of_task(task);
        let moves = script.get(turn.number as usize).ok_or_else(|| {
            RoleError::Failed(format!(
                "the script for task `{task}` has {} and this is turn {} of the role: add a line",
                counted(script.len() as u64, "answer", "answers"),
                u64::from(turn.number) + 1
            ))
        })?;
        Ok(moves.clone().into())
    }
}

/// Reads the file, once per run.
pub fn build(setup: &RoleSetup) -> Result<RoleFactory, SetupError> {
    let missing = || SetupError::at("file", "name the file with the answers");
    let file: &Path = setup.parameters.path("file").ok_or_else(missing)?;
    let unusable = |problem: String| SetupError::at("file", format!("`{}`: {problem}", file.display()));
    let bytes = files::read_text(file, LARGEST_SCRIPT).map_err(|error| unusable(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to();
        unusable(format!("not UTF-8: the bytes from {place} on are no text"))
    })?;
    let scripts = Arc::new(Scripts::parse(&text).map_err(unusable)?);
    Ok(Arc::new(move || Box::new(Scripted { scripts: scripts.clone() }) as Box<dyn Role>))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_has_its_own_script_or_the_general_one() {
        let text = r#"
{"moves":[{"kind":"think","text":"g0"}]}
{"task":"a","moves":[{"kind":"think","text":"a0"}]}
{"moves":[]}"#;
        let scripts = Scripts::parse(text).unwrap();
        assert_eq!(scripts.of_task("a"), &vec![vec![Move::think("a0")]]);
        assert_eq!(scripts.of_task("b").len(), 2);
    }

    #[test]
    fn the_lines_of_the_guide_can_be_read() {
        let guide = include_str!("../../../docs/relay.md");
        let lines = guide.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
        assert_eq!(Scripts::parse(lines).unwrap().general.len(), 5);
    }

    #[test]
    fn a_bad_line_is_named() {
        let error = Scripts::parse("{\"moves\":[]}\n{\"moves\":[{\"kind\":\"sing\"}]}").unwrap_err();
        assert!(error.starts_with("line 2, column 2"), "{error}");
        assert!(Scripts::parse("{\"move\":[]}").is_err());
    }
}
