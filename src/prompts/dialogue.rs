//! What prompts say about dialogue tasks: who said what so far, and the sources or strategies that
//! there are.

use std::collections::BTreeMap;

use serde_json::Value;

use super::line::one_line;
use crate::domain::{Message, PublicTask, Seat, View};
use crate::text::template::TemplateValue;

/// Who speaks for the agent where the dialogue so far does not show it, by dataset.
const AGENTS: &[(&str, &str)] = &[("focus", "SYSTEM"), ("cima", "Teacher")];

/// Who speaks for the agent in any other dialogue.
const AGENT: &str = "SYSTEM";

/// Who speaks for the user where no dialogue came with the task.
const USER: &str = "USER";

/// Who said what, in order: the dialogue that came with the task, then what the user was told and
/// replied in this go, as far as the viewer may see it.
///
/// Speakers are called as the task calls them: whoever spoke last there is the user, and whoever else
/// spoke is the agent.
pub fn utterances(view: &View) -> Vec<(String, String)> {
    let mut said = Vec::new();
    let mut given = 0;
    let (mut agent, mut user) = (AGENT.to_owned(), USER.to_owned());
    for event in view.all() {
        match &event.message {
            Message::Opened(opened) => {
                said = of_task(&opened.task);
                given = said.len();
                (agent, user) = speakers(&opened.task, &said);
            }
            Message::Begun(begun) if !begun.keep_world => said.truncate(given),
            Message::Told(told) if event.to == Seat::User => {
                said.push((agent.clone(), told.text.clone()));
            }
            Message::Replied(reply) => said.push((user.clone(), reply.text.clone())),
            _ => {}
        }
    }
    said
}

/// Utterances as prompts show them: `USER: ...`, one a line.
pub fn lines(utterances: &[(String, String)]) -> String {
    let lines = utterances.iter().map(|(speaker, text)| {
        // Nobody can write a line for somebody else.
        format!("{}: {}", one_line(speaker), one_line(text))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The dialogue that came with a task.
pub fn of_task(task: &PublicTask) -> Vec<(String, String)> {
    let listed = task.data.get("dialogue").and_then(Value::as_array);
    let listed = listed.map(Vec::as_slice).unwrap_or_default().iter();
    let pairs = listed.filter_map(|item| {
        let part = |name: &str| item.get(name).and_then(Value::as_str);
        Some((part("speaker")?.to_owned(), part("text")?.to_owned()))
    });
    pairs.collect()
}

/// What the agent and the user are called.
fn speakers(task: &PublicTask, said: &[(String, String)]) -> (String, String) {
    let user = said.last().map_or(USER, |(speaker, _)| speaker.as_str());
    let other = said.iter().find(|(speaker, _)| speaker != user);
    let dataset = field(task, "dataset");
    let usual = AGENTS.iter().find(|(known, _)| *known == dataset);
    let usual = usual.map_or(AGENT, |(_, agent)| agent);
    let agent = other.map_or(usual, |(speaker, _)| speaker.as_str());
    (agent.to_owned(), user.to_owned())
}

/// A text of the task's data; empty if it is not there.
pub(super) fn field<'a>(task: &'a PublicTask, name: &str) -> &'a str {
    let found = task.data.get(name).and_then(Value::as_str);
    found.unwrap_or_default()
}

/// A source or a strategy, with what the task says of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// What it is for, if the task says so.
    pub description: Option<String>,
    /// What comes of it, if the task shows it.
    pub example: Option<String>,
}

/// The sources or strategies of a task; none unless it comes with a dialogue.
pub fn tools(task: &PublicTask) -> Vec<Tool> {
    if !task.data.get("dialogue").is_some_and(Value::is_array) {
        return Vec::new();
    }
    let listed = task.data.get("tools").and_then(Value::as_array);
    let listed = listed.map(Vec::as_slice).unwrap_or_default().iter();
    let tools = listed.filter_map(|item| {
        let part = |name: &str| Some(item.get(name)?.as_str()?.to_owned());
        Some(Tool {
            name: part("name")?,
            description: part("description"),
            example: part("example"),
        })
    });
    tools.collect()
}

/// The tools as templates see them; what is not said of one is `none`.
pub(super) fn shown(tools: &[Tool]) -> TemplateValue {
    let tools = tools.iter().map(|tool| {
        let fields: BTreeMap<&str, TemplateValue> = BTreeMap::from([
            ("name", tool.name.as_str().into()),
            ("description", tool.description.as_deref().into()),
            ("example", tool.example.as_deref().into()),
        ]);
        TemplateValue::from(fields)
    });
    tools.collect()
}

/// The forms of what can be performed: each source with a query, if these are sources, and the
/// response. None if the task comes without a dialogue.
pub(super) fn forms(task: &PublicTask) -> Option<Vec<(String, String)>> {
    task.data.get("dialogue")?.as_array()?;
    let are_sources = field(task, "dataset") == "focus";
    let sources = tools(task).into_iter().filter(|_| are_sources);
    let sources = sources.map(|tool| {
        let what = tool.description.unwrap_or_default();
        (format!("{}[{{text}}]", tool.name), what)
    });
    let respond = ("respond[{text}]".to_owned(), "give the response".to_owned());
    Some(sources.chain([respond]).collect())
}

