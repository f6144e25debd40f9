//! Checks the initial facts of a problem against the predicates and turns them into a plain list.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::error::Defect;
use super::expression::{Expression, excerpt};
use super::problem::{PART, Problem};

/// Predicates that play a part; the domain may declare others, whose facts nothing reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Predicate {
    AtLocation,
    ReceptacleAtLocation,
    ObjectAtLocation,
    InReceptacle,
    InReceptacleObject,
    ReceptacleType,
    ObjectType,
    CanContain,
    Openable,
    Pickupable,
    Cleanable,
    Heatable,
    Coolable,
    Sliceable,
    Toggleable,
    IsReceptacleObject,
    Opened,
    Holds,
    HoldsAny,
    IsClean,
    IsHot,
    IsCool,
    IsSliced,
    IsToggled,
    /// Declared, but read by nothing.
    Unread,
}

/// An initial fact; the second argument is empty for predicates with one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fact<'a> {
    /// What is said.
    pub(crate) predicate: Predicate,
    /// Of what.
    pub(crate) first: &'a str,
    /// In relation to what.
    pub(crate) second: &'a str,
    /// Line in the problem, from 1.
    pub(crate) line: u32,
}

/// The initial facts and all names in them.
pub(crate) struct Facts<'a> {
    /// The facts in order.
    pub(crate) list: Vec<Fact<'a>>,
    /// Every name in an initial fact, sorted.
    pub(crate) ids: Vec<&'a str>,
}

impl Predicate {
    fn named(name: &str) -> Self {
        match name {
            "atlocation" => Self::AtLocation,
            "receptacleatlocation" => Self::ReceptacleAtLocation,
            "objectatlocation" => Self::ObjectAtLocation,
            "inreceptacle" => Self::InReceptacle,
            "inreceptacleobject" => Self::InReceptacleObject,
            "receptacletype" => Self::ReceptacleType,
            "objecttype" => Self::ObjectType,
            "cancontain" => Self::CanContain,
            "openable" => Self::Openable,
            "pickupable" => Self::Pickupable,
            "cleanable" => Self::Cleanable,
            "heatable" => Self::Heatable,
            "coolable" => Self::Coolable,
            "sliceable" => Self::Sliceable,
            "toggleable" => Self::Toggleable,
            "isreceptacleobject" => Self::IsReceptacleObject,
            "opened" => Self::Opened,
            "holds" => Self::Holds,
            "holdsany" => Self::HoldsAny,
            "isclean" => Self::IsClean,
            "ishot" => Self::IsHot,
            "iscool" => Self::IsCool,
            "issliced" => Self::IsSliced,
            "istoggled" => Self::IsToggled,
            _ => Self::Unread,
        }
    }
}

impl<'a> Facts<'a> {
    /// Reads and checks the facts; `declared` are the predicates of the domain.
    pub(crate) fn read(
        problem: &Problem<'a, '_>,
        declared: &BTreeMap<String, Vec<String>>,
    ) -> Result<Self, Defect> {
        let mut list = Vec::with_capacity(problem.facts.len());
        let mut ids: FxHashSet<&'a str> = FxHashSet::default();
        // Neighbouring facts mostly share their predicate.
        let mut last: Option<(&str, Predicate, &Vec<String>)> = None;
        for expression in problem.facts {
            let (name, terms) = call(expression)?;
            if matches!(name, "=" | "not") {
                continue;
            }
            let (predicate, kinds) = match last {
                Some((known, predicate, kinds)) if known == name => (predicate, kinds),
                _ => {
                    let kinds = declared
                        .get(name)
                        .ok_or_else(|| unknown(expression, name))?;
                    (Predicate::named(name), kinds)
                }
            };
            last = Some((name, predicate, kinds));
            let words = arguments(expression, terms, kinds, problem)?;
            ids.extend(words.iter().filter(|word| !word.is_empty()));
            list.push(Fact {
                predicate,
                first: words[0],
                second: words[1],
                line: expression.line(),
            });
        }
        let mut ids: Vec<&'a str> = ids.into_iter().collect();
        ids.sort_unstable();
        Ok(Self { list, ids })
    }
}

fn call<'a, 'e>(expression: &'e Expression<'a>) -> Result<(&'a str, &'e [Expression<'a>]), Defect> {
    expression.call().ok_or_else(|| {
        let reason = format!(
            "expected a fact, found `{}`",
            excerpt(&expression.to_string())
        );
        Defect::Syntax {
            part: PART,
            line: expression.line(),
            reason,
        }
    })
}

fn unknown(expression: &Expression<'_>, name: &str) -> Defect {
    Defect::UnknownPredicate {
        part: PART,
        line: expression.line(),
        predicate: excerpt(name),
    }
}

/// The arguments of a fact, which must be declared with fitting types.
fn arguments<'a>(
    expression: &Expression<'a>,
    terms: &[Expression<'a>],
    kinds: &[String],
    problem: &Problem<'a, '_>,
) -> Result<[&'a str; 2], Defect> {
    let fail = |reason: String| Defect::Fact {
        line: expression.line(),
        reason,
    };
    if terms.len() != kinds.len() || kinds.len() > 2 {
        let fact = excerpt(&expression.to_string());
        return Err(fail(format!(
            "`{fact}` has {} arguments, expected {}",
            terms.len(),
            kinds.len()
        )));
    }
    let mut words = [""; 2];
    for ((term, kind), word) in terms.iter().zip(kinds).zip(&mut words) {
        *word = term.atom().ok_or_else(|| {
            fail(format!(
                "expected a name, found `{}`",
                excerpt(&term.to_string())
            ))
        })?;
        let declared = problem.kinds.get(*word).copied();
        let declared = declared
            .ok_or_else(|| fail(format!("`{}` is not declared in `:objects`", excerpt(word))))?;
        // `object` is the root of all types, but nothing except receptacles is used as one.
        if declared != kind && (kind != "object" || declared != "receptacle") {
            let word = excerpt(word);
            return Err(fail(format!(
                "`{word}` is of type `{}`, expected `{kind}`",
                excerpt(declared)
            )));
        }
    }
    Ok(words)
}
