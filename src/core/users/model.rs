//! A user that a language model plays (ReSpAct appendix B.1 and E.4): who it is and what it knows
//! stands in its persona, what it sees is a matter of `sees`.

use std::sync::Arc;

use async_trait::async_trait;

use super::length::{Length, MOST_TOKENS, MOST_WORDS, TOO_LONG};
use crate::domain::{Finish, Utterance};
use crate::ports::model::Prompt;
use crate::ports::{
    LeavingMarks, ModelClient, ModelRequest, Parameter, SetupError, Turn, UserError, UserFactory, UserSetup,
    UserSimulator, Words,
};
use crate::prompts::{
    Context, Exemplars, Knowledge, LineNotation, Prompter, Room, SAME_SPEAKER, TurnOptions, corrected,
};
use crate::text::template::{Template, TemplateValue, table};
use crate::text::{after_reasoning, answer_line};

/// The words after a reply that was too long.
const TOO_LONG_PROMPT: &str = include_str!("too_long.md");

/// The beginning of a reply that is all thought.
const THOUGHT: &str = "<thought>";
const THOUGHT_END: &str = "</thought>";

/// Why it says nothing, where that is known.
const CUT: &str = ": its answer was cut at the limit of tokens (`max_tokens`)";

/// The parameters of the user.
pub const PARAMETERS: &[Parameter] = &[
    Parameter::model("model", "the model that plays the user, one of `[models]`"),
    Parameter::text(
        "leaving",
        Some(""),
        "a mark, such as `###STOP###`, at the end of what the user says, with which it ends the \
         conversation; empty: that of the card, if it has one",
    ),
    Parameter::text(
        "satisfied",
        Some(""),
        "the same mark for a user that leaves with what it came for; empty: that of the card",
    ),
    MOST_WORDS,
    MOST_TOKENS,
    TOO_LONG,
    SAME_SPEAKER,
    Parameter::integer("retries_empty", Some(1), 0..=10, "how often it is asked once more when it says nothing"),
];

/// Labels that models write before what they say in somebody's place; a world may have others.
const OWN: &[&str] = &["you", "human", "user", "your response", "response", "me", "reply", "answer", "我"];

/// Labels of others: what follows is not said by the user.
const OTHERS: &[&str] =
    &["agent", "the agent", "agent query", "question", "assistant", "observation", "executor", "system"];

/// Builds the user (registry entry `model`).
pub fn build(setup: &UserSetup) -> Result<UserFactory, SetupError> {
    let model = setup.parameters.model("model", &setup.models)?.ok_or_else(|| {
        let problem = "is not written; name one of the tables `[models.<name>]`";
        SetupError::at("model", problem)
    })?;
    // A user has no kinds of tasks: all its exemplars stand in its prompt.
    let exemplars = Exemplars::new(&setup.persona.exemplars, usize::MAX, 0);
    let notation = LineNotation::default();
    let prompter =
        Prompter::new(&setup.persona, exemplars, notation, Context::Last, 1, &setup.world)?.with_turns(TurnOptions {
            joined: setup.parameters.text("same_speaker") == Some("joined"),
            ..TurnOptions::default()
        });
    let too_long = Template::compile("too_long.md", TOO_LONG_PROMPT, |name| name == "limit");
    let mark = |name: &str, default: &str| {
        setup.parameters.text(name).filter(|mark| !mark.trim().is_empty()).unwrap_or(default).trim().to_owned()
    };
    let defaults = &setup.persona.leaving;
    let marks =
        LeavingMarks { leaving: mark("leaving", &defaults.leaving), satisfied: mark("satisfied", &defaults.satisfied) };
    let shared = Arc::new(Shared {
        prompter,
        model,
        marks,
        retries: setup.parameters.whole("retries_empty").unwrap_or(0),
        words: setup.world.words,
        length: Length::of(&setup.parameters),
        too_long: too_long.map_err(|error| SetupError::at("most_words", error))?,
    });
    Ok(Arc::new(move || Box::new(ModelUser { shared: Arc::clone(&shared), knowledge: None }) as Box<dyn UserSimulator>))
}

struct Shared {
    prompter: Prompter,
    model: Arc<dyn ModelClient>,
    marks: LeavingMarks,
    retries: usize,
    words: &'static dyn Words,
    length: Length,
    /// The words after a reply that was too long.
    too_long: Template,
}

