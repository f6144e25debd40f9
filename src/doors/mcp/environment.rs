//! A world whose actions are calls of the chosen tools of a server, and which ends with an answer.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use tokio::sync::OnceCell;

use super::answers::{ListedTool, Shown};
use super::client::Client;
use super::protocol::CallError;
use crate::wire::RpcError;
use rolecall_core::domain::{Action, Begun, Observation, Score};
use rolecall_core::evaluation::normalise;
use rolecall_core::ports::model::ToolSpec;
use rolecall_core::ports::{Environment, EnvironmentError, Parameters, SetupError};
use rolecall_core::text::{joined, visible};

/// Tools that the worlds of a config share.
pub(super) struct Toolset {
    pub(super) client: Client,
    pub(super) choice: Choice,
    /// The tools' names for agents, with the one that answers.
    pub(super) names: Vec<String>,
    /// The server's names for them; not known before the first call where the tools were taken from a record.
    pub(super) server_names: OnceCell<BTreeMap<String, String>>,
    /// The most bytes that are shown of what a tool gives.
    pub(super) longest: usize,
}

/// The world of one episode.
pub(super) struct ToolWorld {
    pub(super) toolset: Arc<Toolset>,
    /// The answers that are right; without any, every one is.
    pub(super) answers: Arc<[String]>,
    pub(super) answer: Option<String>,
}

/// The call of an action.
enum Wanted {
    Answer(String),
    Tool(String, Value),
}

impl Toolset {
    /// Reads the call of an action: the call itself, or a text such as `search {"text": "rust"}`.
    fn wanted(&self, action: &Action) -> Result<Wanted, String> {
        let (name, arguments) = match action.call.as_deref() {
            Some(call) => (&*call.tool, call.arguments.clone()),
            None => written(&action.text)?,
        };
        if name == ANSWER {
            return Ok(Wanted::Answer(match arguments.get("text") {
                Some(Value::String(text)) => text.clone(),
                Some(other) => other.to_string(),
                None => return Err("write the answer as `answer {\"text\": \"...\"}`".to_owned()),
            }));
        }
        if !self.names.iter().any(|known| known == name) {
            let (name, all) = (visible(name), joined(&self.names));
            return Err(format!("There is no tool `{name}`; there are: {all}"));
        }
        if arguments.is_object() {
            Ok(Wanted::Tool(name.to_owned(), arguments))
        } else {
            Err(format!("The arguments of `{name}` are no JSON object."))
        }
    }

    /// The server's name of a tool.
    async fn own_name(&self, name: &str) -> Result<&str, EnvironmentError> {
        let failed = EnvironmentError::Failed;
        let names = self.server_names.get_or_try_init(|| async {
            let named = self.choice.named(self.client.tools().await.map_err(|error| failed(error.to_string()))?);
            let (names, _) = named.map_err(|error| failed(error.to_string()))?;
            Ok(names)
        });
        names
            .await?
            .get(name)
            .map(String::as_str)
            .ok_or_else(|| failed(format!("the MCP server has no tool `{name}` any more")))
    }
}

/// The tool and the arguments that a text calls.
fn written(text: &str) -> Result<(&str, Value), String> {
    let text = text.trim();
    let (name, rest) =
        text.split_at(text.find(|letter: char| letter.is_whitespace() || letter == '{').unwrap_or(text.len()));
    let rest = rest.trim();
    let arguments = match serde_json::from_str(rest) {
        _ if rest.is_empty() => Value::Object(Map::new()),
        Ok(arguments) => arguments,
        // Who answers in words means the words.
        Err(_) if name == ANSWER => json!({ "text": rest }),
        Err(error) => {
            return Err(format!(
                "Write a tool and its arguments as JSON, such as `search {{\"text\": \"...\"}}`: {error}"
            ));
        }
    };
    Ok((
        name,
        match arguments {
            Value::String(text) if name == ANSWER => json!({ "text": text }),
            other => other,
        },
    ))
}

