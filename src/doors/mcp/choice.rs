//! Which tools of a server agents may call, and how they call them.

use std::collections::BTreeMap;

use serde_json::json;

use super::answers::ListedTool;
use rolecall_core::ports::model::ToolSpec;
use rolecall_core::ports::{Parameters, SetupError};
use rolecall_core::text::{joined, visible};

/// The tool that ends an episode.
pub(super) const ANSWER: &str = "answer";

/// What a config says of the tools.
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
            let problem = format!("names `{}`, which the server does not have; it has {all}", visible(missing));
            return Err(SetupError::at("tools", problem));
        }
        let (mut names, mut tools) = (BTreeMap::new(), Vec::new());
        for tool in listed {
            if !self.wanted.is_empty() && !self.wanted.contains(&tool.name) {
                continue;
            }
            let name = spelled(&self.prefix, &tool.name);
            if name == ANSWER || names.insert(name.clone(), tool.name).is_some() {
                let problem = format!(
                    "gives two tools the name `{name}`; write another one, or choose the server's tools with `tools`"
                );
                return Err(SetupError::at("prefix", problem));
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
    let letters = prefix.chars().chain(name.chars()).map(|letter| if usual(letter) { letter } else { '_' });
    letters.take(64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
