//! Lists that Chameleon's policy writes: modules over sources, or strategies.

use serde::Serialize;

use super::clean::{after_bullet, cleaned, first_line, unquoted};
use super::labels::line_labels;
use super::strategies::bare;
use super::{Dataset, FormatError, Warning, Warnings};

/// Modules in the order in which they run, or strategies in the order in which they are used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NameList {
    /// The strategies; or `Persona_Retrieval`, `Knowledge_Retrieval` and the like, and at the end always
    /// `Answer_Generator`.
    pub items: Vec<&'static str>,
    /// The mends.
    pub warnings: Warnings,
}

const GENERATOR: &str = "Answer_Generator";

/// Reads a list of modules. Its end is the answer generator, which is appended if it is missing.
///
/// # Errors
/// When the list is empty or holds what is no module.
pub fn chameleon_modules(text: &str, dataset: Dataset) -> Result<NameList, FormatError> {
    let unknown = |index, name| FormatError::UnknownModule { index, name, dataset };
    let NameList { mut items, mut warnings } = list(text, |name| module(name, dataset), unknown)?;
    match items.iter().position(|item| *item == GENERATOR) {
        None => {
            warnings.insert(Warning::MissingAnswerGenerator);
            items.push(GENERATOR);
        }
        Some(place) if place + 1 < items.len() => {
            warnings.insert(Warning::GeneratorNotLast);
            items.truncate(place + 1);
        }
        Some(_) => {}
    }
    Ok(NameList { items, warnings })
}

/// Reads a list of strategies.
///
/// # Errors
/// When the list is empty or holds what is no strategy of the dataset.
pub fn chameleon_strategies(text: &str, dataset: Dataset) -> Result<NameList, FormatError> {
    let unknown = |index, name| FormatError::UnknownListedStrategy { index, name, dataset };
    list(text, |name| dataset.strategy(name), unknown)
}

/// The known items of a list by their names.
fn list(
    text: &str,
    known: impl Fn(&str) -> Option<&'static str>,
    unknown: impl Fn(usize, String) -> FormatError,
) -> Result<NameList, FormatError> {
    let mut warnings = Warnings::new();
    let items = items(text, &mut warnings)?
        .into_iter()
        .enumerate()
        .map(|(index, name)| known(&name).ok_or_else(|| unknown(index, name)));
    let items = items.collect::<Result<_, _>>()?;
    Ok(NameList { items, warnings })
}

/// The module of a name, whatever its case, blanks, `_` and `-`; also by the name of its source.
fn module(name: &str, dataset: Dataset) -> Option<&'static str> {
    let small = |name: &str| name.to_lowercase().replace([' ', '_', '-'], "");
    let name = small(name);
    let is_named = |module: &str, source: &str| name == small(module) || name == small(source) + "retrieval";
    let found = dataset.modules().iter().find(|(module, source)| is_named(module, source));
    found.map(|(module, _)| *module).or_else(|| (name == small(GENERATOR)).then_some(GENERATOR))
}

/// The source that a module asks; none of the answer generator.
pub fn source_of_module(module: &str, dataset: Dataset) -> Option<&'static str> {
    dataset.modules().iter().find(|(key, _)| *key == module).map(|(_, source)| *source)
}

/// The items of a list: of the first brackets, or else of the first line that is not blank.
fn items(text: &str, warnings: &mut Warnings) -> Result<Vec<String>, FormatError> {
    let text = cleaned(text);
    let labels = line_labels(&text, &["Modules", "Module", "Strategies", "Strategy"]);
    let bracket = text.find('[').unwrap_or(text.len());
    let label = labels.first().filter(|label| label.from < bracket);
    let text = text.get(label.map_or(0, |label| label.to)..).unwrap_or_default();
    let after = text.split_once('[').map_or("", |(_, rest)| rest);
    let list = after.split_once(']').map(|(inside, _)| inside).unwrap_or_else(|| {
        let line = after_bullet(first_line(text));
        if !line.is_empty() {
            warnings.insert(Warning::NoBrackets);
        }
        line
    });
    let list = list.replace("->", ",");
    let items: Vec<String> = list
        .split([',', '\n', '→', ';', '，', '、', '；'])
        .map(|item| bare(unquoted(item)).to_owned())
        .filter(|item| !item.is_empty())
        .collect();
    if items.is_empty() {
        return Err(FormatError::EmptyList);
    }
    Ok(items)
}
