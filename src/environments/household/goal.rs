//! Compiles the goal of a problem: one of the six official forms.

use super::expression::excerpt;
use super::problem::typed_list;
use super::{Defect, Expression};

/// A treatment of objects that some receptacles give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Treatment {
    Clean,
    Heat,
    Cool,
}

impl Treatment {
    /// All of them.
    pub(crate) const ALL: [Self; 3] = [Self::Clean, Self::Heat, Self::Cool];

    /// The verb of the command.
    pub(crate) const fn verb(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Heat => "heat",
            Self::Cool => "cool",
        }
    }

    /// The state of an object after it.
    pub(crate) const fn state(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Heat => "hot",
            Self::Cool => "cool",
        }
    }
}

/// The six task types, as the goal of a game tells them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TaskType {
    /// Put an object into a receptacle.
    PickAndPlace,
    /// Put two objects of a kind into the same receptacle.
    PickTwo,
    /// Clean an object and put it away.
    PickClean,
    /// Heat an object and put it away.
    PickHeat,
    /// Cool an object and put it away.
    PickCool,
    /// Hold an object at a lamp that is switched on.
    LookInLight,
}

impl TaskType {
    /// All task types, in the order in which papers list them.
    pub const ALL: [Self; 6] =
        [Self::PickAndPlace, Self::PickClean, Self::PickHeat, Self::PickCool, Self::LookInLight, Self::PickTwo];

    /// The official name, the short one, and what is to be done with the object before it is put away.
    const fn row(self) -> (&'static str, &'static str, Option<Treatment>) {
        use Treatment::{Clean, Cool, Heat};
        match self {
            Self::PickAndPlace => ("pick_and_place_simple", "put", None),
            Self::PickTwo => ("pick_two_obj_and_place", "puttwo", None),
            Self::PickClean => ("pick_clean_then_place_in_recep", "clean", Some(Clean)),
            Self::PickHeat => ("pick_heat_then_place_in_recep", "heat", Some(Heat)),
            Self::PickCool => ("pick_cool_then_place_in_recep", "cool", Some(Cool)),
            Self::LookInLight => ("look_at_obj_in_light", "examine", None),
        }
    }

    /// The official name, with which the folder of a game begins.
    pub const fn prefix(self) -> &'static str {
        self.row().0
    }

    /// The short name of result tables.
    pub const fn short(self) -> &'static str {
        self.row().1
    }

    /// The treatment of the object before it is put away.
    pub(crate) const fn treatment(self) -> Option<Treatment> {
        self.row().2
    }

    /// The sentence that asks for such a task in official games, without a full stop; `second` chooses the other of its
    /// two wordings.
    pub(super) fn sentence(self, object: &str, target: &str, second: bool) -> String {
        if let Some(treatment) = self.treatment() {
            let (state, verb) = (treatment.state(), treatment.verb());
            return match second {
                true => format!("{verb} some {object} and put it in {target}"),
                false => format!("put a {state} {object} in {target}"),
            };
        }
        match (self, second) {
            (Self::PickTwo, false) => format!("put two {object} in {target}"),
            (Self::PickTwo, true) => format!("find two {object} and put them in {target}"),
            (Self::LookInLight, false) => format!("look at {object} under the {target}"),
            (Self::LookInLight, true) => format!("examine the {object} with the {target}"),
            (_, false) => format!("put a {object} in {target}"),
            (_, true) => format!("put some {object} on {target}"),
        }
    }

    /// The task type of that official name.
    pub fn from_prefix(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.prefix() == name)
    }
}

rolecall_core::shown_as!(TaskType, prefix);

/// The goal of a game: types of things, lower case as in the problem (`mugtype`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Goal {
    /// The form of the goal.
    pub task_type: TaskType,
    /// Type of the object that is moved or held.
    pub object: Box<str>,
    /// Type of the receptacle it must be in; of the lamp for [`TaskType::LookInLight`].
    pub target: Box<str>,
}