impl Shared {
    /// The model's words, asked once more for each time that it says nothing.
    async fn ask(&self, turn: &Turn, prompt: &Prompt) -> Result<(String, Utterance), UserError> {
        let mut cut = "";
        for _ in 0..=self.retries {
            let completion = self.prompter.completion(prompt.clone());
            let request = ModelRequest::Complete(completion);
            let reply = turn.complete(&*self.model, request).await?;
            let choice = reply.choices.into_iter().next().unwrap_or_default();
            cut = if choice.finish == Finish::Length { CUT } else { "" };
            let text = choice.text;
            if let Some(said) = said(&text, &self.marks, self.words) {
                return Ok((text, said));
            }
            turn.note_unreadable(None);
        }
        Err(UserError::Failed(format!("the model says nothing{cut}")))
    }

    /// The prompt with a reply that was too long and what is said to it.
    fn shorter(&self, prompt: Prompt, text: String) -> Result<Prompt, UserError> {
        let limit = TemplateValue::from(self.length.limit().unwrap_or_default());
        let said = self
            .too_long
            .fill_text(&table([("limit", limit)]))
            .map_err(|error| UserError::Failed(error.to_string()))?;
        Ok(corrected(prompt, &[(text, said)], false, false))
    }
}

/// A user that a language model plays.
///
/// Its memory is a cache of its view: a user that is made anew asks the same.
pub struct ModelUser {
    shared: Arc<Shared>,
    /// None where what it sees changes with the question.
    knowledge: Option<Knowledge>,
}

impl ModelUser {
    async fn prompt(&mut self, turn: &Turn) -> Result<Prompt, UserError> {
        let Shared { prompter, model, .. } = &*self.shared;
        let mut knowledge = self.knowledge.take().unwrap_or_else(|| prompter.fresh());
        prompter.catch_up(&mut knowledge, turn, |_, _, _| None);
        let prompt = prompter.prompt(&mut knowledge, turn, &**model, Room::default()).await?;
        self.knowledge = turn.view.only_grows().then_some(knowledge);
        Ok(prompt)
    }
}

#[async_trait]
impl UserSimulator for ModelUser {
    async fn reply(&mut self, turn: &Turn) -> Result<Utterance, UserError> {
        if turn.question().is_none() {
            return Err(UserError::Failed("nothing was asked".to_owned()));
        }
        let prompt = self.prompt(turn).await?;
        let shared = &*self.shared;
        let length = &shared.length;
        let (text, mut said) = shared.ask(turn, &prompt).await?;
        if length.asks && length.cut(&said.text).is_some() {
            let prompt = shared.shorter(prompt, text)?;
            (_, said) = shared.ask(turn, &prompt).await?;
        }
        Ok(length.held(said))
    }
}

