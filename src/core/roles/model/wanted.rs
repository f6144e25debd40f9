//! Requirements on an answer, in structure, prompt and request.

use std::sync::Arc;

use super::ask::Asking;
use super::schema::{Form, Wanted};
use super::shared::Shared;
use super::structure::{Made, Structure};
use crate::domain::{Brief, MoveKind, MoveKinds, ToolChoice};
use crate::ports::ModelError;
use crate::ports::model::{Format, ToolSpec};
use crate::prompts::Forms;
use crate::roles::reader::INPUT;
use crate::text::joined;

impl Shared {
    /// The structure that the answer is to have; none where it is running text.
    pub(super) fn structure(&self, asking: &Asking<'_>) -> Option<Arc<Structure>> {
        if self.form == Form::Text {
            return None;
        }
        let scene = asking.scene;
        let listed = scene.admissible.as_ref().is_some_and(|list| !list.is_empty());
        self.wanted(asking, |wanted| match asking.format {
            None if !listed => self.structures.get(wanted, &scene.forms, self.form),
            _ => Structure::of(wanted, self.form),
        })
    }

    /// Description of the form of an answer for prompts; none where it is running text.
    pub(super) fn answer_format(&self, brief: &Brief, structure: Option<&Structure>) -> Option<String> {
        structure.filter(|_| self.form_of(brief) != Form::Text)?.described.clone()
    }

    /// The most tokens that an answer may have where a schema bounds it; none where the card or the model says it.
    pub(super) fn answer_tokens(&self, brief: &Brief, structure: Option<&Structure>) -> Option<u32> {
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
        if loops && self.world.tools.is_empty() && !self.finishes { open.without(MoveKind::Finish) } else { open }
    }

    /// Gives the material for a schema of the answer.
    fn wanted<T>(&self, asking: &Asking<'_>, made: impl FnOnce(&Wanted<'_>) -> T) -> T {
        let (offered, offered_tools): (Forms, Vec<ToolSpec>);
        let (commands, forms, tools) = match asking.format {
            Some(format) => {
                let rows = asking.scene.forms.rows.iter().filter(|(form, _)| format.offers(form));
                offered = Forms::new(rows.cloned().collect());
                offered_tools = self.world.tools.iter().filter(|tool| format.offers(&tool.name)).cloned().collect();
                (format.commands(&asking.asked(self.natural)), &offered, &*offered_tools)
            }
            None if asking.scene.forms.rows.is_empty() => {
                // What a world says no form of is written as the name of a tool with its arguments.
                let calls = self.world.tools.iter().map(|tool| (format!("{} {{{INPUT}}}", tool.name), String::new()));
                offered = Forms::new(calls.collect());
                (None, &offered, &*self.world.tools)
            }
            None => (None, &*asking.scene.forms, &*self.world.tools),
        };
        let wanted = Wanted {
            open: self.offered(asking),
            several: asking.brief.several,
            acts: &asking.brief.acts,
            forms,
            admissible: commands.as_deref().or(asking.scene.admissible.as_deref()),
            bounds: self.bounds,
            tools,
        };
        made(&wanted)
    }

    /// The form of the reply that the model is asked for.
    pub(super) fn reply_format(&self, asking: &Asking<'_>) -> Result<Format, ModelError> {
        let tools = match asking.structure.as_deref().map(|structure| &structure.made) {
            None => return Ok(Format::Text),
            Some(Made::Json(schema)) => {
                return Ok(Format::Json { name: "answer", schema: Arc::clone(schema) });
            }
            Some(Made::Tools(tools)) => tools,
        };
        let choice = asking.brief.tool_choice.as_deref().cloned().unwrap_or_default();
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
