//! Questions and answers by a model, in the steps of the paper (section 3.1): the agent is told what is missing or
//! cannot be had and asks; the user is told what to answer and says it in its own words.

use anyhow::anyhow;
use serde_json::json;

use crate::generate::Draft;
use crate::request::Operation;
use rolecall_core::domain::ModelReply;
use rolecall_core::ports::model::{Completion, EncodedRequest};
use rolecall_core::ports::{ModelClient, ModelError, ModelRequest};
use rolecall_core::prompts::prompt;
use rolecall_core::text::after_reasoning;
use rolecall_core::text::template::{Template, template_value};
use rolecall_core::world::{Desk, Inquiry};

/// The most tokens of a text: it takes few, but some models think aloud.
const TOKENS: u32 = 300;
/// The most words of a text.
const WORDS: usize = 80;

/// One text for each detail: the questions, or the answers to them.
struct Wording<'d> {
    drafts: &'d [Draft],
    /// The details, by their draft and their place in it.
    details: Vec<(usize, usize)>,
    answers: bool,
    template: Template,
}

/// Puts a model's texts into the drafts, where it gives any; says how many are missing.
pub(super) fn by(model: &str, drafts: &mut [Draft], desk: &dyn Desk) -> anyhow::Result<String> {
    let mut missing = String::new();
    for answers in [false, true] {
        let names = |name: &str| ["wish", "found", "question", "draft", "tone", "again"].contains(&name);
        let template = Template::compile("of `build`", include_str!("wording.md"), names);
        let all = drafts.iter().enumerate();
        let wording = Wording {
            drafts,
            details: all.flat_map(|(at, draft)| (0..draft.details.len()).map(move |detail| (at, detail))).collect(),
            answers,
            template: template.map_err(|error| anyhow!("the prompt {error}"))?,
        };
        let said = desk.ask(model, &wording)?;
        let texts = said.replies.iter().enumerate();
        let texts: Vec<_> = texts
            .filter_map(|(thing, reply)| Some((wording.details[thing], wording.read(thing, reply.as_ref()?)?)))
            .collect();
        for ((draft, detail), text) in texts {
            let detail = &mut drafts[draft].details[detail];
            *(if answers { &mut detail.answer } else { &mut detail.question }) = text;
        }
        missing += &said.missing;
    }
    Ok(missing)
}

impl Wording<'_> {
    /// The text of a reply: a line that is a question, or an answer with every name and number that it should have.
    fn read(&self, thing: usize, reply: &ModelReply) -> Option<String> {
        let text = after_reasoning(&reply.choices.first()?.text).trim().trim_matches(['"', '\'', '`']).trim();
        let is_short = (1..=WORDS).contains(&text.split_whitespace().count());
        let (draft, detail) = *self.details.get(thing)?;
        let fits = match self.answers {
            true => {
                let draft = &self.drafts[draft];
                let said = text.replace(',', "");
                let value = draft.value(&draft.details[detail]).replace(',', "");
                let counts = |word: &&str| !word.chars().all(char::is_lowercase);
                value.split(' ').filter(counts).all(|word| said.contains(word))
            }
            false => text.ends_with('?'),
        };
        (fits && is_short && !text.contains('\n')).then(|| text.to_owned())
    }

    /// The agent's finding about a detail.
    fn found(&self, draft: &Draft, detail: usize) -> String {
        let detail = &draft.details[detail];
        let what = detail.attribute.in_words();
        match detail.operation {
            Operation::Add => format!("Missing: {what}."),
            Operation::Replace => {
                format!("Cannot be had as it is wished: {what}. For instance: {}", detail.question)
            }
        }
    }
}

impl Inquiry for Wording<'_> {
    fn what(&self) -> &str {
        if self.answers { "answers" } else { "questions" }
    }

    fn count(&self) -> usize {
        self.details.len()
    }

    fn request(&self, thing: usize, repeated: bool, model: &dyn ModelClient) -> Result<EncodedRequest, ModelError> {
        let (draft, detail) = self.details[thing];
        let draft = &self.drafts[draft];
        let of_it = &draft.details[detail];
        let values = json!({
            "wish": draft.query,
            "found": self.found(draft, detail),
            "question": if self.answers { &of_it.question } else { "" },
            "draft": of_it.answer,
            "tone": draft.tone,
            "again": repeated,
        });
        let parts = self.template.fill(&template_value(&values));
        let unusable = |error| ModelError::Unsupported(format!("the prompt {error}"));
        model.encode(&ModelRequest::Complete(Completion {
            prompt: prompt(parts.map_err(unusable)?, model.profile().chat),
            max_tokens: Some(TOKENS),
            temperature: Some(0.0),
            ..Completion::default()
        }))
    }

    fn is_answer(&self, thing: usize, reply: &ModelReply) -> bool {
        self.read(thing, reply).is_some()
    }
}
