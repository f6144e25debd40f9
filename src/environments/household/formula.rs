//! Conditions and effects of PDDL actions in a normal form that only depends on their meaning.
//!
//! Variables become numbers, `and` and `or` are flattened, sorted and cleared of repetitions, and an
//! `exists` over a type the domain does not declare is false.

use std::collections::BTreeSet;
use std::fmt;

use super::domain::{Parameter, typed_list};
use super::error::Defect;
use super::expression::Expression;

/// Key of the text that conditions and effects stand in.
const PART: &str = "pddl_domain";

/// A condition in normal form.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Formula {
    /// Always holds.
    True,
    /// Never holds.
    False,
    /// A fact: predicate and arguments (`$n` for the n-th variable in scope).
    Fact(String, Vec<String>),
    /// The inner formula does not hold.
    Not(Box<Formula>),
    /// All hold.
    And(Vec<Formula>),
    /// At least one holds.
    Or(Vec<Formula>),
    /// Holds for some things of these types.
    Exists(Vec<String>, Box<Formula>),
}

/// One effect in normal form: under `condition`, `fact` becomes `value`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Effect {
    /// When the effect happens.
    pub(crate) condition: Formula,
    /// The fact that changes.
    pub(crate) fact: Formula,
    /// What it becomes.
    pub(crate) value: bool,
}

/// The types that are declared and the variables in scope.
pub(crate) struct Scope<'a> {
    /// Declared types.
    pub(crate) types: &'a [&'a str],
    /// Names of the variables, outermost first.
    pub(crate) variables: Vec<&'a str>,
}

impl<'a> Scope<'a> {
    /// The normal form of a condition; `()` is true.
    pub(crate) fn condition(&mut self, expression: &Expression<'a>) -> Result<Formula, Defect> {
        let Some((head, rest)) = expression.call() else {
            return match expression.list() {
                Some([]) => Ok(Formula::True),
                _ => Err(unexpected(expression, "a condition")),
            };
        };
        match (head, rest) {
            ("and", parts) => Ok(conjunction(self.conditions(parts)?)),
            ("or", parts) => Ok(disjunction(self.conditions(parts)?)),
            ("not", [inner]) => Ok(match self.condition(inner)? {
                Formula::True => Formula::False,
                Formula::False => Formula::True,
                Formula::Not(twice) => *twice,
                other => Formula::Not(Box::new(other)),
            }),
            ("exists", [variables, body]) => self.exists(variables, body),
            ("not" | "exists" | "forall" | "imply" | "when", _) => {
                Err(unexpected(expression, "a condition"))
            }
            _ => self.fact(expression),
        }
    }

