//! Names of implementations and their parameters, checked against the registry.

use std::path::PathBuf;

use super::error::{instead, listed, quoted};
use super::node::{Kind, Node, join};
use super::origin::Origin;
use super::walk::Section;
use rolecall_core::domain::RoleName;
use rolecall_core::files::shipped;
use rolecall_core::maps::ordered;
use rolecall_core::ports::{
    CommandLine, Earlier, Entry, Parameter, ParameterKind, ParameterValue, Parameters, SetupError,
};
use rolecall_core::text::unique;

/// The entry of a table that has the name.
pub(super) fn find<E: Entry>(entries: &[&'static E], name: &str) -> Option<&'static E> {
    entries.iter().copied().find(|entry| entry.name() == name)
}

/// The names in a table, each once.
pub(super) fn names<'a, E: Entry + 'a>(entries: impl IntoIterator<Item = &'a E>) -> Vec<&'static str> {
    unique(entries.into_iter().map(E::name))
}

/// The entry that a key names. `what` says what the table holds, such as "no strategy".
pub(super) fn named<'a, E: Entry>(
    section: &mut Section<'a>,
    key: &'a str,
    entries: &[&'static E],
    what: &str,
) -> Option<&'static E> {
    named_among(section, key, entries, &names(entries.iter().copied()), what)
}

/// The entry that a key names, where messages propose only some names.
pub(super) fn named_among<'a, E: Entry>(
    section: &mut Section<'a>,
    key: &'a str,
    entries: &[&'static E],
    proposed: &[&str],
    what: &str,
) -> Option<&'static E> {
    let remedy = format!("write one of {}", listed(proposed.iter().copied()));
    let name = section.needs(key, &remedy).then(|| section.text(key))??;
    let entry = find(entries, name);
    if entry.is_none() {
        section.wrong(key, format!("is {}, which is {what}{}", quoted(name), instead(name, proposed)));
    }
    entry
}

/// Whether an entry that is made for certain things can be used with this one; an empty list
/// means everything, and what is not known stands in nobody's way.
pub(super) fn suits<'a>(made_for: &[&str], name: impl Into<Option<&'a str>>) -> bool {
    let name = name.into();
    made_for.is_empty() || name.is_none_or(|name| made_for.contains(&name))
}

