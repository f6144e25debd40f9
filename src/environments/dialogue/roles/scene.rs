//! What a role sees of a dialogue task: the talk so far, what it was told, and what was found.

use crate::domain::{Action, Brief, Message, Move, Observation, View};
use crate::environments::dialogue::cues::Talk;
use crate::environments::dialogue::language::Source;
use crate::environments::dialogue::talk;
use crate::environments::dialogue::words::tools;
use crate::ports::{RoleError, Turn};

/// How the roles go about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Habits {
    /// A thought about a place names words that an answer may hold.
    pub anticipates: bool,
    /// A plan asks what is known of the user: always, never, or unless a bare fact is asked for.
    pub asks_persona: Option<bool>,
    /// The words of a first course are known besides what the tutor has taught.
    pub course: bool,
}

/// Something that a source gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// It tells of the user, not of the world.
    pub(super) persona: bool,
    pub(super) text: String,
}

impl Known {
    fn new(persona: bool, text: &str) -> Self {
        let text = text.trim().to_owned();
        Self { persona, text }
    }
}

/// Everything that an answer depends on.
#[derive(Clone, Debug)]
pub(super) struct Scene<'a> {
    pub(super) talk: Talk,
    pub(super) brief: &'a Brief,
    pub(super) habits: Habits,
    /// The names of the task's sources or strategies.
    pub(super) tools: Vec<String>,
    /// What was thought for this response; empty if nothing was.
    pub(super) thought: String,
    /// What was found for this response.
    pub(super) known: Vec<Known>,
    /// The steps of the last plan that are left, where no notation says what is wanted.
    pub(super) plan: Option<Vec<Action>>,
    /// Sources that were asked for this response.
    pub(super) lookups: usize,
}

impl<'a> Scene<'a> {
    /// Reads the view.
    ///
    /// # Errors
    /// If there is no brief, or the task is no dialogue.
    pub(super) fn of(turn: &'a Turn, habits: Habits) -> Result<Self, RoleError> {
        let brief = turn.brief();
        let brief = brief.ok_or_else(|| RoleError::Failed("there is no brief".to_owned()))?;
        let task = turn
            .task()
            .filter(|task| task.data.get("dialogue").is_some());
        let task = task.ok_or_else(|| {
            let why = "the task has no dialogue: this role plays dialogue tasks only";
            RoleError::Failed(why.to_owned())
        })?;
        let tools = tools(task).into_iter().map(|tool| tool.name).collect();
        let mut scene = Self {
            talk: talk(&turn.view, task),
            brief,
            habits,
            tools,
            thought: section(brief, "thought").to_owned(),
            known: known(brief),
            plan: None,
            lookups: 0,
        };
        if brief.notation.is_none() {
            scene.look_back(&turn.view);
        }
        Ok(scene)
    }

    /// What others thought and planned and what was found, where no section of the brief says it.
    fn look_back(&mut self, view: &View) {
        let mut asked: Option<bool> = None;
        for event in view.all() {
            match &event.message {
                Message::Begun(begun) if !begun.keep_world => {
                    self.thought.clear();
                    self.known.clear();
                    (self.plan, self.lookups) = (None, 0);
                }
                Message::Moved(Move::Think { text }) if event.from != *view.viewer() => {
                    self.thought.clone_from(text);
                }
                Message::Moved(Move::Plan { steps }) => {
                    self.plan = Some(steps.iter().map(|step| step.action.clone()).collect());
                }
                Message::Perform(action) => {
                    self.performed(action);
                    asked = source(&action.text);
                    self.lookups += usize::from(asked.is_some());
                }
                Message::Observed(seen) if !seen.invalid => {
                    let found = asked.take().map(|persona| found(persona, seen));
                    self.known.extend(found.into_iter().flatten());
                }
                _ => {}
            }
        }
    }

    /// Strikes a step and those before it off the plan.
    fn performed(&mut self, action: &Action) {
        if let Some(plan) = &mut self.plan
            && let Some(step) = plan.iter().position(|step| step.is_same_as(action))
        {
            plan.drain(..=step);
        }
    }
}

/// A section of the brief; empty if there is none.
pub(super) fn section<'a>(brief: &'a Brief, name: &str) -> &'a str {
    let found = brief.sections.iter().find(|section| section.name == name);
    found.map_or("", |section| section.text.as_str())
}

/// Whether a text asks a source, and if so, whether that is what is known of the user.
pub(super) fn source(text: &str) -> Option<bool> {
    let name = text.split(['[', ':', ' ']).next().unwrap_or_default();
    Source::named(name).map(|(source, _)| source == Source::Persona)
}

/// What a source showed, text by text.
fn found(persona: bool, seen: &Observation) -> Vec<Known> {
    let data = seen.data.as_deref();
    let texts = data.and_then(|data| data["texts"].as_array());
    let texts = texts.map(|list| list.iter().filter_map(|text| text.as_str()).collect());
    let texts: Vec<&str> = texts.unwrap_or_else(|| vec![seen.text.as_str()]);
    let known = texts.into_iter().map(|text| Known::new(persona, text));
    known.collect()
}

/// What the sections of a brief tell: lines such as `PERSONA: ...` and `#E1 = PERSONA[...]: ...`, or ReAct's
/// actions with their observations.
fn known(brief: &Brief) -> Vec<Known> {
    let mut found = Vec::new();
    for line in section(brief, "knowledge").lines() {
        let bare = line.split_once(" = ").filter(|_| line.starts_with('#'));
        let bare = bare.map_or(line, |(_, after)| after);
        // What was asked stands in brackets before the text that was found.
        let text = bare.split_once("]: ").or_else(|| bare.split_once(": "));
        if let (Some(persona), Some((_, text))) = (source(bare), text) {
            found.push(Known::new(persona, text));
        }
    }
    let mut asked = None;
    for line in section(brief, "scratchpad").lines() {
        if let Some(action) = line.strip_prefix("Action: ") {
            asked = source(action);
        } else if let Some(text) = line.strip_prefix("Observation: ")
            && let Some(persona) = asked.take()
        {
            found.push(Known::new(persona, text));
        }
    }
    found.retain(|known| !known.text.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Section;

    #[test]
    fn what_was_found_is_read_from_sections() {
        let section = |name: &str, text: &str| Section {
            name: name.to_owned(),
            text: text.to_owned(),
        };
        let brief = Brief {
            sections: vec![
                section(
                    "knowledge",
                    "PERSONA: I like maps: old ones.\n#E1 = DOCUMENT[a: b]: Zürich is old.\nnothing",
                ),
                section(
                    "scratchpad",
                    "Thought: x\nAction: Persona[context]\nObservation: I swim.\nObservation: no",
                ),
            ]
            .into(),
            ..Brief::default()
        };
        let texts: Vec<(bool, String)> = known(&brief)
            .into_iter()
            .map(|one| (one.persona, one.text))
            .collect();
        let expected = [
            (true, "I like maps: old ones."),
            (false, "Zürich is old."),
            (true, "I swim."),
        ];
        assert_eq!(
            texts,
            expected.map(|(persona, text)| (persona, text.to_owned()))
        );
        assert_eq!(source("respond[x]"), None);
        assert_eq!(source("Knowledge[Bern]"), Some(false));
    }
}
