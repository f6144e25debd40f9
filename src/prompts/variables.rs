//! The names that prompt files may use (`docs/prompts.md` explains each).

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::dialogue;
use super::exemplars::Exemplars;
use super::household;
use super::private;
use super::scene::Scene;
use super::script::{EntryKind, Script};
use crate::domain::{Brief, DialogueAct, MoveKind, Notation};
use crate::memory::Sightings;
use crate::ports::Turn;
use crate::text::template::{Template, TemplateValue};

/// Every name that is filled in, besides the labels of private parts.
const NAMES: &[&str] = &[
    "role",
    "task",
    "task_kind",
    "first_observation",
    "transcript",
    "turns",
    "exemplars",
    "actions",
    "grammar",
    "admissible",
    "open",
    "steps_left",
    "questions_left",
    "notice",
    "sections",
    "question",
    "dialogue",
    "acts",
    "context",
    "tools",
    "language",
    "dataset",
    "notation",
    "memory",
    "private",
];

/// Whether somebody fills in the name.
pub(super) fn is_known(name: &str) -> bool {
    NAMES.contains(&name) || private::NAMES.contains(&name)
}

/// What a prompt shows of the script.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cut<'a> {
    /// The first turn that is shown.
    pub(super) first: u32,
    /// Observations of turns before this one are left out.
    pub(super) observed: u32,
    /// What stands in place of the turns that are not shown.
    pub(super) summary: Option<&'a str>,
}

/// What stands for an observation that is left out.
const LEFT_OUT: &str = "(not shown any more)";

/// What variables are made from.
pub(super) struct Sources<'a> {
    pub(super) turn: &'a Turn,
    pub(super) scene: &'a Scene,
    pub(super) script: &'a Script,
    pub(super) memory: &'a Sightings,
    pub(super) exemplars: &'a Exemplars,
    pub(super) cut: Cut<'a>,
}

