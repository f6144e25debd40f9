//! Datasets that files define: their names, languages, and sources or strategies.
//!
//! Like names of roles, each definition is kept once for as long as the process lives: a run has one or a few, and
//! every answer of a model is read with it.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::{Dataset, Tool};

/// Definition of a dataset, as its file gives it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Definition {
    /// Its name, which is also the kind of its tasks.
    pub name: String,
    /// The language of its responses, such as `en`; only `zh` is written without blanks between words.
    pub language: String,
    /// The speaker whose responses are recorded; empty if the file names none.
    pub agent: String,
    /// Situation of the agent, for its prompt; empty if the file has none.
    pub situation: String,
    /// Whether its tools are knowledge sources, not strategies.
    pub has_sources: bool,
    /// Its sources or strategies, in the order in which prompts list them: name, purpose and example.
    pub tools: Vec<[String; 3]>,
}

/// A dataset that a file defines.
#[derive(Debug, PartialEq, Eq)]
pub struct OwnDataset {
    pub(super) definition: &'static Definition,
    pub(super) tools: Vec<Tool>,
    /// The modules that ask its sources, with the sources.
    pub(super) modules: Vec<(&'static str, &'static str)>,
}

/// The most definitions of one process.
const MOST_DEFINITIONS: usize = 4_096;

/// The datasets by definition.
static KEPT: Mutex<BTreeMap<&'static Definition, &'static OwnDataset>> = Mutex::new(BTreeMap::new());

impl Dataset {
    /// The dataset of that definition. None if there are 4,096 others, which no valid data have.
    pub fn own(definition: Definition) -> Option<Self> {
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept.get(&definition) {
            return Some(Self::Own(known));
        }
        if kept.len() >= MOST_DEFINITIONS {
            return None;
        }
        let definition: &'static Definition = Box::leak(Box::new(definition));
        let tools = definition.tools.iter().map(|[name, description, example]| Tool { name, description, example });
        let module =
            |name: &'static String| -> (&'static str, &'static str) { (format!("{name}_Retrieval").leak(), name) };
        let names = definition.tools.iter().map(|[name, ..]| name);
        let dataset = OwnDataset { definition, tools: tools.collect(), modules: names.map(module).collect() };
        let dataset: &'static OwnDataset = Box::leak(Box::new(dataset));
        kept.insert(definition, dataset);
        Some(Self::Own(dataset))
    }

    /// Definition in a file; none of the data sets of the paper.
    pub fn definition(self) -> Option<&'static Definition> {
        match self {
            Self::Own(dataset) => Some(dataset.definition),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FormatError, Variable, chameleon_modules, react_source, source_plan};
    use super::*;

    #[test]
    fn a_definition_is_kept_once_and_says_what_there_is() {
        let tool = |name: &str| [name.to_owned(), String::new(), String::new()];
        let definition = Definition {
            name: "bakery".to_owned(),
            has_sources: true,
            tools: vec![tool("MENU"), tool("PERSONA")],
            ..Definition::default()
        };
        let dataset = Dataset::own(definition.clone()).unwrap();
        assert_eq!(Dataset::own(definition.clone()), Some(dataset));
        let (Dataset::Own(one), Some(Dataset::Own(other))) = (dataset, Dataset::own(definition)) else {
            panic!("{dataset:?}")
        };
        assert!(std::ptr::eq(one, other));
        assert_eq!(dataset.source("menu").unwrap().0.name(), "MENU");
        assert_eq!(dataset.source("DOCUMENT"), None);
        assert_eq!(dataset.source("knowledge"), None);
        assert_eq!(dataset.module_names(), "MENU_Retrieval, PERSONA_Retrieval");
        // Plans are read with its names, and errors list them.
        let plan = source_plan("Menu[bread]\n#So2 = Persona[#So1]", Variable::So, dataset).unwrap();
        let sources = plan.steps.iter().map(|step| step.source.name());
        assert_eq!(sources.collect::<Vec<_>>(), ["MENU", "PERSONA"]);
        let told = |error: FormatError| error.to_string();
        let error = source_plan("#So1 = DOCUMENT[bread]", Variable::So, dataset).unwrap_err();
        assert!(told(error).ends_with("no source; call MENU, PERSONA"));
        let error = react_source("Action: Knowledge[bread]", dataset).unwrap_err();
        assert!(told(error).ends_with("call MENU[input], PERSONA[input] or Finish[response]"));
        let modules = chameleon_modules("[menu retrieval, \"Answer_Generator\"]", dataset).unwrap();
        assert_eq!(modules.items, ["MENU_Retrieval", "Answer_Generator"]);
        assert!(chameleon_modules("[Knowledge_Retrieval]", dataset).is_err());
    }
}
