//! The structure of answers that are no running text. Most questions of a run want the same, which is made once.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use super::ask::Asking;
use super::schema::Wanted;
use super::shared::{Form, Shared};
use crate::domain::{Brief, DialogueAct, MoveKind, MoveKinds, ToolChoice};
use crate::ports::ModelError;
use crate::ports::model::{Format, ToolSpec};
use crate::prompts::Forms;
use crate::text::joined;

/// The structure of an answer.
#[derive(Debug)]
pub(super) struct Structure {
    /// What a prompt says of it.
    told: Option<String>,
    /// The most tokens that such an answer has.
    most_tokens: u32,
    made: Made,
}

#[derive(Debug)]
enum Made {
    Json(Arc<Value>),
    Tools(Arc<[ToolSpec]>),
}

/// Structures that were made, by what they follow from.
#[derive(Default)]
pub(super) struct Structures(Mutex<Vec<(Key, Arc<Structure>)>>);

#[derive(Debug)]
struct Key {
    open: MoveKinds,
    several: bool,
    acts: Vec<DialogueAct>,
    forms: Arc<Forms>,
}

impl Structures {
    /// The structure of what is wanted, which has these forms and no list of possible commands.
    fn get(&self, wanted: &Wanted<'_>, forms: &Arc<Forms>, form: Form) -> Option<Arc<Structure>> {
        /// The most that are kept.
        const MOST: usize = 64;
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |key: &Key| {
            let rest = (key.open, key.several) == (wanted.open, wanted.several);
            rest && key.acts == wanted.acts && Arc::ptr_eq(&key.forms, forms)
        };
        if let Some((_, found)) = known.iter().find(|(key, _)| same(key)) {
            return Some(Arc::clone(found));
        }
        let made = Structure::of(wanted, form)?;
        if known.len() < MOST {
            let key = Key {
                open: wanted.open,
                several: wanted.several,
                acts: wanted.acts.to_vec(),
                forms: Arc::clone(forms),
            };
            known.push((key, Arc::clone(&made)));
        }
        Some(made)
    }
}

impl Structure {
    /// None where the answer is running text.
    fn of(wanted: &Wanted<'_>, form: Form) -> Option<Arc<Self>> {
        let made = match form {
            Form::Text => return None,
            Form::Json => Made::Json(Arc::new(wanted.schema())),
            Form::Tools => Made::Tools(wanted.tools().into()),
        };
        Some(Arc::new(Self {
            told: wanted.answer_format(form),
            most_tokens: wanted.most_tokens(),
            made,
        }))
    }
}

impl Shared {
    /// The structure that the answer is to have; none where it is running text.
    pub(super) fn structure(&self, asking: &Asking<'_>) -> Option<Arc<Structure>> {
        if self.form == Form::Text {
            return None;
        }
        let scene = asking.scene;
        let listed = scene.admissible.as_ref();
        let listed = listed.is_some_and(|list| !list.is_empty());
        self.wanted(asking, |wanted| match asking.format {
            None if !listed => self.structures.get(wanted, &scene.forms, self.form),
            _ => Structure::of(wanted, self.form),
        })
    }

    /// What a prompt says of the form of an answer; none where it is running text.
    pub(super) fn told(&self, brief: &Brief, structure: Option<&Structure>) -> Option<String> {
        structure
            .filter(|_| self.form_of(brief) != Form::Text)?
            .told
            .clone()
    }

    /// The most tokens that an answer may have where a schema bounds it; none where the card or the model says it.
    pub(super) fn answer_tokens(
        &self,
        brief: &Brief,
        structure: Option<&Structure>,
    ) -> Option<u32> {
        let open = self.model.profile().max_tokens.is_none();
        let structure = structure.filter(|_| open && self.form_of(brief) != Form::Text);
        structure.map(|structure| structure.most_tokens)
    }