impl Sources<'_> {
    /// The values of the names that a template uses.
    pub(super) fn values(&self, template: &Template) -> TemplateValue {
        let values = template
            .names()
            .filter_map(|name| Some((name, self.value(name)?)));
        values.collect::<BTreeMap<_, _>>().into()
    }

    /// The value of a name; none for a private part that the seat does not have.
    fn value(&self, name: &str) -> Option<TemplateValue> {
        let brief = self.turn.brief();
        let number = |left: fn(&Brief) -> Option<u32>| TemplateValue::from(brief.and_then(left));
        let Self { scene, turn, .. } = self;
        Some(match name {
            "role" => turn.seat.as_str().into(),
            "task" => scene.task_text().into(),
            "task_kind" => scene.kind().into(),
            "first_observation" => TemplateValue::from(&*scene.first_observation),
            "transcript" => self.transcript().into(),
            "turns" => self.turns(),
            "exemplars" => self.exemplars(),
            "actions" => scene.forms.actions().into(),
            "grammar" => scene.forms.grammar().into(),
            "admissible" => match &scene.admissible {
                Some(list) => list.iter().map(String::as_str).collect(),
                None => TemplateValue::from(()),
            },
            "open" => {
                let open = brief.map(|brief| brief.open).unwrap_or_default();
                open.iter().map(MoveKind::as_str).collect()
            }
            "steps_left" => number(|brief| brief.steps_left),
            "questions_left" => number(|brief| brief.questions_left),
            "notice" => TemplateValue::from(brief.and_then(|brief| brief.notice.as_deref())),
            "sections" => {
                let sections = brief.map(|brief| brief.sections.as_slice());
                let sections = sections.unwrap_or_default().iter();
                let texts =
                    sections.map(|section| (section.name.as_str(), section.text.as_str().into()));
                texts.collect::<BTreeMap<_, TemplateValue>>().into()
            }
            "question" => TemplateValue::from(turn.question().map(|told| told.text.as_str())),
            "dialogue" => self.dialogue().into(),
            "acts" => acts(brief),
            "context" => dialogue::lines(&dialogue::utterances(&turn.view)).into(),
            "tools" => dialogue::shown(&scene.tools()),
            "language" | "dataset" => scene.field(name).into(),
            "notation" => {
                let notation = brief.and_then(|brief| brief.notation);
                TemplateValue::from(notation.map(Notation::as_str))
            }
            "memory" => self.memory.paragraph().into(),
            "private" => {
                let parts = scene.private.iter();
                let parts = parts.map(|(label, value)| (label.as_str(), private::shown(value)));
                parts.collect::<BTreeMap<_, _>>().into()
            }
            name => private::named(name, &scene.private)?,
        })
    }

    /// The exemplars for the task, in its wording.
    fn exemplars(&self) -> TemplateValue {
        let kind = self.scene.kind();
        let chosen = match self.strategy() {
            Some(strategy) => self.exemplars.of_strategy(kind, strategy),
            None => self.exemplars.of(kind),
        };
        let data = self.scene.task.as_deref().map(|task| &task.data);
        let worded = match (chosen.as_str(), data) {
            (Some(text), Some(data)) => household::in_the_games_words(text, data),
            _ => return chosen,
        };
        match worded {
            Cow::Borrowed(_) => chosen.clone(),
            Cow::Owned(text) => text.into(),
        }
    }

    /// The strategy that is to be carried out, if the brief names one.
    fn strategy(&self) -> Option<&str> {
        let mut sections = self.turn.brief()?.sections.iter();
        let section = sections.find(|section| section.name == "strategy")?;
        Some(&section.text)
    }

    /// The entries that are shown.
    fn shown(&self) -> std::ops::Range<usize> {
        self.script.first_of(self.cut.first)..self.script.entries().len()
    }

    fn is_left_out(&self, index: usize) -> bool {
        let entry = self.script.entries().get(index);
        entry.is_some_and(|entry| {
            entry.kind == EntryKind::Observation && entry.turn < self.cut.observed
        })
    }

    fn transcript(&self) -> String {
        let mut text = String::new();
        if let Some(summary) = self.cut.summary {
            text.push_str("What happened before, in short: ");
            text.push_str(summary);
            text.push('\n');
        }
        if self.cut.observed == 0 {
            text.push_str(self.script.text_from(self.shown().start));
        } else {
            for index in self.shown() {
                let line = self.script.line_of(index);
                let line = if self.is_left_out(index) {
                    LEFT_OUT
                } else {
                    line
                };
                text.push_str(line);
                text.push('\n');
            }
        }
        text.truncate(text.trim_end().len());
        text
    }

    fn turns(&self) -> TemplateValue {
        let entries = self.script.entries();
        let turns = self.shown().filter_map(|index| {
            let entry = entries.get(index)?;
            let text = if self.is_left_out(index) {
                LEFT_OUT
            } else {
                self.script.text_of(index)
            };
            let fields: BTreeMap<&str, TemplateValue> = BTreeMap::from([
                ("from", (&*entry.from).into()),
                ("kind", entry.kind.as_str().into()),
                ("text", text.into()),
                ("number", entry.turn.into()),
            ]);
            Some(TemplateValue::from(fields))
        });
        turns.collect()
    }

    /// What was said, without what was done.
    fn dialogue(&self) -> String {
        let entries = self.script.entries();
        let said = self.shown().filter(|index| {
            let kind = entries.get(*index).map(|entry| entry.kind);
            matches!(
                kind,
                Some(EntryKind::Reply | EntryKind::Move(MoveKind::Speak))
            )
        });
        let lines: Vec<&str> = said.map(|index| self.script.line_of(index)).collect();
        lines.join("\n")
    }
}

/// The dialogue acts of which one has to be declared: name and purpose of each.
fn acts(brief: Option<&Brief>) -> TemplateValue {
    let acts = brief.map(|brief| brief.acts.as_slice()).unwrap_or_default();
    let purpose = |act: &DialogueAct| {
        let mut known = DialogueAct::SCHEMA.iter();
        let found = known.find(|(name, _)| *name == act.as_str());
        found.map_or("", |(_, purpose)| *purpose)
    };
    let entries = acts.iter().map(|act| {
        let fields: BTreeMap<&str, TemplateValue> = BTreeMap::from([
            ("name", act.as_str().into()),
            ("purpose", purpose(act).into()),
        ]);
        TemplateValue::from(fields)
    });
    entries.collect()
}
