//! Following another role's plan: its next step word for word, as long as that makes sense.

use super::mind::CastAdvice;
use super::{Access, Belief, Command, Thing, class_of, speech};
use rolecall_core::domain::{Action, Brief, Move};

/// The move that follows the plan: its next step that is not done yet, or a thought that hands the
/// turn back because the rest is pointless. None if there is no plan, or if the move is not open.
pub(super) fn follow(advice: &CastAdvice, belief: &Belief, brief: &Brief) -> Option<Move> {
    if advice.plan.is_empty() {
        return None;
    }
    let rest = left_to_do(advice, belief);
    let made = match objection(&rest, advice, belief) {
        Some(thought) => Move::think(thought),
        None => Move::Act { action: (*rest.first()?).clone() },
    };
    brief.open.contains(made.kind()).then_some(made)
}

/// The steps of the plan from the first one on that is not done.
fn left_to_do<'a>(advice: &'a CastAdvice, belief: &Belief) -> Vec<&'a Action> {
    let mut steps = advice.plan.iter().peekable();
    let mut stands_open = None;
    while let Some(step) = steps.peek() {
        let command = Command::read(&step.text);
        // What stood open, or has no door, is not closed again either.
        let spared = matches!(command, Command::Close(name) if stands_open == Some(name));
        if !spared && !is_done(command, belief) {
            break;
        }
        if let Command::Open(name) = command {
            stands_open = Some(name);
        }
        steps.next();
    }
    steps.collect()
}

/// Whether the world is already as the step would make it.
fn is_done(step: Command<'_>, belief: &Belief) -> bool {
    let place = |name: &str| belief.room.named(name);
    let is = |name: &str, state| place(name).is_some_and(|(_, place)| place.state == state);
    match step {
        Command::Go(name) => place(name).is_some_and(|(index, _)| belief.room.is_here(index)),
        Command::Open(name) => is(name, Access::Open),
        Command::Close(name) => is(name, Access::Closed),
        Command::Take { object, .. } => belief.holding.as_deref() == Some(object),
        Command::Put { object, to } => belief.objects.iter().any(|thing| {
            let there = place(to).is_some_and(|(index, _)| index == thing.place);
            &*thing.name == object && there
        }),
        _ => false,
    }
}

/// Why the rest of the plan is not worth following, in words.
fn objection(rest: &[&Action], advice: &CastAdvice, belief: &Belief) -> Option<String> {
    let Some(next) = rest.first() else {
        return Some("What was planned is done already.".to_owned());
    };
    let uses_find = |step: &&Action| matches!(Command::read(&step.text), Command::Take { .. } | Command::Use(_));
    let found = advice.sought.is_some() && belief.need() != advice.sought;
    if found && !rest.iter().any(uses_find) {
        return Some(format!("{} The search is over.", what_was_found(belief)));
    }
    let is_dead = |name: &str| belief.room.named(name).is_some_and(|(_, it)| it.dead);
    match Command::read(&next.text) {
        Command::Go(name) | Command::Open(name) if is_dead(name) => Some(format!("The {name} is out of reach.")),
        Command::Take { object, from } => {
            if let Some(held) = &belief.holding {
                return Some(format!("I hold the {held} already."));
            }
            let goal = belief.goal.as_ref()?;
            let of_task = *goal.object == *class_of(object);
            let (index, place) = belief.room.named(from)?;
            let there = |thing: &Thing| &*thing.name == object && thing.place == index;
            let missing = of_task && place.seen_at > 0 && !belief.objects.iter().any(there);
            missing.then(|| format!("There is no {object} in/on the {from}."))
        }
        Command::Put { object, .. } | Command::Treat { object, .. } => {
            let held = belief.holding.as_deref() == Some(object);
            (!held).then(|| format!("I do not hold the {object}."))
        }
        _ => None,
    }
}

/// The thought about the objects found.
fn what_was_found(belief: &Belief) -> String {
    let goal = belief.goal.as_ref();
    let seen = goal.and_then(|goal| speech::names_at(belief, goal));
    match seen.filter(|_| belief.holding.is_none()) {
        Some((names, place)) => format!("I see {names} in/on the {place}."),
        None => "I see what was looked for.".to_owned(),
    }
}