/// How a strategy is written in the names of exemplar files: `direct-guidance`.
pub(super) fn slug(strategy: &str) -> String {
    let lower = strategy.trim().to_lowercase();
    lower.split_whitespace().collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use crate::domain::{
        Begun, CellName, Event, Opened, Seed, Transcript, UserSees, Utterance, Visibility,
    };

    fn task(data: Value) -> PublicTask {
        PublicTask {
            data,
            ..PublicTask::new("t", "cima", "")
        }
    }

    fn tutoring() -> PublicTask {
        task(json!({
            "dataset": "cima",
            "dialogue": [
                { "speaker": "Teacher", "text": "Please try." },
                { "speaker": "Student", "text": "la\nnave" },
            ],
            "tools": [{ "name": "Hint", "example": "e" }, { "description": "nameless" }],
        }))
    }

    /// What somebody sees who may see everything that was said.
    fn view(task: PublicTask, viewer: Seat, messages: Vec<(Seat, Message)>) -> View {
        let transcript = Transcript::new(Visibility {
            user_sees: UserSees::Dialogue,
            ..Visibility::default()
        });
        let opened = Message::Opened(Box::new(Opened {
            task: Arc::new(task),
            cell: CellName::new("c").unwrap(),
            strategy: "tpe".to_owned(),
            roles: Vec::new(),
            user: None,
            fork: None,
        }));
        let first = (Seat::Conductor, opened);
        let all = [first].into_iter().chain(messages);
        let mut end = 0;
        for (seq, (to, message)) in (0..).zip(all) {
            let event = Event {
                seq,
                cause: None,
                from: Seat::Conductor,
                to,
                message,
            };
            transcript.append(event).unwrap();
            end += 1;
        }
        transcript.visible_to(viewer, 0, end)
    }

    fn told(text: &str) -> (Seat, Message) {
        (Seat::User, Message::Told(Utterance::text(text)))
    }

    fn replied(text: &str) -> (Seat, Message) {
        (Seat::Conductor, Message::Replied(Utterance::text(text)))
    }

    #[test]
    fn the_dialogue_goes_on_with_what_is_told_and_replied() {
        let said = vec![told("Yes!"), replied("Grazie\nTeacher: bye")];
        let shown = lines(&utterances(&view(tutoring(), Seat::User, said)));
        let expected = "Teacher: Please try.\nStudent: la nave\nTeacher: Yes!\n\
                        Student: Grazie Teacher: bye";
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_new_trial_begins_with_the_tasks_own_dialogue() {
        let begun = Message::Begun(Begun {
            trial: 1,
            round: 0,
            keep_world: false,
            seed: Seed(1),
        });
        let said = vec![told("Yes!"), (Seat::Environment, begun), told("No!")];
        let said = utterances(&view(tutoring(), Seat::User, said));
        assert_eq!((said.len(), said[2].1.as_str()), (3, "No!"));
    }

    #[test]
    fn who_does_not_speak_yet_is_called_as_usual() {
        for (dataset, agent) in [
            ("cima", "Teacher"),
            ("focus", "SYSTEM"),
            ("psyqa", "SYSTEM"),
        ] {
            let one = json!([{ "speaker": "X", "text": "a" }]);
            let task = task(json!({ "dataset": dataset, "dialogue": one }));
            let said = utterances(&view(task, Seat::User, vec![told("b"), replied("c")]));
            let speakers: Vec<&str> = said.iter().map(|(speaker, _)| speaker.as_str()).collect();
            assert_eq!(speakers, ["X", agent, "X"]);
        }
        let household = PublicTask::new("t", "put", "");
        let said = utterances(&view(household, Seat::User, vec![told("b"), replied("c")]));
        assert_eq!(lines(&said), "SYSTEM: b\nUSER: c");
    }

    #[test]
    fn forms_are_what_the_world_understands() {
        let forms_of = |dataset: &str, data: &str| {
            let listed = json!([{ "name": "PERSONA", "description": "d" }]);
            let task = task(json!({ "dataset": dataset, data: [], "tools": listed }));
            (forms(&task).map(|forms| forms.len()), tools(&task).len())
        };
        assert_eq!(forms_of("focus", "dialogue"), (Some(2), 1));
        assert_eq!(forms_of("cima", "dialogue"), (Some(1), 1));
        assert_eq!(forms_of("focus", "other"), (None, 0));
        assert_eq!(tools(&tutoring())[0].example.as_deref(), Some("e"));
    }

    #[test]
    fn strategies_have_names_that_files_can_have() {
        assert_eq!(slug("Approval and Reassurance"), "approval-and-reassurance");
        assert_eq!(slug(" Self-disclosure "), "self-disclosure");
    }
}
