//! Prompt files: templates in minijinja's language, compiled once and filled in every turn. Names
//! that nobody knows are errors when a file is compiled; values that are absent are errors when it is
//! filled in. A template reads no files, and how much it may compute is bounded.

mod budget;
mod guard;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use minijinja::value::{Enumerator, Object};
use minijinja::{AutoEscape, Environment, Error, ErrorKind, UndefinedBehavior, context};

use crate::maps::ordered;
use crate::text::joined_by;

pub use minijinja::Value as TemplateValue;

/// How deep macros may call each other.
const DEPTH: usize = 50;

/// The most bytes that a part may have when it is filled in.
const LARGEST: usize = 16 << 20;

/// Names that minijinja itself offers.
const BUILT_IN: &[&str] = &["range", "dict", "namespace", "loop"];

/// JSON as templates see it.
pub fn template_value(value: &serde_json::Value) -> TemplateValue {
    TemplateValue::from(minijinja::value::Serde(value))
}

/// A value with these fields.
pub fn table<'a>(fields: impl IntoIterator<Item = (&'a str, TemplateValue)>) -> TemplateValue {
    let fields = fields.into_iter().map(|(name, value)| (name.into(), value));
    ordered::<BTreeMap<TemplateValue, _>, _>(fields).into()
}

/// A value with fields, sorted by their names, and others that are made when they are asked for and listed
/// nowhere.
pub fn lazy(
    fields: Vec<(&'static str, TemplateValue)>,
    more: impl Fn(&str) -> Option<TemplateValue> + Send + Sync + 'static,
) -> TemplateValue {
    let more = Box::new(more);
    TemplateValue::from_object(Lazy { fields, more })
}

/// Makes a field that is asked for.
type More = dyn Fn(&str) -> Option<TemplateValue> + Send + Sync;

struct Lazy {
    fields: Vec<(&'static str, TemplateValue)>,
    more: Box<More>,
}

impl fmt::Debug for Lazy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_map().entries(self.fields.clone()).finish()
    }
}

impl Object for Lazy {
    fn get_value(self: &Arc<Self>, key: &TemplateValue) -> Option<TemplateValue> {
        let key = key.as_str()?;
        self.fields
            .iter()
            .find(|(name, _)| *name == key)
            .map_or_else(|| (self.more)(key), |(_, value)| Some(value.clone()))
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        let names = self.fields.iter().map(|(name, _)| TemplateValue::from(*name));
        Enumerator::Values(names.collect())
    }
}

/// The values with `turn`, for a part `--- turns ---`.
pub fn with_turn(values: &TemplateValue, turn: Option<TemplateValue>) -> TemplateValue {
    context! { turn, ..values.clone() }
}

/// Who says a part of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartSpeaker {
    /// The instructions: `--- system ---`.
    System,
    /// Whoever the model answers: `--- user ---`, and a file without such lines.
    User,
    /// The model: `--- assistant ---`.
    Assistant,
    /// Each in turn, a message for each move, observation and reply: `--- turns ---`.
    Turns,
}

names! { PartSpeaker, word:
    System => "system", User => "user", Assistant => "assistant", Turns => "turns",
}

/// The variable that a part `--- turns ---` is filled in with ([`with_turn`]).
const TURN: &str = "turn";

/// The text of such a part that has none of its own.
const SAID: &str = "{{ turn.said }}";

/// A problem of a template, and its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{file}` line {line}: {problem}")]
pub struct TemplateError {
    /// The file, as it was named.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The problem.
    pub problem: String,
}

/// A compiled prompt file.
#[derive(Clone, Debug)]
pub struct Template(Arc<Compiled>);

#[derive(Debug)]
struct Compiled {
    file: String,
    environment: Environment<'static>,
    parts: Vec<SpokenPart>,
    names: BTreeSet<String>,
    /// The names without what stands after a dot.
    roots: BTreeSet<String>,
}

/// A part of a file: what one speaker says.
#[derive(Debug)]
pub struct SpokenPart {
    /// Who speaks.
    pub speaker: PartSpeaker,
    /// Its name in the environment.
    name: String,
    /// Lines of the file before it.
    above: usize,
}