#[async_trait]
impl Environment for ToolWorld {
    async fn begin(&mut self, _: &Begun) -> Result<Observation, EnvironmentError> {
        self.answer = None;
        let names = joined(&self.toolset.names);
        Ok(Observation::text(format!("Tools: {names}. `{ANSWER}` ends the task.")))
    }

    async fn perform(&mut self, action: &Action) -> Result<Observation, EnvironmentError> {
        let (tool, arguments) = match self.toolset.wanted(action) {
            Err(problem) => return Ok(Observation::refused(problem)),
            Ok(Wanted::Answer(answer)) => {
                self.answer = Some(answer);
                return Ok(Observation { done: true, ..Observation::text("The answer is taken.") });
            }
            Ok(Wanted::Tool(tool, arguments)) => (tool, arguments),
        };
        let name = self.toolset.own_name(&tool).await?;
        let result = match self.toolset.client.call(name, &arguments).await {
            Ok(result) => result,
            // No other error is about the arguments, which are all that is the agent's.
            Err(CallError::Refused(error)) if error.code == RpcError::BAD_PARAMS => {
                return Ok(Observation::refused(error.to_string()));
            }
            Err(CallError::Refused(error)) => {
                let name = visible(name);
                return Err(EnvironmentError::Failed(format!("the MCP server fails to call `{name}`: {error}")));
            }
            Err(gone @ CallError::Gone(_)) => return Err(EnvironmentError::Failed(gone.to_string())),
        };
        let shown = Shown::read(&result, self.toolset.longest).map_err(EnvironmentError::Failed)?;
        Ok(Observation {
            text: shown.text,
            data: shown.data.map(Box::new),
            invalid: shown.is_error,
            ..Observation::default()
        })
    }

    fn is_external(&self) -> bool {
        true
    }

    fn recall(&mut self, action: &Action, shown: &Observation) {
        if let (true, Ok(Wanted::Answer(answer))) = (shown.done, self.toolset.wanted(action)) {
            self.answer = Some(answer);
        }
    }

    async fn assess(&mut self) -> Result<Score, EnvironmentError> {
        let answers = &self.answers;
        let right = |given: &String| {
            let given = normalise(given);
            answers.is_empty() || answers.iter().any(|answer| normalise(answer) == given)
        };
        Ok(Score::all_or_nothing(self.answer.as_ref().is_some_and(right)))
    }
}

/// The tool that ends an episode.
pub(super) const ANSWER: &str = "answer";

/// The choice of tools in a config.
#[derive(Clone, Debug, Default)]
pub(super) struct Choice {
    prefix: String,
    /// The server's names; all if there is none.
    wanted: Vec<String>,
}

/// The server's names by those for agents, and the tools as agents know them, with the one that answers.
type Named = (BTreeMap<String, String>, Vec<ToolSpec>);

impl Choice {
    /// Reads it from the parameters of the environment.
    pub(super) fn of(parameters: &Parameters) -> Self {
        Self {
            prefix: parameters.text("prefix").unwrap_or_default().to_owned(),
            wanted: parameters.list("tools").to_vec(),
        }
    }

    /// The tools that may be called.
    ///
    /// # Errors
    /// When the server lacks one that is wanted, or two would have one name.
    pub(super) fn named(&self, listed: Vec<ListedTool>) -> Result<Named, SetupError> {
        let known = |name: &&String| listed.iter().any(|tool| tool.name == **name);
        if let Some(missing) = self.wanted.iter().find(|name| !known(name)) {
            let all = joined(listed.iter().map(|tool| visible(&tool.name)));
            return Err(SetupError::at(
                "tools",
                format!("names `{}`, which the server does not have; it has {all}", visible(missing)),
            ));
        }
        let (mut names, mut tools) = (BTreeMap::new(), Vec::new());
        for tool in listed {
            if !self.wanted.is_empty() && !self.wanted.contains(&tool.name) {
                continue;
            }
            let name = spelled(&self.prefix, &tool.name);
            if name == ANSWER || names.insert(name.clone(), tool.name).is_some() {
                return Err(SetupError::at(
                    "prefix",
                    format!(
                        "gives two tools the name `{name}`; write another one, or choose the server's tools with `tools`"
                    ),
                ));
            }
            tools.push(ToolSpec { name, description: tool.description, parameters: tool.input });
        }
        tools.push(answer());
        Ok((names, tools))
    }
}

