//! The meaning that every playable game has, and the table of what may differ between dialects.

use std::sync::LazyLock;

use super::dialect::{ArrivalNaming, Cleaners, DOMAIN, GRAMMAR, PutWording};
use super::domain::Domain;
use super::error::Defect;
use super::expression::{self, excerpt};
use super::formula::{Effect, Formula, Scope};
use super::grammar::Grammar;
use super::meaning::{ActionMeaning, Meaning, place};
use super::pieces::{Piece, Text, display};
use super::wording::Writer;

/// A part of an action in which dialects may differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Facet {
    Precondition,
    Template,
    Feedback,
    /// The action as a whole may be absent, and its feedback is free.
    Presence,
}

/// A named difference between dialects: the second meaning that a part of an action may have.
struct Variation {
    /// The action.
    action: &'static str,
    /// The part of it.
    facet: Facet,
    /// The other text of that part, written with the variables of the reference.
    other: &'static str,
}

/// All differences between the two dialects; whatever else differs is an error.
const VARIATIONS: [Variation; 5] = [
    // Put wording.
    Variation {
        action: "putobject",
        facet: Facet::Template,
        other: "put {o} in/on {r}",
    },
    Variation {
        action: "putobject",
        facet: Facet::Feedback,
        other: "You put the {o.name} in/on the {r.name}.",
    },
    // Arrival naming.
    Variation {
        action: "gotolocation",
        facet: Facet::Feedback,
        other: "You arrive at {lend.name}. #examineReceptacle.feedback#",
    },
    // Receptacles that clean.
    Variation {
        action: "cleanobject",
        facet: Facet::Precondition,
        other: "(define (domain other) (:action cleanobject :parameters (?a - agent ?l - location ?r - receptacle \
                ?o - object) :precondition (and (cleanable ?o) (receptacletype ?r sinkbasintype) (atlocation ?a ?l) \
                (receptacleatlocation ?r ?l) (holds ?a ?o))))",
    },
    // The help command.
    Variation {
        action: "help",
        facet: Facet::Presence,
        other: "",
    },
];

fn varies(action: &str, facet: Facet) -> bool {
    VARIATIONS
        .iter()
        .any(|variation| variation.action == action && variation.facet == facet)
}

/// The meaning of the reference texts and of the variations.
pub(crate) struct Reference {
    pub(crate) meaning: Meaning,
    put_template: Text,
    put_feedback: Text,
    arrival: Text,
    clean: Formula,
}

/// Our own texts, read once; a test makes sure that they can be read.
pub(crate) static REFERENCE: LazyLock<Result<Reference, Defect>> = LazyLock::new(Reference::read);

impl Reference {
    fn read() -> Result<Self, Defect> {
        let grammar = Grammar::read(GRAMMAR)?;
        let meaning = Meaning::read(DOMAIN, &grammar)?;
        let mut writer = Writer::new(&grammar);
        let mut text = |action: &str, facet: Facet| -> Result<Text, Defect> {
            let variation = variation(action, facet)?;
            let names = meaning
                .actions
                .get(action)
                .map(|action| action.names.as_slice())
                .unwrap_or_default();
            writer.text(
                variation.other,
                &names.iter().map(String::as_str).collect::<Vec<_>>(),
            )
        };
        Ok(Self {
            put_template: text("putobject", Facet::Template)?,
            put_feedback: text("putobject", Facet::Feedback)?,
            arrival: text("gotolocation", Facet::Feedback)?,
            clean: precondition_of(variation("cleanobject", Facet::Precondition)?.other)?,
            meaning,
        })
    }

    fn action(&self, name: &str) -> Result<&ActionMeaning, Defect> {
        action(&self.meaning, name)
    }

    pub(crate) fn put_wording(&self, game: &Meaning) -> Result<PutWording, Defect> {
        let (known, found) = (self.action("putobject")?, action(game, "putobject")?);
        let template = either(
            "putobject",
            "template",
            &known.template,
            &self.put_template,
            &found.template,
        )?;
        let feedback = either(
            "putobject",
            "feedback",
            &known.feedback,
            &self.put_feedback,
            &found.feedback,
        )?;
        match (template, feedback) {
            (true, true) => Ok(PutWording::MoveTo),
            (false, false) => Ok(PutWording::PutInOn),
            _ => Err(Defect::Dialect {
                place: place("putobject"),
                expected: "the same verb in template and feedback".to_owned(),
                found: format!(
                    "`{}` and `{}`",
                    display(&found.template),
                    display(&found.feedback)
                ),
            }),
        }
    }

    pub(crate) fn arrival(&self, game: &Meaning) -> Result<ArrivalNaming, Defect> {
        let (known, found) = (self.action("gotolocation")?, action(game, "gotolocation")?);
        let new = either(
            "gotolocation",
            "feedback",
            &known.feedback,
            &self.arrival,
            &found.feedback,
        )?;
        Ok(if new {
            ArrivalNaming::Receptacle
        } else {
            ArrivalNaming::Location
        })
    }

    pub(crate) fn cleaners(&self, game: &Meaning) -> Result<Cleaners, Defect> {
        let (known, found) = (
            &self.action("cleanobject")?.precondition,
            &action(game, "cleanobject")?.precondition,
        );
        if found == known {
            Ok(Cleaners::SinkAndSinkBasin)
        } else if *found == self.clean {
            Ok(Cleaners::SinkBasin)
        } else {
            let expected = format!("`{known}` or `{}`", self.clean);
            Err(difference(
                "cleanobject",
                "precondition",
                expected,
                found.to_string(),
            ))
        }
    }
}

