//! The structure of answers that are no running text. Most questions of a run want the same, which is made once.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;

use super::schema::{Form, Wanted};
use crate::domain::{DialogueAct, MoveKinds};
use crate::ports::model::ToolSpec;
use crate::prompts::Forms;

/// The structure of an answer.
#[derive(Debug)]
pub(super) struct Structure {
    /// Description for prompts.
    pub(super) described: Option<String>,
    /// The most tokens that such an answer has.
    pub(super) most_tokens: u32,
    pub(super) made: Made,
}

/// The structure as a server reads it.
#[derive(Debug)]
pub(super) enum Made {
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
    pub(super) fn get(&self, wanted: &Wanted<'_>, forms: &Arc<Forms>, form: Form) -> Option<Arc<Structure>> {
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
    pub(super) fn of(wanted: &Wanted<'_>, form: Form) -> Option<Arc<Self>> {
        let made = match form {
            Form::Text => return None,
            Form::Json => Made::Json(Arc::new(wanted.schema())),
            Form::Tools => Made::Tools(wanted.tools().into()),
        };
        Some(Arc::new(Self { described: wanted.answer_format(form), most_tokens: wanted.most_tokens(), made }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::schema::Bounds;
    use super::*;
    use crate::domain::MoveKind;

    #[test]
    fn what_is_wanted_once_more_is_made_once() {
        let row = |form: &str| (form.to_owned(), String::new());
        let forms = Arc::new(Forms::new(vec![row("look")]));
        let bounds = Bounds { longest: 40, ascii: true };
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
        for other in [get(&[MoveKind::Act, MoveKind::Think], &forms), get(&[MoveKind::Act], &others)] {
            assert!(!Arc::ptr_eq(&act, &other));
        }
        assert_eq!(known.0.lock().unwrap().len(), 3);
    }
}
