//! Reads a PDDL problem: declared names, initial facts and the goal.

use rustc_hash::FxHashMap;

use super::error::Defect;
use super::expression::{Expression, excerpt};

/// Key of the text in a game file.
pub(crate) const PART: &str = "pddl_problem";

/// A named variable with its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Parameter<'a> {
    /// Its name, with the question mark for variables.
    pub(crate) name: &'a str,
    /// Its type; `object` when none is given.
    pub(crate) kind: &'a str,
}

/// A problem as written; everything is lower case.
#[derive(Debug)]
pub(crate) struct Problem<'a, 'e> {
    /// Type of every declared name.
    pub(crate) kinds: FxHashMap<&'a str, &'a str>,
    /// Initial facts in order, with repetitions.
    pub(crate) facts: &'e [Expression<'a>],
    /// The goal.
    pub(crate) goal: &'e Expression<'a>,
}

impl<'a, 'e> Problem<'a, 'e> {
    /// Reads the sections of a `(define (problem …) …)` expression.
    pub(crate) fn read(expression: &'e Expression<'a>) -> Result<Self, Defect> {
        let fail = |line: u32, reason: &str| Defect::Syntax {
            part: PART,
            line,
            reason: reason.to_owned(),
        };
        let sections = match expression.call() {
            Some(("define", sections)) => sections,
            _ => return Err(fail(expression.line(), "expected `(define (problem …) …)`")),
        };
        let (mut kinds, mut facts, mut goal) = (FxHashMap::default(), None, None);
        for section in sections {
            match section.call() {
                Some((":objects", items)) => {
                    kinds.reserve(items.len() / 3);
                    kinds.extend(
                        typed_list(items, PART)?
                            .iter()
                            .map(|name| (name.name, name.kind)),
                    );
                }
                Some((":init", items)) => facts = Some(items),
                Some((":goal", [only])) => goal = Some(only),
                Some((":goal", _)) => {
                    return Err(fail(section.line(), "expected one condition in `:goal`"));
                }
                _ => {}
            }
        }
        Ok(Self {
            kinds,
            facts: facts
                .ok_or_else(|| fail(expression.line(), "the section `:init` is missing"))?,
            goal: goal.ok_or_else(|| fail(expression.line(), "the section `:goal` is missing"))?,
        })
    }
}

/// Reads `a b - kind c - other d`: names with their types.
pub(crate) fn typed_list<'a>(
    items: &[Expression<'a>],
    part: &'static str,
) -> Result<Vec<Parameter<'a>>, Defect> {
    let mut parameters: Vec<Parameter<'a>> = Vec::with_capacity(items.len() / 3 + 1);
    let mut untyped = 0;
    let mut items = items.iter();
    while let Some(item) = items.next() {
        let word = |item: &Expression<'a>| {
            item.atom().ok_or_else(|| Defect::Syntax {
                part,
                line: item.line(),
                reason: format!(
                    "expected a name or a type, found `{}`",
                    excerpt(&item.to_string())
                ),
            })
        };
        let name = word(item)?;
        if name != "-" {
            parameters.push(Parameter {
                name,
                kind: "object",
            });
            continue;
        }
        let kind = word(items.next().ok_or_else(|| Defect::Syntax {
            part,
            line: item.line(),
            reason: "expected a type after `-`".to_owned(),
        })?)?;
        parameters
            .iter_mut()
            .skip(untyped)
            .for_each(|parameter| parameter.kind = kind);
        untyped = parameters.len();
    }
    Ok(parameters)
}

#[cfg(test)]
mod tests {
    use super::super::expression::read;
    use super::*;

    #[test]
    fn types_apply_to_all_names_before_them() {
        let expression = read("(?a ?b - agent ?l - location, ?c)", PART).unwrap();
        let list = typed_list(expression.list().unwrap(), PART).unwrap();
        let kinds: Vec<_> = list.iter().map(|parameter| parameter.kind).collect();
        assert_eq!(kinds, ["agent", "agent", "location,", "object"]);
    }
}
