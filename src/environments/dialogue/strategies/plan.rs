//! A task as strategies of dialogue see it, and steps of plans: sources to look something up in, or strategies to speak
//! by.

use serde_json::Value;

use crate::language::{Dataset, Variable};
use crate::sample::items;
use crate::words::dataset;
use rolecall_core::domain::{Action, DialogueAct, PlanStep, PublicTask};

/// The most steps of a plan that are followed: each costs a retrieval or a call, and the plans of the
/// paper have two.
pub(super) const MOST_STEPS: usize = 64;

/// The input that stands for the dialogue alone.
pub(super) const CONTEXT: &str = "context";

/// A task's dialogue and tools.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Given {
    dataset: Option<Dataset>,
    /// The utterances so far, by whomever.
    pub(super) dialogue: Vec<String>,
    /// The sources that can be asked.
    pub(super) sources: Vec<String>,
    /// The strategies that a response can be made of; none: any.
    pub(super) strategies: Vec<DialogueAct>,
    /// The words of strategies are joined without blanks.
    chinese: bool,
}

impl From<&PublicTask> for Given {
    /// The parts of the task's data; of another kind of task, none.
    fn from(task: &PublicTask) -> Self {
        let texts = |list: &str, field: &str| -> Vec<String> {
            items(&task.data[list]).filter_map(|item| item[field].as_str()).map(str::to_owned).collect()
        };
        let dataset = dataset(task);
        let tools = texts("tools", "name");
        let (sources, strategies) = match dataset {
            Some(dataset) if dataset.has_sources() => (tools, Vec::new()),
            _ => (Vec::new(), tools.into_iter().map(DialogueAct).collect()),
        };
        Self {
            dataset,
            dialogue: texts("dialogue", "text"),
            sources,
            strategies,
            chinese: task.data["language"] == "zh",
        }
    }
}

impl Given {
    /// The task's name of a source. `KNOWLEDGE` is what some methods call the documents.
    pub(super) fn source(&self, name: &str) -> Option<&str> {
        let name = self.dataset.unwrap_or(Dataset::Focus).source(name).map_or(name, |(source, _)| source.name());
        self.sources.iter().map(String::as_str).find(|source| source.eq_ignore_ascii_case(name))
    }

    /// The task's name of a strategy; where the task names none, any name will do.
    pub(super) fn strategy(&self, name: &str) -> Option<DialogueAct> {
        let name = name.trim();
        if self.strategies.is_empty() {
            return (!name.is_empty()).then(|| DialogueAct(name.to_owned()));
        }
        let name = self.dataset.and_then(|dataset| dataset.strategy(name)).unwrap_or(name).to_lowercase();
        let is_same = |act: &&DialogueAct| act.as_str().to_lowercase() == name;
        self.strategies.iter().find(is_same).cloned()
    }

    /// The words of several strategies, as one response.
    pub(super) fn joined(&self, said: &[String]) -> String {
        said.join(if self.chinese { "" } else { " " })
    }
}

/// One question to a source.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lookup {
    /// The name of the answer in later inputs; none where no input can use it.
    pub(super) variable: Option<String>,
    /// The source, as the task names it.
    pub(super) source: String,
    /// The words to look for, in which variables may stand.
    pub(super) input: String,
}

impl Lookup {
    fn new(source: &str, input: &str) -> Self {
        Self { variable: None, source: source.to_owned(), input: input.to_owned() }
    }

    /// A source that is asked with the dialogue alone.
    pub(super) fn with_context(source: &str) -> Self {
        Self::new(source, CONTEXT)
    }

    /// The question as it is written.
    pub(super) fn text(&self) -> String {
        format!("{}[{}]", self.source, self.input)
    }
}

