//! Dialogue tasks for prompts, people and analyses: the utterances so far with their speakers, and the
//! sources or strategies that there are.

use serde_json::{Value, json};

use super::answered::Answered;
use super::cues::{Subject, Talk, TalkLine};
use super::language::Dataset;
use super::sample::{of_task, tools_are};
use rolecall_core::domain::{PublicTask, UserSees, View};
use rolecall_core::ports::{Conversation, EpisodeLog, Known, Response, Turn, Words};
use rolecall_core::prompts::utterances;

pub use super::sample::{Tool, dataset, tools};

/// The words of dialogue.
#[derive(Clone, Copy, Debug)]
pub struct DialogueWords;

impl Words for DialogueWords {
    /// Each source with a query, if these are sources, and the response. None if the task comes without
    /// a dialogue.
    fn forms(&self, task: &PublicTask) -> Option<Vec<(String, String)>> {
        task.data.get("dialogue")?.as_array()?;
        let are_sources = dataset(task).is_some_and(Dataset::has_sources);
        let sources = tools(task)
            .into_iter()
            .filter(|_| are_sources)
            .map(|tool| (format!("{}[{{text}}]", tool.name), tool.description.unwrap_or_default()));
        let respond = ("respond[{text}]".to_owned(), "give the response".to_owned());
        Some(sources.chain([respond]).collect())
    }

    fn variables(&self) -> &'static [&'static str] {
        &["tools", "tools_are", "situation"]
    }

    /// `tools`: the sources or strategies; a missing description or example is null. `tools_are`: `sources` or
    /// `strategies`; empty unless the data set is known. `situation`: what own data tell the agent of its part.
    fn variable(&self, name: &str, known: &Known<'_>) -> Option<Value> {
        let task = known.task?;
        match name {
            "tools" => Some(json!(tools(task))),
            "tools_are" => Some(json!(dataset(task).map_or("", tools_are))),
            "situation" => Some(json!(situation(task))),
            _ => None,
        }
    }

    /// Speakers are called as in the task: the last one to speak there is the user, and the other one the agent.
    fn conversation(&self, task: &PublicTask) -> Conversation {
        let mut conversation = Conversation { said: of_task(task), ..Conversation::default() };
        // The agent's name if the dialogue so far does not show it.
        match dataset(task) {
            Some(Dataset::Focus) => "SYSTEM".clone_into(&mut conversation.agent),
            Some(Dataset::Cima) => "Teacher".clone_into(&mut conversation.agent),
            Some(Dataset::Own(_)) => {
                task.data["agent"]
                    .as_str()
                    .filter(|agent| !agent.is_empty())
                    .unwrap_or("SYSTEM")
                    .clone_into(&mut conversation.agent);
            }
            Some(Dataset::Psyqa) | None => {}
        }
        if let Some((user, _)) = conversation.said.last() {
            conversation.user.clone_from(user);
        }
        let user = &conversation.user;
        let mut said = conversation.said.iter();
        if let Some((agent, _)) = said.find(|(speaker, _)| speaker != user) {
            conversation.agent.clone_from(agent);
        }
        conversation
    }

    /// Measures of TPE's Tables 1 and 2, as means over responses, and whether a conversation with a user came to its
    /// goal; of own data only measures that need no language.
    fn measures(&self, kind: &str) -> &'static [&'static str] {
        match Dataset::named(kind) {
            Some(Dataset::Focus) => &["bleu", "f1", "rouge_l", "goal_reached"],
            Some(Dataset::Cima) => &["sacrebleu", "f1", "goal_reached"],
            Some(Dataset::Psyqa) => &["bleu", "f1", "distinct_1", "goal_reached"],
            Some(Dataset::Own(_)) | None => &["bleu", "f1", "rouge_l", "goal_reached"],
        }
    }

    /// Shows the user the dialogue only: of lookups it learns what the agent says.
    fn user_sees_at_most(&self) -> Option<UserSees> {
        Some(UserSees::Dialogue)
    }

    fn user_labels(&self) -> &'static [&'static str] {
        &["student", "client", "visitor", "来访者"]
    }

    fn agent_labels(&self) -> &'static [&'static str] {
        &["teacher", "guide", "counsellor", "dialogue", "咨询师"]
    }

    fn response(&self, log: &EpisodeLog<'_>) -> Option<Response> {
        Some(Answered::of(log)?.response.clone())
    }
}

/// Situation that the agent is told, in a sentence at least; empty for the data sets of the paper, whose prompts
/// say it.
fn situation(task: &PublicTask) -> String {
    let said = task.data["situation"].as_str();
    match said.map(str::trim) {
        None => String::new(),
        Some("") => {
            let agent = DialogueWords.conversation(task).agent;
            format!("You are {agent} in a conversation.")
        }
        Some(said) => said.to_owned(),
    }
}

