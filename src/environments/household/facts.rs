//! Checks the initial facts of a problem against the predicates and turns them into a plain list.

use rustc_hash::FxHashSet;

use super::expression::excerpt;
use super::problem::{Problem, fault};
use super::{Defect, Expression, conditions, traits};

/// The meaning of a predicate; the domains declare others as well, whose facts nothing reads.
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
    Holds,
    HoldsAny,
    /// A thing has this property for good.
    Trait(u16),
    /// A thing is in this condition.
    Condition(u8),
    /// Declared, but read by nothing.
    Unread,
}

/// An initial fact; the second argument is empty for predicates with one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct InitialFact<'a> {
    /// The predicate.
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
    pub(crate) list: Vec<InitialFact<'a>>,
    /// Every name in an initial fact, sorted.
    pub(crate) ids: Vec<&'a str>,
}

/// Types of an agent, a location, a receptacle, an object, and of the types of the last two.
const A: &str = "agent";
const L: &str = "location";
const R: &str = "receptacle";
const O: &str = "object";
const RT: &str = "rtype";
const OT: &str = "otype";

/// The predicates of all known domains with the types of their arguments.
#[rustfmt::skip]
static PREDICATES: [(&str, Predicate, &[&str]); 33] = [
    ("atlocation", Predicate::AtLocation, &[A, L]),
    ("receptacleatlocation", Predicate::ReceptacleAtLocation, &[R, L]),
    ("objectatlocation", Predicate::ObjectAtLocation, &[O, L]),
    ("inreceptacle", Predicate::InReceptacle, &[O, R]),
    ("inreceptacleobject", Predicate::InReceptacleObject, &[O, O]),
    ("receptacletype", Predicate::ReceptacleType, &[R, RT]),
    ("objecttype", Predicate::ObjectType, &[O, OT]),
    ("cancontain", Predicate::CanContain, &[RT, OT]),
    ("openable", Predicate::Trait(traits::OPENABLE), &[R]),
    ("pickupable", Predicate::Trait(traits::PICKUPABLE), &[O]),
    ("cleanable", Predicate::Trait(traits::CLEANABLE), &[O]),
    ("heatable", Predicate::Trait(traits::HEATABLE), &[O]),
    ("coolable", Predicate::Trait(traits::COOLABLE), &[O]),
    ("sliceable", Predicate::Trait(traits::SLICEABLE), &[O]),
    ("toggleable", Predicate::Trait(traits::TOGGLEABLE), &[O]),
    ("isreceptacleobject", Predicate::Trait(traits::CONTAINER), &[O]),
    ("opened", Predicate::Condition(conditions::OPENED), &[R]),
    ("holds", Predicate::Holds, &[A, O]),
    ("holdsany", Predicate::HoldsAny, &[A]),
    ("isclean", Predicate::Condition(conditions::CLEAN), &[O]),
    ("ishot", Predicate::Condition(conditions::HOT), &[O]),
    ("iscool", Predicate::Condition(conditions::COOL), &[O]),
    ("issliced", Predicate::Condition(conditions::SLICED), &[O]),
    ("istoggled", Predicate::Condition(conditions::TOGGLED), &[O]),
    ("isreceptacleobjectfull", Predicate::Unread, &[O]),
    ("wasinreceptacle", Predicate::Unread, &[O, R]),
    ("checked", Predicate::Unread, &[R]),
    ("examined", Predicate::Unread, &[L]),
    ("holdsanyreceptacleobject", Predicate::Unread, &[A]),
    ("full", Predicate::Unread, &[R]),
    ("moveable", Predicate::Unread, &[O]),
    ("ison", Predicate::Unread, &[O]),
    ("noted", Predicate::Unread, &[O]),
];

const NONE_DECLARED: &str = "the known domains declare none of that name";

impl<'a> Facts<'a> {
    /// Reads and checks the facts.
    pub(crate) fn read(problem: &Problem<'a, '_>) -> Result<Self, Defect> {
        let mut list = Vec::with_capacity(problem.facts.len());
        let mut ids: FxHashSet<&'a str> = FxHashSet::default();
        // Neighbouring facts mostly share their predicate.
        let mut last = &PREDICATES[0];
        for expression in problem.facts {
            let found = || format!("expected a fact, found `{}`", expression.excerpt());
            let no_fact = || fault(expression.line(), found());
            let (name, terms) = expression.call().ok_or_else(no_fact)?;
            if matches!(name, "=" | "not") {
                continue;
            }
            if last.0 != name {
                let known = PREDICATES.iter().find(|(known, ..)| *known == name);
                let unknown = || format!("unknown predicate `{}`; {NONE_DECLARED}", excerpt(name));
                last = known.ok_or_else(|| fault(expression.line(), unknown()))?;
            }
            let (_, predicate, kinds) = *last;
            let words = arguments(expression, terms, kinds, problem)?;
            ids.extend(words.iter().filter(|word| !word.is_empty()));
            list.push(InitialFact { predicate, first: words[0], second: words[1], line: expression.line() });
        }
        let mut ids: Vec<&'a str> = ids.into_iter().collect();
        ids.sort_unstable();
        Ok(Self { list, ids })
    }
}

/// The arguments of a fact, which must be declared with fitting types.
fn arguments<'a>(
    expression: &Expression<'a>,
    terms: &[Expression<'a>],
    kinds: &[&str],
    problem: &Problem<'a, '_>,
) -> Result<[&'a str; 2], Defect> {
    let fail = |reason: String| fault(expression.line(), reason);
    if terms.len() != kinds.len() || kinds.len() > 2 {
        let (fact, wanted) = (expression.excerpt(), kinds.len());
        let found = terms.len();
        let reason = format!("`{fact}` has {found} arguments, expected {wanted}");
        return Err(fail(reason));
    }
    let mut words = [""; 2];
    for ((term, kind), word) in terms.iter().zip(kinds).zip(&mut words) {
        let strange = || fail(format!("expected a name, found `{}`", term.excerpt()));
        *word = term.atom().ok_or_else(strange)?;
        let declared = problem.kinds.get(*word).copied();
        let unknown = || fail(format!("`{}` is not declared in `:objects`", excerpt(word)));
        let declared = declared.ok_or_else(unknown)?;
        // `object` is the root of all types, but nothing except receptacles is used as one.
        if declared != *kind && (*kind != "object" || declared != "receptacle") {
            let (word, declared) = (excerpt(word), excerpt(declared));
            let reason = format!("`{word}` is of type `{declared}`, expected `{kind}`");
            return Err(fail(reason));
        }
    }
    Ok(words)
}
