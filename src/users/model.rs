//! A user that a language model plays (ReSpAct appendix B.1 and E.4): who it is and what it knows
//! stands in its persona, what it sees is a matter of `sees`.

use std::sync::Arc;

use async_trait::async_trait;

use crate::domain::Utterance;
use crate::ports::model::Prompt;
use crate::ports::{
    ModelClient, ModelRequest, Parameter, ParameterKind, SetupError, Turn, UserError, UserFactory,
    UserSetup, UserSimulator,
};
use crate::prompts::{Context, Exemplars, Manner, Prompter, Room, one_line};

/// What the user can be told.
pub const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "model",
        kind: ParameterKind::Model,
        help: "the model that plays the user, one of `[models]`",
    },
    Parameter {
        name: "leaving",
        kind: ParameterKind::Text { default: Some("") },
        help: "a mark, such as `###STOP###`, with which the user ends the conversation; empty: none",
    },
    Parameter {
        name: "retries_empty",
        kind: ParameterKind::Integer {
            default: Some(1),
            min: 0,
            max: 10,
        },
        help: "how often it is asked once more when it says nothing",
    },
];

/// Labels that models write before what they say in somebody's place.
const OWN: &[&str] = &[
    "you",
    "human",
    "user",
    "your response",
    "response",
    "me",
    "reply",
    "answer",
    "student",
    "client",
    "visitor",
    "来访者",
    "我",
];

/// Labels of others: what follows is not said by the user.
const OTHERS: &[&str] = &[
    "agent",
    "the agent",
    "agent query",
    "question",
    "assistant",
    "observation",
    "executor",
    "system",
    "teacher",
    "guide",
    "counsellor",
    "dialogue",
    "咨询师",
];

/// Builds the user (registry entry `model`).
pub fn build(setup: &UserSetup) -> Result<UserFactory, SetupError> {
    let name = setup.parameters.text("model").ok_or_else(|| {
        let problem = "is not written; name one of the tables `[models.<name>]`";
        SetupError::at("model", problem)
    })?;
    let model = setup.models.get(name).ok_or_else(|| {
        let problem = format!("is `{name}`, which is no model of this config");
        SetupError::at("model", problem)
    })?;
    // A user has no kinds of tasks: all its exemplars stand in its prompt.
    let exemplars = Exemplars::new(&setup.persona.exemplars, usize::MAX, 0);
    let manner = Manner::default();
    let prompter = Prompter::new(&setup.persona, exemplars, manner, (Context::Last, 1))?;
    let leaving = setup.parameters.text("leaving").unwrap_or_default();
    let retries = setup.parameters.integer("retries_empty").unwrap_or(0);
    let shared = Arc::new(Shared {
        prompter,
        model,
        leaving: leaving.to_owned(),
        retries: usize::try_from(retries).unwrap_or_default(),
    });
    Ok(Arc::new(move || {
        Box::new(ModelUser(Arc::clone(&shared))) as Box<dyn UserSimulator>
    }))
}

struct Shared {
    prompter: Prompter,
    model: Arc<dyn ModelClient>,
    leaving: String,
    retries: usize,
}

/// A user that a language model plays.
///
/// It remembers nothing between its turns: what it may see can change with the question.
pub struct ModelUser(Arc<Shared>);

impl ModelUser {
    async fn prompt(&self, turn: &Turn) -> Result<Prompt, UserError> {
        let shared = &*self.0;
        let mut knowledge = shared.prompter.fresh();
        shared.prompter.catch_up(&mut knowledge, turn);
        let room = Room::default();
        let prompt = shared
            .prompter
            .prompt(&mut knowledge, turn, &*shared.model, room);
        Ok(prompt.await?)
    }
}

#[async_trait]
impl UserSimulator for ModelUser {
    async fn reply(&mut self, turn: &Turn) -> Result<Utterance, UserError> {
        if turn.question().is_none() {
            return Err(UserError::Failed("nothing was asked".to_owned()));
        }
        let prompt = self.prompt(turn).await?;
        let shared = &*self.0;
        for _ in 0..=shared.retries {
            let completion = shared.prompter.completion(prompt.clone());
            let request = ModelRequest::Complete(completion);
            let reply = turn.complete(&*shared.model, request).await?;
            let text = reply.choices.first().map_or("", |choice| &choice.text);
            if let Some(said) = said(text, &shared.leaving) {
                return Ok(said);
            }
        }
        Err(UserError::Failed("the model says nothing".to_owned()))
    }
}

/// What the user says: without labels and quotation marks, up to where the model goes on for
/// somebody else. None if that is nothing.
fn said(text: &str, leaving: &str) -> Option<Utterance> {
    let text = text
        .rsplit_once("</think>")
        .map_or(text, |(_, after)| after);
    let (text, leaves) = match leaving {
        "" => (text.to_owned(), false),
        mark => (text.replace(mark, " "), text.contains(mark)),
    };
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines() {
        let (label, rest) = labelled(line);
        let again = label == Label::Own && !lines.is_empty();
        if label == Label::Others || again || line.trim_start().starts_with("<|") {
            // Before anything is said it may repeat what it was asked.
            if lines.is_empty() {
                continue;
            }
            break;
        }
        if !rest.trim().is_empty() {
            lines.push(rest.trim());
        }
    }
    let mut text = one_line(&lines.join("\n")).into_owned();
    while let Some(inner) = unquoted(&text) {
        text = inner.to_owned();
    }
    (!text.is_empty() || leaves).then_some(Utterance {
        leaving: leaves,
        ..Utterance::text(text)
    })
}

#[derive(PartialEq, Eq)]
enum Label {
    None,
    Own,
    Others,
}

/// Whose line it is, and what stands after the label.
fn labelled(line: &str) -> (Label, &str) {
    let start = line.trim_start_matches(['>', '*', '#', '-', ' ', '\t']);
    let Some((word, rest)) = start.split_once([':', '：']) else {
        return (Label::None, line);
    };
    let word = word.trim_matches(['*', '_', ' ']).to_lowercase();
    let rest = rest.trim_start_matches(['*', '_', ' ']);
    if OWN.contains(&word.as_str()) {
        (Label::Own, rest)
    } else if OTHERS.contains(&word.as_str()) {
        (Label::Others, rest)
    } else {
        (Label::None, line)
    }
}

fn unquoted(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    (!inner.contains('"')).then(|| inner.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_is_one_line_without_labels() {
        let table = [
            ("On the desk.", "On the desk."),
            (" You: \"On the desk.\"\n", "On the desk."),
            ("**Human:** On the desk.\nI think.", "On the desk. I think."),
            (
                "Your Response: Hm: the desk?\nAgent Query: and then?",
                "Hm: the desk?",
            ),
            ("The agent: where?\nYou: there\nYou: or there", "there"),
            ("<think>He asks.</think>\nThere.", "There."),
            ("Student: la nave?\nTeacher: sì", "la nave?"),
            ("我：我有点难过。\n咨询师：抱抱你", "我有点难过。"),
        ];
        for (text, expected) in table {
            assert_eq!(said(text, ""), Some(Utterance::text(expected)), "{text}");
        }
        assert_eq!(said(" \n\"\"", ""), None);
        let gone = said("Bye. ###STOP###", "###STOP###").unwrap();
        assert!(gone.leaving && gone.text == "Bye.");
    }
}