impl Template {
    /// Compiles the text of a file. `known` says whether somebody fills in a name.
    ///
    /// The file is split into what several speakers say before anything is filled in: no value can
    /// open a part of its own.
    pub fn compile(file: &str, text: &str, known: impl Fn(&str) -> bool) -> Result<Self, TemplateError> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_auto_escape_callback(|_| AutoEscape::None);
        environment.set_recursion_limit(DEPTH);
        budget::install(&mut environment);
        let mut fuel = guard::FUEL;
        let mut parts = Vec::new();
        let mut names = BTreeSet::new();
        for (number, (speaker, above, mut text)) in split(text).into_iter().enumerate() {
            let name = number.to_string();
            let turns = speaker == PartSpeaker::Turns;
            if turns && text.is_empty() {
                text = SAID.to_owned();
            }
            let part = SpokenPart { speaker, name: name.clone(), above };
            let problem = |error: Error| part.problem(file, &error);
            let added = environment.add_template_owned(name.clone(), text.clone());
            added.map_err(problem)?;
            let compiled = environment.get_template(&name).map_err(problem)?;
            let used = compiled.undeclared_variables(true);
            for found in used {
                let root = root(&found);
                if BUILT_IN.contains(&root) || (turns && root == TURN) {
                    continue;
                }
                if !known(root) {
                    return Err(TemplateError {
                        file: file.to_owned(),
                        line: above + line_of(&text, root),
                        problem: format!("nobody fills in `{root}`"),
                    });
                }
                names.insert(found);
            }
            let guarded = guard::guarded(&text);
            fuel = fuel.min(guarded.fuel());
            // Where the engine does not read what the guard wrote, the file stays as it is: its filters and
            // what it prints are still counted.
            if let Err(_unread) = environment.add_template_owned(name.clone(), guarded.source) {
                environment.add_template_owned(name, text.clone()).map_err(problem)?;
            }
            parts.push(part);
        }
        environment.set_fuel(Some(fuel));
        Ok(Self(Arc::new(Compiled {
            file: file.to_owned(),
            environment,
            parts,
            roots: names.iter().map(|name| root(name).to_owned()).collect(),
            names,
        })))
    }

    /// Whether the file uses the name, by itself or with something after a dot.
    pub fn uses(&self, name: &str) -> bool {
        let after = |found: &String| {
            let rest = found.strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.0.names.iter().any(after)
    }

    /// The names that the file uses, without what stands after a dot.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.roots.iter().map(String::as_str)
    }

    /// Whether a part is turns.
    pub fn has_turns(&self) -> bool {
        self.parts().iter().any(|part| part.speaker == PartSpeaker::Turns)
    }

    /// The parts in order.
    pub fn parts(&self) -> &[SpokenPart] {
        &self.0.parts
    }

    /// Fills the file in. `values` holds every name that it uses.
    pub fn fill(&self, values: &TemplateValue) -> Result<Vec<(PartSpeaker, String)>, TemplateError> {
        let filled = self.parts().iter().map(|part| Ok((part.speaker, self.fill_part(part, values.clone())?)));
        filled.collect()
    }

    /// Fills the file in, as one text.
    pub fn fill_text(&self, values: &TemplateValue) -> Result<String, TemplateError> {
        let parts = self.fill(values)?.into_iter().map(|(_, text)| text);
        Ok(joined_by("\n", parts))
    }

    /// Fills one of the file's parts in.
    pub fn fill_part(&self, part: &SpokenPart, values: TemplateValue) -> Result<String, TemplateError> {
        let Compiled { file, environment, .. } = &*self.0;
        let mut text = Bounded::default();
        let template = environment.get_template(&part.name);
        template
            .and_then(|template| template.render_captured_to(values, &mut text))
            .map_err(|error| part.problem(file, &error))?;
        // The engine writes nothing but text.
        Ok(String::from_utf8(text.0).unwrap_or_default())
    }
}

/// Part before the first dot.
fn root(name: &str) -> &str {
    name.split('.').next().unwrap_or_default()
}

/// A buffer that takes up to [`LARGEST`] bytes.
#[derive(Default)]
struct Bounded(Vec<u8>);

impl std::io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.0.len() + bytes.len() > LARGEST {
            let text = format!("the prompt is larger than {LARGEST} bytes");
            return Err(std::io::Error::other(text));
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl SpokenPart {
    fn problem(&self, file: &str, error: &Error) -> TemplateError {
        let mut problem = match error.kind() {
            ErrorKind::UndefinedError => "a value is not there".to_owned(),
            ErrorKind::OutOfFuel => "it computes for too long".to_owned(),
            other => other.to_string(),
        };
        if let Some(detail) = error.detail() {
            problem = format!("{problem}: {detail}");
        }
        TemplateError { file: file.to_owned(), line: self.above + error.line().unwrap_or(1), problem }
    }
}

/// Splits a file at the lines that name a speaker: who speaks, how many lines stand before, and
/// the text. Blank space around a part is no part of it.
fn split(text: &str) -> Vec<(PartSpeaker, usize, String)> {
    let mut parts: Vec<(PartSpeaker, usize, String)> = vec![(PartSpeaker::User, 0, String::new())];
    for (number, line) in text.lines().enumerate() {
        match speaker(line) {
            Some(speaker) => parts.push((speaker, number + 1, String::new())),
            None => {
                if let Some((_, _, text)) = parts.last_mut() {
                    text.push_str(line);
                    text.push('\n');
                }
            }
        }
    }
    // What stands before the first speaker's line is a part only if there is something.
    if let [(.., text), _, ..] = &parts[..]
        && text.trim().is_empty()
    {
        parts.remove(0);
    }
    for (_, above, text) in &mut parts {
        let start = text.trim_start_matches('\n');
        *above += text.len() - start.len();
        *text = start.trim_end_matches('\n').to_owned();
    }
    parts
}

fn speaker(line: &str) -> Option<PartSpeaker> {
    let word = line.trim().strip_prefix("---")?.strip_suffix("---")?;
    PartSpeaker::named(word.trim())
}

/// The first line on which the name stands within braces, from 1; else the first with the name.
fn line_of(text: &str, name: &str) -> usize {
    let holds =
        |code: &str| code.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|word| word == name);
    let within = |line: &str| line.split("{{").skip(1).chain(line.split("{%").skip(1)).into_iter().any(holds);
    let found = text.lines().position(within).or_else(|| text.lines().position(holds));
    found.unwrap_or_default() + 1
}

#[cfg(test)]
mod tests;