    fn conditions(&mut self, parts: &[Expression<'a>]) -> Result<Vec<Formula>, Defect> {
        parts.iter().map(|part| self.condition(part)).collect()
    }

    fn exists(
        &mut self,
        variables: &Expression<'a>,
        body: &Expression<'a>,
    ) -> Result<Formula, Defect> {
        let list = variables
            .list()
            .ok_or_else(|| unexpected(variables, "a list of variables"))?;
        let bound: Vec<Parameter<'a>> = typed_list(list, PART)?;
        let known = bound
            .iter()
            .all(|parameter| self.types.contains(&parameter.kind));
        let outer = self.variables.len();
        self.variables
            .extend(bound.iter().map(|parameter| parameter.name));
        let inner = self.condition(body);
        self.variables.truncate(outer);
        let kinds = bound
            .iter()
            .map(|parameter| parameter.kind.to_owned())
            .collect();
        Ok(match inner? {
            Formula::False => Formula::False,
            _ if !known => Formula::False,
            other => Formula::Exists(kinds, Box::new(other)),
        })
    }

    fn fact(&self, expression: &Expression<'a>) -> Result<Formula, Defect> {
        let (predicate, terms) = expression
            .call()
            .ok_or_else(|| unexpected(expression, "a fact"))?;
        let terms = terms
            .iter()
            .map(|term| {
                let word = term
                    .atom()
                    .ok_or_else(|| unexpected(term, "a variable or a name"))?;
                let position = self
                    .variables
                    .iter()
                    .rposition(|variable| *variable == word);
                Ok(position.map_or_else(|| word.to_owned(), |index| format!("${index}")))
            })
            .collect::<Result<_, Defect>>()?;
        Ok(Formula::Fact(predicate.to_owned(), terms))
    }

    /// Appends the effects that an effect expression stands for; costs are dropped.
    pub(crate) fn effects(
        &mut self,
        expression: &Expression<'a>,
        condition: &Formula,
        into: &mut Vec<Effect>,
    ) -> Result<(), Defect> {
        let mut push = |fact: Formula, value: bool| {
            into.push(Effect {
                condition: condition.clone(),
                fact,
                value,
            })
        };
        match expression.call() {
            None if expression.list().is_some_and(<[_]>::is_empty) => Ok(()),
            None => Err(unexpected(expression, "an effect")),
            Some(("and", parts)) => parts
                .iter()
                .try_for_each(|part| self.effects(part, condition, into)),
            Some(("increase", _)) => Ok(()),
            Some(("when", [when, then])) => {
                let both = conjunction(vec![condition.clone(), self.condition(when)?]);
                self.effects(then, &both, into)
            }
            Some(("not", [fact])) => {
                push(self.fact(fact)?, false);
                Ok(())
            }
            Some(("when" | "not" | "forall" | "decrease" | "assign", _)) => {
                Err(unexpected(expression, "an effect"))
            }
            Some(_) => {
                push(self.fact(expression)?, true);
                Ok(())
            }
        }
    }
}

fn unexpected(expression: &Expression<'_>, wanted: &str) -> Defect {
    let found = super::expression::excerpt(&expression.to_string());
    Defect::Syntax {
        part: PART,
        line: expression.line(),
        reason: format!("expected {wanted}, found `{found}`"),
    }
}

/// All of the parts, in normal form.
fn conjunction(parts: Vec<Formula>) -> Formula {
    let mut flat = BTreeSet::new();
    for part in parts {
        match part {
            Formula::True => {}
            Formula::False => return Formula::False,
            Formula::And(inner) => flat.extend(inner),
            other => {
                flat.insert(other);
            }
        }
    }
    let mut flat: Vec<Formula> = flat.into_iter().collect();
    if flat.len() > 1 {
        Formula::And(flat)
    } else {
        flat.pop().unwrap_or(Formula::True)
    }
}

/// Any of the parts, in normal form.
fn disjunction(parts: Vec<Formula>) -> Formula {
    let mut flat = BTreeSet::new();
    for part in parts {
        match part {
            Formula::False => {}
            Formula::True => return Formula::True,
            Formula::Or(inner) => flat.extend(inner),
            other => {
                flat.insert(other);
            }
        }
    }
    let mut flat: Vec<Formula> = flat.into_iter().collect();
    if flat.len() > 1 {
        Formula::Or(flat)
    } else {
        flat.pop().unwrap_or(Formula::False)
    }
}

impl Formula {
    /// Adds the predicates that the formula reads.
    pub(crate) fn predicates<'b>(&'b self, into: &mut BTreeSet<&'b str>) {
        match self {
            Self::True | Self::False => {}
            Self::Fact(predicate, _) => {
                into.insert(predicate);
            }
            Self::Not(inner) | Self::Exists(_, inner) => inner.predicates(into),
            Self::And(parts) | Self::Or(parts) => {
                parts.iter().for_each(|part| part.predicates(into))
            }
        }
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let several = |formatter: &mut fmt::Formatter<'_>, head: &str, parts: &[Self]| {
            write!(formatter, "({head}")?;
            parts
                .iter()
                .try_for_each(|part| write!(formatter, " {part}"))?;
            formatter.write_str(")")
        };
        match self {
            Self::True => formatter.write_str("true"),
            Self::False => formatter.write_str("false"),
            Self::Fact(predicate, terms) if terms.is_empty() => write!(formatter, "({predicate})"),
            Self::Fact(predicate, terms) => write!(formatter, "({predicate} {})", terms.join(" ")),
            Self::Not(inner) => write!(formatter, "(not {inner})"),
            Self::And(parts) => several(formatter, "and", parts),
            Self::Or(parts) => several(formatter, "or", parts),
            Self::Exists(kinds, inner) => {
                write!(formatter, "(exists ({}) {inner})", kinds.join(" "))
            }
        }
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.value { "" } else { "not " };
        match &self.condition {
            Formula::True => write!(formatter, "{sign}{}", self.fact),
            condition => write!(formatter, "{sign}{} when {condition}", self.fact),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::expression::read;
    use super::*;

    fn normal(text: &str, variables: &[&'static str]) -> String {
        let expression = read(text, PART).unwrap();
        let mut scope = Scope {
            types: &["location"],
            variables: variables.to_vec(),
        };
        scope.condition(&expression).unwrap().to_string()
    }

    #[test]
    fn order_and_names_do_not_matter() {
        let one = normal("(and (p ?a) (or (q ?b) (not (p ?b))))", &["?a", "?b"]);
        let two = normal(
            "(and (or (not (p ?y)) (q ?y) (q ?y)) (and (p ?x)))",
            &["?x", "?y"],
        );
        assert_eq!(one, two);
    }

    #[test]
    fn exists_over_an_undeclared_type_is_false() {
        assert_eq!(
            normal(
                "(or (exists (?l - location, ?r - location) (p ?l)) (q ?a))",
                &["?a"]
            ),
            "(q $0)"
        );
        assert_eq!(
            normal("(exists (?l - location) (p ?l))", &["?a"]),
            "(exists (location) (p $1))"
        );
        assert_eq!(normal("(and ())", &[]), "true");
    }
}
