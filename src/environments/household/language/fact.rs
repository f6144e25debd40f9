//! The facts of an observation, sentence by sentence (either wording, with or without the
//! `You arrive at` that published prompts cut).

use super::Items;

/// One thing that an observation says.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Fact<'a> {
    /// The action was refused.
    Nothing,
    /// The receptacles of the room.
    Room(Items<'a>),
    /// The task, or the next one.
    Task(&'a str),
    /// A receptacle that can be closed is open.
    Opened(&'a str),
    /// A receptacle is closed, or was closed.
    Closed(&'a str),
    /// The contents of a receptacle that can be looked into.
    Contents {
        /// The receptacle.
        receptacle: &'a str,
        /// The objects.
        items: Items<'a>,
    },
    /// An object was picked up.
    Taken {
        /// The object.
        object: &'a str,
        /// The receptacle.
        from: &'a str,
    },
    /// An object was put down.
    Put {
        /// The object.
        object: &'a str,
        /// The receptacle.
        to: &'a str,
    },
    /// An object was cleaned, heated or cooled.
    Treated {
        /// The verb.
        verb: &'a str,
        /// The object.
        object: &'a str,
    },
    /// A lamp was turned on.
    TurnedOn(&'a str),
    /// The receptacles at the place where the player stands.
    Facing(Items<'a>),
}

/// Calls `each` with every fact of an observation, in order.
pub fn for_each_fact<'a>(text: &'a str, mut each: impl FnMut(Fact<'a>)) {
    for line in text.lines() {
        let (facts, task) = match line.split_once("task is to: ") {
            Some((before, task)) => (before, Some(task)),
            None => (line, None),
        };
        let mut open = None;
        for sentence in facts.split(". ") {
            let sentence = sentence.trim().trim_end_matches('.');
            if let Some(place) = opened(sentence) {
                open = Some(place);
                each(Fact::Opened(place));
            } else if let Some(fact) = fact(sentence, open) {
                each(fact);
            }
        }
        if let Some(task) = task {
            each(Fact::Task(task.trim().trim_end_matches('.')));
        }
    }
}

fn opened(sentence: &str) -> Option<&str> {
    sentence.strip_prefix("The ")?.strip_suffix(" is open")
}

fn fact<'a>(sentence: &'a str, open: Option<&'a str>) -> Option<Fact<'a>> {
    if sentence == "Nothing happens" {
        return Some(Fact::Nothing);
    }
    let contents = |(receptacle, list)| Fact::Contents { receptacle, items: Items::new(list) };
    if let Some(list) = sentence.strip_prefix("In it, you see ") {
        return open.map(|place| contents((place, list)));
    }
    if let Some(rest) = sentence.strip_prefix("On the ") {
        return rest.split_once(", you see ").map(contents);
    }
    if let Some(list) = sentence.strip_prefix("Looking quickly around you, you see ") {
        return Some(Fact::Room(Items::new(list)));
    }
    if let Some(rest) = sentence.strip_prefix("The ") {
        return rest.strip_suffix(" is closed").map(Fact::Closed);
    }
    own_action(sentence.strip_prefix("You ")?)
}

/// The player's own action, after `You `.
fn own_action(action: &str) -> Option<Fact<'_>> {
    let (verb, rest) = action.split_once(" the ")?;
    let put = |(object, to)| Fact::Put { object, to };
    Some(match verb {
        "are facing" => Fact::Facing(Items::new(rest)),
        "turn on" => Fact::TurnedOn(rest),
        "close" => Fact::Closed(rest),
        "pick up" => {
            let (object, from) = rest.split_once(" from the ")?;
            Fact::Taken { object, from }
        }
        "move" => put(rest.split_once(" to the ")?),
        "put" => put(rest.split_once(" in/on the ")?),
        "clean" | "heat" | "cool" => {
            let (object, _) = rest.split_once(" using the ")?;
            Fact::Treated { verb, object }
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts_text(text: &str) -> String {
        let mut facts = Vec::new();
        for_each_fact(text, |fact| {
            facts.push(match fact {
                Fact::Nothing => "nothing".to_owned(),
                Fact::Room(items) => format!("room {:?}", items.collect::<Vec<_>>()),
                Fact::Task(task) => format!("task {task}"),
                Fact::Opened(place) => format!("open {place}"),
                Fact::Closed(place) => format!("closed {place}"),
                Fact::Contents { receptacle: place, items } => {
                    format!("{place} {:?}", items.collect::<Vec<_>>())
                }
                Fact::Taken { object, from } => format!("taken {object} {from}"),
                Fact::Put { object, to } => format!("put {object} {to}"),
                Fact::Treated { verb, object } => format!("{verb} {object}"),
                Fact::TurnedOn(lamp) => format!("on {lamp}"),
                Fact::Facing(items) => format!("facing {:?}", items.collect::<Vec<_>>()),
            });
        });
        facts.join("; ")
    }

    #[test]
    fn observations_are_read_in_every_wording() {
        let table = [
            ("Nothing happens.", "nothing"),
            ("You arrive at loc 7. The safe 1 is closed.", "closed safe 1"),
            ("You arrive at desk 1. On the desk 1, you see a mug 1.", "desk 1 [\"mug 1\"]"),
            ("On the desk 1, you see nothing.", "desk 1 []"),
            (
                "You open the drawer 1. The drawer 1 is open. In it, you see a pen 2, and a cd 1.",
                "open drawer 1; drawer 1 [\"pen 2\", \"cd 1\"]",
            ),
            ("You pick up the mug 1 from the desk 1.", "taken mug 1 desk 1"),
            ("You move the mug 1 to the shelf 2.", "put mug 1 shelf 2"),
            ("You put the mug 1 in/on the shelf 2.", "put mug 1 shelf 2"),
            ("You cool the mug 1 using the fridge 1.", "cool mug 1"),
            ("You turn on the desklamp 1.", "on desklamp 1"),
            ("You close the safe 1.", "closed safe 1"),
            (
                "You put the cd 1 in/on the safe 1. Your next task is to: put a pen in desk.",
                "put cd 1 safe 1; task put a pen in desk",
            ),
            (
                "You are facing the desk 1, and drawer 1. Next to it, you see nothing.",
                "facing [\"desk 1\", \"drawer 1\"]",
            ),
            (
                "You are in the middle of a room. Looking quickly around you, you see a bed 1.\nYour task is to: put a cd in safe.",
                "room [\"bed 1\"]; task put a cd in safe",
            ),
            ("This is a normal box 1. In it, you see nothing.", ""),
        ];
        for (text, facts) in table {
            assert_eq!(facts_text(text), facts, "{text}");
        }
    }
}
