//! A role's view of a dialogue task: the talk so far, its brief, and the findings.

use crate::cues::Talk;
use crate::environment::texts_found;
use crate::language::{Dataset, Source};
use crate::words::{dataset, dialogue_task, talk, tools};
use rolecall_core::domain::{Action, Answer, Brief, Message, Move, View};
use rolecall_core::ports::{Mended, RoleError, Turn};

/// The habits of the roles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Habits {
    /// A thought about a place names words that an answer may hold.
    pub anticipates: bool,
    /// A plan asks PERSONA: always, never, or unless a bare fact is asked for.
    pub asks_persona: Option<bool>,
    /// The words of a first course are known besides what the tutor has taught.
    pub course: bool,
}

/// A text of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// It is about the user, not the world.
    pub(super) persona: bool,
    pub(super) text: String,
}

impl Known {
    fn new(persona: bool, text: &str) -> Self {
        Self { persona, text: text.trim().to_owned() }
    }
}

/// Everything that an answer depends on.
#[derive(Clone, Debug)]
pub(super) struct Scene<'a> {
    pub(super) talk: Talk,
    pub(super) brief: &'a Brief,
    pub(super) habits: Habits,
    /// The data set; that of places where the task names none that is known.
    pub(super) dataset: Dataset,
    /// The names of the task's sources or strategies.
    pub(super) tools: Vec<String>,
    /// The thought for this response; empty if there is none.
    pub(super) thought: String,
    /// The texts that were found for this response.
    pub(super) known: Vec<Known>,
    /// The steps of the last plan that are left, where there is no notation.
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
        let brief = turn.brief().ok_or_else(|| RoleError::Failed("there is no brief".to_owned()))?;
        let task = dialogue_task(turn).ok_or_else(|| {
            RoleError::Failed("the task has no dialogue: this role plays dialogue tasks only".to_owned())
        })?;
        let tools = tools(task).into_iter().map(|tool| tool.name).collect();
        let dataset = dataset(task).unwrap_or(Dataset::Focus);
        let mut scene = Self {
            talk: talk(&turn.view, task),
            brief,
            habits,
            dataset,
            tools,
            thought: section(brief, "thought").to_owned(),
            known: known(brief, dataset),
            plan: None,
            lookups: 0,
        };
        if brief.notation.is_none() {
            scene.look_back(&turn.view);
        }
        Ok(scene)
    }

    /// Finds the thoughts and plans of others and the findings, where no section of the brief says them.
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
                    // The step and those before it are done.
                    if let Some(plan) = &mut self.plan
                        && let Some(step) = plan.iter().position(|step| step.is_same_as(action))
                    {
                        plan.drain(..=step);
                    }
                    asked = source(&action.text, self.dataset);
                    self.lookups += usize::from(asked.is_some());
                }
                Message::Observed(seen) if !seen.invalid => {
                    if let Some(persona) = asked.take() {
                        self.known.extend(texts_found(seen).into_iter().map(|text| Known::new(persona, text)));
                    }
                }
                _ => {}
            }
        }
    }
}

/// The answer of a role; fails with the problem if there is no move.
pub(super) fn answer(moves: Vec<Move>, problem: &str) -> Result<Answer, RoleError> {
    if moves.is_empty() { Err(RoleError::Failed(problem.to_owned())) } else { Ok(Mended::default().answer(moves)) }
}

/// A section of the brief; empty if there is none.
pub(super) fn section<'a>(brief: &'a Brief, name: &str) -> &'a str {
    brief.sections.iter().find(|section| section.name == name).map_or("", |section| section.text.as_str())
}

/// Whether the source that a text asks is PERSONA, if it asks one.
pub(super) fn source(text: &str, dataset: Dataset) -> Option<bool> {
    let name = text.split(['[', ':', ' ']).next().unwrap_or_default();
    dataset.source(name).map(|(source, _)| source == Source::Persona)
}

/// The findings in the sections of a brief: lines such as `PERSONA: ...` and `#E1 = PERSONA[...]: ...`, or ReAct's
/// actions with their observations.
fn known(brief: &Brief, dataset: Dataset) -> Vec<Known> {
    let mut found = Vec::new();
    for line in section(brief, "knowledge").lines() {
        let bare = line.split_once(" = ").filter(|_| line.starts_with('#')).map_or(line, |(_, after)| after);
        // The query stands in brackets before the text that was found.
        let text = bare.split_once("]: ").or_else(|| bare.split_once(": "));
        if let (Some(persona), Some((_, text))) = (source(bare, dataset), text) {
            found.push(Known::new(persona, text));
        }
    }
    let mut asked = None;
    for line in section(brief, "scratchpad").lines() {
        if let Some(action) = line.strip_prefix("Action: ") {
            asked = source(action, dataset);
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
    use rolecall_core::domain::Section;

    #[test]
    fn what_was_found_is_read_from_sections() {
        let section = |name: &str, text: &str| Section { name: name.to_owned(), text: text.to_owned() };
        let brief = Brief {
            sections: vec![
                section("knowledge", "PERSONA: I like maps: old ones.\n#E1 = DOCUMENT[a: b]: Zürich is old.\nnothing"),
                section("scratchpad", "Thought: x\nAction: Persona[context]\nObservation: I swim.\nObservation: no"),
            ]
            .into(),
            ..Brief::default()
        };
        let texts: Vec<(bool, String)> =
            known(&brief, Dataset::Focus).into_iter().map(|one| (one.persona, one.text)).collect();
        let expected = [(true, "I like maps: old ones."), (false, "Zürich is old."), (true, "I swim.")];
        assert_eq!(texts, expected.map(|(persona, text)| (persona, text.to_owned())));
        assert_eq!(source("respond[x]", Dataset::Focus), None);
        assert_eq!(source("Knowledge[Bern]", Dataset::Focus), Some(false));
    }
}