/// A question to one of the task's sources, if the action is one.
pub(super) fn asked(action: &Action, given: &Given) -> Option<Lookup> {
    let (name, input) = match action.call.as_deref() {
        Some(call) => {
            let arguments = &call.arguments;
            let input = arguments.get("input").or(arguments.get("query")).and_then(Value::as_str);
            (call.tool.as_str(), input.unwrap_or_default())
        }
        None => called(&action.text),
    };
    Some(Lookup::new(given.source(name)?, input.trim()))
}

/// The name and the input of `NAME[input]`; the bracket may be left open, or the input left out.
pub(super) fn called(text: &str) -> (&str, &str) {
    let (name, input) = text.split_once('[').unwrap_or((text, ""));
    let input = input.trim_end();
    (name.trim(), input.strip_suffix(']').unwrap_or(input))
}

/// The questions of a plan, in its order. A step without a variable has one by its position; a step that
/// asks none of the task's sources is left out.
pub(super) fn lookups(steps: &[PlanStep], given: &Given, letters: Variable) -> Vec<Lookup> {
    let lookups = steps.iter().zip(1_usize..).take(MOST_STEPS).filter_map(|(step, position)| {
        let variable = match &step.variable {
            Some(name) => canonical(name, letters),
            None => format!("{}{position}", letters.prefix()),
        };
        Some(Lookup { variable: Some(variable), ..asked(&step.action, given)? })
    });
    lookups.collect()
}

/// The sources of a list, each to be asked with the dialogue alone.
pub(super) fn modules(steps: &[PlanStep], given: &Given) -> Vec<Lookup> {
    let lookups = steps.iter().take(MOST_STEPS).filter_map(|step| {
        let source = asked(&step.action, given)?.source;
        Some(Lookup::with_context(&source))
    });
    lookups.collect()
}

/// The variable in the form in which inputs refer to it: `#so01` is `So1`.
fn canonical(name: &str, letters: Variable) -> String {
    let name = name.trim().trim_start_matches('#').trim();
    let prefix = letters.prefix();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let digits = name.split_at_checked(prefix.len());
    match digits.filter(|(before, _)| before.eq_ignore_ascii_case(prefix)) {
        Some((_, digits)) if is_number(digits) => letters.of(digits),
        Some((_, rest)) => format!("{prefix}{rest}"),
        None => name.to_owned(),
    }
}

/// The strategies of a plan that the task knows, in its order.
pub(super) fn strategies(steps: &[PlanStep], given: &Given) -> Vec<DialogueAct> {
    steps.iter().take(MOST_STEPS).filter_map(|step| given.strategy(&step.action.text)).collect()
}

/// The steps of a plan, a line each.
pub(super) fn lines(steps: &[PlanStep]) -> String {
    let line = |step: &PlanStep| {
        let variable = step.variable.as_deref().map(|name| format!("#{} = ", words(name.trim_start_matches('#'))));
        let (variable, action) = (variable.unwrap_or_default(), words(&step.action.text));
        format!("{} {variable}{action}", words(&step.description)).trim().to_owned()
    };
    let lines: Vec<String> = steps.iter().take(MOST_STEPS).map(line).collect();
    lines.join("\n")
}

/// The text on one line.
pub(super) fn words(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines.join(" ").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::resolve_input;

    #[test]
    fn a_variable_has_the_name_by_which_inputs_refer_to_it() {
        let table = [
            ("#So0", "So0"),
            ("so000", "So0"),
            ("#so01", "So1"),
            ("So10", "So10"),
            ("SO", "So"),
            ("Sofa", "Sofa"),
            ("x", "x"),
            ("", ""),
        ];
        for (written, expected) in table {
            let name = canonical(written, Variable::So);
            assert_eq!(name, expected, "{written}");
            let refers = resolve_input(&format!("#{name}"), Variable::So, |known| (known == name).then_some("found"));
            assert_eq!(refers == "found", is_variable(&name), "{written}");
        }
    }

    fn is_variable(name: &str) -> bool {
        name.strip_prefix("So").is_some_and(|rest| rest.parse::<u32>().is_ok())
    }
}