/// Reads the parameters of an entry and reports the keys that it does not know.
///
/// A weaker layer may have written parameters for the implementation that it named itself. When
/// a stronger layer (at `selector`) names another implementation, they are left out and noted:
/// changing one name is the whole of swapping an implementation. The same holds for a point of a
/// matrix, which is laid over cells of different implementations.
pub(super) fn read<E: Entry>(
    section: &mut Section<'_>,
    entry: &'static E,
    entries: &[&'static E],
    selector: Origin,
) -> Parameters {
    let values = values(section, entry.parameters());
    leave_out(section, entry, entries, selector);
    values
}

/// Reads parameters.
pub(super) fn values(section: &mut Section<'_>, parameters: &'static [Parameter]) -> Parameters {
    let read = |each: &'static Parameter| Some((each.name, value(section, each.name, each)?));
    Parameters::new(parameters.iter().filter_map(read))
}

/// The parameters in a run that is resolved again, as they were then: one that came later and that nobody wrote is
/// what the run's record says, or what runs did before there was one. All others are as they are now.
pub(super) fn as_recorded(
    section: &Section<'_>,
    table: &[Parameter],
    parameters: Parameters,
    recorded: Option<&toml::Table>,
) -> Parameters {
    let Some(recorded) = recorded else {
        return parameters;
    };
    let later = table.iter().filter(|each| !section.has(each.name)).filter_map(|each| Some((each.name, each.earlier?)));
    later.fold(parameters, |parameters, (name, earlier)| {
        let value = recorded.get(name).and_then(|value| match earlier {
            Earlier::Flag(_) => value.as_bool().map(ParameterValue::Flag),
            Earlier::Word(_) => Some(ParameterValue::Text(value.as_str()?.to_owned())),
            Earlier::Whole(_) => value.as_integer().map(ParameterValue::Integer),
            Earlier::Number(_) => Some(ParameterValue::Number(value.as_float()?)),
        });
        parameters.with(name, value.unwrap_or_else(|| earlier.value()))
    })
}

/// Reports the keys that nobody has read.
pub(super) fn leave_out<E: Entry>(section: &Section<'_>, entry: &'static E, entries: &[&'static E], selector: Origin) {
    section.finish_but(|key, origin| {
        let knows = |other: &&E| other.parameters().iter().any(|each| each.name == key);
        let weaker = origin.rank() < selector.rank() || origin.point;
        (weaker && entries.iter().any(knows)).then(|| format!("`{}` does not know it", entry.name()))
    });
}

fn value<'a>(section: &mut Section<'a>, key: &'a str, parameter: &Parameter) -> Option<ParameterValue> {
    let written = section.has(key);
    let read = match parameter.kind {
        ParameterKind::Text { .. } => section.text(key).map(|text| ParameterValue::Text(text.to_owned())),
        ParameterKind::Choice { words } => section.choice(key, words).map(|word| ParameterValue::Text(word.to_owned())),
        ParameterKind::Integer { min, max, .. } => section.integer(key, min, max).map(ParameterValue::Integer),
        ParameterKind::Number { min, max, .. } => section.number(key, min, max).map(ParameterValue::Number),
        ParameterKind::Flag { .. } => section.flag(key).map(ParameterValue::Flag),
        ParameterKind::Path { default, words } => match (section.text(key), default) {
            (Some(text), _) => return path(section, key, text, words, parameter.help),
            (None, Some(default)) if !words.contains(&default) => {
                Some(ParameterValue::Path(section.context.working.join(default)))
            }
            (None, _) => None,
        },
        ParameterKind::Model => return model(section, key),
        ParameterKind::Models => return models(section, key),
        ParameterKind::Command => return command(section, key),
        ParameterKind::Free => return free(section, key),
        ParameterKind::Roles { default } if written => return roles(section, key, !default.is_empty()),
        ParameterKind::Roles { .. } => section.node(key).and(None),
        ParameterKind::List { words } => {
            Some(ParameterValue::List(texts_of(section, key, words)?.into_iter().flatten().collect()))
        }
        ParameterKind::Table { values } => return table(section, key, *values, parameter),
    };
    let value = read.or_else(|| parameter.default());
    let needed = matches!(parameter.kind, ParameterKind::Text { .. } | ParameterKind::Path { .. });
    // What is written, but wrong, has been reported.
    if value.is_none() && needed && !parameter.optional && !written {
        section.missing(key, parameter.help);
    }
    value
}

/// A table with keys of the user's own.
fn table<'a>(
    section: &mut Section<'a>,
    key: &'a str,
    kind: ParameterKind,
    parameter: &Parameter,
) -> Option<ParameterValue> {
    let inner = Parameter { kind, ..*parameter };
    let written = section.has(key);
    let mut table = section.section(key);
    let keys = table.entries().map(|(key, _)| key);
    let entry = |key: &'a str| Some((key.to_owned(), value(&mut table, key, &inner)?));
    written.then_some(ParameterValue::Table(ordered(keys.filter_map(entry))))
}

/// A table of anything.
fn free<'a>(section: &mut Section<'a>, key: &'a str) -> Option<ParameterValue> {
    let table = section.node(key)?;
    if table.table().is_none() {
        section.wrong(key, format!("is {}; it must be a table", table.kind.describe()));
        return None;
    }
    let value = table.json();
    if value.is_none() {
        section.wrong(key, "holds a number that JSON has not; write a finite one");
    }
    value.map(ParameterValue::Free)
}

/// The texts of a list; none in the place of what is no text or not one of the words.
fn texts_of<'a>(section: &mut Section<'a>, key: &'a str, words: &[&str]) -> Option<Vec<Option<String>>> {
    let items = section.list(key)?.iter().enumerate();
    Some(items.map(|(index, item)| text_of(section, key, index, item, words)).collect())
}

/// A text of a list.
fn text_of(section: &Section<'_>, key: &str, index: usize, item: &Node, words: &[&str]) -> Option<String> {
    let problem = match &item.kind {
        Kind::Text(text) if words.is_empty() || words.contains(&text.as_str()) => return Some(text.clone()),
        Kind::Text(text) => {
            format!("is {}{}", section.shown_value(key, quoted(text)), instead(text, words))
        }
        other => format!("is {}; it must be a text in quotes", section.shown_value(key, other.describe())),
    };
    section.context.report(item.origin, Some(&join(&section.path_to(key, item.origin), &index.to_string())), problem);
    None
}

/// A program with its arguments.
fn command<'a>(section: &mut Section<'a>, key: &'a str) -> Option<ParameterValue> {
    let arguments: Vec<String> = texts_of(section, key, &[])?.into_iter().collect::<Option<_>>()?;
    if arguments.first().is_none_or(String::is_empty) {
        section.wrong(key, "names no program; write for instance [\"python3\", \"role.py\"]");
        return None;
    }
    Some(ParameterValue::Command(CommandLine { arguments, folder: section.context.folder(section.origin_of(key)) }))
}