    /// The moves that are offered. Where one move is wanted of those who act, giving up is none of them unless the
    /// config asks for it: no paper has it, and weak models take it first. Whoever has tools ends by itself.
    fn offered(&self, asking: &Asking<'_>) -> MoveKinds {
        let open = self.reading(asking).open;
        let brief = asking.brief;
        let loops = brief.notation.is_none() && !brief.several && open.contains(MoveKind::Act);
        match loops && self.world.tools.is_empty() && !self.finishes {
            true => open.without(MoveKind::Finish),
            false => open,
        }
    }

    /// What a schema of the answer is made from.
    fn wanted<T>(&self, asking: &Asking<'_>, made: impl FnOnce(&Wanted<'_>) -> T) -> T {
        let offered;
        let (commands, forms) = match asking.format {
            Some(format) => {
                let rows = asking.scene.forms.rows.iter();
                let rows = rows.filter(|(form, _)| format.offers(form));
                offered = Forms::new(rows.cloned().collect());
                (format.commands(&asking.asked()), &offered)
            }
            None => (None, &*asking.scene.forms),
        };
        let wanted = Wanted {
            open: self.offered(asking),
            several: asking.brief.several,
            acts: &asking.brief.acts,
            forms,
            admissible: commands.as_deref().or(asking.scene.admissible.as_deref()),
            bounds: self.bounds,
            tools: match asking.format {
                Some(_) => &[],
                None => &self.world.tools,
            },
        };
        made(&wanted)
    }

    /// The form of the reply that the model is asked for.
    pub(super) fn reply_format(&self, asking: &Asking<'_>) -> Result<Format, ModelError> {
        let tools = match asking.structure.as_deref().map(|structure| &structure.made) {
            None => return Ok(Format::Text),
            Some(Made::Json(schema)) => {
                return Ok(Format::Json {
                    name: "answer",
                    schema: Arc::clone(schema),
                });
            }
            Some(Made::Tools(tools)) => tools,
        };
        let choice = asking.brief.tool_choice.as_deref().cloned();
        let choice = choice.unwrap_or_default();
        // Who may call none is to know which there are.
        let tools = match choice {
            ToolChoice::None if !self.world.tools.is_empty() => self.world.tools.to_vec().into(),
            _ => Arc::clone(tools),
        };
        if let ToolChoice::Named(name) = &choice
            && !tools.iter().any(|tool| tool.name == *name)
        {
            let names = joined(tools.iter().map(|tool| &tool.name));
            return Err(ModelError::Unsupported(format!(
                "the brief wants a call of `{name}`, which is not offered; offered are: {names}"
            )));
        }
        Ok(Format::Tools { tools, choice })
    }
}

#[cfg(test)]
mod tests {
    use super::super::schema::Bounds;
    use super::*;

    #[test]
    fn what_is_wanted_once_more_is_made_once() {
        let row = |form: &str| (form.to_owned(), String::new());
        let forms = Arc::new(Forms::new(vec![row("look")]));
        let bounds = Bounds {
            longest: 40,
            ascii: true,
        };
        let known = Structures::default();
        let get = |open: &[MoveKind], forms: &Arc<Forms>| {
            let wanted = Wanted {
                open: MoveKinds::of(open),
                several: false,
                acts: &[],
                forms,
                admissible: None,
                bounds,
                tools: &[],
            };
            let made = Structure::of(&wanted, Form::Json).unwrap();
            let found = known.get(&wanted, forms, Form::Json).unwrap();
            assert_eq!(format!("{found:?}"), format!("{made:?}"));
            found
        };
        let act = get(&[MoveKind::Act], &forms);
        assert!(Arc::ptr_eq(&act, &get(&[MoveKind::Act], &forms)));
        let others = Arc::new(Forms::new(vec![row("wait")]));
        for other in [
            get(&[MoveKind::Act, MoveKind::Think], &forms),
            get(&[MoveKind::Act], &others),
        ] {
            assert!(!Arc::ptr_eq(&act, &other));
        }
        assert_eq!(known.0.lock().unwrap().len(), 3);
    }
}
