//! A seat's knowledge besides the running text: the task, its first observation, its own private
//! parts, and the actions that are possible.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::Value;

use super::line::shown_text;
use crate::domain::{Event, Message, Observation, PublicTask};
use crate::ports::Words;
use crate::text::template::TemplateValue;
use crate::text::{joined_by, one_line};

/// The forms of the commands that the environment understands.
#[derive(Clone, Debug, Default)]
pub struct Forms {
    /// Each form, with names in braces for what has to be put in, and what it does.
    pub rows: Vec<(String, String)>,
    actions: OnceLock<TemplateValue>,
    grammar: OnceLock<TemplateValue>,
}

impl Forms {
    /// Forms with what they do.
    pub fn new(rows: Vec<(String, String)>) -> Self {
        Self { rows, ..Self::default() }
    }

    /// Reads them from the public task: a list `actions` of forms or of pairs of a form and what it
    /// does; or what the words of the world say.
    pub fn of(task: &PublicTask, words: &dyn Words) -> Self {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let row = |value: &Value| match value {
            Value::Array(pair) => Some((text(pair.first()?)?, text(pair.get(1)?)?)),
            other => Some((text(other)?, String::new())),
        };
        let listed = task.data.get("actions").and_then(Value::as_array);
        Self::new(match listed {
            Some(list) => list.iter().filter_map(row).collect(),
            None => words.forms(task).unwrap_or_default(),
        })
    }

    /// The forms, one a line.
    pub fn grammar(&self) -> TemplateValue {
        let written =
            self.grammar.get_or_init(|| joined_by("\n", self.rows.iter().map(|(form, _)| one_line(form))).into());
        written.clone()
    }

    /// One line for each form: its verb and what it does.
    pub fn actions(&self) -> TemplateValue {
        let written = self.actions.get_or_init(|| {
            let lines = self.rows.iter().map(|(form, what)| {
                let verb = form.split('{').next().unwrap_or(form);
                // `search[{text}]` is `search`.
                let verb = one_line(verb.trim_end_matches(['[', '(']));
                match what.as_str() {
                    "" => format!("- {verb}"),
                    what => format!("- {verb}: {}", one_line(what)),
                }
            });
            joined_by("\n", lines).into()
        });
        written.clone()
    }
}

/// The forms of all tasks that were met, each once: most tasks of a world have the same.
#[derive(Default)]
pub(super) struct KnownForms(Mutex<Vec<Arc<Forms>>>);

impl KnownForms {
    /// These forms, as they were met first.
    pub(super) fn shared(&self, forms: &Arc<Forms>) -> Arc<Forms> {
        /// The most that are kept.
        const MOST: usize = 64;
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let same = known.iter().find(|known| known.rows == forms.rows);
        let found = Arc::clone(same.unwrap_or(forms));
        if same.is_none() && known.len() < MOST {
            known.push(Arc::clone(forms));
        }
        found
    }
}

/// A seat's knowledge besides the running text.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// The task, once the episode is open.
    pub task: Option<Arc<PublicTask>>,
    /// The environment's first observation in this trial.
    pub first_observation: Arc<str>,
    /// The event of the newest observation.
    pub(super) newest: Option<u32>,
    /// The seat's own private parts, by label.
    pub private: BTreeMap<String, Arc<Value>>,
    /// The actions that are possible now, if the environment lists them.
    pub admissible: Option<Arc<[String]>>,
    /// The forms of the commands.
    pub forms: Arc<Forms>,
    /// The environment's first observation in a further round, where the world went on: the task of
    /// that round.
    next_task: Option<Arc<str>>,
    /// The next observation is that one.
    next_round: bool,
    begun: bool,
}

impl Scene {
    /// Takes note of an event that the seat sees, in a world with these words.
    pub fn fold(&mut self, event: &Event, words: &dyn Words) {
        match &event.message {
            Message::Opened(opened) => {
                self.forms = Arc::new(Forms::of(&opened.task, words));
                self.task = Some(Arc::clone(&opened.task));
            }
            Message::Entrusted(part) => {
                self.private.insert(part.label.clone(), Arc::clone(&part.value));
            }
            Message::Begun(begun) if begun.keep_world => self.next_round = true,
            Message::Begun(_) => {
                self.begun = false;
                self.next_task = None;
                self.next_round = false;
            }
            Message::Observed(seen) => {
                self.newest = Some(event.seq);
                self.observed(seen);
            }
            Message::Brief(_) | Message::Moved(_) => {}
            Message::Repaired(_) | Message::Perform(_) | Message::Told(_) => {}
            Message::Replied(_) | Message::ModelCalled(_) | Message::Assess => {}
            Message::Scored(_) | Message::Fault(_) | Message::Closed(_) => {}
        }
    }

    fn observed(&mut self, seen: &Observation) {
        if std::mem::take(&mut self.next_round) && self.begun {
            self.next_task = Some(shown_text(&seen.text).into());
        }
        if !std::mem::replace(&mut self.begun, true) {
            self.first_observation = shown_text(&seen.text).into();
        }
        let listed = seen.data.as_deref().and_then(|data| data.get("admissible")).and_then(Value::as_array);
        self.admissible = listed.map(|list| list.iter().filter_map(Value::as_str).map(str::to_owned).collect());
    }

    /// The task in words: that of the round; in the first one its public text, and else the first
    /// observation.
    pub fn task_text(&self) -> &str {
        if let Some(next) = &self.next_task {
            return next;
        }
        let text = self.task.as_deref().map(|task| task.text.as_str());
        match text {
            Some(text) if !text.is_empty() => text,
            _ => &self.first_observation,
        }
    }

    /// A text of the task's public data; empty if it is not there.
    pub fn field(&self, name: &str) -> &str {
        let data = self.task.as_deref().map(|task| &task.data);
        data.and_then(|data| data.get(name)?.as_str()).unwrap_or_default()
    }

    /// The kind of the task; empty before the episode is open.
    pub fn kind(&self) -> &str {
        self.task.as_deref().map_or("", |task| &task.kind)
    }
}
