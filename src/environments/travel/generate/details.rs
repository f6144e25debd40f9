//! Details that are left out of a request, or replaced by what cannot be had (Ask-before-Plan section 3.1 and appendix
//! A.1).

use serde_json::{Value, json};

use super::feasible::{estimate, legs, preferences};
use crate::country::Country;
use crate::request::{Attribute, Operation, Request};
use rolecall_core::text::Dice;

/// A detail that is not as it should be in the request that the user makes.
#[derive(Clone, Debug, PartialEq)]
pub struct Indefinite {
    /// The attribute.
    pub attribute: Attribute,
    /// Missing, or not to be met.
    pub operation: Operation,
    /// The question that asks for it.
    pub question: String,
    /// The user's answer.
    pub answer: String,
}

/// The possible changes, each as likely as the others, so that the types come about as often as in Table 1: the
/// accommodation stands for all preferences that cannot be met.
const CHANGES: [(Operation, Attribute); 9] = [
    (Operation::Add, Attribute::Origin),
    (Operation::Add, Attribute::Destination),
    (Operation::Add, Attribute::Departure),
    (Operation::Add, Attribute::Days),
    (Operation::Add, Attribute::People),
    (Operation::Add, Attribute::Budget),
    (Operation::Replace, Attribute::Destination),
    (Operation::Replace, Attribute::Housing),
    (Operation::Replace, Attribute::Budget),
];

/// Which details have to be clarified before which: what is missing, destinations last, then what cannot be had, in the
/// order in which it depends on one another. The paper's Figure 5 is not at hand: these are inferred.
pub(super) fn priority(detail: &Indefinite) -> i64 {
    match (detail.operation, detail.attribute) {
        (Operation::Add, Attribute::Destination) => 1,
        (Operation::Add, _) => 0,
        (Operation::Replace, Attribute::Destination) => 2,
        (Operation::Replace, Attribute::Budget) => 4,
        (Operation::Replace, _) => 3,
    }
}

/// Changes so many details of a request that can be met; returns what the user says first, with what is wrong in it.
/// None if there are not so many to be changed.
pub(super) fn indefinite(
    country: &Country,
    states: &[Vec<String>],
    wanted: &Request,
    count: usize,
    dice: &mut Dice,
) -> Option<(Request, Vec<Indefinite>)> {
    let mut changes = CHANGES;
    dice.shuffle(&mut changes);
    let (mut request, mut details) = (wanted.clone(), Vec::<Indefinite>::new());
    for (operation, attribute) in changes {
        let is_new = details.iter().all(|detail| detail.attribute != attribute);
        if details.len() == count || !is_new {
            continue;
        }
        let value = match operation {
            Operation::Add => Some((attribute, Value::Null)),
            Operation::Replace => unfeasible(country, states, wanted, attribute, dice),
        };
        if let Some((attribute, value)) = value {
            request.set(attribute, &value).ok()?;
            details.push(Indefinite { attribute, operation, question: String::new(), answer: String::new() });
        }
    }
    (details.len() == count).then_some((request, details))
}

/// One of all values that cannot be met in the request that can; none if there is none.
fn unfeasible(
    country: &Country,
    states: &[Vec<String>],
    wanted: &Request,
    attribute: Attribute,
    dice: &mut Dice,
) -> Option<(Attribute, Value)> {
    let mut values = match attribute {
        Attribute::Destination => unreachable(country, states, wanted),
        Attribute::Budget => {
            let least = estimate(country, wanted).filter(|least| *least >= 100)?;
            let less = dice.between(10, usize::try_from(least / 10).ok()?);
            vec![(attribute, json!(least - less as i64))]
        }
        _ => preferences(country, wanted)[1].clone(),
    };
    (!values.is_empty()).then(|| values.swap_remove(dice.below(values.len())))
}

/// Destinations with a city in the place of one of them to which nothing leads from the one before: of the same state
/// alone, if there are any.
fn unreachable(country: &Country, states: &[Vec<String>], wanted: &Request) -> Vec<(Attribute, Value)> {
    let mut found = [Vec::new(), Vec::new()];
    for (index, stop) in wanted.stops.iter().enumerate() {
        for state in states {
            let is_other = !state.contains(&stop.city);
            for city in state {
                let mut changed = wanted.clone();
                changed.stops[index].city.clone_from(city);
                let is_used = *city == wanted.origin || wanted.cities().contains(&&**city);
                let legs = legs(country, &changed);
                if !is_used && legs.get(index).is_some_and(|leg| !leg.is_open()) {
                    let value = changed.get(Attribute::Destination);
                    found[usize::from(is_other)].push((Attribute::Destination, value));
                }
            }
        }
    }
    let [same, other] = found;
    if same.is_empty() { other } else { same }
}

/// A detail of a request as rows have it; null if it has none.
pub(super) fn value(request: &Request, attribute: Attribute) -> Value {
    let value = request.get(attribute);
    let is_empty = [json!(""), json!([]), json!(-1)].contains(&value);
    if is_empty { Value::Null } else { value }
}