/// The task of a turn, if it comes with a dialogue.
pub(super) fn dialogue_task(turn: &Turn) -> Option<&PublicTask> {
    let has_dialogue = |task: &&PublicTask| task.data.get("dialogue").is_some();
    turn.task().filter(has_dialogue)
}

/// The talk as a seat may see it.
pub(super) fn talk(view: &View, task: &PublicTask) -> Talk {
    let conversation = DialogueWords.conversation(task);
    // A dialogue without words has no user.
    let user = conversation.said.last().map_or("", |_| &conversation.user);
    let lines =
        utterances(view, &DialogueWords).into_iter().map(|(speaker, text)| TalkLine { user: speaker == user, text });
    let name = task.data.get("dataset").and_then(|name| name.as_str());
    let mut talk = Talk::new(name.unwrap_or_default(), lines.collect());
    if let Some(Dataset::Own(_)) = dataset(task) {
        talk.subject = Subject::Other;
    }
    talk
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::json;

    use super::*;
    use rolecall_core::domain::{
        Begun, CellName, Event, Message, Opened, Seat, Seed, Transcript, Utterance, View, Visibility,
    };
    use rolecall_core::prompts::lines;

    fn task(data: Value) -> PublicTask {
        PublicTask { data, ..PublicTask::new("t", "cima", "") }
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

    /// The view of a seat that sees all utterances.
    fn view(task: PublicTask, viewer: Seat, messages: Vec<(Seat, Message)>) -> View {
        let transcript = Transcript::new(Visibility { user_sees: UserSees::Dialogue, ..Visibility::default() });
        let opened = Message::Opened(Box::new(Opened {
            task: Arc::new(task),
            cell: CellName::new("c").unwrap(),
            strategy: "tpe".to_owned(),
            roles: Vec::new(),
            user: None,
            fork: None,
            served: None,
        }));
        let first = (Seat::Conductor, opened);
        let all = [first].into_iter().chain(messages);
        let mut end = 0;
        for (seq, (to, message)) in (0..).zip(all) {
            let event = Event { seq, cause: None, from: Seat::Conductor, to, message };
            transcript.append(event).unwrap();
            end += 1;
        }
        transcript.visible_to(viewer, 0, end)
    }

    fn utterance_to_user(text: &str) -> (Seat, Message) {
        (Seat::User, Message::Told(Utterance::text(text)))
    }

    fn replied(text: &str) -> (Seat, Message) {
        (Seat::Conductor, Message::Replied(Utterance::text(text)))
    }

    #[test]
    fn the_dialogue_goes_on_with_what_is_told_and_replied() {
        let said = vec![utterance_to_user("Yes!"), replied("Grazie\nTeacher: bye")];
        let shown = lines(&utterances(&view(tutoring(), Seat::User, said), &DialogueWords));
        let expected = "Teacher: Please try.\nStudent: la nave\nTeacher: Yes!\n\
                        Student: Grazie Teacher: bye";
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_new_trial_begins_with_the_tasks_own_dialogue() {
        let begun = Message::Begun(Begun { trial: 1, round: 0, keep_world: false, seed: Seed(1) });
        let said = vec![utterance_to_user("Yes!"), (Seat::Environment, begun), utterance_to_user("No!")];
        let said = utterances(&view(tutoring(), Seat::User, said), &DialogueWords);
        assert_eq!((said.len(), said[2].1.as_str()), (3, "No!"));
    }

    #[test]
    fn who_does_not_speak_yet_is_called_as_usual() {
        for (dataset, agent) in [("cima", "Teacher"), ("focus", "SYSTEM"), ("psyqa", "SYSTEM")] {
            let one = json!([{ "speaker": "X", "text": "a" }]);
            let task = task(json!({ "dataset": dataset, "dialogue": one }));
            let said = utterances(&view(task, Seat::User, vec![utterance_to_user("b"), replied("c")]), &DialogueWords);
            let speakers: Vec<&str> = said.iter().map(|(speaker, _)| speaker.as_str()).collect();
            assert_eq!(speakers, ["X", agent, "X"]);
        }
        let household = PublicTask::new("t", "put", "");
        let said = utterances(&view(household, Seat::User, vec![utterance_to_user("b"), replied("c")]), &DialogueWords);
        assert_eq!(lines(&said), "SYSTEM: b\nUSER: c");
    }

    #[test]
    fn forms_are_what_the_world_understands() {
        let forms_of = |dataset: &str, data: &str| {
            let listed = json!([{ "name": "PERSONA", "description": "d" }]);
            let task = task(json!({ "dataset": dataset, data: [], "tools": listed }));
            (DialogueWords.forms(&task).map(|forms| forms.len()), tools(&task).len())
        };
        assert_eq!(forms_of("focus", "dialogue"), (Some(2), 1));
        assert_eq!(forms_of("cima", "dialogue"), (Some(1), 1));
        assert_eq!(forms_of("focus", "other"), (None, 0));
        assert_eq!(tools(&tutoring())[0].example.as_deref(), Some("e"));
    }
}
