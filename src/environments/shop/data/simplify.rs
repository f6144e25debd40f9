//! `rolecall data simplify shop`: writes ChatShop's goals with their simplified instructions (appendices B.1, D.3, D.4), by
//! rules or by a model.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{anyhow, bail};
use serde_json::json;

use super::official::{self, CHATSHOP};
use super::words::words;
use crate::goal::{Goal, Instructions, read_chatshop};
use crate::simplify::disclosures;
use crate::store::Goals;
use crate::tasks::BUILTIN;
use rolecall_core::domain::ModelReply;
use rolecall_core::ports::model::{Completion, EncodedRequest};
use rolecall_core::ports::{ModelClient, ModelError, ModelRequest, Parameters};
use rolecall_core::prompts::prompt;
use rolecall_core::reports::Table;
use rolecall_core::text::overlap::F1;
use rolecall_core::text::template::{Template, template_value};
use rolecall_core::text::{after_reasoning, harmless};
use rolecall_core::world::{Desk, Inquiry, Unfinished};

/// The most tokens of an answer: it takes few, but some models think aloud.
const ANSWER_TOKENS: u32 = 256;
/// The texts that are made shorter, by their places among those of a goal.
const SHORTENED: [(&str, usize); 2] = [("without attributes", 1), ("kind alone", 2)];

/// Writes the goals; says how far their texts agree with recorded ones.
pub(super) fn run(parameters: &Parameters, desk: &dyn Desk) -> anyhow::Result<String> {
    let data = parameters.path("data").unwrap_or(Path::new(BUILTIN));
    let out = parameters.path("out").unwrap_or(Path::new(""));
    let shown = |path: &Path| harmless(&path.display().to_string());
    let kind = Goals::WebShop(Instructions::Human);
    let (mut goals, _) = official::read(data, kind, &mut |_| {})?;
    if goals.is_empty() {
        bail!("`{}` has no instructions", shown(data));
    }
    let beside = data.join(CHATSHOP);
    let recorded = match beside.is_file() {
        true => read_chatshop(&beside)?,
        // Those of a file of goals alone, and the built-in ones, come with theirs.
        false if !data.is_dir() => goals.clone(),
        false => Vec::new(),
    };
    let missing = match parameters.text("model") {
        Some(model) => Simplifying::by(model, &mut goals, desk)?,
        None => {
            let mut next = desk.progress(goals.len(), "instructions");
            for goal in &mut goals {
                goal.disclosures = Some(disclosures(goal));
                next();
            }
            String::new()
        }
    };
    Unfinished::file(out, |file| official::write_goals(file, &goals))?;
    let mut text = format!("{} goals in {}{missing}\n", goals.len(), shown(out));
    if !missing.is_empty() {
        text += "Texts without an answer are those of the rules.\n";
    }
    if !recorded.is_empty() {
        text += &format!("\n{}", compared(&goals, &recorded).text(&desk.layout()));
    }
    Ok(text)
}

/// How far texts agree with those that were recorded for the same instructions.
fn compared(goals: &[Goal], recorded: &[Goal]) -> Table {
    let texts = goals.iter().map(|goal| {
        let texts = goal.disclosures.as_ref();
        ((&*goal.asin, goal.wish()), texts)
    });
    let texts: HashMap<(&str, &str), Option<&[String; 4]>> = texts.collect();
    let pairs = recorded.iter().filter_map(|goal| {
        let made = *texts.get(&(&*goal.asin, goal.wish()))?;
        made.zip(goal.disclosures.as_ref())
    });
    let pairs: Vec<(&[String; 4], &[String; 4])> = pairs.collect();
    let heads = ["the same, %", "F1 of words, %", "F1 of the whole instruction, %"];
    let title = format!("As the {} recorded instructions", pairs.len());
    let mut table = Table::new(&title).key("").numbers(heads);
    let f1 = |text: &str, theirs: &str| F1::SQUAD.sentence(text, &[theirs]).f1;
    for (name, which) in SHORTENED {
        let mean = |figure: &dyn Fn(&str, &str, &str) -> f64| {
            let figures = pairs.iter().map(|(text, theirs)| figure(&text[which], &theirs[which], &theirs[0]));
            format!("{:.1}", 100.0 * figures.sum::<f64>() / pairs.len().max(1) as f64)
        };
        table.row(vec![
            name.to_owned(),
            mean(&|text, theirs, _| f64::from(u8::from(words(text) == words(theirs)))),
            mean(&|text, theirs, _| f1(text, theirs)),
            mean(&|_, theirs, whole| f1(whole, theirs)),
        ]);
    }
    table
}

