//! Reads a PDDL problem: declared names, initial facts and the goal.

use rustc_hash::FxHashMap;

use super::{Defect, Expression};

/// Key of the text in a game file.
pub(crate) const PART: &str = "pddl_problem";

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
        let sections = match expression.call() {
            Some(("define", sections)) => sections,
            _ => {
                let reason = "expected `(define (problem …) …)`";
                return Err(fault(expression.line(), reason));
            }
        };
        let (mut kinds, mut facts, mut goal) = (FxHashMap::default(), None, None);
        for section in sections {
            match section.call() {
                Some((":objects", items)) => {
                    kinds.reserve(items.len() / 3);
                    kinds.extend(typed_list(items)?);
                }
                Some((":init", items)) => facts = Some(items),
                Some((":goal", [only])) => goal = Some(only),
                Some((":goal", _)) => {
                    return Err(fault(section.line(), "expected one condition in `:goal`"));
                }
                _ => {}
            }
        }
        Ok(Self {
            kinds,
            facts: facts.ok_or_else(|| fault(expression.line(), "the section `:init` is missing"))?,
            goal: goal.ok_or_else(|| fault(expression.line(), "the section `:goal` is missing"))?,
        })
    }
}

/// A defect of the text of a problem.
pub(crate) fn fault(line: u32, reason: impl Into<String>) -> Defect {
    Defect::Syntax { part: PART, line, reason: reason.into() }
}

/// Reads `a b - kind c - other d`: names (variables with their question mark) with their types, which are
/// `object` where none is given.
pub(crate) fn typed_list<'a>(items: &[Expression<'a>]) -> Result<Vec<(&'a str, &'a str)>, Defect> {
    let mut named: Vec<(&'a str, &'a str)> = Vec::with_capacity(items.len() / 3 + 1);
    let mut untyped = 0;
    let word = |item: &Expression<'a>| {
        let found = || format!("expected a name or a type, found `{}`", item.excerpt());
        item.atom().ok_or_else(|| fault(item.line(), found()))
    };
    let mut items = items.iter();
    while let Some(item) = items.next() {
        let name = word(item)?;
        if name != "-" {
            named.push((name, "object"));
            continue;
        }
        let missing = || fault(item.line(), "expected a type after `-`");
        let kind = word(items.next().ok_or_else(missing)?)?;
        named.iter_mut().skip(untyped).for_each(|pair| pair.1 = kind);
        untyped = named.len();
    }
    Ok(named)
}

#[cfg(test)]
mod tests {
    use super::super::expression::read;
    use super::*;

    #[test]
    fn types_apply_to_all_names_before_them() {
        let expression = read("(?a ?b - agent ?l - location, ?c)", PART).unwrap();
        let list = typed_list(expression.list().unwrap()).unwrap();
        let kinds: Vec<_> = list.iter().map(|(_, kind)| *kind).collect();
        assert_eq!(kinds, ["agent", "agent", "location,", "object"]);
    }
}
