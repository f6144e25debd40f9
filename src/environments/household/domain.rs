//! Reads a PDDL domain: types, predicates and actions.

use super::error::Defect;
use super::expression::{Expression, excerpt};

/// Key of the text in a game file.
const PART: &str = "pddl_domain";

/// A named variable with its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Parameter<'a> {
    /// Its name, with the question mark for variables.
    pub(crate) name: &'a str,
    /// Its type; `object` when none is given.
    pub(crate) kind: &'a str,
}

/// A declared predicate.
#[derive(Debug, Clone)]
pub(crate) struct Predicate<'a> {
    /// Its name.
    pub(crate) name: &'a str,
    /// Its arguments.
    pub(crate) parameters: Vec<Parameter<'a>>,
}

/// An action as written.
#[derive(Debug, Clone)]
pub(crate) struct Action<'a, 'e> {
    /// Its name.
    pub(crate) name: &'a str,
    /// Its parameters in order.
    pub(crate) parameters: Vec<Parameter<'a>>,
    /// Its precondition; absent means true.
    pub(crate) precondition: Option<&'e Expression<'a>>,
    /// Its effect; absent means none.
    pub(crate) effect: Option<&'e Expression<'a>>,
}

/// A domain as written; everything is lower case.
#[derive(Debug, Clone, Default)]
pub(crate) struct Domain<'a, 'e> {
    /// Declared types and the root type `object`.
    pub(crate) types: Vec<&'a str>,
    /// Declared predicates.
    pub(crate) predicates: Vec<Predicate<'a>>,
    /// Actions in order.
    pub(crate) actions: Vec<Action<'a, 'e>>,
}

fn fail(line: u32, reason: String) -> Defect {
    Defect::Syntax {
        part: PART,
        line,
        reason,
    }
}

impl<'a, 'e> Domain<'a, 'e> {
    /// Reads the sections of a `(define (domain …) …)` expression.
    pub(crate) fn read(expression: &'e Expression<'a>) -> Result<Self, Defect> {
        let sections = match expression.call() {
            Some(("define", sections)) => sections,
            _ => {
                return Err(fail(
                    expression.line(),
                    "expected `(define (domain …) …)`".to_owned(),
                ));
            }
        };
        let mut domain = Self {
            types: vec!["object"],
            ..Self::default()
        };
        let mut named = false;
        for section in sections {
            let Some((head, rest)) = section.call() else {
                let found = excerpt(&section.to_string());
                return Err(fail(
                    section.line(),
                    format!("expected a section, found `{found}`"),
                ));
            };
            match head {
                "domain" => named = true,
                ":types" => domain
                    .types
                    .extend(typed_list(rest, PART)?.iter().map(|kind| kind.name)),
                ":predicates" => {
                    domain.predicates = rest.iter().map(predicate).collect::<Result<_, _>>()?;
                }
                ":action" => domain.actions.push(action(rest, section.line())?),
                ":requirements" | ":functions" | ":constants" => {}
                other => {
                    return Err(fail(
                        section.line(),
                        format!("unknown section `{}`", excerpt(other)),
                    ));
                }
            }
        }
        if named {
            Ok(domain)
        } else {
            Err(fail(
                expression.line(),
                "expected `(domain NAME)`".to_owned(),
            ))
        }
    }
}

fn predicate<'a>(expression: &Expression<'a>) -> Result<Predicate<'a>, Defect> {
    let (name, rest) = expression.call().ok_or_else(|| {
        fail(
            expression.line(),
            "expected `(PREDICATE ?variable - type …)`".to_owned(),
        )
    })?;
    Ok(Predicate {
        name,
        parameters: typed_list(rest, PART)?,
    })
}

fn action<'a, 'e>(items: &'e [Expression<'a>], line: u32) -> Result<Action<'a, 'e>, Defect> {
    let (name, mut rest) = match items.split_first() {
        Some((Expression::Atom(name, _), rest)) => (*name, rest),
        _ => return Err(fail(line, "expected a name after `:action`".to_owned())),
    };
    let mut action = Action {
        name,
        parameters: Vec::new(),
        precondition: None,
        effect: None,
    };
    while let Some((key, after)) = rest.split_first() {
        let (value, after) = after
            .split_first()
            .ok_or_else(|| fail(key.line(), format!("`{key}` has no value")))?;
        match key.atom() {
            Some(":parameters") => {
                let list = value.list().ok_or_else(|| {
                    fail(value.line(), "expected a list of parameters".to_owned())
                })?;
                action.parameters = typed_list(list, PART)?;
            }
            Some(":precondition") => action.precondition = Some(value),
            Some(":effect") => action.effect = Some(value),
            _ => {
                let found = excerpt(&key.to_string());
                return Err(fail(
                    key.line(),
                    format!("unknown part `{found}` of action `{name}`"),
                ));
            }
        }
        rest = after;
    }
    Ok(action)
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

    #[test]
    fn names_the_line_of_a_foreign_section() {
        let expression = read("(define (domain x)\n(:axiom a))", PART).unwrap();
        let fault = Domain::read(&expression).unwrap_err();
        assert_eq!(fault, fail(2, "unknown section `:axiom`".to_owned()));
    }
}