fn variation(action: &str, facet: Facet) -> Result<&'static Variation, Defect> {
    let found = VARIATIONS
        .iter()
        .find(|variation| variation.action == action && variation.facet == facet);
    found.ok_or_else(|| {
        difference(
            action,
            "variation",
            "one in the table".to_owned(),
            "none".to_owned(),
        )
    })
}

fn precondition_of(text: &str) -> Result<Formula, Defect> {
    let tree = expression::read(text, "pddl_domain")?;
    let domain = Domain::read(&tree)?;
    let action = domain.actions.first();
    let condition = action.and_then(|action| Some((action, action.precondition?)));
    let Some((action, condition)) = condition else {
        return Ok(Formula::True);
    };
    let variables = action
        .parameters
        .iter()
        .map(|parameter| parameter.name)
        .collect();
    Scope {
        types: &domain.types,
        variables,
    }
    .condition(condition)
}

fn action<'m>(meaning: &'m Meaning, name: &str) -> Result<&'m ActionMeaning, Defect> {
    let missing = || difference(name, "definition", "one".to_owned(), "none".to_owned());
    meaning.actions.get(name).ok_or_else(missing)
}

fn difference(action: &str, facet: &str, expected: String, found: String) -> Defect {
    Defect::Dialect {
        place: format!("{facet} of {}", place(action)),
        expected,
        found,
    }
}

/// Whether a text is the first (true) or the second (false) of two accepted ones.
fn either(
    action: &str,
    facet: &str,
    first: &Text,
    second: &Text,
    found: &Text,
) -> Result<bool, Defect> {
    if found == first {
        Ok(true)
    } else if found == second {
        Ok(false)
    } else {
        let expected = format!("`{}` or `{}`", display(first), display(second));
        Err(difference(
            action,
            facet,
            expected,
            format!("`{}`", display(found)),
        ))
    }
}

/// Compares the actions in everything that does not vary.
pub(crate) fn compare_actions(reference: &Meaning, game: &Meaning) -> Result<(), Defect> {
    if let Some(name) = game
        .actions
        .keys()
        .find(|name| !reference.actions.contains_key(*name))
    {
        return Err(difference(
            name,
            "definition",
            "none".to_owned(),
            "one".to_owned(),
        ));
    }
    for (name, known) in &reference.actions {
        match game.actions.get(name) {
            Some(found) => compare_action(name, known, found)?,
            None if varies(name, Facet::Presence) => {}
            None => {
                return Err(difference(
                    name,
                    "definition",
                    "one".to_owned(),
                    "none".to_owned(),
                ));
            }
        }
    }
    Ok(())
}

fn compare_action(name: &str, known: &ActionMeaning, found: &ActionMeaning) -> Result<(), Defect> {
    let same = |facet: &str, expected: &str, got: &str| {
        if expected == got {
            Ok(())
        } else {
            Err(difference(name, facet, quoted(expected), quoted(got)))
        }
    };
    same(
        "parameter list",
        &known.parameters.join(" "),
        &found.parameters.join(" "),
    )?;
    if known.precondition != found.precondition && !varies(name, Facet::Precondition) {
        same(
            "precondition",
            &known.precondition.to_string(),
            &found.precondition.to_string(),
        )?;
    }
    if known.effects != found.effects {
        same("effect", &effects(&known.effects), &effects(&found.effects))?;
    }
    if known.template != found.template && !varies(name, Facet::Template) {
        same(
            "template",
            &display(&known.template),
            &display(&found.template),
        )?;
    }
    let free = varies(name, Facet::Feedback) || varies(name, Facet::Presence);
    if known.feedback != found.feedback && !free {
        same(
            "feedback",
            &display(&known.feedback),
            &display(&found.feedback),
        )?;
    }
    Ok(())
}

/// Compares the predicates that are read and the rules that are used without being named.
pub(crate) fn compare_rest(reference: &Meaning, game: &Meaning) -> Result<(), Defect> {
    for name in &reference.read {
        let Some(known) = reference.predicates.get(name) else {
            continue;
        };
        let found = game
            .predicates
            .get(name)
            .map_or_else(|| "none".to_owned(), |kinds| kinds.join(" "));
        if found != known.join(" ") {
            let place = format!("predicate `{name}`");
            return Err(Defect::Dialect {
                place,
                expected: quoted(&known.join(" ")),
                found: quoted(&found),
            });
        }
    }
    for (name, known) in &reference.rules {
        let found = game.rules.get(name).map(display).unwrap_or_default();
        if found != display(known) {
            let place = format!("rule `{name}`");
            return Err(Defect::Dialect {
                place,
                expected: quoted(&display(known)),
                found: quoted(&found),
            });
        }
    }
    Ok(())
}

fn effects(effects: &[Effect]) -> String {
    effects
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}

fn quoted(text: &str) -> String {
    format!("`{text}`")
}

/// The answer to `help`, which must be plain words.
pub(crate) fn help_text(game: &Meaning) -> Result<Option<Box<str>>, Defect> {
    let Some(help) = game.actions.get("help") else {
        return Ok(None);
    };
    match help.feedback.as_slice() {
        [] => Ok(Some(Box::default())),
        [Piece::Words(words)] => Ok(Some(words.as_str().into())),
        _ => {
            let found = excerpt(&display(&help.feedback));
            Err(difference(
                "help",
                "feedback",
                "plain words".to_owned(),
                quoted(&found),
            ))
        }
    }
}