/// Two questions for each goal, in the order of [`SHORTENED`].
struct Simplifying<'g> {
    goals: &'g [Goal],
    template: Template,
}

impl Simplifying<'_> {
    /// Puts a model's texts into the goals, or those of the rules where it gives none; says how many are missing.
    fn by(model: &str, goals: &mut [Goal], desk: &dyn Desk) -> anyhow::Result<String> {
        let names = |name: &str| ["wish", "attributes", "kind", "again"].contains(&name);
        let template = Template::compile("of `simplify`", include_str!("simplify.md"), names)
            .map_err(|error| anyhow!("the prompt {error}"))?;
        let asked = Simplifying { goals, template };
        let answers = desk.ask(model, &asked)?;
        let read = |(thing, reply): (usize, &Option<ModelReply>)| asked.read(thing, reply.as_ref()?);
        let found: Vec<Option<String>> = answers.replies.iter().enumerate().map(read).collect();
        for (goal, found) in goals.iter_mut().zip(found.chunks(SHORTENED.len())) {
            let mut texts = disclosures(goal);
            for ((_, which), text) in SHORTENED.iter().zip(found) {
                if let Some(text) = text {
                    texts[*which].clone_from(text);
                }
            }
            goal.disclosures = Some(texts);
        }
        Ok(answers.missing)
    }

    /// The goal that is asked about, and the place of the text that is wanted.
    fn thing(&self, thing: usize) -> (&Goal, usize) {
        let (goal, which) = (thing / SHORTENED.len(), thing % SHORTENED.len());
        (&self.goals[goal], SHORTENED[which].1)
    }

    /// The text of an answer: one line, no longer than the instruction it is made of.
    fn read(&self, thing: usize, reply: &ModelReply) -> Option<String> {
        let text = after_reasoning(&reply.choices.first()?.text).trim().trim_matches(['"', '\'', '`']).trim();
        let (longest, length) = (words(self.thing(thing).0.wish()).len(), words(text).len());
        let fits = !text.contains('\n') && (1..=longest).contains(&length);
        fits.then(|| text.to_owned())
    }
}

impl Inquiry for Simplifying<'_> {
    fn what(&self) -> &str {
        "texts"
    }

    fn count(&self) -> usize {
        self.goals.len() * SHORTENED.len()
    }

    fn request(&self, thing: usize, repeated: bool, model: &dyn ModelClient) -> Result<EncodedRequest, ModelError> {
        let (goal, which) = self.thing(thing);
        let attributes: Vec<&str> = goal.attributes.iter().map(String::as_str).chain(goal.options.values()).collect();
        let values = json!({
            "wish": goal.wish(),
            "attributes": attributes,
            "kind": which == 2,
            "again": repeated,
        });
        let parts = self.template.fill(&template_value(&values));
        let unusable = |error| ModelError::Unsupported(format!("the prompt {error}"));
        model.encode(&ModelRequest::Complete(Completion {
            prompt: prompt(parts.map_err(unusable)?, model.profile().chat),
            max_tokens: Some(ANSWER_TOKENS),
            temperature: Some(0.0),
            ..Completion::default()
        }))
    }

    fn is_answer(&self, thing: usize, reply: &ModelReply) -> bool {
        self.read(thing, reply).is_some()
    }
}