/// Names of roles in order.
fn roles<'a>(section: &mut Section<'a>, key: &'a str, some: bool) -> Option<ParameterValue> {
    let items = section.list(key)?;
    if items.is_empty() && some {
        section.wrong(key, "is empty; it must name at least one role");
        return None;
    }
    let mut roles = Vec::new();
    for item in items {
        let problem = match &item.kind {
            Kind::Text(name) => match RoleName::new(name) {
                Ok(role) => {
                    roles.push(role);
                    continue;
                }
                Err(error) => error.to_string(),
            },
            other => format!("{} is no name of a role", other.describe()),
        };
        let (path, problem) = (section.path_to(key, item.origin), format!("lists what cannot be a role: {problem}"));
        section.context.report(item.origin, Some(&path), problem);
        return None;
    }
    Some(ParameterValue::Roles(roles))
}

/// The models that the parameters of an entry name, each once.
pub(super) fn models_named<E: Entry>(entry: &E, parameters: &Parameters) -> Vec<String> {
    let models = model_parameters(entry)
        .flat_map(|name| parameters.text(name).into_iter().chain(parameters.list(name).iter().map(String::as_str)));
    unique(models).into_iter().map(str::to_owned).collect()
}

/// Whether a model is written that cannot be used; that was reported, so nothing is built on it.
pub(super) fn lacks_model<E: Entry>(section: &Section<'_>, entry: &E, parameters: &Parameters) -> bool {
    let lacks = |name| parameters.iter().all(|(known, _)| known != name);
    model_parameters(entry).any(|name| section.has(name) && lacks(name))
}

/// The names of the parameters that name models.
fn model_parameters<E: Entry>(entry: &E) -> impl Iterator<Item = &'static str> {
    let names_model = |each: &&Parameter| matches!(each.kind, ParameterKind::Model | ParameterKind::Models);
    entry.parameters().iter().filter(names_model).map(|each| each.name)
}

/// Names of models; all that are described if nothing is written.
fn models<'a>(section: &mut Section<'a>, key: &'a str) -> Option<ParameterValue> {
    let written = section.has(key);
    let names: Vec<String> = if written {
        texts_of(section, key, &[])?.into_iter().collect::<Option<_>>()?
    } else {
        section.node(key);
        section.context.model_tables().described.keys().cloned().collect()
    };
    names.into_iter().map(|name| model_named(section, key, name)).collect::<Option<_>>().map(ParameterValue::List)
}

/// The name of one of the run's models.
fn model<'a>(section: &mut Section<'a>, key: &'a str) -> Option<ParameterValue> {
    let name = section.text(key)?.to_owned();
    model_named(section, key, name).map(ParameterValue::Text)
}

/// Builds a model of the run by its name, and gives the name.
fn model_named(section: &Section<'_>, key: &str, name: String) -> Option<String> {
    let tables = section.context.model_tables();
    if !tables.names.contains(&name) {
        let names: Vec<&str> = tables.names.iter().map(String::as_str).collect();
        let why = match names.is_empty() {
            true => format!(
                "but no model is described; write a table `[models.{name}]`, or extend one of the \
                 files in `configs/models`"
            ),
            false => format!("which is no model of this config{}", instead(&name, &names)),
        };
        section.wrong(key, format!("is {}, {why}", quoted(&name)));
        return None;
    }
    // A model with which something is wrong was reported where it is described.
    tables.described.get(&name)?.build(section.context).then_some(name)
}

fn path(section: &Section<'_>, key: &str, text: &str, words: &[&str], help: &str) -> Option<ParameterValue> {
    if words.contains(&text) {
        return Some(ParameterValue::Path(PathBuf::from(text)));
    }
    let path = section.context.folder(section.origin_of(key)).join(text);
    if !text.is_empty() && (path.exists() || shipped::read(&path).is_some()) {
        return Some(ParameterValue::Path(path));
    }
    let [written, path] = [text, &section.context.shown(&path)].map(|text| section.shown_value(key, quoted(text)));
    let words = match words {
        [] => format!("; wanted: {help}"),
        words => format!("{}, or a path", instead(text, words)),
    };
    section.wrong(key, format!("is {written}: there is no file or folder {path}{words}"));
    None
}

/// The implementation that was set up from its table. That it could not be is reported, unless its key
/// was found to be wrong before: then the implementation only lacks what was refused.
pub(super) fn set_up<T>(section: &Section<'_>, built: Result<T, SetupError>) -> Option<T> {
    let report = |error: SetupError| {
        let problem = format!("cannot be used: {}", error.problem);
        let Some(key) = &error.key else {
            return section.wrong_here(problem);
        };
        let path = section.path_to(key, section.origin_of(key));
        if !section.context.is_wrong(&path) {
            section.wrong(key, problem);
        }
    };
    built.map_err(report).ok()
}