/// The user's words: without labels and quotation marks, up to where the model goes on for
/// somebody else. None if that is nothing.
fn said(text: &str, marks: &LeavingMarks, words: &dyn Words) -> Option<Utterance> {
    let text = after_reasoning(text);
    // A thought alone is said to nobody.
    let lower = text.trim().to_ascii_lowercase();
    if lower.starts_with(THOUGHT) && lower.find(THOUGHT_END).is_none_or(|end| end + THOUGHT_END.len() == lower.len()) {
        return None;
    }
    let marks = [(&*marks.satisfied, true), (&*marks.leaving, false)];
    let mut marks = marks.into_iter().filter(|(mark, _)| !mark.is_empty());
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines() {
        let (label, rest) = labelled(line, words);
        let repeats = label == Label::Own && !lines.is_empty();
        let start = line.trim_start();
        let own_mark = marks.clone().any(|(mark, _)| start.starts_with(mark));
        let special = start.starts_with("<|") && !own_mark;
        if label == Label::Others || repeats || special {
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
    let text = answer_line(&lines.join("\n")).into_owned();
    let text = unquoted(&text);
    let left = marks.find_map(|(mark, satisfied)| Some((text.strip_suffix(mark)?, satisfied)));
    match left {
        Some((text, satisfied)) => Some(Utterance::leaving(unquoted(text.trim()), satisfied)),
        None => (!text.is_empty()).then(|| Utterance::text(text)),
    }
}

#[derive(PartialEq, Eq)]
enum Label {
    None,
    Own,
    Others,
}

/// Whose line it is, and what stands after the label.
fn labelled<'a>(line: &'a str, words: &dyn Words) -> (Label, &'a str) {
    let start = line.trim_start_matches(['>', '*', '#', '-', ' ', '\t']);
    let Some((word, rest)) = start.split_once([':', '：']) else {
        return (Label::None, line);
    };
    let word = word.trim_matches(['*', '_', ' ']).to_lowercase();
    let rest = rest.trim_start_matches(['*', '_', ' ']);
    let word = word.as_str();
    if OWN.contains(&word) || words.user_labels().contains(&word) {
        (Label::Own, rest)
    } else if OTHERS.contains(&word) || words.agent_labels().contains(&word) {
        (Label::Others, rest)
    } else {
        (Label::None, line)
    }
}

/// The text without quotation marks around it.
fn unquoted(text: &str) -> &str {
    let rest = text.strip_prefix('"');
    let inner = rest.and_then(|rest| rest.strip_suffix('"'));
    match inner.filter(|inner| !inner.contains('"')) {
        Some(inner) => inner.trim(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ports::NoWords;

    struct Lesson;

    impl Words for Lesson {
        fn user_labels(&self) -> &'static [&'static str] {
            &["student"]
        }

        fn agent_labels(&self) -> &'static [&'static str] {
            &["teacher"]
        }
    }

    fn marks(leaving: &str) -> LeavingMarks {
        LeavingMarks { leaving: leaving.to_owned(), satisfied: "###DONE###".to_owned() }
    }

    #[test]
    fn who_leaves_may_have_what_it_came_for() {
        let table = [
            ("Thank you! ###DONE###", true, true, "Thank you!"),
            ("Bye. ###STOP###", true, false, "Bye."),
            ("###DONE###", true, true, ""),
            ("I am not ###DONE### yet.", false, false, "I am not ###DONE### yet."),
        ];
        for (text, leaving, satisfied, expected) in table {
            let heard = said(text, &marks("###STOP###"), &NoWords).unwrap();
            assert_eq!((heard.leaving, heard.satisfied, &*heard.text), (leaving, satisfied, expected), "{text}");
        }
    }

    #[test]
    fn a_world_has_labels_of_its_own() {
        let text = "Student: la nave?\nTeacher: sì";
        let expected = Some(Utterance::text("la nave?"));
        assert_eq!(said(text, &LeavingMarks::default(), &Lesson), expected);
    }

    #[test]
    fn what_is_said_is_one_line_without_labels() {
        let table = [
            ("On the desk.", "On the desk."),
            (" You: \"On the desk.\"\n", "On the desk."),
            ("**Human:** On the desk.\nI think.", "On the desk. I think."),
            ("Your Response: Hm: the desk?\nAgent Query: and then?", "Hm: the desk?"),
            ("The agent: where?\nYou: there\nYou: or there", "there"),
            ("<think>He asks.</think>\nThere.", "There."),
            ("我：我有点难过。", "我有点难过。"),
        ];
        for (text, expected) in table {
            assert_eq!(said(text, &LeavingMarks::default(), &NoWords), Some(Utterance::text(expected)), "{text}");
        }
        for silent in [" \n\"\"", "<Thought>The cup is in drawer 2.</Thought>", "<thought>The cup"] {
            assert_eq!(said(silent, &LeavingMarks::default(), &NoWords), None, "{silent}");
        }
        let gone = said("Bye. ###STOP###", &marks("###STOP###"), &NoWords).unwrap();
        assert!(gone.leaving && gone.text == "Bye.");
        let table = [
            ("\"Bye. ###STOP###\"", true, "Bye."),
            ("\"Bye.\" ###STOP###\nAgent: Bye!", true, "Bye."),
            ("###STOP###\n", true, ""),
            ("I never say ###STOP### early.", false, "I never say ###STOP### early."),
            ("###STOP### No.", false, "###STOP### No."),
        ];
        for (text, leaves, expected) in table {
            let heard = said(text, &marks("###STOP###"), &NoWords).unwrap();
            assert_eq!((heard.leaving, &*heard.text), (leaves, expected), "{text}");
        }
        assert!(said("Bye.\n<|end|>", &marks("<|end|>"), &NoWords).unwrap().leaving);
    }
}