/// A goal as variables and facts, without nesting.
#[derive(Default)]
struct Query<'a> {
    /// Visible variables: name and number.
    scope: Vec<(&'a str, usize)>,
    /// Type of every variable.
    kinds: Vec<&'a str>,
    /// Facts: predicate and arguments.
    facts: Vec<(&'a str, Vec<Term<'a>>)>,
    /// Pairs that must differ.
    different: Vec<(Term<'a>, Term<'a>)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Term<'a> {
    Variable(usize),
    Constant(&'a str),
}

fn unsupported(reason: String) -> Defect {
    Defect::Goal { reason }
}

impl Goal {
    /// Compiles a goal expression.
    pub(crate) fn compile(expression: &Expression<'_>) -> Result<Self, Defect> {
        let mut query = Query::default();
        query.read(expression)?;
        query.match_light().or_else(|| query.match_placing()).ok_or_else(|| query.describe())
    }

    /// Class of the object, as it stands in names (`mug`).
    pub fn object_class(&self) -> &str {
        self.object.strip_suffix("type").unwrap_or(&self.object)
    }

    /// Class of the receptacle or the lamp, as it stands in names (`sidetable`).
    pub fn target_class(&self) -> &str {
        self.target.strip_suffix("type").unwrap_or(&self.target)
    }
}

impl<'a> Query<'a> {
    fn read(&mut self, expression: &Expression<'a>) -> Result<(), Defect> {
        let Some((head, rest)) = expression.call() else {
            let (line, found) = (expression.line(), expression.excerpt());
            return Err(unsupported(format!("line {line}: `{found}`")));
        };
        let refused = || Err(unsupported(format!("`{}`", expression.excerpt())));
        match (head, rest) {
            ("and", parts) => parts.iter().try_for_each(|part| self.read(part)),
            ("exists", [variables, body]) => {
                let outer = self.scope.len();
                for (name, kind) in typed_list(variables.list().unwrap_or_default())? {
                    self.scope.push((name, self.kinds.len()));
                    self.kinds.push(kind);
                }
                self.read(body)?;
                self.scope.truncate(outer);
                Ok(())
            }
            ("not", [inner]) => match inner.call() {
                Some(("=", [one, two])) => {
                    let pair = (self.term(one)?, self.term(two)?);
                    self.different.push(pair);
                    Ok(())
                }
                _ => refused(),
            },
            ("or" | "not" | "exists" | "forall" | "imply" | "=", _) => refused(),
            (predicate, terms) => {
                let terms = terms.iter().map(|term| self.term(term));
                let fact = (predicate, terms.collect::<Result<_, _>>()?);
                if !self.facts.contains(&fact) {
                    self.facts.push(fact);
                }
                Ok(())
            }
        }
    }

    fn term(&self, expression: &Expression<'a>) -> Result<Term<'a>, Defect> {
        let name = expression.atom().ok_or_else(|| unsupported(format!("`{}`", expression.excerpt())))?;
        match self.scope.iter().rfind(|(known, _)| *known == name) {
            Some((_, number)) => Ok(Term::Variable(*number)),
            None if name.starts_with('?') => Err(unsupported(format!("`{}` is not bound", excerpt(name)))),
            None => Ok(Term::Constant(name)),
        }
    }

    /// The arguments of all facts of that predicate.
    fn of<'q>(&'q self, predicate: &'q str) -> impl Iterator<Item = &'q [Term<'a>]> {
        self.facts.iter().filter(move |(name, _)| *name == predicate).map(|(_, terms)| terms.as_slice())
    }

    fn has(&self, predicate: &str, terms: &[Term<'a>]) -> bool {
        self.of(predicate).any(|found| found == terms)
    }

    /// Whether the term is a variable over everything of that type.
    fn ranges(&self, term: Term<'a>, kind: &str) -> bool {
        matches!(term, Term::Variable(number) if self.kinds.get(number).is_some_and(|found| *found == kind))
    }

    /// The only type that facts `predicate(subject, TYPE)` give.
    fn type_of(&self, predicate: &str, subject: Term<'a>) -> Option<&'a str> {
        let mut types = self.of(predicate).filter_map(|terms| match terms {
            [found, Term::Constant(kind)] if *found == subject => Some(*kind),
            _ => None,
        });
        let only = types.next()?;
        types.next().is_none().then_some(only)
    }

    /// An object held at a lamp that was switched on.
    fn match_light(&self) -> Option<Goal> {
        let first = |predicate| self.of(predicate).next();
        let (Some([_, object]), Some([lamp])) = (first("holds"), first("istoggled")) else {
            return None;
        };
        let (at, within) = (first("atlocation"), first("inreceptacle"));
        let (Some([_, location]), Some([inside, receptacle])) = (at, within) else {
            return None;
        };
        let fits = inside == lamp
            && object != lamp
            && self.ranges(*object, "object")
            && self.ranges(*lamp, "object")
            && self.ranges(*receptacle, "receptacle")
            && self.ranges(*location, "location")
            && self.has("toggleable", &[*lamp])
            && self.has("receptacleatlocation", &[*receptacle, *location])
            && self.facts.len() == 8
            && self.different.is_empty();
        let kind = |thing| self.type_of("objecttype", thing).map(Into::into);
        let (object, target) = (kind(*object)?, kind(*lamp)?);
        fits.then_some(Goal { task_type: TaskType::LookInLight, object, target })
    }

    /// One object, perhaps treated, or two in a receptacle.
    fn match_placing(&self) -> Option<Goal> {
        let placed: Vec<&[Term<'a>]> = self.of("inreceptacle").collect();
        let [object, receptacle] = placed.first()? else {
            return None;
        };
        if !self.ranges(*object, "object") || !self.ranges(*receptacle, "receptacle") {
            return None;
        }
        let kind = self.type_of("objecttype", *object)?;
        let target = self.type_of("receptacletype", *receptacle)?;
        let treatments = [
            (TaskType::PickClean, "cleanable", "isclean"),
            (TaskType::PickHeat, "heatable", "ishot"),
            (TaskType::PickCool, "coolable", "iscool"),
        ];
        let treated =
            |(_, able, done): &(TaskType, &str, &str)| self.has(able, &[*object]) && self.has(done, &[*object]);
        let task_type = match (placed.as_slice(), self.facts.len()) {
            ([_], 3) if self.different.is_empty() => TaskType::PickAndPlace,
            ([_], 5) if self.different.is_empty() => treatments.into_iter().find(treated)?.0,
            ([_, [other, same]], 5) => {
                let pair = self.different.as_slice();
                let distinct = *pair == [(*object, *other)] || *pair == [(*other, *object)];
                let fits = distinct
                    && same == receptacle
                    && self.ranges(*other, "object")
                    && self.type_of("objecttype", *other)? == kind;
                fits.then_some(TaskType::PickTwo)?
            }
            _ => return None,
        };
        Some(Goal { task_type, object: kind.into(), target: target.into() })
    }

    /// Names what stands in the way of an official form.
    fn describe(&self) -> Defect {
        const KNOWN: &str = "atlocation cleanable coolable heatable holds inreceptacle isclean iscool ishot \
                             istoggled objecttype receptacleatlocation receptacletype toggleable";
        let facts: Vec<&str> = self.facts.iter().map(|(predicate, _)| *predicate).collect();
        let is_foreign = |name: &&&str| KNOWN.split(' ').all(|known| known != **name);
        unsupported(match facts.iter().find(is_foreign) {
            Some(predicate) => format!("the predicate `{}`", excerpt(predicate)),
            None if facts.is_empty() => "it is empty".to_owned(),
            None => format!("this combination of facts: {}", facts.join(", ")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::expression::read;
    use super::super::problem::PART;
    use super::*;

    fn compile(text: &str) -> Result<Goal, Defect> {
        Goal::compile(&read(text, PART).unwrap())
    }

    #[test]
    fn recognises_forms_in_any_order_and_nesting() {
        let heat = "(and (exists (?x - object ?y - receptacle) (and (ishot ?x) (heatable ?x) (inreceptacle ?x ?y) \
                    (and (receptacletype ?y shelftype)) (objecttype ?x mugtype))))";
        let goal = compile(heat).unwrap();
        assert_eq!((goal.task_type, goal.object_class(), goal.target_class()), (TaskType::PickHeat, "mug", "shelf"));
        let two = "(exists (?r - receptacle ?a ?b - object) (and (inreceptacle ?a ?r) (inreceptacle ?b ?r) \
                   (not (= ?b ?a)) (objecttype ?a mugtype) (objecttype ?b mugtype) (receptacletype ?r shelftype)))";
        assert_eq!(compile(two).unwrap().task_type, TaskType::PickTwo);
    }

    #[test]
    fn names_what_is_not_supported() {
        let sliced = "(exists (?o - object) (and (issliced ?o) (objecttype ?o mugtype)))";
        assert_eq!(compile(sliced).unwrap_err(), unsupported("the predicate `issliced`".to_owned()));
        let same = "(exists (?r - receptacle ?a ?b - object) (and (inreceptacle ?a ?r) (inreceptacle ?b ?r) \
                    (objecttype ?a mugtype) (objecttype ?b mugtype) (receptacletype ?r shelftype)))";
        assert!(compile(same).is_err());
        assert!(compile("(or (a) (b))").is_err());
        assert!(compile("(and)").is_err());
    }
}
