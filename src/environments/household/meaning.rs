//! What a domain and a grammar say together: the actions with their conditions, effects and texts,
//! in a normal form that two differently written games share when they play alike.

use std::collections::{BTreeMap, BTreeSet};

use super::domain::{Action, Domain};
use super::error::Defect;
use super::expression;
use super::formula::{Effect, Formula, Scope};
use super::grammar::{ActionText, Grammar};
use super::pieces::{self, Text};
use super::wording::Writer;

/// Predicates that the goals of the official task types read.
pub(crate) const GOAL_PREDICATES: [&str; 14] = [
    "atlocation",
    "cleanable",
    "coolable",
    "heatable",
    "holds",
    "inreceptacle",
    "isclean",
    "iscool",
    "ishot",
    "istoggled",
    "objecttype",
    "receptacleatlocation",
    "receptacletype",
    "toggleable",
];

/// Rules that are used without being named in a text.
const SILENT_RULES: [&str; 4] = [
    "intro",
    "list_empty",
    "list_separator",
    "list_last_separator",
];

/// One action in normal form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ActionMeaning {
    /// Types of the parameters.
    pub(crate) parameters: Vec<String>,
    /// Names of the parameters, without the question mark.
    pub(crate) names: Vec<String>,
    /// When it can be done.
    pub(crate) precondition: Formula,
    /// What it changes, sorted, without facts that nothing reads.
    pub(crate) effects: Vec<Effect>,
    /// The command.
    pub(crate) template: Text,
    /// The answer.
    pub(crate) feedback: Text,
}

/// A domain and a grammar in normal form.
#[derive(Debug, Clone)]
pub(crate) struct Meaning {
    /// Declared predicates with the types of their arguments.
    pub(crate) predicates: BTreeMap<String, Vec<String>>,
    /// The actions by name.
    pub(crate) actions: BTreeMap<String, ActionMeaning>,
    /// The rules that are used without being named: the intro and the parts of lists.
    pub(crate) rules: BTreeMap<&'static str, Text>,
    /// The text of the `task` rule.
    pub(crate) task: String,
    /// Predicates that a condition, a text or a goal reads.
    pub(crate) read: BTreeSet<String>,
}

impl Meaning {
    /// Reads a domain text and a grammar text.
    pub(crate) fn read(domain_text: &str, grammar: &Grammar<'_>) -> Result<Self, Defect> {
        let lowered = expression::lower_case(domain_text);
        let tree = expression::read(&lowered, "pddl_domain")?;
        let domain = Domain::read(&tree)?;
        let mut writer = Writer::new(grammar);
        let mut rules = BTreeMap::new();
        for rule in SILENT_RULES {
            rules.insert(rule, writer.text(&format!("#{rule}#"), &[])?);
        }
        let mut actions = BTreeMap::new();
        for action in &domain.actions {
            let text = grammar.actions.iter().find(|text| text.name == action.name);
            let text = text.ok_or_else(|| absent(action.name))?;
            let meaning = action_meaning(action, &domain, text, &mut writer)?;
            if actions.insert(action.name.to_owned(), meaning).is_some() {
                let found = "two actions of that name".to_owned();
                return Err(Defect::Dialect {
                    place: place(action.name),
                    expected: "one".to_owned(),
                    found,
                });
            }
        }
        let predicates = domain.predicates.iter().map(|predicate| {
            let kinds = predicate
                .parameters
                .iter()
                .map(|parameter| parameter.kind.to_owned())
                .collect();
            (predicate.name.to_owned(), kinds)
        });
        let mut meaning = Self {
            predicates: predicates.collect(),
            actions,
            rules,
            task: task_of(grammar)?,
            read: BTreeSet::new(),
        };
        meaning.drop_unread_effects();
        Ok(meaning)
    }

    /// Drops effects on facts that no condition, text or goal reads, such as `checked` or `isOn`.
    fn drop_unread_effects(&mut self) {
        let mut read: BTreeSet<&str> = GOAL_PREDICATES.into();
        for action in self.actions.values() {
            action.precondition.predicates(&mut read);
            pieces::predicates(&action.feedback, &mut read);
            pieces::predicates(&action.template, &mut read);
        }
        self.rules
            .values()
            .for_each(|text| pieces::predicates(text, &mut read));
        loop {
            let before = read.len();
            for effect in self.actions.values().flat_map(|action| &action.effects) {
                if is_read(effect, &read) {
                    effect.condition.predicates(&mut read);
                }
            }
            if read.len() == before {
                break;
            }
        }
        self.read = read.into_iter().map(str::to_owned).collect();
        let read: BTreeSet<&str> = self.read.iter().map(String::as_str).collect();
        for action in self.actions.values_mut() {
            action.effects.retain(|effect| is_read(effect, &read));
            action.effects.sort();
            action.effects.dedup();
        }
    }
}

fn is_read(effect: &Effect, read: &BTreeSet<&str>) -> bool {
    matches!(&effect.fact, Formula::Fact(predicate, _) if read.contains(predicate.as_str()))
}

/// How an action is called in messages.
pub(crate) fn place(action: &str) -> String {
    format!("action `{action}`")
}

fn absent(action: &str) -> Defect {
    let found = "none in the grammar".to_owned();
    Defect::Dialect {
        place: place(action),
        expected: "a template and a feedback".to_owned(),
        found,
    }
}

fn action_meaning<'a>(
    action: &Action<'a, '_>,
    domain: &Domain<'a, '_>,
    text: &ActionText<'_>,
    writer: &mut Writer<'_, '_>,
) -> Result<ActionMeaning, Defect> {
    let variables: Vec<&str> = action
        .parameters
        .iter()
        .map(|parameter| parameter.name)
        .collect();
    let names: Vec<&str> = variables
        .iter()
        .map(|name| name.trim_start_matches('?'))
        .collect();
    let mut scope = Scope {
        types: &domain.types,
        variables,
    };
    let precondition = match action.precondition {
        Some(condition) => scope.condition(condition)?,
        None => Formula::True,
    };
    let mut effects = Vec::new();
    if let Some(effect) = action.effect {
        scope.effects(effect, &Formula::True, &mut effects)?;
    }
    Ok(ActionMeaning {
        parameters: action
            .parameters
            .iter()
            .map(|parameter| parameter.kind.to_owned())
            .collect(),
        template: writer.text(text.template, &names)?,
        feedback: writer.text(text.feedback.trim_start(), &names)?,
        names: names.into_iter().map(str::to_owned).collect(),
        precondition,
        effects,
    })
}

/// The one text of the `task` rule, as it stands.
fn task_of(grammar: &Grammar<'_>) -> Result<String, Defect> {
    match grammar.rules.get("task").map(Vec::as_slice) {
        Some([only]) if only.condition.is_none() => Ok(only.rhs.as_ref().to_owned()),
        other => Err(Defect::Dialect {
            place: "rule `task`".to_owned(),
            expected: "one text without condition".to_owned(),
            found: other.map_or_else(
                || "none".to_owned(),
                |texts| format!("{} texts or a condition", texts.len()),
            ),
        }),
    }
}