fn answer() -> ToolSpec {
    let text = json!({ "type": "string", "description": "The answer, as short as it can be." });
    ToolSpec {
        name: ANSWER.to_owned(),
        description: "Answers the task, which ends with it.".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": { "text": text },
            "required": ["text"],
            "additionalProperties": false,
        }),
    }
}

/// The name of a tool as models can write it: up to 64 letters, digits, `-` and `_`.
fn spelled(prefix: &str, name: &str) -> String {
    let usual = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
    prefix.chars().chain(name.chars()).map(|letter| if usual(letter) { letter } else { '_' }).take(64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolecall_core::domain::Call;

    fn wanted(action: &Action) -> Result<(String, Value), String> {
        let location = super::super::client::Location::Address("http://127.0.0.1:9/".parse().unwrap(), None);
        let toolset = Toolset {
            client: Client::new(location, std::time::Duration::from_secs(1)),
            choice: Choice::default(),
            names: vec!["web_search".to_owned(), ANSWER.to_owned()],
            server_names: OnceCell::new(),
            longest: 100,
        };
        toolset.wanted(action).map(|wanted| match wanted {
            Wanted::Answer(text) => (ANSWER.to_owned(), Value::String(text)),
            Wanted::Tool(tool, arguments) => (tool, arguments),
        })
    }

    #[test]
    fn calls_and_texts_name_a_tool_and_its_arguments() {
        let text = |text: &str| wanted(&Action::text(text));
        let found = Ok(("web_search".to_owned(), json!({ "q": 1 })));
        assert_eq!(text("web_search {\"q\": 1}"), found);
        assert_eq!(text(" web_search{\"q\":1}"), found);
        let call = Call { tool: "web_search".to_owned(), arguments: json!({ "q": 1 }) };
        let action = Action { text: "?".to_owned(), call: Some(Box::new(call)) };
        assert_eq!(wanted(&action), found);
        assert_eq!(text("web_search"), Ok(("web_search".to_owned(), json!({}))));
        let answer = |text: &str| Ok((ANSWER.to_owned(), json!(text)));
        assert_eq!(text("answer {\"text\": \"4\"}"), answer("4"));
        assert_eq!(text("answer forty two"), answer("forty two"));
        assert_eq!(text("answer \"4\""), answer("4"));
        for wrong in ["search {}", "web_search [1]", "web_search x", "answer", ""] {
            assert!(text(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn tools_get_names_that_models_can_write() {
        let tool = |name: &&str| ListedTool {
            name: (*name).to_owned(),
            description: String::new(),
            input: json!({ "type": "object" }),
        };
        let of = |prefix: &str, wanted: &[&str], listed: &[&str]| {
            let choice = Choice { prefix: prefix.to_owned(), wanted: wanted.iter().map(ToString::to_string).collect() };
            choice.named(listed.iter().map(tool).collect())
        };
        let (names, tools) = of("web.", &["a.b"], &["a.b", "c"]).unwrap();
        let tools: Vec<_> = tools.iter().map(|tool| &*tool.name).collect();
        assert_eq!(tools, ["web_a_b", ANSWER]);
        assert_eq!(names["web_a_b"], "a.b");
        assert_eq!(of("", &["x"], &["a"]).unwrap_err().key.as_deref(), Some("tools"));
        assert_eq!(of("", &[], &["a.b", "a b"]).unwrap_err().key.as_deref(), Some("prefix"));
        assert!(of("", &[], &["answer"]).is_err());
        assert!(of("x-", &[], &["answer"]).is_ok());
    }
}
