//! Reads a PDDL problem: declared names, initial facts and the goal.

use rustc_hash::FxHashMap;

use super::domain::typed_list;
use super::error::Defect;
use super::expression::Expression;

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
